//! The JSON document of `tcpwhy sim compare --json`.

use std::collections::BTreeMap;

use serde::Serialize;
use tcpwhy_model::{ByGroup, LimitGroup};
use tcpwhy_report::dto::SCHEMA;
use tcpwhy_report::sim::SimRange;
use tcpwhy_report::sim_comparison::{SentPacket, SimComparison};

/// The whole document. In pairs, the kernel's value comes first, then the simulator's.
#[derive(Serialize)]
pub(super) struct Document {
    /// Always `tcpwhy/1`.
    schema: &'static str,
    scenario: String,
    kernel: String,
    rules: String,
    settings: BTreeMap<String, String>,
    bytes: u64,
    duration_s: Pair<f64>,
    error: f64,
    range_s: Option<[f64; 2]>,
    shares: Pair<Option<BTreeMap<&'static str, f64>>>,
    counters: BTreeMap<&'static str, Pair<u64>>,
    explained: Pair<Vec<String>>,
    first_difference_in_order: Option<Order>,
    first_difference_in_time: Option<Moment>,
    doubts: Vec<String>,
}

#[derive(Serialize)]
struct Pair<T> {
    kernel: T,
    simulated: T,
}

#[derive(Serialize)]
struct Order {
    packet: u64,
    #[serde(flatten)]
    packets: Pair<Option<Packet>>,
}

#[derive(Serialize)]
struct Packet {
    offset: u64,
    bytes: u64,
    time_s: f64,
}

#[derive(Serialize)]
struct Moment {
    within_s: f64,
    offset: Option<u64>,
    time_s: Option<Pair<f64>>,
}

impl<T> From<[T; 2]> for Pair<T> {
    fn from([kernel, simulated]: [T; 2]) -> Self {
        Self { kernel, simulated }
    }
}

impl From<SentPacket> for Packet {
    fn from(packet: SentPacket) -> Self {
        Self { offset: packet.offset, bytes: packet.bytes, time_s: packet.seconds }
    }
}

impl Document {
    /// The document about `compared`.
    pub(super) fn new(compared: &SimComparison) -> Self {
        let by_id = |shares: ByGroup<f64>| LimitGroup::ALL.map(|group| (group.id(), shares[group as usize])).into();
        let shares = compared.shares.map(|shares| shares.map(by_id));
        let lines = |lines: &Vec<tcpwhy_report::text::AnswerLine>| lines.iter().map(|line| line.text.clone()).collect();
        Self {
            schema: SCHEMA,
            scenario: compared.name.clone(),
            kernel: compared.kernel.clone(),
            rules: compared.rules.clone(),
            settings: compared.settings.iter().cloned().collect(),
            bytes: compared.bytes,
            duration_s: compared.seconds.into(),
            error: compared.error(),
            range_s: compared.range.map(|SimRange { low_seconds, high_seconds, .. }| [low_seconds, high_seconds]),
            shares: shares.into(),
            counters: compared.counters.iter().map(|(id, both)| (*id, (*both).into())).collect(),
            explained: compared.explained.each_ref().map(lines).into(),
            first_difference_in_order: compared.order.map(|order| Order {
                packet: order.number,
                packets: order.packets.map(|p| p.map(Packet::from)).into(),
            }),
            first_difference_in_time: compared.times.map(|times| Moment {
                within_s: times.within,
                offset: times.first.map(|(offset, _)| offset),
                time_s: times.first.map(|(_, both)| both.into()),
            }),
            doubts: compared.doubts.clone(),
        }
    }
}
