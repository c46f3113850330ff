use serde::Serialize;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::{EvidenceKey, Limit, Value};

use super::HalfRecording;

/// The meaning of a horizontal line in the window chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// Level at which the bytes in flight stopped growing.
    Plateau,
    /// Bandwidth-delay product: the rate of the path times the shortest round-trip time.
    #[serde(rename = "bdp")]
    BandwidthDelay,
    /// Largest window offered.
    WindowMax,
}

/// A horizontal line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Meaning of the line.
    pub kind: LineKind,
    /// Value of the line, bytes.
    pub bytes: u64,
}

/// The lines that help to read the window chart of a direction.
pub fn lines(half: &HalfConnection, recording: &HalfRecording) -> Vec<Line> {
    let evidence = |key: EvidenceKey| {
        let all = half.findings.iter().flat_map(|f| &f.evidence);
        all.filter(|e| e.key == key).find_map(|e| match e.value {
            Value::Integer(i) => u64::try_from(i).ok(),
            Value::Real(r) if r >= 0.0 => Some(r as u64),
            _ => None,
        })
    };
    let line = |kind, bytes: Option<u64>| bytes.filter(|&b| b > 0).map(|bytes| Line { kind, bytes });
    let window_max = match half.verdict.cause {
        Some(cause) if cause.limit == Limit::ReceiveWindow => recording.extent.window,
        _ => None,
    };
    let bandwidth_delay =
        evidence(EvidenceKey::BdpBytes).or_else(|| has_met_path(half).then(|| best_flight(half, recording))?);
    [
        line(LineKind::Plateau, evidence(EvidenceKey::PlateauBytes)),
        line(LineKind::BandwidthDelay, bandwidth_delay),
        line(LineKind::WindowMax, window_max),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether the rate was that of the path. Under any other limit, the best rate is the rate of that limit.
fn has_met_path(half: &HalfConnection) -> bool {
    let limit = half.verdict.cause.map(|c| c.limit);
    matches!(limit, Some(Limit::Path | Limit::LossRecovery | Limit::CongestionWindow))
}

/// The best rate over at least a round trip, times the shortest round-trip time: a lower bound for the path.
fn best_flight(half: &HalfConnection, recording: &HalfRecording) -> Option<u64> {
    let (rtt, _) = half.rtt?;
    let span = i64::try_from(rtt.median).ok()?.max(recording.rates.bin);
    let rows = &recording.rates.rows;
    let (mut first, mut sum, mut best) = (0, 0_u64, 0_u64);
    for row in rows {
        sum += row.acked;
        while rows.get(first).is_some_and(|r| r.time + span <= row.time) {
            sum -= rows[first].acked;
            first += 1;
        }
        best = best.max(sum);
    }
    let rate = best as f64 / (span as f64 + recording.rates.bin as f64);
    Some((rate * rtt.min as f64) as u64)
}
