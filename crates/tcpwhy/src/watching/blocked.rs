//! Functions that wait for space in a send buffer, and the length of the waits.

use std::collections::HashMap;

use tcpwhy_model::live::{Happening, KernelEvent, SocketKey};

/// Functions that are counted separately; further ones are counted together, without their names.
const MOST_PLACES: usize = 1000;
/// Sockets whose last function is kept, to bound the memory.
const MOST_SOCKETS: usize = 4096;

/// A function of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Name of the process.
    pub(crate) process: String,
    /// `None` if no stack was seen yet.
    pub(crate) function: Option<String>,
}

/// Number and total time of waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waits {
    pub(crate) count: u64,
    pub(crate) nanos: i64,
}

/// Waits of writers, by function and process.
#[derive(Debug, Default)]
pub(crate) struct BlockedWriters {
    by_place: HashMap<Place, Waits>,
    /// The last function of each socket's writer: the BPF programs report a stack only once per second.
    last: HashMap<(SocketKey, u32), String>,
}

impl BlockedWriters {
    /// Counts `event` if it is a wait of a writer.
    pub(crate) fn add(&mut self, event: &KernelEvent) {
        let Happening::BlockedWrite { waited, .. } = event.what else { return };
        let Some(process) = &event.process else { return };
        let of_socket = event.key.map(|key| (key, process.pid));
        let seen = event.place().map(ToString::to_string);
        if let (Some(of_socket), Some(seen)) = (of_socket, &seen) {
            if self.last.len() >= MOST_SOCKETS {
                self.last.clear();
            }
            self.last.insert(of_socket, seen.clone());
        }
        let function = seen.or_else(|| self.last.get(&of_socket?).cloned());
        let mut place = Place { process: process.name.clone(), function };
        if self.by_place.len() >= MOST_PLACES && !self.by_place.contains_key(&place) {
            place.function = None;
        }
        let waits = self.by_place.entry(place).or_default();
        waits.count += 1;
        waits.nanos = waits.nanos.saturating_add(waited);
    }

    /// The `most` functions with the longest total wait.
    pub(crate) fn most(&self, most: usize) -> Vec<(&Place, Waits)> {
        let mut all: Vec<(&Place, Waits)> = self.by_place.iter().map(|(place, waits)| (place, *waits)).collect();
        all.sort_by(|(a, of_a), (b, of_b)| of_b.nanos.cmp(&of_a.nanos).then(a.cmp(b)));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::live::{CodePlace, Process};

    use super::*;

    fn waited(cookie: u64, process: &str, function: Option<&str>, millis: i64) -> KernelEvent {
        let nanos = millis * 1_000_000;
        let function = function.map(|name| (name.to_owned(), 0));
        let code =
            function.map(|function| CodePlace { module: "/app".to_owned(), address: 0, function: Some(function) });
        KernelEvent {
            time: Timestamp::ZERO,
            key: Some(SocketKey { namespace: 1, cookie }),
            ends: None,
            process: Some(Process { pid: 7, name: process.to_owned(), cgroup: None }),
            code: code.into_iter().collect(),
            what: Happening::BlockedWrite { waited: nanos, call: nanos, thread: 7 },
        }
    }

    #[test]
    fn a_wait_without_a_stack_was_where_the_one_before_was() {
        let mut blocked = BlockedWriters::default();
        for event in [
            waited(1, "app", None, 5),
            waited(1, "app", Some("Protocol::write"), 10),
            waited(1, "app", None, 20),
            waited(2, "app", None, 1),
            waited(2, "app", Some("Backup::send"), 2),
            waited(3, "other", Some("Protocol::write"), 3),
        ] {
            blocked.add(&event);
        }
        let most: Vec<(&str, Option<&str>, u64, i64)> = blocked
            .most(3)
            .into_iter()
            .map(|(place, waits)| (&*place.process, place.function.as_deref(), waits.count, waits.nanos / 1_000_000))
            .collect();
        assert_eq!(
            most,
            [
                ("app", Some("Protocol::write (app)"), 2, 30),
                ("app", None, 2, 6),
                ("other", Some("Protocol::write (app)"), 1, 3)
            ]
        );
    }

    #[test]
    fn however_many_there_are_memory_is_bounded() {
        let mut blocked = BlockedWriters::default();
        for n in 0..3 * MOST_PLACES {
            blocked.add(&waited(n as u64, "app", Some(&n.to_string()), 1));
        }
        assert!(blocked.by_place.len() <= MOST_PLACES + 1);
        assert_eq!(blocked.most(usize::MAX).iter().map(|(_, waits)| waits.count).sum::<u64>(), 3 * MOST_PLACES as u64);
    }
}
