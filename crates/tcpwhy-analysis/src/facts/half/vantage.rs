//! Position of the capture between the two ends, and the round trips measured from there.

use super::round_trip::Echo;
use super::segment::{AckSegment, DataSegment};
use super::when::When;
use super::{Half, HandshakeTimes};
use crate::facts::gap_fact::GapFact;
use crate::outcome::Vantage;
use crate::sketch::Sketch;
use crate::thresholds::{
    ACKED_AT_ONCE, DELAYED_ACK, ECHO_EXCESS, ECHO_SILENCE, ECHO_WAITED, ELSEWHERE, HANDSHAKE_JITTER,
    HANDSHAKE_JITTER_MOST, HOST_ANSWERS, LAG_STRETCHES, LATE_LOCATION, NEAR_LEAST, NEAR_PART, STRETCH_ASSUMED,
    STRETCH_LEAST, STRETCH_MOST, STRETCH_ROUND_TRIPS, WAY_JITTER, part,
};

impl Half {
    /// Records the handshake, as far as it was captured, and derives the position of the capture from it.
    pub(crate) fn open(&mut self, handshake_times: &HandshakeTimes, is_initiator: bool) {
        let (Some(first_syn), Some(last_syn)) = (handshake_times.first_syn, handshake_times.last_syn) else { return };
        if last_syn > first_syn {
            self.ledger.account(last_syn, GapFact::SynRepeated);
        }
        let (Some(syn_ack), Some(last_syn_ack)) = (handshake_times.syn_ack, handshake_times.last_syn_ack) else {
            return;
        };
        let Some(established) = handshake_times.established else { return };
        if last_syn_ack > syn_ack {
            self.ledger.account(last_syn_ack, GapFact::SynRepeated);
        }
        self.ledger.account(established, GapFact::HandshakeUnderWay);
        // If SYN-ACKs were retransmitted, the third step answers the last one: the others were lost.
        let (answered, confirmed) = (syn_ack - last_syn, established - last_syn_ack);
        let (to_receiver, to_sender) = if is_initiator { (answered, confirmed) } else { (confirmed, answered) };
        if to_receiver < 0 || to_sender < 0 {
            return;
        }
        self.handshake = Some((to_receiver, to_sender));
        self.locate(to_receiver, to_sender);
        self.ledger.on_rtt(to_receiver + to_sender);
    }

    /// Decides the position of the capture from the delays to both ends, nanoseconds.
    pub(super) fn locate(&mut self, to_receiver: i64, to_sender: i64) {
        let rtt = to_receiver + to_sender;
        let near = NEAR_PART.of(rtt).max(NEAR_LEAST.get());
        // A delay below 1 ms is near only if the other end is clearly further away. A delay that a host
        // itself may take to answer is always near.
        let is_near = |mine: i64, other: i64| mine < near && (mine * ELSEWHERE.get() <= other || mine < HOST_ANSWERS);
        self.vantage = if is_near(to_sender, to_receiver) && to_sender <= to_receiver {
            Vantage::Sender
        } else if is_near(to_receiver, to_sender) {
            Vantage::Receiver
        } else {
            Vantage::Middle
        };
        let ack_times_inferred = self.vantage != Vantage::Sender;
        self.ledger.set_ack_times_inferred(ack_times_inferred);
        self.clock.set_shift(if ack_times_inferred { to_sender } else { 0 }, handshake_jitter(rtt));
    }

    /// Puts the capture at the sender, whatever the delays show. If both ends are one host, the programs
    /// cause these delays.
    pub(crate) fn stand_at_sender(&mut self) {
        self.vantage = Vantage::Sender;
        self.ledger.set_ack_times_inferred(false);
        self.clock.set_shift(0, 0);
    }

    /// Whether the position of the capture is unknown.
    pub(crate) fn is_unlocated(&self) -> bool {
        self.vantage == Vantage::Unknown
    }

    /// Sets the position by hop counts. No router is between the capture and the sender of the data
    /// (`is_sender`) or its receiver, but some are before the other end.
    #[cold]
    pub(crate) fn stand_by_hops(&mut self, is_sender: bool) {
        if is_sender {
            self.stand_at_sender();
        } else if let Some(to_sender) = self.trips.to_sender_min {
            self.vantage = Vantage::Receiver;
            self.ledger.set_ack_times_inferred(true);
            self.clock.set_shift(to_sender, handshake_jitter(to_sender));
            self.start_round_trips(to_sender);
            self.is_sender_anywhere = false;
        } else {
            self.is_sender_anywhere = true;
        }
    }

    /// Puts the capture at the receiver when nothing shows the delay to the sender.
    pub(crate) fn stand_at_receiver(&mut self) {
        self.vantage = Vantage::Receiver;
        self.rtt = Sketch::default();
        self.ledger.forget_round_trips();
    }

    /// Locates the capture without a handshake, once enough traffic has shown the delays to both ends. The
    /// delay to the sender needs timestamps.
    pub(super) fn locate_late(&mut self) {
        if self.has_timestamps
            && self.counts.segments >= LATE_LOCATION
            && let (Some(to_receiver), Some(to_sender)) = (self.trips.to_receiver_min, self.trips.to_sender_min)
        {
            self.locate(to_receiver, to_sender);
            if self.vantage != Vantage::Sender {
                self.start_round_trips(to_receiver + to_sender);
            }
        }
    }

    /// Restarts the round-trip statistics: the samples so far covered only a part of the path.
    fn start_round_trips(&mut self, least: i64) {
        self.rtt = Sketch::default();
        self.ledger.forget_round_trips();
        self.on_rtt(least);
    }

    /// Delays from the capture point to the receiver and back, nanoseconds: of the handshake, and the
    /// smallest of data.
    pub(crate) fn to_receiver(&self) -> Option<(i64, i64)> {
        Some((self.handshake?.0, self.trips.to_receiver_min?))
    }

    /// Whether the `delay` until an ACK of `bytes_acked` bytes is the path's, plus at most the receiver's
    /// delayed-ACK timer. An ACK without payload always counts. An ACK with payload came when the peer's
    /// program wrote. It counts if two segments made an ACK due at once (RFC 5681 §4.2), or if the timer
    /// could not have run out before.
    pub(super) fn is_round_trip(&self, s: &AckSegment<'_>, bytes_acked: u64, delay: i64) -> bool {
        !s.has_payload() || !self.may_be_delayed(bytes_acked, delay)
    }

    /// Whether the delayed-ACK timer may have run out before an ACK of `bytes_acked` bytes.
    pub(super) fn may_be_delayed(&self, bytes_acked: u64, delay: i64) -> bool {
        let is_soon = || self.ledger.rtt_min().is_none_or(|least| delay - least <= least.max(DELAYED_ACK.get()));
        bytes_acked < ACKED_AT_ONCE.get() * self.mss && !is_soon()
    }

    /// Delay from the capture point to the sender and back in the handshake, nanoseconds.
    pub(crate) fn handshake_to_sender(&self) -> Option<i64> {
        Some(self.handshake?.1)
    }

    /// Records that the path from the capture to the receiver and back took at most `delay`. If nothing else
    /// was in flight, the receiver `may_have_waited` before it acknowledged a small segment.
    pub(super) fn on_to_receiver(&mut self, delay: i64, time: i64, may_have_waited: bool) {
        self.to_receiver_recent.add(delay, time, self.stretch());
        let round_trip = match self.vantage {
            Vantage::Sender | Vantage::Unknown => delay,
            Vantage::Middle => delay + self.to_sender_recent.get().unwrap_or(self.clock.shift()),
            Vantage::Receiver => return,
        };
        if may_have_waited && self.una == self.max_end {
            // After a keystroke or a short request, the receiver's timer may be a part of this delay.
            self.last_rtt = When::at(round_trip);
            self.ledger.on_rtt(round_trip);
        } else {
            self.on_rtt(round_trip);
        }
    }

    /// Records, without timestamps and away from the sender, that data up to `end` passed at `time`. If it
    /// came much sooner after the ACK that allowed it than the handshake's delay, a nearer host (a proxy)
    /// sends it.
    #[inline]
    pub(super) fn follow_allowed(&mut self, end: u64, time: i64) {
        let assumed = self.clock.shift();
        if let Some(most) = self.ledger.signs().and_then(|signs| signs.allowed.data_passed(end, time, assumed)) {
            self.on_nearer_sender(most);
        }
    }

    #[cold]
    fn on_nearer_sender(&mut self, most: i64) {
        let to_receiver = if self.vantage == Vantage::Middle { self.trips.to_receiver_min.unwrap_or(0) } else { 0 };
        self.trips.to_sender_min = Some(self.trips.to_sender_min.map_or(most, |least| least.min(most)));
        self.clock.set_shift(most, WAY_JITTER.of(self.ledger.jitter_allowance()));
        self.on_rtt(most + to_receiver);
    }

    /// Records that the first data to echo `value` passed at `time`, after a `silence` on the path. A queue
    /// would have kept data arriving, so a silence shows that the sender itself waited. The delay beyond the
    /// least is then the sender's, unless the sender cannot have waited so long.
    ///
    /// Returns the least time that data and ACK were on their ways, nanoseconds.
    pub(super) fn on_echo(&mut self, value: u32, echo: Echo, time: i64, silence: i64) -> i64 {
        let excess = echo.delay - self.trips.to_sender_min.unwrap_or(echo.delay).min(self.clock.shift());
        let is_unexplained = excess > ECHO_EXCESS && part(silence, excess) >= ECHO_SILENCE;
        let waited = echo.waited_at_most.filter(|waited| part(*waited, excess) <= ECHO_WAITED);
        let earliest = waited.filter(|_| is_unexplained).map_or(i64::MIN, |waited| time - waited);
        // Until the first echo, only the handshake shows the delay to the sender. Later, a queue that has
        // drained must not shorten it.
        let latest = if self.to_sender_recent.get().is_none() { time } else { i64::MAX };
        self.clock.has_reached(value, earliest..=latest);
        if waited.is_some() || !is_unexplained {
            self.on_to_sender(echo.delay, time);
        }
        let excess = echo.least - self.trips.to_sender_min.unwrap_or(echo.least);
        let queued = echo.since_next - self.empty_way_to_sender().unwrap_or(echo.since_next);
        self.ledger.on_echo(excess, queued, silence.min(echo.waited_at_most.unwrap_or(silence)));
        echo.since_next
    }

    /// Delay from the capture to the sender and back without a queue. Near the sender, all data may have
    /// waited in a queue, but the handshake did not. Away from the sender, a proxy may have answered the
    /// handshake.
    pub(super) fn empty_way_to_sender(&self) -> Option<i64> {
        let near = self.handshake.filter(|(to_receiver, to_sender)| to_sender < to_receiver).map(|way| way.1);
        near.into_iter().chain(self.trips.to_sender_min).min()
    }

    fn on_to_sender(&mut self, delay: i64, time: i64) {
        self.to_sender_recent.add(delay, time, self.stretch());
        match self.vantage {
            Vantage::Receiver => self.on_rtt(delay),
            Vantage::Middle => {
                let other = self.to_receiver_recent.get().or(self.trips.to_receiver_min).unwrap_or(0);
                self.on_rtt(delay + other);
            }
            Vantage::Sender | Vantage::Unknown => {}
        }
        if self.clock.shift() > 0
            && let Some(recent) = self.to_sender_recent.get()
        {
            self.clock.set_shift(recent, WAY_JITTER.of(self.ledger.jitter_allowance()));
        }
    }

    /// Records that the sender acknowledged its peer's data within `delay` of the capture. No host answers
    /// before a packet reaches it, so a longer delay of the handshake or of recent data was not the path's. A
    /// first packet may wait for address resolution or a radio, and a nearby proxy may answer for a distant
    /// host.
    #[inline]
    pub(crate) fn on_sender_answered(&mut self, delay: i64, time: i64) {
        if delay < self.clock.shift() {
            self.on_sooner_answer(delay, time);
        }
    }

    /// Takes the delay to the sender from ACKs without payload while the position of the capture is unknown,
    /// because no program delays them. `other` is the direction whose data they acknowledge.
    pub(crate) fn follow_answers(&mut self, other: &Self) {
        if let Some(delay) = other.own_ack_least.nanos().filter(|_| self.is_unlocated()) {
            self.note_sender_answered(delay);
        }
    }

    fn note_sender_answered(&mut self, delay: i64) {
        self.trips.to_sender_min = Some(self.trips.to_sender_min.map_or(delay, |least| least.min(delay)));
    }

    #[cold]
    fn on_sooner_answer(&mut self, delay: i64, time: i64) {
        self.note_sender_answered(delay);
        self.to_sender_recent.add(delay, time, self.stretch());
        self.clock.set_shift(delay, WAY_JITTER.of(self.ledger.jitter_allowance()));
        let to_receiver = if self.vantage == Vantage::Middle { self.trips.to_receiver_min.unwrap_or(0) } else { 0 };
        self.on_rtt(delay + to_receiver);
    }

    pub(super) fn on_rtt(&mut self, nanos: i64) {
        self.last_rtt = When::at(nanos.max(0));
        self.rtt.add(nanos.max(0) as u64, 1.0);
        self.ledger.on_rtt(nanos);
    }

    pub(super) fn stretch(&self) -> i64 {
        let rtt = self.ledger.rtt_min().unwrap_or(STRETCH_ASSUMED.get());
        rtt.clamp(STRETCH_LEAST.get(), STRETCH_MOST.get()) * STRETCH_ROUND_TRIPS.get()
    }

    #[expect(clippy::inline_always, reason = "the call takes longer than what it does for most packets")]
    #[inline(always)]
    pub(super) fn follow_ticks(&mut self, s: &AckSegment<'_>) {
        let is_away = self.vantage != Vantage::Sender;
        // A host that owes an ACK keeps the earlier timestamp (RFC 7323 §4.3). So at the sender, an ACK shows
        // delay only while data is in flight.
        let is_timed = is_away || self.una < self.max_end && !s.has_payload();
        if is_timed
            && let Some(tsval) = s.tsval()
            && self.trips.ack_passed(tsval, s.time)
        {
            if is_away {
                self.receiver_ticks.note(tsval, s.time);
            } else {
                self.follow_ack_way(tsval, s.time);
            }
        }
    }

    /// Returns how much longer this segment waited after the ACK that it echoes than the promptest recent
    /// one, ms. The difference of the two ends' timestamps is this wait, plus the ACK's delay on the path,
    /// plus the offset of the clocks.
    pub(super) fn lag_ticks(&mut self, s: &DataSegment) -> Option<i64> {
        let (tsval, echo) = (s.tsval?, s.tsecr?);
        self.sender_ticks.note(tsval, s.time);
        // Segments count even before the ticks are known to be milliseconds, because the first one after that
        // may be late.
        let apart = i64::from(tsval.wrapping_sub(echo) as i32);
        self.least_apart.add(apart, s.time, self.stretch() * LAG_STRETCHES.get());
        if !self.sender_ticks.is_milliseconds() || !self.receiver_ticks.is_milliseconds() {
            return None;
        }
        Some(apart - self.least_apart.get()?)
    }
}

/// Uncertainty that the handshake leaves in a `delay`, nanoseconds.
fn handshake_jitter(delay: i64) -> i64 {
    HANDSHAKE_JITTER.of(delay).min(HANDSHAKE_JITTER_MOST.get())
}

#[cfg(test)]
mod tests {
    use super::super::{MILLISECOND, SynMss};
    use super::*;

    /// The position of a capture with these delays to the receiver and to the sender, microseconds.
    fn located(to_receiver: i64, to_sender: i64) -> Vantage {
        let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
        half.locate(to_receiver * 1_000, to_sender * 1_000);
        half.vantage
    }

    /// `NEAR_PART` and `NEAR_LEAST`: an end is near if it answers within 1/20 of the round trip, or within 1
    /// ms.
    #[test]
    fn the_capture_is_at_the_end_that_answers_at_once() {
        assert_eq!(located(95_001, 4_999), Vantage::Sender);
        assert_eq!(located(95_000, 5_000), Vantage::Middle);
        assert_eq!(located(4_999, 95_001), Vantage::Receiver);
        assert_eq!(located(5_000, 95_000), Vantage::Middle);
        assert_eq!(located(4_000, 999), Vantage::Sender);
        assert_eq!(located(4_000, 1_000), Vantage::Middle);
    }

    /// `ELSEWHERE` and `HOST_ANSWERS`: the other end must be three times as far away, unless this one answers
    /// within 0.1 ms.
    #[test]
    fn the_other_end_is_three_times_as_far_away() {
        assert_eq!(located(900, 300), Vantage::Sender);
        assert_eq!(located(899, 300), Vantage::Middle);
        assert_eq!(located(99, 99), Vantage::Sender);
        assert_eq!(located(100, 100), Vantage::Middle);
    }

    /// `STRETCH_ROUND_TRIPS` and its bounds: two round trips of 1 to 500 ms, and of 10 ms before the first
    /// sample.
    #[test]
    fn least_delays_are_those_of_two_round_trips() {
        let stretch = |rtt: Option<i64>| {
            let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
            if let Some(rtt) = rtt {
                half.on_rtt(rtt * MILLISECOND / 10);
            }
            half.stretch()
        };
        let expected = [20, 2, 14, 1_000].map(|millis| millis * MILLISECOND);
        assert_eq!([None, Some(5), Some(70), Some(8_000)].map(stretch), expected);
    }

    /// `HANDSHAKE_JITTER` and `HANDSHAKE_JITTER_MOST`: 1/20 of the delay, at most 1 ms.
    #[test]
    fn a_handshake_shows_a_delay_to_a_twentieth() {
        assert_eq!(
            [10, 20, 40].map(|delay| handshake_jitter(delay * MILLISECOND)),
            [500_000, MILLISECOND, MILLISECOND]
        );
    }

    /// `LATE_LOCATION`: forty segments locate a capture without a handshake.
    #[test]
    fn forty_segments_show_where_the_capture_is() {
        let vantage = |segments: u64| {
            let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
            (half.has_timestamps, half.counts.segments) = (true, segments);
            (half.trips.to_receiver_min, half.trips.to_sender_min) = (Some(20 * MILLISECOND), Some(10_000));
            half.locate_late();
            half.vantage
        };
        assert_eq!([39, 40].map(vantage), [Vantage::Unknown, Vantage::Sender]);
    }

    /// `ECHO_EXCESS`, `ECHO_SILENCE` and `ECHO_WAITED`: a late answer after a silence was the sender's wait.
    /// The delay counts as the path's if it was at most 1 ms late. It also does if the silence was shorter
    /// than 1/2 of the lateness, or the sender waited for at most 1/4 of it.
    #[test]
    fn a_late_answer_after_silence_is_the_senders_own() {
        // Whether the delay of an answer counts as the path's, if it exceeds the least of 10 ms by this much.
        let counts = |excess: i64, silence: i64, waited_at_most: Option<i64>| {
            let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
            half.trips.to_sender_min = Some(10 * MILLISECOND);
            half.clock.set_shift(10 * MILLISECOND, 0);
            let (delay, least) = (10 * MILLISECOND + excess, 10 * MILLISECOND);
            half.on_echo(1, Echo { delay, least, waited_at_most, since_next: 0 }, 100 * MILLISECOND, silence);
            half.to_sender_recent.get().is_some()
        };
        assert_eq!([MILLISECOND, MILLISECOND + 1].map(|excess| counts(excess, excess, None)), [true, false]);
        assert_eq!([3_999_999, 4_000_000].map(|silence| counts(8 * MILLISECOND, silence, None)), [true, false]);
        let waited = |waited| counts(8 * MILLISECOND, 8 * MILLISECOND, Some(waited));
        assert_eq!([2_000_000, 2_000_001].map(waited), [true, false]);
    }
}
