//! The document that `tcpwhy buffers --json` writes.

use serde::Serialize;
use tcpwhy_kernel as kernel;

use super::rounded;
use super::{SCHEMA, Tool};
use crate::Wording;
use crate::buffers::{self, BufferSide, BufferWords, SettingsOrigin, ground_id, when_id};

/// The document that `tcpwhy buffers --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct BuffersDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// Kernel version, or the name of another operating system.
    pub(crate) system: String,
    /// `host`, `file` or `defaults`.
    pub(crate) settings_from: String,
    /// Settings that were used, as `sysctl` prints them. The kernel's defaults replace those that a host
    /// lacks.
    pub(crate) sysctls: std::collections::BTreeMap<String, String>,
    /// MTU of the link.
    pub(crate) mtu_bytes: u32,
    /// Bytes per write of the sender; an example if `is_write_given` is false.
    pub(crate) write_bytes: u64,
    /// Whether the size of the sender's writes was given. Otherwise bytes in flight, rate and time of a fixed
    /// send buffer are ranges over programs that write differently.
    pub(crate) is_write_given: bool,
    /// Round-trip time that was asked about.
    pub(crate) rtt_us: Option<f64>,
    /// Bandwidth that was asked about.
    pub(crate) bandwidth_bits_per_s: Option<f64>,
    /// Bytes in flight that fill the path.
    pub(crate) bandwidth_delay_bytes: Option<u64>,
    /// Bytes of the transfer whose time was asked for.
    pub(crate) transfer_bytes: Option<u64>,
    /// The window that was asked about instead of buffers.
    pub(crate) window: Option<GivenWindow>,
    /// Rates of Windows by `SO_SNDBUF` and round-trip time; null for other systems.
    pub(crate) windows_rates: Option<WindowsTable>,
    /// The sides that were asked about.
    pub(crate) buffers: Vec<Buffer>,
}

/// A window that was asked about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct GivenWindow {
    /// The window.
    pub(crate) window_bytes: u64,
    /// Smallest window scale that can announce it.
    pub(crate) window_shift: u8,
    /// Bytes of the window that carry data: whole segments.
    pub(crate) flight_bytes: u64,
    /// Rate at the given round-trip time, regardless of the bandwidth.
    pub(crate) rate_bits_per_s: Option<f64>,
    /// `covered`, `doubtful` or `too-small`; null without a path.
    pub(crate) coverage: Option<String>,
    /// Time of the transfer that was asked about, slow start included.
    pub(crate) transfer_s: Option<f64>,
    /// Smallest `SO_RCVBUF` that offers the window; null if none does.
    pub(crate) rcvbuf_bytes: Option<u64>,
    /// Smallest third value of `tcp_rmem` with which autotuning offers the window.
    pub(crate) tcp_rmem_max_bytes: Option<u64>,
    /// Smallest `SO_SNDBUF` that allows so many bytes in flight.
    pub(crate) sndbuf_bytes: Option<u64>,
    /// Smallest third value of `tcp_wmem` with which autotuning allows so many bytes in flight.
    pub(crate) tcp_wmem_max_bytes: Option<u64>,
}

/// Rates of Windows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct WindowsTable {
    /// Bytes per write.
    pub(crate) write_bytes: u64,
    /// One for each buffer.
    pub(crate) buffers: Vec<WindowsRow>,
}

/// Rates of one buffer of Windows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct WindowsRow {
    /// `SO_SNDBUF`.
    pub(crate) sndbuf_bytes: u64,
    /// Highest rate by round-trip time.
    pub(crate) rate_by_rtt: Vec<WindowsPoint>,
}

/// A rate at a round-trip time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct WindowsPoint {
    /// Round-trip time.
    pub(crate) rtt_us: f64,
    /// Highest rate.
    pub(crate) rate_bits_per_s: f64,
}

/// The effect of the buffer for a program that writes so many bytes at a time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct WriterEntry {
    /// Bytes per write.
    pub(crate) write_bytes: u64,
    /// Bytes in flight when writes block.
    pub(crate) flight_bytes: Figure,
    /// Bytes in flight when the program polls before each write.
    pub(crate) polling_flight_bytes: Figure,
    /// Highest rate at the given round-trip time if writes block, regardless of the bandwidth.
    pub(crate) rate_bits_per_s: Option<Range>,
    /// Time of the transfer that was asked about if writes block.
    pub(crate) transfer_s: Option<Range>,
    /// Time of that transfer if the program polls before each write.
    pub(crate) polling_transfer_s: Option<Range>,
}

/// One buffer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Buffer {
    /// `send` or `receive`.
    pub(crate) side: String,
    /// The request and how the kernel treats it; null with autotuning.
    pub(crate) request: Option<Request>,
    /// Size that getsockopt returns at first.
    pub(crate) getsockopt_bytes: Option<Figure>,
    /// Largest size that the buffer may grow to.
    pub(crate) largest_buffer_bytes: Option<Figure>,
    /// Whether setting the option disables autotuning; null if unknown.
    pub(crate) ends_autotuning: Option<bool>,
    /// Bytes in flight (send) or offered (receive) at first.
    pub(crate) initial_flight_bytes: Option<Figure>,
    /// Bytes in flight in the long run, in whole segments.
    pub(crate) flight_bytes: Option<Figure>,
    /// Most bytes that wait unsent (`TCP_NOTSENT_LOWAT`); null if only the buffer limits them.
    pub(crate) unsent_bytes: Option<Figure>,
    /// The receiver's windows; null for the sender.
    pub(crate) windows: Option<Windows>,
    /// Highest rate at the given round-trip time, regardless of the bandwidth.
    pub(crate) rate_bits_per_s: Option<Range>,
    /// `covered`, `doubtful` or `too-small`; null without a path.
    pub(crate) coverage: Option<String>,
    /// Time of the transfer that was asked about, slow start included, on a path without loss.
    pub(crate) transfer_s: Option<Range>,
    /// Limits of this buffer by size of the writes; empty if that size was given, and for a receiver.
    pub(crate) writers: Vec<WriterEntry>,
    /// Limits with autotuning instead; null without a request.
    pub(crate) autotuned: Option<Autotuned>,
    /// Round trips until autotuning has grown the receive buffer, within two; null if nothing grows.
    pub(crate) growth_round_trips: Option<u64>,
    /// Changes that would fill the path, best first.
    pub(crate) remedies: Vec<RemedyEntry>,
    /// Unexpected effects.
    pub(crate) notes: Vec<NoteEntry>,
    /// Steps of the derivation.
    pub(crate) steps: Vec<StepEntry>,
    /// Highest rate by round-trip time.
    pub(crate) rate_by_rtt: Vec<RttPoint>,
    /// Highest rate by requested size, at the given round-trip time.
    pub(crate) rate_by_request: Vec<RequestPoint>,
}

/// A request and how the kernel treats it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Request {
    /// `SO_SNDBUF`, `SO_RCVBUF` or their `FORCE` forms.
    pub(crate) option: String,
    /// Number that was passed to setsockopt.
    pub(crate) asked_bytes: i64,
    /// `before-connect`, `on-listener`, `after-connect` or `after-data`.
    pub(crate) when: String,
    /// Sysctl that caps it; null for the FORCE forms and if unknown.
    pub(crate) cap_sysctl: Option<String>,
    /// Value of that sysctl.
    pub(crate) cap_bytes: Option<u64>,
    /// Bytes that remain after the cap.
    pub(crate) clamped_bytes: Option<u64>,
    /// Whether the cap reduced the request.
    pub(crate) is_clamped: Option<bool>,
}

/// A number of bytes and its range.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Figure {
    /// Best single value.
    pub(crate) value: u64,
    /// Lower end.
    pub(crate) low: u64,
    /// Upper end; null if unbounded.
    pub(crate) high: Option<u64>,
    /// `exact`, `measured`, `source` (read in the kernel's source), `documented` (by the vendor) or
    /// `assumed`.
    pub(crate) ground: String,
}

/// A range of rates or seconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Range {
    /// Best single value.
    pub(crate) value: f64,
    /// Lower end.
    pub(crate) low: f64,
    /// Upper end; null if unbounded.
    pub(crate) high: Option<f64>,
}

/// The receiver's windows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Windows {
    /// Window scale in SYN or SYN-ACK.
    pub(crate) window_shift: u8,
    /// Window field of the SYN, if this end connects.
    pub(crate) syn_window_bytes: Figure,
    /// Window field of the SYN-ACK, if this end listens and both ends use timestamps.
    pub(crate) syn_ack_window_bytes: Figure,
    /// First window after the handshake.
    pub(crate) initial_window_bytes: Figure,
    /// Largest window.
    pub(crate) largest_window_bytes: Figure,
    /// Largest window that the scale can express.
    pub(crate) wire_cap_bytes: u64,
}

/// Limits with autotuning.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Autotuned {
    /// Largest buffer.
    pub(crate) largest_buffer_bytes: Figure,
    /// Bytes in flight.
    pub(crate) flight_bytes: Figure,
}

/// Changes that belong together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RemedyEntry {
    /// Ids of the changes: `unset-sndbuf`, `ask-rcvbuf`, `raise` …
    pub(crate) changes: Vec<String>,
    /// Description.
    pub(crate) text: String,
    /// Lines to copy.
    pub(crate) lines: Vec<String>,
}

/// An unexpected effect.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct NoteEntry {
    /// Stable kebab-case id.
    pub(crate) note: String,
    /// Description.
    pub(crate) text: String,
}

/// One step of the derivation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct StepEntry {
    /// Stable kebab-case id of the rule.
    pub(crate) rule: String,
    /// Formula with its numbers.
    pub(crate) formula: String,
    /// Result of the formula.
    pub(crate) result: u64,
    /// `exact`, `measured`, `source` (read in the kernel's source), `documented` (by the vendor) or
    /// `assumed`.
    pub(crate) ground: String,
    /// Kernel function and file, commit, or measurement.
    pub(crate) source: String,
    /// Description of the rule.
    pub(crate) text: String,
}

/// A point of the curve by round-trip time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RttPoint {
    /// Round-trip time.
    pub(crate) rtt_us: f64,
    /// Highest rate.
    pub(crate) rate_bits_per_s: f64,
    /// Highest rate with autotuning; null without a request.
    pub(crate) autotuned_rate_bits_per_s: Option<f64>,
}

/// A point of the curve by requested size.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RequestPoint {
    /// Number that was passed to setsockopt.
    pub(crate) asked_bytes: u64,
    /// Highest rate.
    pub(crate) rate_bits_per_s: f64,
}

impl BuffersDocument {
    /// Makes the document from the answer.
    pub fn new(wording: Wording<'_>, buffers: &buffers::Buffers<'_>) -> Self {
        let words = BufferWords { wording, buffers };
        let question = &buffers.question;
        let sides = buffers.sides.iter().map(|side| Buffer::new(words, side));
        let foreign = buffers.foreign.iter().map(|(kind, foreign)| Buffer::foreign(*kind, foreign));
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            system: buffers.system.to_string(),
            settings_from: match buffers.origin {
                SettingsOrigin::Host => "host",
                SettingsOrigin::File(_) => "file",
                SettingsOrigin::Defaults => "defaults",
            }
            .into(),
            sysctls: question.sysctls.iter().map(|(name, value)| (name.name().into(), value.to_string())).collect(),
            mtu_bytes: question.link.mtu,
            write_bytes: question.writer.writing().bytes,
            is_write_given: !question.writer.is_range(),
            rtt_us: question.round_trip_seconds.map(|seconds| rounded(seconds * 1e6)),
            bandwidth_bits_per_s: question.bandwidth.map(|rate| rounded(rate.bits_per_sec())),
            bandwidth_delay_bytes: buffers.path().map(|path| path.bandwidth_delay_product()),
            transfer_bytes: question.transfer_bytes,
            window: buffers.window.as_ref().map(|answer| GivenWindow::new(buffers, answer)),
            windows_rates: buffers.windows_rates.as_ref().map(WindowsTable::new),
            buffers: sides.chain(foreign).collect(),
        }
    }
}

impl Buffer {
    fn new(words: BufferWords<'_>, side: &BufferSide) -> Self {
        let autotuned_curve = side.by_round_trip.1.as_ref();
        Self {
            side: side_id(side.kind).into(),
            request: side.granted.map(|granted| Request {
                option: BufferWords::option(side.kind, Some(granted.request)).into(),
                asked_bytes: granted.request.bytes.into(),
                when: when_id(granted.request.when).into(),
                cap_sysctl: granted.cap.map(|(sysctl, _)| sysctl.name().into()),
                cap_bytes: granted.cap.map(|(_, cap)| cap.value),
                clamped_bytes: Some(granted.clamped),
                is_clamped: Some(granted.is_clamped()),
            }),
            getsockopt_bytes: Some(figure(side.initial_buffer)),
            largest_buffer_bytes: Some(figure(side.largest_buffer)),
            ends_autotuning: Some(true),
            initial_flight_bytes: Some(figure(side.initial_flight)),
            flight_bytes: Some(figure(side.flight)),
            unsent_bytes: side.unsent.map(figure),
            windows: side.windows.map(|windows| Windows {
                window_shift: windows.scale,
                syn_window_bytes: figure(windows.syn),
                syn_ack_window_bytes: figure(windows.syn_ack),
                initial_window_bytes: figure(windows.initial),
                largest_window_bytes: figure(windows.largest),
                wire_cap_bytes: windows.cap,
            }),
            rate_bits_per_s: rates(words.buffers, &side.flight),
            coverage: side.coverage.map(|coverage| coverage.id().into()),
            transfer_s: side.transfer.map(seconds),
            writers: side.writers.iter().map(|row| WriterEntry::new(words.buffers, row)).collect(),
            autotuned: side.autotuned.map(|(buffer, flight)| Autotuned {
                largest_buffer_bytes: figure(buffer),
                flight_bytes: figure(flight),
            }),
            growth_round_trips: side.growth_round_trips,
            remedies: side
                .remedies
                .iter()
                .map(|remedy| RemedyEntry {
                    changes: remedy.iter().map(|change| change.id().into()).collect(),
                    text: words.remedy(remedy),
                    lines: words.lines(remedy),
                })
                .collect(),
            notes: side
                .notes
                .iter()
                .map(|note| NoteEntry { note: note.id().into(), text: words.note(side, *note) })
                .collect(),
            steps: side
                .steps
                .iter()
                .map(|step| StepEntry {
                    rule: step.rule.id().into(),
                    formula: step.formula.clone(),
                    result: step.result,
                    ground: ground_id(step.ground).into(),
                    source: step.rule.source().into(),
                    text: words.rule(step),
                })
                .collect(),
            rate_by_rtt: (side.by_round_trip.0.iter().enumerate())
                .map(|(i, point)| RttPoint {
                    rtt_us: rounded(point.at * 1e6),
                    rate_bits_per_s: rounded(point.rate.bits_per_sec()),
                    autotuned_rate_bits_per_s: autotuned_curve
                        .and_then(|curve| curve.get(i))
                        .map(|point| rounded(point.rate.bits_per_sec())),
                })
                .collect(),
            rate_by_request: (side.by_request.iter())
                .map(|point| RequestPoint {
                    asked_bytes: point.at as u64,
                    rate_bits_per_s: rounded(point.rate.bits_per_sec()),
                })
                .collect(),
        }
    }

    /// The buffer of another operating system; unknown fields are null.
    fn foreign(kind: kernel::BufferKind, foreign: &kernel::ForeignBuffer) -> Self {
        Self {
            side: side_id(kind).into(),
            request: foreign.request.map(|request| Request {
                option: BufferWords::option(kind, Some(request)).into(),
                asked_bytes: request.bytes.into(),
                when: when_id(request.when).into(),
                cap_sysctl: None,
                cap_bytes: None,
                clamped_bytes: None,
                is_clamped: None,
            }),
            getsockopt_bytes: if foreign.request.is_some() { foreign.reported } else { foreign.initial_buffer }
                .map(figure),
            largest_buffer_bytes: foreign.largest_buffer.map(figure),
            ends_autotuning: foreign.ends_autotuning,
            initial_flight_bytes: None,
            flight_bytes: None,
            unsent_bytes: None,
            windows: None,
            rate_bits_per_s: None,
            coverage: None,
            transfer_s: None,
            writers: Vec::new(),
            autotuned: None,
            growth_round_trips: None,
            remedies: Vec::new(),
            notes: Vec::new(),
            steps: Vec::new(),
            rate_by_rtt: Vec::new(),
            rate_by_request: Vec::new(),
        }
    }
}

impl GivenWindow {
    fn new(buffers: &buffers::Buffers<'_>, answer: &buffers::WindowAnswer) -> Self {
        let settings = answer.settings;
        Self {
            window_bytes: settings.window,
            window_shift: settings.scale,
            flight_bytes: answer.flight.value,
            rate_bits_per_s: buffers.rate(answer.flight.value).map(|rate| rounded(rate.bits_per_sec())),
            coverage: answer.coverage.map(|coverage| coverage.id().into()),
            transfer_s: answer.transfer.map(|seconds| rounded(seconds.value)),
            rcvbuf_bytes: settings.rcvbuf,
            tcp_rmem_max_bytes: settings.rmem_third,
            sndbuf_bytes: settings.sndbuf,
            tcp_wmem_max_bytes: settings.wmem_third,
        }
    }
}

impl WindowsTable {
    fn new(rates: &kernel::WindowsRates) -> Self {
        let point = |point: &kernel::Point| WindowsPoint {
            rtt_us: rounded(point.at * 1e6),
            rate_bits_per_s: rounded(point.rate.bits_per_sec()),
        };
        let row = |(sndbuf, points): &(u64, Vec<kernel::Point>)| WindowsRow {
            sndbuf_bytes: *sndbuf,
            rate_by_rtt: points.iter().map(point).collect(),
        };
        Self { write_bytes: rates.write, buffers: rates.rows.iter().map(row).collect() }
    }
}

impl WriterEntry {
    fn new(buffers: &buffers::Buffers<'_>, row: &kernel::WriterRow) -> Self {
        let transfer = |flight| buffers.question.transfer(flight, kernel::BufferKind::Send).map(seconds);
        Self {
            write_bytes: row.bytes,
            flight_bytes: figure(row.blocking),
            polling_flight_bytes: figure(row.polling),
            rate_bits_per_s: rates(buffers, &row.blocking),
            transfer_s: transfer(&row.blocking),
            polling_transfer_s: transfer(&row.polling),
        }
    }
}

/// Rates that `flight` allows at the given round-trip time.
fn rates(buffers: &buffers::Buffers<'_>, flight: &kernel::Figure) -> Option<Range> {
    let bits = |bytes| buffers.rate(bytes).map(|rate| rounded(rate.bits_per_sec()));
    Some(Range { value: bits(flight.value)?, low: bits(flight.low)?, high: flight.high.and_then(bits) })
}

fn seconds(seconds: kernel::Seconds) -> Range {
    Range { value: rounded(seconds.value), low: rounded(seconds.low), high: Some(rounded(seconds.high)) }
}

const fn side_id(kind: kernel::BufferKind) -> &'static str {
    match kind {
        kernel::BufferKind::Send => "send",
        kernel::BufferKind::Receive => "receive",
    }
}

fn figure(figure: kernel::Figure) -> Figure {
    Figure { value: figure.value, low: figure.low, high: figure.high, ground: ground_id(figure.ground).into() }
}
