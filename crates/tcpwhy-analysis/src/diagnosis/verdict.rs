//! Selects the limit to act on first.

use tcpwhy_model::{Cause, Detail, Distribution, Family, Limit, Severity, VerdictReason};

use super::severity::{self, Weighed};
use crate::infer::calibration::{self, Seen};
use crate::infer::moved::Mean;
use crate::infer::summary::Summary;
use crate::outcome::{Meanwhile, Role, Verdict};
use crate::thresholds::{AMBIGUOUS_SHARE, MAIN_REASON, VERDICT_UNOBSERVED, WORTH_ACTING, YIELDING_WEIGHT, part};

/// Verdict on a direction whose sender has this role.
pub(crate) fn judge(half: &Summary, role: Role) -> Verdict {
    let limits = &half.limits;
    let Some(lead) = lead(half.into(), role) else { return Verdict::healthy() };
    let Some(family) = lead.family else {
        return Verdict {
            cause: Some(lead.cause),
            confidence: limits.sum(|c| c == lead.cause).1,
            seconds: lead.nanos as f64 / 1e9,
            severity: Some(Severity::Info),
            ..Verdict::healthy()
        };
    };
    let is_much = |nanos: i64| part(nanos, lead.nanos) > AMBIGUOUS_SHARE;
    let ambiguous = limits.ambiguous().into_iter().find(|a| a.0 == lead.cause.limit && is_much(a.3));
    let behind_window = if half.is_window_next {
        Some(VerdictReason::WindowNext)
    } else if half.is_grant_next {
        Some(VerdictReason::ProtocolWindowNext)
    } else {
        half.is_window_held_by_queue().then_some(VerdictReason::WindowHeldByQueue)
    };
    Verdict {
        cause: Some(lead.cause),
        confidence: calibration::of_verdict(
            limits,
            family,
            Seen::new(half.vantage, half.rtt.as_ref(), half.window_scale),
        ),
        seconds: lead.nanos as f64 / 1e9,
        severity: severity::of_verdict(half.into(), role, lead.cause, lead.family_nanos),
        alternative: ambiguous.map(|a| (a.1, a.2)),
        reason: behind_window.filter(|_| lead.cause == Detail::Queue.into()),
        meanwhile: meanwhile(half, lead.cause.limit),
        flips: None,
    }
}

/// The limit to act on first, selected by the time under each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The limit and its detail.
    pub cause: Cause,
    /// Time under exactly this cause, nanoseconds.
    pub nanos: i64,
    /// Family of causes that the same change concerns; `None` for unobserved time.
    pub family: Option<Family>,
    /// Time under all causes of the family, nanoseconds.
    pub family_nanos: i64,
}

/// Weighs the families of causes. `None` if nothing is worth acting on.
pub fn lead(half: Weighed<'_>, role: Role) -> Option<Lead> {
    lead_where(half, role, |_| false)
}

/// Like [`lead`], but causes for which `is_given` is true count as something that no user acts on.
pub fn lead_where(half: Weighed<'_>, role: Role, is_given: impl Fn(Cause) -> bool) -> Option<Lead> {
    let limits = half.limits;
    let totals = limits.totals();
    let mut families: Vec<(Family, i64)> = Vec::new();
    for t in &totals {
        if let Some(family) = t.cause.family() {
            match families.iter_mut().find(|f| f.0 == family) {
                Some(f) => f.1 += t.nanos,
                None => families.push((family, t.nanos)),
            }
        }
    }
    let span = limits.span().nanos();
    let unobserved = limits.nanos_of(Limit::Unobserved);
    if part(unobserved, span) > VERDICT_UNOBSERVED {
        let cause = Cause::plain(Limit::Unobserved);
        return Some(Lead { cause, nanos: unobserved, family: None, family_nanos: unobserved });
    }
    let is_worth_it = |nanos: i64| part(nanos, span) >= WORTH_ACTING;
    let leading = |family: Family| totals.iter().map(|t| t.cause).find(|c| c.family() == Some(family));
    let is_neutral = |family| {
        leading(family).is_some_and(|c| is_given(c) || severity::most_for(half, role, c) == Some(Severity::Info))
    };
    let is_main = |nanos: i64| part(nanos, span) >= MAIN_REASON;
    let has_main_removable =
        families.iter().any(|f| is_main(f.1) && leading(f.0).is_some_and(Cause::is_removable) && !is_neutral(f.0));
    // No user acts on time without data to send. Slow start matters only if no other removable cause has a
    // similar share.
    let weight = |f: &(Family, i64)| match f.0 {
        Family::SlowStart if has_main_removable => YIELDING_WEIGHT.of(f.1),
        family if is_neutral(family) => YIELDING_WEIGHT.of(f.1),
        _ => f.1,
    };
    // Time after the transfer ranks below any limit of the transfer itself.
    let rank = |f: &&(Family, i64)| (f.0 != Family::CloseWait && is_worth_it(f.1), weight(f));
    let &(winner, nanos) = families.iter().max_by_key(rank)?;
    if !is_worth_it(nanos) {
        return None;
    }
    let first = totals.iter().find(|t| t.cause.family() == Some(winner))?;
    Some(Lead { cause: first.cause, nanos: first.nanos, family: Some(winner), family_nanos: nanos })
}

/// Values while `limit` applied. As means over round trips they are clamped to the range of the continuously
/// weighted values, and bytes in flight to the window. The round trip is the median of the whole direction.
/// The few samples under one limit may come from a receiver that had nothing to acknowledge.
pub(super) fn meanwhile(half: &Summary, limit: Limit) -> Meanwhile {
    let Some(seen) = half.moved.seen_under(limit) else { return Meanwhile::default() };
    let within = |value: Option<u64>, whole: Option<Distribution>| {
        value.zip(whole).map(|(value, whole)| value.clamp(whole.min, whole.max))
    };
    let mean = |mean: Mean| mean.value().map(|value| value.round() as u64);
    // The finding prints the same number.
    let plateau = half.moved.send_buffer_plateau().filter(|_| limit == Limit::SendBuffer);
    let window = within(seen.window, half.window);
    let flight = within(plateau.or(mean(seen.flight)), half.flight);
    Meanwhile {
        flight: flight.map(|flight| window.map_or(flight, |window| flight.min(window))),
        window,
        rtt: half.rtt.map(|rtt| rtt.median),
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{ByteCount, Decider, LimitTimeline, TimelineBuilder, Timestamp};

    use super::*;
    use crate::diagnosis::rules::testing::{summed_up, timeline};
    use crate::facts::bytes::Bytes;
    use crate::facts::slot::Slot;
    use crate::infer::moved::Moved;

    fn lead_of(limits: &LimitTimeline, bytes: u64) -> Option<(Cause, i64)> {
        let half = Weighed { limits, bytes: ByteCount::from(bytes) };
        lead(half, Role::Server).map(|lead| (lead.cause, lead.family_nanos))
    }

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const SLOW_START: Cause = Cause::plain(Limit::SlowStart);
    const TAIL: Cause = Cause::plain(Limit::TailRtt);
    const UNOBSERVED: Cause = Cause::plain(Limit::Unobserved);

    /// `WORTH_ACTING`: 1/20 of the time is worth acting on, less is not.
    #[test]
    fn a_twentieth_of_the_time_is_worth_acting_on() {
        assert_eq!(lead_of(&timeline(&[(5_000, BUFFER), (95_000, TAIL)]), 1_000_000), Some((BUFFER, 5_000)));
        assert_eq!(lead_of(&timeline(&[(4_999, BUFFER), (95_001, TAIL)]), 1_000_000), None);
    }

    /// `VERDICT_UNOBSERVED`: if more than half of the time is unobserved, no other cause is named.
    #[test]
    fn more_than_half_unobserved_is_the_verdict() {
        let half = timeline(&[(50_000, UNOBSERVED), (50_000, BUFFER)]);
        assert_eq!(lead_of(&half, 1_000_000), Some((BUFFER, 50_000)));
        let more = timeline(&[(50_001, UNOBSERVED), (49_999, BUFFER)]);
        assert_eq!(lead_of(&more, 1_000_000), Some((UNOBSERVED, 50_001)));
    }

    /// `MAIN_REASON` and `YIELDING_WEIGHT`: slow start ranks below a cause with 1/3 of the time, unless it
    /// took more than twice as long.
    #[test]
    fn slow_start_yields_to_a_main_reason() {
        let main = timeline(&[(33_334, BUFFER), (66_666, SLOW_START)]);
        assert_eq!(lead_of(&main, 1_000_000), Some((BUFFER, 33_334)));
        let less = timeline(&[(33_333, BUFFER), (66_667, SLOW_START)]);
        assert_eq!(lead_of(&less, 1_000_000), Some((SLOW_START, 66_667)));
        // Slow start took less than twice as long, but the other cause has less than 1/3.
        let small = timeline(&[(30_000, BUFFER), (40_000, SLOW_START), (30_000, TAIL)]);
        assert_eq!(lead_of(&small, 1_000_000), Some((SLOW_START, 40_000)));
    }

    /// `YIELDING_WEIGHT`: time without data to send counts half.
    #[test]
    fn time_without_data_counts_half() {
        let idle = Cause::from(Detail::PeerTurn);
        let less = timeline(&[(30_001, BUFFER), (60_000, idle), (9_999, TAIL)]);
        assert_eq!(lead_of(&less, 1_000_000), Some((BUFFER, 30_001)));
        let more = timeline(&[(30_000, BUFFER), (60_002, idle), (9_998, TAIL)]);
        assert_eq!(lead_of(&more, 1_000_000), Some((idle, 60_002)));
    }

    /// Time after the transfer leads only if nothing else is worth acting on.
    #[test]
    fn a_connection_kept_open_comes_last() {
        let open = Cause::from(Detail::CloseWait);
        assert_eq!(lead_of(&timeline(&[(5_000, BUFFER), (95_000, open)]), 1_000_000), Some((BUFFER, 5_000)));
        assert_eq!(lead_of(&timeline(&[(4_999, BUFFER), (95_001, open)]), 1_000_000), Some((open, 95_001)));
    }

    /// `AMBIGUOUS_SHARE`: the alternative is named if the packets allow it for more than half of the
    /// verdict's time.
    #[test]
    fn another_limit_is_named_for_more_than_half_of_the_time() {
        let alternative = |ambiguous: i64| {
            let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
            let other = Some((Limit::CongestionWindow, Decider::SenderCapture));
            timeline.push(Timestamp::from_nanos(ambiguous), BUFFER, 0.5, other);
            timeline.push(Timestamp::from_nanos(100_000), BUFFER, 0.5, None);
            judge(&summed_up(timeline.finish()), Role::Server).alternative
        };
        assert_eq!(alternative(50_000), None);
        assert_eq!(alternative(50_001), Some((Limit::CongestionWindow, Decider::SenderCapture)));
    }

    /// A slot with these bytes in flight and this window, bytes.
    fn slot(peak: u64, window: u64) -> Slot {
        let mut slot = Slot::default();
        (slot.peak_flight, slot.sends) = (Bytes::of(peak), 1);
        slot.note_window(window);
        slot
    }

    /// Under the send buffer, bytes in flight are the median of the maxima, as the finding prints it; under
    /// other limits, the mean. The window is the maximum, the round trip the median of all. All stay within
    /// the range of the continuously weighted values.
    #[test]
    fn under_the_send_buffer_the_flight_is_the_plateau() {
        let slots = [(slot(10_000, 50_000), 3.0), (slot(90_000, 70_000), 1.0)];
        let dist = |min, max| Some(Distribution { min, median: min, p95: max, max });
        for (what, limit, flight, flown) in [
            ("the send buffer", Limit::SendBuffer, dist(0, 100_000), 10_000),
            ("the congestion window", Limit::CongestionWindow, dist(0, 100_000), 30_000),
            ("less was in flight", Limit::CongestionWindow, dist(0, 20_000), 20_000),
            ("more was in flight", Limit::SendBuffer, dist(15_000, 100_000), 15_000),
        ] {
            let half = Summary {
                moved: Moved::seeing(limit, &slots),
                flight,
                window: dist(0, 100_000),
                rtt: Some(Distribution { min: 20, median: 25, p95: 90, max: 100 }),
                ..summed_up(timeline(&[(1_000, BUFFER)]))
            };
            let found = meanwhile(&half, limit);
            let near = found.flight.unwrap().abs_diff(flown);
            assert!(near * 50 <= flown, "{what}: {:?}, expected {flown}", found.flight);
            assert_eq!((found.window, found.rtt), (Some(70_000), Some(25)), "{what}");
            assert_eq!(meanwhile(&half, Limit::Path), Meanwhile::default(), "{what}: nothing under another limit");
        }
        let beyond = Summary {
            moved: Moved::seeing(Limit::CongestionWindow, &[(slot(60_000, 20_000), 1.0)]),
            flight: dist(0, 100_000),
            window: dist(0, 100_000),
            ..summed_up(timeline(&[(1_000, BUFFER)]))
        };
        let found = meanwhile(&beyond, Limit::CongestionWindow);
        assert_eq!((found.flight, found.window), (Some(20_000), Some(20_000)), "no more than the window allowed");
        let unknown = Summary {
            moved: Moved::seeing(Limit::SendBuffer, &slots),
            flight: None,
            window: None,
            rtt: None,
            ..summed_up(timeline(&[(1_000, BUFFER)]))
        };
        assert_eq!(meanwhile(&unknown, Limit::SendBuffer), Meanwhile::default(), "nothing was weighed");
    }

    /// Leading family, for times in thousandths of the whole.
    #[test]
    fn the_family_with_the_most_weight_leads() {
        let idle = Cause::from(Detail::PeerTurn);
        let think = Cause::from(Detail::Think);
        let paced = Cause::from(Detail::PacedWrites);
        let queue = Cause::from(Detail::Queue);
        let (fast, post) = (Cause::from(Detail::Fast), Cause::from(Detail::PostLoss));
        for (what, role, parts, expected) in [
            ("the most", Role::Server, &[(400, BUFFER), (600, paced)][..], Some((paced, 600))),
            ("one family together", Role::Server, &[(300, fast), (250, post), (450, BUFFER)], Some((fast, 550))),
            ("nothing to send counts half", Role::Server, &[(340, BUFFER), (660, idle)], Some((BUFFER, 340))),
            ("… of more than twice", Role::Server, &[(333, BUFFER), (667, idle)], Some((idle, 667))),
            ("slow start yields to a third", Role::Server, &[(334, BUFFER), (666, SLOW_START)], Some((BUFFER, 334))),
            (
                "not to what no change removes",
                Role::Server,
                &[(400, queue), (600, SLOW_START)],
                Some((SLOW_START, 600)),
            ),
            ("not to a client's thinking", Role::Client, &[(400, think), (600, SLOW_START)], Some((SLOW_START, 600))),
            ("but to a server's", Role::Server, &[(400, think), (600, SLOW_START)], Some((think, 400))),
            ("half unobserved", Role::Server, &[(500, UNOBSERVED), (500, BUFFER)], Some((BUFFER, 500))),
            ("more", Role::Server, &[(501, UNOBSERVED), (499, BUFFER)], Some((UNOBSERVED, 501))),
            ("a twentieth", Role::Server, &[(50, BUFFER), (950, TAIL)], Some((BUFFER, 50))),
            ("less", Role::Server, &[(49, BUFFER), (951, TAIL)], None),
        ] {
            let parts: Vec<_> = parts.iter().map(|&(share, cause)| (share * 1_000_000, cause)).collect();
            let limits = timeline(&parts);
            let half = Weighed { limits: &limits, bytes: ByteCount::from(1_000_000_u64) };
            let found = lead(half, role).map(|lead| (lead.cause, lead.family_nanos / 1_000_000));
            assert_eq!(found, expected, "{what}");
        }
    }

    /// If a full path took the time of a full window, the window is the next limit.
    #[test]
    fn a_window_on_a_full_path_comes_next() {
        for (what, cause, is_next, queued, expected) in [
            ("a full path", Detail::Queue.into(), true, 0, Some(VerdictReason::WindowNext)),
            ("and a queue before", Detail::Queue.into(), true, 1, Some(VerdictReason::WindowNext)),
            ("a queue alone", Detail::Queue.into(), false, 1, Some(VerdictReason::WindowHeldByQueue)),
            ("no window", Detail::Queue.into(), false, 0, None),
            ("another cause", BUFFER, true, 1, None),
        ] {
            let mut half = summed_up(timeline(&[(1_000_000_000, cause)]));
            (half.is_window_next, half.moved.window_queued) = (is_next, queued);
            assert_eq!(judge(&half, Role::Server).reason, expected, "{what}");
            // A full receive window ranks before the window of a protocol.
            half.is_grant_next = true;
            let granted = if is_next { VerdictReason::WindowNext } else { VerdictReason::ProtocolWindowNext };
            let expected = (cause == Detail::Queue.into()).then_some(granted);
            assert_eq!(judge(&half, Role::Server).reason, expected, "{what}, and a protocol's window");
        }
    }

    /// A verdict has a severity, and as its reason that a queue kept the window full.
    #[test]
    fn a_verdict_has_a_severity_and_a_reason() {
        let queue = Cause::from(Detail::Queue);
        let window = Cause::plain(Limit::ReceiveWindow);
        for (what, cause, queued, expected) in [
            ("unobserved", UNOBSERVED, 0, (Some(UNOBSERVED), Some(Severity::Info), None)),
            ("a send buffer", BUFFER, 0, (Some(BUFFER), Some(Severity::Critical), None)),
            ("a queue", queue, 0, (Some(queue), Some(Severity::Critical), None)),
            (
                "a queue under a full window",
                queue,
                1,
                (Some(queue), Some(Severity::Critical), Some(VerdictReason::WindowHeldByQueue)),
            ),
            ("a full window", window, 1, (Some(window), Some(Severity::Critical), None)),
            ("nothing", TAIL, 0, (None, None, None)),
        ] {
            let mut half = summed_up(timeline(&[(1_000_000_000, cause)]));
            half.moved.window_queued = queued;
            let verdict = judge(&half, Role::Server);
            assert_eq!((verdict.cause, verdict.severity, verdict.reason), expected, "{what}");
            if let Some(cause) = verdict.cause {
                assert!((verdict.seconds - 1.0).abs() < 1e-9, "{what}: {cause} for {} s", verdict.seconds);
            }
        }
    }
}
