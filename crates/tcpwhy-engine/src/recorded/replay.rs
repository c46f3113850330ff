//! Replay of a recording's data about sockets, with the same result as watching the host.

use tcpwhy_live::recording::{Record, RecordedEffort, RecordedHost, Records};
use tcpwhy_watch::LiveHost;

/// A fold over the records of a recording, equivalent to watching.
#[derive(Default)]
pub struct Replay {
    /// The state of the watched host.
    pub host: LiveHost,
    /// The recorded host.
    pub of: RecordedHost,
    /// Effort of watching since the recording began.
    pub effort: RecordedEffort,
    /// Effort before this file, which is one of several. It is recorded directly after the host.
    before: RecordedEffort,
    /// Whether the previous record was the host.
    is_at_beginning: bool,
    /// Whether any list was read.
    pub has_begun: bool,
    /// Number of lists that could not be read, from another version or another machine.
    pub unreadable: u64,
    /// Number of records from another version.
    pub unknown: u64,
}

impl Replay {
    /// A replay that keeps intervals as they end.
    pub fn with_intervals() -> Self {
        Self { host: LiveHost::with_intervals(), ..Self::default() }
    }

    /// A replay whose connections are compared with packets.
    pub(super) fn to_compare() -> Self {
        Self { host: LiveHost::to_compare(), ..Self::default() }
    }

    /// Adds the next list.
    pub fn take(&mut self, list: &[u8]) {
        self.has_begun = true;
        let Ok(mut records) = Records::of(list) else {
            self.unreadable += 1;
            return;
        };
        for record in records.by_ref() {
            let is_at_beginning = std::mem::replace(&mut self.is_at_beginning, matches!(record, Record::Host(_)));
            match record {
                Record::Host(host) => {
                    self.host.set_largest_send_buffer(tcpwhy_live::largest_send_buffer(&host.settings));
                    self.of = host;
                }
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

    /// Number of packets that should be in this file, and how many of them are missing.
    pub(super) fn counts(&self) -> [u64; 2] {
        [self.effort.packets.saturating_sub(self.before.packets), self.effort.drops.saturating_sub(self.before.drops)]
    }
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
    use tcpwhy_watch::KernelWitness;

    use super::*;

    /// A message in the kernel's format with any content: state, addresses, ports and queues, `tcp_info`,
    /// memory.
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
        // Each case has a dozen samples of several kilobytes.
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// A recording may come from a stranger, so any content must be handled.
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
