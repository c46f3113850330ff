//! The reset that ended a connection: the data in flight then, and whether the host with that address sent
//! it.

use tcpwhy_model::{Segment, TcpFlags};

use super::ConnectionState;
use super::end::End;
use super::last_message::MetClose;
use crate::facts::half::Half;
use crate::outcome::Side;
use crate::seen::{HopLimits, IdleClose, ResetFacts};
use crate::thresholds::{DELAYED_ACK, LONG_REST, RESET_HOPS, RESET_OUTLIVED, RESET_OUTLIVED_ACKS, SMALL_MESSAGE};

/// The first reset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reset {
    pub(super) side: Side,
    pub(super) time: i64,
    /// Time of the last of several resets from the same address.
    last: i64,
    /// Payload bytes that each end had sent, and the unacknowledged part of them.
    sent: [u64; 2],
    unacknowledged: [u64; 2],
    /// For each end, whether the window for its data was zero and it had sent no data since.
    pub(super) is_in_closed_window: [bool; 2],
    hop_limit: u8,
    outlived: Outlived,
    /// The peer's last message had just passed, and it was not a request.
    is_after_last_word: bool,
    /// A request in flight when this sender closed.
    met_close: Option<MetClose>,
}

/// Packets from the reset's address after it.
#[derive(Clone, Copy, Debug, Default)]
struct Outlived {
    packets: u32,
    /// Number of packets that acknowledge more than any before.
    acks: u32,
    last: i64,
}

impl Reset {
    fn new(segment: &Segment, side: Side, time: i64, ends: &[End; 2]) -> Self {
        let of = |count: fn(&Half) -> u64| [0, 1].map(|end: usize| ends[end].half().map_or(0, count));
        Self {
            side,
            time,
            last: time,
            sent: of(|half| half.counts.bytes),
            unacknowledged: of(Half::unacknowledged),
            is_in_closed_window: [0, 1].map(|end: usize| ends[end].half().is_some_and(Half::is_stuck_in_closed_window)),
            hop_limit: segment.ip.hop_limit,
            outlived: Outlived::default(),
            is_after_last_word: false,
            met_close: None,
        }
    }

    /// Unacknowledged bytes of both directions.
    pub(super) fn unacknowledged(&self) -> u64 {
        self.unacknowledged.iter().copied().fold(0, u64::saturating_add)
    }

    /// Whether the host with its address continued, so that another device sent the reset. A host that sent a
    /// reset answers all later packets with further resets (RFC 9293 §3.10.7.1).
    fn is_outlived(&self) -> bool {
        self.outlived.packets > 0
            && (self.outlived.last - self.last >= RESET_OUTLIVED || self.outlived.acks >= RESET_OUTLIVED_ACKS)
    }
}

impl ConnectionState {
    /// Records a reset from `side`.
    pub(super) fn on_reset(&mut self, segment: &Segment, side: Side, time: i64) {
        match &mut self.reset {
            None => {
                let reset = Reset::new(segment, side, time, &self.ends);
                let is_after_last_word = self.is_after_last_word(side, time);
                self.reset = Some(Reset { is_after_last_word, met_close: self.met_close(side), ..reset });
            }
            // It sends another reset: the packets in between had been sent before.
            Some(reset) if reset.side == side => (reset.outlived, reset.last) = (Outlived::default(), time),
            Some(_) => {}
        }
    }

    /// Whether the peer of `side` sent its last message, not a request, at most one round trip before `time`.
    /// Then the reset of `side` takes the place of the ACK.
    fn is_after_last_word(&self, side: Side, time: i64) -> bool {
        let measured = self.ends.iter().filter_map(|end| end.half()?.ledger.rtt_min()).max();
        let round_trip = self.handshake_times.round_trip().into_iter().chain(measured).max();
        // Without a measured round trip, the peer had not waited long enough to retransmit.
        let most = round_trip.map_or(LONG_REST.get(), |round_trip| round_trip.max(DELAYED_ACK.get()));
        let last = self.last_message.last_word(side.peer(), self.asker());
        // The first data of a connection is not a final message, however short it is.
        let has_begun_before = self.initiator.is_none() || self.ends[side.index()].half().is_some();
        has_begun_before && last.is_some_and(|at| time - at <= most)
    }

    /// The peer's request that was in flight when `closer` closed, if none of it was acknowledged before the
    /// reset.
    fn met_close(&self, closer: Side) -> Option<MetClose> {
        let asker = self.asker().filter(|&asker| asker != closer)?;
        let [closed, asker_closed] = [closer, asker].map(|side| self.ends[side.index()].fin);
        let closed = closed.filter(|&at| asker_closed.is_none_or(|asker| asker >= at))?;
        let found = self.last_message.met_close(asker, closed)?;
        (self.ends[asker.index()].half()?.unacknowledged() >= found.bytes).then_some(found)
    }

    /// Records a packet of the end that had reset the connection; `has_acknowledged`: it acknowledges more
    /// than any before.
    #[cold]
    pub(super) fn outlive_reset(&mut self, segment: &Segment, time: i64, has_acknowledged: bool) {
        let Some(reset) = &mut self.reset else { return };
        if segment.flags.0 & (TcpFlags::RST.0 | TcpFlags::SYN.0) == 0 {
            let outlived = &mut reset.outlived;
            outlived.packets = outlived.packets.saturating_add(1);
            outlived.acks = outlived.acks.saturating_add(u32::from(has_acknowledged));
            outlived.last = outlived.last.max(time);
        }
    }

    /// Facts about the reset for rules.
    pub(super) fn reset_facts(&self) -> Option<ResetFacts> {
        let reset = self.reset?;
        let [mine, peer] = [reset.side, reset.side.peer()].map(|side| &self.ends[side.index()]);
        let [own, peers] = [reset.side, reset.side.peer()].map(|side| reset.unacknowledged[side.index()]);
        let has_closed = mine.fin.is_some_and(|at| at <= reset.time) || peer.fin.is_some_and(|at| at <= reset.time);
        Some(ResetFacts {
            side: reset.side,
            after: reset.time - self.outline.first,
            delivered: reset.sent.iter().copied().fold(0, u64::saturating_add).saturating_sub(reset.unacknowledged()),
            unacknowledged: reset.unacknowledged(),
            cut_off: mine.rare.as_ref().map_or(0, |rare| rare.cut_off),
            // A closing end may answer the peer's own close with a reset, or send a reset instead of the last
            // ACK.
            is_goodbye: own <= SMALL_MESSAGE
                && (peers == 0 || peers <= SMALL_MESSAGE && (has_closed || reset.is_after_last_word)),
            met_close: reset.met_close.map(|met| IdleClose { idle: met.idle, bytes: met.bytes }),
            had_closed: mine.fin.is_some_and(|at| at < reset.time),
            outlived: reset.is_outlived().then_some((reset.outlived.packets, reset.outlived.last - reset.time)),
            hops_apart: mine.hop_limits.hops_apart(reset.hop_limit).filter(|&hops| u32::from(hops) >= RESET_HOPS.get()),
        })
    }
}

impl HopLimits {
    /// Difference in the number of routers between a packet with this hop limit and the other packets. `None`
    /// if those did not all take one path. Hosts sometimes start resets with another hop limit than data, but
    /// from the same place.
    fn hops_apart(self, hop_limit: u8) -> Option<u8> {
        /// Initial values of Linux, the BSDs and macOS (64); Windows (128); Solaris and network devices
        /// (255); some network devices (32).
        const FIRST: [u8; 4] = [32, 64, 128, 255];
        let routers = |left: u8| FIRST.into_iter().find(|&first| first >= left).map(|first| first - left);
        let is_known = self.usual > 0 && !self.is_mixed && hop_limit > 0;
        let (usual, reset) = routers(self.usual).zip(routers(hop_limit)).filter(|_| is_known)?;
        Some(usual.abs_diff(reset))
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_are_counted_from_the_next_value_that_hosts_start_with() {
        let limits = HopLimits { usual: 57, ..HopLimits::default() };
        let apart = |hop_limit| limits.hops_apart(hop_limit);
        assert_eq!([57, 56, 248, 121, 60, 128].map(apart), [0, 1, 0, 0, 3, 7].map(Some));
        assert_eq!(apart(0), None);
        assert_eq!(HopLimits { is_mixed: true, ..limits }.hops_apart(57), None);
        assert_eq!(HopLimits::default().hops_apart(57), None);
    }
}
