//! Representations of a connection, which take as little memory as its packets allow.

use tcpwhy_model::{Segment, TcpFlags};

use super::ConnectionState;
use super::outline::Outline;
use super::packed::{Base, PackedSegments};
use crate::outcome::{Connection, Side};
use crate::seen::UndeliveredCounts;

/// How a connection is followed from its first packet on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Following {
    /// Kept small while it is short.
    Brief,
    /// Packet by packet.
    InFull,
    /// Packet by packet, with every exchange kept.
    WithAllExchanges,
}

/// A connection in an analyzer.
#[derive(Debug)]
pub(crate) enum Tracked {
    /// A connection of few packets, which are kept and evaluated when needed. Most connections of a busy host
    /// stay so short, and evaluating one in full takes twenty times the memory.
    Brief(Box<Brief>),
    /// Evaluated packet by packet.
    Full(Box<ConnectionState>),
    /// Both ends are done, and the result was already returned. Later packets still belong to it and change
    /// nothing.
    Over(Box<Outline>),
}

/// A connection of few packets. Its outline is the first field, as in all other representations, so that no
/// code has to distinguish them.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Brief {
    outline: Outline,
    segments: PackedSegments,
    /// Counts of ICMP errors about each end's packets, if there were any.
    undelivered: Option<Box<[UndeliveredCounts; 2]>>,
}

impl Brief {
    fn base(outline: &Outline) -> Base {
        Base { endpoints: outline.endpoints, number: outline.first_packet, time: outline.first }
    }

    /// Records the next packet. Returns false and does not record it if there are too many.
    fn observe(&mut self, segment: &Segment, side: Side) -> bool {
        let is_kept = self.segments.push(segment, &Self::base(&self.outline));
        if is_kept {
            self.outline.pass(segment, side);
        }
        is_kept
    }

    /// The state of the connection after all packets up to now.
    fn follow(&self) -> Box<ConnectionState> {
        let mut segments = self.segments.segments(Self::base(&self.outline));
        let mut state = match segments.next() {
            Some(first) => {
                let mut state = Box::new(ConnectionState::new(self.outline.id, &first));
                state.observe(&first);
                state
            }
            // Without packets, its outline is still the initial one.
            None => Box::new(ConnectionState::of(self.outline.clone())),
        };
        segments.for_each(|segment| state.observe(&segment));
        if let Some(undelivered) = &self.undelivered {
            state.set_undelivered(**undelivered);
        }
        state
    }
}

impl Tracked {
    /// Creates a connection with the first packet `segment`, which is not observed yet.
    pub(crate) fn new(id: u64, segment: &Segment, following: Following) -> Self {
        if following != Following::Brief {
            let mut state = Box::new(ConnectionState::new(id, segment));
            if following == Following::WithAllExchanges {
                state.keep_exchanges();
            }
            return Self::Full(state);
        }
        let outline = Outline::new(id, segment);
        Self::Brief(Box::new(Brief { outline, segments: PackedSegments::default(), undelivered: None }))
    }

    #[inline]
    pub(crate) fn outline(&self) -> &Outline {
        match self {
            Self::Brief(brief) => &brief.outline,
            Self::Full(state) => state.outline(),
            Self::Over(outline) => outline,
        }
    }

    /// Records the next packet, which `side` sent.
    #[inline]
    pub(crate) fn observe(&mut self, segment: &Segment, side: Side) {
        match self {
            Self::Full(state) => state.observe_from(side, segment),
            _ => self.observe_small(segment, side),
        }
    }

    fn observe_small(&mut self, segment: &Segment, side: Side) {
        match self {
            Self::Brief(brief) => {
                if !brief.observe(segment, side) {
                    let mut state = brief.follow();
                    state.observe_from(side, segment);
                    *self = Self::Full(state);
                }
            }
            Self::Full(state) => state.observe_from(side, segment),
            Self::Over(outline) => {
                outline.pass(segment, side);
            }
        }
    }

    /// Records an ICMP error that quotes `segment`, which one of the ends had sent.
    pub(crate) fn note_undelivered(&mut self, segment: &Segment) {
        let Some(error) = segment.undelivered() else { return };
        let side = self.outline().side_of(segment);
        match self {
            Self::Brief(brief) => brief.undelivered.get_or_insert_default()[side.index()].note(error),
            Self::Full(state) => state.note_undelivered(side, error),
            Self::Over(_) => {}
        }
    }

    /// Whether `segment` opens a new incarnation of the same four-tuple.
    #[inline]
    pub(crate) fn is_reopened_by(&self, segment: &Segment) -> bool {
        let is_syn = segment.flags.contains(TcpFlags::SYN) && !segment.flags.contains(TcpFlags::ACK);
        is_syn && self.is_reopened_by_syn(segment)
    }

    fn is_reopened_by_syn(&self, segment: &Segment) -> bool {
        let outline = self.outline();
        match (outline.isn(outline.side_of(segment)), self) {
            (Some(isn), _) => isn != segment.seq,
            (None, _) if outline.is_closed() => true,
            (None, Self::Brief(brief)) if brief.segments.is_empty() => false,
            // Afterwards the SYN is known, so this happens only once.
            (None, Self::Brief(brief)) => brief.follow().is_reopened_by(segment),
            (None, Self::Full(state)) => state.is_reopened_by(segment),
            (None, Self::Over(_)) => true,
        }
    }

    /// Whether `segment` comes after such a long silence that it belongs to another connection.
    #[inline]
    pub(crate) fn is_over_before(&self, segment: &Segment) -> bool {
        self.outline().is_over(segment.timestamp.as_nanos()) && self.is_over_before_late(segment)
    }

    #[cold]
    fn is_over_before_late(&self, segment: &Segment) -> bool {
        match self {
            Self::Brief(brief) => brief.follow().is_over_before(segment),
            Self::Full(state) => state.is_over_before(segment),
            Self::Over(_) => true,
        }
    }

    /// The result, if both ends are done and nothing is in flight.
    pub(crate) fn finish_settled(&mut self) -> Option<Connection> {
        let state = match self {
            Self::Brief(brief) => Some(brief.follow()).filter(|s| s.is_settled())?,
            Self::Full(state) if state.is_settled() => {
                let outline = Box::new(state.outline().clone());
                let Self::Full(state) = std::mem::replace(self, Self::Over(outline)) else { return None };
                return Some(state.finish());
            }
            Self::Full(_) | Self::Over(_) => return None,
        };
        *self = Self::Over(Box::new(state.outline().clone()));
        Some(state.finish())
    }

    /// The result; `None` if it was returned before.
    pub(crate) fn finish(self) -> Option<Connection> {
        match self {
            Self::Brief(brief) => Some(brief.follow().finish()),
            Self::Full(state) => Some(state.finish()),
            Self::Over(_) => None,
        }
    }

    /// Heap memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        match self {
            Self::Brief(brief) => {
                let undelivered = brief.undelivered.as_ref().map_or(0, |_| size_of::<[UndeliveredCounts; 2]>());
                size_of::<Brief>() + brief.segments.heap() + undelivered
            }
            Self::Full(state) => size_of::<ConnectionState>() + state.heap(),
            Self::Over(_) => size_of::<Outline>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use proptest::prelude::*;
    use tcpwhy_model::{SackBlocks, SeqNum, TcpTimestamps, Undelivered, WindowField};
    use tcpwhy_testkit::{at, script};

    use super::*;

    prop_compose! {
        /// Values close enough together to interact, and sometimes copies of the previous packet.
        fn segment()(
            is_client in any::<bool>(),
            letters in prop::sample::select(vec![".", ".", "P.", "P.", "S", "S.", "F.", "F.", "R"]),
            (seq, ack, window, id) in (0_u32..4000, 0_u32..4000, 0_u16..3000, 0_u16..3),
            len in prop::sample::select(vec![0_u32, 0, 1, 100, 1448]),
            nanos in -2_000_000_i64..30_000_000,
            stamps in any::<Option<(u8, u8)>>(),
            block in any::<Option<u8>>(),
        ) -> (Segment, i64) {
            let mut segment = script("0.000 > S 0:0(0)").segments[0];
            if !is_client {
                std::mem::swap(&mut segment.source, &mut segment.destination);
            }
            segment.flags = tcpwhy_testkit::flags(letters);
            (segment.seq, segment.ack) = (SeqNum(seq), SeqNum(ack));
            (segment.window, segment.payload_len) = (WindowField(window), len);
            segment.ip.identification = NonZeroU16::new(id);
            segment.options.timestamps = stamps
                .map(|(value, echo)| TcpTimestamps { value: u32::from(value), echo_reply: u32::from(echo) });
            let mut sack = SackBlocks::default();
            if let Some(b) = block {
                sack.push(SeqNum(u32::from(b) * 10), SeqNum(u32::from(b) * 10 + 500));
            }
            segment.options.sack = sack;
            (segment, nanos)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The result is the same for every representation of the connection and at any time.
        #[test]
        fn how_much_is_held_does_not_matter(
            steps in prop::collection::vec(segment(), 1..40),
            errors in prop::collection::vec(any::<Option<u16>>(), 40),
        ) {
            let mut time = 0;
            let segments: Vec<Segment> = steps
                .into_iter()
                .zip(1..)
                .map(|((segment, nanos), number)| {
                    time += nanos;
                    Segment { number, timestamp: at(time), ..segment }
                })
                .collect();
            let mut tracked = Tracked::new(7, &segments[0], Following::Brief);
            let mut state = ConnectionState::new(7, &segments[0]);
            for (segment, mtu) in segments.iter().zip(errors) {
                prop_assert_eq!(tracked.is_reopened_by(segment), state.is_reopened_by(segment));
                tracked.observe(segment, state.side_of(segment));
                state.observe(segment);
                let (held, full) = (tracked.outline(), state.outline());
                prop_assert_eq!((held.last(), held.is_closed()), (full.last(), full.is_closed()));
                // A router could not forward it.
                if let Some(mtu) = mtu {
                    let error = Undelivered::TooBig { mtu };
                    let ends = [segment.source, segment.destination];
                    let quoted = Segment::quoted(ends, segment.seq, error, segment.number, segment.timestamp);
                    tracked.note_undelivered(&quoted);
                    state.note_undelivered(state.side_of(&quoted), error);
                }
            }
            let is_held = matches!(tracked, Tracked::Brief(_));
            prop_assert!(is_held || segments.len() >= 10, "few packets are kept");
            prop_assert!(!is_held || segments.len() <= 25, "many are not");
            prop_assert_eq!(format!("{:?}", tracked.finish()), format!("{:?}", Some(state.finish())));
        }
    }
}
