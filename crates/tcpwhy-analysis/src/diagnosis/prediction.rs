//! What a fix would bring: the time under the limit is replaced by the time that the same bytes take under the next one.
//!
//! A window that is freed from its limit opens by doubling every round trip (slow start, RFC 5681 §3.1) until the next
//! ceiling: the rate of the path as far as it was seen, or the largest buffer that Linux grows by default. The arithmetic
//! predicts well only where windows limit (rate = window / RTT); losses after the change are not foreseen, which the upper
//! end of the range allows for.

use tcpwhy_model::{Basis, Estimate, Limit, Prediction};

use super::facts::HalfFacts;

/// Linux's default ceiling of send-buffer autotuning, `tcp_wmem[2]`: what bounds a window when nothing else does.
const DEFAULT_WMEM_MAX: f64 = 4_194_304.0;
/// RFC 6928: ten segments.
const INITIAL_SEGMENTS: f64 = 10.0;

/// What stays in force when `removed` are gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Removal<'a> {
    pub(crate) limits: &'a [Limit],
    /// The path itself gets faster: its rate is no ceiling any more.
    pub(crate) is_path: bool,
}

/// Duration of the span without the limits in `removal`; `None` when the packets give no round trip to reckon with.
pub(crate) fn without(facts: &HalfFacts<'_>, removal: Removal<'_>) -> Option<Prediction> {
    let rtt = facts.rtt_seconds()?;
    let total = facts.seconds();
    let gone: f64 = removal.limits.iter().map(|&l| facts.seconds_of(l)).sum();
    let bytes: f64 = removal.limits.iter().map(|&l| facts.moved.bytes_under(l)).sum();
    let kept = (total - gone).max(0.0);
    let window = facts.flight.map_or(INITIAL_SEGMENTS * facts.mss as f64, |f| f.median as f64);
    let start = window.max(INITIAL_SEGMENTS * facts.mss as f64);
    let capacity = if removal.is_path { None } else { facts.train_rate };
    let (moving, next) = transfer(bytes, start, rtt, capacity);
    let value = kept + moving;
    let (low, _) = transfer(bytes, start * 2.0, rtt, capacity.map(|c| c * 1.1));
    let (high, _) = transfer(bytes, INITIAL_SEGMENTS * facts.mss as f64, rtt * 1.05, capacity.map(|c| c * 0.9));
    Some(Prediction {
        seconds: Estimate {
            value: value.min(total),
            low: (kept * 0.95 + low * 0.9).min(total),
            high: (kept * 1.05 + high * 1.15 + rtt).min(total * 1.05),
            basis: if capacity.is_some() { Basis::WireInferred } else { Basis::Assumed },
        },
        next_limit: next,
        ceiling: match next {
            Limit::Path => "path-rate-seen-in-trains",
            Limit::SendBuffer => "default-send-buffer",
            _ => "slow-start",
        },
    })
}

/// Seconds that `bytes` take from a window of `start` bytes that doubles every `rtt` seconds up to `capacity` bytes/s.
pub(crate) fn transfer(bytes: f64, start: f64, rtt: f64, capacity: Option<f64>) -> (f64, Limit) {
    let mut left = bytes;
    let mut window = start.max(1.0);
    let mut seconds = 0.0;
    let mut next = Limit::SlowStart;
    for _ in 0..64 {
        if left <= 0.0 {
            break;
        }
        if let Some(c) = capacity.filter(|&c| window >= c * rtt) {
            return (seconds + left / c, Limit::Path);
        }
        if window >= DEFAULT_WMEM_MAX {
            return (seconds + left / DEFAULT_WMEM_MAX * rtt, Limit::SendBuffer);
        }
        let sent = window.min(left);
        seconds += if left > window { rtt } else { rtt * (sent / window) };
        left -= sent;
        window *= 2.0;
        next = Limit::SlowStart;
    }
    (seconds, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_until_the_path_is_full() {
        // 10 Mbit/s at 100 ms: 125 kB fill it; 14.6 kB doubles four times to get there.
        let (seconds, next) = transfer(1_250_000.0 * 10.0, 14_600.0, 0.1, Some(1_250_000.0));
        assert_eq!(next, Limit::Path);
        assert!((10.0..10.4).contains(&seconds), "{seconds}");
    }

    #[test]
    fn little_data_never_leaves_slow_start() {
        let (seconds, next) = transfer(10_000.0, 14_600.0, 0.1, Some(1e9));
        assert_eq!(next, Limit::SlowStart);
        assert!(seconds <= 0.1);
    }
}
