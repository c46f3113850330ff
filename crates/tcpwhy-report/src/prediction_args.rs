//! Durations of a prediction, as messages take them.

use tcpwhy_model::Prediction;

use crate::{Args, Units};

/// `args` with the durations of `prediction`.
pub(crate) fn prediction_args(units: Units<'_>, args: Args, prediction: &Prediction, now: f64) -> Args {
    let seconds = prediction.seconds;
    args.text("now", units.seconds(now))
        .text("times", units.times(prediction.times_at_most(now)))
        .text("then", units.rough_seconds(seconds.value))
        .text("low", units.rough_seconds(seconds.low))
        .text("high", units.rough_seconds(seconds.high))
}
