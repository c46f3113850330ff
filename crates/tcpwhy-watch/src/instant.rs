//! The limit, and its form, that a socket shows at an instant.

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::HeldBy;
use tcpwhy_model::{Cause, Detail, Limit};

use super::hypotheses::Held;
use super::hypotheses::held_by;
use super::socket::traits;
use super::words::Words;

/// What holds the sending half back at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstantLimit {
    /// By the decision table; `None` where the connection is not set up or the kernel did not say enough.
    pub(super) held: Option<Held>,
    /// The same in the words of the timeline.
    pub(super) cause: Cause,
}

impl InstantLimit {
    /// `largest` as in [`held_by`]; `ruled` is what that stands for, by what was seen before.
    pub(super) fn at(
        socket: &SocketSample,
        has_turns: bool,
        largest: Option<u64>,
        ruled: impl FnOnce(HeldBy) -> HeldBy,
    ) -> Self {
        // Samples show a request now and then that has just come: whoever answers at once does not think.
        let has_just_heard = socket.info.last_data_recv == Some(0);
        match held_by(socket, traits(socket), None, largest).map(ruled) {
            Some(HeldBy::Think) if has_just_heard => Self::of(HeldBy::Idle, socket, has_turns),
            Some(by) => Self::of(by, socket, has_turns),
            None => Self { held: None, cause: Cause::plain(Limit::Unobserved) },
        }
    }

    /// As the kernel's account says.
    pub(super) fn of(by: HeldBy, socket: &SocketSample, has_turns: bool) -> Self {
        let held = match by {
            HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait => Some(Held::Idle),
            HeldBy::Application | HeldBy::Tail | HeldBy::PeerTurn => Some(Held::App),
            HeldBy::PeerWindow => Some(Held::PeerWindow),
            HeldBy::Nagle | HeldBy::Cork => Some(Held::Nagle),
            HeldBy::SendBuffer => Some(Held::Sndbuf),
            HeldBy::ReceiveWindow | HeldBy::ZeroWindow | HeldBy::NoWindowScale => Some(Held::Rwnd),
            HeldBy::SlowStart | HeldBy::Queue | HeldBy::CwndPaced | HeldBy::PostLoss | HeldBy::Cwnd => Some(Held::Cwnd),
            HeldBy::Pacing | HeldBy::Path => Some(Held::Pacing),
            HeldBy::Interface => Some(Held::Nic),
            HeldBy::FastRecovery | HeldBy::Rto => Some(Held::Loss),
            HeldBy::Handshake | HeldBy::SynRto => None,
        };
        // What a closed socket held back does not matter any more.
        let by = if socket.state == Some(TcpState::Close) { HeldBy::CloseWait } else { by };
        Self { held, cause: Self::cause_of(by, has_turns) }
    }

    /// The same, by the words that passed in the time around it.
    pub(super) fn between(self, words: Words) -> Self {
        let by_words = match (self.cause.detail, words) {
            (Some(Detail::PacedWrites), Words::Peers) => Detail::PeerTurn,
            (Some(Detail::PacedWrites), Words::Grants) => Detail::PeerWindow,
            (Some(Detail::Idle | Detail::PeerTurn), Words::Own) => Detail::PacedWrites,
            _ => return self,
        };
        let held = if by_words == Detail::PacedWrites { Some(Held::App) } else { self.held };
        Self { held, cause: by_words.into() }
    }

    /// In the words of timelines: a rest between turns is the peer's.
    pub(super) fn cause_of(by: HeldBy, has_turns: bool) -> Cause {
        if by == HeldBy::Idle && has_turns { Detail::PeerTurn.into() } else { by.cause() }
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    /// An established sender of which everything is known, with unsent data.
    fn socket() -> SocketSample {
        let mut s = SocketSample { state: Some(TcpState::Established), send_queue: 100_000, ..SocketSample::default() };
        s.congestion_control = Some("cubic".to_owned());
        let info = &mut s.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(20));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
        (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(80_000), Some(10), Some(7));
        (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
        s
    }

    #[track_caller]
    fn check(expected: &str, change: impl FnOnce(&mut SocketSample)) {
        let mut socket = socket();
        change(&mut socket);
        assert_eq!(InstantLimit::at(&socket, false, None, |by| by).cause.to_string(), expected);
    }

    #[test]
    fn forms_of_the_congestion_window() {
        check("congestion_window/other", |_| ());
        check("slow_start", |s| s.info.snd_ssthresh = None);
        check("slow_start", |s| s.info.snd_ssthresh = Some(21));
        check("congestion_window/post_loss", |s| s.info.total_retrans = Some(3));
        check("path/queue", |s| s.info.rtt = Some(25_001));
        check("congestion_window/other", |s| s.info.rtt = Some(25_000));
        // A tenth of a long round trip is jitter.
        check("congestion_window/other", |s| (s.info.rtt, s.info.min_rtt) = (Some(219_000), Some(200_000)));
        check("loss_recovery/fast", |s| s.info.ca_state = Some(3));
        check("loss_recovery/rto", |s| s.info.ca_state = Some(4));
    }

    #[test]
    fn forms_of_the_receive_window() {
        let window =
            |bytes: u64| move |s: &mut SocketSample| (s.info.snd_cwnd, s.info.snd_wnd) = (Some(40), Some(bytes));
        check("receive_window", window(20_500));
        check("receive_window/zero_window", window(0));
        check("receive_window/no_window_scale", |s| {
            s.send_queue = 140_000;
            (s.info.unacked, s.info.snd_cwnd, s.info.snd_wscale, s.info.snd_wnd) =
                (Some(60), Some(80), None, Some(60_500));
        });
    }

    #[test]
    fn whose_turn_it_is() {
        let idle = |sent: u64, received: u64| {
            move |s: &mut SocketSample| {
                (s.send_queue, s.info.notsent_bytes, s.info.bytes_received) = (0, Some(0), Some(1));
                (s.info.last_data_sent, s.info.last_data_recv) = (Some(sent), Some(received));
            }
        };
        check("application/think", idle(50, 40));
        check("application/idle", idle(40, 50));
        check("application/idle", |s| {
            idle(50, 40)(s);
            s.info.bytes_received = Some(0); // Nobody spoke: both count from the beginning.
        });
        let mut socket = socket();
        idle(40, 50)(&mut socket);
        assert_eq!(InstantLimit::at(&socket, true, None, |by| by).cause, Detail::PeerTurn.into());
        socket.state = Some(TcpState::CloseWait);
        assert_eq!(InstantLimit::at(&socket, true, None, |by| by).cause, Detail::CloseWait.into());
    }

    #[test]
    fn before_and_after_data() {
        check("handshake", |s| s.state = Some(TcpState::SynSent));
        check("handshake/syn_rto", |s| (s.state, s.info.retransmits) = (Some(TcpState::SynSent), Some(1)));
        let all_sent = |s: &mut SocketSample| (s.send_queue, s.info.notsent_bytes) = (20_001, Some(0));
        check("application/paced_writes", all_sent);
        check("tail_rtt", |s| {
            all_sent(s);
            s.state = Some(TcpState::FinWait1);
        });
        check("unobserved", |s| s.info.snd_cwnd = None);
    }

    /// The decision that each word of the kernel's account stands for.
    #[test]
    fn words_of_the_account_stand_for_decisions() {
        use Held::{App, Cwnd, Idle, Loss, Nagle, Nic, Pacing, PeerWindow, Rwnd, Sndbuf};
        let expected = |by| match by {
            HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait => Some(Idle),
            HeldBy::Application | HeldBy::Tail | HeldBy::PeerTurn => Some(App),
            HeldBy::PeerWindow => Some(PeerWindow),
            HeldBy::Nagle | HeldBy::Cork => Some(Nagle),
            HeldBy::SendBuffer => Some(Sndbuf),
            HeldBy::ReceiveWindow | HeldBy::ZeroWindow | HeldBy::NoWindowScale => Some(Rwnd),
            HeldBy::SlowStart | HeldBy::Queue | HeldBy::CwndPaced | HeldBy::PostLoss | HeldBy::Cwnd => Some(Cwnd),
            HeldBy::Pacing | HeldBy::Path => Some(Pacing),
            HeldBy::Interface => Some(Nic),
            HeldBy::FastRecovery | HeldBy::Rto => Some(Loss),
            HeldBy::Handshake | HeldBy::SynRto => None,
        };
        for by in HeldBy::ALL {
            assert_eq!(
                InstantLimit::of(by, &socket(), false),
                InstantLimit { held: expected(by), cause: by.cause() },
                "{by:?}"
            );
        }
        let closed = SocketSample { state: Some(TcpState::Close), ..socket() };
        assert_eq!(InstantLimit::of(HeldBy::Cwnd, &closed, false).cause, Detail::CloseWait.into());
        for (by, has_turns, cause) in [
            (HeldBy::Idle, true, Detail::PeerTurn),
            (HeldBy::Idle, false, Detail::Idle),
            (HeldBy::Think, true, Detail::Think),
        ] {
            assert_eq!(InstantLimit::cause_of(by, has_turns), cause.into(), "{by:?}");
        }
    }
}
