//! Live connections whose application has set `SO_SNDBUF`. Autotuning is off for them, and their rate cannot
//! exceed the bytes in flight that the buffer allows, divided by the round trip.
//!
//! Source: `sock_setsockopt` sets `SOCK_SNDBUF_LOCK`, which excludes the socket from `tcp_sndbuf_expand`
//! (Linux 2.4 to 7.3).

use tcpwhy_model::{Finding, Severity};

use super::set_buffers;
use crate::{BufferSide, Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "socket-send-buffer-set", severity: Severity::Critical, needs: crate::needs::LOCKS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    set_buffers::findings(facts, &CHECK, BufferSide::Send, |process, wanted| {
        vec![fixes::remove_so_sndbuf(process), fixes::raise_so_sndbuf(process, wanted)]
    })
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{BufferLocks, SocketSample};

    use super::*;
    use crate::testing::{Host, connection, lines, number};

    fn set(bytes: u64) -> SocketSample {
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: true, receive: false });
        socket.memory.send_buffer = Some(bytes);
        socket
    }

    #[test]
    fn many_connections_of_a_process_are_one_finding() {
        let mut far = set(32_768);
        far.info.rtt = Some(50_000);
        let host = Host::with_defaults("6.18").socket(set(32_768)).socket(far).socket(connection());
        let finding = host.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "socket_count") - 2.0).abs() < 0.1);
        assert!((number(&finding, "rtt_us") - 50_000.0).abs() < 0.1, "the slowest speaks for all");
        assert!((number(&finding, "ceiling_bits_per_s") / 1e6 - 10.4).abs() < 1.0, "{finding:?}");
        assert!(lines(&finding).contains("SO_SNDBUF"));
        // The fix names the running connection by its process and descriptor.
        assert!(lines(&finding).contains("os.pidfd_open(4127), 51, 0"), "{}", lines(&finding));
    }

    #[test]
    fn one_that_binds_is_grave() {
        let mut socket = set(32_768);
        socket.info.busy_time = Some(24_000_000);
        socket.info.sndbuf_limited = Some(20_000_000);
        assert_eq!(Host::with_defaults("6.18").socket(socket).fires(CHECK.id).severity, Severity::Critical);
    }

    #[test]
    fn one_that_costs_nothing_is_a_note() {
        let mut near = set(4_000_000);
        near.info.rtt = Some(100);
        assert_eq!(Host::with_defaults("6.18").socket(near).fires(CHECK.id).severity, Severity::Info);
        let mut local = set(32_768);
        local.peer.address = local.local.address;
        assert_eq!(Host::with_defaults("6.18").socket(local).fires(CHECK.id).severity, Severity::Info);
    }

    #[test]
    fn left_alone_is_well() {
        Host::with_defaults("6.18").socket(connection()).is_silent(CHECK.id);
    }
}
