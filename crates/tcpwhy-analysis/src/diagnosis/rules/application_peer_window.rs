//! A protocol above TCP limited the sender's data in flight: HTTP/2, gRPC, SSH, SFTP, or any other with a
//! window of its own.
//!
//! At most one such window can be in flight per round trip, so the rate is window / RTT, as for TCP's window.
//! The send buffer is neither full nor the limit: the sender has written all that it may.

use tcpwhy_advice::WindowedProtocol;
use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "application-peer-window",
    limits: &[Limit::Application],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

/// The port of SSH (RFC 4253 §4.1). Its users do not need the settings for HTTP/2.
const SSH_PORT: u16 = 22;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::PeerWindow))?;
    // If the sender stops after the same number of bytes each time, this is what the protocol allows.
    let plateau = facts.half.allowed().or(facts.flight(Limit::Application)).unwrap_or(0);
    finding.evidence.push(inferred(EvidenceKey::PlateauBytes, plateau));
    if let Some(window) = facts.window(Limit::Application) {
        finding.evidence.push(exact(EvidenceKey::WindowBytes, window));
    }
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::Application));
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::PlateauRateBitsPerS, plateau as f64 * 8.0 / rtt));
    }
    let protocol = if facts.ports.contains(&SSH_PORT) { WindowedProtocol::Ssh } else { WindowedProtocol::Unknown };
    finding.fixes = vec![tcpwhy_advice::raise_peer_window(facts.wanted_window(plateau), protocol)];
    finding.prediction = if_removed(facts, Detail::PeerWindow.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Segment;
    use tcpwhy_testkit::{Capture, SERVER, Transfer, Turns, Writer, mbit, ms};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn granted() -> Transfer {
        let writer = Writer::Granted { window: 65_535, step: 32_768 };
        Transfer { writer, bytes: 4_000_000, rtt: ms(40), rate: Some(mbit(100)), ..Transfer::default() }
    }

    /// Twice the bandwidth-delay product is 250 kB, four times the window 262 kB.
    #[test]
    fn a_window_above_tcp() {
        for capture in [Capture::Sender, Capture::Receiver, Capture::Middle] {
            let finding = fires(RULE.id, &granted().captured_at(capture).run());
            assert_eq!(
                (finding.severity, fixes(&finding)),
                (Severity::Critical, vec!["raise-peer-window"]),
                "{capture:?} {finding:?}"
            );
            assert!((45_000.0..66_000.0).contains(&number(&finding, "plateau_bytes")), "{capture:?} {finding:?}");
            assert!(finding.prediction.is_some_and(|p| p.seconds.value < 1.0), "{capture:?}");
        }
    }

    /// The peer allows the next window after all of the previous one arrived, so nothing is in flight in
    /// between.
    #[test]
    fn a_window_that_opens_all_at_once() {
        for (window, rtt) in [(65_536, ms(10)), (65_536, ms(40)), (262_144, ms(100))] {
            for capture in [Capture::Sender, Capture::Receiver, Capture::Middle] {
                let writer = Writer::Granted { window, step: window };
                let transfer = Transfer { writer, rtt, bytes: 40 * window, ..granted() };
                let finding = fires(RULE.id, &transfer.captured_at(capture).run());
                let plateau = number(&finding, "plateau_bytes");
                assert!((0.97..1.03).contains(&(plateau / window as f64)), "{capture:?} {finding:?}");
                let seconds = finding.seconds.unwrap();
                assert!(seconds > 0.8 * 39.0 * rtt as f64 / 1e9, "{capture:?} {rtt} {finding:?}");
                assert_eq!(fixes(&finding), ["raise-peer-window"], "{capture:?}");
            }
        }
    }

    /// The same transfer, sent by the end that did not open the connection.
    fn as_download(mut segments: Vec<Segment>) -> Vec<Segment> {
        let [syn, answer, ack] = [segments[0], segments[1], segments[2]];
        // The end that was far from the capture point is now near it.
        let answered = syn.timestamp.plus(ack.timestamp.since(answer.timestamp));
        let back = Segment { source: ack.destination, destination: ack.source, seq: ack.ack, ..ack };
        segments[0] = Segment { timestamp: syn.timestamp, flags: syn.flags, ack: syn.ack, ..answer };
        segments[1] = Segment { timestamp: answered, flags: answer.flags, ack: answer.seq.plus(1), ..syn };
        segments[2] = Segment { ack: ack.seq, ..back };
        segments
    }

    /// A window that opens by halves is recognised, whichever end opened the connection. A client would
    /// request the next block only after the previous one.
    #[test]
    fn a_window_of_the_client() {
        for capture in [Capture::Sender, Capture::Receiver, Capture::Middle] {
            let finding = fires(RULE.id, &as_download(granted().captured_at(capture).run()));
            assert!((0.97..1.03).contains(&(number(&finding, "plateau_bytes") / 65_535.0)), "{capture:?} {finding:?}");
            assert_eq!(fixes(&finding), ["raise-peer-window"], "{capture:?}");
        }
    }

    /// A server sends blocks of one size because its client requests them.
    #[test]
    fn answers_of_one_size_are_none() {
        let blocks = |request, answer| Turns { request, answer, rtt: ms(40), ..Turns::default() };
        fires(RULE.id, &blocks(60_000, 26).run());
        for turns in [blocks(26, 60_000), blocks(60_000, 150), blocks(300, 26), blocks(14_000, 26)] {
            is_silent(RULE.id, &turns.run());
        }
        // Time of the peer, and time of the sender.
        is_silent(RULE.id, &Turns { think: ms(100), ..blocks(60_000, 26) }.run());
        is_silent(RULE.id, &Turns { rest: ms(25), ..blocks(60_000, 26) }.run());
    }

    /// A server at port 22 gets advice for SSH only, another one for both protocols.
    #[test]
    fn ssh_by_its_port() {
        let codes = |port: u16| {
            let mut segments = granted().run();
            for segment in &mut segments {
                for end in [&mut segment.source, &mut segment.destination] {
                    if end.port == SERVER.port {
                        end.port = port;
                    }
                }
            }
            let finding = fires(RULE.id, &segments);
            finding.fixes[0].lines.iter().map(|line| line.code.unfilled().into_owned()).collect::<Vec<_>>().join("\n")
        };
        let (ssh, other) = (codes(22), codes(8443));
        assert!(ssh.contains("sftp -R 256") && !ssh.contains("http2"), "{ssh}");
        assert!(other.contains("http2_body_preread_size") && other.contains("sftp -R 256"), "{other}");
    }

    #[test]
    fn a_send_buffer_is_none() {
        is_silent(RULE.id, &Transfer { send_buffer: Some(64_000), ..Transfer::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
