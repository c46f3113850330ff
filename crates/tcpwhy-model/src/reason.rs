//! Why a stretch of time is counted under its cause: which hypothesis held, and the numbers that it looked at.

use crate::EvidenceKey;

/// A number of an interval that speaks for its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Most in flight in a round trip.
    Flight,
    /// Largest flight of the connection so far.
    FlightMax,
    /// Largest flight since the last loss or rest, before this.
    FlightBefore,
    /// The congestion window allows at least this: the largest flight since the last loss or rest.
    WindowFloor,
    /// Largest window that was offered.
    Window,
    /// Mean round trip.
    RoundTrip,
    /// Smallest round trip of the connection so far.
    RoundTripMin,
    /// Shortest round trip less the smallest of the connection.
    QueueDelay,
    /// From one burst of sends to the next, where they come at a fixed period.
    Period,
    /// Part of the time in which ACKs had made room and nothing was sent.
    RoomUnused,
    /// Part of the time that ended with a send that followed no ACK.
    Unreleased,
    /// From an ACK to the promptest data that answers it, less what it has to take at least.
    Wait,
    /// Rate at which data was acknowledged.
    Rate,
    /// Rate at which back-to-back segments came through the path.
    Capacity,
    /// Rate that a policer lets through.
    PolicedRate,
    /// Burst that a policer lets through at once.
    PolicedBurst,
}

impl Measure {
    /// All of them.
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

    /// Stable name with its unit at the end, as in JSON. Shares lie between 0 and 1.
    pub const fn id(self) -> &'static str {
        self.key().id()
    }

    /// The name of its value among evidence.
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

/// The enumeration, its ids and its measures from one table.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $id:literal [$($measure:ident),*],)*) => {
        /// What decided a stretch of time: a hypothesis of the classifier, what the packets around a gap tell, or a later
        /// stage that saw the whole direction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Stable name, as in JSON.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }

            /// The numbers that speak for it, most telling first; at most [`Why::VALUES`].
            pub const fn measures(self) -> &'static [Measure] {
                match self {
                    $(Self::$name => &[$(Measure::$measure),*],)*
                }
            }
        }
    };
}

reasons! {
    // What the packets before and after a gap tell.
    /// SYN and SYN-ACK were under way.
    HandshakeUnderWay = "handshake_under_way" [],
    /// A SYN or SYN-ACK was repeated.
    SynRepeated = "syn_repeated" [],
    /// Duplicate ACKs or SACK told of a loss, and it was repaired.
    FastRetransmit = "fast_retransmit" [Flight, RoundTrip],
    /// Nothing came back until the retransmission timer ran out, or what it sent was under way.
    TimerRanOut = "timer_ran_out" [RoundTripMin],
    /// The receiver reported a hole, and nothing that was captured until the end filled it.
    HoleNeverFilled = "hole_never_filled" [],
    /// The last data was lost or late, and a probe repeated it.
    ProbeOfTail = "probe_of_tail" [RoundTripMin],
    /// Data was repeated although it had arrived.
    NothingLost = "nothing_lost" [RoundTrip],
    /// Everything was acknowledged and this side wrote next.
    NothingInFlight = "nothing_in_flight" [],
    /// Everything was acknowledged, the peer spoke, and this side wrote next.
    AnswerAwaited = "answer_awaited" [],
    /// Everything was acknowledged, and the peer spoke next.
    PeerAwaited = "peer_awaited" [RoundTripMin],
    /// Everything was acknowledged and the peer had closed.
    PeerHadClosed = "peer_had_closed" [],
    /// A small segment waited for the ACK of another: the round trip that this takes.
    SmallSegmentHeld = "small_segment_held" [RoundTripMin],
    /// The receiver acknowledged the small segment late.
    AckHeldBack = "ack_held_back" [RoundTripMin],
    /// Data passed that was not captured.
    DataNotCaptured = "data_not_captured" [],
    /// No ACK of the data was captured.
    AcksNotCaptured = "acks_not_captured" [],
    /// Everything was sent, and the final round trip was under way.
    LastFlight = "last_flight" [RoundTripMin],

    // The form of a full window.
    /// The window was closed.
    WindowZero = "window_zero" [RoundTripMin],
    /// The window was full, and shrinks: data is not read.
    WindowShrinks = "window_shrinks" [Flight, Window, RoundTrip],
    /// The window was full, and cannot exceed 65,535 bytes.
    WindowUnscaled = "window_unscaled" [Flight, Window, RoundTrip],
    /// The window was full, and grows.
    WindowGrows = "window_grows" [Flight, Window, RoundTrip],
    /// The window was full at the ceiling of autotuning.
    WindowCapped = "window_capped" [Flight, Window, RoundTrip],
    /// The window was full, constant and small.
    WindowSmall = "window_small" [Flight, Window, RoundTrip],

    // Path.
    /// Data that was on its way longer than needed, without exception.
    QueueNeverEmpties = "queue_never_empties" [Rate, Flight, RoundTrip],
    /// Slow start filled a queue.
    QueueInSlowStart = "queue_in_slow_start" [RoundTrip, QueueDelay, Flight],
    /// More in flight than the path holds, at all times.
    MoreThanPathHolds = "more_than_path_holds" [Flight, Capacity, RoundTrip],
    /// A pacing sender before a long queue.
    QueueUnderPacer = "queue_under_pacer" [RoundTrip, QueueDelay, Rate],
    /// Evenly spaced segments before a queue.
    QueueServedEvenly = "queue_served_evenly" [RoundTrip, QueueDelay, Rate],
    /// A queue below a full buffer or window.
    QueueUnderFullBuffer = "queue_under_full_buffer" [RoundTrip, QueueDelay, Flight],
    /// Round trips longer than the path needs.
    QueueStanding = "queue_standing" [RoundTrip, QueueDelay, Flight],
    /// A queue under the final round trip.
    QueueUnderLastFlight = "queue_under_last_flight" [RoundTrip, QueueDelay, Flight],
    /// Evenly spaced segments, without a queue to prove a bottleneck.
    EvenSpacing = "even_spacing" [Rate, RoundTrip, Flight],

    // Congestion window.
    /// The flight opens as only slow start lets it.
    FlightOpens = "flight_opens" [Flight, FlightBefore, RoundTrip],
    /// Repairs for most of the time.
    RepairsAllAround = "repairs_all_around" [Flight, Window, RoundTrip],
    /// A pacing sender slower than the path had been, after losses.
    PacerSlowedByLoss = "pacer_slowed_by_loss" [Rate, Flight, RoundTrip],
    /// A pacing sender at its estimate of the path.
    PacerAtItsEstimate = "pacer_at_its_estimate" [Rate, Flight, RoundTrip],
    /// A pacing sender that repairs losses and delivers as much as before.
    PacerThroughRepairs = "pacer_through_repairs" [Rate, Flight, RoundTrip],
    /// Small segments that were not coalesced.
    SmallSegmentsLeave = "small_segments_leave" [Flight, Window, RoundTrip],
    /// A pacing sender that never probes for more.
    PacerNeverProbes = "pacer_never_probes" [Rate, Flight, RoundTrip],
    /// ACKs release evenly what a loss left.
    ReleasedEvenlyAfterLoss = "released_evenly_after_loss" [Flight, Window, RoundTrip],
    /// ACKs release by thirds what a loss left.
    ReleasedByThirdsAfterLoss = "released_by_thirds_after_loss" [Flight, FlightMax, RoomUnused],
    /// After a loss, and nothing else binds.
    WindowGrowsBack = "window_grows_back" [Flight, Window, RoundTrip],
    /// After a mark of ECN, and nothing else binds.
    WindowGrowsBackAfterMark = "window_grows_back_after_mark" [Flight, Window, RoundTrip],
    /// Slow growth without loss.
    SlowGrowthWithoutLoss = "slow_growth_without_loss" [Flight, Window, RoundTrip],
    /// ACKs release the sends, and nothing shows by which limit.
    Undetermined = "undetermined" [Flight, Window, RoundTrip],

    // Application.
    /// Bursts at a fixed period that is not the path's.
    OwnRhythm = "own_rhythm" [Period, RoundTrip, Flight],
    /// Most sends follow no ACK.
    MostlyUnreleased = "mostly_unreleased" [Unreleased, Flight, Window],
    /// This send followed no ACK.
    UnreleasedSend = "unreleased_send" [Flight, Window, RoundTrip],
    /// A burst that ends with a send that followed no ACK.
    BurstOfUnreleased = "burst_of_unreleased" [Flight, Window, RoundTrip],
    /// Sends as close behind ACKs as chance would have it.
    SendsByChance = "sends_by_chance" [Flight, Window, RoundTrip],
    /// The path rested before each answer to an ACK.
    PathRestsBeforeSends = "path_rests_before_sends" [Wait, RoundTrip, Flight],
    /// Data never came as soon after an ACK as it can.
    NeverPrompt = "never_prompt" [Wait, RoundTrip, Flight],
    /// Less in flight than before, in an even rhythm, on a path without pause or queue.
    LessInRhythm = "less_in_rhythm" [Flight, WindowFloor, RoundTrip],
    /// Less in flight than was allowed, and the path gives more.
    PathLeftIdle = "path_left_idle" [Flight, WindowFloor, Capacity],
    /// Bursts begin with more in flight than was left unanswered before.
    NoWakeLevel = "no_wake_level" [RoomUnused, Flight, RoundTrip],
    /// Room unused until the peer's next message.
    PeerReleases = "peer_releases" [RoomUnused, Flight, RoundTrip],
    /// Data follows small messages of the peer and no ACKs, much for each.
    PeerGrants = "peer_grants" [Flight, Window, RoundTrip],
    /// Turns that end at the same byte count, each followed by a few bytes of the peer.
    PeerGrantsWholeTurns = "peer_grants_whole_turns" [Flight],
    /// Most waits for the peer were for such messages.
    PeerGrantsThroughout = "peer_grants_throughout" [Flight, Window, RoundTrip],
    /// Room unused, and far less in flight than once.
    FarBelowFlight = "far_below_flight" [Flight, FlightMax, RoomUnused],

    // Send buffer.
    /// ACKs made room, and nothing was sent until a later one.
    RoomLeftUnused = "room_left_unused" [RoomUnused, Flight, Window],
    /// Room unused seldom, but again and again.
    UnusedNowAndThen = "unused_now_and_then" [RoomUnused, Flight, Window],
    /// The flight stayed under what had been allowed.
    FlightBelowWindow = "flight_below_window" [Flight, WindowFloor, Window],
    /// A pacing sender with less in flight than was allowed.
    BufferUnderPacer = "buffer_under_pacer" [Flight, WindowFloor, Capacity],
    /// A flat flight.
    FlatFlight = "flat_flight" [Flight, Window, RoundTrip],

    // What shows itself only in the whole direction, and renames what was decided before.
    /// The window was full over a queue for most of its time.
    WindowOverQueue = "window_over_queue" [Flight, Window, RoundTrip],
    /// The capture's clock disagrees with the timestamps of the ends.
    ClockContradicted = "clock_contradicted" [],
    /// More is missing than was captured.
    MoreMissingThanCaptured = "more_missing_than_captured" [],
    /// The capture stands at the receiver, and nothing tells how far away the sender is.
    SenderAtUnknownDistance = "sender_at_unknown_distance" [],
    /// What was lost was lost to a policer.
    LostToPolicer = "lost_to_policer" [PolicedRate, PolicedBurst],
    /// What was lost was lost to a full queue, near the highest rate.
    LostToFullQueue = "lost_to_full_queue" [Capacity],
    /// Data arrived at one rate, trains no faster, and more was in flight than the path holds.
    RateOfFullPath = "rate_of_full_path" [Capacity],
    /// ACKs queued on their way to the sender for most of each round trip.
    AcksQueued = "acks_queued" [QueueDelay],
}

impl Reason {
    /// Whether a hypothesis of the classifier decided, which weighs numbers against thresholds; not the packets around a gap, and
    /// not a later stage.
    pub fn is_of_classifier(self) -> bool {
        // The table stands in this order.
        (Self::WindowZero..Self::WindowOverQueue).contains(&self)
    }
}

/// What decided an interval, and its numbers: means over the interval, weighted by time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Why {
    /// What decided it, or the most of it.
    pub reason: Reason,
    /// By [`Reason::measures`]; NaN where there was nothing to measure.
    values: [f32; Why::VALUES],
}

impl Why {
    /// More numbers than this are kept of no interval.
    pub const VALUES: usize = 3;

    /// `reason`, with the numbers that `value` gives for its measures, each in the unit that its name says.
    pub fn new(reason: Reason, mut value: impl FnMut(Measure) -> Option<f64>) -> Self {
        let mut values = [f32::NAN; Self::VALUES];
        for (kept, &measure) in values.iter_mut().zip(reason.measures()) {
            *kept = value(measure).map_or(f32::NAN, |v| v as f32);
        }
        Self { reason, values }
    }

    /// The numbers that are known, most telling first.
    pub fn values(&self) -> impl Iterator<Item = (Measure, f64)> {
        let known = |(&measure, value): (&Measure, f32)| (!value.is_nan()).then_some((measure, f64::from(value)));
        self.reason.measures().iter().zip(self.values).filter_map(known)
    }

    /// The number of the measure at `index` of [`Reason::measures`].
    pub fn slot(&self, index: usize) -> Option<f32> {
        self.values.get(index).copied().filter(|v| !v.is_nan())
    }

    /// One of the numbers.
    pub fn value(&self, measure: Measure) -> Option<f64> {
        self.values().find(|&(m, _)| m == measure).map(|(_, value)| value)
    }

    /// Takes another stretch of time in, that makes up `part` of both and was decided by the same.
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
