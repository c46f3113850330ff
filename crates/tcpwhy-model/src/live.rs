//! Repeated observations of the connections of a running host.

use std::fmt;

pub use crate::socket_point::{ByteRange, SocketMeasure, SocketPoint};

use crate::host::{SocketAddress, SocketSample, TcpState};
use crate::{Cause, Detail, Limit, OutcomeKind, Timestamp};

/// Key of a socket, unique until reboot: the kernel never reuses a cookie (`sock_gen_cookie`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketKey {
    /// Inode of its network namespace (`/proc/PID/ns/net`).
    pub namespace: u64,
    /// The kernel's cookie.
    pub cookie: u64,
}

/// State of a socket at an instant, as reported by the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSample {
    /// Time of the query.
    pub time: Timestamp,
    /// Key of the socket.
    pub key: SocketKey,
    /// State reported by the kernel.
    pub socket: SocketSample,
}

/// A process that has a socket open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    /// Process id, in the pid namespace of the observer.
    pub pid: u32,
    /// `comm`: the first 15 bytes of its name.
    pub name: String,
    /// Its control group (v2), `/` for the root; `None` when it could not be read.
    pub cgroup: Option<String>,
}

macro_rules! held_by {
    ($($(#[$doc:meta])* $name:ident => $cause:expr;)+) => {
        /// The limit of a sender at an instant, in as much detail as its socket shows. The kernel program
        /// keeps its times by these.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum HeldBy {
            $($(#[$doc])* $name,)+
        }

        impl HeldBy {
            /// All limits, in the order of the kernel's times.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];

            /// The same limit as a cause of timelines.
            pub fn cause(self) -> Cause {
                match self {
                    $(Self::$name => $cause,)+
                }
            }
        }
    };
}

held_by! {
    /// Nothing to send, and the peer does not wait for this side.
    Idle => Detail::Idle.into();
    /// Nothing to send, and the peer sent last.
    Think => Detail::Think.into();
    /// Nothing to send, and one side has sent its FIN.
    CloseWait => Detail::CloseWait.into();
    /// All data was sent, and the application wrote no more.
    Application => Detail::PacedWrites.into();
    /// All data was sent, and this side has closed.
    Tail => Cause::plain(Limit::TailRtt);
    /// Less than a segment waited for an acknowledgment.
    Nagle => Detail::Nagle.into();
    /// The send buffer was full, with less than a segment left to send.
    SendBuffer => Cause::plain(Limit::SendBuffer);
    /// The peer's window was full.
    ReceiveWindow => Cause::plain(Limit::ReceiveWindow);
    /// The peer's window had no room even for one segment.
    ZeroWindow => Detail::ZeroWindow.into();
    /// The peer's window was full and could not be larger without scaling.
    NoWindowScale => Detail::NoWindowScale.into();
    /// The congestion window, below the slow start threshold.
    SlowStart => Cause::plain(Limit::SlowStart);
    /// The congestion window, with round trips far above the minimum.
    Queue => Detail::Queue.into();
    /// The congestion window of a pacing congestion control that has not measured the path's rate yet.
    CwndPaced => Detail::Paced.into();
    /// The congestion window, reduced after losses.
    PostLoss => Detail::PostLoss.into();
    /// The congestion window, for another reason.
    Cwnd => Detail::Other.into();
    /// The pacer, at the rate that the application has set (`SO_MAX_PACING_RATE`).
    Pacing => Detail::Paced.into();
    /// This host's own interface (TCP small queues).
    Interface => Cause::plain(Limit::Path);
    /// Fast recovery.
    FastRecovery => Detail::Fast.into();
    /// Recovery after a timeout.
    Rto => Detail::Rto.into();
    /// The handshake.
    Handshake => Cause::plain(Limit::Handshake);
    /// The handshake, with a retransmitted SYN.
    SynRto => Detail::SynRto.into();
    /// Nothing to send or all data in flight, until the peer sent.
    PeerTurn => Detail::PeerTurn.into();
    /// All data in flight, until the peer's protocol granted more.
    PeerWindow => Detail::PeerWindow.into();
    /// Less than a segment, which the application asked the kernel to hold back (`TCP_CORK`, `MSG_MORE`).
    Cork => Detail::Cork.into();
    /// The path: the sender sends at the rate that it has measured.
    Path => Cause::plain(Limit::Path);
}

/// Times and counters of a connection that the kernel program updates at each ACK and each write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelAccount {
    /// Start of the measurement.
    pub since: Timestamp,
    /// Nanoseconds per limit of the sender, in the order of [`HeldBy::ALL`].
    pub nanos: [i64; HeldBy::ALL.len()],
    /// Nanoseconds in which this host's application left so much data unread that the advertised window was
    /// small.
    pub slow_reader: i64,
    /// Nanoseconds that writers waited for room in the send buffer, summed over all threads. `None` if the
    /// kernel does not show writes.
    pub blocked: Option<i64>,
    /// Turns of this side and of the peer.
    pub turns: [KernelTurns; 2],
    /// Limit at the latest evaluation.
    pub held: HeldBy,
    /// Number of evaluations of the limit.
    pub looks: u32,
    /// The end that opened the connection, if that was observed.
    pub opened: Option<Opened>,
    /// How the connection ended; `None` while it is open.
    pub finish: Option<Finish>,
    /// Bytes sent by this side after the peer's last data, if the peer ended the connection.
    pub unanswered: u64,
    /// Whether it still waits in the accept queue of a listener.
    pub is_unaccepted: bool,
}

/// How a connection ended in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finish {
    /// Error that its program got, or would have got (`sk_err`).
    pub error: Option<SocketError>,
    /// State before the end.
    pub before: Option<TcpState>,
    /// Whether the program had shut down both directions, as `close()` does.
    pub is_shut: bool,
}

/// Error of a socket, as returned by `connect()`, `read()` or `write()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SocketError {
    /// `ECONNREFUSED`: a SYN was answered with a reset.
    Refused,
    /// `ECONNRESET` or `EPIPE`: reset by the peer, or by this host's program through `SO_LINGER`.
    Reset,
    /// `ECONNABORTED`: aborted on this host, for example by `ss -K`.
    Aborted,
    /// `ETIMEDOUT`: no answer to any retransmission.
    TimedOut,
    /// `EHOSTUNREACH` or `ENETUNREACH`: a router reported that there is no route.
    Unreachable,
    /// Another error.
    Other,
}

impl SocketError {
    /// Error with this number (`errno` of Linux on all but four architectures); `None` for 0.
    pub const fn from_number(number: u16) -> Option<Self> {
        Some(match number {
            0 => return None,
            32 | 104 => Self::Reset,
            101 | 113 => Self::Unreachable,
            103 => Self::Aborted,
            110 => Self::TimedOut,
            111 => Self::Refused,
            _ => Self::Other,
        })
    }
}

/// Response times of one side, as counted by the kernel: from the other side's last data to its own first
/// data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelTurns {
    /// Number of turns; wraps.
    pub count: u32,
    /// Sum of their lengths, nanoseconds.
    pub nanos: i64,
    /// Number of turns per length, as in [`Turns::buckets`]; each wraps.
    pub buckets: [u16; Turns::BUCKETS],
}

/// Response times of one side: from the other side's last data to its own first data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Number of turns.
    pub count: u64,
    /// Sum of their lengths, nanoseconds.
    pub nanos: i64,
    /// Number of turns shorter than [`Self::bound`] of this bucket and not shorter than that of the bucket
    /// before.
    pub buckets: [u64; Self::BUCKETS],
}

impl Turns {
    /// Number of buckets: `TURN_BUCKETS` of `tcpwhy.bpf.c`.
    pub const BUCKETS: usize = 16;
    /// Base-2 logarithm of the first bound in nanoseconds: `TURNS_FROM` of `tcpwhy.bpf.c`.
    const FROM: u32 = 17;

    /// Upper bound of a bucket in nanoseconds: 0.13 ms for the first, doubling up to 2.1 s. The last bucket
    /// has none.
    pub const fn bound(bucket: usize) -> Option<i64> {
        if bucket + 1 < Self::BUCKETS { Some(1 << (Self::FROM + bucket as u32)) } else { None }
    }

    /// Adds the turns that the kernel counted between `before` and `now`.
    pub fn add(&mut self, before: &KernelTurns, now: &KernelTurns) {
        self.count += u64::from(now.count.wrapping_sub(before.count));
        self.nanos = self.nanos.saturating_add(now.nanos.saturating_sub(before.nanos).max(0));
        for (all, (now, before)) in self.buckets.iter_mut().zip(now.buckets.iter().zip(before.buckets)) {
            *all += u64::from(now.wrapping_sub(before));
        }
    }

    /// Turns since `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut since = *self;
        since.count = since.count.saturating_sub(before.count);
        since.nanos = since.nanos.saturating_sub(before.nanos);
        for (count, before) in since.buckets.iter_mut().zip(before.buckets) {
            *count = count.saturating_sub(before);
        }
        since
    }

    /// Bounds in nanoseconds of the bucket that contains the quantile `share`. `None` without turns.
    pub fn quantile(&self, share: f64) -> Option<(i64, Option<i64>)> {
        let all: u64 = self.buckets.iter().sum();
        let mut left = (all as f64 * share).ceil().max(1.0) as u64;
        let at = self.buckets.iter().position(|&count| {
            let is_here = left <= count;
            left = left.saturating_sub(count);
            is_here
        })?;
        let from = at.checked_sub(1).and_then(Self::bound).unwrap_or_default();
        Some((from, Self::bound(at)))
    }
}

/// The end that opened a connection during the observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// This end.
    Here,
    /// The peer.
    ByPeer,
}

/// An event of a socket, as reported by the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelEvent {
    /// Time of the event; the end of one that lasts.
    pub time: Timestamp,
    /// Key of the socket; `None` if it has no cookie yet.
    pub key: Option<SocketKey>,
    /// Local and remote address, as far as known yet.
    pub ends: Option<[SocketAddress; 2]>,
    /// Process that caused the event, or that owns the socket.
    pub process: Option<Process>,
    /// Call stack of the process, innermost call first; empty if unknown.
    pub code: Vec<CodePlace>,
    /// The event.
    pub what: Happening,
}

impl KernelEvent {
    /// The call that best locates the event: the innermost one in the program's own code. If only calls of
    /// its runtime are known, the innermost of those, and the C library last.
    pub fn place(&self) -> Option<&CodePlace> {
        let of_runtime = || self.code.iter().find(|place| !place.is_of_libc());
        self.code.iter().find(|place| !place.is_of_runtime()).or_else(of_runtime).or(self.code.first())
    }
}

/// A place in the code of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    /// File with the code, by its path in the program's mount namespace; empty for code compiled at run time.
    pub module: String,
    /// Address in that file, as in its symbol tables; without a file, address in the process.
    pub address: u64,
    /// Function and the offset from its start in bytes, if the file has a symbol for it.
    pub function: Option<(String, u64)>,
}

impl CodePlace {
    /// File name without directories.
    pub fn file(&self) -> &str {
        self.module.rsplit('/').next().unwrap_or_default()
    }

    fn is_of_libc(&self) -> bool {
        ["libc.so", "libc-", "ld-musl-", "libpthread"].iter().any(|known| self.file().starts_with(known))
    }

    /// Whether it belongs to the runtime of a language: its library, interpreter or virtual machine.
    fn is_of_runtime(&self) -> bool {
        /// Prefixes of the names of such files.
        const FILES: [&str; 16] = [
            "libpython",
            "python",
            "pypy",
            "libuv",
            "node",
            "libnode",
            "libjvm",
            "libjli",
            "libnio",
            "libnet.so",
            "libssl",
            "libcrypto",
            "libstdc++",
            "libruby",
            "libphp",
            "[vdso]",
        ];
        // Python's own extension modules: `_socket.cpython-312-x86_64-linux-gnu.so`.
        let is_extension = self.file().starts_with('_') && self.file().contains(".cpython-");
        if self.is_of_libc() || is_extension || FILES.iter().any(|known| self.file().starts_with(known)) {
            return true;
        }
        match &self.function {
            Some((name, _)) => is_function_of_runtime(name),
            // Code without a symbol that was compiled at run time.
            None => self.file().is_empty(),
        }
    }
}

/// Whether a function belongs to the standard library of Go, Rust, Java, node or Python, judged by its name.
fn is_function_of_runtime(name: &str) -> bool {
    /// Packages of Go's standard library that call sockets. A trailing slash includes all packages below.
    const GO: [&str; 13] = [
        "runtime",
        "syscall",
        "internal/",
        "net",
        "bufio",
        "io",
        "os",
        "crypto/",
        "fmt",
        "compress/",
        "log",
        "vendor/",
        "sync",
    ];
    /// Prefixes of function names in other languages.
    const OTHERS: [&str; 15] = [
        "std::",
        "core::",
        "alloc::",
        "<std::",
        "<core::",
        "Interpreter",
        "StubRoutines",
        "call_stub",
        "Ljava/",
        "Ljdk/",
        "Lsun/",
        "Builtin:",
        "java.",
        "sun.",
        "jdk.",
    ];
    // `net/http.(*response).Write`: the package ends at the first dot after the last slash.
    let package_end = name.find('(').unwrap_or(name.len());
    let slash = name[..package_end].rfind('/').unwrap_or_default();
    let package = name[slash..].find('.').map(|dot| &name[..slash + dot]);
    let is_of_go = package.is_some_and(|package| {
        GO.iter().any(|known| match known.strip_suffix('/') {
            Some(_) => package.starts_with(known),
            None => package == *known || package.strip_prefix(known).is_some_and(|rest| rest.starts_with('/')),
        })
    });
    is_of_go
        || OTHERS.iter().any(|known| name.starts_with(known))
        || (name.starts_with("py::") && (name.contains("/lib/python3") || name.contains("<frozen")))
        || name.contains(" node:")
}

impl fmt::Display for CodePlace {
    /// `function+0x1f (file)`, or `file+0x1234`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.function, self.file()) {
            // Code compiled at run time has no file.
            (Some((name, _)), "") => f.write_str(name),
            (Some((name, 0)), file) => write!(f, "{name} ({file})"),
            (Some((name, offset)), file) => write!(f, "{name}+{offset:#x} ({file})"),
            (None, "") => write!(f, "{:#x}", self.address),
            (None, file) => write!(f, "{file}+{:#x}", self.address),
        }
    }
}

/// A thread's registers and the newest part of its stack, as captured by the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserStack {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub thread: u32,
    /// Address of the next instruction.
    pub ip: u64,
    /// Stack pointer, the address of the first byte of `bytes`.
    pub sp: u64,
    /// Frame pointer, if the program maintains one.
    pub bp: u64,
    /// Link register; 0 on x86-64, which has none.
    pub lr: u64,
    /// Contents of the stack from the stack pointer on.
    pub bytes: Vec<u8>,
}

/// Kind of an event, with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A thread waited in a write for room in the send buffer.
    BlockedWrite {
        /// Time that it waited, ns.
        waited: i64,
        /// Duration of the whole call, from the first full buffer on, ns.
        call: i64,
        /// Its thread id.
        thread: u32,
    },
    /// An application set the size of a buffer.
    BufferSet {
        /// Option of the call.
        option: BufferOption,
        /// Requested size, bytes; the kernel may double, limit or refuse it.
        asked: i64,
    },
    /// A connection failed or is failing.
    Failed(OutcomeKind),
    /// Segments were retransmitted.
    Retransmitted {
        /// Number of segments since the previous event of this kind.
        segments: u64,
        /// Reason of the retransmission.
        reason: Repair,
    },
    /// A window was used up.
    WindowClosed(WindowSide),
    /// A window has room again.
    WindowOpened {
        /// Owner of the window.
        side: WindowSide,
        /// Time without room, ns.
        closed: i64,
    },
    /// A receive buffer had no room for arriving data.
    ReceivePruned {
        /// The kernel's reaction.
        how: Pruning,
        /// Occurrences since the previous event of this kind; for [`Pruning::Collapsed`], number of segments.
        count: u64,
    },
    /// The kernel's memory for TCP, or the socket's share, was used up. At most one such event is reported
    /// per 0.1 s.
    MemoryExceeded {
        /// Whether the memory was needed for received data.
        receives: bool,
    },
}

/// Option of `setsockopt` that sets the size of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "socket(7) and tcp(7) name them")]
pub enum BufferOption {
    SndBuf,
    RcvBuf,
    SndBufForce,
    RcvBufForce,
    WindowClamp,
}

impl BufferOption {
    /// Its name in C.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SndBuf => "SO_SNDBUF",
            Self::RcvBuf => "SO_RCVBUF",
            Self::SndBufForce => "SO_SNDBUFFORCE",
            Self::RcvBufForce => "SO_RCVBUFFORCE",
            Self::WindowClamp => "TCP_WINDOW_CLAMP",
        }
    }
}

/// Reason of a retransmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Duplicate ACKs or SACK blocks showed a hole (RFC 5681, RFC 8985).
    Fast,
    /// The retransmission timer.
    Timeout,
    /// A tail loss probe.
    Probe,
}

impl Repair {
    /// Stable id, equal to that of the [`Detail`].
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Timeout => "rto",
            Self::Probe => "tlp",
        }
    }
}

/// Reactions of the kernel to a receive buffer without room (`tcp_prune_queue`). It tries them in this order
/// until there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Queued segments are merged to save the memory around them. This costs CPU time, and no data is lost
    /// (`TCPRcvCollapsed`).
    Collapsed,
    /// Out-of-order data is dropped and has to be retransmitted (`OfoPruned`).
    OutOfOrderDropped,
    /// Arriving data is dropped and has to be retransmitted (`RcvPruned`).
    ArrivingDropped,
}

impl Pruning {
    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Collapsed => "collapsed",
            Self::OutOfOrderDropped => "out_of_order_dropped",
            Self::ArrivingDropped => "arriving_dropped",
        }
    }
}

/// Owner of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSide {
    /// The window that the peer advertises.
    Peer,
    /// The window that this end advertises.
    Own,
}

/// Data missing from recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingGaps {
    /// Packets that should have been recorded.
    pub packets: u64,
    /// Part of those packets that was lost before it could be written.
    pub drops: u64,
    /// Sockets left out because there were more than can be kept.
    pub left_out: u64,
    /// Kernel records that could not be read: another version or byte order, or damaged.
    pub unreadable: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(module: &str, function: &str) -> CodePlace {
        let function = (!function.is_empty()).then(|| (function.to_owned(), 0));
        CodePlace { module: module.to_owned(), address: 0, function }
    }

    fn shown(code: &[(&str, &str)]) -> String {
        let event = KernelEvent {
            time: Timestamp::ZERO,
            key: None,
            ends: None,
            process: None,
            code: code.iter().map(|(module, function)| place(module, function)).collect(),
            what: Happening::MemoryExceeded { receives: true },
        };
        event.place().map_or_else(String::new, ToString::to_string)
    }

    #[test]
    fn the_function_of_the_program_speaks_for_its_runtime() {
        let libc = ("/usr/lib/libc.so.6", "send");
        for (code, expected) in [
            (
                vec![
                    ("/srv/app", "internal/runtime/syscall.Syscall6"),
                    ("/srv/app", "syscall.write"),
                    ("/srv/app", "internal/poll.(*FD).Write"),
                    ("/srv/app", "net.(*conn).Write"),
                    ("/srv/app", "net/http.(*response).write"),
                    ("/srv/app", "example.com/db.(*Conn).send"),
                    ("/srv/app", "main.main"),
                ],
                "example.com/db.(*Conn).send (app)",
            ),
            (
                vec![libc, ("/usr/bin/python3.12", "sock_sendall"), ("", "py::push:/srv/feed.py")],
                "py::push:/srv/feed.py",
            ),
            (
                vec![
                    libc,
                    ("/usr/bin/node", "uv__try_write"),
                    ("", "LazyCompile:~write node:net:1"),
                    ("", "JS:*feed /a.js:3"),
                ],
                "JS:*feed /a.js:3",
            ),
            (
                vec![
                    libc,
                    ("/usr/lib/libnio.so", "x"),
                    ("", "Ljava/nio/X;::write"),
                    ("", "Lcom/acme/Protocol;::write"),
                ],
                "Lcom/acme/Protocol;::write",
            ),
            (
                vec![libc, ("/srv/app", "<std::net::TcpStream as std::io::Write>::write"), ("/srv/app", "app::send")],
                "app::send (app)",
            ),
            // A package of the program whose name resembles one of Go's packages.
            (vec![("/srv/app", "network.Send"), ("/srv/app", "main.main")], "network.Send (app)"),
            // Only the runtime is in the stack.
            (vec![libc, ("/usr/bin/python3.11", "sock_sendall")], "sock_sendall (python3.11)"),
            (vec![libc], "send (libc.so.6)"),
        ] {
            assert_eq!(shown(&code), expected);
        }
    }
}
