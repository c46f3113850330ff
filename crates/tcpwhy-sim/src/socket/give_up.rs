//! When the kernel gives up on a peer that does not answer.

use super::Socket;
use crate::time::{MILLISECOND, Time};

/// `TCP_RTO_MIN`: the time of the retransmissions is computed from this value, even if a route sets another.
const RTO_MIN: Time = 200 * MILLISECOND;
/// Number of doublings until a timeout reaches `TCP_RTO_MAX`: `ilog2(TCP_RTO_MAX / TCP_RTO_MIN)`.
const DOUBLINGS: u32 = 9;
/// `TCP_RTO_MAX`.
const RTO_MAX: Time = 120_000 * MILLISECOND;

/// Time of `retries` retransmissions (`tcp_model_timeout`).
fn time_of(retries: u32) -> Time {
    let doubled = retries.min(DOUBLINGS);
    ((2 << doubled) - 1) * RTO_MIN + Time::from(retries - doubled) * RTO_MAX
}

impl Socket {
    /// A retransmission timeout: returns whether the kernel gives up (`tcp_write_timeout`).
    pub(super) fn gives_up(&mut self, now: Time) -> bool {
        if self.recovery.timeouts == 0 {
            self.unanswered_since = now;
            return false;
        }
        let is_over = now - self.unanswered_since >= time_of(self.rules.retries);
        if is_over {
            self.has_given_up = true;
            self.break_off();
        }
        is_over
    }

    /// A window probe is due: returns whether the kernel gives up (`tcp_probe_timer`).
    pub(super) fn gives_up_probing(&mut self) -> bool {
        let is_over = self.probes >= self.rules.retries;
        self.probes += 1;
        if is_over {
            self.has_given_up = true;
            self.break_off();
        }
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tcp_retries2` of ip-sysctl: 15 retransmissions take 924.6 s.
    #[test]
    fn the_usual_retries_take_a_quarter_of_an_hour() {
        assert_eq!(time_of(15), 924_600 * MILLISECOND);
        assert_eq!(time_of(4), 6_200 * MILLISECOND);
    }
}
