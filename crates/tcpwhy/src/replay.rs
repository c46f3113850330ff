//! What a recording says of the sockets, taken in as watching would have.

use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_analysis::live::{KernelWitness, LiveHost};
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
    /// How watching went.
    pub(crate) effort: RecordedEffort,
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
                Record::Effort(effort) => self.effort = effort,
            }
        }
        self.unknown += records.unknown() + u64::from(records.is_damaged());
    }
}

/// What the kernel says in the captures of one source, while they are read.
#[derive(Default)]
pub(crate) struct Testimony(Vec<Arc<Mutex<Replay>>>);

impl Testimony {
    /// Listens to one more capture.
    pub(crate) fn hear(&mut self, reader: &mut CaptureReader) {
        let replay = Arc::<Mutex<Replay>>::default();
        self.0.push(Arc::clone(&replay));
        reader.hear_kernel(Box::new(move |list| lock(&replay).take(list)));
    }

    /// Whether a capture has anything of it so far: it begins with that.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.iter().any(|replay| lock(replay).has_begun)
    }

    /// What it came to.
    pub(crate) fn conclude(self) -> Heard {
        let mut heard = Heard::default();
        for replay in self.0 {
            let replay = std::mem::take(&mut *lock(&replay));
            heard.unreadable += replay.unreadable;
            heard.unknown += replay.unknown;
            heard.drops = heard.drops.saturating_add(replay.effort.drops);
            heard.packets += replay.effort.packets;
            heard.witness.add(replay.host);
        }
        heard
    }
}

/// What the kernel said, when everything is read.
#[derive(Default)]
pub(crate) struct Heard {
    /// Of its sockets.
    pub(crate) witness: KernelWitness,
    /// Lists that could not be read.
    pub(crate) unreadable: u64,
    /// Records that could not be understood.
    pub(crate) unknown: u64,
    /// Packets that were to be recorded.
    pub(crate) packets: u64,
    /// Of those, lost before they could be written.
    pub(crate) drops: u64,
}

fn lock(replay: &Mutex<Replay>) -> std::sync::MutexGuard<'_, Replay> {
    // A fold that panicked has told what it could.
    replay.lock().unwrap_or_else(PoisonError::into_inner)
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
