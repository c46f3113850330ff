//! Connections that were opened while samples were taken, by the kernel's counters: more than samples show.

/// Fewer are not worth a sentence. Chosen: as many as are called a habit elsewhere.
const LEAST_MISSED: u64 = 10;

/// Connections that this network namespace has opened, of both directions.
pub(crate) struct OpenCounters {
    /// As they were at the beginning; `None` where they may not be read.
    before: Option<u64>,
}

impl OpenCounters {
    /// From now on.
    pub(crate) fn start() -> Self {
        Self { before: opened() }
    }

    /// Sockets of connections that were opened since. One with both ends here has two.
    pub(crate) fn since(&self) -> Option<u64> {
        opened()?.checked_sub(self.before?)
    }
}

fn opened() -> Option<u64> {
    let counters = tcpwhy_live::counters()?;
    Some(counters.tcp("ActiveOpens")? + counters.tcp("PassiveOpens")?)
}

/// Whether most of the connections that were opened were not seen.
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
