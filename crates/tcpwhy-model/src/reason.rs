//! Reasons for the cause of an interval: the hypothesis that decided, and its numbers.

use crate::EvidenceKey;

/// A number of an interval that supports its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Most bytes in flight during a round trip.
    Flight,
    /// Most bytes in flight on the connection so far.
    FlightMax,
    /// Most bytes in flight since the last loss or idle period, before this interval.
    FlightBefore,
    /// Lower bound of the congestion window: the most bytes in flight since the last loss or idle period.
    WindowFloor,
    /// Largest advertised window.
    Window,
    /// Mean round trip.
    RoundTrip,
    /// Smallest round trip of the connection so far.
    RoundTripMin,
    /// Shortest round trip of the interval minus the smallest one of the connection.
    QueueDelay,
    /// Time from one burst of sends to the next, if the period is fixed.
    Period,
    /// Share of the time in which ACKs had made room and the sender did not use it.
    RoomUnused,
    /// Share of the time that ended with a send that no ACK released.
    Unreleased,
    /// Time from an ACK to the promptest data that answers it, minus the necessary minimum.
    Wait,
    /// Rate at which data was acknowledged.
    Rate,
    /// Rate at which back-to-back segments passed the path.
    Capacity,
    /// Rate of a policer.
    PolicedRate,
    /// Burst size that a policer admits at once.
    PolicedBurst,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 16] = [
        Self::Flight,
        Self::FlightMax,
        Self::FlightBefore,
        Self::WindowFloor,
        Self::Window,
        Self::RoundTrip,
        Self::RoundTripMin,
        Self::QueueDelay,
        Self::Period,
        Self::RoomUnused,
        Self::Unreleased,
        Self::Wait,
        Self::Rate,
        Self::Capacity,
        Self::PolicedRate,
        Self::PolicedBurst,
    ];

    /// Stable name with its unit at the end, as in JSON. Shares are between 0 and 1.
    pub const fn id(self) -> &'static str {
        self.key().id()
    }

    /// Key of its value among evidence.
    pub const fn key(self) -> EvidenceKey {
        match self {
            Self::Flight => EvidenceKey::FlightBytes,
            Self::FlightMax => EvidenceKey::FlightMaxBytes,
            Self::FlightBefore => EvidenceKey::FlightBeforeBytes,
            Self::WindowFloor => EvidenceKey::CwndFloorBytes,
            Self::Window => EvidenceKey::WindowBytes,
            Self::RoundTrip => EvidenceKey::RttUs,
            Self::RoundTripMin => EvidenceKey::RttMinUs,
            Self::QueueDelay => EvidenceKey::QueueDelayUs,
            Self::Period => EvidenceKey::PeriodUs,
            Self::RoomUnused => EvidenceKey::RoomUnusedShare,
            Self::Unreleased => EvidenceKey::UnreleasedShare,
            Self::Wait => EvidenceKey::WaitUs,
            Self::Rate => EvidenceKey::RateBitsPerS,
            Self::Capacity => EvidenceKey::CapacityBitsPerS,
            Self::PolicedRate => EvidenceKey::PolicedRateBitsPerS,
            Self::PolicedBurst => EvidenceKey::PolicedBurstBytes,
        }
    }
}

/// Generates the enumeration, its ids and its measures from one table.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $id:literal [$($measure:ident),*],)*) => {
        /// What decided the cause of an interval: a hypothesis of the classifier, the packets around a gap,
        /// or a later stage that has the whole direction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            /// All reasons.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Stable name, as in JSON.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// Numbers that support it, most significant first; at most [`Why::VALUES`].
            pub const fn measures(self) -> &'static [Measure] {
                match self {
                    $(Self::$name => &[$(Measure::$measure),*],)*
                }
            }
        }
    };
}

reasons! {
    // Decided by the packets before and after a gap.
    /// SYN and SYN-ACK were in flight.
    HandshakeUnderWay = "handshake_under_way" [],
    /// A SYN or SYN-ACK was retransmitted.
    SynRepeated = "syn_repeated" [],
    /// Duplicate ACKs or SACK reported a loss, and the data was retransmitted.
    FastRetransmit = "fast_retransmit" [Flight, RoundTrip],
    /// No ACK came until the retransmission timer expired, or the timer's retransmission was in flight.
    TimerRanOut = "timer_ran_out" [RoundTripMin],
    /// The receiver reported a hole, and no later packet of the capture filled it.
    HoleNeverFilled = "hole_never_filled" [],
    /// The last data was lost or late, and a tail loss probe retransmitted it.
    ProbeOfTail = "probe_of_tail" [RoundTripMin],
    /// Data was retransmitted although it had arrived.
    NothingLost = "nothing_lost" [RoundTrip],
    /// All data was acknowledged, and this side sent next.
    NothingInFlight = "nothing_in_flight" [],
    /// All data was acknowledged, the peer sent, and then this side sent.
    AnswerAwaited = "answer_awaited" [],
    /// All data was acknowledged, and the peer sent next.
    PeerAwaited = "peer_awaited" [RoundTripMin],
    /// All data was acknowledged, and the peer had sent its FIN.
    PeerHadClosed = "peer_had_closed" [],
    /// A small segment waited one round trip for the ACK of earlier data.
    SmallSegmentHeld = "small_segment_held" [RoundTripMin],
    /// The receiver delayed the ACK of the small segment.
    AckHeldBack = "ack_held_back" [RoundTripMin],
    /// Data is missing from the capture.
    DataNotCaptured = "data_not_captured" [],
    /// The ACKs of the data are missing from the capture.
    AcksNotCaptured = "acks_not_captured" [],
    /// All data was sent, and the final round trip was in progress.
    LastFlight = "last_flight" [RoundTripMin],

    // Forms of a full window.
    /// The receiver advertised a zero window.
    WindowZero = "window_zero" [RoundTripMin],
    /// The window was full and shrinking, because data was not read.
    WindowShrinks = "window_shrinks" [Flight, Window, RoundTrip],
    /// The window was full and cannot exceed 65,535 bytes.
    WindowUnscaled = "window_unscaled" [Flight, Window, RoundTrip],
    /// The window was full and growing.
    WindowGrows = "window_grows" [Flight, Window, RoundTrip],
    /// The window was full at the ceiling of autotuning.
    WindowCapped = "window_capped" [Flight, Window, RoundTrip],
    /// The window was full, constant and small.
    WindowSmall = "window_small" [Flight, Window, RoundTrip],

    // Path.
    /// All data took longer than the path needs, without exception.
    QueueNeverEmpties = "queue_never_empties" [Rate, Flight, RoundTrip],
    /// Slow start filled a queue.
    QueueInSlowStart = "queue_in_slow_start" [RoundTrip, QueueDelay, Flight],
    /// More bytes in flight than the capacity of the path, at all times.
    MoreThanPathHolds = "more_than_path_holds" [Flight, Capacity, RoundTrip],
    /// A pacing sender with a long queue at the bottleneck.
    QueueUnderPacer = "queue_under_pacer" [RoundTrip, QueueDelay, Rate],
    /// Evenly spaced segments with a queue at the bottleneck.
    QueueServedEvenly = "queue_served_evenly" [RoundTrip, QueueDelay, Rate],
    /// A queue at the bottleneck, while the buffer or the window was full too.
    QueueUnderFullBuffer = "queue_under_full_buffer" [RoundTrip, QueueDelay, Flight],
    /// Round trips longer than the path needs.
    QueueStanding = "queue_standing" [RoundTrip, QueueDelay, Flight],
    /// A queue at the bottleneck during the final round trip.
    QueueUnderLastFlight = "queue_under_last_flight" [RoundTrip, QueueDelay, Flight],
    /// Evenly spaced segments, without a queue as proof of a bottleneck.
    EvenSpacing = "even_spacing" [Rate, RoundTrip, Flight],

    // Congestion window.
    /// Bytes in flight grow as only slow start allows.
    FlightOpens = "flight_opens" [Flight, FlightBefore, RoundTrip],
    /// Loss recovery for most of the time.
    RepairsAllAround = "repairs_all_around" [Flight, Window, RoundTrip],
    /// A pacing sender that became slower than the path after losses.
    PacerSlowedByLoss = "pacer_slowed_by_loss" [Rate, Flight, RoundTrip],
    /// A pacing sender at its estimate of the path's rate.
    PacerAtItsEstimate = "pacer_at_its_estimate" [Rate, Flight, RoundTrip],
    /// A pacing sender that retransmits losses and delivers as much as before.
    PacerThroughRepairs = "pacer_through_repairs" [Rate, Flight, RoundTrip],
    /// Small segments that Nagle's algorithm did not hold back.
    SmallSegmentsLeave = "small_segments_leave" [Flight, Window, RoundTrip],
    /// A pacing sender that never probes for a higher rate.
    PacerNeverProbes = "pacer_never_probes" [Rate, Flight, RoundTrip],
    /// ACKs release evenly the window that a loss left.
    ReleasedEvenlyAfterLoss = "released_evenly_after_loss" [Flight, Window, RoundTrip],
    /// ACKs release in thirds the window that a loss left.
    ReleasedByThirdsAfterLoss = "released_by_thirds_after_loss" [Flight, FlightMax, RoomUnused],
    /// After a loss, and without another limit.
    WindowGrowsBack = "window_grows_back" [Flight, Window, RoundTrip],
    /// After an ECN mark, and without another limit.
    WindowGrowsBackAfterMark = "window_grows_back_after_mark" [Flight, Window, RoundTrip],
    /// Slow growth without loss.
    SlowGrowthWithoutLoss = "slow_growth_without_loss" [Flight, Window, RoundTrip],
    /// ACKs release the sends, and the packets do not show which limit does.
    Undetermined = "undetermined" [Flight, Window, RoundTrip],

    // Application.
    /// Bursts at a fixed period that differs from the round trip.
    OwnRhythm = "own_rhythm" [Period, RoundTrip, Flight],
    /// Most sends were released by no ACK.
    MostlyUnreleased = "mostly_unreleased" [Unreleased, Flight, Window],
    /// This send was released by no ACK.
    UnreleasedSend = "unreleased_send" [Flight, Window, RoundTrip],
    /// A burst that ends with a send that no ACK released.
    BurstOfUnreleased = "burst_of_unreleased" [Flight, Window, RoundTrip],
    /// Sends follow ACKs only as closely as chance explains.
    SendsByChance = "sends_by_chance" [Flight, Window, RoundTrip],
    /// The path was idle before each answer to an ACK.
    PathRestsBeforeSends = "path_rests_before_sends" [Wait, RoundTrip, Flight],
    /// Data never followed an ACK as soon as possible.
    NeverPrompt = "never_prompt" [Wait, RoundTrip, Flight],
    /// Fewer bytes in flight than before, at an even period, on a path without pause or queue.
    LessInRhythm = "less_in_rhythm" [Flight, WindowFloor, RoundTrip],
    /// Fewer bytes in flight than allowed, although the path has spare capacity.
    PathLeftIdle = "path_left_idle" [Flight, WindowFloor, Capacity],
    /// Bursts start with more bytes in flight than remained unacknowledged before.
    NoWakeLevel = "no_wake_level" [RoomUnused, Flight, RoundTrip],
    /// Room was unused until the peer's next message.
    PeerReleases = "peer_releases" [RoomUnused, Flight, RoundTrip],
    /// Data follows small messages of the peer instead of ACKs, much data per message.
    PeerGrants = "peer_grants" [Flight, Window, RoundTrip],
    /// Turns that end at the same byte count, each followed by a few bytes of the peer.
    PeerGrantsWholeTurns = "peer_grants_whole_turns" [Flight],
    /// Most waits for the peer ended with such messages.
    PeerGrantsThroughout = "peer_grants_throughout" [Flight, Window, RoundTrip],
    /// Room was unused, with far fewer bytes in flight than earlier.
    FarBelowFlight = "far_below_flight" [Flight, FlightMax, RoomUnused],

    // Send buffer.
    /// ACKs made room, and the sender sent only after a later ACK.
    RoomLeftUnused = "room_left_unused" [RoomUnused, Flight, Window],
    /// Room was unused rarely but repeatedly.
    UnusedNowAndThen = "unused_now_and_then" [RoomUnused, Flight, Window],
    /// Bytes in flight stayed below the allowed amount.
    FlightBelowWindow = "flight_below_window" [Flight, WindowFloor, Window],
    /// A pacing sender with fewer bytes in flight than allowed.
    BufferUnderPacer = "buffer_under_pacer" [Flight, WindowFloor, Capacity],
    /// Bytes in flight stayed constant.
    FlatFlight = "flat_flight" [Flight, Window, RoundTrip],

    // Visible only in the whole direction; replaces an earlier decision.
    /// The window was full, with a persistent queue for most of the time.
    WindowOverQueue = "window_over_queue" [Flight, Window, RoundTrip],
    /// The capture's clock contradicts the timestamps of the ends.
    ClockContradicted = "clock_contradicted" [],
    /// More data is missing than was captured.
    MoreMissingThanCaptured = "more_missing_than_captured" [],
    /// The capture was taken at the receiver, and the distance to the sender is unknown.
    SenderAtUnknownDistance = "sender_at_unknown_distance" [],
    /// A policer dropped the lost packets.
    LostToPolicer = "lost_to_policer" [PolicedRate, PolicedBurst],
    /// A full queue dropped the lost packets, near the highest rate.
    LostToFullQueue = "lost_to_full_queue" [Capacity],
    /// Data arrived at one rate, packet trains no faster, with more bytes in flight than the capacity of the
    /// path.
    RateOfFullPath = "rate_of_full_path" [Capacity],
    /// ACKs were queued on their way to the sender for most of each round trip.
    AcksQueued = "acks_queued" [QueueDelay],
}

impl Reason {
    /// Whether a hypothesis of the classifier decided by comparing numbers with thresholds, not the packets
    /// around a gap or a later stage.
    pub fn is_of_classifier(self) -> bool {
        // The variants are declared in this order.
        (Self::WindowZero..Self::WindowOverQueue).contains(&self)
    }
}

/// Reason and numbers of an interval; the numbers are time-weighted means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Why {
    /// What decided the interval, or most of it.
    pub reason: Reason,
    /// Values in the order of [`Reason::measures`]; NaN if unmeasured.
    values: [f32; Why::VALUES],
}

impl Why {
    /// Maximum number of values per interval.
    pub const VALUES: usize = 3;

    /// `reason`, with the values that `value` returns for its measures, each in the unit of its name.
    pub fn new(reason: Reason, mut value: impl FnMut(Measure) -> Option<f64>) -> Self {
        let mut values = [f32::NAN; Self::VALUES];
        for (kept, &measure) in values.iter_mut().zip(reason.measures()) {
            *kept = value(measure).map_or(f32::NAN, |v| v as f32);
        }
        Self { reason, values }
    }

    /// Known values, most significant first.
    pub fn values(&self) -> impl Iterator<Item = (Measure, f64)> {
        let known = |(&measure, value): (&Measure, f32)| (!value.is_nan()).then_some((measure, f64::from(value)));
        self.reason.measures().iter().zip(self.values).filter_map(known)
    }

    /// Value of the measure at `index` of [`Reason::measures`].
    pub fn slot(&self, index: usize) -> Option<f32> {
        self.values.get(index).copied().filter(|v| !v.is_nan())
    }

    /// Value of `measure`.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.values().find(|&(m, _)| m == measure).map(|(_, value)| value)
    }

    /// Merges another interval with the same reason, which makes up the share `part` of both together.
    pub(crate) fn include(&mut self, other: &Self, part: f32) {
        for (value, other) in self.values.iter_mut().zip(other.values) {
            if value.is_nan() {
                *value = other;
            } else if !other.is_nan() {
                *value += (other - *value) * part;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_values_fit() {
        let names: BTreeSet<_> = Reason::ALL.iter().map(|r| r.id()).collect();
        assert_eq!(names.len(), Reason::ALL.len());
        let names: BTreeSet<_> = Measure::ALL.iter().map(|m| m.id()).collect();
        assert_eq!(names.len(), Measure::ALL.len());
        for reason in Reason::ALL {
            let measures: BTreeSet<_> = reason.measures().iter().collect();
            assert!(measures.len() == reason.measures().len() && measures.len() <= Why::VALUES, "{reason:?}");
        }
        let used: BTreeSet<_> = Reason::ALL.iter().flat_map(|r| r.measures()).collect();
        assert_eq!(used.len(), Measure::ALL.len(), "no measure is kept for nothing");
    }

    #[test]
    fn the_table_stands_in_order_of_who_decides() {
        for reason in [Reason::HandshakeUnderWay, Reason::LastFlight, Reason::WindowOverQueue, Reason::RateOfFullPath] {
            assert!(!reason.is_of_classifier(), "{reason:?}");
        }
        for reason in [Reason::WindowZero, Reason::Undetermined, Reason::FlatFlight] {
            assert!(reason.is_of_classifier(), "{reason:?}");
        }
    }

    #[test]
    fn values_are_means_of_what_is_known() {
        let of = |flight: Option<f64>| {
            Why::new(Reason::WindowSmall, |m| match m {
                Measure::Flight => flight,
                Measure::Window => Some(10.0),
                _ => None,
            })
        };
        let mut why = of(Some(100.0));
        why.include(&of(Some(200.0)), 0.25);
        assert_eq!(why.values().collect::<Vec<_>>(), [(Measure::Flight, 125.0), (Measure::Window, 10.0)]);
        why.include(&of(None), 0.5);
        assert_eq!(why.value(Measure::Flight), Some(125.0));
        let mut why = of(None);
        why.include(&of(Some(7.0)), 0.1);
        assert_eq!(why.value(Measure::Flight), Some(7.0));
        assert_eq!(why.value(Measure::RoundTrip), None);
    }

    #[test]
    fn an_interval_stays_small() {
        assert_eq!(size_of::<Option<Why>>(), 16);
        assert!(size_of::<crate::Interval>() <= 40);
    }
}
