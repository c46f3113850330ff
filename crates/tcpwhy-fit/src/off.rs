//! How far a world is from the connection that it rebuilds.

use std::f64::consts::LN_2;

use tcpwhy_model::Limit;

use crate::shown::Shown;
use crate::simulate::Run;

/// A world whose duration is off by more (natural logarithm) is dropped.
pub(crate) const UNLIKE: f64 = 0.35;
/// Durations that are off by so much are half as likely as those that are right.
const LIKE: f64 = 0.08;
/// Worlds that something else held back for so much of the time are half as likely. Verdict and kernel differ
/// by less in most transfers; at half of it, right worlds of a slow reader were dropped.
const LIKE_CAUSES: f64 = 0.3;

/// How far a world is from the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Off {
    /// How many times as long it takes, as a natural logarithm.
    pub(crate) longer: f64,
    /// Share of the time in which something else held the sender back.
    causes: f64,
}

/// Places that hold a sender back. Packets show them for sure; forms of the network's limits are less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    SendBuffer,
    ReceiveWindow,
    Application,
    Network,
}

impl Place {
    const ALL: [Self; 4] = [Self::SendBuffer, Self::ReceiveWindow, Self::Application, Self::Network];

    /// `None` where nothing held the sender back that a world could have otherwise.
    const fn of(limit: Limit) -> Option<Self> {
        match limit {
            Limit::Unobserved | Limit::Handshake | Limit::TailRtt => None,
            Limit::SendBuffer => Some(Self::SendBuffer),
            Limit::ReceiveWindow => Some(Self::ReceiveWindow),
            Limit::Application | Limit::AckDelay => Some(Self::Application),
            Limit::LossRecovery | Limit::Path | Limit::SlowStart | Limit::CongestionWindow => Some(Self::Network),
        }
    }
}

/// How much of the time under any limit each place has.
fn shares(of: impl Fn(Limit) -> f64) -> [f64; 4] {
    let under = Place::ALL.map(|place| {
        let limits = Limit::ALL.into_iter().filter(|&limit| Place::of(limit) == Some(place));
        limits.map(&of).sum::<f64>()
    });
    let all = under.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    under.map(|under| under / all)
}

impl Off {
    /// A world that does not end.
    pub(crate) const NEVER: Self = Self { longer: UNLIKE, causes: 1.0 };

    /// How far `run` is from what was shown.
    pub(crate) fn of(run: &Run, shown: &Shown<'_>) -> Self {
        let in_run = |limit: Limit| run.limits.iter().find(|of| of.0 == limit).map_or(0.0, |of| of.1);
        let differences =
            shares(in_run).into_iter().zip(shares(|limit| shown.under(limit))).map(|(a, b)| (a - b).abs());
        Self { longer: (run.seconds / shown.seconds()).ln(), causes: differences.sum::<f64>() / 2.0 }
    }
}

/// How likely a connection is whose worlds are `offs` off.
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

    #[test]
    fn forms_of_what_the_network_does_are_one_place() {
        let of = |wanted: Limit| {
            let shares = shares(|limit| if limit == wanted { 3.0 } else { 0.0 });
            Place::ALL.into_iter().zip(shares).find(|of| of.1 > 0.9).map(|of| of.0)
        };
        assert_eq!(of(Limit::LossRecovery), Some(Place::Network));
        assert_eq!(of(Limit::CongestionWindow), Some(Place::Network));
        assert_eq!(of(Limit::SendBuffer), Some(Place::SendBuffer));
        // What no world could change counts nowhere.
        assert_eq!(of(Limit::TailRtt), None);
    }
}
