//! What happened of late: what the kernel tells, and what its counters show where nothing tells.

use std::collections::VecDeque;

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::Counters;
use tcpwhy_model::live::{Happening, KernelEvent, Pruning};

use super::blocked::BlockedWriters;

/// Older events are forgotten.
const MOST_EVENTS: usize = 10_000;

/// The events of late.
#[derive(Default)]
pub(crate) struct Latest {
    kept: VecDeque<KernelEvent>,
    /// Somebody takes all of them. Whoever only looks at the newest misses nothing when old ones are
    /// forgotten.
    are_taken: bool,
    /// Events that were left out of what is taken, since there were too many to keep.
    left_out: u64,
    /// Waits of writers, all of them, those that are forgotten too.
    blocked: BlockedWriters,
}

impl Latest {
    /// For somebody who takes all events.
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

    /// Events that are left out of those that are taken: the oldest.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The newest last.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &KernelEvent> {
        self.kept.iter()
    }

    /// Those since this was asked last.
    pub(crate) fn take(&mut self) -> Vec<KernelEvent> {
        self.kept.drain(..).collect()
    }
}

/// Receive queues of this network namespace that had no room, by its counters: how often, and not of which
/// connection.
pub(crate) struct PruneCounters {
    /// As they were when asked last; `None` where they may not be read.
    before: Option<Counters>,
}

impl PruneCounters {
    /// From now on.
    pub(crate) fn start() -> Self {
        Self { before: tcpwhy_live::counters() }
    }

    /// Tells what was counted since this was asked last.
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
