//! The documents that `tcpwhy lab run --json` and `tcpwhy lab compare --json` write.

use std::collections::BTreeMap;

use serde::Serialize;
use tcpwhy_model::{Cause, LimitGroup};

use super::rounded;
use super::{Finding, Half, Presentation, SCHEMA, Tool};
use crate::Site;
use crate::lab;

/// The document that `tcpwhy lab run --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LabDocument {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// Runs, in the order in which they were made.
    pub(crate) runs: Vec<LabRun>,
    /// Ratios that were expected between scenarios that were run.
    pub(crate) ratios: Vec<LabRatio>,
    /// Scenarios that could not be run.
    pub(crate) failed: Vec<LabFailure>,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LabRun {
    /// Name of the scenario.
    pub(crate) scenario: String,
    /// Its title, in the language asked for.
    pub(crate) title: String,
    /// Folder of the recording.
    pub(crate) recording: String,
    /// Seed of all random numbers.
    pub(crate) seed: u64,
    /// Payload bytes that arrived.
    pub(crate) bytes: u64,
    /// Seconds from opening the connection until everything was read.
    pub(crate) duration_s: f64,
    /// Payload bytes per time.
    pub(crate) goodput_bits_per_s: f64,
    /// `as_expected`, `unexpected` or `unreliable` (not as expected, but the emulation or the captures were
    /// not good either).
    pub(crate) outcome: String,
    /// Reasons to distrust the run.
    pub(crate) doubts: Vec<String>,
    /// Expected verdicts that the measured shares contradict, such as `path 0.012 < 0.978`.
    pub(crate) contradictions: Vec<String>,
    /// Error that broke the connection; null if there was none.
    pub(crate) broken: Option<String>,
    /// Rules that should have found something and did not.
    pub(crate) missing_findings: Vec<String>,
    /// Counters that should have increased and did not, such as `receiver TcpExtPruneCalled`.
    pub(crate) missing_counters: Vec<String>,
    /// Real limits of the sender, from its socket, which was sampled every few milliseconds.
    pub(crate) truth: LabTruth,
    /// Verdict on the capture at the sender.
    pub(crate) sender: LabView,
    /// Verdict on the capture at the receiver.
    pub(crate) receiver: LabView,
}

/// Shares of the transfer's time, and the sender's own chronometers (`tcp_info`).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LabTruth {
    /// Share of the path, including the search for its rate.
    pub(crate) network_share: f64,
    /// Share of the sender's socket buffer.
    pub(crate) send_buffer_share: f64,
    /// Share of the receiver's window.
    pub(crate) receive_window_share: f64,
    /// Share of the sending application, including small writes that wait for ACKs.
    pub(crate) application_share: f64,
    /// Time with data to send or in flight (`busy_time`).
    pub(crate) busy_s: f64,
    /// Part of the busy time limited by the receiver's window (`rwnd_limited`).
    pub(crate) rwnd_limited_s: f64,
    /// Part of the busy time limited by the send buffer, as far as the kernel notices (`sndbuf_limited`).
    pub(crate) sndbuf_limited_s: f64,
}

/// The verdict on one capture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LabView {
    /// Right verdicts: `LIMIT`, `LIMIT/DETAIL` or `none`; the intended one first.
    pub(crate) expected: Vec<String>,
    /// Wrong verdicts that are known to be given.
    pub(crate) known_wrong: Vec<String>,
    /// Whether one of `known_wrong` was given or, if that is empty, one of `expected`.
    pub(crate) is_expected: bool,
    /// Expected end of the connection: `closed`, `reset-by-sender`, `reset-by-receiver` or `unanswered`; null
    /// if no particular end is expected.
    pub(crate) expected_outcome: Option<String>,
    /// End of the connection according to `explain`: one of these or `open`; null if it has no word for it.
    pub(crate) outcome: Option<String>,
    /// Subject and fix of the first three lines about the capture.
    pub(crate) headline: LabHeadline,
    /// The direction in question; null if none of its payload was captured.
    pub(crate) half: Option<Half>,
    /// Counters of that host's kernel during the transfer, named as in `nstat`: nonzero TCP counters, and
    /// those that the scenario expects. Empty if unknown.
    pub(crate) counters: BTreeMap<String, u64>,
    /// Findings of `tcpwhy audit` from these counters.
    pub(crate) counter_findings: Vec<Finding>,
}

/// Subject and fix of the first three lines (`-q`) about a capture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LabHeadline {
    /// `in_question`, `other_direction` (of the same connection), `other_connection` or `nobody` (no
    /// connection carried data, or the one in question carried none).
    pub(crate) subject: &'static str,
    /// Whether they are about the connection and direction in question.
    pub(crate) is_right: bool,
    /// Id of the proposed fix, or of its rival if only the rival removes the cause. Null without a proposal.
    pub(crate) fix: Option<&'static str>,
    /// Ids of the fixes that remove the cause, according to the scenario. `none` among them means that no
    /// proposal is right too. Empty if the scenario expects no fix.
    pub(crate) right_fixes: Vec<&'static str>,
    /// Whether the proposed fix is one of these; null if the scenario expects no fix.
    pub(crate) is_fix_right: Option<bool>,
}

/// The time of one scenario divided by the time of another, for the same number of bytes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LabRatio {
    /// Scenario whose time is divided.
    pub(crate) scenario: String,
    /// Scenario whose time is the divisor.
    pub(crate) to: String,
    /// Measured ratio; null if one of them transferred nothing.
    pub(crate) measured: Option<f64>,
    /// Expected minimum.
    pub(crate) at_least: f64,
    /// Expected maximum; null without one.
    pub(crate) at_most: Option<f64>,
    /// Whether the measured ratio is within these bounds.
    pub(crate) holds: bool,
}

/// A scenario that could not be run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LabFailure {
    /// Its name.
    pub scenario: String,
    /// Reason.
    pub error: String,
}

impl LabDocument {
    /// Makes the document from these runs.
    pub fn new(
        runs: &[lab::LabRun],
        ratios: &[lab::LabRatio],
        failed: Vec<LabFailure>,
        presentation: Presentation<'_>,
    ) -> Self {
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            runs: runs.iter().map(|run| LabRun::new(run, presentation)).collect(),
            ratios: ratios.iter().map(LabRatio::from).collect(),
            failed,
        }
    }
}

impl LabRun {
    fn new(run: &lab::LabRun, presentation: Presentation<'_>) -> Self {
        let [sender, receiver] = [&run.views[0], &run.views[1]].map(|view| LabView::new(view, presentation));
        Self {
            scenario: run.entry.name.clone(),
            title: run.entry.title.clone(),
            recording: run.folder.clone(),
            seed: run.seed,
            bytes: run.bytes,
            duration_s: run.seconds,
            goodput_bits_per_s: run.goodput,
            outcome: match run.verdict() {
                lab::LabVerdict::AsExpected => "as_expected",
                lab::LabVerdict::Unexpected => "unexpected",
                lab::LabVerdict::Unreliable => "unreliable",
            }
            .into(),
            doubts: run.doubts.clone(),
            contradictions: run.contradictions.iter().map(contradiction).collect(),
            broken: run.broken.clone(),
            missing_findings: run
                .findings
                .iter()
                .filter(|(_, is_there)| !is_there)
                .map(|(rule, _)| rule.clone())
                .collect(),
            missing_counters: ["sender", "receiver"]
                .into_iter()
                .zip(&run.views)
                .flat_map(|(end, view)| missing(end, &view.counted))
                .collect(),
            truth: LabTruth::new(run),
            sender,
            receiver,
        }
    }
}

impl LabTruth {
    fn new(run: &lab::LabRun) -> Self {
        let share = |group: LimitGroup| rounded(run.truth[group as usize]);
        Self {
            network_share: share(LimitGroup::Network),
            send_buffer_share: share(LimitGroup::SendBuffer),
            receive_window_share: share(LimitGroup::ReceiveWindow),
            application_share: share(LimitGroup::Application),
            busy_s: run.kernel.busy,
            rwnd_limited_s: run.kernel.rwnd_limited,
            sndbuf_limited_s: run.kernel.sndbuf_limited,
        }
    }
}

fn contradiction(contradiction: &lab::Contradiction) -> String {
    let lab::Contradiction { expected, share, larger, .. } = contradiction;
    format!("{} {share:.3} < {larger:.3}", id(*expected))
}

fn id(cause: Option<Cause>) -> String {
    cause.map_or_else(|| "none".to_owned(), |cause| cause.to_string())
}

fn missing<'a>(end: &'a str, counted: &'a lab::LabCounted) -> impl Iterator<Item = String> + 'a {
    counted
        .expected()
        .filter(|(_, count)| count.is_none_or(|count| count == 0))
        .map(move |(name, _)| format!("{end} {name}"))
}

impl LabView {
    fn new(view: &lab::LabView, presentation: Presentation<'_>) -> Self {
        Self {
            expected: view.expected.iter().copied().map(id).collect(),
            known_wrong: view.known_wrong.iter().copied().map(id).collect(),
            is_expected: view.is_expected(),
            expected_outcome: view.outcome.map(|outcome| outcome.expected.id().to_owned()),
            outcome: view.outcome.and_then(lab::LabOutcome::reported_id).map(str::to_owned),
            headline: LabHeadline::from(&view.headline),
            half: view.said.as_deref().map(|(connection, half)| {
                let site = Some(Site::of(connection, Some(half.sender)));
                Half::new(half, Presentation { site, ..presentation })
            }),
            counters: view.counted.counters.clone(),
            counter_findings: view.counted.findings.iter().map(|f| Finding::new(f, 0.0, presentation)).collect(),
        }
    }
}

impl From<&lab::LabHeadline> for LabHeadline {
    fn from(headline: &lab::LabHeadline) -> Self {
        Self {
            subject: headline.subject.id(),
            is_right: headline.subject.is_right(),
            fix: headline.fix,
            right_fixes: headline.right_fixes.iter().map(|fix| fix.unwrap_or("none")).collect(),
            is_fix_right: headline.is_fix_right,
        }
    }
}

impl From<&lab::LabRatio> for LabRatio {
    fn from(ratio: &lab::LabRatio) -> Self {
        Self {
            scenario: ratio.name.clone(),
            to: ratio.to.clone(),
            measured: ratio.measured.is_finite().then_some(ratio.measured),
            at_least: ratio.at_least,
            at_most: ratio.at_most,
            holds: ratio.holds(),
        }
    }
}
