//! What is kept of a watched host: the kernel's samples as it gave them, whose sockets they are, and how the watching went.
//!
//! A list is eight bytes ([`ListWriter`] writes them: magic, version, byte order) and records after each other: type (2 bytes,
//! little-endian), 2 bytes of 0, length (4), and so many bytes. Numbers in records are little-endian; messages of the kernel are
//! in the byte order of the machine that they are of. A reader passes over records of a type that it does not know by their
//! length, and leaves out what follows the fields that it knows.
//!
//! **Invariant:** any bytes read; what contradicts itself is counted.

mod read;
mod write;

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};

pub use read::{BadList, Records};
pub use write::ListWriter;

use crate::socket_message;

/// What a list begins with, the version among it.
const BEGIN: [u8; 6] = *b"tcpw\x01\x00";
/// The list's byte order, as a number in that order.
const ORDER: u16 = 0x0102;
/// Of a list's first bytes.
const HEADER: usize = BEGIN.len() + 2;
/// Of a record's type and length.
const RECORD_HEADER: usize = 8;

/// An exabyte: more than any connection has carried. What adds up bytes need not look out for more.
const MOST_BYTES: u64 = 1 << 60;
/// The year 2116, nanoseconds since the epoch.
const LATEST: i64 = 1 << 62;

/// Types of records. They are never given another meaning.
mod kind {
    pub(super) const HOST: u16 = 1;
    pub(super) const SAMPLE: u16 = 2;
    pub(super) const PROCESS: u16 = 3;
    pub(super) const LOCKS: u16 = 4;
    pub(super) const ASKED: u16 = 5;
    pub(super) const GONE: u16 = 6;
    pub(super) const EFFORT: u16 = 7;
}

/// One thing that was observed.
#[derive(Clone, Debug, PartialEq)]
pub enum Record<'a> {
    /// Which host, and from when on it was watched.
    Host(RecordedHost),
    /// A socket at an instant.
    Sample(RecordedSample<'a>),
    /// Whose it is.
    Process(SocketKey, Process),
    /// Which of its buffers its application has set.
    Locks(SocketKey, BufferLocks),
    /// All sockets of a namespace were asked from that time on: those without a sample since are gone.
    Asked(u64, Timestamp),
    /// The kernel no longer knows it.
    Gone(SocketKey),
    /// How watching went so far.
    Effort(RecordedEffort),
}

/// The host that was watched. What was not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedHost {
    /// When watching began.
    pub began: Timestamp,
    /// Its name.
    pub name: String,
    /// Kernel release.
    pub kernel_release: String,
    /// Its settings in the form of `sysctl -a`.
    pub settings: String,
}

/// A socket at an instant, as the kernel gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedSample<'a> {
    /// When it was asked.
    pub time: Timestamp,
    /// Inode of its network namespace.
    pub namespace: u64,
    /// What the kernel said: [`socket_message`].
    pub message: &'a [u8],
}

impl RecordedSample<'_> {
    /// What it says; `None` when it says nothing of a socket, or what no kernel has said. Interfaces go by their numbers: their
    /// names are that host's.
    pub fn decode(&self) -> Option<tcpwhy_model::live::KernelSample> {
        let (socket, id) = socket_message::decode(self.message, |index| format!("if{index}"))?;
        let info = &socket.info;
        let counts = [info.bytes_acked, info.bytes_received, info.bytes_sent, info.bytes_retrans];
        let clocks = [info.busy_time, info.rwnd_limited, info.sndbuf_limited];
        let is_credible = (0..LATEST).contains(&self.time.as_nanos())
            && counts.into_iter().flatten().all(|bytes| bytes < MOST_BYTES)
            && clocks.into_iter().flatten().all(|micros| micros < LATEST.cast_unsigned() / 1000);
        if !is_credible {
            return None;
        }
        let key = SocketKey { namespace: self.namespace, cookie: id.cookie() };
        Some(tcpwhy_model::live::KernelSample { time: self.time, key, socket })
    }
}

/// How watching went, from its beginning on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedEffort {
    /// How long it took so far, nanoseconds.
    pub time: u64,
    /// CPU time that it took, nanoseconds.
    pub cpu: u64,
    /// Share of a processor that it was allowed.
    pub budget: f64,
    /// Samples taken.
    pub samples: u64,
    /// How often all sockets were looked at.
    pub dumps: u64,
    /// Network namespaces looked into.
    pub namespaces: u64,
    /// Packets that were wanted.
    pub packets: u64,
    /// Of those, lost before they could be written.
    pub drops: u64,
    /// What was not seen: ids.
    pub blind: Vec<String>,
}
