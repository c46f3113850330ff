//! What `tcpwhy buffers --json` writes.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use tcpwhy_kernel as kernel;

use super::half::rounded;
use super::{SCHEMA, Tool};
use crate::Wording;
use crate::buffers::{self, BufferSide, BufferWords, SettingsOrigin, ground_id, when_id};

/// What `tcpwhy buffers --json` writes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BuffersDocument {
    /// Always `tcpwhy/1`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// Kernel version, or the name of another operating system.
    pub system: String,
    /// `host`, `file` or `defaults`.
    pub settings_from: String,
    /// The settings used, as `sysctl` prints them; of what a host did not say, the kernel's defaults are taken.
    pub sysctls: std::collections::BTreeMap<String, String>,
    /// MTU of the link.
    pub mtu_bytes: u32,
    /// Bytes that the sender gives to each write.
    pub write_bytes: u64,
    /// Round-trip time asked about.
    pub rtt_us: Option<f64>,
    /// Bandwidth asked about.
    pub bandwidth_bits_per_s: Option<f64>,
    /// Bytes in flight that fill the path.
    pub bandwidth_delay_bytes: Option<u64>,
    /// The sides asked about.
    pub buffers: Vec<Buffer>,
}

/// One buffer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Buffer {
    /// `send` or `receive`.
    pub side: String,
    /// The request and what became of it; null with autotuning.
    pub request: Option<Request>,
    /// What getsockopt says at first.
    pub getsockopt_bytes: Option<Figure>,
    /// What the buffer may grow to.
    pub largest_buffer_bytes: Option<Figure>,
    /// Whether setting the option ends autotuning; null when that is not known.
    pub ends_autotuning: Option<bool>,
    /// Bytes in flight (or offered) at first.
    pub initial_flight_bytes: Option<Figure>,
    /// Bytes in flight in the long run, in whole segments.
    pub flight_bytes: Option<Figure>,
    /// Bytes that wait unsent at most (`TCP_NOTSENT_LOWAT`); null where only the buffer ends them.
    pub unsent_bytes: Option<Figure>,
    /// The receiver's windows; null for the sender.
    pub windows: Option<Windows>,
    /// Highest rate at the round-trip time asked about, whatever the bandwidth.
    pub rate_bits_per_s: Option<Range>,
    /// `covered`, `doubtful` or `too-small`; null without a path.
    pub coverage: Option<String>,
    /// What autotuning would reach instead; null without a request.
    pub autotuned: Option<Autotuned>,
    /// Round trips until autotuning of a receive buffer is there, two more or fewer; null where nothing grows.
    pub growth_round_trips: Option<u64>,
    /// What would fill the path, best first.
    pub remedies: Vec<RemedyEntry>,
    /// Surprises.
    pub notes: Vec<NoteEntry>,
    /// How it was derived.
    pub steps: Vec<StepEntry>,
    /// Highest rate by round-trip time.
    pub rate_by_rtt: Vec<RttPoint>,
    /// Highest rate by the size asked for, at the round-trip time asked about.
    pub rate_by_request: Vec<RequestPoint>,
}

/// A request and what became of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Request {
    /// `SO_SNDBUF`, `SO_RCVBUF` or their `FORCE` forms.
    pub option: String,
    /// The number given to setsockopt.
    pub asked_bytes: i64,
    /// `before-connect`, `on-listener`, `after-connect` or `after-data`.
    pub when: String,
    /// The sysctl that caps it; null for FORCE and where it is not known.
    pub cap_sysctl: Option<String>,
    /// Its value.
    pub cap_bytes: Option<u64>,
    /// What the cap left.
    pub clamped_bytes: Option<u64>,
    /// Whether it took something away.
    pub is_clamped: Option<bool>,
}

/// A number of bytes and its range.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Figure {
    /// Best single value.
    pub value: u64,
    /// Lower end.
    pub low: u64,
    /// Upper end; null where there is none.
    pub high: Option<u64>,
    /// `exact`, `measured` or `assumed`.
    pub ground: String,
}

/// A range of rates.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Range {
    /// Best single value.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end; null where there is none.
    pub high: Option<f64>,
}

/// The receiver's windows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Windows {
    /// Window scale in SYN or SYN-ACK.
    pub window_shift: u8,
    /// Window field of the SYN, where it connects.
    pub syn_window_bytes: Figure,
    /// Window field of the SYN-ACK, where it listens and both ends have timestamps.
    pub syn_ack_window_bytes: Figure,
    /// First window after the handshake.
    pub initial_window_bytes: Figure,
    /// Largest window.
    pub largest_window_bytes: Figure,
    /// Most that the scale can say.
    pub wire_cap_bytes: u64,
}

/// What autotuning would reach.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Autotuned {
    /// The buffer.
    pub largest_buffer_bytes: Figure,
    /// Bytes in flight.
    pub flight_bytes: Figure,
}

/// Changes that belong together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RemedyEntry {
    /// Ids of the changes: `unset-sndbuf`, `ask-rcvbuf`, `raise` …
    pub changes: Vec<String>,
    /// In words.
    pub text: String,
    /// To copy.
    pub lines: Vec<String>,
}

/// A surprise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NoteEntry {
    /// Stable kebab-case id.
    pub note: String,
    /// In words.
    pub text: String,
}

/// One step of the derivation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StepEntry {
    /// Stable kebab-case id of the rule.
    pub rule: String,
    /// The sum with its numbers.
    pub formula: String,
    /// What comes out.
    pub result: u64,
    /// `exact`, `measured` or `assumed`.
    pub ground: String,
    /// Kernel function and file, change, or measurement.
    pub source: String,
    /// The rule in words.
    pub text: String,
}

/// A point of the curve by round-trip time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RttPoint {
    /// Round-trip time.
    pub rtt_us: f64,
    /// Highest rate.
    pub rate_bits_per_s: f64,
    /// The same with autotuning; null without a request.
    pub autotuned_rate_bits_per_s: Option<f64>,
}

/// A point of the curve by the size asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RequestPoint {
    /// The number given to setsockopt.
    pub asked_bytes: u64,
    /// Highest rate.
    pub rate_bits_per_s: f64,
}

impl BuffersDocument {
    /// From the answer.
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
            write_bytes: question.writing.bytes,
            rtt_us: question.round_trip_seconds.map(|seconds| rounded(seconds * 1e6)),
            bandwidth_bits_per_s: question.bandwidth.map(|rate| rounded(rate.bits_per_sec())),
            bandwidth_delay_bytes: buffers.path().map(|path| path.bandwidth_delay_product()),
            buffers: sides.chain(foreign).collect(),
        }
    }
}

impl Buffer {
    fn new(words: BufferWords<'_>, side: &BufferSide) -> Self {
        let bits = |bytes| words.buffers.rate(bytes).map(|rate| rounded(rate.bits_per_sec()));
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
            rate_bits_per_s: bits(side.flight.value).zip(bits(side.flight.low)).map(|(value, low)| Range {
                value,
                low,
                high: side.flight.high.and_then(bits),
            }),
            coverage: side.coverage.map(|coverage| coverage.id().into()),
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

    /// What is known of another operating system; the rest is null.
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

const fn side_id(kind: kernel::BufferKind) -> &'static str {
    match kind {
        kernel::BufferKind::Send => "send",
        kernel::BufferKind::Receive => "receive",
    }
}

fn figure(figure: kernel::Figure) -> Figure {
    Figure { value: figure.value, low: figure.low, high: figure.high, ground: ground_id(figure.ground).into() }
}

/// The JSON Schema of [`BuffersDocument`].
pub fn buffers_schema() -> Schema {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<BuffersDocument>();
    schema.insert("title".into(), SCHEMA.into());
    schema
}
