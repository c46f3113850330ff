//! Shares of counters, with the uncertainty of small numbers.

use tcpwhy_model::host::Counters;

/// Least number of segments for a share. With fewer, one event is more than 1 %, and one lost window of ten
/// segments 10 %.
pub(super) const LEAST_OF: u64 = 100;
/// Quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.96;

/// A loss of 1 % limits Reno over 20 ms to some 7 Mbit/s (Mathis et al. 1997: 1.22 · MSS / (RTT · √p)).
pub(super) const MUCH_RETRANSMITTED: f64 = 0.01;

/// Retransmitted data as a share of all segments sent. `TCPSynRetrans` counts retransmitted SYNs and SYN-ACKs
/// (`__tcp_retransmit_skb`, `tcp_rtx_synack`, Linux 3.15). They show a peer that does not answer, not lost
/// data.
pub(super) fn retransmitted(counters: &Counters) -> Proportion {
    let again = counters.tcp("RetransSegs").unwrap_or(0);
    let of_handshakes = counters.ext("TCPSynRetrans").unwrap_or(0);
    Proportion { part: again.saturating_sub(of_handshakes), of: counters.tcp("OutSegs").unwrap_or(0) }
}

/// A share as part and total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proportion {
    pub(super) part: u64,
    pub(super) of: u64,
}

impl Proportion {
    pub(super) fn share(self) -> f64 {
        (self.part as f64 / self.of.max(1) as f64).min(1.0)
    }

    /// Whether the share is above `limit`, and not only by chance.
    pub(super) fn is_above(self, limit: f64) -> bool {
        self.of >= LEAST_OF && self.interval().is_some_and(|(low, _)| low > limit)
    }

    /// Whether the share is below `limit`, and not only by chance.
    pub(super) fn is_below(self, limit: f64) -> bool {
        self.of >= LEAST_OF && self.interval().is_some_and(|(_, high)| high < limit)
    }

    /// Range of the true share with 95 % confidence (Wilson 1927); `None` if the total is 0.
    fn interval(self) -> Option<(f64, f64)> {
        if self.of == 0 {
            return None;
        }
        let (n, p) = (self.of as f64, self.share());
        let scale = 1.0 + Z * Z / n;
        let centre = (p + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some((centre - half, centre + half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limits of Wilson's interval agree with published tables: 1.57 to 9.84 % for 4 of 100, 1.09 to 3.64
    /// % for 10 of 500.
    #[test]
    fn wilson() {
        for (part, of, low, high) in [(4, 100, 0.0157, 0.0984), (10, 500, 0.0109, 0.0364), (0, 100, 0.0, 0.037)] {
            let interval = Proportion { part, of }.interval().unwrap();
            assert!((interval.0 - low).abs() < 2e-4 && (interval.1 - high).abs() < 2e-4, "{part} {of}: {interval:?}");
        }
    }

    #[test]
    fn few_prove_nothing() {
        let is_above = |part, of| Proportion { part, of }.is_above(0.01);
        assert!(is_above(4, 100) && !is_above(2, 100), "two of a hundred may be half a percent");
        assert!(!is_above(99, 99), "fewer than a hundred");
        assert!(!is_above(10_000, 1_000_000) && is_above(10_300, 1_000_000));
        assert!(!Proportion { part: 0, of: 0 }.is_above(0.0) && !Proportion { part: 0, of: 0 }.is_below(1.0));
        assert!(!Proportion { part: 0, of: 150 }.is_below(0.01) && Proportion { part: 0, of: 400 }.is_below(0.01));
    }
}
