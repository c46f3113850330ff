//! A send queue refused to split an skb because it used more memory than its buffer allows. The data then
//! waits for a timeout before it is retransmitted.
//!
//! Source: `tcp_fragment` (`TCPWqueueTooBig`), f070ef2ac667 (Linux 5.2, CVE-2019-11478): -ENOMEM where half
//! of `sk_wmem_queued` exceeds `sk_sndbuf`. Since b6653b3629e5 (5.2) only in the retransmission queue. Since
//! b617158dc096 (5.3) only beyond two skbs of 64 KiB more, and never for its first and last skb. A SACK that
//! covers part of an skb asks for a split (`tcp_match_skb_to_sack`), and so does `__tcp_retransmit_skb`.

use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported};
use crate::{BufferSide, Check, HostFacts, SetBuffer, buffers, fixes};

pub(super) static CHECK: Check =
    Check { id: "send-queue-refuses", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[(EvidenceKey::RefusedCount, "TCPWqueueTooBig")]) else { return vec![] };
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, 1.0), 0.85);
    let set = buffers::set_buffers(facts);
    let smallest = set.iter().filter(|b| b.side == BufferSide::Send).min_by_key(|b| b.buffer);
    let count = set.iter().filter(|b| b.side == BufferSide::Send).count();
    finding.evidence = smallest.and_then(|b| process(&b.processes)).into_iter().chain(tally.evidence).collect();
    if let Some(buffer) = smallest {
        finding.evidence.push(reported(EvidenceKey::BufferBytes, buffer.buffer));
        finding.evidence.push(derived(EvidenceKey::SetSendBufferCount, count as u64));
    }
    let holder = smallest.map_or("", SetBuffer::process);
    finding.fixes = vec![
        fixes::remove_so_sndbuf(holder),
        fixes::host(
            "host-find-small-send-buffers",
            vec![
                FixLine::remarked(
                    "ss -tnmp | grep -B1 -E ',tb[0-9]{1,5},'  # ",
                    "connections-with-send-buffer-below-100-kb",
                ),
                FixLine::remarked("nstat -az TcpExtTCPWqueueTooBig  # ", "does-it-grow"),
            ],
        ),
    ];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::BufferLocks;

    use super::*;
    use crate::testing::{Host, connection, lines, number};

    #[test]
    fn the_smallest_send_buffer_is_named() {
        let set = |bytes: u64| {
            let mut socket = connection();
            socket.locks = Some(BufferLocks { send: true, receive: false });
            socket.memory.send_buffer = Some(bytes);
            socket
        };
        let host = Host::with_defaults("5.4").counter("TCPWqueueTooBig", 900);
        let finding = host.socket(set(1 << 20)).socket(set(9216)).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "buffer_bytes") - 9216.0).abs() < 0.1);
        assert!((number(&finding, "set_send_buffer_count") - 2.0).abs() < 0.1);
        assert!(lines(&finding).contains("SO_SNDBUF"), "{}", lines(&finding));
    }

    #[test]
    fn past_or_never() {
        let host = |n| Host::with_defaults("5.4").counter("TCPWqueueTooBig", n);
        assert_eq!(host(900).recent("TCPWqueueTooBig", 0).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
    }
}
