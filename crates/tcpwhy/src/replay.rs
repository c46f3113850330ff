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
            heard.drops += replay.effort.drops;
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
