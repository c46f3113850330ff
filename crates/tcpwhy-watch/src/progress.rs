//! What passed on a connection since somebody asked last: counters of whoever asks again and again are made
//! of it.

use tcpwhy_model::live::Turns;
use tcpwhy_model::{ByteCount, Cause, Limit, OutcomeKind};

use super::baseline::{acked, received};
use super::connection::LiveConnection;
use super::direction::Direction;
use super::reported::Reported;
use super::time_by_cause::TimeByCause;

/// What passed on a connection since it was asked last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Whether this is its first report.
    pub is_first: bool,
    /// Time of the direction to speak of. All reports of a connection add up to the time that it was watched.
    /// A silence that may be a loss is missing for one timeout at most, and nothing is at the end.
    pub time: TimeByCause,
    /// Nanoseconds of that which a change could have saved.
    pub lost: i64,
    /// Bytes of this side that were acknowledged.
    pub sent: ByteCount,
    /// Bytes of the peer that arrived.
    pub received: ByteCount,
    /// Bytes that this side retransmitted.
    pub retransmitted: ByteCount,
    /// Nanoseconds in which its writers waited for room in the send buffer; `None` where nobody counts them.
    pub blocked: Option<i64>,
    /// Turns of this side and of the peer; `None` where nobody counts them.
    pub turns: Option<[Turns; 2]>,
    /// How it fails, in the first report after that showed.
    pub failed: Option<OutcomeKind>,
}

impl LiveConnection {
    pub(super) fn take_progress(&mut self) -> Progress {
        let watched = self.sending.end().since(self.first.time);
        let sending = self.sending.take_passed();
        let receiving = self.reader.receiving.as_deref_mut().map(Direction::take_passed).unwrap_or_default();
        // Both directions give out the same time; what the one to speak of lacks (the peer has closed), the
        // other has.
        let mut owed = watched - self.reported.nanos;
        let mut time = TimeByCause::default();
        let speaks = if self.is_receiver() { [receiving, sending] } else { [sending, TimeByCause::default()] };
        for (cause, nanos) in speaks.iter().flat_map(TimeByCause::iter) {
            let nanos = nanos.min(owed);
            if nanos > 0 {
                time.add(cause, nanos);
                owed -= nanos;
            }
        }
        if self.has_ended && owed > 0 {
            time.add(Cause::plain(Limit::Unobserved), owed);
        }
        let socket = &self.last.socket;
        let now = Reported {
            nanos: self.reported.nanos + time.sum(|_| true),
            sent: acked(socket).max(self.reported.sent),
            received: received(socket).max(self.reported.received),
            retransmitted: socket.info.bytes_retrans.unwrap_or_default().max(self.reported.retransmitted),
            blocked: self.blocked().unwrap_or_default().max(self.reported.blocked),
            turns: self.turns().unwrap_or(self.reported.turns),
            failed: self.reported.failed.or_else(|| self.outcome().map(|outcome| outcome.kind)),
            is_known: true,
        };
        let before = std::mem::replace(&mut self.reported, now);
        Progress {
            is_first: !before.is_known,
            lost: time.sum(|cause| self.is_lost(cause)),
            time,
            sent: now.sent - before.sent,
            received: now.received - before.received,
            retransmitted: now.retransmitted - before.retransmitted,
            blocked: self.blocked().map(|_| now.blocked - before.blocked),
            failed: now.failed.filter(|_| before.failed.is_none()),
            turns: self.turns().map(|_| [0, 1].map(|of| now.turns[of].since(&before.turns[of]))),
        }
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::{SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, SocketKey};

    use crate::LiveHost;

    use super::*;

    fn sample(millis: i64, change: impl FnOnce(&mut SocketSample)) -> KernelSample {
        let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
        (s.local.port, s.peer.port) = (Some(50_000), Some(80));
        let info = &mut s.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(10));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
        (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(0), Some(10), Some(7));
        (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
        change(&mut s);
        let key = SocketKey { namespace: 1, cookie: 1 };
        KernelSample { time: Timestamp::from_nanos(millis * 1_000_000), key, socket: s }
    }

    fn acked_so_far(bytes: u64) -> impl FnOnce(&mut SocketSample) {
        move |s| {
            s.send_queue = 10_000;
            (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(32_000));
            s.info.bytes_acked = Some(bytes);
        }
    }

    fn take(host: &mut LiveHost) -> Vec<Progress> {
        let mut all = Vec::new();
        host.take_progress(|_, progress| all.push(progress));
        all
    }

    fn millis(progress: &Progress) -> Vec<(String, i64)> {
        progress.time.iter().map(|(cause, nanos)| (cause.to_string(), nanos / 1_000_000)).collect()
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        let mut host = LiveHost::with_progress();
        host.observe(sample(0, acked_so_far(1000)));
        let first = &take(&mut host)[0];
        assert!(first.is_first && first.sent == 0 && first.time.iter().count() == 0, "{first:?}");
        host.observe(sample(10, acked_so_far(3000)));
        host.observe(sample(20, acked_so_far(4000)));
        let second = &take(&mut host)[0];
        assert_eq!((second.is_first, second.sent, millis(second)), (false, 3000, vec![("send_buffer".into(), 20)]));
        assert_eq!(second.lost, 20_000_000);
        let third = &take(&mut host)[0];
        assert_eq!((third.sent, third.lost, third.time.iter().count()), (0, 0, 0));
        host.forget(SocketKey { namespace: 1, cookie: 1 });
        assert_eq!(take(&mut host).len(), 1, "its end is told");
        assert!(take(&mut host).is_empty());
    }

    /// Bytes before the watching do not count; a connection that came later counts from its beginning.
    #[test]
    fn bytes_of_new_connections_count_from_their_first() {
        let mut host = LiveHost::with_progress();
        host.sweep(1, Timestamp::ZERO);
        host.observe(sample(1000, acked_so_far(500)));
        assert_eq!(take(&mut host)[0].sent, 499, "all but the SYN");
    }

    /// A silence is reported when it is known whether it was a loss; all of it adds up.
    #[test]
    fn a_loss_is_told_when_it_is_known() {
        let mut host = LiveHost::with_progress();
        let waits = |s: &mut SocketSample| {
            s.send_queue = 10_000;
            s.info.bytes_acked = Some(1);
        };
        host.observe(sample(0, waits));
        host.observe(sample(100, waits));
        host.observe(sample(180, waits));
        let waiting = &take(&mut host)[0];
        let told: i64 = waiting.time.sum(|_| true) / 1_000_000;
        assert!(told < 180, "{waiting:?}");
        host.observe(sample(300, |s| {
            waits(s);
            (s.info.ca_state, s.info.retransmits) = (Some(4), Some(1));
        }));
        host.observe(sample(310, |s| {
            waits(s);
            (s.info.ca_state, s.info.retransmits) = (Some(4), Some(1));
        }));
        let known = &take(&mut host)[0];
        assert_eq!(known.time.sum(|_| true) / 1_000_000 + told, 310, "{waiting:?} {known:?}");
        assert!(known.time.sum(|cause| cause.limit == Limit::LossRecovery) >= 190_000_000, "{known:?}");
    }

    /// Time is reported once, however often the direction to speak of changes.
    #[test]
    fn time_adds_up_when_the_direction_changes() {
        let mut host = LiveHost::with_progress();
        let (mut sent, mut got, mut told) = (1_u64, 1_u64, 0_i64);
        for step in 0..200_i64 {
            let is_sending = (step / 7) % 2 == 0;
            if is_sending {
                sent += 10_000;
            } else {
                got += 20_000;
            }
            host.observe(sample(step * 37, |s| {
                s.send_queue = if is_sending { 5000 } else { 0 };
                (s.info.bytes_acked, s.info.bytes_received) = (Some(sent), Some(got));
                // The peer closes at last.
                s.state = Some(if step < 150 { TcpState::Established } else { TcpState::CloseWait });
            }));
            if step % 5 == 0 {
                told += take(&mut host).iter().map(|progress| progress.time.sum(|_| true)).sum::<i64>();
                assert!(told <= step * 37_000_000, "{step}");
            }
        }
        host.forget(SocketKey { namespace: 1, cookie: 1 });
        told += take(&mut host).iter().map(|progress| progress.time.sum(|_| true)).sum::<i64>();
        assert_eq!(told, 199 * 37_000_000);
    }
}
