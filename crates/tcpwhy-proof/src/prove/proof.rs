//! The whole result, as JSON has it.

use std::path::Path;

use serde::Serialize;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_lab::truth::Doubt;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_model::{Cause, Claim, Fix, Limit, Prediction};

use super::base::Rebuilt;
use super::conclusion::{Conclusion, Effect, Evidence, Outcomes, Proved, conclude};
use super::distance::{BuiltFrom, Distances};
use super::hypothesis::{Hypothesis, Origin, prediction};
use super::noise::NOISE;
use super::observed::Observed;
use super::replay::Replay;
use super::situation::{Assumption, RebuildError, Trace};
use tcpwhy_fit::Setting;

/// A run may take so long, seconds; a longer transfer is run with fewer bytes.
const LONGEST_RUN: f64 = 15.0;
/// What a shortened run is to take.
const SHORTENED_RUN: f64 = 12.0;
/// Rebuilt transfers and predictions may be off by so much.
const TOLERANCE: f64 = 0.2;
/// A fix works if it brings this part of what was predicted.
const EFFECT: f64 = 0.5;
/// Where nothing was predicted, it works if it takes away this part of the time.
const SHORTER: f64 = 0.2;

/// How much of a transfer of so many seconds fits into a run.
pub(super) fn share(seconds: f64) -> f64 {
    if seconds > LONGEST_RUN { SHORTENED_RUN / seconds } else { 1.0 }
}

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measured {
    /// Share of the payload.
    share: f64,
    pub(super) bytes: u64,
    /// First SYN to last ACK, as the captured transfer's.
    pub(super) seconds: f64,
    /// The verdict about it.
    pub(super) verdict: String,
    /// A run of a part stands for the whole at the same rate; the same as `seconds` otherwise.
    pub(super) seconds_of_all: f64,
    /// Largest window that was offered.
    pub(super) window_bytes: Option<u64>,
    /// Window scale in the receiver's SYN.
    pub(super) window_scale: Option<u8>,
    /// Reasons to blame the machine before TCP.
    pub(super) doubts: Vec<Doubt>,
    #[serde(skip)]
    pub(super) observed: Observed,
}

impl Measured {
    pub(super) fn new(half: &HalfConnection, share: f64, observed: Observed, doubts: Vec<Doubt>) -> Self {
        let seconds = half.span.seconds();
        Self {
            share,
            bytes: half.bytes,
            seconds,
            verdict: half.verdict.cause.map_or_else(|| "none".to_owned(), |cause| cause.to_string()),
            seconds_of_all: seconds / share,
            window_bytes: half.receive_window.map(|window| window.max),
            window_scale: observed.facts.scales[1],
            doubts,
            observed,
        }
    }
}

/// An explanation and the results of its runs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tested {
    /// The supposed cause; null: nothing beyond what the packets show.
    pub(super) cause: Option<String>,
    #[serde(skip)]
    pub(super) of: Option<Cause>,
    pub(super) origin: Option<Origin>,
    /// What gives the buffer that binds: a socket option or a sysctl.
    pub(super) setting: Option<Setting>,
    /// What the capture lacks of what the cause leaves behind.
    pub(super) missing: Option<Trace>,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) rebuilt: Option<Measured>,
    /// By observable, in multiples of what two runs of one situation may differ by.
    pub(super) distances: Distances,
    /// Root of their mean square.
    pub(super) distance: Option<f64>,
    pub(super) resembles: Option<bool>,
    /// Times of the capture that it repeats: resembling the capture is then no evidence.
    pub(super) replays: Option<Replay>,
    /// The fixes that were tried, up to the first that works.
    pub(super) fixes: Vec<Tried>,
    /// It resembles the capture without repeating times of it, and one of its fixes works.
    pub(super) explains: Option<bool>,
}

/// A fix and the transfer with it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tried {
    pub(super) id: &'static str,
    #[serde(skip)]
    pub(super) fix: Fix,
    pub(super) fixed: Measured,
    /// Part of the rebuilt transfer's time that the fix takes away.
    pub(super) gain: f64,
    #[serde(skip)]
    pub(super) effect: Effect,
}

impl Tested {
    /// Nothing was run yet. `hypothesis`: `None` for what the packets show alone.
    pub(super) fn new(hypothesis: Option<&Hypothesis<'_>>, rebuilt: Result<&Rebuilt, RebuildError>) -> Self {
        Self {
            cause: hypothesis.map(|hypothesis| hypothesis.cause.to_string()),
            of: hypothesis.map(|hypothesis| hypothesis.cause),
            origin: hypothesis.map(|hypothesis| hypothesis.origin),
            setting: rebuilt.ok().and_then(|rebuilt| rebuilt.setting),
            missing: match rebuilt {
                Err(RebuildError::Absent(trace)) => Some(trace),
                _ => None,
            },
            assumptions: rebuilt.map(|rebuilt| rebuilt.assumptions.clone()).unwrap_or_default(),
            rebuilt: None,
            distances: Distances::default(),
            distance: None,
            resembles: None,
            replays: rebuilt.ok().and_then(|rebuilt| rebuilt.replays),
            fixes: Vec::new(),
            explains: None,
        }
    }

    /// Compares a rebuilt transfer with the capture; of several, the nearest stays. Returns whether this one
    /// does.
    pub(super) fn compare(&mut self, captured: &Observed, rebuilt: Measured, built_from: BuiltFrom) -> bool {
        let distances = Distances::between(captured, &rebuilt.observed, rebuilt.share);
        let is_nearest = self.distance.is_none_or(|distance| distances.overall() < distance);
        if is_nearest {
            self.distance = Some(distances.overall());
            self.resembles = Some(distances.resemble(built_from));
            self.distances = distances;
            self.rebuilt = Some(rebuilt);
        }
        is_nearest
    }

    /// Takes the transfer of `captured` seconds with a fix, which `prediction` is about. Returns whether the
    /// fix works.
    pub(super) fn apply(&mut self, fix: &Fix, fixed: Measured, captured: f64, prediction: Option<&Prediction>) -> bool {
        let Some(before) = &self.rebuilt else { return false };
        let gain = 1.0 - fixed.seconds_of_all / before.seconds_of_all;
        let effect = effect(gain, fixed.seconds_of_all, captured, prediction);
        self.fixes.push(Tried { id: fix.id, fix: fix.clone(), fixed, gain, effect });
        effect.works()
    }

    /// What the fixes did: the last one is the one that works, if one does.
    pub(super) fn effect(&self) -> Effect {
        self.fixes.last().map_or(Effect::Untried, |tried| tried.effect)
    }

    /// What its transfer says for its cause; of what the packets show alone there is nothing to take away.
    pub(super) fn evidence(&self) -> Evidence {
        let works = self.of.is_none() || self.effect().works();
        Evidence::of(self.resembles == Some(true) && works, self.replays)
    }

    /// Whether it explains the capture.
    pub(super) fn judge(&mut self) {
        self.explains = Some(self.evidence() == Evidence::Explains);
    }
}

/// What a fix did that took away `gain` of the rebuilt transfer's time, so that it takes `seconds`; the
/// captured one took `captured`.
fn effect(gain: f64, seconds: f64, captured: f64, prediction: Option<&Prediction>) -> Effect {
    let Some(prediction) = prediction.filter(|_| gain >= NOISE) else {
        return if gain >= SHORTER { Effect::Full(Proved::Shorter) } else { Effect::None };
    };
    let predicted = prediction.seconds;
    let is_range = prediction.claim == Claim::Range;
    // Where only the best case is claimed, how much it becomes is not.
    let promised = if is_range { EFFECT * (1.0 - predicted.value / captured) } else { SHORTER };
    let most = predicted.high.max(predicted.value * (1.0 + TOLERANCE)) + NOISE * captured;
    if gain < NOISE.max(promised) {
        Effect::None
    } else if is_range && seconds > most {
        Effect::Less
    } else if seconds < predicted.low.min(prediction.least_claimed() * (1.0 - TOLERANCE)) {
        Effect::Full(Proved::MoreThanPredicted)
    } else {
        Effect::Full(Proved::AsPredicted)
    }
}

/// The whole result; keys carry their units.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    file: String,
    /// The report's verdict, or what was supposed instead.
    pub(super) verdict: String,
    #[serde(skip)]
    pub(super) cause: Cause,
    pub(super) fix: Option<&'static str>,
    pub(super) bytes: u64,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) captured_s: f64,
    /// What is predicted: null where nothing is, or only how much it becomes at best (`predicted_low_s`).
    pub(super) predicted_s: Option<f64>,
    /// `range`, or that only the low end is claimed.
    pub(super) predicted_claim: Option<&'static str>,
    pub(super) predicted_low_s: Option<f64>,
    pub(super) predicted_high_s: Option<f64>,
    /// Part of the bytes that is run; 1 for all.
    pub(super) share_before: f64,
    pub(super) share_after: f64,
    pub(super) rebuilt: Option<Measured>,
    pub(super) fixed: Option<Measured>,
    /// Rebuilt over captured, less 1.
    pub(super) rebuilt_error: Option<f64>,
    /// Measured over predicted, less 1.
    pub(super) prediction_error: Option<f64>,
    /// The rebuilt transfer takes as long as the captured one, within 20 %.
    pub(super) is_faithful: Option<bool>,
    /// The rebuilt transfer's verdict names the same limit.
    pub(super) has_same_limit: Option<bool>,
    /// Measured within 20 % of the prediction.
    pub(super) is_predicted: Option<bool>,
    /// Measured within the predicted range.
    pub(super) is_in_range: Option<bool>,
    /// Proved, refuted, or neither; null if nothing was run.
    pub(super) conclusion: Option<Conclusion>,
    /// Which setting gives the buffer, where the cause is one; null otherwise.
    pub(super) setting: Option<Known>,
    /// The explanation that contradicts the claim, if there is one; null for what the packets show alone.
    pub(super) rival: Option<String>,
    /// The claim first, then what the packets show alone, then its rivals.
    pub(super) hypotheses: Vec<Tested>,
}

impl Proof {
    pub(super) fn new(
        file: &Path,
        half: &HalfConnection,
        claim: &Hypothesis<'_>,
        fix: Option<&Fix>,
        assumptions: &[Assumption],
    ) -> Self {
        let captured = half.span.seconds();
        let prediction = prediction(claim, captured);
        let seconds = prediction.map(|prediction| prediction.seconds);
        let claim_of = prediction.map(|prediction| prediction.claim);
        Self {
            file: visible_path(file),
            verdict: claim.cause.to_string(),
            cause: claim.cause,
            fix: fix.map(|fix| fix.id),
            bytes: half.bytes,
            assumptions: assumptions.to_vec(),
            captured_s: captured,
            predicted_s: seconds.filter(|_| claim_of == Some(Claim::Range)).map(|seconds| seconds.value),
            predicted_claim: claim_of.map(Claim::id),
            predicted_low_s: seconds.map(|seconds| seconds.low),
            predicted_high_s: seconds.map(|seconds| seconds.high),
            share_before: share(captured),
            share_after: share(seconds.map_or(captured, |seconds| seconds.value)),
            rebuilt: None,
            fixed: None,
            rebuilt_error: None,
            prediction_error: None,
            is_faithful: None,
            has_same_limit: None,
            is_predicted: None,
            is_in_range: None,
            conclusion: None,
            setting: None,
            rival: None,
            hypotheses: Vec::new(),
        }
    }

    /// Judges the runs. `shown`: what the packets show alone, where the claim adds something to it.
    pub(super) fn conclude(
        &mut self,
        claim: Tested,
        shown: Option<Tested>,
        other: Option<Tested>,
        rivals: Vec<Tested>,
        scale: Option<u8>,
    ) {
        self.setting = setting(self.cause, &claim, other.as_ref(), scale);
        let shown_is = shown.as_ref().map_or(Evidence::Nothing, Tested::evidence);
        // The first of the strongest, unless the packets alone are a stronger one, which has no cause.
        let strongest = rivals.iter().rev().max_by_key(|rival| rival.evidence());
        let rival = strongest.filter(|rival| rival.evidence() >= shown_is && rival.evidence() > Evidence::Nothing);
        self.rival = rival.and_then(|rival| rival.cause.clone());
        self.conclusion = Some(conclude(Outcomes {
            has_trace: claim.missing.is_none(),
            resembles: claim.resembles == Some(true),
            effect: claim.effect(),
            claim: claim.evidence(),
            rival: rival.map_or(Evidence::Nothing, Tested::evidence),
            shown: shown_is,
        }));
        if let Some(before) = &claim.rebuilt {
            let error = before.seconds_of_all / self.captured_s - 1.0;
            self.rebuilt_error = Some(error);
            self.is_faithful = Some(error.abs() <= TOLERANCE);
            self.has_same_limit = Some(before.verdict.split('/').next() == self.verdict.split('/').next());
        }
        let tried = claim.fixes.last();
        if let (Some(after), Some(predicted)) = (tried.map(|tried| &tried.fixed), self.predicted_s) {
            let error = after.seconds_of_all / predicted - 1.0;
            self.prediction_error = Some(error);
            self.is_predicted = Some(error.abs() <= TOLERANCE);
            let range = self.predicted_low_s.zip(self.predicted_high_s);
            self.is_in_range = range.map(|(low, high)| (low..=high).contains(&after.seconds_of_all));
        }
        self.rebuilt.clone_from(&claim.rebuilt);
        self.fixed = tried.map(|tried| tried.fixed.clone());
        self.fix = tried.map(|tried| tried.id).or(self.fix);
        self.hypotheses = std::iter::once(claim).chain(other).chain(shown).chain(rivals).collect();
    }

    /// What the runs say; `None` if nothing was run.
    pub const fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }
}

/// The setting that gives a buffer. Message id after `prove-setting-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Known {
    /// `SO_RCVBUF`, before the connection was opened.
    SoRcvbuf,
    /// `tcp_rmem`, or `SO_RCVBUF` after the connection was opened.
    TcpRmem,
    /// Either: `SO_RCVBUF` or `tcp_rmem`.
    EitherReceive,
    /// Either: `SO_SNDBUF` or `tcp_wmem`.
    EitherSend,
}

impl Known {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::SoRcvbuf => "so-rcvbuf",
            Self::TcpRmem => "tcp-rmem",
            Self::EitherReceive => "either-receive",
            Self::EitherSend => "either-send",
        }
    }
}

/// The setting of `claim`. A send buffer shows alike whatever sets it. A receive buffer may be that of the
/// other setting if the transfer with it resembles the capture. It also needs the captured window scale,
/// `scale` in the receiver's SYN.
fn setting(cause: Cause, claim: &Tested, other: Option<&Tested>, scale: Option<u8>) -> Option<Known> {
    let (own, other) = (claim.setting?, other?);
    if cause.limit != Limit::ReceiveWindow {
        return Some(Known::EitherSend);
    }
    let scale_of_other = other.rebuilt.as_ref().and_then(|rebuilt| rebuilt.window_scale);
    let has_scale = scale.is_none() || scale == scale_of_other;
    Some(match own {
        _ if other.resembles == Some(true) && has_scale => Known::EitherReceive,
        Setting::Socket => Known::SoRcvbuf,
        Setting::Sysctl => Known::TcpRmem,
    })
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Basis, Estimate};

    use super::*;

    fn predicted(value: f64, low: f64, high: f64) -> Prediction {
        let seconds = Estimate { value, low, high, basis: Basis::Assumed };
        Prediction::by_formula(seconds, Claim::Range, Limit::Path, "path-rate-assumed")
    }

    /// A transfer of 10 s that was predicted to take 2 s, 1.5 to 3.
    #[test]
    fn a_fix_has_to_bring_what_was_promised() {
        let prediction = predicted(2.0, 1.5, 3.0);
        for (seconds, expected) in [
            (2.0, Effect::Full(Proved::AsPredicted)),
            (2.9, Effect::Full(Proved::AsPredicted)),
            // Half a second is what runs of ten seconds differ by.
            (3.4, Effect::Full(Proved::AsPredicted)),
            (0.5, Effect::Full(Proved::MoreThanPredicted)),
            (5.0, Effect::Less),
            (7.0, Effect::None),
            (10.0, Effect::None),
        ] {
            assert_eq!(effect(1.0 - seconds / 10.0, seconds, 10.0, Some(&prediction)), expected, "{seconds}");
        }
        // At best 1.5 s: more time is no less than promised.
        let at_best = Prediction { claim: Claim::AtBest, ..prediction };
        for (seconds, expected) in [
            (1.0, Effect::Full(Proved::MoreThanPredicted)),
            (1.5, Effect::Full(Proved::AsPredicted)),
            (7.0, Effect::Full(Proved::AsPredicted)),
            (9.0, Effect::None),
        ] {
            assert_eq!(effect(1.0 - seconds / 10.0, seconds, 10.0, Some(&at_best)), expected, "{seconds}");
        }
        assert_eq!(effect(0.1, 9.0, 10.0, None), Effect::None);
        assert_eq!(effect(0.3, 7.0, 10.0, None), Effect::Full(Proved::Shorter));
    }

    #[test]
    fn a_long_transfer_is_run_in_part() {
        assert_eq!((share(15.0), share(120.0)), (1.0, 0.1));
    }
}
