//! Live connections whose receive buffer is mostly full of data that the application has not read.
//!
//! Source: `sk_rmem_alloc` over `sk_rcvbuf`, and bytes in the receive queue (`tcp_diag_get_info`). Data out
//! of order uses memory too, but is not in the receive queue. One scan cannot distinguish a queue without a
//! reader from a queue between two reads. The time since data came (`tcpi_last_data_recv`) distinguishes
//! them. A full queue without a reader lets nothing more in, while a busy reader's queue is refilled as it is
//! read.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-unread-data", severity: Severity::Warning, needs: crate::needs::SOCKETS, detect };

/// Share of the buffer below which the data may be between two reads.
const LEAST_SHARE: f64 = 0.5;
const LEAST_BYTES: u64 = 16_384;
/// Time since data came, ms, after which a reader that wants it has been scheduled. A time slice takes some 3
/// ms, and a few other processes may run first.
const LEAST_REST_MS: u64 = 20;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut full: Vec<_> = facts
        .connections()
        .filter_map(|s| {
            let (used, buffer) = s.memory.receive_allocated.zip(s.memory.receive_buffer.filter(|&b| b > 0))?;
            let share = used as f64 / buffer as f64;
            (share >= LEAST_SHARE && s.receive_queue >= LEAST_BYTES).then_some((s, share.min(1.0)))
        })
        .collect();
    // If the age of the data is unknown, it may have been in the queue for long.
    let rests = |s: &SocketSample| s.info.last_data_recv.is_none_or(|ms| ms >= LEAST_REST_MS);
    full.sort_by_key(|(s, _)| std::cmp::Reverse((rests(s), s.receive_queue)));
    let Some(&(worst, share)) = full.first() else { return vec![] };
    let (severity, confidence) = if rests(worst) { (Severity::Warning, 0.8) } else { (Severity::Info, 0.5) };
    let mut finding = finding(&CHECK, severity, confidence);
    finding.evidence = Vec::from_iter(process(&worst.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, full.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))),
        reported(EvidenceKey::UnreadBytes, worst.receive_queue),
        reported(EvidenceKey::BufferShare, share),
    ]);
    finding.evidence.extend(worst.info.last_data_recv.map(|ms| reported(EvidenceKey::LastReceivedMs, ms)));
    finding.fixes = vec![tcpwhy_advice::read_faster()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, number};

    #[test]
    fn a_reader_that_does_not_read() {
        let mut socket = connection();
        socket.memory.receive_allocated = Some(120_000);
        socket.receive_queue = 60_000;
        let finding = Host::with_defaults("6.12").socket(socket).fires(CHECK.id);
        assert!((number(&finding, "unread_bytes") - 60_000.0).abs() < 0.1);
    }

    /// Data that came just now may be read at once: a busy host gets no warning.
    #[test]
    fn a_moment_between_two_reads() {
        let socket = |queue: u64, age_ms: u64| {
            let mut socket = connection();
            socket.memory.receive_allocated = Some(120_000);
            socket.receive_queue = queue;
            socket.info.last_data_recv = Some(age_ms);
            socket
        };
        let finding = |sockets: &[(u64, u64)]| {
            let host = Host::with_defaults("6.12");
            sockets.iter().fold(host, |host, &(queue, age_ms)| host.socket(socket(queue, age_ms))).fires(CHECK.id)
        };
        assert_eq!(finding(&[(90_000, 0)]).severity, Severity::Info);
        assert_eq!(finding(&[(90_000, 15)]).severity, Severity::Info);
        assert_eq!(finding(&[(90_000, 25)]).severity, Severity::Warning);
        // The connection without a reader is named, however full the others are.
        let one = finding(&[(90_000, 0), (60_000, 5_000)]);
        assert_eq!(one.severity, Severity::Warning);
        assert!((number(&one, "last_received_ms") - 5_000.0).abs() < 0.1);
    }

    #[test]
    fn out_of_order_data_is_not_unread() {
        let mut socket = connection();
        socket.memory.receive_allocated = Some(120_000);
        Host::with_defaults("6.12").socket(socket).is_silent(CHECK.id);
    }
}
