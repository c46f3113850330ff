//! Recent events: those that the kernel reports, and those derived from its counters where it reports none.

use std::collections::VecDeque;

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::Counters;
use tcpwhy_model::live::{Happening, KernelEvent, Pruning};

use super::blocked::BlockedWriters;

/// Events that are kept; older ones are dropped.
const MOST_EVENTS: usize = 10_000;

/// The recent events.
#[derive(Default)]
pub(crate) struct Latest {
    kept: VecDeque<KernelEvent>,
    /// Whether a caller takes all events. A caller that only shows the newest loses nothing when old ones are
    /// dropped.
    are_taken: bool,
    /// Events that were dropped before they were taken.
    left_out: u64,
    /// Waits of writers, including those of dropped events.
    blocked: BlockedWriters,
}

impl Latest {
    /// Declares that the caller takes all events, so that dropped ones are counted.
    pub(crate) fn take_all(&mut self) {
        self.are_taken = true;
    }

    /// Waits of writers so far.
    pub(crate) fn blocked(&self) -> &BlockedWriters {
        &self.blocked
    }

    pub(crate) fn push(&mut self, event: KernelEvent) {
        self.blocked.add(&event);
        self.kept.push_back(event);
        if self.kept.len() > MOST_EVENTS {
            self.kept.pop_front();
            self.left_out += u64::from(self.are_taken);
        }
    }

    /// Events that were dropped before they were taken: the oldest ones.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The kept events, the newest last.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &KernelEvent> {
        self.kept.iter()
    }

    /// The events since the last call.
    pub(crate) fn take(&mut self) -> Vec<KernelEvent> {
        self.kept.drain(..).collect()
    }
}

/// Counters of full receive queues of this network namespace. They show how often, but not on which
/// connection.
pub(crate) struct PruneCounters {
    /// Values at the last read; `None` where they cannot be read.
    before: Option<Counters>,
}

impl PruneCounters {
    /// Starts counting now.
    pub(crate) fn start() -> Self {
        Self { before: tcpwhy_live::counters() }
    }

    /// Adds an event for the increase since the last call.
    pub(crate) fn tell(&mut self, time: Timestamp, events: &mut Latest) {
        let Some(now) = tcpwhy_live::counters() else { return };
        self.compare(now, time, events);
    }

    fn compare(&mut self, now: Counters, time: Timestamp, events: &mut Latest) {
        let named = [
            (Pruning::Collapsed, "TCPRcvCollapsed"),
            (Pruning::OutOfOrderDropped, "OfoPruned"),
            (Pruning::ArrivingDropped, "RcvPruned"),
        ];
        let since = self.before.as_ref().map(|before| now.since(before));
        for (how, name) in named {
            if let Some(count) = since.as_ref().and_then(|since| since.ext(name)).filter(|&count| count > 0) {
                let what = Happening::ReceivePruned { how, count };
                events.push(KernelEvent { time, key: None, ends: None, process: None, code: Vec::new(), what });
            }
        }
        self.before = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::CounterGroup;

    use super::*;

    fn left_out(are_taken: bool) -> u64 {
        let mut events = Latest { are_taken, ..Latest::default() };
        for nanos in 0..MOST_EVENTS as i64 + 3 {
            let what = Happening::MemoryExceeded { receives: true };
            events.push(KernelEvent {
                time: Timestamp::from_nanos(nanos),
                key: None,
                ends: None,
                process: None,
                code: Vec::new(),
                what,
            });
        }
        assert_eq!(events.iter().next().map(|event| event.time), Some(Timestamp::from_nanos(3)));
        events.left_out()
    }

    #[test]
    fn old_events_are_missed_only_where_all_are_taken() {
        assert_eq!((left_out(false), left_out(true)), (0, 3));
    }

    fn counters(collapsed: u64, pruned: u64) -> Counters {
        let mut counters = Counters::default();
        counters.set(CounterGroup::TcpExt, "TCPRcvCollapsed", collapsed);
        counters.set(CounterGroup::TcpExt, "RcvPruned", pruned);
        counters
    }

    #[test]
    fn counters_tell_what_they_gained_and_nothing_of_before() {
        let (mut events, time) = (Latest::default(), Timestamp::ZERO);
        let mut prunes = PruneCounters { before: None };
        prunes.compare(counters(70, 5), time, &mut events);
        assert!(events.take().is_empty(), "that was before anybody looked");
        prunes.compare(counters(70, 5), time, &mut events);
        assert!(events.take().is_empty(), "nothing happened");
        prunes.compare(counters(82, 5), time, &mut events);
        let told = events.take();
        let what: Vec<_> = told.iter().map(|event| event.what).collect();
        assert_eq!(what, [Happening::ReceivePruned { how: Pruning::Collapsed, count: 12 }]);
        assert!(told.iter().all(|event| event.key.is_none() && event.process.is_none()));
        prunes.compare(counters(82, 6), time, &mut events);
        let what: Vec<_> = events.take().iter().map(|event| event.what).collect();
        assert_eq!(what, [Happening::ReceivePruned { how: Pruning::ArrivingDropped, count: 1 }]);
    }
}
