use tcpwhy_model::Limit;

/// Predicted duration of a transfer, from its worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Median of the worlds, seconds.
    pub value: f64,
    /// 5th percentile of the worlds, lowered by the error of fit and simulator.
    pub low: f64,
    /// 95th percentile of the worlds, raised by the same error.
    pub high: f64,
    /// The sender's longest limit after the change.
    pub next_limit: Limit,
}
