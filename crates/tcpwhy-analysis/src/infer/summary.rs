//! Summary of a direction after its last packet.

use std::num::NonZeroI64;

use tcpwhy_model::{ByteSlots, Distribution, LimitTimeline, Measure, Reason, WindowScale};

use super::account::Accounted;
use super::bottleneck::Bottleneck;
use super::calibration::{self, Seen};
use super::direction::{Concluded, Direction, DirectionFacts, is_full_window};
use super::hypotheses::Words;
use super::moved::Moved;
use super::rename;
use super::transferred;
use crate::facts::half::black_hole::Vanished;
use crate::facts::half::grains::{Grains, Longest};
use crate::facts::half::policing::{LossLine, Policer};
use crate::facts::half::train::Trains;
use crate::facts::half::{Counts, Half};
use crate::outcome::Vantage;
use crate::transfer::TransferFacts;

/// Summary of a direction. It needs a small part of the memory that following the direction needs.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) limits: LimitTimeline,
    pub(crate) moved: Moved,
    pub(crate) counts: Counts,
    /// Retransmissions of data that had already arrived, except those after lost acknowledgments.
    pub(crate) spurious_segments: u32,
    pub(crate) vantage: Vantage,
    /// Largest payload of a segment on the wire, bytes.
    pub(crate) mss: u64,
    pub(crate) window_scale: WindowScale,
    /// Smallest round trip, nanoseconds.
    pub(crate) rtt_min: Option<i64>,
    /// Distribution of all round trips, nanoseconds.
    pub(crate) rtt: Option<Distribution>,
    /// Distribution of the bytes in flight, weighted by time.
    pub(crate) flight: Option<Distribution>,
    /// Distribution of the offered window, bytes, weighted by time.
    pub(crate) window: Option<Distribution>,
    /// Largest window offered, bytes; at most 1 GiB (RFC 7323 §2.3).
    pub(crate) largest_window: u32,
    /// Trains of segments, which show the rate of the path.
    pub(crate) trains: Option<Trains>,
    /// Rate at which a link forwards segments that are too far apart for trains, bytes per second; 0 if there
    /// is none.
    pub(crate) served: f32,
    /// Highest rate of adjacent segments, bytes per second; 0 if segments were never close together.
    pub(crate) closest: f32,
    /// Highest delivery rate over a few round trips, bytes per second; 0 if no transfer lasted that long.
    pub(crate) best_delivery: f64,
    /// Whether the last window that the receiver advertised was a zero window.
    pub(crate) is_window_closed: bool,
    /// Whether all its data was acknowledged and its sender did not wait for room to send more.
    pub(crate) is_taken: bool,
    /// Whether its last segment shows that the sender had more data: a full segment without PSH.
    pub(crate) is_cut_short: bool,
    /// Longest zero window, nanoseconds, and number of zero windows.
    pub(crate) zero_window_longest: i64,
    pub(crate) zero_window_stalls: u32,
    /// Longest silence before a retransmission timeout.
    pub(crate) timeout_silence: Grains,
    /// Longest delay of an ACK of new data, including delayed ACKs.
    pub(crate) longest_ack: Longest,
    /// Longest pause in which the application had nothing to send, and the number of such pauses.
    pub(crate) pause_longest: Grains,
    pub(crate) pauses: u32,
    /// Number of times that this side sent after its peer had.
    pub(crate) turns: u32,
    /// Period of small messages of one size, nanoseconds, if this side sends such heartbeats.
    pub(crate) heartbeat: Option<NonZeroI64>,
    /// Small segments that waited for the ACK of earlier data.
    pub(crate) held_writes: u32,
    /// Whether no user waits for its data: the peer polls, or this side echoes the keys that a person types.
    pub(crate) is_unasked: bool,
    pub(crate) fast_recoveries: u32,
    pub(crate) timeouts: u32,
    pub(crate) vanished: Option<Vanished>,
    /// Bottleneck that losses and a steady rate show.
    pub(crate) bottleneck: Bottleneck,
    /// Whether the window was full as well while the path was, so that it is the next limit.
    pub(crate) is_window_next: bool,
    /// Whether the same holds for the window of a protocol above TCP.
    pub(crate) is_grant_next: bool,
    /// Losses that may come from a policer shared with other connections.
    pub(crate) loss_line: Option<Box<LossLine>>,
    /// Payload over time; `None` if there is little of it.
    pub(crate) progress: Option<Box<ByteSlots>>,
    /// Delays from the capture point to the receiver and back, nanoseconds: of the handshake, and the
    /// smallest of data.
    pub(crate) to_receiver: Option<(i64, i64)>,
    /// Whether a person types at the other end and this side echoes each key.
    pub(crate) is_echo: bool,
    /// Delay from the capture point to the sender and back, in the handshake.
    pub(crate) to_sender: Grains,
    /// Meaning of the peer's messages, if turns of one size wait for them.
    pub(crate) words: Option<Words>,
    /// Facts with which `tcpwhy-fit` rebuilds this transfer.
    pub(crate) transfer: Option<Box<TransferFacts>>,
}

impl Summary {
    /// Summarises `half`, whose labelled time is `accounted`. `opened`: whether its sender opened the
    /// connection.
    pub(super) fn of(half: &mut Half, accounted: Accounted, opened: Option<bool>) -> Self {
        let Accounted { limits, moved, progress } = accounted;
        let has_unknown_distance = half.has_unknown_distance();
        if has_unknown_distance {
            half.stand_at_receiver();
        }
        let half = &*half;
        let ledger = &half.ledger;
        let rtt = half.round_trips();
        let facts = DirectionFacts {
            has_contradicted_clock: half.has_contradicted_clock,
            has_unknown_distance,
            pause_longest: ledger.pause_longest,
            bytes: half.counts.bytes,
            unseen_bytes: half.counts.unseen_bytes,
            is_spaced_by_path: half.path_rate().is_some() && !ledger.pacing.is_pacing() || half.is_served_evenly(),
            whole_turns: ledger.whole_turns(),
            opened,
            rtt: ledger.rtt_min(),
            served: half.served_rate(),
            acks_queued: half.ack_queue().zip(rtt.map(|rtt| rtt.median as i64)),
        };
        let words = Words::of(&facts);
        let find_bottleneck = |limits: &LimitTimeline| Bottleneck::of(half, limits);
        let Concluded { mut limits, moved, bottleneck, is_window_next, is_grant_next } =
            rename::conclude(Direction::new(limits, moved, facts, &find_bottleneck));
        let seen = Seen::new(half.vantage, rtt.as_ref(), half.window_scale);
        limits = limits.rated(|cause, reason, before| calibration::of_interval(cause, reason, seen, before));
        limits = limits.settled(calibration::is_settled);
        let transfer = transferred::facts_of(half, &limits, &moved, &bottleneck);
        Self {
            transfer,
            limits,
            moved,
            vantage: half.vantage,
            mss: half.mss(),
            window_scale: half.window_scale,
            rtt_min: ledger.rtt_min(),
            rtt,
            flight: ledger.flight_sketch.distribution(),
            window: ledger.window_sketch.distribution(),
            largest_window: u32::try_from(ledger.window_max()).unwrap_or(u32::MAX),
            trains: half.trains(),
            served: half.served_rate().unwrap_or_default() as f32,
            closest: half.closest(),
            best_delivery: half.best_delivery().unwrap_or_default(),
            is_window_closed: ledger.is_window_closed(),
            is_taken: half.is_taken(),
            is_cut_short: half.is_cut_short(),
            zero_window_longest: ledger.zero_window_longest,
            zero_window_stalls: ledger.zero_window_stalls,
            timeout_silence: ledger.timeout_silence,
            longest_ack: ledger.longest_ack,
            pause_longest: ledger.pause_longest,
            pauses: ledger.pauses,
            turns: ledger.turns,
            heartbeat: ledger.heartbeat().and_then(NonZeroI64::new),
            held_writes: ledger.held_writes,
            is_unasked: ledger.is_unasked(),
            fast_recoveries: ledger.fast_recoveries,
            timeouts: ledger.timeouts,
            vanished: half.vanished(),
            loss_line: bottleneck.loss_line(half),
            progress,
            bottleneck,
            is_window_next,
            is_grant_next,
            to_receiver: half.to_receiver(),
            is_echo: ledger.is_echo(),
            to_sender: half.handshake_to_sender().map_or(Grains::MOST, Grains::of),
            words,
            spurious_segments: u32::try_from(half.spurious_segments())
                .unwrap_or(u32::MAX)
                .saturating_sub(ledger.unacknowledged_repeats()),
            counts: half.counts.clone(),
        }
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        let line = self.loss_line.as_ref().map_or(0, |line| line.heap());
        let progress = self.progress.as_ref().map_or(0, |slots| size_of::<ByteSlots>() + slots.heap());
        let transfer = self.transfer.as_ref().map_or(0, |_| size_of::<TransferFacts>());
        self.limits.heap() + line + progress + transfer
    }

    /// Highest delivery rate over a few round trips, bytes per second; `None` if no transfer lasted that
    /// long.
    pub(crate) fn best_delivery(&self) -> Option<f64> {
        (self.best_delivery > 0.0).then_some(self.best_delivery)
    }

    /// Largest window offered, bytes.
    pub(crate) fn window_max(&self) -> u64 {
        self.largest_window.into()
    }

    /// Whether the window was full only because of a persistent queue, so that the queue was the limit.
    /// Otherwise some time under a full window remains.
    pub(crate) fn is_window_held_by_queue(&self) -> bool {
        self.moved.window_queued > 0 && self.limits.sum(is_full_window).0 == 0
    }

    /// Whether time passed in waits for the peer's protocol to allow more, each after the same number of
    /// bytes.
    pub(crate) fn is_granted(&self) -> bool {
        let mut whys = self.limits.intervals().iter().filter_map(|interval| interval.why);
        whys.any(|why| why.reason == Reason::PeerGrantsWholeTurns)
    }

    /// Bytes that the peer's protocol allows at a time, if its sender stops after the same number each time.
    pub(crate) fn allowed(&self) -> Option<u64> {
        match self.words {
            Some(Words::Allow(bytes)) => Some(bytes.into()),
            Some(Words::AllowOrAsk(_)) | None => None,
        }
    }

    /// Bytes of each turn, if the packets do not show whether the peer's messages requested or allowed them.
    pub(crate) fn asked_or_allowed(&self) -> Option<u64> {
        match self.words {
            Some(Words::AllowOrAsk(bytes)) => Some(bytes.into()),
            Some(Words::Allow(_)) | None => None,
        }
    }

    /// Median queueing delay of ACKs on their way to the sender, microseconds, if this was a limit.
    pub(crate) fn ack_queue(&self) -> Option<u64> {
        let mut whys = self.limits.intervals().iter().filter_map(|interval| interval.why);
        let why = whys.find(|why| why.reason == Reason::AcksQueued)?;
        why.value(Measure::QueueDelay).map(|micros| micros as u64)
    }

    /// The policer that dropped the lost packets, if one did.
    pub(crate) fn policer(&self) -> Option<&Policer> {
        match &self.bottleneck {
            Bottleneck::Policer(policer) => Some(policer),
            _ => None,
        }
    }

    /// Whether the path carries no more. Its queue was full at losses, or more was in flight than the path
    /// holds most of the time.
    pub(crate) fn is_path_full(&self) -> bool {
        matches!(self.bottleneck, Bottleneck::Full(_) | Bottleneck::Held(_))
    }

    /// Counts a data segment of `len` bytes that arrived after all data was acknowledged and both ends had
    /// closed.
    pub(crate) fn count_late(&mut self, len: u32) {
        self.counts.segments += 1;
        self.counts.retransmitted_segments += 1;
        self.counts.retransmitted_bytes += u64::from(len);
    }
}
