use serde::Serialize;
use tcpwhy_model::{CaptureStatus, Message};

use crate::clock::rfc3339;
use crate::dto::{Id, Presentation};

/// One capture that was read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Capture {
    /// Name as given on the command line; `-` is standard input.
    pub(crate) path: String,
    /// `pcap` or `pcapng`; `unknown` if reading failed.
    pub(crate) format: String,
    /// Packets of any kind.
    pub(crate) packets: u64,
    /// TCP segments.
    pub(crate) segments: u64,
    /// Packets that are not TCP or could not be read as such.
    pub(crate) skipped: u64,
    /// Bytes of packets in the file.
    pub(crate) captured_bytes: u64,
    /// Bytes of packets on the wire.
    pub(crate) original_bytes: u64,
    /// Link types of its interfaces, as pcap numbers.
    pub(crate) link_types: Vec<u32>,
    /// Time of the first packet, nanoseconds since the epoch; null without packets.
    pub(crate) start_ns: Option<i64>,
    /// The same time as RFC 3339, in UTC.
    pub(crate) start: Option<String>,
    /// Seconds from the first to the last packet; null without packets.
    pub(crate) duration_s: Option<f64>,
    /// Ways in which the input was damaged or unusual.
    pub(crate) anomalies: Vec<Anomaly>,
    /// `ok`; `damaged` if a part could not be read; `failed` if no packet could be read.
    pub(crate) status: Id,
    /// Why it failed; null otherwise.
    pub(crate) error: Option<CaptureFailure>,
}

/// Why nothing of a capture could be read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct CaptureFailure {
    /// Stable kebab-case id.
    pub(crate) kind: Id,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// All occurrences of one kind of damage or oddity.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Anomaly {
    /// Stable kebab-case id.
    pub(crate) kind: String,
    /// Number of occurrences.
    pub(crate) count: u64,
    /// Number of the first packet concerned, from 1; null if it happened before any packet.
    pub(crate) first_packet: Option<u64>,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Capture {
    /// The capture as it is in JSON.
    pub fn new(summary: &tcpwhy_model::CaptureSummary, presentation: Presentation<'_>) -> Self {
        let status = summary.status();
        let error = summary.anomalies.iter().next().filter(|_| status == CaptureStatus::Failed);
        Self {
            path: summary.path.clone(),
            format: summary.format.id().into(),
            packets: summary.packets,
            segments: summary.segments,
            skipped: summary.skipped,
            captured_bytes: summary.captured_bytes,
            original_bytes: summary.original_bytes,
            link_types: summary.link_types.clone(),
            start_ns: summary.span.map(|s| s.start().as_nanos()),
            start: summary.span.map(|s| rfc3339(s.start())),
            duration_s: summary.span.map(tcpwhy_model::Span::seconds),
            anomalies: summary.anomalies.iter().map(|a| Anomaly::new(a, presentation)).collect(),
            status: status.id().into(),
            error: error.map(|anomaly| CaptureFailure {
                kind: anomaly.kind.id().into(),
                text: presentation.say(|wording| wording.anomaly(anomaly)),
            }),
        }
    }

    /// A capture that could not be opened, as it is in JSON.
    pub fn failed(path: &str, error: &Message, presentation: Presentation<'_>) -> Self {
        Self {
            path: path.to_owned(),
            format: "unknown".to_owned(),
            packets: 0,
            segments: 0,
            skipped: 0,
            captured_bytes: 0,
            original_bytes: 0,
            link_types: Vec::new(),
            start_ns: None,
            start: None,
            duration_s: None,
            anomalies: Vec::new(),
            status: CaptureStatus::Failed.id().into(),
            error: Some(CaptureFailure {
                kind: error.id.clone(),
                text: presentation.say(|wording| wording.catalogue().message(error)),
            }),
        }
    }
}

impl Anomaly {
    fn new(anomaly: &tcpwhy_model::Anomaly, presentation: Presentation<'_>) -> Self {
        Self {
            kind: anomaly.kind.id().into(),
            count: anomaly.count,
            first_packet: (anomaly.first_packet > 0).then_some(anomaly.first_packet),
            text: presentation.say(|wording| wording.anomaly(anomaly)),
        }
    }
}
