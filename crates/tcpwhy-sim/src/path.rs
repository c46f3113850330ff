//! The path between two hosts: frames on a wire, or whole bursts.

use tcpwhy_path::link::{FrameKind, Link, LinkCounts, Wire};
use tcpwhy_scenario::{Flow, LinkSpec};

use crate::frame::Carried;
use crate::netem::{Delay, Netem};
use crate::segment::Kind;
use crate::time::{MICROSECOND, Time};

/// The path between two hosts.
#[derive(Clone, Debug)]
pub enum Path {
    /// A wire: interfaces cut bursts into frames, and the lab's emulator handles each frame separately.
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

    /// Both directions, first the one to the receiver.
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

/// Bounds of the delay for joint delivery of frames, as by the lab's emulator and by interrupt moderation of
/// a card (`rx-usecs`). Between these bounds it is a quarter of the path's delay.
const MODERATION: [Time; 2] = [10 * MICROSECOND, 80 * MICROSECOND];

/// One direction of a path.
#[derive(Debug)]
pub(crate) enum Direction {
    Frames(Box<Link<Carried>>),
    Netem(Box<Delay<Carried>>),
}

impl Direction {
    /// Starts the schedule of path changes.
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

    /// Time since when the bottleneck has been busy; 0 if it is idle.
    pub(crate) fn busy_for(&self, now: Time) -> Time {
        match self {
            Self::Frames(link) => link.busy_for(now),
            Self::Netem(delay) => delay.busy_for(now),
        }
    }

    /// Time that the first packet waits at its sender.
    pub(crate) fn first_waits(&self) -> Time {
        match self {
            Self::Frames(_) => 0,
            Self::Netem(delay) => delay.wait_for_neighbours(),
        }
    }

    /// Time of the next delivery.
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
