//! Live connections whose receive buffer is mostly full of data that the application has not read.
//!
//! Source: `sk_rmem_alloc` over `sk_rcvbuf`, and bytes in the receive queue (`tcp_diag_get_info`). Data out of order takes
//! memory too, but does not stand in the receive queue.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::advice;
use crate::host::facts::{finding, process, reported, word};
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "socket-unread-data", severity: Severity::Warning, detect };

/// Less than this is a moment between two reads.
const LEAST_SHARE: f64 = 0.5;
const LEAST_BYTES: u64 = 16_384;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut full: Vec<_> = facts
        .connections()
        .filter_map(|s| {
            let (used, buffer) = s.memory.receive_allocated.zip(s.memory.receive_buffer.filter(|&b| b > 0))?;
            let share = used as f64 / buffer as f64;
            (share >= LEAST_SHARE && s.receive_queue >= LEAST_BYTES).then_some((s, share.min(1.0)))
        })
        .collect();
    full.sort_by_key(|(s, _)| std::cmp::Reverse(s.receive_queue));
    let Some(&(worst, share)) = full.first() else { return vec![] };
    let mut finding = finding(&CHECK, Severity::Warning, 0.8);
    finding.evidence = Vec::from_iter(process(&worst.processes));
    finding.evidence.extend([
        reported("socket_count", full.len() as u64),
        reported("socket", word(format!("{} → {}", worst.local, worst.peer))),
        reported("unread_bytes", worst.receive_queue),
        reported("buffer_share", share),
    ]);
    finding.evidence.extend(worst.info.last_data_recv.map(|ms| reported("last_received_ms", ms)));
    finding.fixes = vec![advice::read_faster()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::{Host, connection, number};

    #[test]
    fn a_reader_that_does_not_read() {
        let mut socket = connection();
        socket.memory.receive_allocated = Some(120_000);
        socket.receive_queue = 60_000;
        let finding = Host::with_defaults("6.12").socket(socket).fires(CHECK.id);
        assert!((number(&finding, "unread_bytes") - 60_000.0).abs() < 0.1);
    }

    #[test]
    fn out_of_order_data_is_not_unread() {
        let mut socket = connection();
        socket.memory.receive_allocated = Some(120_000);
        Host::with_defaults("6.12").socket(socket).is_silent(CHECK.id);
    }
}
