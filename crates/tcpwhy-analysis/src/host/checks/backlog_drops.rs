//! Packets were dropped because the socket was locked by its process for too long and its backlog was full.
//!
//! Source: `tcp_add_backlog` (`TCPBacklogDrop`): more than the socket's buffers and 64 KB waited while a process worked on
//! the socket, in most cases copying out of it on a CPU that was too busy.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::advice;
use crate::host::facts::{derived, finding};
use crate::host::{BufferSide, Check, HostFacts, buffers, fixes};

pub(super) static CHECK: Check = Check { id: "backlog-drops", severity: Severity::Warning, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[("backlog_drop_count", "TCPBacklogDrop")]) else { return vec![] };
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, 1.0), 0.9);
    finding.evidence = tally.evidence;
    let set = buffers::set_buffers(facts).iter().filter(|b| b.side == BufferSide::Receive).count();
    if set > 0 {
        finding.evidence.push(derived("set_receive_buffer_count", set as u64));
        finding.fixes.push(fixes::remove_so_rcvbuf(""));
    }
    finding.fixes.push(advice::enlarge_reads());
    finding.fixes.push(fixes::host(
        "host-find-busy-cpu",
        vec![
            "mpstat -P ALL 1  # a CPU at 100 % soft or sys?".into(),
            "ss -tm | grep -E 'bl[1-9]'  # sockets with a backlog now".into(),
        ],
    ));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::Host;

    #[test]
    fn drops() {
        assert_eq!(
            Host::with_defaults("6.12").counter("TCPBacklogDrop", 900).fires(CHECK.id).severity,
            Severity::Warning
        );
        Host::with_defaults("6.12").counter("TCPBacklogDrop", 0).is_silent(CHECK.id);
    }
}
