use tcpwhy_model::Timestamp;
use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};

use super::{BEGIN, HEADER, ORDER, RECORD_HEADER, RecordedEffort, RecordedHost, RecordedSample, kind};

/// Writes a list.
#[derive(Clone, Debug)]
pub struct ListWriter {
    bytes: Vec<u8>,
}

impl Default for ListWriter {
    fn default() -> Self {
        let mut bytes = BEGIN.to_vec();
        bytes.extend(ORDER.to_ne_bytes());
        Self { bytes }
    }
}

impl ListWriter {
    /// Length so far, bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= HEADER
    }

    /// Returns the list so far. Later records go into a new list.
    pub fn take(&mut self) -> Vec<u8> {
        let capacity = self.bytes.len();
        let mut next = Self::default();
        next.bytes.reserve(capacity);
        std::mem::swap(self, &mut next);
        next.bytes
    }

    /// Writes the host.
    pub fn host(&mut self, host: &RecordedHost) {
        self.record(kind::HOST, |out| {
            out.extend(host.began.as_nanos().to_le_bytes());
            for text in [&host.name, &host.kernel_release, &host.settings] {
                put_text(out, text);
            }
        });
    }

    /// Writes a socket at an instant.
    pub fn sample(&mut self, sample: RecordedSample<'_>) {
        self.record(kind::SAMPLE, |out| {
            out.extend(sample.time.as_nanos().to_le_bytes());
            out.extend(sample.namespace.to_le_bytes());
            out.extend(sample.message);
        });
    }

    /// Writes the process of a socket.
    pub fn process(&mut self, key: SocketKey, process: &Process) {
        self.record(kind::PROCESS, |out| {
            put_key(out, key);
            out.extend(process.pid.to_le_bytes());
            put_text(out, &process.name);
            if let Some(cgroup) = &process.cgroup {
                put_text(out, cgroup);
            }
        });
    }

    /// Writes which buffers of a socket its application has set.
    pub fn locks(&mut self, key: SocketKey, locks: BufferLocks) {
        self.record(kind::LOCKS, |out| {
            put_key(out, key);
            out.extend(locks.bits().to_le_bytes());
        });
    }

    /// Writes that all sockets of `namespace` were read, starting at `began`.
    pub fn asked(&mut self, namespace: u64, began: Timestamp) {
        self.record(kind::ASKED, |out| {
            out.extend(namespace.to_le_bytes());
            out.extend(began.as_nanos().to_le_bytes());
        });
    }

    /// Writes that the kernel no longer has the socket.
    pub fn gone(&mut self, key: SocketKey) {
        self.record(kind::GONE, |out| put_key(out, key));
    }

    /// Writes the effort of the watching so far.
    pub fn effort(&mut self, effort: &RecordedEffort) {
        self.record(kind::EFFORT, |out| {
            let numbers = [effort.time, effort.cpu, effort.budget.to_bits(), effort.samples, effort.dumps];
            for number in numbers.into_iter().chain([effort.namespaces, effort.packets, effort.drops]) {
                out.extend(number.to_le_bytes());
            }
            put_text(out, &effort.blind.join(" "));
        });
    }

    fn record(&mut self, kind: u16, write: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend([0; RECORD_HEADER - 2]);
        let begin = self.bytes.len();
        write(&mut self.bytes);
        // A record is a message of the kernel or a few names: far below 4 GB.
        let len = (self.bytes.len() - begin) as u32;
        self.bytes[begin - 4..begin].copy_from_slice(&len.to_le_bytes());
    }
}

fn put_key(out: &mut Vec<u8>, key: SocketKey) {
    out.extend(key.namespace.to_le_bytes());
    out.extend(key.cookie.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}
