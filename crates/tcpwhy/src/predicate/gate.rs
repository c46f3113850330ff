//! `--fail-on LIMIT[:SHARE]`: a limit as a condition, for CI.

use std::str::FromStr;

use tcpwhy_analysis::Connection;

use super::{Condition, Predicate};
use crate::message::{Failure, failure};

/// What must not happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gate(Predicate);

impl FromStr for Gate {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (cause, share) = match text.split_once(':') {
            Some((cause, share)) => (cause, Some(parse_share(share)?)),
            None => (text, None),
        };
        let limit = cause.parse()?;
        Ok(Self(share.map_or(Condition::Verdict(limit), |share| Condition::Share(limit, share)).into()))
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
        self.0.holds(connection)
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Detail, Limit};

    use super::*;

    #[test]
    fn gates() {
        let gate = |text: &str| text.parse::<Gate>();
        assert_eq!(gate("send_buffer"), Ok(Gate(Condition::Verdict(Cause::plain(Limit::SendBuffer)).into())));
        assert_eq!(gate("send-buffer:0.5"), Ok(Gate(Condition::Share(Cause::plain(Limit::SendBuffer), 0.5).into())));
        assert_eq!(
            gate("receive_window/slow-reader:20%"),
            Ok(Gate(Condition::Share(Detail::SlowReader.into(), 0.2).into()))
        );
        for bad in ["cwnd", "send_buffer:2", "send_buffer/idle", "path/idle", "send_buffer:"] {
            assert!(gate(bad).is_err(), "{bad}");
        }
    }
}
