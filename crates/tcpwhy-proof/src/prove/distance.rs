//! Distance of a rebuilt transfer from the captured one, for each observable.
//!
//! A distance is given in multiples of a tolerance: 1 is the largest distance between two runs of one
//! situation. The tolerances are chosen, wide enough for the runs of the lab that were tried.

use serde::Serialize;
use tcpwhy_model::Limit;

use super::observed::Observed;

/// A property that both a capture and a rebuilt transfer show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Observable {
    /// Seconds, as an octave of their ratio.
    Duration,
    /// Bytes in flight.
    Flight,
    /// The offered window.
    Window,
    /// Share of time in which the window was full.
    WindowFull,
    /// Round trips, which grow with queues.
    RoundTrip,
    /// Time between sends.
    Rests,
    /// Time from the peer's last packet to a send.
    AfterPeer,
    /// Share of bytes that followed a message of the peer.
    OnMessages,
    /// Share of retransmitted segments.
    Retransmitted,
    /// Seconds under each limit.
    Limits,
}

/// Octaves of seconds. A transfer that is 25 % slower or faster is another one. Predictions are right within
/// 20 %, and losses alone can change a run by as much.
const DURATION: f64 = 0.32;
/// Octaves of bytes. A window, or the bytes in flight, of 1.5 times the size is another one.
const BYTES: f64 = 0.58;
/// Octaves of round trips.
const ROUND_TRIP: f64 = 0.58;
/// Octaves of pauses. The number of segments that one ACK releases depends on interfaces (GRO, TSO) that
/// packets do not show.
const RESTS: f64 = 1.5;
/// Octaves of the delay after the peer's packets, for the same reason.
const AFTER_PEER: f64 = 1.5;
/// Difference of two shares of time or bytes.
const SHARE: f64 = 0.3;
/// Difference of two shares of lost segments, absolute and relative.
const LOST: f64 = 0.005;
const LOST_PART: f64 = 0.5;
/// Windows larger than the bytes in flight by this factor are alike, because none of them is the limit.
const AMPLE: f64 = 4.0;

impl Observable {
    pub(super) const ALL: [Self; 10] = [
        Self::Duration,
        Self::Flight,
        Self::Window,
        Self::WindowFull,
        Self::RoundTrip,
        Self::Rests,
        Self::AfterPeer,
        Self::OnMessages,
        Self::Retransmitted,
        Self::Limits,
    ];

    /// Message id after `prove-observable-`.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Flight => "flight",
            Self::Window => "window",
            Self::WindowFull => "window-full",
            Self::RoundTrip => "round-trip",
            Self::Rests => "rests",
            Self::AfterPeer => "after-peer",
            Self::OnMessages => "on-messages",
            Self::Retransmitted => "retransmitted",
            Self::Limits => "limits",
        }
    }

    /// The distance in multiples of the tolerance; `None` if one of the two does not show the observable.
    /// `share` is the share of the bytes that `rebuilt` moved.
    fn between(self, captured: &Observed, rebuilt: &Observed, share: f64) -> Option<f64> {
        Some(match self {
            Self::Duration => {
                let ratio = rebuilt.seconds / share / captured.seconds.max(f64::MIN_POSITIVE);
                ratio.max(f64::MIN_POSITIVE).log2().abs() / DURATION
            }
            Self::Flight => captured.flight.distance(&rebuilt.flight)? / BYTES,
            Self::Window => {
                let most = captured.flight.quantile(1.0)? * AMPLE;
                captured.window.capped(most).distance(&rebuilt.window.capped(most))? / BYTES
            }
            Self::WindowFull => (captured.full - rebuilt.full).abs() / SHARE,
            Self::RoundTrip => captured.rtt.distance(&rebuilt.rtt)? / ROUND_TRIP,
            Self::Rests => captured.rests.distance(&rebuilt.rests)? / RESTS,
            Self::AfterPeer => captured.after_peer.distance(&rebuilt.after_peer)? / AFTER_PEER,
            Self::OnMessages => (captured.on_messages - rebuilt.on_messages).abs() / SHARE,
            Self::Retransmitted => {
                let [one, other] = [captured.retransmitted, rebuilt.retransmitted];
                (one - other).abs() / (LOST + LOST_PART * one.max(other))
            }
            Self::Limits => limits(captured, rebuilt) / SHARE,
        })
    }
}

/// Half the sum of the differences of the shares of time (total variation). The final round trip and the
/// handshake count as the path's.
fn limits(captured: &Observed, rebuilt: &Observed) -> f64 {
    let differ = |limit: Limit| (captured.share(limit) - rebuilt.share(limit)).abs();
    Limit::ALL.into_iter().map(differ).sum::<f64>() / 2.0
}

/// One observable of a rebuilt transfer.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Distance {
    pub(super) observable: Observable,
    /// Multiples of its tolerance.
    pub(super) distance: f64,
}

/// A larger distance in one observable means another transfer, for any distance of the others.
const FAR: f64 = 1.5;

/// The source of a transfer. The transfer reproduces its source for any cause, so it must reproduce the other
/// observables as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltFrom {
    /// The properties that the packets show.
    Packets,
    /// Those properties, and the times and sizes of the program's writes.
    Schedule,
}

impl BuiltFrom {
    /// The observables that are no evidence.
    const fn observables(self) -> &'static [Observable] {
        match self {
            Self::Packets => &[],
            Self::Schedule => &[Observable::Duration, Observable::Flight, Observable::Rests],
        }
    }
}

/// All observables of a rebuilt transfer.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Distances(Vec<Distance>);

impl Distances {
    pub(super) fn between(captured: &Observed, rebuilt: &Observed, share: f64) -> Self {
        let of = |observable: Observable| {
            let distance = observable.between(captured, rebuilt, share)?;
            Some(Distance { observable, distance })
        };
        Self(Observable::ALL.into_iter().filter_map(of).collect())
    }

    /// Root of the mean square of all distances.
    pub(super) fn overall(&self) -> f64 {
        let squares: f64 = self.0.iter().map(|one| one.distance * one.distance).sum();
        (squares / self.0.len().max(1) as f64).sqrt()
    }

    /// The distance in one observable.
    #[cfg(test)]
    pub(super) fn of(&self, observable: Observable) -> Option<f64> {
        self.0.iter().find(|one| one.observable == observable).map(|one| one.distance)
    }

    /// The observable that is furthest away.
    pub(super) fn furthest(&self) -> Option<Distance> {
        self.0.iter().copied().max_by(|one, other| one.distance.total_cmp(&other.distance))
    }

    /// Whether the rebuilt transfer resembles the capture. Its duration must match, all observables together
    /// must be within the tolerance, and none may be far off. If the source is more than the packets, each
    /// other observable must be within the tolerance.
    pub(super) fn resemble(&self, built_from: BuiltFrom) -> bool {
        let given = built_from.observables();
        let duration = self.0.iter().find(|one| one.observable == Observable::Duration);
        let most = |one: &Distance| if given.is_empty() || given.contains(&one.observable) { FAR } else { 1.0 };
        duration.is_some_and(|duration| duration.distance <= 1.0)
            && self.overall() <= 1.0
            && self.0.iter().all(|one| one.distance <= most(one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(distances: &[(Observable, f64)]) -> Distances {
        Distances(distances.iter().map(|&(observable, distance)| Distance { observable, distance }).collect())
    }

    #[test]
    fn one_observable_far_off_is_another_transfer() {
        use Observable::{Duration, Flight, Limits, Window};
        let resemble = |all: &[(Observable, f64)]| of(all).resemble(BuiltFrom::Packets);
        let all = |last: f64| [(Duration, 0.1), (Flight, 0.2), (Window, 0.3), (Limits, last)];
        assert!(resemble(&all(1.4)));
        assert!(!resemble(&all(1.6)));
        assert_eq!(of(&all(1.6)).furthest().unwrap().observable, Limits);
        // The duration must match, but it does not suffice.
        assert!(!resemble(&[(Duration, 1.1), (Flight, 0.0), (Window, 0.0)]));
        assert!(!resemble(&[(Duration, 0.0), (Flight, 1.4), (Window, 1.4)]));
    }

    /// A schedule reproduces its own duration and pauses for any cause, so the other observables decide.
    #[test]
    fn what_a_transfer_was_built_from_proves_nothing() {
        use Observable::{AfterPeer, Duration, Flight, Limits, Rests};
        let all = |after: f64, limits: f64| {
            of(&[(Duration, 0.0), (Flight, 0.0), (Rests, 0.0), (AfterPeer, after), (Limits, limits)])
        };
        assert!(all(0.9, 0.9).resemble(BuiltFrom::Schedule));
        assert!(!all(1.1, 0.0).resemble(BuiltFrom::Schedule));
        assert!(!all(0.0, 1.1).resemble(BuiltFrom::Schedule));
        assert!(all(0.0, 1.1).resemble(BuiltFrom::Packets));
    }

    #[test]
    fn distances_are_root_mean_squares() {
        let all = of(&[(Observable::Duration, 3.0), (Observable::Flight, 4.0)]);
        assert!((all.overall() - 12.5_f64.sqrt()).abs() < 1e-12);
    }
}
