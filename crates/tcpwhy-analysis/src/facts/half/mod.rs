//! One direction of a connection: its sender's data and its receiver's acknowledgments, in the order of the
//! capture.

mod ack_way;
mod allowed;
pub(crate) mod black_hole;
mod bottleneck;
mod copies;
mod delivery;
mod early;
pub(crate) mod event;
pub(crate) mod grains;
mod holes;
mod kind;
pub(crate) mod ledger;
mod pacing;
pub(crate) mod policing;
mod pushes;
pub(crate) mod range_set;
mod round_trip;
mod scale;
mod scoreboard;
mod segment;
mod sender_clock;
mod served;
pub(crate) mod signs;
pub(crate) mod spacing;
pub(crate) mod timers;
mod trace_state;
pub(crate) mod train;
mod units;
mod vantage;
mod watch;
mod when;

use tcpwhy_model::{Distribution, TcpFlags, Unwrapper, WindowField, WindowScale};

use crate::facts::context::Context;
use crate::facts::gap_fact::GapFact;
use crate::outcome::Vantage;
use crate::sketch::Sketch;
use crate::thresholds::{ANSWER_BY_TIMER, ANSWER_ROUND_TRIPS};
use black_hole::{BlackHole, Delivered, Vanished};
use copies::Copies;
use delivery::Delivery;
use early::EarlyAck;
use event::{AckEvent, DataEvent, DataKind};
use grains::{Grains, Longest};
use holes::Holes;
use ledger::Ledger;
use policing::Policing;
use pushes::Pushes;
use range_set::RangeSet;
use round_trip::{RecentMin, RoundTrips, TickRate};
use scale::ScaleBounds;
use scoreboard::Told;
pub(crate) use segment::{AckSegment, DataSegment};
use sender_clock::SenderClock;
pub(crate) use trace_state::TraceState;
use train::{Rates, Train, Trains};
#[cfg(test)]
use units::MILLISECOND;
use when::When;

/// Assumed if no SYN shows the MSS: 1,500 bytes of Ethernet without the headers of IPv4 and TCP (RFC 9293
/// §3.7.1).
const ETHERNET_MSS: u16 = 1460;
/// The largest window that scaling can express (RFC 7323 §2.3).
const MAX_WINDOW: u64 = 1 << 30;

/// Largest payload of a direction's segments according to the SYNs, without options, bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SynMss {
    /// Smaller MSS of both ends: an end usually sends no larger segments than it accepts.
    pub(crate) of_both: u16,
    /// MSS of the receiver, which binds the sender; 0 if its SYN was not captured.
    pub(crate) of_receiver: u16,
}

#[cfg(test)]
impl SynMss {
    /// The same MSS at both ends.
    pub(crate) const fn same(mss: u16) -> Self {
        Self { of_both: mss, of_receiver: mss }
    }
}

/// Times of the handshake, as far as it was captured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HandshakeTimes {
    pub(crate) first_syn: Option<i64>,
    /// The last SYN before a SYN-ACK.
    pub(crate) last_syn: Option<i64>,
    pub(crate) syn_ack: Option<i64>,
    /// The last SYN-ACK before the third step.
    pub(crate) last_syn_ack: Option<i64>,
    /// The third step.
    pub(crate) established: Option<i64>,
}

impl HandshakeTimes {
    /// Time from the last SYN to the third step, nanoseconds.
    pub(crate) fn round_trip(&self) -> Option<i64> {
        self.last_syn.zip(self.established).map(|(syn, third)| third - syn)
    }
}

/// Counters for presentation and diagnosis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) bytes: u64,
    pub(crate) retransmitted_bytes: u64,
    pub(crate) segments: u64,
    pub(crate) retransmitted_segments: u64,
    pub(crate) reordered_segments: u64,
    pub(crate) duplicated_frames: u64,
    pub(crate) probes: u64,
    pub(crate) dsacks: u64,
    pub(crate) zero_windows: u64,
    pub(crate) unseen_bytes: u64,
    pub(crate) super_packets: u64,
    pub(crate) largest_payload: u64,
}

/// Events after the last data and its acknowledgment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct After {
    /// A wait for something that never came.
    pub(crate) waited: Option<Wait>,
    /// Time from the peer's close until the sender's, if the sender kept the connection open.
    pub(crate) held_open: Option<(i64, i64)>,
    /// Whether the sender opened the connection; `None` if no handshake shows it.
    pub(crate) opened: Option<bool>,
}

/// Time after the last data, with the fact that explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) fact: GapFact,
}

/// Data that never arrived, although later data did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenHole {
    /// Bytes missing.
    pub(crate) bytes: u64,
    /// Time at which later data first passed.
    pub(crate) since: i64,
    /// Largest payload of a captured segment, bytes.
    pub(crate) largest: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub(crate) counts: Counts,
    pub(crate) ledger: Ledger,
    /// Rates, from the first segment on that followed another.
    rates: Option<Box<Rates>>,
    train: Train,
    rtt: Sketch,
    pub(crate) vantage: Vantage,
    pub(crate) window_scale: WindowScale,
    /// Times at which its first and last data passed.
    first_data: i64,
    pub(crate) last_data: i64,
    pub(crate) last_ack: Option<i64>,
    /// Time of the sender's last keep-alive or zero-window probe.
    last_probe: When,
    pub(crate) start: i64,
    mss: u64,
    /// Largest payload that both SYNs allow, or a larger one that was observed.
    mss_limit: u16,
    /// Largest payload that the receiver's SYN allows; 0 without it.
    receiver_mss: u16,
    last_length: u32,
    equal_lengths: u8,
    pushes: Pushes,
    has_timestamps: bool,
    max_end: u64,
    una: u64,
    last_window: Option<(WindowField, u64)>,
    /// Right edge of the window advertised last, in the order of the capture; the largest number while it is
    /// unknown.
    edge: u64,
    scale_bounds: ScaleBounds,
    duplicate_acks: u32,
    /// End of the sent data when the last loss was detected or repaired. Until all of that has arrived,
    /// duplicate ACKs may answer needless retransmissions.
    repaired_up_to: u64,
    /// Duplicate ACKs of this byte count as one segment each.
    counts_duplicates_at: u64,
    holes: Holes,
    sacked: RangeSet,
    trips: RoundTrips,
    to_sender_recent: RecentMin,
    to_receiver_recent: RecentMin,
    sender_ticks: TickRate,
    receiver_ticks: TickRate,
    least_apart: RecentMin,
    clock: SenderClock,
    copies: Copies,
    black_hole: BlackHole,
    delivery: Delivery,
    /// State from the first loss on.
    policing: Option<Box<Policing>>,
    /// Delays of the handshake at the capture point, nanoseconds: to the receiver and back, to the sender and
    /// back.
    handshake: Option<(i64, i64)>,
    /// Shortest delay from the capture to the receiver and back until an ACK without payload, which no
    /// program delays.
    own_ack_least: Grains,
    /// No router is between the capture and the receiver of the data, and the delay to its sender is unknown.
    is_sender_anywhere: bool,
    /// Last round-trip sample, until a trace takes it.
    last_rtt: When,
    /// An acknowledgment that was captured before its data.
    early: Option<Box<EarlyAck>>,
    /// The capture's clock contradicts the clocks of the ends, so times are meaningless.
    pub(crate) has_contradicted_clock: bool,
}

impl Half {
    /// Creates a direction whose first payload is about to pass. `handshake_times` are seen from the sender
    /// of this half (`is_initiator`), as far as captured.
    pub(crate) fn new(
        first_packet: i64,
        first_offset: u64,
        handshake_times: &HandshakeTimes,
        is_initiator: bool,
        mss: Option<SynMss>,
        now: i64,
    ) -> Self {
        let mss_limit = mss.map_or(ETHERNET_MSS, |mss| mss.of_both).max(1);
        let mss_bytes = u64::from(mss_limit);
        let start =
            handshake_times.first_syn.unwrap_or(if handshake_times.syn_ack.is_some() { first_packet } else { now });
        let mut half = Self {
            counts: Counts::default(),
            ledger: Ledger::new(start, first_offset, mss_bytes),
            rates: None,
            train: Train::default(),
            rtt: Sketch::default(),
            vantage: Vantage::Unknown,
            window_scale: WindowScale::Unknown,
            first_data: now,
            last_data: now,
            last_ack: None,
            last_probe: When::NEVER,
            start,
            mss: mss_bytes,
            mss_limit,
            receiver_mss: mss.map_or(0, |mss| mss.of_receiver),
            last_length: 0,
            equal_lengths: 0,
            pushes: Pushes::default(),
            has_timestamps: false,
            max_end: first_offset,
            una: first_offset,
            last_window: None,
            edge: u64::MAX,
            scale_bounds: ScaleBounds::default(),
            duplicate_acks: 0,
            repaired_up_to: first_offset,
            counts_duplicates_at: u64::MAX,
            holes: Holes::default(),
            sacked: RangeSet::default(),
            trips: RoundTrips::default(),
            to_sender_recent: RecentMin::default(),
            to_receiver_recent: RecentMin::default(),
            sender_ticks: TickRate::default(),
            receiver_ticks: TickRate::default(),
            least_apart: RecentMin::default(),
            clock: SenderClock::default(),
            copies: Copies::default(),
            black_hole: BlackHole::default(),
            delivery: Delivery::default(),
            policing: None,
            handshake: None,
            own_ack_least: Grains::MOST,
            is_sender_anywhere: false,
            last_rtt: When::NEVER,
            early: None,
            has_contradicted_clock: false,
        };
        if mss.is_some() {
            half.ledger.set_mss(mss_bytes);
        }
        if handshake_times.first_syn.is_none() && handshake_times.syn_ack.is_none() {
            half.ledger.join_mid_stream();
        }
        half.open(handshake_times, is_initiator);
        half
    }

    /// Records the window that the peer had offered before the first payload.
    pub(crate) fn offer(&mut self, ack: u64, window: Option<u64>) {
        if let Some(window) = window {
            self.ledger.offer(ack + window, window);
        }
    }

    /// Records that the window was zero before the first payload.
    pub(crate) fn was_closed(&mut self, since: i64, until: i64) {
        let shift = self.clock.shift();
        self.ledger.was_closed(since + shift, until + shift);
    }

    /// Takes a data segment. Returns whether it is a retransmission.
    #[inline]
    pub(crate) fn on_data(&mut self, s: &DataSegment, unwrapper: &mut Unwrapper) -> bool {
        if self.early.is_some() {
            return self.on_data_after_early(s, unwrapper);
        }
        self.take_data(s, unwrapper)
    }

    #[expect(clippy::inline_always, reason = "every packet takes this way, and the call is a tenth of it")]
    #[inline(always)]
    fn take_data(&mut self, s: &DataSegment, unwrapper: &mut Unwrapper) -> bool {
        let mut start = unwrapper.unwrap(s.seq).as_u64();
        let end = start + u64::from(s.len);
        // Data above all that was sent cannot have been captured before.
        let is_new = start >= self.max_end;
        if !is_new {
            // Receive offload may have merged a copy with the new data behind it.
            let len = (end.min(self.max_end) - start) as u32;
            if self.copies.has(&DataSegment { len, ..*s }, self.mss) {
                self.counts.duplicated_frames += 1;
                if end <= self.max_end {
                    return false;
                }
                start = self.max_end;
            }
        }
        self.copies.passed(s, is_new);
        self.counts.segments += 1;
        if u64::from(s.len) > self.counts.largest_payload {
            self.note_growth(s, start);
        }
        self.learn_mss(s);
        self.has_timestamps |= s.tsecr.is_some();
        let (kind, new_bytes) = self.kind_of(s, start, end);
        self.counts.bytes += new_bytes;
        match kind {
            DataKind::Retransmission => {
                self.counts.retransmitted_segments += 1;
                // A super-packet may contain new data behind the data that it repeats.
                self.counts.retransmitted_bytes += end.min(self.max_end) - start;
                self.trips.repeated(start);
                self.repaired_up_to = self.max_end.max(end);
                self.black_hole.repeated(start, end - start);
                if let Some(signs) = self.ledger.signs() {
                    signs.stalls.lost();
                    signs.beyond.repeated(start, end, self.una);
                }
            }
            DataKind::Reordered => self.counts.reordered_segments += 1,
            DataKind::Probe => {
                self.counts.probes += 1;
                // The same ACK would answer an earlier probe.
                self.trips.repeated(start);
                self.on_probe(s.time);
            }
            DataKind::New => {
                // Data beyond the window probes for room: its ACK shows the wait for the receiver, not the
                // path's delay.
                if end <= self.edge {
                    self.trips.data_passed(end, s.time);
                }
                self.watch_new_data(s, start, end);
            }
        }
        // In a capture at the sender, the order of the capture is the sender's.
        let is_away = self.vantage != Vantage::Sender;
        if let (DataKind::New, Some(echo)) = (kind, s.tsecr)
            && is_away
            && let Some(found) = self.trips.echoed(echo, s.time)
        {
            let silence = s.time - self.last_data;
            let on_way = self.on_echo(echo, found, s.time, silence);
            if let Some(tsval) = s.tsval.filter(|_| on_way > 0 && self.vantage == Vantage::Receiver) {
                self.follow_echo_way(tsval, on_way, s.time);
            }
        }
        if let (DataKind::New, false, Some(echo)) = (kind, is_away, s.tsecr)
            && let Some(waited) = self.trips.waited(echo, s.time)
        {
            self.ledger.on_echo(waited, waited, 0);
        }
        if is_away && !self.has_timestamps && kind == DataKind::New {
            self.follow_allowed(end, s.time);
        }
        let flight = self.ledger.flight();
        let mut is_let_go = false;
        while let Some(ack) = self.clock.release(s.time, if kind == DataKind::New { s.tsecr } else { None }) {
            if !is_let_go && self.window_scale == WindowScale::Unknown {
                self.vote_for_scale(flight);
            }
            is_let_go = true;
            self.ledger.on_ack(&ack);
        }
        if self.vantage == Vantage::Receiver && kind != DataKind::Probe {
            self.lengthen_train(s.time, u64::from(s.len));
        }
        self.last_data = self.last_data.max(s.time);
        let lag_ticks = if is_away && kind == DataKind::New { self.lag_ticks(s) } else { None };
        let is_partial = !u64::from(s.len).is_multiple_of(self.mss);
        self.ledger.on_data(&DataEvent { time: s.time, start, end, kind, is_partial, tsval: s.tsval, lag_ticks });
        if kind == DataKind::Retransmission && end <= self.una {
            self.ledger.on_needless_repeat(self.last_ack.map_or(0, |at| s.time - at));
        }
        if end >= self.max_end {
            self.pushes.set(Pushes::AMID_WRITE, !s.is_pushed && u64::from(s.len) >= self.mss);
        }
        self.max_end = self.max_end.max(end);
        if self.window_scale == WindowScale::Unknown {
            let segment = (self.vantage == Vantage::Sender && kind == DataKind::New).then_some(self.mss);
            self.scale_bounds.on_data(end, segment);
        }
        if self.vantage == Vantage::Unknown {
            self.locate_late();
        }
        kind == DataKind::Retransmission
    }

    /// Records that the segment at `start` is the largest so far.
    #[cold]
    fn note_growth(&mut self, s: &DataSegment, start: u64) {
        let heard = self.last_ack.max(self.ledger.peer_spoke_last());
        let quiet = heard.map(|heard| s.time - heard);
        self.black_hole.grew(start, s.len.into(), self.counts.largest_payload, self.mss, quiet);
    }

    /// Records a keep-alive or zero-window probe of the sender.
    pub(crate) fn on_probe(&mut self, time: i64) {
        self.last_probe = When::at(time);
    }

    /// Takes an acknowledgment. Returns the delay from the capture to the receiver and back, if this one
    /// shows it.
    #[inline]
    pub(crate) fn on_ack(&mut self, s: &AckSegment<'_>, unwrapper: &mut Unwrapper) -> Option<i64> {
        if self.early.is_some() {
            self.settle_early(unwrapper);
        }
        let ack = unwrapper.unwrap(s.segment.ack).as_u64();
        // An acknowledgment of one byte above the data covers the FIN.
        if ack > self.max_end + 1 {
            self.keep_early(s);
            None
        } else if self.is_said_already(s, ack) {
            self.duplicate_acks = 0;
            self.follow_ticks(s);
            None
        } else {
            self.take_ack(s, ack, unwrapper)
        }
    }

    /// Takes an acknowledgment up to `ack` that contains news. Returns a delay like [`Half::on_ack`].
    #[expect(clippy::inline_always, reason = "as for data")]
    #[inline(always)]
    fn take_ack(&mut self, s: &AckSegment<'_>, ack: u64, unwrapper: &mut Unwrapper) -> Option<i64> {
        if ack.saturating_add(MAX_WINDOW) < self.una {
            return None;
        }
        if ack > self.max_end + 1 {
            // An acknowledgment of one byte above the data covers the FIN.
            self.counts.unseen_bytes += ack - self.max_end;
            self.max_end = ack;
        }
        let ack = ack.min(self.max_end).max(self.una.min(ack));
        let has_sack = !s.segment.options.sack.is_empty();
        let told = if has_sack { self.read_sack(s, ack, unwrapper) } else { Told::default() };
        let freed = ack.saturating_sub(self.una);
        let is_old = ack < self.una;
        let scale = match s.scale {
            WindowScale::Unknown if !s.is_syn() => {
                self.scale_bounds.on_ack(ack, s.window().0);
                self.likely_scale()
            }
            known => known,
        };
        // The window of a SYN is never scaled (RFC 7323 §2.2).
        let window = if s.is_syn() { Some(u64::from(s.window().0)) } else { scale.apply(s.window()).map(|w| w.0) };
        let is_duplicate = freed == 0
            && ack == self.una
            && !s.has_payload()
            && self.max_end > self.una
            && self.last_window == Some((s.window(), ack));
        // Data that had arrived before the hole below it was filled is acknowledged late, so its ACK shows no
        // round trip (RFC 7323 §4.1).
        let is_late = self.duplicate_acks > 0 || freed > 0 && self.sacked.contains(ack - 1, ack);
        let is_bare_duplicate = is_duplicate && !has_sack && self.sacked.is_empty();
        let is_first_duplicate = is_bare_duplicate && self.duplicate_acks == 0 && self.una >= self.repaired_up_to;
        if is_first_duplicate {
            self.repaired_up_to = self.max_end;
            self.counts_duplicates_at = self.una;
        }
        let reveals_loss = told.beyond_a_hole || is_first_duplicate;
        self.duplicate_acks = if is_duplicate { self.duplicate_acks + 1 } else { 0 };
        self.last_window = Some((s.window(), ack));
        if let Some(window) = window.filter(|_| !is_old) {
            self.follow_edge(s, ack + window);
        }
        let mut round_trip = None;
        if freed > 0 {
            if let Some(echo) = s.tsecr() {
                self.ledger.on_timestamp_echo(ack, echo);
            }
            self.una = ack;
            self.sacked.drop_below(ack);
            self.black_hole.acknowledged(ack);
            self.counts.unseen_bytes += self.holes.acknowledged(ack);
            let before = self.last_ack.replace(s.time);
            let delay = self.trips.acknowledged(ack, s.time);
            self.ledger.longest_ack = self.ledger.longest_ack.max(delay.map(Longest::of).unwrap_or_default());
            if let Some(delay) = delay
                && !is_late
                && self.is_round_trip(s, freed, delay)
            {
                self.watch_round_trip(delay, before, freed, s.time);
                self.on_to_receiver(delay, s.time, freed < self.mss && self.may_be_delayed(freed, delay));
                round_trip = Some(delay);
                if !s.has_payload() {
                    self.own_ack_least = self.own_ack_least.min(Grains::of(delay));
                }
            }
            if self.vantage != Vantage::Receiver {
                self.lengthen_train(s.time, freed);
            }
        }
        if freed == 0 && (s.has_payload() || s.segment.flags.contains(TcpFlags::FIN)) {
            self.black_hole.spoken(ack);
        }
        let is_counted = is_bare_duplicate && self.una == self.counts_duplicates_at;
        self.follow_delivery(s.time, is_counted, reveals_loss);
        self.follow_ticks(s);
        let is_zero_window = s.window().0 == 0 && !s.is_syn();
        self.counts.zero_windows += u64::from(is_zero_window);
        self.window_scale = scale;
        let event = AckEvent {
            time: s.time,
            passed: s.time,
            ack,
            window,
            is_zero_window,
            sacked: self.sacked.total(),
            reveals_hole: told.more || is_bare_duplicate,
            has_payload: s.has_payload(),
            tsval: s.tsval(),
        };
        if self.clock.is_immediate() {
            self.ledger.on_ack(&event);
        } else if let Some(event) = self.clock.hold(event) {
            self.ledger.on_ack(&event);
        }
        round_trip
    }

    /// Whether this data segment of the peer only repeats the acknowledgment and the window before it. In a
    /// bulk transfer of the peer most segments do, and the sender of this direction does not react to them.
    fn is_said_already(&self, s: &AckSegment<'_>, ack: u64) -> bool {
        s.has_payload()
            && s.window().0 > 0
            && !s.is_syn()
            && s.segment.options.sack.is_empty()
            && ack == self.una
            && self.last_window == Some((s.window(), ack))
    }

    /// Facts about the direction up to now.
    pub(crate) fn context(&self) -> Context {
        Context {
            rtt_min: self.ledger.rtt_min(),
            mss: self.mss,
            window_max: self.ledger.window_max(),
            window_first: self.ledger.window_first(),
            window_scale: self.window_scale,
            flight_max: self.ledger.flight_max(),
            ack_times_inferred: matches!(self.vantage, Vantage::Receiver | Vantage::Middle),
            usual_lag: self.ledger.usual_lag(),
            is_wake_known: self.ledger.is_wake_known(),
            segments: self.counts.segments,
            repeats: self.counts.retransmitted_segments.saturating_sub(self.spurious_segments()),
            is_one_sided: self.last_ack.is_none(),
            first_data: self.first_data,
            transfer_end: self.ledger.transfer_end(),
            path_rate: self.path_rate(),
            train_rate: self.trains().map(|trains| trains.fastest.into()),
            has_sender_order: self.has_sender_order(),
            is_pacing: self.ledger.pacing.is_pacing(),
            peer_words: self.ledger.peer_words(),
            excess_ack_to_data_delay: self
                .trips
                .to_sender_min
                .zip(self.handshake)
                .map_or(0, |(least, (_, handshake))| least - handshake),
        }
    }

    /// Round trip of the handshake, nanoseconds; `None` where it was not captured.
    pub(crate) fn handshake_round_trip(&self) -> Option<u64> {
        let (to_receiver, to_sender) = self.handshake?;
        u64::try_from(to_receiver + to_sender).ok().filter(|&nanos| nanos > 0)
    }

    /// Largest payload that the SYNs allow, without options, bytes.
    pub(crate) fn syn_mss(&self) -> u64 {
        self.mss_limit.into()
    }

    /// Whether segments carry timestamps.
    pub(crate) const fn has_timestamps(&self) -> bool {
        self.has_timestamps
    }

    /// Retransmissions of data that had arrived, by the receiver's reports or by their acknowledgments.
    pub(crate) fn spurious_segments(&self) -> u64 {
        self.counts.dsacks.max(self.ledger.needless().into())
    }

    /// Records that the receiver of this half's data sent payload of its own.
    pub(crate) fn on_peer_payload(&mut self, time: i64, bytes: u64) {
        self.ledger.on_peer_payload(time + self.clock.shift(), bytes, self.una);
    }

    /// Releases the oldest acknowledgment that still waits for an echo. Returns false if there is none.
    pub(crate) fn release_rest(&mut self) -> bool {
        let released = self.clock.release_rest();
        if let Some(ack) = &released {
            self.ledger.on_ack(ack);
        }
        released.is_some()
    }

    /// Records the time until the end. `last_packet` is the time of the connection's last packet, `ended` the
    /// time of this side's close (FIN or RST).
    pub(crate) fn finish(&mut self, last_packet: i64, ended: Option<i64>, after: After) {
        // A sender that keeps probing a zero window has data to send until the end.
        let last_probe = self.last_probe.get().filter(|_| self.is_stuck_in_closed_window());
        let last_probe = last_probe.map(|at| if self.ledger.is_window_closed() { last_packet } else { at });
        let end = [self.last_ack, last_probe].into_iter().flatten().fold(self.last_data, i64::max);
        let end = end.max(self.start).min(last_packet.max(self.start));
        let is_stuck = self.is_stuck_in_closed_window();
        if self.last_ack.is_none() && self.last_window.is_none() {
            // No ACK was captured, so none will show that the receiver got data which the capture lacks.
            self.counts.unseen_bytes += self.holes.acknowledged(self.max_end);
        }
        let done = self.last_ack.filter(|&at| self.unacknowledged() == 0 && at < end && !is_stuck);
        self.ledger.finish(done.unwrap_or(end));
        // The application did not wait for a final message before the close, nor for keep-alives after the
        // last acknowledged byte.
        if let Some(at) = ended {
            self.ledger.leave_goodbye_out(at);
        }
        if let Some(Wait { since, until, fact }) = after.waited {
            self.ledger.wait(since, until, fact);
        }
        if let Some((since, until)) = after.held_open {
            self.ledger.hold_open(since, until);
        }
    }

    /// The lowest hole that the receiver reported and no packet filled. If the receiver acknowledged more,
    /// only the capture had missed the data.
    pub(crate) fn open_hole(&self) -> Option<OpenHole> {
        let (bytes, since) = self.holes.lowest()?;
        let is_reported = !self.sacked.is_empty() || self.duplicate_acks > 0;
        is_reported.then_some(OpenHole { bytes, since, largest: self.counts.largest_payload })
    }

    /// Whether the order of data and ACKs at the sender is known.
    pub(crate) fn has_sender_order(&self) -> bool {
        self.has_timestamps || !matches!(self.vantage, Vantage::Receiver | Vantage::Middle)
    }

    /// Records that the receiver of this data retransmitted its own data because it got no acknowledgment.
    pub(crate) fn on_peer_retransmission(&mut self) {
        self.ledger.on_peer_retransmission();
    }

    /// Records that the sender of this data answered its peer after `silence` nanoseconds. A retransmission
    /// timeout takes at least 200 ms on Linux (`TCP_RTO_MIN`). If the answer came sooner, the peer's
    /// retransmissions before it do not show a broken path. `had_sent`: the sender had sent more by then than
    /// was captured.
    #[inline]
    pub(crate) fn on_answer(&mut self, time: i64, silence: i64, had_sent: bool) {
        let timeout = || ANSWER_BY_TIMER.get() + ANSWER_ROUND_TRIPS.get() * self.ledger.rtt_min().unwrap_or(0);
        if silence < ANSWER_BY_TIMER || silence < timeout() {
            self.ledger.forgive_peer_retransmissions();
        } else if self.unacknowledged() == 0 {
            // A sender that answers after so long has processed all earlier ACKs.
            while self.release_rest() {}
            self.ledger.end_outage(time + self.clock.shift(), had_sent);
        }
    }

    /// Bytes sent and not acknowledged, in the order of the capture.
    pub(crate) fn unacknowledged(&self) -> u64 {
        self.max_end.saturating_sub(self.una)
    }

    /// Whether all data was acknowledged and the sender does not wait for window room.
    pub(crate) fn is_taken(&self) -> bool {
        self.unacknowledged() == 0 && self.last_ack.is_some() && !self.is_stuck_in_closed_window()
    }

    /// End of the data that was captured or acknowledged, as an offset.
    pub(crate) fn max_end(&self) -> u64 {
        self.max_end
    }

    /// Whether the segment with the last bytes was full and not pushed: its sender had more to send. A
    /// segment with no data queued behind it is pushed (RFC 9293 §3.9.1.2).
    pub(crate) fn is_cut_short(&self) -> bool {
        self.pushes.has(Pushes::AMID_WRITE)
    }

    /// Shortest delay of data from the capture point to the receiver and back, nanoseconds.
    pub(crate) fn least_to_receiver(&self) -> Option<i64> {
        self.trips.to_receiver_min
    }

    /// End of the acknowledged data, as an offset.
    pub(crate) fn una(&self) -> u64 {
        self.una
    }

    /// Whether the receiver advertised a zero window and no data was sent after it.
    pub(crate) fn is_stuck_in_closed_window(&self) -> bool {
        self.ledger.is_stuck_in_closed_window(self.last_data)
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        self.ledger.heap()
            + self.rates.as_ref().map_or(0, |rates| size_of::<Rates>() + rates.trains.heap())
            + self.rtt.heap()
            + self.holes.heap()
            + self.sacked.heap()
            + self.trips.heap()
            + self.clock.heap()
            + self.copies.heap()
            + self.delivery.heap()
            + self.early.as_ref().map_or(0, |_| size_of::<EarlyAck>())
            + self.policing.as_ref().map_or(0, |p| size_of::<Policing>() + p.heap())
    }

    /// Largest payload of a wire segment, bytes.
    pub(crate) fn mss(&self) -> u64 {
        self.mss
    }

    /// All round trips, nanoseconds.
    pub(crate) fn round_trips(&self) -> Option<Distribution> {
        self.rtt.distribution()
    }

    /// Rates of the trains of segments, which show the path's rate.
    pub(crate) fn trains(&self) -> Option<Trains> {
        Trains::of(&self.rates.as_ref()?.trains)
    }

    /// Fastest delivery rate over a few round trips, bytes per second; `None` if no stretch was long enough.
    pub(crate) fn best_delivery(&self) -> Option<f64> {
        self.delivery.fastest()
    }

    /// Whether the capture is at the receiver and no packet shows the delay to the sender.
    pub(crate) fn has_unknown_distance(&self) -> bool {
        self.is_unlocated() && self.is_sender_anywhere
    }

    /// Full-sized segments that vanished while smaller ones passed.
    pub(crate) fn vanished(&self) -> Option<Vanished> {
        let held = self.sacked.total();
        self.black_hole.conclude(Delivered {
            limit: self.mss_limit.into(),
            mss: self.mss,
            largest: self.counts.largest_payload,
            is_tail_held: held > 0 && held < self.mss,
            has_duplicates: self.duplicate_acks > 0,
            // After a SYN the stream begins at 1.
            bytes: self.una.saturating_sub(1),
            is_from_syn: self.receiver_mss > 0,
        })
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    /// A direction whose peer repeated data after all of its own data was acknowledged at 20 ms, with this
    /// round trip.
    fn with_outage(rtt: i64) -> Half {
        let mut half = Half::new(0, 0, &HandshakeTimes::default(), true, Some(SynMss::same(1000)), 0);
        half.ledger.on_rtt(rtt);
        let (kind, time) = (DataKind::New, 20 * MILLISECOND);
        let data = DataEvent { time: 0, start: 0, end: 1000, kind, is_partial: false, tsval: None, lag_ticks: None };
        half.ledger.on_data(&data);
        half.ledger.on_ack(&AckEvent {
            time,
            passed: time,
            ack: 1000,
            window: None,
            is_zero_window: false,
            sacked: 0,
            reveals_hole: false,
            has_payload: false,
            tsval: None,
        });
        half.on_peer_retransmission();
        half
    }

    /// `ANSWER_BY_TIMER` and `ANSWER_ROUND_TRIPS`: the path was down until an answer that took 200 ms and two
    /// round trips.
    #[test]
    fn an_answer_after_a_timeout_and_two_round_trips_ends_an_outage() {
        let ends = |silence: i64| {
            let mut half = with_outage(20 * MILLISECOND);
            half.on_answer(1_000 * MILLISECOND, silence, true);
            half.ledger.slots.cursor() == 1_000 * MILLISECOND
        };
        assert!(!ends(200 * MILLISECOND));
        assert!(!ends(240 * MILLISECOND - 1));
        assert!(ends(240 * MILLISECOND));
    }

    /// Data reported by SACK before is acknowledged late, so its ACK shows no round trip (RFC 7323 §4.1). The
    /// windows differ, so that no ACK is a duplicate.
    #[test]
    fn data_that_sack_had_reported_times_no_round_trip() {
        let longest = |block: &str| {
            let text = format!(
                "0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
                 0.020 < S. 0:0(0) ack 1 win 60000 <mss 1000,sackOK>
                 0.020 > . 1:1(0) ack 1
                 0.021 > P. 1:1001(1000) ack 1
                 0.041 < . 1:1(0) ack 1001 win 59000
                 0.050 > . 1001:2001(1000) ack 1
                 0.050 > P. 2001:3001(1000) ack 1
                 0.070 < . 1:1(0) ack 1001 win 58000 {block}
                 0.120 < . 1:1(0) ack 3001 win 57000"
            );
            let mut analyzer = crate::Analyzer::new();
            for segment in &tcpwhy_testkit::script(&text).segments {
                analyzer.observe(segment);
            }
            analyzer.finish().remove(0).halves.remove(0).rtt.map(|rtt| rtt.0.max / 1_000_000)
        };
        assert_eq!(longest("<sack 2001:3001>"), Some(20));
        assert_eq!(longest(""), Some(70));
    }
}
