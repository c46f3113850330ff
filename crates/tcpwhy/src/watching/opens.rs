//! Counts connections opened during sampling from the kernel's counters, because samples miss short ones.

/// Fewest opened connections for a warning; with fewer, a majority may be chance. Chosen equal to the
/// smallest count that is called a habit elsewhere.
const LEAST_MISSED: u64 = 10;

/// Connections that this network namespace has opened, actively or passively.
pub(crate) struct OpenCounters {
    /// Value at the start; `None` where the counter cannot be read.
    before: Option<u64>,
}

impl OpenCounters {
    /// Starts counting now.
    pub(crate) fn start() -> Self {
        Self { before: opened() }
    }

    /// Sockets of connections opened since the start. A connection with both ends on this host has two.
    pub(crate) fn since(&self) -> Option<u64> {
        opened()?.checked_sub(self.before?)
    }
}

fn opened() -> Option<u64> {
    let counters = tcpwhy_live::counters()?;
    Some(counters.tcp("ActiveOpens")? + counters.tcp("PassiveOpens")?)
}

/// Whether the samples missed more than half of the opened connections.
pub(crate) fn opens_are_missed(opened: u64, seen: u64) -> bool {
    opened >= LEAST_MISSED && seen * 2 < opened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_ten_or_more() {
        assert!(opens_are_missed(10, 4) && !opens_are_missed(10, 5) && !opens_are_missed(9, 0));
    }
}
