//! The path's rate.

use tcpwhy_analysis::PathFacts;

/// Range of the path's rate, bytes of payload per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathRate {
    pub(crate) low: f64,
    pub(crate) likely: f64,
    pub(crate) high: f64,
    /// Whether packets show it; otherwise it is at least `low`.
    pub(crate) is_seen: bool,
}

/// Ratio up to which two rates count as equal.
const ALIKE: f64 = 1.06;
/// Minimum ratio of the spacing rate of packets to the transfer's rate for it to be the path's rate.
const FASTER: f64 = 1.1;
/// Highest assumed rate of a path, bytes per second (10 Gbit/s).
const MOST: f64 = 1.25e9;

/// Ratio of the fastest trains to most trains up to which they show a single rate.
const ONE: f64 = 1.015;
/// Minimum share of bytes with one spacing that is not a coincidence.
const LEAST_SHARE: f64 = 0.1;
/// Minimum share of bytes with one exact spacing that comes from a link, even if captured away from the
/// receiver.
const SHARP_SHARE: f64 = 0.15;
/// Maximum factor by which ACKs are compressed because hosts delayed them.
const COMPRESSED: f64 = 1.45;

/// Minimum share of bytes for a spacing of ACKs that is not a coincidence.
const MAJORITY: f64 = 0.55;

/// Minimum share of bytes for a peak that comes from a link.
const SHARP: f64 = 0.3;
/// Maximum ratio of a sender's pacing rate to the delivery rate (`bbr_high_gain` is 2.89; most of the time
/// 1.25).
const PACED: f64 = 2.0;
/// Ratio above which closely spaced segments were merged.
const FAR: f64 = 6.0;

impl PathRate {
    /// The rate shown by a transfer of `pace` bytes per second. `is_at_receiver`: data was captured where it
    /// arrives.
    pub(crate) fn of(path: &PathFacts, pace: f64, is_at_receiver: bool, is_pacing: bool) -> Self {
        let range = |low: f64, likely: f64, high: f64| Self { low, likely, high, is_seen: true };
        let near = |rate: f64| range(rate / 1.01, rate, rate * 1.01);
        let clusters = if is_at_receiver { path.spacings.clone() } else { clustered(&path.spacings) };
        let peak = || clusters.iter().copied().find(|&(_, share)| share >= LEAST_SHARE).map(|(rate, _)| rate);
        let is_full = path.full.is_some();
        let is_of_path = |rate: f64| rate > pace * FASTER || is_full && rate > pace * 0.98;
        if let Some([_, middle, usual, fast]) = path.trains.filter(|trains| is_of_path(trains[1])) {
            if is_pacing && path.closest > fast * ALIKE && path.closest < fast * FAR && !is_full {
                return range(fast, path.closest, path.closest);
            }
            if fast <= usual * ONE && usual <= middle * ALIKE {
                // If trains contain pauses, a higher peak shows the link.
                let most = if is_at_receiver { f64::INFINITY } else { usual * COMPRESSED };
                let sharp = path.spacings.iter().find(|&&(rate, share)| share >= SHARP_SHARE && rate <= most);
                let above = sharp.map(|&(rate, _)| rate).filter(|&rate| rate > usual * ONE);
                return near(above.unwrap_or(usual));
            }
            let most = if is_at_receiver { f64::INFINITY } else { usual.max(middle) * COMPRESSED };
            let above = clusters.iter().find(|&&(rate, share)| share >= LEAST_SHARE && rate <= most && rate >= middle);
            // A pacing sender determines the spacing, so the closest segments show the path.
            let is_spaced = above.is_none_or(|&(_, share)| share < SHARP) && usual < pace * PACED && !is_full;
            if is_spaced && path.closest > fast * ALIKE && path.closest < fast * FAR {
                return range(usual, usual, path.closest);
            }
            return match above {
                Some(&(rate, _)) => near(rate),
                None if usual <= middle * ALIKE => range(middle, usual, fast.min(usual * COMPRESSED)),
                None => range(middle, middle, usual.min(middle * COMPRESSED)),
            };
        }
        let most_frequent = clusters.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((fastest, (frequent, share))) = peak().zip(most_frequent).filter(|_| is_at_receiver || !is_pacing)
            && is_of_path(fastest)
        {
            let is_frequent = !is_at_receiver && share > MAJORITY && is_of_path(frequent);
            return near(if is_frequent { frequent } else { fastest });
        }
        if let Some(served) = path.served.filter(|&served| is_of_path(served)) {
            return near(served);
        }
        if let Some(full) = path.full {
            return near(full);
        }
        if is_of_path(path.closest) {
            return range(path.closest / COMPRESSED, path.closest, path.closest);
        }
        let floor = path.steady.unwrap_or(pace).max(pace);
        Self { low: floor, likely: (floor * 10.0).min(MOST).max(floor), high: MOST.max(floor), is_seen: false }
    }
}

impl PathRate {
    /// The rate behind a sender that paces at its delivery rate (BBR). The spacing then shows its own rate:
    /// the path is at least as fast, and at most as fast as the closest segments show.
    pub(crate) fn behind_pacing(self, path: &PathFacts) -> Self {
        if path.full.is_some() || path.closest <= self.high * ALIKE {
            return self;
        }
        let repeated = path.spacings.iter().map(|of| of.0).fold(self.likely, f64::max);
        let low = if repeated > self.high { repeated / ALIKE } else { self.low };
        Self { low, likely: repeated, high: path.closest, is_seen: self.is_seen && repeated * ALIKE >= path.closest }
    }
}

/// Rates with the share of bytes near each of them, for varying spacings.
fn clustered(rates: &[(f64, f64)]) -> Vec<(f64, f64)> {
    /// Ratio of the variation.
    const SPREAD: f64 = 1.08;
    let near = |rate: f64| rates.iter().filter(move |other| other.0 <= rate * SPREAD && other.0 >= rate / SPREAD);
    let cluster = |&(rate, _): &(f64, f64)| {
        let share: f64 = near(rate).map(|other| other.1).sum();
        (near(rate).map(|other| other.0 * other.1).sum::<f64>() / share.max(f64::MIN_POSITIVE), share)
    };
    rates.iter().map(cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: f64 = 1e6;

    #[track_caller]
    fn is_seen(path: &PathFacts, is_at_receiver: bool, is_pacing: bool, expected: (f64, f64)) {
        let rate = PathRate::of(path, PACE, is_at_receiver, is_pacing);
        assert!(rate.is_seen, "{rate:?}");
        assert!((rate.low / expected.0 - 1.0).abs() < 0.011, "{rate:?}, not {expected:?}");
        assert!((rate.high / expected.1 - 1.0).abs() < 0.011, "{rate:?}, not {expected:?}");
        assert!((rate.low..=rate.high).contains(&rate.likely), "{rate:?}");
    }

    fn trains(trains: [f64; 4]) -> PathFacts {
        PathFacts { trains: Some(trains), ..PathFacts::default() }
    }

    /// Trains of one rate show the link. Single spacings show a higher rate if trains contain pauses.
    #[test]
    fn trains_show_the_link() {
        let alike = trains([5e6, 5e6, 5e6, 5e6]);
        is_seen(&alike, false, false, (5e6, 5e6));
        let rests = PathFacts { spacings: vec![(6.5e6, 0.4), (1e6, 0.6)], ..trains([4e6, 4.5e6, 5e6, 5.5e6]) };
        is_seen(&rests, false, false, (6.5e6, 6.5e6));
        // ACKs that a host delayed are much closer than their data was.
        let together = PathFacts { spacings: vec![(60e6, 0.4), (5e6, 0.6)], ..alike };
        is_seen(&together, false, false, (5e6, 5e6));
    }

    /// The sender's own rate differs from the path's, which the closest segments show.
    #[test]
    fn a_pacing_sender_hides_the_link() {
        let paced = PathFacts { closest: 5e6, ..trains([1.8e6, 1.9e6, 2e6, 2e6]) };
        is_seen(&paced, true, true, (2e6, 5e6));
        is_seen(&paced, true, false, (2e6, 2e6));
    }

    /// Without trains: the fastest spacing with a sufficient share at the receiver, with a majority at the
    /// sender.
    #[test]
    fn single_distances_show_the_link() {
        let both = PathFacts { spacings: vec![(9e6, 0.4), (3e6, 0.6)], ..PathFacts::default() };
        is_seen(&both, true, false, (9e6, 9e6));
        is_seen(&both, false, false, (3e6, 3e6));
        let half = PathFacts { spacings: vec![(9e6, 0.5), (3e6, 0.5)], ..PathFacts::default() };
        is_seen(&half, false, false, (9e6, 9e6));
    }

    /// A rate equal to the transfer's own shows nothing, unless the path was full.
    #[test]
    fn the_own_pace_shows_nothing() {
        let own = trains([PACE, PACE, PACE * 1.05, PACE * 1.05]);
        let rate = PathRate::of(&own, PACE, true, false);
        assert!(!rate.is_seen && (rate.low / PACE - 1.0).abs() < 1e-9 && rate.high >= 1e9, "{rate:?}");
        is_seen(&PathFacts { full: Some(PACE), ..trains([PACE; 4]) }, true, false, (PACE, PACE));
    }

    #[test]
    fn behind_a_pace_the_path_is_as_fast_as_the_closest_segments_show() {
        let rate = PathRate { low: 0.99e6, likely: 1e6, high: 1.01e6, is_seen: true };
        let path = PathFacts { closest: 8e6, ..PathFacts::default() };
        let behind = rate.behind_pacing(&path);
        assert_eq!((behind.low, behind.likely, behind.high, behind.is_seen), (0.99e6, 1e6, 8e6, false));
        // A repeated spacing is not a coincidence.
        let path = PathFacts { spacings: vec![(1e6, 0.9), (8e6, 0.001)], ..path };
        let behind = rate.behind_pacing(&path);
        assert_eq!((behind.likely, behind.high, behind.is_seen), (8e6, 8e6, true));
        assert!(behind.low > 7e6);
        // A full path shows its rate with any sender.
        assert_eq!(rate.behind_pacing(&PathFacts { full: Some(1e6), ..path }), rate);
        assert_eq!(rate.behind_pacing(&PathFacts { closest: 1.02e6, ..PathFacts::default() }), rate);
    }
}
