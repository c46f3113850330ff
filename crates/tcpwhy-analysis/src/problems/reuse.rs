//! Reused client ports: whether late or failed connections are exactly those with reused ports.
//!
//! The end that closes first keeps the addresses and ports of a connection in TIME-WAIT (RFC 9293 §3.6.1, a
//! minute on Linux). A firewall remembers them as well. A SYN from the same port within that time may be
//! ignored. A single connection does not show that. Among all connections of a service, those with reused
//! ports had to repeat their SYN, and the others did not.

use tcpwhy_model::Endpoint;

use super::uses::{Sorted, Use};
use crate::thresholds::{GOES_WITH, GOES_WITHOUT, REUSED_LEAST, TIME_WAIT, part};

/// Ports that were reused soon, if a problem correlates with that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReusedPorts {
    /// Connections whose port had been used within a minute before.
    pub again: u64,
    /// Those of them that have the problem.
    pub slow_again: u64,
    /// Connections whose port had not been used within a minute before.
    pub first: u64,
    /// Those of them that have the problem.
    pub slow_first: u64,
    /// The longest time between two connections of such a port, nanoseconds.
    pub longest: i64,
}

impl ReusedPorts {
    /// Returns the reused ports, if late or missing answers to SYNs at `server` correlate with them. `uses`
    /// are those of the capture, in order.
    pub(super) fn of(uses: &Sorted, server: Endpoint) -> Option<Self> {
        let mut found = Self { again: 0, slow_again: 0, first: 0, slow_first: 0, longest: 0 };
        let uses: Vec<&Use> = uses.of(server).iter().filter(|one| one.is_opened).collect();
        for uses in uses.chunk_by(|one, next| one.client == next.client) {
            let mut ended: Option<i64> = None;
            for one in uses {
                let rest = ended.map(|ended| one.start.saturating_sub(ended)).filter(|&rest| rest <= TIME_WAIT.get());
                let (all, slow) = match rest {
                    Some(rest) => {
                        found.longest = found.longest.max(rest);
                        (&mut found.again, &mut found.slow_again)
                    }
                    None => (&mut found.first, &mut found.slow_first),
                };
                *all += 1;
                *slow += u64::from(one.is_syn_late);
                ended = Some(ended.map_or(one.end, |before| before.max(one.end)));
            }
        }
        found.explains().then_some(found)
    }

    /// Whether nearly all connections with reused ports were slow, and nearly no others.
    fn explains(&self) -> bool {
        self.slow_again >= REUSED_LEAST
            && self.first >= REUSED_LEAST
            && part(self.slow_again, self.again) >= GOES_WITH
            && part(self.slow_first, self.first) <= GOES_WITHOUT
    }
}

#[cfg(test)]
mod terms;
