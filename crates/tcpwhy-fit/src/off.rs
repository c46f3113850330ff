//! Deviation of a world from the connection that it rebuilds.

use std::f64::consts::LN_2;

use tcpwhy_model::{Cause, Limit, LimitGroup};

use crate::shown::Shown;
use crate::simulate::Run;

/// Largest deviation of the duration (natural logarithm) before a world is dropped.
pub(crate) const UNLIKE: f64 = 0.35;
/// Deviation of the duration (natural logarithm) that halves the likelihood.
const LIKE: f64 = 0.08;
/// Share of the time under a different limit that halves the likelihood. Verdict and kernel differ by less in
/// most transfers; with half of this value, correct worlds of a slow reader were dropped.
const LIKE_CAUSES: f64 = 0.3;

/// Deviation of a world from the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Off {
    /// Ratio of the durations, world by connection, as a natural logarithm.
    pub(crate) longer: f64,
    /// Share of the time in which another limit applied.
    causes: f64,
}

impl Off {
    /// A world that does not end.
    pub(crate) const NEVER: Self = Self { longer: UNLIKE, causes: 1.0 };

    /// Deviation of `run` from the connection.
    pub(crate) fn of(run: &Run, shown: &Shown<'_>) -> Self {
        let in_run = run.limits.iter().filter_map(|&(limit, share)| Some((group(limit)?, share)));
        let seen = Limit::ALL.into_iter().filter_map(|limit| Some((group(limit)?, shown.under(limit))));
        let causes = LimitGroup::distance(&LimitGroup::shares(in_run), &LimitGroup::shares(seen));
        Self { longer: (run.seconds / shown.seconds()).ln(), causes }
    }
}

/// Group of a limit; equal for all its forms.
fn group(limit: Limit) -> Option<LimitGroup> {
    LimitGroup::of_cause(Cause::plain(limit))
}

/// Likelihood of the connection, given the deviations `offs` of its worlds.
pub(crate) fn likelihood(offs: &[Off]) -> f64 {
    let count = offs.len() as f64;
    let mean = |of: &dyn Fn(&Off) -> f64| offs.iter().map(of).sum::<f64>() / count;
    let longer = mean(&|off| off.longer);
    let spread = mean(&|off| (off.longer - longer).powi(2));
    let causes = mean(&|off| off.causes) / LIKE_CAUSES;
    (-(longer.powi(2) / (LIKE.powi(2) + spread) + causes.powi(2)) * LN_2).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Off = Off { longer: 0.0, causes: 0.0 };

    #[test]
    fn a_world_with_the_same_causes_is_likelier() {
        let others = Off { causes: LIKE_CAUSES, ..RIGHT };
        assert!((likelihood(&[RIGHT]) - 1.0).abs() < 1e-9);
        assert!((likelihood(&[others]) - 0.5).abs() < 1e-9);
        assert!(likelihood(&[Off { longer: LIKE, ..RIGHT }]) <= 0.5 + 1e-9);
        assert!(likelihood(&[Off::NEVER]) < 1e-3);
    }

    #[test]
    fn chance_forgives_a_duration_but_not_the_causes() {
        let spread = [-0.2, 0.2].map(|longer| Off { longer, ..RIGHT });
        assert!((likelihood(&spread) - 1.0).abs() < 1e-9);
        let others = spread.map(|off| Off { causes: 2.0 * LIKE_CAUSES, ..off });
        assert!(likelihood(&others) < 0.07);
    }
}
