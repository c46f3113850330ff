//! Confidence as a measured frequency: how often a label or a verdict is right.
//!
//! Each hypothesis has a constant (`CONFIDENCE`), the value that its author expected. Measured values replace
//! it. They come from random transfers of the model and of the lab, for which the true limit is known.
//!
//! For a stretch of time, the measure is the share of a hypothesis's time in which its limit was the true
//! one. For a verdict, it is how often the verdict was right when that hypothesis decided its time.
//!
//! Both depend on the place of the capture. A verdict's confidence also depends on its family's share of the
//! time: a smaller share means more competing causes and a closer runner-up. If round trips cannot be
//! followed, results are right less often, because the capture shows neither queues nor which ACK released
//! which segment. The loss differs per hypothesis: it is small for those that rest on packet contents, such
//! as an advertised window or a retransmitted segment.
//!
//! `tools/calibrate.py` measures these values and writes `table.rs`.

mod flipped;
mod row;
mod table;

use std::sync::LazyLock;

use tcpwhy_model::{Cause, Decider, Distribution, Family, Limit, LimitTimeline, Reason, WindowScale};

pub(crate) use self::flipped::FLIPPED;
use self::row::Row;
use self::table::TABLE;
use crate::outcome::{Vantage, is_untimed};

/// Conditions under which a direction was captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Index of the column in the tables.
    at: usize,
    is_untimed: bool,
    is_window_unknown: bool,
}

impl Seen {
    /// Conditions at `vantage`, with the round trips `rtt` and the window scale of the receiver.
    pub(crate) fn new(vantage: Vantage, rtt: Option<&Distribution>, scale: WindowScale) -> Self {
        let is_window_unknown = scale == WindowScale::Unknown;
        Self { at: index(vantage), is_untimed: is_untimed(vantage, rtt), is_window_unknown }
    }

    /// Maximum confidence of a limit. If the window scale is unknown, a full receive window may look like a
    /// full send buffer. Measured on 300 random transfers of the lab, captured without their first third. 35
    /// of 51 send buffers were right at the sender, 34 of 67 at the receiver.
    fn most(self, limit: Limit) -> f32 {
        const WITHOUT_WINDOW: [f32; 3] = [0.69, 0.51, 0.51];
        if self.is_window_unknown && limit == Limit::SendBuffer { WITHOUT_WINDOW[self.at] } else { 1.0 }
    }

    /// Share of the time of `row` in which the limit that it names was the true one.
    fn of_interval(self, row: &Row) -> f32 {
        let percent = if self.is_untimed { row.untimed } else { row.interval };
        f32::from(percent[self.at]) / 100.0
    }

    /// Probability that a verdict based on `row` is right. `whole` maps its family's share of the time, from
    /// half to all, to 0 to 1.
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

/// Confidence of a stretch of time under `cause` that `reason` decided; `expected` if it was not measured.
pub(crate) fn of_interval(cause: Cause, reason: Reason, seen: Seen, expected: f32) -> f32 {
    row(cause, reason).map_or(expected, |row| seen.of_interval(row)).min(seen.most(cause.limit))
}

/// Whether the alternative limit of a stretch can be ignored, because labels with this confidence are right
/// in 9 of 10 cases or more. This was not measured for an unknown window.
pub(crate) fn is_settled(confidence: f32, decider: Decider) -> bool {
    const NINE_IN_TEN: f32 = 0.9;
    confidence >= NINE_IN_TEN && decider != Decider::Syn
}

/// Confidence of a verdict for `family`, which has some of the time of `limits`. It is the mean of its
/// hypotheses' measured values, weighted by the time that each decided.
pub(crate) fn of_verdict(limits: &LimitTimeline, family: Family, seen: Seen) -> f64 {
    let mine = || limits.decided().filter(|(cause, ..)| cause.family() == Some(family));
    let all: i64 = mine().map(|(.., nanos)| nanos).sum();
    let share = all as f64 / limits.span().nanos().max(1) as f64;
    // Measured values do not get worse when the share falls below half.
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
    /// Rows by reason, then by limit, so that names are compared once and not for every interval.
    static ROWS: LazyLock<Vec<[Option<&Row>; Limit::ALL.len()]>> = LazyLock::new(|| {
        let of = |reason: &Reason, limit: Limit| {
            let key = (reason.id(), limit.id());
            TABLE.binary_search_by(|row| row.key.cmp(&key)).ok().map(|at| &TABLE[at])
        };
        Reason::ALL.iter().map(|reason| Limit::ALL.map(|limit| of(reason, limit))).collect()
    });
    *ROWS.get(reason as usize)?.get(cause.limit as usize)?
}

/// Column of the tables. An unknown place of the capture counts as in the middle.
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

    #[test]
    fn what_is_right_nine_times_in_ten_is_settled() {
        assert!(is_settled(0.9, Decider::SenderCapture) && is_settled(0.98, Decider::LiveSampling));
        assert!(!is_settled(0.89, Decider::SenderCapture));
        // Captures with an unknown window were not counted.
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
        // At the sender, the capture itself shows which ACK came before a segment.
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

    /// An advertised window is visible without timing, but the cause of unused room is not.
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

    /// A hypothesis without measured values keeps the confidence that its author expected.
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

    /// Each place of the capture has its own column, and captures without round trips have their own table.
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
        // Half of the way from 50 % to 90 % is 70 %; log-odds smaller by 1 give 46.2 %.
        for (is_untimed, whole, expected) in
            [(false, 0.0, 0.5), (false, 0.5, 0.7), (false, 1.0, 0.9), (true, 0.0, 0.268_941), (true, 0.5, 0.461_898)]
        {
            let found = Seen { is_untimed, ..SENDER }.of_verdict(&row, whole);
            assert!((found - expected).abs() < 1e-5, "{is_untimed} {whole}: {found}");
        }
    }

    /// Only a send buffer with an unknown window has a maximum confidence, which depends on the place.
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

    /// A verdict's share of the time matters from half of it upwards, and each of its hypotheses is weighted
    /// by its time.
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
