//! Durations of a prediction, as arguments of messages.

use tcpwhy_model::{Claim, PathTime, Prediction};

use crate::{Args, Units};

/// Adds the durations of `prediction` to `args`.
pub(crate) fn prediction_args(units: Units<'_>, args: Args, prediction: &Prediction, now: f64) -> Args {
    let seconds = prediction.seconds;
    let rate = |path: &PathTime| units.rough_bits_per_second(path.rate.bits_per_sec());
    let args = match prediction.paths.as_slice() {
        [fast, .., slow] => args
            .text("fast", units.rough_seconds(fast.seconds))
            .text("fast-rate", rate(fast))
            .text("slow", units.rough_seconds(slow.seconds))
            .text("slow-rate", rate(slow)),
        _ => args,
    };
    args.text("now", units.seconds(now))
        .text("times", units.times(prediction.times_at_most(now)))
        .text("then", units.rough_seconds(seconds.value))
        .text("low", units.rough_seconds(seconds.low))
        .text("high", units.rough_seconds(seconds.high))
}

/// Whether durations over paths of at least two rates are known, while only a bound is claimed.
pub(crate) fn has_paths(prediction: &Prediction) -> bool {
    prediction.paths.len() > 1 && prediction.claim != Claim::Range
}
