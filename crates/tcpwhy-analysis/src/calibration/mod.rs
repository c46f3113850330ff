//! How often what is said is right: confidence as a measured frequency.
//!
//! Each hypothesis has a constant of its own (`CONFIDENCE`), which is what its author expected. What it came to was
//! measured, on drawn transfers of the model and of the lab whose truth is known: for a stretch of time, how much of what a
//! hypothesis names in it bound in fact; for a verdict, how often it was right when that hypothesis decided its time. Both depend
//! on where the capture was taken, and a verdict's also on how much of the time its family of causes has: the less, the more has
//! been taken apart, and the nearer the runner-up.
//!
//! `tools/calibrate.py` measures and writes `table.rs`.

mod table;

use std::sync::LazyLock;

use tcpwhy_model::{Cause, Family, Limit, LimitTimeline, Reason};

use self::table::TABLE;
use crate::outcome::Vantage;

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

/// The confidence of a stretch of time under `cause` that `reason` decided; `expected` where it was never measured.
pub(crate) fn of_interval(cause: Cause, reason: Reason, vantage: Vantage, expected: f32) -> f32 {
    row(cause, reason).map_or(expected, |row| f32::from(row.interval[index(vantage)]) / 100.0)
}

/// The confidence of a verdict for `family`, which has some of the time of `limits`: what each hypothesis came to, weighted by
/// the time that it decided.
pub(crate) fn of_verdict(limits: &LimitTimeline, family: Family, vantage: Vantage) -> f64 {
    let mine = || limits.decided().filter(|(cause, ..)| cause.family() == Some(family));
    let all: i64 = mine().map(|(.., nanos)| nanos).sum();
    let share = all as f64 / limits.span().nanos().max(1) as f64;
    // Below half of the time there is no more to lose, as far as was measured.
    let whole = (2.0 * share - 1.0).clamp(0.0, 1.0);
    let of = |(cause, reason): (Cause, Option<Reason>)| {
        let row = reason.and_then(|reason| row(cause, reason))?;
        let [low, high] = [row.half, row.whole].map(|percent| f64::from(percent[index(vantage)]) / 100.0);
        Some(low + (high - low) * whole)
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
        assert!((of_interval(cause, new, Vantage::Sender, 0.6) - 0.6).abs() < 1e-6);
        let mut line = TimelineBuilder::new(Timestamp::ZERO);
        line.push_decided(Timestamp::from_nanos(10), cause, 0.6, None, Some(Why::new(new, |_| None)));
        let family = cause.family().unwrap();
        assert!((of_verdict(&line.finish(), family, Vantage::Sender) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn a_verdict_with_more_of_the_time_is_surer() {
        let known = Why::new(Reason::RoomLeftUnused, |_| None);
        let of = |others: i64| {
            let mut line = TimelineBuilder::new(Timestamp::ZERO);
            let cause = Cause::plain(Limit::SendBuffer);
            line.push_decided(Timestamp::from_nanos(100), cause, 0.85, None, Some(known));
            line.push(Timestamp::from_nanos(100 + others), Detail::Queue.into(), 0.85, None);
            of_verdict(&line.finish(), Family::SendBuffer, Vantage::Receiver)
        };
        assert!(of(0) > of(50) && of(50) > of(100), "{} {} {}", of(0), of(50), of(100));
        assert!((of(100) - of(300)).abs() < 1e-9);
    }
}
