//! The recording of a watched host: the kernel's samples unchanged, the processes of the sockets, and the
//! effort of the watching.
//!
//! A list is eight bytes ([`ListWriter`] writes them: magic, version, byte order) and a sequence of records.
//! A record is a type (2 bytes, little-endian), 2 bytes of 0, a length (4 bytes), and that number of bytes.
//! Numbers in records are little-endian. Kernel messages have the byte order of the recorded machine. A
//! reader skips records of an unknown type by their length, and ignores data after the fields that it knows.
//!
//! **Invariant:** any bytes can be read without an error; records that contradict themselves are counted.

mod read;
mod write;

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};

pub use read::{BadList, Records};
pub use write::ListWriter;

use crate::socket_message;

/// First bytes of a list, including the version.
const BEGIN: [u8; 6] = *b"tcpw\x01\x00";
/// The list's byte order, as a number in that order.
const ORDER: u16 = 0x0102;
/// Size of a list's header, bytes.
const HEADER: usize = BEGIN.len() + 2;
/// Size of a record's type and length, bytes.
const RECORD_HEADER: usize = 8;

/// An exabyte: more than any connection has transferred. With this limit, sums of bytes cannot overflow.
const MOST_BYTES: u64 = 1 << 60;
/// The year 2116, nanoseconds since the epoch.
const LATEST: i64 = 1 << 62;

/// Types of records. A number never changes its meaning, so that old recordings remain readable.
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
    /// The host, and the time when watching began.
    Host(RecordedHost),
    /// A socket at an instant.
    Sample(RecordedSample<'a>),
    /// The process of a socket.
    Process(SocketKey, Process),
    /// The buffers of a socket that its application has set.
    Locks(SocketKey, BufferLocks),
    /// All sockets of a namespace were read, starting at this time. Sockets without a sample since then are
    /// closed.
    Asked(u64, Timestamp),
    /// The kernel no longer has this socket.
    Gone(SocketKey),
    /// The effort of the watching so far.
    Effort(RecordedEffort),
}

/// The host that was watched. Unknown fields are empty.
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
    /// When the kernel was asked.
    pub time: Timestamp,
    /// Inode of its network namespace.
    pub namespace: u64,
    /// The kernel's message: [`socket_message`].
    pub message: &'a [u8],
}

impl RecordedSample<'_> {
    /// Decodes the message; `None` if it does not describe a socket, or has values that no kernel gives.
    /// Interfaces are named by their numbers, because their names are known only on the recorded host.
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

/// The effort of the watching since it began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedEffort {
    /// Duration of the watching so far, nanoseconds.
    pub time: u64,
    /// CPU time used, nanoseconds.
    pub cpu: u64,
    /// Share of one processor that the watching may use.
    pub budget: f64,
    /// Samples taken.
    pub samples: u64,
    /// Number of scans of all sockets.
    pub dumps: u64,
    /// Number of network namespaces that were scanned.
    pub namespaces: u64,
    /// Packets that the filter accepted.
    pub packets: u64,
    /// Accepted packets that were lost before they could be written.
    pub drops: u64,
    /// Ids of the data that could not be seen.
    pub blind: Vec<String>,
}
