//! One capture of one recording: the truth about it, and the answer of tcpwhy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_capture::CaptureReader;
use tcpwhy_lab::Recording;
use tcpwhy_live::text_file;
use tcpwhy_model::Message;
use tcpwhy_model::foreign::{visible_name, visible_path};
use tcpwhy_model::{Cause, Limit, Reason};
use tcpwhy_report::lab::LabHeadline;
use tcpwhy_scenario::{End, Expected, Scenario, Writing};

use super::derived::{Derived, derive};
use super::exchanges::{Conversation, JudgedExchanges};
use super::group::{Group, Shares, by_id, by_id_or_null, dominant, imposed, is_clear, of_cause, of_factor, of_held};
use super::vantage::Vantage;
use crate::explained::{connections, connections_of, in_question, is_flipped, largest_half};
use crate::headline::Transfer;
use crate::{ProofError, headline, outcome};

/// Limit for a text, bytes. Scenarios and truths have several kilobytes; runs of other tools may have more.
const MOST_TEXT: u64 = 64 << 20;

/// The part of `truth.json` that this module needs. Recordings of the lab and older ones have it.
#[derive(Debug, Deserialize)]
struct Truth {
    label: String,
    sampled_pct: BTreeMap<String, f64>,
    #[serde(default)]
    quality: Quality,
    conversation: Option<Conversation>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Quality {
    doubts: Vec<String>,
    relay_late_p99_us: f64,
    relay_late_max_us: f64,
}

#[derive(Debug, Deserialize)]
struct Counterfactual {
    speedup: BTreeMap<String, f64>,
}

/// Lateness of the emulated link from which a run is no evidence about TCP, µs.
const LATE_P99: f64 = 1500.0;
const LATE_MAX: f64 = 15_000.0;
/// A factor is a cause if removing it makes the transfer faster by this much …
const LEAST_SPEEDUP: f64 = 1.15;
/// … and any factor that gains nearly as much as the best is a right answer too.
const NEARLY: f64 = 0.9;

/// A recording: a folder with `truth.json` and two captures.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    pub(super) name: String,
    truth: Truth,
    /// The scenario with its expectations, if the recording is one of the lab's.
    scenario: Option<Scenario>,
    /// The right groups.
    right: Option<Vec<Group>>,
}

/// Time that one of the analysis' hypotheses decided.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Decided {
    /// Its name.
    reason: &'static str,
    limit: &'static str,
    /// The group, because the truth distinguishes only groups and not each limit.
    #[serde(serialize_with = "by_id_or_null")]
    group: Option<Group>,
    /// Whether it counts for the verdict.
    is_verdict: bool,
    /// Share of the direction's time.
    share: f64,
}

/// The end of a connection, and its report by `explain`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct JudgedOutcome {
    /// The true end.
    expected: &'static str,
    /// The reported end; `None` if `explain` has no word for it.
    said: Option<&'static str>,
    /// Whether both are equal; `None` if `explain` has no word for it.
    is_right: Option<bool>,
}

/// The answer about one capture, with the truth.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) vantage: Vantage,
    /// The cause that the scenario sets, as one word.
    pub(super) label: String,
    /// The expected limit of that cause; `mixed` or `none` if it is not a single one.
    pub(super) imposed: String,
    /// Network, send buffer, receive window, application.
    pub(super) truth: Shares,
    pub(super) answer: Shares,
    /// Half the L1 distance of the two.
    pub(super) tv: f64,
    /// Whether the largest true share is ahead by 0.15 or more. Only then the largest reported share is
    /// compared with it.
    pub(super) is_clear: bool,
    #[serde(serialize_with = "by_id")]
    pub(super) true_group: Group,
    #[serde(serialize_with = "by_id")]
    pub(super) said_group: Group,
    /// The verdict's limit, `none` for a healthy transfer.
    pub(super) verdict: String,
    pub(super) detail: Option<&'static str>,
    /// The verdict's own probability to be right, 0 to 1.
    pub(super) confidence: f64,
    /// Share of the direction's time that the verdict's family of causes has.
    pub(super) share: f64,
    /// Whether a change of a chosen number by one third gives another cause; `None` if this was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_flipped: Option<bool>,
    /// The hypotheses that decided the time.
    pub(super) decided: Vec<Decided>,
    /// The place where the capture seems to have been taken: `Sender`, `Receiver`, `Middle`, `Unknown`.
    pub(super) seen_from: String,
    /// Whether its round trips cannot be measured.
    pub(super) is_untimed: bool,
    /// Whether the verdict's group is that of the cause that the scenario sets; `None` if it sets none.
    pub(super) is_verdict_right: Option<bool>,
    /// Whether the verdict's limit is one that the scenario expects, in any form; `None` without a scenario.
    pub(super) is_limit_right: Option<bool>,
    /// Whether the verdict's limit and form are expected; `None` without a scenario.
    pub(super) is_expected: Option<bool>,
    /// The end of the connection; `None` if nothing is expected of it.
    pub(super) outcome: Option<JudgedOutcome>,
    /// The exchanges of a conversation; `None` for other work, or if the capture shows only a part of it.
    pub(super) exchanges: Option<JudgedExchanges>,
    /// The subject of the first three lines.
    pub(super) headline: &'static str,
    /// Whether they describe the connection and direction of the scenario.
    pub(super) is_headline_right: bool,
    /// The fix that they propose.
    pub(super) fix: Option<&'static str>,
    /// Whether the fix removes the cause, or neither a fix is expected nor proposed. `None` if the scenario
    /// expects no fix.
    pub(super) is_fix_right: Option<bool>,
    /// The limit that the scenario sets, with its form, as `LIMIT/DETAIL`; `mixed` or `none` if it is not a
    /// single one.
    pub(super) imposed_form: String,
    /// How the sending program writes; `None` without a scenario.
    #[serde(serialize_with = "writing_by_id")]
    pub(super) writing: Option<Writing>,
    /// Share of the time that could belong to another limit.
    pub(super) ambiguous: f64,
    /// Whether the limits add up to the span.
    pub(super) is_sum_right: bool,
}

impl Folder {
    /// Whether `path` looks like a recording.
    pub(super) fn is_one(path: &Path) -> bool {
        path.join("truth.json").is_file()
    }

    pub(super) fn open(path: &Path) -> Result<Self, ProofError> {
        let name = path.file_name().map_or_else(|| visible_path(path), visible_name);
        let truth: Truth = read_json(&path.join("truth.json"))?;
        let toml = path.join("scenario.toml");
        let scenario = match text_file::read_text(&toml, MOST_TEXT) {
            Ok(text) => Some(Scenario::from_toml(&name, &text).map_err(|error| content(&toml, &error))?),
            Err(_) => None,
        };
        let mut right = imposed(&truth.label);
        let counterfactual = path.join("counterfactual.json");
        if let Some(right) = right.as_mut().filter(|_| counterfactual.is_file()) {
            let counterfactual: Counterfactual = read_json(&counterfactual)?;
            let gains: Vec<(Group, f64)> =
                counterfactual.speedup.iter().filter_map(|(factor, gain)| Some((of_factor(factor)?, *gain))).collect();
            let best = gains.iter().map(|(_, gain)| *gain).fold(0.0, f64::max);
            if best >= LEAST_SPEEDUP {
                right.extend(gains.iter().filter(|(_, gain)| *gain >= NEARLY * best).map(|(group, _)| *group));
            }
        }
        Ok(Self { path: path.to_owned(), name, truth, scenario, right })
    }

    /// The reason why the recording is no evidence, as an id; `None` for a good one.
    pub(super) fn doubt(&self) -> Option<&str> {
        let quality = &self.truth.quality;
        if let Some(doubt) = quality.doubts.first() {
            return Some(doubt);
        }
        (quality.relay_late_p99_us > LATE_P99 || quality.relay_late_max_us > LATE_MAX).then_some("late-link")
    }

    /// Whether the recording has a capture of that place.
    pub(super) fn has_capture(&self, vantage: Vantage) -> bool {
        self.capture(vantage).is_some()
    }

    fn capture(&self, vantage: Vantage) -> Option<PathBuf> {
        let names = ["pcapng", "pcap", "pcap.gz", "pcapng.gz"].map(|extension| format!("{vantage}.{extension}"));
        names.iter().map(|name| self.path.join(name)).find(|path| path.is_file())
    }

    /// Explains the capture that was taken at `vantage`, in the direction that the recording is about. `None`
    /// if such a capture cannot be derived from the recording. With `moves`, it also tries whether a chosen
    /// number decides the verdict.
    pub(super) fn judge(&self, vantage: Vantage, moves: bool) -> Result<Option<Judged>, ProofError> {
        if !vantage.is_recorded() {
            return self.judge_derived(vantage);
        }
        let path = self.capture(vantage).ok_or_else(|| {
            not_shown(&self.path, &Message::new("no-capture-there").with("vantage", vantage.to_string()))
        })?;
        let connections = connections(&path)?;
        let asked = match &self.scenario {
            Some(scenario) => in_question(&connections, scenario),
            None => largest_half(&connections),
        };
        let headline = self.headline(vantage, &connections, asked);
        let (connection, half) = asked.ok_or_else(|| not_shown(&path, &Message::new("no-payload-here")))?;
        let outcome = self.outcome(vantage, connection, half);
        let exchanges = self.exchanges(connection);
        let is_flipped = if moves { is_flipped(&path, connection, half)? } else { None };
        Ok(Some(Judged {
            is_flipped,
            outcome,
            exchanges,
            ..self.compare(vantage, half, &self.truth.sampled_pct, &headline)?
        }))
    }

    /// Judges a capture that the recording does not have. The truth is that of the stretch in the capture.
    fn judge_derived(&self, vantage: Vantage) -> Result<Option<Judged>, ProofError> {
        if self.scenario.is_none() {
            return Ok(None);
        }
        let recording = Recording::open(&self.path)?;
        let Some(Derived { file, stretch }) = derive(&recording, vantage)? else { return Ok(None) };
        let connections = connections_of(CaptureReader::from_read(file, vantage.id())?, &self.path)?;
        // A cut capture may contain no payload of the direction.
        let asked = in_question(&connections, recording.scenario());
        let headline = self.headline(vantage, &connections, asked);
        let Some((connection, half)) = asked else { return Ok(None) };
        let samples = recording.samples(End::Sender).map_err(|cause| {
            let path = recording.series(End::Sender).display().to_string();
            ProofError::Folder { path, cause }
        })?;
        let sampled = recording.truth().sampled_in(recording.scenario(), &samples, stretch);
        let sampled = sampled.into_iter().map(|(held, percent)| (held.id().to_owned(), percent)).collect();
        let outcome = self.outcome(vantage, connection, half);
        Ok(Some(Judged { outcome, ..self.compare(vantage, half, &sampled, &headline)? }))
    }

    /// The subject of the first three lines and their fix.
    fn headline(&self, vantage: Vantage, connections: &[Connection], asked: Option<Transfer<'_>>) -> LabHeadline {
        let fixes = self.scenario.as_ref().and_then(|scenario| scenario.expect.fixes(vantage.nearest()));
        headline::judge(connections, asked, fixes.as_deref())
    }

    /// The expected end of the connection, and the reported one.
    fn outcome(&self, vantage: Vantage, connection: &Connection, half: &HalfConnection) -> Option<JudgedOutcome> {
        let expected = self.scenario.as_ref()?.expect.outcome.filter(|_| vantage.has_end())?;
        let outcome = outcome::compared(expected, connection, half);
        Some(JudgedOutcome {
            expected: outcome.expected.id(),
            said: outcome.reported_id(),
            is_right: outcome.is_right(),
        })
    }

    /// The exchanges of a conversation, with the truth.
    fn exchanges(&self, connection: &Connection) -> Option<JudgedExchanges> {
        Some(self.truth.conversation.as_ref()?.judge(self.scenario.as_ref()?, connection))
    }

    fn compare(
        &self,
        vantage: Vantage,
        half: &HalfConnection,
        sampled: &BTreeMap<String, f64>,
        headline: &LabHeadline,
    ) -> Result<Judged, ProofError> {
        let label = &self.truth.label;
        let parts: Vec<(Group, f64)> = sampled
            .iter()
            .map(|(held, percent)| {
                of_held(held, label).map(|group| (group, *percent)).ok_or_else(|| {
                    content(&self.path, &Message::new("truth-unknown").with("name", format!("{held:?}")))
                })
            })
            .collect::<Result<_, ProofError>>()?;
        let truth = Group::shares(parts);
        let totals = half.limits.totals();
        let answer = Group::shares(totals.iter().filter_map(|t| Some((of_cause(t.cause)?, t.nanos as f64 / 1e9))));
        let total: f64 = totals.iter().map(|t| t.nanos as f64 / 1e9).sum();
        let ambiguous: f64 = half.limits.ambiguous().iter().map(|(.., nanos)| *nanos as f64 / 1e9).sum();
        let cause = half.verdict.cause;
        let decided = half.limits.decided().map(|(part, reason, nanos)| Decided {
            reason: reason.map_or("none", Reason::id),
            limit: part.limit.id(),
            group: of_cause(part),
            is_verdict: part.family().is_some() && part.family() == cause.and_then(Cause::family),
            share: nanos as f64 / half.span.nanos().max(1) as f64,
        });
        let decided: Vec<Decided> = decided.collect();
        let matters = half.verdict.severity.is_some();
        let verdict_group = cause.and_then(of_cause);
        Ok(Judged {
            name: self.name.clone(),
            vantage,
            label: label.clone(),
            imposed: self.imposed(),
            tv: Group::distance(&truth, &answer),
            is_clear: is_clear(&truth),
            true_group: dominant(&truth),
            said_group: dominant(&answer),
            truth,
            answer,
            verdict: cause.map_or("none", |cause| cause.limit.id()).to_owned(),
            detail: cause.and_then(|cause| cause.detail).map(tcpwhy_model::Detail::id),
            is_verdict_right: self
                .right
                .as_ref()
                .map(|right| verdict_group.is_some_and(|group| right.contains(&group))),
            confidence: half.verdict.confidence,
            share: decided.iter().filter(|part| part.is_verdict).map(|part| part.share).sum(),
            is_flipped: None,
            decided,
            seen_from: format!("{:?}", half.vantage),
            is_untimed: half.is_untimed(),
            is_limit_right: self.expected(vantage).map(|mut expected| {
                expected.any(|expected| match expected {
                    Expected::Nothing => cause.is_none() || !matters,
                    Expected::Cause(expected) => cause.is_some_and(|cause| cause.limit == expected.limit),
                })
            }),
            is_expected: self
                .expected(vantage)
                .map(|mut expected| expected.any(|expected| expected.covers(cause, matters))),
            outcome: None,
            exchanges: None,
            imposed_form: self.imposed_form(),
            writing: self.scenario.as_ref().map(Scenario::writing),
            headline: headline.subject.id(),
            is_headline_right: headline.subject.is_right(),
            fix: headline.fix,
            is_fix_right: headline.is_fix_right,
            ambiguous: ambiguous / total.max(1e-9),
            is_sum_right: (total - half.span.seconds()).abs() <= 1e-6 * (totals.len().max(1) as f64) + 1e-6,
        })
    }

    /// The right verdicts for that place; `None` without a scenario.
    fn expected(&self, vantage: Vantage) -> Option<impl Iterator<Item = Expected> + '_> {
        Some(self.scenario.as_ref()?.expect.verdicts(vantage.nearest()))
    }

    /// The main verdict that the scenario expects, if there is one.
    fn meant(&self) -> Option<Expected> {
        let scenario = self.scenario.as_ref().filter(|_| self.truth.label != "mixed")?;
        scenario.expect.verdict.first().copied()
    }

    /// The limit that the scenario sets, with its form if that is known.
    fn imposed_form(&self) -> String {
        self.meant().map_or_else(|| self.imposed(), |meant| meant.to_string())
    }

    /// The limit that the scenario sets.
    fn imposed(&self) -> String {
        if let Some(meant) = self.meant() {
            return match meant {
                Expected::Nothing => "none".to_owned(),
                Expected::Cause(cause) => cause.limit.id().to_owned(),
            };
        }
        match self.truth.label.as_str() {
            "sndbuf" => Limit::SendBuffer.id(),
            "rcvbuf" | "reader" => Limit::ReceiveWindow.id(),
            "network" | "nic" | "queue" => Limit::Path.id(),
            "loss" => Limit::LossRecovery.id(),
            "slowstart" => Limit::SlowStart.id(),
            "app" | "idle" | "latency" => Limit::Application.id(),
            "nagle" => Limit::AckDelay.id(),
            other => other,
        }
        .to_owned()
    }
}

impl Judged {
    /// The verdict with its form: `LIMIT/DETAIL`, or `none`.
    pub(super) fn verdict_form(&self) -> String {
        match self.detail {
            Some(detail) => format!("{}/{detail}", self.verdict),
            None => self.verdict.clone(),
        }
    }

    /// The hypothesis that decided most of the verdict's time; `None` for a healthy transfer.
    pub(super) fn reason(&self) -> Option<&'static str> {
        let of_verdict = self.decided.iter().filter(|part| part.is_verdict);
        of_verdict.max_by(|a, b| a.share.total_cmp(&b.share)).map(|part| part.reason)
    }
}

/// Serialises the way of writing as its id, or as null.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn writing_by_id<S: Serializer>(writing: &Option<Writing>, serializer: S) -> Result<S::Ok, S::Error> {
    writing.map(Writing::id).serialize(serializer)
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, ProofError> {
    serde_json::from_slice(&text_file::read(path, MOST_TEXT)?).map_err(|error| content(path, &error))
}

fn content(path: &Path, why: &impl ToString) -> ProofError {
    ProofError::Content { path: path.display().to_string(), why: why.to_string() }
}

fn not_shown(path: &Path, why: &Message) -> ProofError {
    ProofError::NotShown { path: path.display().to_string(), why: why.to_string() }
}
