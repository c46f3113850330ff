//! The latest limit that kept a sender below the rate of the path, in samples.

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::HeldBy;

use crate::hypotheses::{bounds_rate, under_bound};
use crate::socket::traits;
use crate::thresholds::MICROSECOND;

/// The latest limit that kept a sender below the rate of the path, with its time. Rates measured under such a
/// limit are not rates of the path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bound {
    latest: Option<(HeldBy, Timestamp)>,
    /// The limit that the clocks had counted up to the last sample.
    counted: Option<HeldBy>,
}

impl Bound {
    /// The limit at `time`, by the state of `socket` and by the kernel's clocks since `before`. A growing
    /// window can be the limit once as a transfer starts, so the clocks have to count twice in a row.
    pub(super) fn rule(&mut self, by: HeldBy, before: &SocketSample, socket: &SocketSample, time: Timestamp) -> HeldBy {
        let counted = counted(before, socket);
        let again = std::mem::replace(&mut self.counted, counted) == counted;
        let seen = if bounds_rate(by) { Some(by) } else { counted.filter(|_| again) };
        if let Some(seen) = seen {
            self.latest = Some((seen, time));
        }
        let Some((bound, at)) = self.latest else { return by };
        let ago = time.since(at).max(0).cast_unsigned() / MICROSECOND;
        under_bound(socket, traits(socket), by, bound, ago)
    }
}

/// The limit that the kernel's clocks counted between two samples. Source: `tcp_chrono_start`, Linux 4.10.
fn counted(before: &SocketSample, socket: &SocketSample) -> Option<HeldBy> {
    let has_grown = |of: fn(&SocketSample) -> Option<u64>| of(before).zip(of(socket)).is_some_and(|(a, b)| b > a);
    if has_grown(|s| s.info.rwnd_limited) {
        return Some(HeldBy::ReceiveWindow);
    }
    has_grown(|s| s.info.sndbuf_limited).then_some(HeldBy::SendBuffer)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::TcpState;

    use super::*;

    const ROUND_TRIP: u64 = 20_000;

    /// BBR with data that waits for its pacer, at the rate that it has measured.
    fn paced() -> SocketSample {
        let mut s = SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
        s.congestion_control = Some("bbr".to_owned());
        (s.info.snd_mss, s.info.notsent_bytes) = (Some(1000), Some(80_000));
        (s.info.rtt, s.info.min_rtt) = (Some(ROUND_TRIP), Some(ROUND_TRIP));
        s
    }

    fn at(round_trips: u64) -> Timestamp {
        Timestamp::from_nanos((round_trips * ROUND_TRIP * MICROSECOND).cast_signed())
    }

    /// The limit reported this many round trips after the receive window was the limit.
    fn after_window(round_trips: u64, by: HeldBy, change: impl FnOnce(&mut SocketSample)) -> HeldBy {
        let (before, mut socket) = (paced(), paced());
        change(&mut socket);
        let mut bound = Bound::default();
        bound.rule(HeldBy::ReceiveWindow, &before, &before, at(1));
        bound.rule(by, &before, &socket, at(1 + round_trips))
    }

    #[test]
    fn a_rate_is_that_of_what_bound_within_ten_round_trips() {
        for (what, expected, is) in [
            ("at once", HeldBy::ReceiveWindow, after_window(1, HeldBy::Path, |_| ())),
            ("a start", HeldBy::ReceiveWindow, after_window(1, HeldBy::SlowStart, |_| ())),
            ("the program's", HeldBy::ReceiveWindow, after_window(1, HeldBy::Application, |_| ())),
            ("ten round trips later", HeldBy::ReceiveWindow, after_window(10, HeldBy::Path, |_| ())),
            ("eleven later", HeldBy::Path, after_window(11, HeldBy::Path, |_| ())),
            ("late ACKs", HeldBy::ReceiveWindow, after_window(1, HeldBy::Path, |s| s.info.rtt = Some(40_000))),
            ("no pacer", HeldBy::Path, after_window(1, HeldBy::Path, |s| s.congestion_control = None)),
            ("no data", HeldBy::Application, after_window(1, HeldBy::Application, |s| s.info.notsent_bytes = Some(0))),
            ("no rate", HeldBy::Nagle, after_window(1, HeldBy::Nagle, |_| ())),
            ("a closed window", HeldBy::ZeroWindow, after_window(1, HeldBy::ZeroWindow, |_| ())),
        ] {
            assert_eq!(is, expected, "{what}");
        }
    }

    #[test]
    fn a_full_link_is_full_whatever_the_send_buffer() {
        let buffer = |rtt: u64, in_flight: u64| {
            let (before, mut socket) = (paced(), paced());
            (socket.info.rtt, socket.info.unacked) = (Some(rtt), Some(in_flight));
            (socket.info.sacked, socket.info.lost, socket.info.retrans) = (Some(0), Some(0), Some(0));
            let mut bound = Bound::default();
            bound.rule(HeldBy::SendBuffer, &before, &before, at(1));
            bound.rule(HeldBy::Path, &before, &socket, at(2))
        };
        assert_eq!(buffer(39_999, 20), HeldBy::SendBuffer);
        assert_eq!(buffer(40_000, 20), HeldBy::Path);
        assert_eq!(buffer(40_000, 3), HeldBy::SendBuffer, "late ACKs");
    }

    #[test]
    fn clocks_say_what_bound_between_samples() {
        let clocks = |window, buffer| {
            let mut s = paced();
            (s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(window), Some(buffer));
            s
        };
        let ruled = |samples: &[SocketSample]| {
            let (mut bound, mut by) = (Bound::default(), HeldBy::Path);
            for pair in samples.windows(2) {
                by = bound.rule(HeldBy::Path, &pair[0], &pair[1], at(1));
            }
            by
        };
        assert_eq!(ruled(&[clocks(5, 5), clocks(5, 5), clocks(5, 5)]), HeldBy::Path);
        assert_eq!(ruled(&[clocks(5, 5), clocks(6, 5), clocks(7, 5)]), HeldBy::ReceiveWindow);
        assert_eq!(ruled(&[clocks(5, 5), clocks(5, 6), clocks(5, 7)]), HeldBy::SendBuffer);
        assert_eq!(ruled(&[clocks(5, 5), clocks(6, 5)]), HeldBy::Path, "once");
        assert_eq!(ruled(&[clocks(5, 5), clocks(6, 5), clocks(6, 5)]), HeldBy::Path, "not any more");
        assert_eq!(ruled(&[clocks(5, 5), clocks(6, 5), clocks(6, 6)]), HeldBy::Path, "another one");
        assert_eq!(ruled(&[paced(), clocks(9, 9), clocks(9, 9)]), HeldBy::Path, "nobody knows since when");
    }
}
