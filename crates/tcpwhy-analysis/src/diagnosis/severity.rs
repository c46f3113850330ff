//! Severity of a limit for the user who waits for the data.

use tcpwhy_model::{ByteCount, Cause, Detail, Limit, LimitTimeline, Severity};

use crate::infer::summary::Summary;
use crate::outcome::Role;
use crate::thresholds::{
    BULK, CRITICAL_SECONDS, CRITICAL_SHARE, LONG_RESTS, PAUSE_MOST, SHORT_RESTS, TINY, WAIT_MOST, WARNING_SECONDS,
    WARNING_SHARE, part,
};

/// Data about a direction that determines the severity of its limits, independent of its source.
#[derive(Clone, Copy, Debug)]
pub struct Weighed<'a> {
    /// Time of the direction under each limit.
    pub limits: &'a LimitTimeline,
    /// Unique payload bytes.
    pub bytes: ByteCount,
}

impl<'a> From<&'a Summary> for Weighed<'a> {
    fn from(half: &'a Summary) -> Self {
        Self { limits: &half.limits, bytes: half.counts.bytes }
    }
}

/// Severity of a finding that explains `seconds`. `main`, if the verdict names its cause, is the time of all
/// causes that the same change concerns, seconds.
pub(crate) fn of_time<'a>(half: impl Into<Weighed<'a>>, seconds: f64, main: Option<f64>) -> Severity {
    let half = half.into();
    of_part(half.limits.span().seconds(), half.bytes, seconds, main)
}

/// Severity of `seconds` of a time `all`, in which `bytes` were carried.
pub(crate) fn of_part(all: f64, bytes: ByteCount, seconds: f64, main: Option<f64>) -> Severity {
    let share = |part: f64| if all > 0.0 { part / all } else { 0.0 };
    let is_main = main.is_some_and(|main| share(main) >= CRITICAL_SHARE && main >= CRITICAL_SECONDS);
    if is_main && bytes >= TINY {
        Severity::Critical
    } else if is_main || share(seconds) >= WARNING_SHARE && seconds >= WARNING_SECONDS {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// Severity of the verdict on a direction. `nanos` is the time of all causes that the change for `cause`
/// concerns. `None` if nothing limited the direction.
pub fn of_verdict(half: Weighed<'_>, role: Role, cause: Cause, nanos: i64) -> Option<Severity> {
    let seconds = nanos as f64 / 1e9;
    let severity = of_time(half, seconds, Some(seconds));
    match most_for(half, role, cause) {
        Some(Severity::Info) if !half_is_bulk(half) => None,
        Some(most) => Some(severity.min(most)),
        None => Some(severity),
    }
}

/// Maximum severity of a cause, if its nature limits that. Time in which the application had nothing to send
/// is not a problem of the connection.
pub(super) fn most_for<'a>(half: impl Into<Weighed<'a>>, role: Role, cause: Cause) -> Option<Severity> {
    let half = half.into();
    match (cause.limit, cause.detail) {
        // A client may pause between its requests, for example while its user reads.
        (_, Some(Detail::Think)) if role == Role::Client => Some(Severity::Info),
        // A few short messages after long pauses probably come from a client that asks from time to time.
        (_, Some(Detail::Think)) if role == Role::Unknown && is_asking_now_and_then(half) => Some(Severity::Info),
        // The packets do not show which end serves the other.
        (_, Some(Detail::Think)) if role == Role::Unknown => Some(Severity::Warning),
        // The program sends with pauses.
        (_, Some(Detail::Idle)) if is_pausing(half) => Some(Severity::Warning),
        // The connection is kept open for later. If the peer was slow, the verdict on the other direction
        // shows it.
        (_, Some(Detail::Idle | Detail::PeerTurn | Detail::CloseWait)) => Some(Severity::Info),
        // Occasional short messages are not a transfer that a change could speed up.
        (_, Some(Detail::PacedWrites)) if half.bytes < TINY => Some(Severity::Info),
        // No change removes the time for opening a connection and its window. An own pace is what remains
        // when nothing else limits, and no evidence shows it to be a fault.
        (Limit::SlowStart, _) | (_, Some(Detail::PacedWrites)) => Some(Severity::Warning),
        _ => None,
    }
}

/// Whether very little was sent, mostly after pauses too long for a waiting user.
fn is_asking_now_and_then(half: Weighed<'_>) -> bool {
    let think = Cause::from(Detail::Think);
    let rests = half.limits.intervals().iter().filter(|i| i.cause == think);
    let long: i64 = rests.map(|i| i.span.nanos()).filter(|&nanos| nanos >= WAIT_MOST).sum();
    half.bytes < TINY && part(long, half.limits.nanos_of_cause(think)) >= LONG_RESTS
}

/// Whether much was sent, in more than short messages, and most pauses were shorter than those of a
/// connection kept for later. Telemetry pauses after every message, and nobody waits for the next one.
fn is_pausing(half: Weighed<'_>) -> bool {
    let idle = Cause::from(Detail::Idle);
    let rests = || half.limits.intervals().iter().filter(|i| i.cause == idle);
    let short: i64 = rests().map(|i| i.span.nanos()).filter(|&nanos| nanos < PAUSE_MOST).sum();
    let is_in_words = half.bytes < TINY.get().saturating_mul(rests().count() as u64);
    half_is_bulk(half) && !is_in_words && part(short, half.limits.nanos_of_cause(idle)) >= SHORT_RESTS
}

fn half_is_bulk(half: Weighed<'_>) -> bool {
    half.bytes >= BULK
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::rules::testing::timeline;

    const MILLISECOND: i64 = 1_000_000;
    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const TAIL: Cause = Cause::plain(Limit::TailRtt);

    fn weighed(limits: &LimitTimeline, bytes: u64) -> Weighed<'_> {
        Weighed { limits, bytes: ByteCount::from(bytes) }
    }

    /// Severity of a limit with `millis` of `all` milliseconds, in a direction with `bytes`.
    fn of(millis: i64, all: i64, bytes: u64) -> Option<Severity> {
        let limits = timeline(&[(millis * MILLISECOND, BUFFER), ((all - millis) * MILLISECOND, TAIL)]);
        of_verdict(weighed(&limits, bytes), Role::Server, BUFFER, millis * MILLISECOND)
    }

    /// `CRITICAL_SHARE`, `CRITICAL_SECONDS` and `TINY`: 1/3 of the time, 0.1 s and 3,000 bytes.
    #[test]
    fn a_third_of_the_time_is_critical() {
        assert_eq!(of(330, 1_000, 100_000), Some(Severity::Critical));
        assert_eq!(of(329, 1_000, 100_000), Some(Severity::Warning));
        assert_eq!(of(100, 300, 100_000), Some(Severity::Critical));
        assert_eq!(of(99, 297, 100_000), Some(Severity::Warning));
        assert_eq!(of(330, 1_000, 3_000), Some(Severity::Critical));
        assert_eq!(of(330, 1_000, 2_999), Some(Severity::Warning));
    }

    /// `WARNING_SHARE` and `WARNING_SECONDS`: 1/20 of the time and 0.05 s.
    #[test]
    fn a_twentieth_of_the_time_is_a_warning() {
        assert_eq!(of(50, 1_000, 100_000), Some(Severity::Warning));
        assert_eq!(of(50, 1_001, 100_000), Some(Severity::Info));
        assert_eq!(of(49, 500, 100_000), Some(Severity::Info));
    }

    /// Maximum severity for pauses of these lengths in milliseconds, between sends of 1 ms.
    fn most(detail: Detail, rests: &[i64], role: Role, bytes: u64) -> Option<Severity> {
        let cause = Cause::from(detail);
        let parts: Vec<_> = rests.iter().flat_map(|&rest| [(rest * MILLISECOND, cause), (MILLISECOND, TAIL)]).collect();
        let limits = timeline(&parts);
        most_for(weighed(&limits, bytes), role, cause)
    }

    /// `PAUSE_MOST`, `SHORT_RESTS` and `BULK`: half of the idle time in pauses below 1 s, and 100 kB.
    #[test]
    fn pauses_below_a_second_are_a_program_that_sends() {
        let idle = |rests: &[i64], bytes| most(Detail::Idle, rests, Role::Server, bytes);
        assert_eq!(idle(&[999], 100_000), Some(Severity::Warning));
        assert_eq!(idle(&[1_000], 100_000), Some(Severity::Info));
        assert_eq!(idle(&[999], 99_999), Some(Severity::Info));
        assert_eq!(idle(&[500, 500, 1_000], 100_000), Some(Severity::Warning));
        assert_eq!(idle(&[500, 499, 1_000], 100_000), Some(Severity::Info));
    }

    /// `TINY`: fewer bytes per pause are short messages, such as telemetry.
    #[test]
    fn words_at_a_pace_are_no_transfer_with_pauses() {
        let idle = |bytes| most(Detail::Idle, &[500; 40], Role::Server, bytes);
        assert_eq!(idle(120_000), Some(Severity::Warning));
        assert_eq!(idle(119_999), Some(Severity::Info));
    }

    /// `WAIT_MOST`, `LONG_RESTS` and `TINY`: half of the think time in pauses of 10 s, and fewer than 3,000
    /// bytes.
    #[test]
    fn a_few_words_after_ten_seconds_are_a_client() {
        let think = |rests: &[i64], bytes| most(Detail::Think, rests, Role::Unknown, bytes);
        assert_eq!(think(&[10_000], 2_999), Some(Severity::Info));
        assert_eq!(think(&[9_999], 2_999), Some(Severity::Warning));
        assert_eq!(think(&[10_000], 3_000), Some(Severity::Warning));
        assert_eq!(think(&[10_000, 5_000, 5_000], 2_999), Some(Severity::Info));
        assert_eq!(think(&[10_000, 5_000, 5_001], 2_999), Some(Severity::Warning));
        assert_eq!(most(Detail::Think, &[100], Role::Client, 100_000), Some(Severity::Info));
        assert_eq!(most(Detail::Think, &[100], Role::Server, 100_000), None);
    }

    /// `TINY`: messages with fewer bytes are not a transfer.
    #[test]
    fn a_few_paced_messages_are_a_note() {
        assert_eq!(most(Detail::PacedWrites, &[100], Role::Server, 2_999), Some(Severity::Info));
        assert_eq!(most(Detail::PacedWrites, &[100], Role::Server, 3_000), Some(Severity::Warning));
    }

    /// Slow start is never critical. A cause that no user acts on gives a direction with little data no
    /// severity.
    #[test]
    fn the_nature_of_a_cause_bounds_its_severity() {
        let start = Cause::plain(Limit::SlowStart);
        let limits = timeline(&[(1_000 * MILLISECOND, start)]);
        let severity = of_verdict(weighed(&limits, 1_000_000), Role::Server, start, 1_000 * MILLISECOND);
        assert_eq!(severity, Some(Severity::Warning));
        let turn = Cause::from(Detail::PeerTurn);
        let limits = timeline(&[(1_000 * MILLISECOND, turn)]);
        let severity = |bytes| of_verdict(weighed(&limits, bytes), Role::Server, turn, 1_000 * MILLISECOND);
        assert_eq!([99_999, 100_000].map(severity), [None, Some(Severity::Info)]);
    }
}
