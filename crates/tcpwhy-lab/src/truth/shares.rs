//! Shares of time.

use std::collections::BTreeMap;

use tcpwhy_model::Timestamp;

use super::held::held;
use super::{Held, SocketTraits};
use crate::sampler::Sample;

/// Longest time that a sample represents, nanoseconds. A sample represents the time until the next one, but a
/// longer gap was not observed.
const LONGEST: i64 = 50_000_000;

/// Percent of a time, rounded to 0.1. They add up to 100 or are all 0.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shares {
    /// Percent by the limit of the sender.
    pub(super) by: BTreeMap<Held, f64>,
    /// Percent for which the limit is not known.
    pub(super) undecided: f64,
}

/// Percent of the time from `start` to `end` under each limit of the sender.
pub(super) fn shares(samples: &[Sample], manner: SocketTraits, start: Timestamp, end: Timestamp) -> Shares {
    let mut times: BTreeMap<Option<Held>, i64> = BTreeMap::new();
    let labels = labels(samples, manner);
    for (index, (sample, label)) in samples.iter().zip(labels).enumerate() {
        let next = samples.get(index + 1).map_or(end, |next| next.time).min(end);
        if sample.time < start || sample.time >= end {
            continue;
        }
        *times.entry(label).or_default() += next.since(sample.time).clamp(0, LONGEST);
    }
    let total: i64 = times.values().sum();
    let mut shares = Shares::default();
    for (held, time) in times {
        let percent = (time as f64 * 1000.0 / total.max(1) as f64).round() / 10.0;
        match held {
            Some(held) if percent > 0.0 => drop(shares.by.insert(held, percent)),
            Some(_) => {}
            None => shares.undecided = percent,
        }
    }
    shares
}

/// The sender's limit in each sample, corrected by later samples. The silence before a timeout belongs to the
/// loss, from one round trip after the last progress.
pub fn labels(samples: &[Sample], manner: SocketTraits) -> Vec<Option<Held>> {
    let mut labels: Vec<_> = samples.iter().map(|sample| held(sample, manner)).collect();
    for end in 1..samples.len() {
        if labels[end] != Some(Held::Loss) || labels[end - 1] == Some(Held::Loss) {
            continue;
        }
        let last = &samples[end - 1].socket.info;
        let progress = |sample: &Sample| sample.socket.info.bytes_acked != last.bytes_acked;
        let start = samples[..end].iter().rposition(progress).map_or(0, |before| before + 1);
        let round_trip = last.rtt.unwrap_or_default().cast_signed() * 1000;
        for (sample, label) in samples[start..end].iter().zip(&mut labels[start..end]) {
            let is_waiting =
                matches!(label, Some(Held::App | Held::PeerWindow | Held::Nagle | Held::Sndbuf | Held::Cwnd));
            if is_waiting && sample.time.since(samples[start].time) > round_trip {
                *label = Some(Held::Loss);
            }
        }
    }
    labels
}

/// Serialisation of shares with the names of the limits as keys.
pub(super) mod by_name {
    use std::collections::BTreeMap;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::Held;

    pub(in crate::truth) fn serialize<S: Serializer>(shares: &BTreeMap<Held, f64>, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(shares.iter().map(|(held, share)| (held.id(), share)))
    }

    pub(in crate::truth) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<BTreeMap<Held, f64>, D::Error> {
        BTreeMap::<String, f64>::deserialize(input)?
            .into_iter()
            .map(|(name, share)| match Held::from_id(&name) {
                Some(held) => Ok((held, share)),
                None => Err(D::Error::custom(format!("nothing holds a sender that is called {name:?}"))),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SocketState;

    #[test]
    fn samples_weigh_as_long_as_they_last() {
        let at = |millis: i64, outq| Sample {
            time: Timestamp::from_nanos(millis * 1_000_000),
            awaits_room: Some(false),
            socket: SocketState { outq: Some(outq), unsent: Some(0), ..SocketState::default() },
            ..Sample::default()
        };
        let mut samples = vec![at(0, 0), at(1, 0), at(2, 1), at(8, 0)];
        for sample in &mut samples {
            sample.socket.info.ca_state = Some(0);
        }
        let manner = SocketTraits::default();
        let all = shares(&samples, manner, Timestamp::ZERO, Timestamp::from_nanos(10_000_000));
        assert_eq!(all.by, BTreeMap::from([(Held::Idle, 40.0), (Held::App, 60.0)]));
        let part = shares(&samples, manner, Timestamp::from_nanos(1_000_000), Timestamp::from_nanos(3_000_000));
        assert_eq!(part.by, BTreeMap::from([(Held::Idle, 50.0), (Held::App, 50.0)]));
        assert_eq!(shares(&samples, manner, Timestamp::ZERO, Timestamp::ZERO), Shares::default());
        samples[2].awaits_room = None;
        let with_unknown = shares(&samples, manner, Timestamp::ZERO, Timestamp::from_nanos(10_000_000));
        assert_eq!(with_unknown.by, BTreeMap::from([(Held::Idle, 40.0)]));
        assert_eq!(with_unknown.undecided.to_string(), "60");
    }

    /// The tail is lost at 10 ms, and the probe's answer comes at 70 ms. The round trip is 20 ms.
    #[test]
    fn silence_before_a_repair_is_loss() {
        let at = |millis: i64, acked, ca_state| {
            let socket = SocketState { outq: Some(1000), unsent: Some(0), ..SocketState::default() };
            let time = Timestamp::from_nanos(millis * 1_000_000);
            let mut sample = Sample { time, awaits_room: Some(false), socket, ..Sample::default() };
            let info = &mut sample.socket.info;
            (info.bytes_acked, info.ca_state, info.rtt) = (Some(acked), Some(ca_state), Some(20_000));
            sample
        };
        let mut samples = vec![at(0, 500, 0)];
        samples.extend((1..7).map(|step| at(step * 10, 900, 0)));
        samples.extend([at(70, 900, 3), at(80, 1900, 0)]);
        let found: Vec<_> = labels(&samples, SocketTraits::default()).into_iter().flatten().collect();
        assert_eq!(found[..4], [Held::App; 4], "until a round trip after 10 ms");
        assert_eq!(found[4..8], [Held::Loss; 4]);
        assert_eq!(found[8], Held::App);
    }
}
