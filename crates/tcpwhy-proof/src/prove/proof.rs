//! Predicted against measured.

use std::path::Path;

use serde::Serialize;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_lab::truth::Doubt;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_model::{Cause, Finding, Fix};

use super::rebuild::Rebuilt;
use super::situation::Assumption;

/// A run may take so long, seconds; a longer transfer is run with fewer bytes.
const LONGEST_RUN: f64 = 15.0;
/// What a shortened run is to take.
const SHORTENED_RUN: f64 = 12.0;
/// Rebuilt transfers and predictions may be off by so much.
const TOLERANCE: f64 = 0.2;

/// What is to be compared, and how much of it is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Seconds that the captured transfer took.
    pub(super) captured: f64,
    /// Its payload.
    pub(super) bytes: u64,
    /// Seconds: the value, its low and its high end.
    pub(super) predicted: [f64; 3],
    /// Of the bytes, for the transfer as it was, and with the fix.
    pub(super) share_before: f64,
    pub(super) share_after: f64,
}

impl Plan {
    pub(super) fn new(half: &HalfConnection, finding: &Finding) -> Option<Self> {
        let prediction = finding.prediction.as_ref()?;
        let captured = half.span.seconds();
        let seconds = prediction.seconds;
        Some(Self {
            captured,
            bytes: half.bytes,
            predicted: [seconds.value, seconds.low, seconds.high],
            share_before: share(captured),
            share_after: share(seconds.value),
        })
    }
}

/// How much of a transfer of so many seconds fits into a run.
fn share(seconds: f64) -> f64 {
    if seconds > LONGEST_RUN { SHORTENED_RUN / seconds } else { 1.0 }
}

/// What a run came to.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measured {
    /// Of the payload.
    share: f64,
    pub(super) bytes: u64,
    /// First SYN to last ACK, as the captured transfer's.
    pub(super) seconds: f64,
    /// What is said of it.
    pub(super) verdict: String,
    /// A run of a part stands for the whole at the same rate; the same as `seconds` otherwise.
    pub(super) seconds_of_all: f64,
    /// Largest window that was offered.
    pub(super) window_bytes: Option<u64>,
    /// Reasons to blame the machine before TCP.
    pub(super) doubts: Vec<Doubt>,
}

impl Measured {
    pub(super) fn new(half: &HalfConnection, share: f64, doubts: Vec<Doubt>) -> Self {
        let seconds = half.span.seconds();
        Self {
            share,
            bytes: half.bytes,
            seconds,
            verdict: half.verdict.cause.map_or_else(|| "none".to_owned(), |cause| cause.to_string()),
            seconds_of_all: seconds / share,
            window_bytes: half.receive_window.map(|window| window.max),
            doubts,
        }
    }
}

/// The whole result; keys carry their units.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    file: String,
    pub(super) verdict: String,
    #[serde(skip)]
    pub(super) cause: Cause,
    pub(super) fix: &'static str,
    pub(super) bytes: u64,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) captured_s: f64,
    pub(super) predicted_s: f64,
    pub(super) predicted_low_s: f64,
    pub(super) predicted_high_s: f64,
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
}

impl Proof {
    pub(super) fn new(file: &Path, cause: Cause, fix: &Fix, rebuilt: &Rebuilt, plan: &Plan) -> Self {
        let [predicted_s, predicted_low_s, predicted_high_s] = plan.predicted;
        Self {
            file: visible_path(file),
            verdict: cause.to_string(),
            cause,
            fix: fix.id,
            bytes: plan.bytes,
            assumptions: rebuilt.assumptions.clone(),
            captured_s: plan.captured,
            predicted_s,
            predicted_low_s,
            predicted_high_s,
            share_before: plan.share_before,
            share_after: plan.share_after,
            rebuilt: None,
            fixed: None,
            rebuilt_error: None,
            prediction_error: None,
            is_faithful: None,
            has_same_limit: None,
            is_predicted: None,
            is_in_range: None,
        }
    }

    /// Holds the two runs against the capture and the prediction.
    pub(super) fn conclude(&mut self, plan: &Plan, before: Measured, after: Measured) {
        let [predicted, low, high] = plan.predicted;
        let rebuilt_error = before.seconds_of_all / plan.captured - 1.0;
        let prediction_error = after.seconds_of_all / predicted - 1.0;
        self.rebuilt_error = Some(rebuilt_error);
        self.prediction_error = Some(prediction_error);
        self.is_faithful = Some(rebuilt_error.abs() <= TOLERANCE);
        self.has_same_limit = Some(before.verdict.split('/').next() == self.verdict.split('/').next());
        self.is_predicted = Some(prediction_error.abs() <= TOLERANCE);
        self.is_in_range = Some((low..=high).contains(&after.seconds_of_all));
        self.rebuilt = Some(before);
        self.fixed = Some(after);
    }

    /// Faithful and as predicted; `None` if nothing was run.
    pub fn is_proved(&self) -> Option<bool> {
        Some(self.is_faithful? && self.is_predicted?)
    }
}
