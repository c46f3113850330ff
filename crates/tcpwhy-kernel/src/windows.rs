//! Socket buffers of Windows, from Microsoft's documentation; none of it was measured.
//!
//! - Send: `send()` returns at once while less data than `SO_SNDBUF` is waiting, however large the write is.
//!   Data waits until it is acknowledged ("Design issues – Sending small data segments over TCP with
//!   Winsock").
//! - Unless `SO_SNDBUF` is set, dynamic send buffering follows the path's ideal send backlog since Windows 7
//!   and Server 2008 R2 (`SIO_IDEAL_SEND_BACKLOG_QUERY`). The authors of `FileZilla` found that programs must
//!   do this themselves, so the initial buffer is the lower bound.
//! - Receive: the autotuning level determines the window scale: 2, 4, 8 or 14, none if disabled ("Performance
//!   tuning network adapters", autotuning levels). `SO_RCVBUF` fixes the window instead.

use tcpwhy_model::{ByteCount, WindowScale};

use crate::answer::note;
use crate::figure::Derivation;
use crate::window::{scale_for, wire_cap};
use crate::writers::{Writer, WriterRow};
use crate::{
    BufferKind, BufferRequest, Change, Coverage, Figure, Granted, Ground, Note, Point, Question, ReceiveLimits, Remedy,
    Rule, SendLimits, Side, WindowsRelease, Writing, rate_of_window,
};

impl WindowsRelease {
    /// `SO_SNDBUF` and `SO_RCVBUF` if not set: `getsockopt` returns 8,192 up to Windows 7 and Server 2008 R2,
    /// and 65,536 in later releases.
    pub const fn default_buffer(self) -> ByteCount {
        match self {
            Self::Windows7 | Self::Server2008R2 => 8192,
            _ => 65_536,
        }
    }
}

/// A question about Windows.
#[derive(Clone, Copy, Debug)]
pub struct WindowsQuestion<'a> {
    /// The input; its kernel and sysctls are ignored.
    pub question: Question<'a>,
    /// Release of Windows.
    pub release: WindowsRelease,
}

/// Size of writes in the table of rates: the block size of the documentation and of most copying programs.
const TABLE_WRITE: ByteCount = 8 << 10;
/// Buffers of the table of rates.
const TABLE_BUFFERS: [ByteCount; 6] = [8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10];
/// Round-trip times of the table of rates, in seconds.
const TABLE_ROUND_TRIPS: [f64; 5] = [1e-3, 5e-3, 20e-3, 50e-3, 100e-3];
/// Write sizes of the rows by writer, besides one segment.
const USUAL_WRITES: [ByteCount; 3] = [8 << 10, 16 << 10, 64 << 10];

/// Rates by `SO_SNDBUF`.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowsRates {
    /// Bytes per write.
    pub write: ByteCount,
    /// Bytes of `SO_SNDBUF`, and the highest rate by round-trip time.
    pub rows: Vec<(ByteCount, Vec<Point>)>,
}

/// Bytes in flight if all data is sent at once: a write is accepted while less than `buffer` is waiting.
const fn taken(buffer: ByteCount, write: ByteCount) -> ByteCount {
    let write = if write == 0 { 1 } else { write };
    // Without a buffer there is one write at a time.
    let writes = buffer.div_ceil(write);
    if writes == 0 { write } else { writes * write }
}

fn documented(bytes: ByteCount) -> Figure {
    Figure::exact(bytes).trusted(Ground::Documented)
}

/// A request is accepted unchanged; a negative one counts as 0.
fn granted(request: BufferRequest) -> Granted {
    let bytes = ByteCount::try_from(request.bytes).unwrap_or(0);
    Granted { request, cap: None, clamped: bytes, reported: bytes }
}

impl WindowsQuestion<'_> {
    /// Rates by `SO_SNDBUF` and round-trip time, at most the bandwidth of the question.
    pub fn rates(&self) -> WindowsRates {
        let write = match self.question.writer {
            Writer::Any | Writer::AnyWithNodelay => TABLE_WRITE,
            Writer::Given(writing) => writing.bytes,
        };
        let row = |buffer: ByteCount| {
            let points = TABLE_ROUND_TRIPS.iter().map(|&at| self.point(at, at, taken(buffer, write)));
            (buffer, points.collect())
        };
        WindowsRates { write, rows: TABLE_BUFFERS.into_iter().map(row).collect() }
    }

    /// Rate by requested size.
    pub fn rate_by_request(&self, kind: BufferKind, round_trip_seconds: f64) -> Vec<Point> {
        (12..=24)
            .map(|power| {
                let bytes = 1 << power;
                let flight = match kind {
                    BufferKind::Send => taken(bytes, self.question.writer.writing().bytes),
                    BufferKind::Receive => bytes,
                };
                self.point(bytes as f64, round_trip_seconds, flight)
            })
            .collect()
    }

    fn point(&self, at: f64, round_trip_seconds: f64, flight: ByteCount) -> Point {
        let rate = rate_of_window(flight, round_trip_seconds);
        let rate = match self.question.bandwidth {
            Some(most) if most.bytes_per_sec() < rate.bytes_per_sec() => most,
            _ => rate,
        };
        Point { at, rate }
    }

    /// Answers the question for the sender.
    pub fn send(&self) -> Side<SendLimits> {
        let Question { sndbuf, writer, .. } = self.question;
        let limits = self.send_limits(sndbuf, writer.writing());
        let autotuned = sndbuf.map(|_| self.send_limits(None, writer.writing()));
        let writers = if writer.is_range() { self.by_writer(sndbuf) } else { Vec::new() };
        let flight = WriterRow::range(&writers, limits.largest_flight);
        let mut notes = Vec::new();
        note(&mut notes, Note::AutotuningOff, sndbuf.is_some());
        note(&mut notes, Note::IdealBacklog, sndbuf.is_none());
        note(&mut notes, Note::OneWriteBeyond, sndbuf.is_some());
        self.side(BufferKind::Send, limits, autotuned, flight, |limits| limits.largest_flight, writers, notes)
    }

    /// Answers the question for the receiver.
    pub fn receive(&self) -> Side<ReceiveLimits> {
        let rcvbuf = self.question.rcvbuf;
        let limits = self.receive_limits(rcvbuf);
        let autotuned = rcvbuf.map(|_| self.receive_limits(None));
        let flight = limits.largest_flight;
        let mut notes = Vec::new();
        note(&mut notes, Note::AutotuningOff, rcvbuf.is_some());
        note(&mut notes, Note::AutotuningLevel, true);
        self.side(BufferKind::Receive, limits, autotuned, flight, |limits| limits.largest_flight, Vec::new(), notes)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one answer, named at the two calls above")]
    fn side<L>(
        &self,
        kind: BufferKind,
        limits: L,
        autotuned: Option<L>,
        flight: Figure,
        largest_flight: impl Fn(&L) -> Figure,
        writers: Vec<WriterRow>,
        notes: Vec<Note>,
    ) -> Side<L> {
        let product = self.question.path().map(|path| path.bandwidth_delay_product());
        let coverage = product.map(|product| Coverage::of(&flight, product));
        let remedies = match (product, coverage) {
            (Some(product), Some(Coverage::TooSmall | Coverage::Doubtful)) => self.remedies(kind, product),
            _ => Vec::new(),
        };
        let autotuned_flight = autotuned.as_ref().map(largest_flight);
        Side { limits, autotuned, flight, autotuned_flight, coverage, remedies, writers, notes }
    }

    /// Changes that allow `product` bytes in flight. For a receiver: autotuning if that grows far enough,
    /// otherwise a request. A sender's request equals the product, because `send()` accepts as many bytes as
    /// the buffer has.
    fn remedies(&self, kind: BufferKind, product: ByteCount) -> Vec<Remedy> {
        let is_set = match kind {
            BufferKind::Send => self.question.sndbuf.is_some(),
            BufferKind::Receive => self.question.rcvbuf.is_some(),
        };
        let mut remedies = Vec::new();
        if is_set && (kind == BufferKind::Send || self.question.autotuning_level.largest_window() >= product) {
            remedies.push(vec![Change::Unset(kind)]);
        }
        if i32::try_from(product).is_ok() {
            remedies.push(vec![Change::Ask(kind, product)]);
        }
        remedies
    }

    fn by_writer(&self, request: Option<BufferRequest>) -> Vec<WriterRow> {
        let segment = self.question.link.mss();
        let row = |bytes| {
            let flight = self.send_limits(request, Writing { bytes, ..Writing::BULK }).largest_flight;
            WriterRow { bytes, blocking: flight, polling: flight }
        };
        let larger = USUAL_WRITES.into_iter().filter(|&bytes| bytes > segment);
        std::iter::once(segment).chain(larger).map(row).collect()
    }

    fn send_limits(&self, request: Option<BufferRequest>, writing: Writing) -> SendLimits {
        let mut steps = Derivation::new(Ground::Documented);
        let granted = request.map(granted);
        let buffer = granted.map_or(self.release.default_buffer(), |granted| granted.reported);
        let rule = if granted.is_some() { Rule::WindowsRequest } else { Rule::WindowsDefault };
        steps.note(rule, Ground::Documented, format!("SO_SNDBUF = {buffer}"), buffer);
        let flight = taken(buffer, writing.bytes);
        let formula = format!("writes of {} while less than {buffer} waits: {flight}", writing.bytes);
        steps.note(Rule::WindowsSend, Ground::Documented, formula, flight);
        let initial_flight = documented(flight);
        let largest_flight = if granted.is_some() {
            initial_flight
        } else {
            steps.note(Rule::WindowsBacklog, Ground::Documented, format!("{flight} or more"), flight);
            Figure { high: None, ..initial_flight }
        };
        let initial_buffer = documented(buffer);
        let largest_buffer = if granted.is_some() { initial_buffer } else { Figure { high: None, ..initial_buffer } };
        SendLimits {
            granted,
            initial_buffer,
            largest_buffer,
            initial_flight,
            largest_flight,
            largest_unsent: None,
            steps: steps.into_steps(),
        }
    }

    fn receive_limits(&self, request: Option<BufferRequest>) -> ReceiveLimits {
        let mut steps = Derivation::new(Ground::Documented);
        let granted = request.map(granted);
        let mss = self.question.link.announced_mss();
        // Initial window on an Ethernet of 100 Mbit/s to 10 Gbit/s: 64 KB in whole segments, 64,240 bytes in
        // the documentation's captures.
        let usual = 65_535 / mss.max(1) * mss.max(1);
        let (window, scale) = if let Some(granted) = granted {
            let asked = granted.reported.min(wire_cap(WindowScale::LARGEST));
            steps.note(Rule::WindowsRequest, Ground::Documented, format!("SO_RCVBUF = {asked}"), asked);
            let is_early = granted.request.when.is_before_syn();
            let scale = if is_early { scale_for(asked) } else { self.question.autotuning_level.scale() };
            (asked.min(wire_cap(scale)), scale)
        } else {
            let level = self.question.autotuning_level;
            let (scale, most) = (level.scale(), level.largest_window());
            steps.note(Rule::WindowsAutotuning, Ground::Documented, format!("65535 << {scale} = {most}"), most);
            (most, scale)
        };
        let buffer = documented(granted.map_or(self.release.default_buffer(), |granted| granted.reported));
        let syn = Figure::range(usual.min(window), 8192.min(window), Some(65_535.min(window)), Ground::Documented);
        let largest = documented(window);
        ReceiveLimits {
            granted,
            initial_buffer: buffer,
            largest_buffer: documented(buffer.value.max(window)),
            window_scale: scale,
            syn_window: syn,
            syn_ack_window: syn,
            initial_window: syn,
            window_clamp: largest,
            largest_window: largest,
            largest_flight: largest,
            wire_cap: wire_cap(scale),
            is_wire_capped: granted.is_some_and(|granted| granted.reported > wire_cap(scale)),
            is_frozen: false,
            growth_round_trips: None,
            steps: steps.into_steps(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Rate;

    use super::*;
    use crate::AutotuningLevel;
    use crate::{KernelVersion, Link, Sysctls};

    fn asked(sysctls: &Sysctls, release: WindowsRelease) -> WindowsQuestion<'_> {
        let question = Question {
            version: KernelVersion::series(6, 18),
            sysctls,
            sndbuf: None,
            rcvbuf: None,
            window_clamp: None,
            notsent_lowat: None,
            link: Link::ETHERNET,
            writer: Writer::Any,
            is_bbr: false,
            round_trip_seconds: Some(20e-3),
            bandwidth: Some(Rate::from_bits_per_sec(100e6)),
            transfer_bytes: None,
            window: None,
            autotuning_level: AutotuningLevel::Normal,
        };
        WindowsQuestion { question, release }
    }

    /// "Less than `SO_SNDBUF`": bytes of the request, rounded up to whole writes.
    #[test]
    fn a_write_is_taken_while_there_is_room() {
        for (buffer, write, expected) in [
            (8192, 8192, 8192),
            (8192, 8191, 2 * 8191),
            (8192, 1, 8192),
            (8192, 1 << 20, 1 << 20),
            (65_536, 8192, 65_536),
            (0, 8192, 8192),
        ] {
            assert_eq!(taken(buffer, write), expected, "{buffer} {write}");
        }
    }

    #[test]
    fn defaults_of_old_and_new_releases() {
        for (release, bytes) in
            [(WindowsRelease::Windows7, 8192), (WindowsRelease::Server2008R2, 8192), (WindowsRelease::Windows8, 65_536)]
        {
            let send = asked(&Sysctls::new(), release).send().limits;
            assert_eq!(send.initial_buffer.value, bytes);
            assert_eq!((send.largest_flight.high, send.largest_flight.ground), (None, Ground::Documented));
        }
    }

    /// 65,535 bytes, 256 KiB, 1 MiB, 16 MiB, 1 GiB, in units of 2^scale.
    #[test]
    fn levels_and_their_largest_windows() {
        let windows = AutotuningLevel::ALL.map(AutotuningLevel::largest_window);
        assert_eq!(windows, [65_535, 262_140, 1_048_560, 16_776_960, 1_073_725_440]);
        let of = |level| {
            let sysctls = Sysctls::new();
            let mut asked = asked(&sysctls, WindowsRelease::Windows10);
            asked.question.autotuning_level = level;
            asked.receive().limits.largest_window.value
        };
        assert_eq!(of(AutotuningLevel::Restricted), 1_048_560);
    }

    /// `SO_SNDBUF` 8 KiB and writes of 8 KiB: one write per round trip, 3.3 Mbit/s at 20 ms; eight times as
    /// much with 64 KiB.
    #[test]
    fn a_larger_send_buffer_is_faster_in_proportion() {
        let rates = asked(&Sysctls::new(), WindowsRelease::Windows7).rates();
        let at_20_ms = |buffer| {
            let (_, points) = rates.rows.iter().find(|row| row.0 == buffer).unwrap();
            points.iter().find(|point| (point.at - 20e-3).abs() < 1e-9).unwrap().rate.bits_per_sec()
        };
        assert!((at_20_ms(8192) - 3.2768e6).abs() < 1.0);
        assert!((at_20_ms(65_536) / at_20_ms(8192) - 8.0).abs() < 1e-6);
        assert!((at_20_ms(262_144) - 100e6).abs() < 1.0, "the link's");
    }

    #[test]
    fn a_set_buffer_is_the_window() {
        let sysctls = Sysctls::new();
        let mut asked = asked(&sysctls, WindowsRelease::Server2022);
        asked.question.rcvbuf = Some(BufferRequest::new(65_536));
        let side = asked.receive();
        assert_eq!((side.limits.largest_window.value, side.limits.window_scale), (65_536, 1));
        assert_eq!(side.coverage, Some(Coverage::TooSmall));
        assert_eq!(side.remedies[0], [Change::Unset(BufferKind::Receive)]);
        assert_eq!(side.remedies[1], [Change::Ask(BufferKind::Receive, 250_000)]);
    }
}
