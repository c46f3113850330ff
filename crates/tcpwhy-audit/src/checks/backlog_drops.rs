//! Packets were dropped because the socket was locked by its process for too long and its backlog was full.
//!
//! Source: `tcp_add_backlog` (`TCPBacklogDrop`). More than the socket's buffers and 64 KB waited while a
//! process worked on the socket. In most cases it copied data out of the socket on a CPU that was too busy.

use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::derived;
use crate::{BufferSide, Check, HostFacts, buffers, fixes};

pub(super) static CHECK: Check =
    Check { id: "backlog-drops", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Share of the received segments: a smaller loss has no noticeable cost for a connection (Mathis et al.
/// 1997).
const LEAST_SHARE: f64 = 1e-5;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[(EvidenceKey::BacklogDropCount, "TCPBacklogDrop")]) else { return vec![] };
    let is_rare = facts.tcp("InSegs") > 0 && facts.share("TCPBacklogDrop", "InSegs") < LEAST_SHARE;
    let most = if is_rare { Severity::Info } else { Severity::Warning };
    let mut finding = finding(&CHECK, tally.severity(most, 1.0), 0.9);
    finding.evidence = tally.evidence;
    let set = buffers::set_buffers(facts).iter().filter(|b| b.side == BufferSide::Receive).count();
    if set > 0 {
        finding.evidence.push(derived(EvidenceKey::SetReceiveBufferCount, set as u64));
        finding.fixes.push(fixes::remove_so_rcvbuf(""));
    }
    finding.fixes.push(tcpwhy_advice::enlarge_reads());
    finding.fixes.push(fixes::host(
        "host-find-busy-cpu",
        vec![
            FixLine::remarked("mpstat -P ALL 1  # ", "cpu-at-100-soft-or-sys"),
            FixLine::remarked("ss -tm | grep -E 'bl[1-9]'  # ", "sockets-backlog-now"),
        ],
    ));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn drops() {
        assert_eq!(
            Host::with_defaults("6.12").counter("TCPBacklogDrop", 900).fires(CHECK.id).severity,
            Severity::Warning
        );
        let rare = Host::with_defaults("6.12").counter("TCPBacklogDrop", 900).tcp_counter("InSegs", 1_000_000_000);
        assert_eq!(rare.fires(CHECK.id).severity, Severity::Info);
        Host::with_defaults("6.12").counter("TCPBacklogDrop", 0).is_silent(CHECK.id);
    }
}
