//! Content of the first line about both ends of one connection: the place of each capture, and the one to
//! trust.

use super::contrast::Held;
use super::surer;
use crate::{Crossing, HalfConnection, Vantage};

/// Both captures of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BothEnds {
    /// Place of each capture.
    pub places: [Vantage; 2],
    /// Cause that each capture names.
    pub held: [Held; 2],
    /// The capture to trust.
    pub trust: Trust,
    /// Bytes of this direction that one capture has and the other lacks, and all bytes; `None` if a capture
    /// misses packets.
    pub lost: Option<[u64; 2]>,
}

/// The capture to trust about the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Both captures name the same limit.
    Both,
    /// The capture with this index.
    One(usize),
    /// The captures differ, and neither is surer.
    Neither,
}

impl BothEnds {
    /// Combines `halves`, the same direction in both captures, with `crossing`.
    pub fn new(halves: [&HalfConnection; 2], crossing: Option<&Crossing>) -> Self {
        let places = halves.map(|half| half.vantage);
        let held = halves.map(|half| half.verdict.cause.map_or(Held::Nothing, Held::Cause));
        let trust = if held[0].is_same(held[1]) {
            Trust::Both
        } else {
            let sender = || only_sender(places);
            surer(halves).or_else(sender).map_or(Trust::Neither, Trust::One)
        };
        let way = crossing.map(|crossing| crossing.ways[halves[0].sender.index()]);
        let lost = way.filter(|way| way.sent > 0).and_then(|way| Some([way.sent.checked_sub(way.arrived)?, way.sent]));
        Self { places, held, trust, lost }
    }
}

/// Returns the capture at the sender, if only one was made there: buffers and the congestion window are the
/// sender's.
fn only_sender(places: [Vantage; 2]) -> Option<usize> {
    match places.map(|place| place == Vantage::Sender) {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}
