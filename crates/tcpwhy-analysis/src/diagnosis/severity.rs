//! How much a limit matters to whoever waits for the data.

use tcpwhy_model::{ByteCount, Cause, Detail, Limit, LimitTimeline, Severity};

use crate::infer::summary::Summary;
use crate::outcome::Role;
use crate::thresholds::{
    BULK, CRITICAL_SECONDS, CRITICAL_SHARE, LONG_RESTS, PAUSE_MOST, SHORT_RESTS, TINY, WAIT_MOST, WARNING_SECONDS,
    WARNING_SHARE, part,
};

/// What of a direction says how much its limits matter, whoever watched it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed<'a> {
    /// Its time by limit.
    pub(crate) limits: &'a LimitTimeline,
    /// Unique payload bytes.
    pub(crate) bytes: ByteCount,
}

impl<'a> From<&'a Summary> for Weighed<'a> {
    fn from(half: &'a Summary) -> Self {
        Self { limits: &half.limits, bytes: half.counts.bytes }
    }
}

/// Of time that a finding explains: `main` when the verdict names it, with the seconds of all that the same change concerns.
pub(crate) fn of_time<'a>(half: impl Into<Weighed<'a>>, seconds: f64, main: Option<f64>) -> Severity {
    let half = half.into();
    let all = half.limits.span().seconds();
    let share = |part: f64| if all > 0.0 { part / all } else { 0.0 };
    let is_main = main.is_some_and(|main| share(main) >= CRITICAL_SHARE && main >= CRITICAL_SECONDS);
    if is_main && half.bytes >= TINY {
        Severity::Critical
    } else if is_main || share(seconds) >= WARNING_SHARE && seconds >= WARNING_SECONDS {
        Severity::Warning
    } else {
        Severity::Info
    }
}

/// Of the verdict on a direction: `cause`, with all that the same change concerns for `nanos`. `None`: nothing held it back.
pub(crate) fn of_verdict(half: Weighed<'_>, role: Role, cause: Cause, nanos: i64) -> Option<Severity> {
    let seconds = nanos as f64 / 1e9;
    let severity = of_time(half, seconds, Some(seconds));
    match most_for(half, role, cause) {
        Some(Severity::Info) if !half_is_bulk(half) => None,
        Some(most) => Some(severity.min(most)),
        None => Some(severity),
    }
}

/// The most that a cause can matter here, where its nature bounds that: time in which the application had nothing to send is
/// no problem of the connection's.
pub(super) fn most_for<'a>(half: impl Into<Weighed<'a>>, role: Role, cause: Cause) -> Option<Severity> {
    let half = half.into();
    match (cause.limit, cause.detail) {
        // A client that rests between its requests, a person at a keyboard.
        (_, Some(Detail::Think)) if role == Role::Client => Some(Severity::Info),
        // A few words after long rests: a client that asks now and then, as far as anybody can tell.
        (_, Some(Detail::Think)) if role == Role::Unknown && is_asking_now_and_then(half) => Some(Severity::Info),
        // Which end serves the other is not known.
        (_, Some(Detail::Think)) if role == Role::Unknown => Some(Severity::Warning),
        // A program that sends with pauses.
        (_, Some(Detail::Idle)) if is_pausing(half) => Some(Severity::Warning),
        // A connection that is kept for later. What its peer took so long for the other direction tells.
        (_, Some(Detail::Idle | Detail::PeerTurn | Detail::CloseWait)) => Some(Severity::Info),
        // A few messages now and then are no transfer that more data could hurry.
        (_, Some(Detail::PacedWrites)) if half.bytes < TINY => Some(Severity::Info),
        // Opening a connection and its window, propagation: no change takes them away.
        (Limit::SlowStart, _) => Some(Severity::Warning),
        _ => None,
    }
}

/// Next to nothing was sent, mostly after rests that no user waits through.
fn is_asking_now_and_then(half: Weighed<'_>) -> bool {
    let think = Cause::from(Detail::Think);
    let rests = half.limits.intervals().iter().filter(|i| i.cause == think);
    let long: i64 = rests.map(|i| i.span.nanos()).filter(|&nanos| nanos >= WAIT_MOST).sum();
    half.bytes < TINY && part(long, half.limits.nanos_of_cause(think)) >= LONG_RESTS
}

/// Much was sent, and most rests were shorter than anybody would leave a connection for.
fn is_pausing(half: Weighed<'_>) -> bool {
    let idle = Cause::from(Detail::Idle);
    let rests = half.limits.intervals().iter().filter(|i| i.cause == idle);
    let short: i64 = rests.map(|i| i.span.nanos()).filter(|&nanos| nanos < PAUSE_MOST).sum();
    half_is_bulk(half) && part(short, half.limits.nanos_of_cause(idle)) >= SHORT_RESTS
}

fn half_is_bulk(half: Weighed<'_>) -> bool {
    half.bytes >= BULK
}
