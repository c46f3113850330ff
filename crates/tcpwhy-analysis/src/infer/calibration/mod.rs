//! How often what is said is right: confidence as a measured frequency.
//!
//! Each hypothesis has a constant of its own (`CONFIDENCE`), which is what its author expected. What it came to was
//! measured, on drawn transfers of the model and of the lab whose truth is known: for a stretch of time, how much of what a
//! hypothesis names in it bound in fact; for a verdict, how often it was right when that hypothesis decided its time. Both depend
//! on where the capture was taken, and a verdict's also on how much of the time its family of causes has: the less, the more has
//! been taken apart, and the nearer the runner-up. Where round trips cannot be followed, what is said is right less often: which
//! ACK a segment answers is not known there, and no queue shows. How much less depends on the hypothesis: those that rest on
//! what the packets themselves say (a window that is advertised, a segment that is repeated) lose little.
//!
//! `tools/calibrate.py` measures and writes `table.rs`.

mod flipped;
mod row;
mod table;

use std::sync::LazyLock;

use tcpwhy_model::{Cause, Decider, Distribution, Family, Limit, LimitTimeline, Reason, WindowScale};

pub(crate) use self::flipped::FLIPPED;
use self::row::Row;
use self::table::TABLE;
use crate::outcome::{Vantage, is_untimed};

/// How a direction was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Column of the tables.
    at: usize,
    is_untimed: bool,
    is_window_unknown: bool,
}

impl Seen {
    /// `rtt` are its round trips.
    pub(crate) fn new(vantage: Vantage, rtt: Option<&Distribution>, scale: WindowScale) -> Self {
        let is_window_unknown = scale == WindowScale::Unknown;
        Self { at: index(vantage), is_untimed: is_untimed(vantage, rtt), is_window_unknown }
    }

    /// What is told of a send buffer is right so often at most: where nobody knows the window, that may have been full. Measured on
    /// 300 drawn transfers of the lab from a third of their packets on: 35 of 51 at the sender, 34 of 67 at the receiver.
    fn most(self, limit: Limit) -> f32 {
        const WITHOUT_WINDOW: [f32; 3] = [0.69, 0.51, 0.51];
        if self.is_window_unknown && limit == Limit::SendBuffer { WITHOUT_WINDOW[self.at] } else { 1.0 }
    }

    /// How often the limit that `row` names bound in its time.
    fn of_interval(self, row: &Row) -> f32 {
        let percent = if self.is_untimed { row.untimed } else { row.interval };
        f32::from(percent[self.at]) / 100.0
    }

    /// How often a verdict that rests on `row` is right, where its family has so much of the second half of the time.
    fn of_verdict(self, row: &Row, whole: f64) -> f64 {
        let [low, high] = [row.half, row.whole].map(|percent| f64::from(percent[self.at]) / 100.0);
        let followed = low + (high - low) * whole;
        if !self.is_untimed || followed <= 0.0 || followed >= 1.0 {
            return followed;
        }
        let odds = (followed / (1.0 - followed)).ln() - f64::from(row.penalty[self.at]) / 100.0;
        1.0 / (1.0 + (-odds).exp())
    }
}

/// The confidence of a stretch of time under `cause` that `reason` decided; `expected` where it was never measured.
pub(crate) fn of_interval(cause: Cause, reason: Reason, seen: Seen, expected: f32) -> f32 {
    row(cause, reason).map_or(expected, |row| seen.of_interval(row)).min(seen.most(cause.limit))
}

/// Whether the other limit that the packets of a stretch would allow is out of the question: what was said with this confidence is
/// right nine times in ten and oftener. Where the window is not known, nobody counted.
pub(crate) fn is_settled(confidence: f32, decider: Decider) -> bool {
    const NINE_IN_TEN: f32 = 0.9;
    confidence >= NINE_IN_TEN && decider != Decider::Syn
}

/// The confidence of a verdict for `family`, which has some of the time of `limits`: what each hypothesis came to, weighted by
/// the time that it decided.
pub(crate) fn of_verdict(limits: &LimitTimeline, family: Family, seen: Seen) -> f64 {
    let mine = || limits.decided().filter(|(cause, ..)| cause.family() == Some(family));
    let all: i64 = mine().map(|(.., nanos)| nanos).sum();
    let share = all as f64 / limits.span().nanos().max(1) as f64;
    // Below half of the time there is no more to lose, as far as was measured.
    let whole = (2.0 * share - 1.0).clamp(0.0, 1.0);
    let of = |(cause, reason): (Cause, Option<Reason>)| {
        let row = reason.and_then(|reason| row(cause, reason))?;
        Some(seen.of_verdict(row, whole).min(seen.most(cause.limit).into()))
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

    const SENDER: Seen = Seen { at: 0, is_untimed: false, is_window_unknown: false };

    /// Which ACK a segment answers is not known there, and no queue shows.
    #[test]
    fn what_is_right_nine_times_in_ten_is_settled() {
        assert!(is_settled(0.9, Decider::SenderCapture) && is_settled(0.98, Decider::LiveSampling));
        assert!(!is_settled(0.89, Decider::SenderCapture));
        // Recordings whose window was unknown were not counted.
        assert!(!is_settled(0.98, Decider::Syn));
    }

    #[test]
    fn round_trips_that_cannot_be_followed_make_less_sure() {
        let of = |limit, vantage, rtt: Option<u64>| {
            let mut line = TimelineBuilder::new(Timestamp::ZERO);
            let (cause, why) = (Cause::plain(limit), Why::new(Reason::RoomLeftUnused, |_| None));
            line.push_decided(Timestamp::from_nanos(10), cause, 0.5, None, Some(why));
            let rtt = rtt.map(|median| Distribution { min: 100_000, median, p95: 3_000_000, max: 3_000_000 });
            let seen = Seen::new(vantage, rtt.as_ref(), WindowScale::Shift(7));
            (
                f64::from(of_interval(cause, Reason::RoomLeftUnused, seen, 0.5)),
                of_verdict(&line.finish(), Family::SendBuffer, seen),
            )
        };
        let buffer = |vantage, rtt| of(Limit::SendBuffer, vantage, rtt);
        let followed = buffer(Vantage::Receiver, Some(2_000_000));
        for rtt in [Some(1_999_999), None] {
            let untimed = buffer(Vantage::Receiver, rtt);
            assert!(untimed.0 < followed.0 && untimed.1 < followed.1, "{untimed:?} {followed:?}");
        }
        // At the sender the capture itself shows which ACK came before a segment.
        assert_eq!(buffer(Vantage::Sender, None), buffer(Vantage::Sender, Some(2_000_000)));
    }

    #[test]
    fn what_may_have_been_a_full_window_is_less_sure() {
        let of = |scale, limit, reason| {
            let mut line = TimelineBuilder::new(Timestamp::ZERO);
            let why = Why::new(reason, |_| None);
            line.push_decided(Timestamp::from_nanos(10), Cause::plain(limit), 0.9, None, Some(why));
            let seen = Seen::new(Vantage::Sender, None, scale);
            let verdict = of_verdict(&line.finish(), Cause::plain(limit).family().unwrap(), seen);
            (of_interval(Cause::plain(limit), reason, seen, 0.9), verdict)
        };
        let buffer = |scale| of(scale, Limit::SendBuffer, Reason::RoomLeftUnused);
        let (unknown, known) = (buffer(WindowScale::Unknown), buffer(WindowScale::NotNegotiated));
        assert!(unknown.0 < 0.7 && unknown.1 < 0.7 && known.0 > 0.8 && known.1 > 0.8, "{unknown:?} {known:?}");
        let window = |scale| of(scale, Limit::ReceiveWindow, Reason::WindowZero);
        assert_eq!(window(WindowScale::Unknown), window(WindowScale::NotNegotiated));
    }

    /// A window that is advertised shows without any timing; whose room it is that stays unused does not.
    #[test]
    fn what_rests_on_timing_loses_most() {
        let untimed = Seen::new(Vantage::Receiver, None, WindowScale::Shift(7));
        let loss = |reason, limit| {
            let row = row(Cause::plain(limit), reason).unwrap();
            let followed = Seen { is_untimed: false, ..untimed };
            (followed.of_verdict(row, 0.0) - untimed.of_verdict(row, 0.0), row.interval[1] - row.untimed[1])
        };
        let (zero, unused) =
            (loss(Reason::WindowZero, Limit::ReceiveWindow), loss(Reason::RoomLeftUnused, Limit::SendBuffer));
        assert!(zero.0 < unused.0 / 2.0 && zero.1 < unused.1 / 2, "{zero:?} {unused:?}");
    }

    #[test]
    fn the_table_is_sorted_and_within_bounds() {
        assert!(TABLE.is_sorted_by(|a, b| a.key < b.key));
        for row in TABLE {
            assert!(Limit::from_id(row.key.1).is_some(), "{row:?}");
            assert!(
                [row.interval, row.untimed, row.half, row.whole].as_flattened().iter().all(|&percent| percent <= 99),
                "{row:?}"
            );
            assert!((0..3).all(|at| row.half[at] <= row.whole[at]), "{row:?}");
            assert!((0..3).all(|at| row.untimed[at] <= row.interval[at] && row.penalty[at] <= 400), "{row:?}");
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
            of_verdict(&line.finish(), Family::SendBuffer, Seen::new(Vantage::Receiver, None, WindowScale::Shift(7)))
        };
        assert!(of(0) > of(50) && of(50) > of(100), "{} {} {}", of(0), of(50), of(100));
        assert!((of(100) - of(300)).abs() < 1e-9);
    }

    /// Another column for each place, and another table where round trips cannot be followed.
    #[test]
    fn each_place_has_its_own_numbers() {
        let row = Row {
            key: ("", ""),
            interval: [90, 80, 70],
            untimed: [60, 50, 40],
            half: [50, 40, 30],
            whole: [90, 80, 70],
            penalty: [100, 200, 300],
        };
        for (vantage, at, followed, untimed) in [
            (Vantage::Sender, 0, 0.9, 0.6),
            (Vantage::Receiver, 1, 0.8, 0.5),
            (Vantage::Middle, 2, 0.7, 0.4),
            (Vantage::Unknown, 2, 0.7, 0.4),
        ] {
            let seen = Seen { at: index(vantage), is_untimed: false, is_window_unknown: false };
            let blind = Seen { is_untimed: true, ..seen };
            assert_eq!(seen.at, at, "{vantage:?}");
            assert!((seen.of_interval(&row) - followed).abs() < 1e-6, "{vantage:?}");
            assert!((blind.of_interval(&row) - untimed).abs() < 1e-6, "{vantage:?}, untimed");
        }
        // Half of the way from 50 to 90 percent is 70; e to the power of 1 less odds are 46.2 percent.
        for (is_untimed, whole, expected) in
            [(false, 0.0, 0.5), (false, 0.5, 0.7), (false, 1.0, 0.9), (true, 0.0, 0.268_941), (true, 0.5, 0.461_898)]
        {
            let found = Seen { is_untimed, ..SENDER }.of_verdict(&row, whole);
            assert!((found - expected).abs() < 1e-5, "{is_untimed} {whole}: {found}");
        }
    }

    /// A send buffer with an unknown window is right so often at most, by the place; other limits are not bounded.
    #[test]
    fn a_send_buffer_with_an_unknown_window_is_right_so_often_at_most() {
        for (vantage, expected) in
            [(Vantage::Sender, 0.69), (Vantage::Receiver, 0.51), (Vantage::Middle, 0.51), (Vantage::Unknown, 0.51)]
        {
            for (scale, limit, expected) in [
                (WindowScale::Unknown, Limit::SendBuffer, expected),
                (WindowScale::Unknown, Limit::ReceiveWindow, 1.0),
                (WindowScale::NotNegotiated, Limit::SendBuffer, 1.0),
                (WindowScale::Shift(7), Limit::SendBuffer, 1.0),
            ] {
                let found = Seen::new(vantage, None, scale).most(limit);
                assert!((found - expected).abs() < 1e-6, "{vantage:?} {scale:?} {limit:?}: {found}");
            }
        }
    }

    /// A verdict's share of the time counts from a half on, and each of its hypotheses by its time.
    #[test]
    fn a_verdict_is_as_sure_as_its_share_and_its_hypotheses() {
        let (cause, reason) = (Cause::plain(Limit::SendBuffer), Reason::RoomLeftUnused);
        let found = row(cause, reason).unwrap();
        let [half, whole] = [found.half, found.whole].map(|percent| f64::from(percent[0]) / 100.0);
        for (what, mine, others, expected) in [
            ("all of it", 100, 0, whole),
            ("half", 100, 100, half),
            ("less", 100, 300, half),
            ("three quarters", 300, 100, f64::midpoint(half, whole)),
        ] {
            let mut line = TimelineBuilder::new(Timestamp::ZERO);
            line.push_decided(Timestamp::from_nanos(mine), cause, 0.5, None, Some(Why::new(reason, |_| None)));
            line.push(Timestamp::from_nanos(mine + others), Detail::Queue.into(), 0.5, None);
            let found = of_verdict(&line.finish(), Family::SendBuffer, SENDER);
            assert!((found - expected).abs() < 1e-6, "{what}: {found}, expected {expected}");
        }
        let mut line = TimelineBuilder::new(Timestamp::ZERO);
        line.push_decided(Timestamp::from_nanos(300), cause, 0.5, None, Some(Why::new(reason, |_| None)));
        line.push(Timestamp::from_nanos(400), cause, 0.5, None);
        let found = of_verdict(&line.finish(), Family::SendBuffer, SENDER);
        assert!((found - (whole * 0.75 + 0.5 * 0.25)).abs() < 0.01, "a quarter was never measured: {found}");
    }
}
