//! Levels of the metrics of a host's connections that deserve an alert.

use super::thresholds::{ALERT_BUSY, ALERT_RETRANSMITTED, ALERT_SHARE};

/// Values that an alert must exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlertLevels {
    /// One limit's share of the time with data to send.
    pub share: f64,
    /// Mean number of connections with data to send.
    pub busy: f64,
    /// Retransmitted bytes, as a share of the bytes sent.
    pub retransmitted: f64,
}

/// The values of the rules for Prometheus.
pub const ALERT_LEVELS: AlertLevels =
    AlertLevels { share: ALERT_SHARE, busy: ALERT_BUSY, retransmitted: ALERT_RETRANSMITTED };
