//! What a recording says of the sockets, taken in as watching would have.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tcpwhy_analysis::Connection;
use tcpwhy_analysis::live::{KernelWitness, LiveHost, OpenSockets};
use tcpwhy_capture::CaptureReader;
use tcpwhy_live::recording::{Record, RecordedEffort, RecordedHost, Records};

/// A fold over what was recorded: the same that watching is.
#[derive(Default)]
pub(crate) struct Replay {
    /// What watching came to.
    pub(crate) host: LiveHost,
    /// Whose recording it is.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "what shows it needs Linux"))]
    pub(crate) of: RecordedHost,
    /// How watching went, since the recording began.
    pub(crate) effort: RecordedEffort,
    /// How it went before this file, which is one of several: what is told right after whose recording it is.
    before: RecordedEffort,
    /// Nothing was said since whose recording it is.
    is_at_beginning: bool,
    /// Whether there was anything.
    pub(crate) has_begun: bool,
    /// Lists that could not be read, of another version or another machine.
    pub(crate) unreadable: u64,
    /// Records that another version wrote.
    pub(crate) unknown: u64,
}

impl Replay {
    /// One that keeps intervals as they end.
    #[cfg(target_os = "linux")]
    pub(crate) fn with_intervals() -> Self {
        Self { host: LiveHost::with_intervals(), ..Self::default() }
    }

    /// Takes in the next list.
    pub(crate) fn take(&mut self, list: &[u8]) {
        self.has_begun = true;
        let Ok(mut records) = Records::of(list) else {
            self.unreadable += 1;
            return;
        };
        for record in records.by_ref() {
            let is_at_beginning = std::mem::replace(&mut self.is_at_beginning, matches!(record, Record::Host(_)));
            match record {
                Record::Host(host) => self.of = host,
                Record::Sample(sample) => match sample.decode() {
                    Some(sample) => self.host.observe(sample),
                    None => self.unknown += 1,
                },
                Record::Process(key, process) => self.host.assign(key, process),
                Record::Locks(key, locks) => self.host.lock(key, locks),
                Record::Asked(namespace, began) => self.host.sweep(namespace, began),
                Record::Gone(key) => self.host.forget(key),
                Record::Effort(effort) => {
                    if is_at_beginning {
                        self.before = effort.clone();
                    }
                    self.effort = effort;
                }
            }
        }
        self.unknown += records.unknown() + u64::from(records.is_damaged());
    }

    /// Packets that were to be in this file, and those of them that are not.
    fn counts(&self) -> [u64; 2] {
        [self.effort.packets.saturating_sub(self.before.packets), self.effort.drops.saturating_sub(self.before.drops)]
    }
}

/// What the kernel says in the captures of one source, while they are read.
#[derive(Default)]
pub(crate) struct Testimony {
    replays: Vec<Arc<Mutex<Replay>>>,
    /// Of the sockets that have ended.
    witness: Arc<Mutex<KernelWitness>>,
}

impl Testimony {
    /// Listens to one more capture.
    pub(crate) fn hear(&mut self, reader: &mut CaptureReader) {
        let (replay, witness) = (Arc::<Mutex<Replay>>::default(), Arc::clone(&self.witness));
        self.replays.push(Arc::clone(&replay));
        reader.hear_kernel(Box::new(move |list| {
            let mut replay = lock(&replay);
            replay.take(list);
            lock(&witness).add_ended(replay.host.take_ended());
        }));
    }

    /// Whether a capture has anything of it so far: it begins with that.
    pub(crate) fn has_begun(&self) -> bool {
        self.replays.iter().any(|replay| lock(replay).has_begun)
    }

    /// Puts beside each of `connections` what was said of its sockets so far.
    pub(crate) fn view<'a>(&self, connections: impl IntoIterator<Item = &'a mut Connection>) {
        let replays: Vec<_> = self.replays.iter().map(|replay| lock(replay)).collect();
        let open = OpenSockets::of(replays.iter().map(|replay| &replay.host));
        let mut witness = lock(&self.witness);
        for connection in connections {
            connection.kernel = witness.view(connection, &open).map(Box::new);
        }
    }

    /// What it came to.
    pub(crate) fn conclude(self) -> Heard {
        let mut heard = Heard { witness: std::mem::take(&mut *lock(&self.witness)), ..Heard::default() };
        for replay in self.replays {
            let replay = std::mem::take(&mut *lock(&replay));
            heard.unreadable += replay.unreadable;
            heard.unknown += replay.unknown;
            let [packets, drops] = replay.counts();
            heard.packets = heard.packets.saturating_add(packets);
            heard.drops = heard.drops.saturating_add(drops);
            heard.witness.add(replay.host);
        }
        heard
    }
}

/// What the kernel said, when everything is read.
#[derive(Default)]
pub(crate) struct Heard {
    witness: KernelWitness,
    /// Lists that could not be read.
    pub(crate) unreadable: u64,
    /// Records that could not be understood.
    pub(crate) unknown: u64,
    /// Packets that were to be recorded.
    pub(crate) packets: u64,
    /// Of those, lost before they could be written.
    pub(crate) drops: u64,
}

impl Heard {
    /// Puts beside `connection` what was said of its sockets.
    pub(crate) fn view(&mut self, connection: &mut Connection) {
        connection.kernel = self.witness.view(connection, &OpenSockets::default()).map(Box::new);
    }

    /// Sockets that were more than can be kept.
    pub(crate) fn left_out(&self) -> u64 {
        self.witness.left_out()
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // A fold that panicked has told what it could.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tcpwhy_live::recording::{ListWriter, RecordedSample};
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::BufferLocks;
    use tcpwhy_model::live::{Process, SocketKey};
    use tcpwhy_report::dto::{Connection, Presentation};
    use tcpwhy_report::{Catalogue, Language, Wording};

    use super::*;

    /// A message of the kernel's form, whatever it says: state, addresses, ports and queues, `tcp_info`, memory.
    fn message(state: u8, cookie: u8, fixed: &[u8], info: &[u8], memory: &[u8]) -> Vec<u8> {
        let mut message = vec![2, state, 0, 0];
        message.extend(fixed);
        message[44..52].copy_from_slice(&u64::from(cookie).to_le_bytes());
        for (kind, value) in [(2_u16, info), (7, memory)] {
            message.extend((value.len() as u16 + 4).to_ne_bytes());
            message.extend(kind.to_ne_bytes());
            message.extend(value);
        }
        message
    }

    /// Of the files of a ring each tells what was counted since the recording began.
    #[test]
    fn what_was_dropped_is_counted_once() {
        let effort = |packets, drops| RecordedEffort { packets, drops, ..RecordedEffort::default() };
        let file = |before: &RecordedEffort, during: &[RecordedEffort]| {
            let mut list = ListWriter::default();
            list.host(&RecordedHost::default());
            list.effort(before);
            list.asked(1, Timestamp::ZERO);
            for effort in during {
                list.effort(effort);
            }
            list.take()
        };
        let first = file(&effort(0, 0), &[effort(100, 0), effort(200, 7)]);
        let second = file(&effort(200, 7), &[effort(300, 7), effort(400, 9)]);
        // What captures by itself tells of its end alone, and one that was killed of its beginning.
        let mut own = ListWriter::default();
        own.effort(&effort(50, 3));
        let killed = file(&effort(400, 9), &[]);
        for (files, expected) in [
            (vec![first.clone()], (200, 7)),
            (vec![second.clone()], (200, 2)),
            (vec![second.clone(), first, killed], (400, 9)),
            (vec![own.take(), second], (250, 5)),
        ] {
            let replays = files.iter().map(|list| {
                let mut replay = Replay::default();
                replay.take(list);
                Arc::new(Mutex::new(replay))
            });
            let heard = Testimony { replays: replays.collect(), ..Testimony::default() }.conclude();
            assert_eq!((heard.packets, heard.drops), expected);
        }
    }

    proptest! {
        // Each case is a dozen samples of kilobytes.
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Who wrote a recording decides what is in it.
        #[test]
        fn whatever_a_recording_says(
            samples in proptest::collection::vec(
                (
                    any::<i64>(),
                    -1_i64..20,
                    1_u8..13,
                    0_u8..3,
                    proptest::collection::vec(any::<u8>(), 68),
                    proptest::collection::vec(prop_oneof![Just(0_u8), Just(255), any::<u8>()], 248),
                    proptest::collection::vec(prop_oneof![Just(0_u8), Just(255), any::<u8>()], 36),
                ),
                1..12,
            ),
            begins in any::<i64>(),
        ) {
            let mut list = ListWriter::default();
            for (anywhen, soon, state, cookie, fixed, info, memory) in &samples {
                let nanos = if *soon < 0 { *anywhen } else { begins.saturating_add(soon * 1_000_000_000) };
                let message = message(*state, *cookie, fixed, info, memory);
                let key = SocketKey { namespace: 1, cookie: u64::from(*cookie) };
                list.sample(RecordedSample { time: Timestamp::from_nanos(nanos), namespace: 1, message: &message });
                list.process(key, &Process::default());
                list.locks(key, BufferLocks::default());
                if state % 4 == 0 {
                    list.asked(1, Timestamp::from_nanos(*anywhen));
                }
            }
            let mut replay = Replay::default();
            replay.take(&list.take());
            let catalogue = Catalogue::new(Language::English);
            let presentation = Presentation::new(Wording::new(&catalogue));
            let mut host = std::mem::take(&mut replay.host);
            host.finish();
            for connection in host.connections() {
                let _ = Connection::live(connection, presentation);
            }
            KernelWitness::default().add(host);
        }
    }
}
