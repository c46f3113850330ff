//! Facts of one socket, as the kernel reports it.

use tcpwhy_model::ByteCount;
use tcpwhy_model::host::{SocketSample, TcpState};

use super::thresholds::{FULL_RECEIVE_BUFFER, SMALL_WINDOW};

/// What a socket does that samples do not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct SocketTraits {
    /// Its congestion control paces (BBR).
    pub paces: bool,
    /// `TCP_NODELAY`.
    pub nodelay: bool,
    /// `TCP_CORK`.
    pub corked: bool,
}

/// What a socket does that its numbers do not say. `TCP_NODELAY` and `TCP_CORK` cannot be seen from outside.
pub(super) fn traits(socket: &SocketSample) -> SocketTraits {
    SocketTraits {
        paces: socket.congestion_control.as_deref().is_some_and(paces_itself),
        nodelay: false,
        corked: false,
    }
}

/// Whether the congestion control of this name spaces the segments by its own estimate of the path's rate.
pub(super) fn paces_itself(name: &str) -> bool {
    name.starts_with("bbr")
}

/// Whether the program has closed its sending half, so that nothing more will be written.
pub(super) fn has_closed(socket: &SocketSample) -> bool {
    use TcpState::{Closing, FinWait1, FinWait2, LastAck, TimeWait};
    matches!(socket.state, Some(FinWait1 | FinWait2 | LastAck | Closing | TimeWait))
}

/// Whether the peer has closed its sending half.
pub(super) fn has_peer_closed(socket: &SocketSample) -> bool {
    use TcpState::{CloseWait, Closing, LastAck, TimeWait};
    matches!(socket.state, Some(CloseWait | LastAck | Closing | TimeWait))
}

/// Bytes in flight. A recording may say anything.
pub(super) fn flight(socket: &SocketSample) -> Option<ByteCount> {
    Some(socket.info.segments_in_flight()?.saturating_mul(socket.info.snd_mss?))
}

/// Whether data that a receiver has not read keeps its own window small. Only the peer's socket shows
/// anything else that holds the peer back.
pub fn is_reader_slow(socket: &SocketSample) -> bool {
    if socket.receive_queue == 0 {
        return false;
    }
    let (info, memory) = (&socket.info, &socket.memory);
    match (info.rcv_wnd, memory.receive_allocated, memory.receive_buffer) {
        // Linux 6.2: less than two segments are offered, or less than is waiting to be read.
        (Some(window), ..) => window < SMALL_WINDOW * info.rcv_mss.unwrap_or(1) || window < socket.receive_queue,
        (None, Some(used), Some(buffer)) => FULL_RECEIVE_BUFFER.is_exceeded(used, buffer),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_slow_when_its_window_shrinks() {
        let mut s = SocketSample { receive_queue: 60_000, ..SocketSample::default() };
        (s.info.rcv_wnd, s.info.rcv_mss) = (Some(0), Some(1448));
        assert!(is_reader_slow(&s));
        s.info.rcv_wnd = Some(60_000);
        assert!(!is_reader_slow(&s));
        s.receive_queue = 0;
        s.info.rcv_wnd = Some(0);
        assert!(!is_reader_slow(&s), "nothing waits to be read");
        s.receive_queue = 60_000;
        s.info.rcv_wnd = None;
        (s.memory.receive_allocated, s.memory.receive_buffer) = (Some(100_000), Some(131_072));
        assert!(is_reader_slow(&s));
    }

    /// Each term of a reader that is slow, at its boundary.
    #[test]
    fn a_reader_is_slow_where_what_it_has_not_read_keeps_its_window_small() {
        for (what, queue, window, memory, expected) in [
            ("nothing to read", 0, Some(0), None, false),
            ("less than two segments", 1, Some(1999), None, true),
            ("two segments", 1, Some(2000), None, false),
            ("as much as waits", 8000, Some(8000), None, false),
            ("less than waits", 8001, Some(8000), None, true),
            ("three quarters of the memory", 1, None, Some((75, 100)), false),
            ("more of the memory", 1, None, Some((76, 100)), true),
            ("a window, whatever the memory", 1, Some(2000), Some((99, 100)), false),
            ("nothing known", 1, None, None, false),
        ] {
            let mut s = SocketSample { receive_queue: queue, ..SocketSample::default() };
            (s.info.rcv_wnd, s.info.rcv_mss) = (window, Some(1000));
            (s.memory.receive_allocated, s.memory.receive_buffer) = memory.unzip();
            assert_eq!(is_reader_slow(&s), expected, "{what}");
        }
    }

    #[test]
    fn a_reader_whose_segments_are_not_known() {
        for (window, expected) in [(1, true), (2, false)] {
            let mut s = SocketSample { receive_queue: 1, ..SocketSample::default() };
            s.info.rcv_wnd = Some(window);
            assert_eq!(is_reader_slow(&s), expected, "a window of {window}");
        }
        let half_known = |used, buffer| {
            let mut s = SocketSample { receive_queue: 1, ..SocketSample::default() };
            (s.memory.receive_allocated, s.memory.receive_buffer) = (used, buffer);
            is_reader_slow(&s)
        };
        assert!(!half_known(Some(9), None) && !half_known(None, Some(9)));
    }

    /// Which sides each state has closed.
    #[test]
    fn states_show_which_side_has_closed() {
        use TcpState::{CloseWait, Closing, Established, FinWait1, FinWait2, LastAck, TimeWait};
        for (state, own, peers) in [
            (Established, false, false),
            (FinWait1, true, false),
            (FinWait2, true, false),
            (CloseWait, false, true),
            (LastAck, true, true),
            (Closing, true, true),
            (TimeWait, true, true),
        ] {
            let socket = SocketSample { state: Some(state), ..SocketSample::default() };
            assert_eq!((has_closed(&socket), has_peer_closed(&socket)), (own, peers), "{state:?}");
        }
    }

    #[test]
    fn only_bbr_paces() {
        for (name, paces) in [(Some("bbr"), true), (Some("bbr2"), true), (Some("cubic"), false), (Some("xbbr"), false)]
        {
            let socket = SocketSample { congestion_control: name.map(str::to_owned), ..SocketSample::default() };
            let found = traits(&socket);
            assert_eq!((found.paces, found.nodelay, found.corked), (paces, false, false), "{name:?}");
        }
        assert!(!traits(&SocketSample::default()).paces, "nobody knows");
    }
}
