//! `--fail-on LIMIT[:SHARE]`: a limit as a condition, for CI.

use std::str::FromStr;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Limit};

/// What must not happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    limit: Limit,
    detail: Option<Detail>,
    /// Between 0 and 1; `None`: when the verdict names the limit.
    share: Option<f64>,
}

impl FromStr for Gate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (cause, share) = match text.split_once(':') {
            Some((cause, share)) => (cause, Some(parse_share(share)?)),
            None => (text, None),
        };
        let Cause { limit, detail } = cause.parse()?;
        Ok(Self { limit, detail, share })
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let parsed = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|p| p / 100.0),
        None => text.parse::<f64>(),
    };
    match parsed {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("the share must be 0 to 1, or 0% to 100%".into()),
    }
}

impl Gate {
    /// Whether a direction of `connection` is at or over it.
    pub(crate) fn is_hit_by(&self, connection: &Connection) -> bool {
        connection.halves.iter().any(|h| self.is_hit_by_half(h))
    }

    fn is_hit_by_half(&self, half: &HalfConnection) -> bool {
        let Some(share) = self.share else {
            return half.verdict.cause.is_some_and(|c| self.covers(c));
        };
        let (nanos, _) = half.limits.sum(|cause| self.covers(cause));
        let total = half.limits.span().nanos();
        total > 0 && nanos as f64 >= share * total as f64
    }

    fn covers(&self, cause: Cause) -> bool {
        cause.limit == self.limit && (self.detail.is_none() || cause.detail == self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates() {
        let gate = |text: &str| text.parse::<Gate>();
        assert_eq!(gate("send_buffer"), Ok(Gate { limit: Limit::SendBuffer, detail: None, share: None }));
        assert_eq!(gate("send-buffer:0.5"), Ok(Gate { limit: Limit::SendBuffer, detail: None, share: Some(0.5) }));
        assert_eq!(
            gate("receive_window/slow-reader:20%"),
            Ok(Gate { limit: Limit::ReceiveWindow, detail: Some(Detail::SlowReader), share: Some(0.2) })
        );
        for bad in ["cwnd", "send_buffer:2", "send_buffer/idle", "path/idle", "send_buffer:"] {
            assert!(gate(bad).is_err(), "{bad}");
        }
    }
}
