//! What a fix would bring: the transfer is reckoned again without the limit.
//!
//! Time under limits that stay is kept with the bytes that moved in it; all other bytes are sent again from an initial
//! window that doubles every round trip (slow start, RFC 5681 §3.1) until the next ceiling: the rate of the path as far as
//! it was seen, or the largest send buffer that Linux grows by default. The arithmetic predicts well only where windows
//! limit (rate = window / RTT); losses after the change are not foreseen, which the upper end of the range allows for.

use tcpwhy_model::{Basis, Cause, Detail, Distribution, Estimate, Limit, Prediction};

use super::facts::HalfFacts;
use crate::half::policing::Policer;
use crate::half::summary::Bottleneck;

/// Linux's default ceiling of send-buffer autotuning, `tcp_wmem[2]`: what bounds a window when nothing else does.
const DEFAULT_WMEM_MAX: f64 = 4_194_304.0;
/// RFC 6928: ten segments.
const INITIAL_SEGMENTS: f64 = 10.0;
/// 1 Gbit/s: assumed of a path whose capacity never showed.
const ASSUMED_CAPACITY: f64 = 125_000_000.0;

/// Duration of the span when what `cause` stands for is removed; `None` when nothing can be removed or the packets give
/// no round trip to reckon with.
pub(crate) fn if_removed(facts: &HalfFacts<'_>, cause: Cause) -> Option<Prediction> {
    let removed: &[Limit] = match (cause.limit, cause.detail) {
        (Limit::Unobserved | Limit::TailRtt | Limit::SlowStart, _) | (Limit::Handshake, None) => return None,
        // Nothing is known of a faster path.
        (Limit::Path, detail) if detail != Some(Detail::Policer) => return None,
        (Limit::Handshake, _) => &[],
        (Limit::LossRecovery | Limit::CongestionWindow, _) => &[Limit::LossRecovery, Limit::CongestionWindow],
        (Limit::ReceiveWindow, _) => &[Limit::ReceiveWindow],
        (Limit::AckDelay, _) => &[Limit::AckDelay],
        (Limit::Application, _) => &[Limit::Application],
        (Limit::Path, _) => &[Limit::Path, Limit::LossRecovery, Limit::CongestionWindow],
        (Limit::SendBuffer, _) => &[Limit::SendBuffer],
    };
    let is_loss = matches!(cause.limit, Limit::Handshake | Limit::LossRecovery | Limit::CongestionWindow);
    let rtt = facts.rtt_seconds()?;
    let (mut kept, mut kept_bytes) = (0.0, 0.0);
    for limit in Limit::ALL {
        let is_resent = match limit {
            Limit::SlowStart | Limit::TailRtt | Limit::Path => true,
            // A window that was never cut opens again as in slow start.
            Limit::CongestionWindow => facts.half.fast_recoveries + facts.half.timeouts == 0,
            _ => false,
        };
        if !is_resent && !removed.contains(&limit) {
            kept += facts.seconds_of(limit);
            kept_bytes += facts.half.moved.bytes_under(limit);
        }
    }
    if is_loss {
        kept -= facts.seconds_of_detail(Detail::SynRto);
    }
    let bytes = (facts.half.counts.bytes as f64 - kept_bytes).max(0.0);
    let start = INITIAL_SEGMENTS * facts.half.mss as f64;
    let capacity = capacity(facts);
    let run = |window: f64, rtt: f64, rate: Option<f64>| transfer(bytes, window, rtt, rate);
    let ((value, next), (low, _), (high, _)) = match capacity {
        Capacity::Seen(c) => {
            (run(start, rtt, Some(c)), run(start * 2.0, rtt, Some(c * 1.15)), run(start, rtt * 1.5, Some(c * 0.85)))
        }
        Capacity::Unknown { at_least } => {
            let assumed = at_least.max(ASSUMED_CAPACITY);
            let slow = at_least.max(ASSUMED_CAPACITY / 10.0);
            (
                run(start, rtt, Some(assumed)),
                run(start * 2.0, rtt, Some(assumed * 10.0)),
                run(start, rtt * 1.5, Some(slow)),
            )
        }
    };
    let total = facts.seconds();
    // How fast a reader could read is not known, and its window has to grow first.
    let slack = match cause.detail {
        Some(Detail::ZeroWindow | Detail::SlowReader) => 3.0,
        _ if cause.limit == Limit::ReceiveWindow => 1.6,
        _ => 1.25,
    };
    let value = (kept + value).min(total);
    let least = facts.half.policer().map_or(0.0, |p| fastest_through(p, facts.half.counts.bytes));
    Some(Prediction {
        seconds: Estimate {
            value,
            low: ((kept + low) * 0.85).max(least).min(value),
            high: (kept * 1.1 + high * slack).clamp(value, total.max(value)),
            basis: if matches!(capacity, Capacity::Seen(_)) { Basis::WireInferred } else { Basis::Assumed },
        },
        next_limit: next,
        ceiling: match (next, capacity) {
            (Limit::Path, Capacity::Seen(_)) => "path-rate-seen",
            (Limit::Path, _) => "path-rate-assumed",
            (Limit::SendBuffer, _) => "default-send-buffer",
            _ => "slow-start",
        },
    })
}

/// Seconds that a policer needs for `bytes` at least: its burst and its rate, pauses in which the bucket fills included.
fn fastest_through(policer: &Policer, bytes: u64) -> f64 {
    let rate = policer.range.map_or(policer.rate, |r| r.1);
    (bytes as f64 - policer.burst.map_or(0.0, |b| b.bytes)).max(0.0) / rate.max(1.0)
}

/// What is known of the path's rate, bytes/s.
#[derive(Clone, Copy, Debug)]
enum Capacity {
    /// Trains of segments came through at this rate, and it is the path that set it.
    Seen(f64),
    /// Segments never came close enough together to tell; it was at least this.
    Unknown { at_least: f64 },
}

/// Bytes per second that predictions take for the path's rate, as far as the packets show it.
pub(crate) fn path_rate(facts: &HalfFacts<'_>) -> Option<f64> {
    match capacity(facts) {
        Capacity::Seen(rate) => Some(rate),
        Capacity::Unknown { .. } => None,
    }
}

/// Trains show the path's rate when they are faster than the connection's own pace, or when the path was seen busy.
fn capacity(facts: &HalfFacts<'_>) -> Capacity {
    match &facts.half.bottleneck {
        // Trains pass a policer at full speed, what they carry in all does not.
        Bottleneck::Policer(policer) => return Capacity::Seen(policer.rate),
        Bottleneck::Full(rate) => return Capacity::Seen(*rate),
        Bottleneck::Unknown => {}
    }
    let pace = facts.half.counts.bytes as f64 / facts.seconds().max(1e-6);
    // Losses show that the window did reach for the path's rate at times, and a queue that the path spaced what passed.
    let is_busy = facts.share(facts.seconds_of(Limit::Path)) > 0.2
        || facts.half.fast_recoveries > 0
        || has_queue(facts.half.rtt_min, facts.half.rtt);
    match facts.half.train_rate {
        Some(rate) if is_busy || rate > pace * 1.5 => Capacity::Seen(rate),
        rate => Capacity::Unknown { at_least: rate.unwrap_or(0.0) },
    }
}

/// Half of the round trips or more took longer than the path needs (`base`, nanoseconds), by an eighth and by more than hosts
/// add.
fn has_queue(base: Option<i64>, rtt: Option<Distribution>) -> bool {
    const HOSTS: i64 = 250_000;
    base.zip(rtt).is_some_and(|(base, rtt)| rtt.median as i64 - base >= (base / 8).max(HOSTS))
}

/// Seconds that `bytes` take from a window of `start` bytes that doubles every `rtt` seconds up to `capacity` bytes/s,
/// until the last of them is acknowledged; and what limits at the end.
pub(crate) fn transfer(bytes: f64, start: f64, rtt: f64, capacity: Option<f64>) -> (f64, Limit) {
    let mut left = bytes;
    let mut window = start.max(1.0);
    let mut seconds = 0.0;
    for _ in 0..64 {
        if left <= 0.0 {
            break;
        }
        if let Some(c) = capacity.filter(|&c| window >= c * rtt) {
            return (seconds + left / c + rtt, Limit::Path);
        }
        if window >= DEFAULT_WMEM_MAX {
            return (seconds + left / DEFAULT_WMEM_MAX * rtt + rtt, Limit::SendBuffer);
        }
        left -= window.min(left);
        seconds += rtt;
        window *= 2.0;
    }
    (seconds, Limit::SlowStart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_until_the_path_is_full() {
        // 10 Mbit/s at 100 ms: 125 kB fill it; 14.6 kB doubles four times to get there.
        let (seconds, next) = transfer(1_250_000.0 * 10.0, 14_600.0, 0.1, Some(1_250_000.0));
        assert_eq!(next, Limit::Path);
        assert!((10.0..10.6).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_queue_is_what_half_of_the_packets_met() {
        let rtt = |median| Some(Distribution { min: 2_000_000, median, p95: 9_000_000, max: 9_000_000 });
        assert!(has_queue(Some(2_000_000), rtt(2_250_000)));
        assert!(!has_queue(Some(2_000_000), rtt(2_240_000)));
        assert!(!has_queue(Some(80_000), rtt(300_000)));
        assert!(!has_queue(None, rtt(9_000_000)) && !has_queue(Some(2_000_000), None));
    }

    #[test]
    fn little_data_never_leaves_slow_start() {
        let (seconds, next) = transfer(10_000.0, 14_600.0, 0.1, Some(1e9));
        assert_eq!(next, Limit::SlowStart);
        assert!((seconds - 0.1).abs() < 1e-9);
    }
}
