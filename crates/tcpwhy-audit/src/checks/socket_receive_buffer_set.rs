//! Live connections whose application has set `SO_RCVBUF`: the window does not grow with the path.
//!
//! Source: `sock_setsockopt` sets `SOCK_RCVBUF_LOCK`, which excludes the socket from `tcp_rcv_space_adjust`.
//! If the option is set while the connection carries data, the window even stays at its present size (Linux
//! 6.11 to 7.0, measured).

use tcpwhy_model::{Finding, Severity};

use super::set_buffers;
use crate::{BufferSide, Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "socket-receive-buffer-set", severity: Severity::Critical, needs: crate::needs::LOCKS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    set_buffers::findings(facts, &CHECK, BufferSide::Receive, |process, wanted| {
        vec![fixes::remove_so_rcvbuf(process), fixes::raise_so_rcvbuf(process, wanted)]
    })
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::BufferLocks;

    use super::*;
    use crate::testing::{Host, connection, number};

    /// Blocks over 26 ms with `SetReadBuffer`: 200 kB per round trip, where autotuning would allow megabytes.
    #[test]
    fn a_window_that_does_not_grow() {
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: false, receive: true });
        socket.memory.receive_buffer = Some(262_144);
        socket.info.rtt = Some(26_000);
        socket.info.bytes_received = Some(100_000_000);
        socket.info.rcv_space = Some(180_000);
        let finding = Host::with_defaults("6.1").socket(socket).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Critical);
        let mbit = number(&finding, "ceiling_bits_per_s") / 1e6;
        assert!((36.0..=44.0).contains(&mbit), "{mbit}");
        assert!(number(&finding, "autotuned_bits_per_s") > 10.0 * mbit * 1e6);
    }

    #[test]
    fn a_guess_says_that_it_is_one() {
        let mut socket = connection();
        socket.locks = None;
        socket.memory.receive_buffer = Some(1 << 19);
        let finding = Host::with_defaults("6.1").socket(socket).fires(CHECK.id);
        assert!(finding.confidence < 0.7, "{finding:?}");
    }

    #[test]
    fn left_alone_is_well() {
        Host::with_defaults("6.18").socket(connection()).is_silent(CHECK.id);
    }
}
