use tcpwhy_model::{Anomalies, AnomalyKind, CaptureFormat, CaptureSummary, Segment, Span, Timestamp, Traffic};

use crate::frame::{self, decode_frame_into};
use crate::payload::PayloadHearer;

/// Smallest step back of the clock that reordering in a capture path does not explain, in nanoseconds.
const CLOCK_STEP: i64 = 1_000_000_000;

/// Maximum number of distinct link types; only fuzzers produce more.
const MAX_LINK_TYPES: usize = 64;

/// Counters of one capture.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    packets: u64,
    segments: u64,
    captured_bytes: u64,
    original_bytes: u64,
    /// Earliest and latest timestamp.
    times: Option<(Timestamp, Timestamp)>,
    last: Timestamp,
    link_types: Vec<u32>,
    anomalies: Anomalies,
    /// Traffic other than TCP.
    pub(crate) traffic: Traffic,
}

impl Tally {
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }

    /// Counts an anomaly of the next packet.
    pub(crate) fn note_next(&mut self, kind: AnomalyKind, detail: u64) {
        self.anomalies.note(kind, self.packets + 1, detail);
    }

    /// Counts an anomaly of the second packet, before any was read.
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

/// Destination for the packets of a parser: counts and decodes them, and keeps their segments.
pub(crate) struct Sink<'a> {
    pub(crate) tally: &'a mut Tally,
    pub(crate) out: &'a mut Vec<Segment>,
    /// Maximum number of segments in `out`.
    pub(crate) limit: usize,
    /// Number of the last packet in this batch, with or without segments.
    pub(crate) last_packet: u64,
    /// Receiver of requested payload.
    pub(crate) hearer: Option<&'a mut (dyn PayloadHearer + 'static)>,
}

impl Sink<'_> {
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.out.len() >= self.limit || self.tally.packets >= self.last_packet
    }

    /// Processes one packet. Without a timestamp it gets that of the packet before. The last `fcs_len` bytes
    /// of the original are a frame check sequence, captured or not.
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

    /// Counts a packet of an undescribed interface, whose link type and time are unknown.
    pub(crate) fn orphan(&mut self, interface: u32, captured: &[u8], original_len: u32) {
        self.tally.count(captured, original_len);
        self.tally.anomalies.note(AnomalyKind::UnknownInterface, self.tally.packets, u64::from(interface));
    }
}

/// Progress of a parser in the given bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The sink is full after `consumed` bytes.
    Full { consumed: usize },
    /// The next record is incomplete: after `consumed` bytes, `need` bytes are required.
    Starved { consumed: usize, need: usize },
    /// The bytes after `consumed` cannot be read.
    Corrupt { consumed: usize },
}
