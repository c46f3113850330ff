//! How often what is said is right: confidence as a measured frequency.
//!
//! Each hypothesis has a constant of its own (`CONFIDENCE`), which is what its author expected. What it came to was
//! measured, on drawn transfers of the model and of the lab whose truth is known: for a stretch of time, how much of what a
//! hypothesis names in it bound in fact; for a verdict, how often it was right when that hypothesis decided its time. Both depend
//! on where the capture was taken, and a verdict's also on how much of the time its family of causes has: the less, the more has
//! been taken apart, and the nearer the runner-up. Where round trips are shorter than a tick of the timestamps, all are right less
//! often: which ACK a segment answers is not known there.
//!
//! `tools/calibrate.py` measures and writes `table.rs`.

mod table;

use std::sync::LazyLock;

use tcpwhy_model::{Cause, Distribution, Family, Limit, LimitTimeline, Reason};

use self::table::{BELOW_TICK, TABLE};
use crate::outcome::{Vantage, is_below_tick};

/// Percent at the sender, at the receiver, in the middle.
type ByVantage = [u8; 3];

/// What one hypothesis came to.
#[derive(Debug)]
struct Row {
    /// Its name, and the limit that it named; rows are sorted by both.
    key: (&'static str, &'static str),
    /// Percent of its time in which that limit bound.
    interval: ByVantage,
    /// Percent of the verdicts resting on it that are right, where their family has half of the time …
    half: ByVantage,
    /// … and where it has all of it.
    whole: ByVantage,
}

/// What a short round trip takes from the odds, in hundredths of their natural logarithm, by vantage.
#[derive(Debug)]
struct Toll {
    interval: [u16; 3],
    verdict: [u16; 3],
}

/// How a direction was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Column of the tables.
    at: usize,
    is_below_tick: bool,
}

impl Seat {
    /// `rtt` are its round trips.
    pub(crate) fn new(vantage: Vantage, rtt: Option<&Distribution>) -> Self {
        Self { at: index(vantage), is_below_tick: is_below_tick(rtt) }
    }

    /// `confidence` less a toll of hundredths.
    fn less(self, confidence: f64, toll: [u16; 3]) -> f64 {
        if !self.is_below_tick || confidence <= 0.0 || confidence >= 1.0 {
            return confidence;
        }
        let odds = (confidence / (1.0 - confidence)).ln() - f64::from(toll[self.at]) / 100.0;
        1.0 / (1.0 + (-odds).exp())
    }
}

/// The confidence of a stretch of time under `cause` that `reason` decided; `expected` where it was never measured.
pub(crate) fn of_interval(cause: Cause, reason: Reason, seat: Seat, expected: f32) -> f32 {
    let measured = row(cause, reason).map(|row| f64::from(row.interval[seat.at]) / 100.0);
    measured.map_or(expected, |measured| seat.less(measured, BELOW_TICK.interval) as f32)
}

/// The confidence of a verdict for `family`, which has some of the time of `limits`: what each hypothesis came to, weighted by
/// the time that it decided.
pub(crate) fn of_verdict(limits: &LimitTimeline, family: Family, seat: Seat) -> f64 {
    let mine = || limits.decided().filter(|(cause, ..)| cause.family() == Some(family));
    let all: i64 = mine().map(|(.., nanos)| nanos).sum();
    let share = all as f64 / limits.span().nanos().max(1) as f64;
    // Below half of the time there is no more to lose, as far as was measured.
    let whole = (2.0 * share - 1.0).clamp(0.0, 1.0);
    let of = |(cause, reason): (Cause, Option<Reason>)| {
        let row = reason.and_then(|reason| row(cause, reason))?;
        let [low, high] = [row.half, row.whole].map(|percent| f64::from(percent[seat.at]) / 100.0);
        Some(seat.less(low + (high - low) * whole, BELOW_TICK.verdict))
    };
    let expected = limits.sum(|cause| cause.family() == Some(family)).1;
    let sum: f64 = mine().map(|(cause, reason, nanos)| nanos as f64 * of((cause, reason)).unwrap_or(expected)).sum();
    sum / all.max(1) as f64
}

fn row(cause: Cause, reason: Reason) -> Option<&'static Row> {
    /// By reason, then by limit: names are compared once, not for every interval.
    static ROWS: LazyLock<Vec<[Option<&Row>; Limit::ALL.len()]>> = LazyLock::new(|| {
        let of = |reason: &Reason, limit: Limit| {
            let key = (reason.id(), limit.id());
            TABLE.binary_search_by(|row| row.key.cmp(&key)).ok().map(|at| &TABLE[at])
        };
        Reason::ALL.iter().map(|reason| Limit::ALL.map(|limit| of(reason, limit))).collect()
    });
    *ROWS.get(reason as usize)?.get(cause.limit as usize)?
}

/// Where nobody knows where a capture was taken, it is as if it were in the middle.
const fn index(vantage: Vantage) -> usize {
    match vantage {
        Vantage::Sender => 0,
        Vantage::Receiver => 1,
        Vantage::Middle | Vantage::Unknown => 2,
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, TimelineBuilder, Timestamp, Why};

    use super::*;

    const SENDER: Seat = Seat { at: 0, is_below_tick: false };

    /// Which ACK a segment answers is not known there.
    #[test]
    fn a_round_trip_below_a_tick_makes_less_sure() {
        let (cause, reason) = (Cause::plain(Limit::SendBuffer), Reason::RoomLeftUnused);
        let of = |vantage, rtt| {
            let rtt = Distribution { min: rtt, median: 2_000_000, p95: 2_000_000, max: 2_000_000 };
            of_interval(cause, reason, Seat::new(vantage, Some(&rtt)), 0.5)
        };
        assert!(of(Vantage::Receiver, 999_999) < of(Vantage::Receiver, 1_000_000));
        assert!((0..3).all(|at| BELOW_TICK.verdict[at] <= 300 && BELOW_TICK.interval[at] <= 300));
    }

    #[test]
    fn the_table_is_sorted_and_within_bounds() {
        assert!(TABLE.is_sorted_by(|a, b| a.key < b.key));
        for row in TABLE {
            assert!(Limit::from_id(row.key.1).is_some(), "{row:?}");
            assert!([row.interval, row.half, row.whole].as_flattened().iter().all(|&percent| percent <= 99), "{row:?}");
            assert!((0..3).all(|at| row.half[at] <= row.whole[at]), "{row:?}");
        }
    }

    #[test]
    fn every_row_is_found() {
        for known in TABLE {
            let reason = Reason::ALL.iter().find(|r| r.id() == known.key.0).unwrap();
            let cause = Cause::plain(Limit::from_id(known.key.1).unwrap());
            assert_eq!(row(cause, *reason).map(|r| r.key), Some(known.key));
        }
    }

    /// What was never measured keeps what its author expected.
    #[test]
    fn a_new_hypothesis_has_its_own_confidence() {
        let (cause, new) = (Cause::from(Detail::Nagle), Reason::RoomLeftUnused);
        assert!((of_interval(cause, new, SENDER, 0.6) - 0.6).abs() < 1e-6);
        let mut line = TimelineBuilder::new(Timestamp::ZERO);
        line.push_decided(Timestamp::from_nanos(10), cause, 0.6, None, Some(Why::new(new, |_| None)));
        let family = cause.family().unwrap();
        assert!((of_verdict(&line.finish(), family, SENDER) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn a_verdict_with_more_of_the_time_is_surer() {
        let known = Why::new(Reason::RoomLeftUnused, |_| None);
        let of = |others: i64| {
            let mut line = TimelineBuilder::new(Timestamp::ZERO);
            let cause = Cause::plain(Limit::SendBuffer);
            line.push_decided(Timestamp::from_nanos(100), cause, 0.85, None, Some(known));
            line.push(Timestamp::from_nanos(100 + others), Detail::Queue.into(), 0.85, None);
            of_verdict(&line.finish(), Family::SendBuffer, Seat::new(Vantage::Receiver, None))
        };
        assert!(of(0) > of(50) && of(50) > of(100), "{} {} {}", of(0), of(50), of(100));
        assert!((of(100) - of(300)).abs() < 1e-9);
    }
}
