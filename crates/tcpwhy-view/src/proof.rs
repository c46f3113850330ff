//! Choice of the chart that best shows the limit of a direction, and the sentence written on it.

use serde::Serialize;
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_report::{Args, Wording};

use crate::chart::{HalfRecording, LineKind, lines};

/// From this ratio of the median to the smallest round-trip time on, the chart shows the queue.
const QUEUED: f64 = 1.5;

/// Shortest time worth a sentence, seconds. Chosen: a tenth of what people notice.
const LEAST_SECONDS: f64 = 0.01;

/// The chart that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProofChart {
    Window,
    Sequence,
    Rtt,
    /// Requests and answers of both ends.
    Lanes,
    Throughput,
}

/// A chart and its sentence in the words of one language.
pub(crate) struct Proof {
    pub(crate) chart: ProofChart,
    pub(crate) sentence: Option<String>,
}

/// The data that a proof is made from.
#[derive(Clone, Copy)]
struct Given<'a> {
    connection: &'a Connection,
    half: &'a HalfConnection,
    recording: &'a HalfRecording,
    wording: Wording<'a>,
}

/// The proof for the limit of `half`, without a sentence if the limit took next to no time. `has_lanes`:
/// requests and answers have a chart.
pub(crate) fn proof(
    connection: &Connection,
    half: &HalfConnection,
    recording: &HalfRecording,
    has_lanes: bool,
    wording: Wording<'_>,
) -> Proof {
    let given = Given { connection, half, recording, wording };
    let proof = half.verdict.cause.map_or(Proof::plain(ProofChart::Sequence), |cause| given.of(cause, has_lanes));
    if half.verdict.seconds < LEAST_SECONDS { Proof::plain(proof.chart) } else { proof }
}

impl Proof {
    /// A chart without a sentence.
    const fn plain(chart: ProofChart) -> Self {
        Self { chart, sentence: None }
    }
}

impl Given<'_> {
    fn of(&self, cause: Cause, has_lanes: bool) -> Proof {
        let units = self.wording.units();
        let half = self.half;
        let took = || units.seconds(half.verdict.seconds);
        let window = || self.bytes(half.receive_window.map(|window| window.median));
        let resent = || half.retransmitted_segments.to_string();
        match cause.limit {
            Limit::SendBuffer => self.unused("chart-proof-send-buffer"),
            Limit::ReceiveWindow => {
                let is_reader = matches!(cause.detail, Some(Detail::ZeroWindow | Detail::SlowReader));
                let id = if is_reader { "chart-proof-slow-reader" } else { "chart-proof-receive-window" };
                self.say(ProofChart::Window, id, &Args::new().text("window", window()).text("time", took()))
            }
            Limit::Application => self.of_application(cause.detail, has_lanes),
            Limit::LossRecovery => self.say(
                ProofChart::Sequence,
                "chart-proof-loss",
                &Args::new().text("n", resent()).text("time", took()),
            ),
            Limit::CongestionWindow if cause.detail == Some(Detail::PostLoss) => {
                self.say(ProofChart::Sequence, "chart-proof-post-loss", &Args::new().text("n", resent()))
            }
            Limit::CongestionWindow => {
                self.say(ProofChart::Window, "chart-proof-congestion-window", &Args::new().text("window", window()))
            }
            Limit::SlowStart => self.say(ProofChart::Window, "chart-proof-slow-start", &Args::new()),
            Limit::Path => self.of_path(cause.detail),
            Limit::AckDelay => self.say(ProofChart::Sequence, "chart-proof-ack-delay", &Args::new()),
            Limit::Unobserved | Limit::Handshake | Limit::TailRtt => Proof::plain(ProofChart::Sequence),
        }
    }

    fn of_application(&self, detail: Option<Detail>, has_lanes: bool) -> Proof {
        let units = self.wording.units();
        match detail {
            Some(Detail::PeerWindow) => return self.unused("chart-proof-peer-window"),
            Some(Detail::PacedWrites) => return self.unused("chart-proof-own-pace"),
            _ => {}
        }
        let exchanges = self.connection.exchanges.as_deref().filter(|exchanges| has_lanes && exchanges.has_times());
        if let Some(exchanges) = exchanges {
            let parts = exchanges.parts;
            let args = Args::new()
                .text("client", units.nanos(parts.client))
                .text("server", units.nanos(parts.server + parts.pauses))
                .text("network", units.nanos(parts.round_trips + parts.requests + parts.answers));
            return self.say(ProofChart::Lanes, "chart-proof-exchanges", &args);
        }
        let args = Args::new().text("time", units.seconds(self.half.verdict.seconds));
        self.say(ProofChart::Sequence, "chart-proof-nothing-to-send", &args)
    }

    fn of_path(&self, detail: Option<Detail>) -> Proof {
        let units = self.wording.units();
        if detail == Some(Detail::Policer) {
            return self.say(ProofChart::Sequence, "chart-proof-policer", &Args::new());
        }
        if let Some((rtt, _)) = self.half.rtt
            && !self.recording.round_trips.rows.is_empty()
            && rtt.median as f64 > rtt.min as f64 * QUEUED
        {
            let [low, median] = [rtt.min, rtt.median].map(|nanos| units.nanos(nanos as i64));
            return self.say(
                ProofChart::Rtt,
                "chart-proof-queue",
                &Args::new().text("low", low).text("median", median),
            );
        }
        match self.half.goodput {
            None => Proof::plain(ProofChart::Throughput),
            Some(rate) => {
                let args = Args::new().text("rate", units.bits_per_second(rate.bits_per_sec()));
                self.say(ProofChart::Throughput, "chart-proof-path", &args)
            }
        }
    }

    /// A sentence about the unused part of the window; none if the window is unknown.
    fn unused(&self, id: &str) -> Proof {
        // The same level as in the answer, if it has one.
        let level = lines(self.half, self.recording).into_iter().find(|line| line.kind == LineKind::Plateau);
        let flight = level.map(|line| line.bytes).or_else(|| Some(self.half.flight?.p95));
        let window = self.half.receive_window.map(|window| window.median);
        let (Some(flight), Some(window)) = (flight, window) else { return Proof::plain(ProofChart::Window) };
        if window <= flight {
            return Proof::plain(ProofChart::Window);
        }
        let units = self.wording.units();
        let args = Args::new()
            .text("unused", units.bytes(window - flight))
            .text("flight", units.bytes(flight))
            .text("window", units.bytes(window));
        self.say(ProofChart::Window, id, &args)
    }

    fn say(&self, chart: ProofChart, id: &str, args: &Args) -> Proof {
        Proof { chart, sentence: Some(self.wording.catalogue().text(id, args)) }
    }

    fn bytes(&self, bytes: Option<u64>) -> String {
        bytes.map_or_else(|| self.wording.catalogue().word("unknown"), |bytes| self.wording.units().bytes(bytes))
    }
}
