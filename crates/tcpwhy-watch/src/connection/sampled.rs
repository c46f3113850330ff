//! The time between two samples, divided by what they show and by the kernel's clocks.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{Cause, Detail, Limit};

use crate::direction::Part;
use crate::hypotheses::Held;
use crate::instant::InstantLimit;
use crate::socket::traits;
use crate::thresholds::{CLOCKS_FROM, JIFFY, LONGEST, MICROSECOND, SIDES, confidence};
use crate::words::Words;

/// Divides the time between two samples.
pub(super) fn parts(
    a: &SocketSample,
    b: &SocketSample,
    [was, is]: [InstantLimit; 2],
    nanos: i64,
    has_sent: bool,
    usual: Option<Cause>,
) -> [Option<Part>; 4] {
    let part = |cause: Cause, nanos: i64, confidence: f32| Some(Part { cause, nanos, confidence });
    let words = Words::between(a, b, nanos);
    let [was, is] = [was, is].map(|instant| instant.between(words));
    let rests = [was, is].map(|instant| instant.held == Some(Held::Idle));
    if rests == [true, true] && !has_sent {
        // However long it was: nothing was written.
        return [part(is.cause, nanos, confidence::AGREED), None, None, None];
    }
    if nanos > LONGEST {
        let unseen = part(Cause::plain(Limit::Unobserved), nanos - LONGEST, confidence::AGREED);
        let [first, last] = [was, is].map(|instant| part(instant.cause, LONGEST / SIDES, confidence::HALVED));
        return [first, unseen, last, None];
    }
    let counted = if nanos >= CLOCKS_FROM { clocks(a, b, nanos) } else { None };
    let Some((busy, window)) = counted else {
        let confidence = if was.cause == is.cause { confidence::AGREED } else { confidence::HALVED };
        return [
            part(was.cause, nanos / SIDES, confidence),
            part(is.cause, nanos - nanos / SIDES, confidence),
            None,
            None,
        ];
    };
    let rest = rests.iter().zip([was, is]).find(|(rests, _)| **rests).map(|(_, instant)| instant.cause);
    let idle = part(rest.unwrap_or(words.rest().into()), nanos - busy, confidence::COUNTED);
    let is_window = |instant: &InstantLimit| instant.held == Some(Held::Rwnd);
    let seen = [was, is].iter().find(|instant| is_window(instant)).map(|instant| instant.cause);
    // Where the clock of the peer's window shows nothing, samples that saw it bind count.
    let window = if traits(b).paces || window == 0 { None } else { Some(window) };
    let held = part(seen.unwrap_or(Cause::plain(Limit::ReceiveWindow)), window.unwrap_or(0), confidence::COUNTED);
    let left = busy - window.unwrap_or(0);
    let busy_instants = [was, is]
        .map(|instant| Some(instant).filter(|l| l.held != Some(Held::Idle) && !(window.is_some() && is_window(l))));
    match busy_instants {
        [Some(was), Some(is)] => {
            let confidence = if was.cause == is.cause { confidence::AGREED } else { confidence::HALVED };
            [part(was.cause, left / SIDES, confidence), idle, held, part(is.cause, left - left / SIDES, confidence)]
        }
        [Some(was), None] => [part(was.cause, left, confidence::HALVED), held, idle, None],
        [None, Some(is)] => [idle, held, part(is.cause, left, confidence::HALVED), None],
        [None, None] => {
            let unseen = usual.unwrap_or(Detail::PacedWrites.into());
            let unseen = InstantLimit { held: None, cause: unseen }.between(words).cause;
            [held, part(unseen, left, confidence::UNSEEN), idle, None]
        }
    }
}

/// Nanoseconds between two samples with data to send or in flight, and those held by the peer's window. RFC
/// 4898 has similar clocks. Source: `tcp_chrono_start`, Linux 4.10.
pub(super) fn clocks(a: &SocketSample, b: &SocketSample, nanos: i64) -> Option<(i64, i64)> {
    let passed = |of: fn(&SocketSample) -> Option<u64>| {
        let micros = of(b)?.checked_sub(of(a)?)?;
        Some(i64::try_from(micros).ok()?.saturating_mul(MICROSECOND.cast_signed()).min(nanos))
    };
    let busy = passed(|s| s.info.busy_time)?;
    let busy = if nanos - busy < JIFFY { nanos } else { busy };
    let window = passed(|s| s.info.rwnd_limited)?;
    Some((busy, window.min(busy)))
}
