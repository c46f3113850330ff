//! What lies between two hosts: frames of a wire, or packets as their sender made them.

use tcpwhy_path::link::{FrameKind, Link, LinkCounts, Wire};
use tcpwhy_scenario::{Flow, LinkSpec};

use crate::frame::Carried;
use crate::netem::{Delay, Netem};
use crate::segment::Kind;
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
    Frames(Box<Link<Carried>>),
    Netem(Box<Delay<Carried>>),
}

impl Direction {
    /// Changes of the path count from here on.
    pub(crate) fn begin(&mut self, now: Time) {
        if let Self::Frames(link) = self {
            link.begin(now);
        }
    }

    pub(crate) fn accept(&mut self, now: Time, frame: Carried) {
        let bytes = frame.wire_bytes();
        match self {
            Self::Frames(link) => {
                let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                let wire = Wire { bytes, kind: frame_kind(&frame), is_ecn_capable: frame.is_capable() };
                link.accept(now, wire, frame);
            }
            Self::Netem(delay) => delay.accept(now, bytes, frame),
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

    pub(crate) fn deliver(&mut self, now: Time) -> Option<Carried> {
        match self {
            Self::Frames(link) => link.deliver(now).map(|arrival| {
                let mut frame = arrival.item;
                frame.is_marked |= arrival.is_marked;
                frame
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

fn frame_kind(frame: &Carried) -> FrameKind {
    match frame.kind() {
        Kind::Syn | Kind::SynAck => FrameKind::Syn,
        Kind::Plain if frame.payload() > 0 => FrameKind::Data,
        Kind::Plain | Kind::Reset => FrameKind::Other,
    }
}
