//! Test of an explanation of a capture. Its transfer is run again, with and without the proposed fix, and so
//! are the transfers of its rivals.
//!
//! - `observed` reads the properties that the packets show, for any verdict. `base` builds a scenario from
//!   them.
//! - `impose` adds a supposed cause that packets do not show. `fix` takes a cause away again.
//! - `hypothesis` names the rivals, `distance` compares their transfers with the capture for each observable.
//! - `replay` shows which transfers repeat times of the capture: these resemble it for any cause.
//! - `conclusion` is the table of conclusions: proved, refuted, or undecided.

mod base;
mod conclusion;
mod conversation;
mod distance;
mod fix;
mod hypothesis;
mod impose;
mod noise;
mod observed;
mod page;
mod proof;
mod remedy;
mod replay;
mod shown;
mod situation;

use std::path::{Path, PathBuf};

use tcpwhy_analysis::{Connection, HalfConnection, Vantage};
use tcpwhy_lab::Recording;
use tcpwhy_model::{Cause, Fix};
use tcpwhy_scenario::{End, Scenario};

pub use self::conclusion::Conclusion;
pub use self::proof::Proof;
pub use self::situation::{RebuildError, Trace};
pub use tcpwhy_fit::Host;

use self::base::Rebuilt;
use self::fix::{fixed, shortened};
use self::hypothesis::{Hypothesis, MOST_RIVALS, Origin, prediction, rivals};
use self::impose::impose;
use self::observed::Observed;
use self::proof::{Measured, Tested, share};
use self::shown::Shown;
use crate::ProofError;
use crate::explained::{connections, in_question};

/// Which transfer is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Under the claimed cause.
    Rebuilt,
    /// The same with the fix.
    Fixed,
    /// The same with the next fix, where the first does not work.
    OtherFixed,
    /// Under the same cause, by the other setting that gives such a buffer.
    OtherSetting,
    /// The same with the fix of that setting.
    OtherSettingFixed,
    /// As the packets show it, without a cause that they do not show.
    Shown,
    /// Under a rival's cause.
    Rival,
    /// The same with the rival's fix.
    RivalFixed,
    /// Under another rival's.
    SecondRival,
    /// The same with that rival's fix.
    SecondRivalFixed,
}

impl Part {
    /// How many there are.
    pub const COUNT: usize = 10;

    /// All of them, in the order in which they are run.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Rebuilt,
        Self::Fixed,
        Self::OtherFixed,
        Self::OtherSetting,
        Self::OtherSettingFixed,
        Self::Shown,
        Self::Rival,
        Self::RivalFixed,
        Self::SecondRival,
        Self::SecondRivalFixed,
    ];

    const RIVALS: [[Self; 2]; MOST_RIVALS] =
        [[Self::Rival, Self::RivalFixed], [Self::SecondRival, Self::SecondRivalFixed]];

    /// The folder of its recording.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rebuilt => "rebuilt",
            Self::Fixed => "fixed",
            Self::OtherFixed => "other-fixed",
            Self::OtherSetting => "other-setting",
            Self::OtherSettingFixed => "other-setting-fixed",
            Self::Shown => "shown",
            Self::Rival => "rival",
            Self::RivalFixed => "rival-fixed",
            Self::SecondRival => "second-rival",
            Self::SecondRivalFixed => "second-rival-fixed",
        }
    }

    /// Its number, from 1.
    pub const fn number(self) -> usize {
        self as usize + 1
    }
}

/// An explanation of a capture that is put to the proof.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    observed: Observed,
    claim: Candidate<'a>,
    /// The same by the other setting, where two settings give such a buffer.
    other: Option<Candidate<'a>>,
    /// What the packets show alone; `None` where the claim adds nothing to it.
    shown: Option<Rebuilt>,
    rivals: Vec<Candidate<'a>>,
    proof: Proof,
}

/// A hypothesis and the transfer that it makes.
#[derive(Clone, Debug)]
struct Candidate<'a> {
    hypothesis: Hypothesis<'a>,
    rebuilt: Result<Rebuilt, RebuildError>,
}

impl<'a> Candidate<'a> {
    fn new(shown: &Shown<'_>, hypothesis: Hypothesis<'a>) -> Self {
        let rebuilt = impose(shown, hypothesis.cause, None);
        Self { hypothesis, rebuilt }
    }

    /// The same cause by the other setting, where there is one that gives such a buffer.
    fn by_other_setting(&self, shown: &Shown<'_>) -> Option<Self> {
        let setting = self.rebuilt.as_ref().ok()?.setting?.other();
        let rebuilt = impose(shown, self.hypothesis.cause, Some(setting));
        let hypothesis = Hypothesis { origin: Origin::OtherSetting, ..self.hypothesis.clone() };
        let is_other = rebuilt.as_ref().is_ok_and(|rebuilt| rebuilt.setting == Some(setting));
        is_other.then_some(Self { hypothesis, rebuilt })
    }

    /// Its fixes that the lab can apply, each with the scenario that it makes.
    fn fixed<'s>(&'s self, captured: &Observed) -> impl Iterator<Item = (&'s Fix, Scenario)> {
        let flight = captured.usual_flight();
        let rebuilt = self.rebuilt.as_ref().ok();
        rebuilt.into_iter().flat_map(move |rebuilt| fixed(&rebuilt.scenario, &self.hypothesis.fixes, flight))
    }

    fn tested(&self) -> Tested {
        Tested::new(Some(&self.hypothesis), self.rebuilt.as_ref().map_err(|&error| error))
    }
}

impl<'a> Trial<'a> {
    /// A test of `connection` in the capture `file`, in the direction `half` that a report names first. It
    /// runs on `host`, and tests the verdict, or the `supposed` cause if there is one.
    ///
    /// # Errors
    /// The capture cannot be read again, or its transfer cannot be rebuilt.
    pub fn new(
        file: &Path,
        connection: &'a Connection,
        half: &'a HalfConnection,
        host: &Host,
        supposed: Option<Cause>,
    ) -> Result<Result<Self, RebuildError>, ProofError> {
        let half = subject(connection, half, supposed);
        let observed = Observed::read(file, connection, half)?;
        Ok(Self::of(file, connection, half, host, supposed, observed))
    }

    fn of(
        file: &Path,
        connection: &'a Connection,
        half: &'a HalfConnection,
        host: &Host,
        supposed: Option<Cause>,
        observed: Observed,
    ) -> Result<Self, RebuildError> {
        let origin = if supposed.is_some() { Origin::Supposed } else { Origin::Verdict };
        let cause = supposed.or(half.verdict.cause).ok_or(RebuildError::Nothing)?;
        let shown = Shown { connection, half, observed: &observed, host };
        let base = shown.base()?.scenario(half, None);
        let claim = Candidate::new(&shown, Hypothesis::new(connection, half, cause, origin));
        let assumptions = match &claim.rebuilt {
            Ok(rebuilt) => rebuilt.assumptions.clone(),
            Err(RebuildError::Absent(_)) => Vec::new(),
            Err(error) => return Err(*error),
        };
        let adds = claim.rebuilt.as_ref().is_ok_and(|rebuilt| !is_alike(&rebuilt.scenario, &base.scenario));
        let candidates = rivals(connection, half, cause).into_iter().map(|rival| Candidate::new(&shown, rival));
        let rivals = candidates.filter(|rival| rival.rebuilt.is_ok()).take(MOST_RIVALS).collect();
        let fix = claim.fixed(&observed).next().map(|(fix, _)| fix);
        let proof = Proof::new(file, half, &claim.hypothesis, fix, &assumptions);
        let other = claim.by_other_setting(&shown);
        Ok(Self { claim, other, shown: adds.then_some(base), rivals, proof, observed })
    }

    /// Runs the transfers by `record`, which is given a scenario that rests on what others have sent, and
    /// concludes. A transfer is run again where its buffers allowed more or less than was captured.
    ///
    /// # Errors
    /// Those of `record`, and what keeps a recording from being explained.
    pub fn run<E: From<ProofError>>(
        &mut self,
        mut record: impl FnMut(Scenario, Part) -> Result<Recording, E>,
    ) -> Result<(), E> {
        let mut claim = test(&mut self.claim, Part::Rebuilt, &self.observed, &mut record)?;
        // What does not look like the capture explains nothing, whatever its fix does.
        if claim.resembles == Some(true) {
            run_fixed(&self.claim, &[Part::Fixed, Part::OtherFixed], &self.observed, &mut claim, &mut record)?;
        }
        claim.judge();
        let mut other = None;
        // Which setting made a buffer matters where a buffer explains the transfer.
        if let Some(candidate) = self.other.as_mut().filter(|_| claim.explains == Some(true)) {
            let mut tested = test(candidate, Part::OtherSetting, &self.observed, &mut record)?;
            if tested.resembles == Some(true) {
                let part = [Part::OtherSettingFixed];
                run_fixed(candidate, &part, &self.observed, &mut tested, &mut record)?;
            }
            tested.judge();
            other = Some(tested);
        }
        let mut shown = None;
        if let Some(rebuilt) = &self.shown {
            let mut tested = Tested::new(None, Ok(rebuilt));
            let share = share(self.observed.seconds);
            let recording = record(shortened(&rebuilt.scenario, share), Part::Shown)?;
            let measured = measure(&recording, rebuilt.vantage, &self.observed)?;
            tested.compare(&self.observed, measured, rebuilt.built_from);
            shown = Some(tested);
        }
        let mut rivals = Vec::new();
        for (rival, [part, part_fixed]) in self.rivals.iter_mut().zip(Part::RIVALS) {
            let mut tested = test(rival, part, &self.observed, &mut record)?;
            if tested.resembles == Some(true) {
                run_fixed(rival, &[part_fixed], &self.observed, &mut tested, &mut record)?;
            }
            tested.judge();
            rivals.push(tested);
        }
        self.proof.conclude(claim, shown, other, rivals, self.observed.facts.scales[1]);
        Ok(())
    }

    /// The claimed transfer, for changing it and running it again; that of the packets alone where they lack
    /// all trace of the claimed cause.
    pub fn scenario(&self) -> Option<&Scenario> {
        self.claim.rebuilt.as_ref().ok().or(self.shown.as_ref()).map(|rebuilt| &rebuilt.scenario)
    }

    /// The fix that is tried for the claim.
    fn claim_fix(&self) -> Option<&Fix> {
        self.claim.fixed(&self.observed).next().map(|(fix, _)| fix)
    }

    /// The transfer of one that was tested.
    fn scenario_of(&self, tested: &Tested) -> Option<&Scenario> {
        let Some(cause) = tested.of else { return self.shown.as_ref().map(|shown| &shown.scenario) };
        let mut all = std::iter::once(&self.claim).chain(&self.other).chain(&self.rivals);
        let is_it = |found: &Hypothesis<'_>| found.cause == cause && Some(found.origin) == tested.origin;
        let found = all.find(|candidate| is_it(&candidate.hypothesis))?;
        found.rebuilt.as_ref().ok().map(|rebuilt| &rebuilt.scenario)
    }

    /// What came of it so far.
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }
}

/// Whether two scenarios impose the same.
fn is_alike(one: &Scenario, other: &Scenario) -> bool {
    let Scenario { story, .. } = other;
    Scenario { story: story.clone(), ..one.clone() } == *other
}

/// The direction that the claim is about: `principal`, unless only the other one has something to change.
fn subject<'a>(
    connection: &'a Connection,
    principal: &'a HalfConnection,
    supposed: Option<Cause>,
) -> &'a HalfConnection {
    let has_fix = |half: &HalfConnection| half.findings.iter().any(|finding| finding.prediction.is_some());
    let other = connection.halves.iter().find(|half| half.sender != principal.sender);
    let is_other = |other: &&HalfConnection| supposed.is_none() && !has_fix(principal) && has_fix(other);
    other.filter(is_other).unwrap_or(principal)
}

/// Runs of one transfer at most, until its buffers allow what was captured.
const MOST_CORRECTIONS: usize = 3;

/// Runs the transfer of a candidate, and compares it with the capture.
fn test<E: From<ProofError>>(
    candidate: &mut Candidate<'_>,
    part: Part,
    captured: &Observed,
    record: &mut impl FnMut(Scenario, Part) -> Result<Recording, E>,
) -> Result<Tested, E> {
    let mut tested = candidate.tested();
    let Ok(rebuilt) = &mut candidate.rebuilt else { return Ok(tested) };
    let share = share(captured.seconds);
    let mut next = Some(rebuilt.scenario.clone());
    for _ in 0..MOST_CORRECTIONS {
        let Some(scenario) = next.take() else { break };
        let recording = record(shortened(&scenario, share), part)?;
        let measured = measure(&recording, rebuilt.vantage, captured)?;
        let pace = captured.seconds / measured.seconds_of_all;
        next = rebuilt.corrected(&scenario, measured.window_bytes.unwrap_or_default(), pace);
        if tested.compare(captured, measured, rebuilt.built_from) {
            rebuilt.scenario = scenario;
        }
    }
    Ok(tested)
}

/// Runs the transfer of a candidate with its fixes, one for each of `parts` until one works.
fn run_fixed<E: From<ProofError>>(
    candidate: &Candidate<'_>,
    parts: &[Part],
    captured: &Observed,
    tested: &mut Tested,
    record: &mut impl FnMut(Scenario, Part) -> Result<Recording, E>,
) -> Result<(), E> {
    let Ok(rebuilt) = &candidate.rebuilt else { return Ok(()) };
    let Hypothesis { finding, .. } = candidate.hypothesis;
    let predicted = prediction(&candidate.hypothesis, captured.seconds);
    for ((fix, better), &part) in candidate.fixed(captured).zip(parts) {
        // The prediction is about the fixes of its finding.
        let is_own = finding.is_some_and(|finding| finding.fixes.iter().any(|own| own.id == fix.id));
        let predicted = predicted.filter(|_| is_own);
        let share = share(predicted.map_or(captured.seconds, |prediction| prediction.seconds.value));
        let recording = record(shortened(&better, share), part)?;
        let measured = measure(&recording, rebuilt.vantage, captured)?;
        if tested.apply(fix, measured, captured.seconds, predicted) {
            break;
        }
    }
    Ok(())
}

/// Part of the captured bytes that a run moved; headers of a protocol and rounded turns are no part of their
/// own.
fn share_of(run: u64, captured: u64) -> f64 {
    const ROUNDED: f64 = 0.97;
    let share = run as f64 / captured.max(1) as f64;
    if share >= ROUNDED { 1.0 } else { share }
}

/// What a recording shows where the capture was taken.
fn measure(recording: &Recording, vantage: Vantage, captured: &Observed) -> Result<Measured, ProofError> {
    let path: PathBuf = match vantage {
        Vantage::Receiver => recording.capture(End::Receiver),
        Vantage::Middle => recording.middle(),
        Vantage::Sender | Vantage::Unknown => recording.capture(End::Sender),
    };
    let connections = connections(&path)?;
    let (connection, half) = in_question(&connections, recording.scenario()).ok_or_else(|| ProofError::NotShown {
        path: path.display().to_string(),
        why: tcpwhy_model::Message::new("sender-sent-nothing").to_string(),
    })?;
    let observed = Observed::read(&path, connection, half)?;
    let share = share_of(observed.bytes, captured.bytes);
    Ok(Measured::new(half, share, observed, recording.truth().quality.doubts.clone()))
}

#[cfg(test)]
mod tests;
