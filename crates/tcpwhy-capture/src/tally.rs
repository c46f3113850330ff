use tcpwhy_model::{Anomalies, AnomalyKind, CaptureFormat, CaptureSummary, Segment, Span, Timestamp, Traffic};

use crate::frame::{self, decode_frame_into};
use crate::payload::PayloadHearer;

/// A step back of the clock that no reordering in a capture path explains, in nanoseconds.
const CLOCK_STEP: i64 = 1_000_000_000;

/// Link types that are told apart; files of more are fuzzers' work.
const MAX_LINK_TYPES: usize = 64;

/// Counts what a capture holds.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    packets: u64,
    segments: u64,
    captured_bytes: u64,
    original_bytes: u64,
    /// Earliest, latest.
    times: Option<(Timestamp, Timestamp)>,
    last: Timestamp,
    link_types: Vec<u32>,
    anomalies: Anomalies,
    /// What is not TCP.
    pub(crate) traffic: Traffic,
}

impl Tally {
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }

    /// Notes an anomaly of the packet that would come next.
    pub(crate) fn note_next(&mut self, kind: AnomalyKind, detail: u64) {
        self.anomalies.note(kind, self.packets + 1, detail);
    }

    /// Notes an anomaly of the second packet, before any was read.
    pub(crate) fn note_second(&mut self, kind: AnomalyKind) {
        self.anomalies.note(kind, 2, 0);
    }

    pub(crate) fn summary(&self, path: &str, format: CaptureFormat) -> CaptureSummary {
        CaptureSummary {
            path: path.to_owned(),
            format,
            packets: self.packets,
            segments: self.segments,
            skipped: self.packets - self.segments,
            captured_bytes: self.captured_bytes,
            original_bytes: self.original_bytes,
            span: self.times.map(|(earliest, latest)| Span::new(earliest, latest)),
            link_types: self.link_types.clone(),
            anomalies: self.anomalies.clone(),
        }
    }

    /// Counts one packet and its sizes in bytes.
    #[inline]
    fn count(&mut self, captured: &[u8], original_len: u32) {
        self.packets += 1;
        self.captured_bytes += captured.len() as u64;
        self.original_bytes += u64::from(original_len);
    }

    #[inline]
    fn clock(&mut self, timestamp: Timestamp) {
        match &mut self.times {
            Some((earliest, latest)) => {
                *earliest = timestamp.min(*earliest);
                *latest = timestamp.max(*latest);
                let step = timestamp.since(self.last);
                if step < -CLOCK_STEP {
                    self.anomalies.note(AnomalyKind::ClockStep, self.packets, step.unsigned_abs());
                }
            }
            None => self.times = Some((timestamp, timestamp)),
        }
        self.last = timestamp;
    }

    #[expect(clippy::inline_always, reason = "it nearly always compares two numbers")]
    #[inline(always)]
    fn link_type(&mut self, link_type: u32) {
        if self.link_types.last() != Some(&link_type) {
            self.other_link_type(link_type);
        }
    }

    #[cold]
    fn other_link_type(&mut self, link_type: u32) {
        if self.link_types.len() < MAX_LINK_TYPES && !self.link_types.contains(&link_type) {
            self.link_types.push(link_type);
        }
    }
}

/// Where a format's parser delivers packets: counts them, decodes them, and keeps their segments.
pub(crate) struct Sink<'a> {
    pub(crate) tally: &'a mut Tally,
    pub(crate) out: &'a mut Vec<Segment>,
    /// Segments that `out` may hold.
    pub(crate) limit: usize,
    /// Number of the last packet to take in this turn, whether segments came of it or not.
    pub(crate) last_packet: u64,
    /// Who asks for payload.
    pub(crate) hearer: Option<&'a mut (dyn PayloadHearer + 'static)>,
}

impl Sink<'_> {
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.out.len() >= self.limit || self.tally.packets >= self.last_packet
    }

    /// Takes one packet. Without a timestamp it has that of the packet before it. The last `fcs_len` bytes of the original
    /// are a check sequence, captured or not.
    #[expect(
        clippy::inline_always,
        reason = "it is called at one place a format, and a tenth of its work was the call"
    )]
    #[inline(always)]
    pub(crate) fn packet(
        &mut self,
        timestamp: Option<Timestamp>,
        link_type: u32,
        captured: &[u8],
        original_len: u32,
        fcs_len: u32,
    ) {
        let tally = &mut *self.tally;
        tally.count(captured, original_len);
        match timestamp {
            Some(timestamp) => tally.clock(timestamp),
            None => tally.anomalies.note(AnomalyKind::MissingTimestamp, tally.packets, 0),
        }
        tally.link_type(link_type);
        let frame_len = original_len.saturating_sub(fcs_len);
        let frame = if fcs_len == 0 { captured } else { captured.get(..frame_len as usize).unwrap_or(captured) };
        let counts = (&mut tally.anomalies, &mut tally.traffic);
        let is_segment = decode_frame_into(self.out, link_type, frame, frame_len, tally.packets, tally.last, counts);
        tally.segments += u64::from(is_segment);
        if is_segment && self.hearer.is_some() {
            self.offer_payload(link_type, frame, frame_len);
        }
    }

    #[cold]
    fn offer_payload(&mut self, link_type: u32, frame: &[u8], frame_len: u32) {
        if let (Some(hearer), Some(segment)) = (&mut self.hearer, self.out.last())
            && hearer.wants(segment)
        {
            hearer.hear(segment, frame::payload(link_type, frame, frame_len));
        }
    }

    /// Counts a packet of an interface that nothing describes, so of unknown link type and time.
    pub(crate) fn orphan(&mut self, interface: u32, captured: &[u8], original_len: u32) {
        self.tally.count(captured, original_len);
        self.tally.anomalies.note(AnomalyKind::UnknownInterface, self.tally.packets, u64::from(interface));
    }
}

/// How far a parser got in the bytes that it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The sink is full. `consumed` bytes are done with.
    Full { consumed: usize },
    /// The next record is not all there: `consumed` bytes are done with, and `need` are wanted after them.
    Starved { consumed: usize, need: usize },
    /// What follows `consumed` bytes cannot be read.
    Corrupt { consumed: usize },
}
