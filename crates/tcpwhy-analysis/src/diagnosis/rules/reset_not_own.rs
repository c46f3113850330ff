//! The RST did not come from the host of its address. That host continued as if nothing had happened, or the
//! RST took another route than all of its other packets.
//!
//! A host that has reset a connection answers later packets with RST (RFC 9293 §3.10.7.1). Devices on the
//! path send RSTs in the name of hosts. Connection tracking of a NAT forwards segments that it regards as
//! invalid without translation. The client gets them from an unknown address and answers with RST, which ends
//! the connection at the server (`nf_conntrack_tcp_be_liberal`).

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "reset-not-own", limits: &[], severity: Severity::Critical, detect: Detect::Connection(detect) };

/// The host sent more data afterwards.
const CONFIDENCE: f64 = 0.85;
/// The RST took another route, but routes may differ between packets.
const CONFIDENCE_BY_HOPS: f64 = 0.65;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    // Before the first data, a RST belongs to the handshake.
    let reset = facts.reset.filter(|reset| reset.delivered > 0)?;
    let is_harmful = reset.unacknowledged > 0 && !reset.is_goodbye || facts.unanswered.is_some();
    // A device that forgot the connection while it was idle answers in the host's name. Its own rule has the
    // fix.
    let is_of_rest = facts.forgotten.is_some_and(|forgotten| forgotten.is_reset);
    let hops_apart = reset.hops_apart.filter(|_| is_harmful && !is_of_rest);
    if reset.outlived.is_none() && hops_apart.is_none() {
        return None;
    }
    let mut finding = note(&RULE, if reset.outlived.is_some() { CONFIDENCE } else { CONFIDENCE_BY_HOPS });
    if reset.outlived.is_none() {
        finding.severity = Severity::Warning;
    }
    finding.evidence.push(exact(EvidenceKey::ResetBy, Value::Word(facts.party(reset.side).to_owned())));
    finding.evidence.push(exact(EvidenceKey::ResetAfterUs, reset.after / 1000));
    finding.evidence.push(exact(EvidenceKey::DeliveredBytes, reset.delivered));
    if let Some((packets, nanos)) = reset.outlived {
        finding.evidence.push(exact(EvidenceKey::OutlivedCount, u64::from(packets)));
        finding.evidence.push(exact(EvidenceKey::OutlivedUs, nanos / 1000));
    }
    if let Some(hops) = reset.hops_apart {
        finding.evidence.push(inferred(EvidenceKey::HopsApartCount, u64::from(hops)));
    }
    finding.fixes = vec![tcpwhy_advice::track_liberally(), tcpwhy_advice::find_reset()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const BEGUN: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.030 > P. 1:1001(1000) ack 1
         0.030 > P. 1001:2001(1000) ack 1
         0.050 < . 1:1(0) ack 1001
         0.060 < R 1:1(0)
    ";

    /// The packets before and after, with the hop limit `of_reset` for the RST and 57 for all others of its
    /// host.
    fn packets(after: &str, of_reset: u8) -> Vec<Segment> {
        let mut all = script(&format!("{BEGUN}{after}")).segments;
        let client = all[0].source;
        for segment in &mut all {
            let is_reset = segment.flags.contains(tcpwhy_model::TcpFlags::RST);
            segment.ip.hop_limit = match segment.source == client {
                true => 64,
                false if is_reset => of_reset,
                false => 57,
            };
        }
        all
    }

    #[test]
    fn a_host_that_acknowledges_on_after_its_reset() {
        let finding = fires(RULE.id, &packets("0.080 < . 1:1(0) ack 2001 win 65535\n0.081 > R 2001:2001(0)", 57));
        assert!((number(&finding, "outlived_count") - 1.0).abs() < 0.1, "{finding:?}");
        assert!((number(&finding, "delivered_bytes") - 1000.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Critical);
    }

    #[test]
    fn a_reset_from_elsewhere() {
        let finding = fires(RULE.id, &packets("", 60));
        assert!((number(&finding, "hops_apart_count") - 3.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Warning);
    }

    /// `RESET_OUTLIVED`, `RESET_HOPS`: an ACK that the RST overtook, and a hop limit that only RSTs have.
    #[test]
    fn a_reset_of_the_host_itself() {
        is_silent(RULE.id, &packets("", 57));
        is_silent(RULE.id, &packets("", 58));
        is_silent(RULE.id, &packets("", 248));
        is_silent(RULE.id, &packets("0.0699 < . 1:1(0) ack 2001 win 65535", 57));
        is_silent(RULE.id, &packets("0.070 > P. 2001:3001(1000) ack 1\n0.090 < R 1:1(0)\n0.2 < R 1:1(0)", 57));
        fires(RULE.id, &packets("0.070 < . 1:1(0) ack 2001 win 65535", 57));
    }

    /// All data had arrived, so a RST at that time caused no loss.
    #[test]
    fn a_device_that_clears_away_a_finished_connection() {
        let finished = BEGUN.replace(
            "0.060 < R 1:1(0)",
            "0.051 < P. 1:1001(1000) ack 2001\n0.052 > . 2001:2001(0) ack 1001\n0.060 < R 1001:1001(0)",
        );
        let all = script(&finished).segments;
        let with_hops = |of_reset: u8| {
            let mut all = all.clone();
            for segment in &mut all {
                let is_reset = segment.flags.contains(tcpwhy_model::TcpFlags::RST);
                segment.ip.hop_limit = if is_reset { of_reset } else { 57 };
            }
            all
        };
        is_silent(RULE.id, &with_hops(60));
    }
}
