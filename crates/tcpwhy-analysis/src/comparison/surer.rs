//! Choice of the capture to trust if the verdicts of two captures of one connection differ.

use crate::HalfConnection;
use crate::thresholds::SURER_BY;

/// Returns the capture whose verdict on a direction is surer, if both name different limits.
pub fn surer(halves: [&HalfConnection; 2]) -> Option<usize> {
    let [a, b] = halves.map(|half| &half.verdict);
    if a.cause.map(|cause| cause.limit) == b.cause.map(|cause| cause.limit) {
        return None;
    }
    let surer_by = a.confidence - b.confidence;
    (surer_by.abs() >= SURER_BY.get()).then_some(usize::from(surer_by < 0.0))
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Detail, Limit};

    use super::*;
    use crate::Role;
    use crate::problems::testing::half;

    #[test]
    fn the_surer_verdict_is_trusted_where_they_differ() {
        let of = |cause: Option<Cause>, confidence: f64| {
            let mut half = half(Role::Client, None, &[(10, Cause::plain(Limit::Path))], Vec::new());
            (half.verdict.cause, half.verdict.confidence) = (cause, confidence);
            half
        };
        let [path, buffer] = [Limit::Path, Limit::SendBuffer].map(|limit| Some(Cause::plain(limit)));
        let rto = Some(Cause::from(Detail::Rto));
        let loss = Some(Cause::plain(Limit::LossRecovery));
        for (what, a, b, expected) in [
            ("the first is surer", (path, 0.9), (buffer, 0.6), Some(0)),
            ("the second is surer", (path, 0.6), (buffer, 0.9), Some(1)),
            ("nothing is wrong at one", (None, 0.9), (buffer, 0.6), Some(0)),
            ("one limit", (rto, 0.9), (loss, 0.6), None),
            ("nothing is wrong at both", (None, 0.9), (None, 0.6), None),
            ("both are about as sure", (path, 0.75), (buffer, 0.71), None),
            ("`SURER_BY`", (path, 0.75), (buffer, 0.6875), Some(0)),
        ] {
            let [a, b] = [a, b].map(|(cause, confidence)| of(cause, confidence));
            assert_eq!(surer([&a, &b]), expected, "{what}");
        }
    }
}
