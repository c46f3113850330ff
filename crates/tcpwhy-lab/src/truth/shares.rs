//! Shares of time.

use std::collections::BTreeMap;

use tcpwhy_model::Timestamp;

use super::held::{Held, Manner, held};
use crate::sampler::Sample;

/// A sample stands for the time until the next one, but for no more than this: nobody looked.
const LONGEST: i64 = 50_000_000;

/// How much of the time from `start` to `end` each limit held the sender back, in percent to a tenth; they add up to 100 or are
/// empty.
pub(super) fn shares(samples: &[Sample], manner: Manner, start: Timestamp, end: Timestamp) -> BTreeMap<Held, f64> {
    let mut times: BTreeMap<Held, i64> = BTreeMap::new();
    for (index, sample) in samples.iter().enumerate() {
        let next = samples.get(index + 1).map_or(end, |next| next.time).min(end);
        if sample.time < start || sample.time >= end {
            continue;
        }
        if let Some(held) = held(sample, manner) {
            *times.entry(held).or_default() += next.since(sample.time).clamp(0, LONGEST);
        }
    }
    let total: i64 = times.values().sum();
    times
        .into_iter()
        .filter(|&(_, time)| time > 0)
        .map(|(held, time)| (held, (time as f64 * 1000.0 / total as f64).round() / 10.0))
        .filter(|&(_, percent)| percent > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SocketState;

    #[test]
    fn samples_weigh_as_long_as_they_last() {
        let at = |millis: i64, outq| Sample {
            time: Timestamp::from_nanos(millis * 1_000_000),
            socket: SocketState { outq: Some(outq), unsent: Some(0), ..SocketState::default() },
            ..Sample::default()
        };
        let mut samples = vec![at(0, 0), at(1, 0), at(2, 1), at(8, 0)];
        for sample in &mut samples {
            sample.socket.info.ca_state = Some(0);
        }
        let manner = Manner::default();
        let all = shares(&samples, manner, Timestamp::ZERO, Timestamp::from_nanos(10_000_000));
        assert_eq!(all, BTreeMap::from([(Held::Idle, 40.0), (Held::App, 60.0)]));
        let part = shares(&samples, manner, Timestamp::from_nanos(1_000_000), Timestamp::from_nanos(3_000_000));
        assert_eq!(part, BTreeMap::from([(Held::Idle, 50.0), (Held::App, 50.0)]));
        assert!(shares(&samples, manner, Timestamp::ZERO, Timestamp::ZERO).is_empty());
    }
}
