//! Frames in flight, which share the burst from which they were cut.

use std::rc::Rc;

use crate::segment::{Kind, Notification, Segment};

/// A frame of a burst, or a whole burst if bursts are not cut.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    burst: Rc<Segment>,
    /// Offset of its payload within the burst, bytes.
    from: u32,
    len: u32,
    is_cut: bool,
    /// Whether the path has marked it (CE).
    pub(crate) is_marked: bool,
}

impl Carried {
    /// The burst as one frame.
    pub(crate) fn whole(segment: Segment) -> Self {
        let len = u32::try_from(segment.len).unwrap_or(u32::MAX);
        Self { burst: Rc::new(segment), from: 0, len, is_cut: false, is_marked: false }
    }

    /// The frames of a burst, with at most `mss` bytes of payload each.
    pub(crate) fn cut(segment: Segment, mss: u64) -> impl Iterator<Item = Self> {
        let (len, mss) = (segment.len, mss.max(1));
        let burst = Rc::new(segment);
        (0..len.div_ceil(mss).max(1)).map(move |n| {
            let from = n * mss;
            let own = (len - from).min(mss);
            let [from, len] = [from, own].map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
            Self { burst: Rc::clone(&burst), from, len, is_cut: true, is_marked: false }
        })
    }

    fn is_last(&self) -> bool {
        u64::from(self.from) + u64::from(self.len) == self.burst.len
    }

    /// Kind of the segment.
    pub(crate) fn kind(&self) -> Kind {
        self.burst.kind
    }

    /// Whether it may be marked (ECT) instead of dropped.
    pub(crate) fn is_capable(&self) -> bool {
        self.burst.ecn.is_capable
    }

    /// Bytes of payload.
    pub(crate) fn payload(&self) -> u64 {
        self.len.into()
    }

    /// Bytes on the wire, including headers of each segment (`qdisc_pkt_len_segs_init`). SACK blocks have
    /// eight bytes each, after four bytes of option header and padding.
    pub(crate) fn wire_bytes(&self) -> u64 {
        let burst = &*self.burst;
        let blocks = burst.sack.iter().filter(|block| block.1 > 0).count() as u64 + u64::from(burst.dsack.is_some());
        let options = if blocks > 0 { 4 + 8 * blocks.min(burst.sack_room() as u64) } else { 0 };
        // MSS, window scale, and SACK permitted, which replaces the padding of the timestamps.
        let handshake = match burst.kind {
            Kind::Syn | Kind::SynAck if burst.has_stamps => 8,
            Kind::Syn | Kind::SynAck => 12,
            Kind::Plain | Kind::Reset => 0,
        };
        let frames = if self.is_cut { 1 } else { burst.frames.max(1) };
        frames * (burst.headers() + options + handshake) + self.payload()
    }

    /// The frame as a segment of its own.
    pub(crate) fn segment(&self) -> Segment {
        let burst = *self.burst;
        let ecn = Notification { is_marked: burst.ecn.is_marked || self.is_marked, ..burst.ecn };
        if !self.is_cut {
            return Segment { ecn, ..burst };
        }
        let is_last = self.is_last();
        Segment {
            seq: burst.seq + u64::from(self.from),
            len: self.len.into(),
            is_fin: burst.is_fin && is_last,
            is_push: burst.is_push && is_last,
            frames: 1,
            size: 0,
            // Only the first frame reports that the window was reduced (`SKB_GSO_TCP_ECN`).
            ecn: Notification { has_reduced: burst.ecn.has_reduced && self.from == 0, ..ecn },
            ..burst
        }
    }
}

/// Frames that arrive together, merged like by a receiving network card (`tcp_gro_receive`).
#[derive(Debug, Default)]
pub(crate) struct Merging {
    run: Option<Run>,
}

#[derive(Debug)]
struct Run {
    segment: Segment,
    last: Carried,
}

impl Merging {
    /// Merges `next`; a full segment of its sender has `size` bytes. Returns the previous run if `next` does
    /// not fit it.
    pub(crate) fn add(&mut self, next: Carried, size: u64) -> Option<Segment> {
        if let Some(run) = &mut self.run
            && run.joins(&next, size)
        {
            run.last = next;
            return None;
        }
        self.begin(next)
    }

    /// Begins a new run with `next`, and returns the previous one.
    pub(crate) fn begin(&mut self, next: Carried) -> Option<Segment> {
        let segment = next.segment();
        self.run.replace(Run { segment, last: next }).map(|run| run.segment)
    }

    /// The last run.
    pub(crate) fn end(self) -> Option<Segment> {
        self.run.map(|run| run.segment)
    }
}

impl Run {
    fn joins(&mut self, next: &Carried, size: u64) -> bool {
        /// Maximum payload of an IP packet.
        const LARGEST: u64 = 65_535 - 52;
        let run = &mut self.segment;
        let fits = run.len > 0
            && next.len > 0
            && !run.is_push
            && !run.is_fin
            && run.len.is_multiple_of(size)
            && next.payload() <= size
            && run.len + next.payload() <= LARGEST;
        // Frames of one burst have the same headers.
        let is_alike = fits
            && if Rc::ptr_eq(&self.last.burst, &next.burst) {
                self.last.from + self.last.len == next.from && self.last.is_marked == next.is_marked
            } else {
                run.merges_with(&next.segment())
            };
        if is_alike {
            if run.frames <= 1 {
                run.size = run.len;
            }
            let is_last = next.is_last();
            run.len += next.payload();
            run.is_push = next.burst.is_push && is_last;
            run.is_fin = next.burst.is_fin && is_last;
            run.frames += 1;
        }
        is_alike
    }
}
