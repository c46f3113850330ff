use tcpwhy_model::Limit;

/// How long a transfer would take, as its worlds did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Seconds: the middle of the worlds.
    pub value: f64,
    /// The 5th percentile of the worlds, and less by what fit and simulator may be off.
    pub low: f64,
    /// The 95th percentile, and as much more.
    pub high: f64,
    /// What holds the sender back for longest then.
    pub next_limit: Limit,
}
