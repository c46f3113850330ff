//! `--fail-on LIMIT[:SHARE]`: a limit as a condition, for CI.

use std::fmt;
use std::str::FromStr;

use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::Cause;

use crate::message::{Failure, failure};

/// A limit that must not occur, or only up to a share of time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gate {
    limit: Cause,
    /// Without it, the verdict of a direction decides.
    least_share: Option<f64>,
    typed: String,
}

impl FromStr for Gate {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (cause, share) = match text.split_once(':') {
            Some((cause, share)) => (cause, Some(parse_share(share)?)),
            None => (text, None),
        };
        Ok(Self { limit: cause.parse()?, least_share: share, typed: text.to_owned() })
    }
}

/// The spelling on the command line.
impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}

fn parse_share(text: &str) -> Result<f64, Failure> {
    let parsed = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|p| p / 100.0),
        None => text.parse::<f64>(),
    };
    match parsed {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(failure("share-expected")),
    }
}

/// The time of a direction under a gate's limit, at or over the threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Excess {
    /// The verdict if the gate is about verdicts, else the limit of the gate.
    pub(crate) limit: Cause,
    /// Nanoseconds under it.
    pub(crate) nanos: i64,
    /// Duration of the direction, nanoseconds.
    pub(crate) total: i64,
}

impl Gate {
    /// Whether the gate is about verdicts.
    pub(crate) const fn is_of_verdicts(&self) -> bool {
        self.least_share.is_none()
    }

    /// The time of `half` under the limit, if that reaches the threshold; `None` if it is below.
    pub(crate) fn excess(&self, half: &HalfConnection) -> Option<Excess> {
        let total = half.limits.span().nanos();
        let (limit, is_hit) = match self.least_share {
            None => {
                let cause = half.verdict.cause?;
                (cause, self.limit.covers(cause))
            }
            Some(least) => (self.limit, total > 0 && self.nanos(half) as f64 >= least * total as f64),
        };
        is_hit.then(|| Excess { limit, nanos: half.limits.sum(|cause| limit.covers(cause)).0, total })
    }

    fn nanos(&self, half: &HalfConnection) -> i64 {
        half.limits.sum(|cause| self.limit.covers(cause)).0
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Limit};

    use super::*;

    #[test]
    fn gates() {
        let gate = |text: &str| text.parse::<Gate>().map(|gate| (gate.limit, gate.least_share));
        assert_eq!(gate("send_buffer"), Ok((Cause::plain(Limit::SendBuffer), None)));
        assert_eq!(gate("send-buffer:0.5"), Ok((Cause::plain(Limit::SendBuffer), Some(0.5))));
        assert_eq!(gate("receive_window/slow-reader:20%"), Ok((Detail::SlowReader.into(), Some(0.2))));
        for bad in ["cwnd", "send_buffer:2", "send_buffer/idle", "path/idle", "send_buffer:", "sendbuffer", ""] {
            assert!(gate(bad).is_err(), "{bad}");
        }
        let unknown = gate("sendbuffer").unwrap_err().to_string();
        assert!(Limit::ALL.iter().all(|limit| unknown.contains(limit.id())), "{unknown}");
    }
}
