//! The shapes of `viewer/src/format.ts`, where every field is explained.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use tcpwhy_model::Reason;
use tcpwhy_report::dto::Tool;

use super::column::Column;

/// Name and version of the contract.
pub(crate) const FORMAT: &str = "tcpwhy-view/1";

/// By language tag.
pub(crate) type ByLanguage<T> = BTreeMap<&'static str, T>;

#[derive(Debug, Serialize)]
pub(crate) struct ViewData<'a> {
    pub(crate) format: &'static str,
    pub(crate) tool: Tool,
    pub(crate) language: &'static str,
    pub(crate) messages: ByLanguage<BTreeMap<String, String>>,
    pub(crate) limits: Vec<LimitLook>,
    pub(crate) causes: Vec<Cause>,
    pub(crate) reasons: BTreeMap<usize, ReasonLook>,
    pub(crate) deciders: Vec<&'static str>,
    pub(crate) mark_kinds: Vec<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) names: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) server_names: BTreeMap<u64, EndName>,
    pub(crate) overview: Overview,
    pub(crate) documents: ByLanguage<Value>,
    pub(crate) charts: &'a [ConnectionChart],
    pub(crate) server: Option<Server>,
}

#[derive(Debug, Serialize)]
pub(crate) struct EndName {
    pub(crate) end: String,
    pub(crate) name: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ChartAnswer {
    pub(crate) format: &'static str,
    pub(crate) documents: ByLanguage<Value>,
    pub(crate) chart: ConnectionChart,
}

#[derive(Debug, Serialize)]
pub(crate) struct Server {
    pub(crate) chart: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct LimitLook {
    pub(crate) id: &'static str,
    pub(crate) letter: char,
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) ink_light: &'static str,
    pub(crate) ink_dark: &'static str,
    pub(crate) pattern: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Cause {
    pub(crate) limit: usize,
    pub(crate) detail: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ReasonLook {
    pub(crate) id: &'static str,
    pub(crate) measures: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Overview {
    pub(crate) connections: u64,
    pub(crate) omitted: Omitted,
    pub(crate) rows: usize,
    pub(crate) id: Column,
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    pub(crate) start_s: Column,
    pub(crate) duration_s: Column,
    pub(crate) bytes: Column,
    pub(crate) bytes_back: Column,
    pub(crate) goodput_bits_per_s: Column,
    pub(crate) retransmitted_bytes: Column,
    pub(crate) verdict: Column,
    pub(crate) verdict_s: Column,
    pub(crate) lost_s: Column,
    pub(crate) severity: Column,
    pub(crate) detail: Column,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Omitted {
    pub(crate) connections: u64,
    pub(crate) bytes: u64,
    pub(crate) lost_s: f64,
}

/// Everything to draw for one connection.
#[derive(Debug, Serialize)]
pub struct ConnectionChart {
    pub(crate) connection: u64,
    pub(crate) start_ns: String,
    pub(crate) duration_s: f64,
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
    pub(crate) endpoints: [String; 2],
    pub(crate) halves: Vec<HalfChart>,
    pub(crate) packets: Option<Packets>,
    pub(crate) packet_count: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct HalfChart {
    pub(crate) sender: usize,
    pub(crate) bin_s: f64,
    pub(crate) span: Stretch,
    pub(crate) timeline: Timeline,
    pub(crate) segments: Segments,
    pub(crate) states: States,
    pub(crate) rtt: RoundTrips,
    pub(crate) throughput: Throughput,
    pub(crate) marks: Marks,
    pub(crate) lines: Vec<Line>,
    pub(crate) rtt_min_s: Option<f64>,
    pub(crate) vantage: &'static str,
    pub(crate) mss: Option<u64>,
    pub(crate) extent: Extent,
}

#[derive(Debug, Serialize)]
pub(crate) struct Stretch {
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Timeline {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    pub(crate) cause: Column,
    pub(crate) confidence: Column,
    pub(crate) reason: Column,
    pub(crate) values: Vec<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) other: Option<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decider: Option<Column>,
    /// Those that occur in it.
    #[serde(skip)]
    pub(crate) reasons: BTreeSet<Reason>,
    pub(crate) is_coarsened: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Segments {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    pub(crate) packet: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Range {
    pub(crate) lo: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hi: Option<Column>,
}

#[derive(Debug, Serialize)]
pub(crate) struct States {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    pub(crate) una: Range,
    pub(crate) edge: Range,
    pub(crate) window: Range,
    pub(crate) flight: Range,
    pub(crate) pipe: Range,
    pub(crate) cwnd_floor: Range,
}

#[derive(Debug, Serialize)]
pub(crate) struct RoundTrips {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    pub(crate) rtt: Range,
}

#[derive(Debug, Serialize)]
pub(crate) struct Throughput {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    pub(crate) acked: Column,
    pub(crate) sent: Column,
    pub(crate) resent: Column,
}

#[derive(Debug, Serialize)]
pub(crate) struct Marks {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) t_end: Option<Column>,
    pub(crate) kind: Column,
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    pub(crate) packet: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) kind: &'static str,
    pub(crate) bytes: u64,
    pub(crate) from_s: Option<f64>,
    pub(crate) to_s: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Extent {
    pub(crate) seq: u64,
    pub(crate) edge: Option<u64>,
    pub(crate) window: Option<u64>,
    pub(crate) flight: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Packets {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    pub(crate) number: Column,
    pub(crate) from: Column,
    pub(crate) seq: Column,
    pub(crate) len: Column,
    pub(crate) ack: Column,
    pub(crate) window: Column,
    pub(crate) flags: Column,
    pub(crate) kind: Column,
    pub(crate) options: Column,
    pub(crate) tsval: Column,
    pub(crate) tsecr: Column,
}
