//! What lies between two hosts: frames of a wire, or packets as their sender made them.

use tcpwhy_path::link::{FrameKind, Link, LinkCounts, Wire};
use tcpwhy_scenario::{Flow, LinkSpec};

use crate::netem::{Delay, Netem};
use crate::segment::{Kind, Segment};
use crate::time::{MICROSECOND, Time};

/// What lies between two hosts.
#[derive(Clone, Debug)]
pub enum Path {
    /// A wire: interfaces cut bursts into frames, and the lab's emulator has each of them by itself.
    Frames(Box<LinkSpec>),
    /// A router between virtual interfaces (veth): bursts of segmentation offload stay whole.
    Netem(Netem),
}

impl From<LinkSpec> for Path {
    fn from(spec: LinkSpec) -> Self {
        Self::Frames(Box::new(spec))
    }
}

impl From<Netem> for Path {
    fn from(netem: Netem) -> Self {
        Self::Netem(netem)
    }
}

impl Path {
    pub(crate) const fn cuts_bursts(&self) -> bool {
        matches!(self, Self::Frames(_))
    }

    /// Both directions, the one to the receiver first.
    pub(crate) fn directions(&self, seed: u64) -> [Direction; 2] {
        match self {
            Self::Frames(spec) => {
                [Flow::Forward, Flow::Back].map(|flow| Direction::Frames(Box::new(Link::new(spec, flow, seed))))
            }
            Self::Netem(netem) => {
                [true, false].map(|is_lossy| Direction::Netem(Box::new(Delay::new(*netem, is_lossy, seed))))
            }
        }
    }
}

/// Frames are delivered so much late at most, together with those that follow: as the lab's emulator does,
/// and a card that spares its host interrupts (`rx-usecs`). On short paths a quarter of their delay.
const MODERATION: [Time; 2] = [10 * MICROSECOND, 80 * MICROSECOND];

/// One direction of a path.
#[derive(Debug)]
pub(crate) enum Direction {
    Frames(Box<Link<Segment>>),
    Netem(Box<Delay<Segment>>),
}

impl Direction {
    /// Changes of the path count from here on.
    pub(crate) fn begin(&mut self, now: Time) {
        if let Self::Frames(link) = self {
            link.begin(now);
        }
    }

    pub(crate) fn accept(&mut self, now: Time, segment: Segment) {
        let bytes = packet_bytes(&segment);
        match self {
            Self::Frames(link) => {
                let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                let wire = Wire { bytes, kind: frame_kind(&segment), is_ecn_capable: segment.ecn.is_capable };
                link.accept(now, wire, segment);
            }
            Self::Netem(delay) => delay.accept(now, bytes, segment),
        }
    }

    /// For how long the bottleneck has not rested; 0: it rests.
    pub(crate) fn busy_for(&self, now: Time) -> Time {
        match self {
            Self::Frames(link) => link.busy_for(now),
            Self::Netem(delay) => delay.busy_for(now),
        }
    }

    /// How long the first packet waits at its sender.
    pub(crate) fn first_waits(&self) -> Time {
        match self {
            Self::Frames(_) => 0,
            Self::Netem(delay) => delay.wait_for_neighbours(),
        }
    }

    /// When to deliver next.
    pub(crate) fn next_delivery(&self) -> Option<Time> {
        match self {
            Self::Frames(link) => {
                let due = link.next_due()?;
                let patience = (link.delay() / 4).clamp(MODERATION[0], MODERATION[1]);
                Some(link.last_due(due + patience).unwrap_or(due))
            }
            Self::Netem(delay) => delay.next_due(),
        }
    }

    pub(crate) fn deliver(&mut self, now: Time) -> Option<Segment> {
        match self {
            Self::Frames(link) => link.deliver(now).map(|arrival| {
                let mut segment = arrival.item;
                segment.ecn.is_marked |= arrival.is_marked;
                segment
            }),
            Self::Netem(delay) => delay.deliver(now),
        }
    }

    pub(crate) fn counts(&self) -> &LinkCounts {
        match self {
            Self::Frames(link) => link.counts(),
            Self::Netem(delay) => delay.counts(),
        }
    }
}

/// Bytes of a packet, with the headers of each segment (`qdisc_pkt_len_segs_init`). SACK blocks take eight
/// bytes each and four before them.
fn packet_bytes(segment: &Segment) -> u64 {
    let blocks = segment.sack.iter().filter(|block| block.1 > 0).count() as u64 + u64::from(segment.dsack.is_some());
    let options = if blocks > 0 { 4 + 8 * blocks.min(segment.sack_room() as u64) } else { 0 };
    // MSS, window scale, and the permission for SACK, which takes the place of padding beside timestamps.
    let handshake = match segment.kind {
        Kind::Syn | Kind::SynAck if segment.has_stamps => 8,
        Kind::Syn | Kind::SynAck => 12,
        Kind::Plain | Kind::Reset => 0,
    };
    segment.frames.max(1) * (segment.headers() + options + handshake) + segment.len
}

fn frame_kind(segment: &Segment) -> FrameKind {
    match segment.kind {
        Kind::Syn | Kind::SynAck => FrameKind::Syn,
        Kind::Plain if segment.len > 0 => FrameKind::Data,
        Kind::Plain | Kind::Reset => FrameKind::Other,
    }
}
