//! `--fail-on LIMIT[:SHARE]`: a limit as a condition, for CI.

use std::str::FromStr;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::Cause;

use crate::message::{Failure, failure};

/// What must not happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    cause: Cause,
    /// Between 0 and 1; `None`: when the verdict names the limit.
    share: Option<f64>,
}

impl FromStr for Gate {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (cause, share) = match text.split_once(':') {
            Some((cause, share)) => (cause, Some(parse_share(share)?)),
            None => (text, None),
        };
        Ok(Self { cause: cause.parse()?, share })
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

impl Gate {
    /// Whether a direction of `connection` is at or over it.
    pub(crate) fn is_hit_by(&self, connection: &Connection) -> bool {
        connection.halves.iter().any(|h| self.is_hit_by_half(h))
    }

    fn is_hit_by_half(&self, half: &HalfConnection) -> bool {
        let Some(share) = self.share else {
            return half.verdict.cause.is_some_and(|cause| self.cause.covers(cause));
        };
        let (nanos, _) = half.limits.sum(|cause| self.cause.covers(cause));
        let total = half.limits.span().nanos();
        total > 0 && nanos as f64 >= share * total as f64
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Limit};

    use super::*;

    #[test]
    fn gates() {
        let gate = |text: &str| text.parse::<Gate>();
        assert_eq!(gate("send_buffer"), Ok(Gate { cause: Cause::plain(Limit::SendBuffer), share: None }));
        assert_eq!(gate("send-buffer:0.5"), Ok(Gate { cause: Cause::plain(Limit::SendBuffer), share: Some(0.5) }));
        assert_eq!(
            gate("receive_window/slow-reader:20%"),
            Ok(Gate { cause: Detail::SlowReader.into(), share: Some(0.2) })
        );
        for bad in ["cwnd", "send_buffer:2", "send_buffer/idle", "path/idle", "send_buffer:"] {
            assert!(gate(bad).is_err(), "{bad}");
        }
    }
}
