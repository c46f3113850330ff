//! What is observed of a running host, connection by connection and again and again.

use std::fmt;

pub use crate::socket_point::{ByteRange, SocketMeasure, SocketPoint};

use crate::host::{SocketAddress, SocketSample, TcpState};
use crate::{Cause, Detail, Limit, OutcomeKind, Timestamp};

/// Which socket, as long as the host runs: the kernel never gives a cookie again (`sock_gen_cookie`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketKey {
    /// Inode of its network namespace (`/proc/PID/ns/net`).
    pub namespace: u64,
    /// The kernel's cookie.
    pub cookie: u64,
}

/// A socket at an instant, as the kernel gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSample {
    /// When it was asked.
    pub time: Timestamp,
    /// Which socket.
    pub key: SocketKey,
    /// What the kernel said.
    pub socket: SocketSample,
}

/// A process that has a socket open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Process {
    /// Process id, in the namespace of whoever looked.
    pub pid: u32,
    /// `comm`: the first 15 bytes of its name.
    pub name: String,
    /// Its control group (v2), `/` for the root; `None` when it could not be read.
    pub cgroup: Option<String>,
}

macro_rules! held_by {
    ($($(#[$doc:meta])* $name:ident => $cause:expr;)+) => {
        /// What holds a sender back at an instant, as finely as its socket tells it: what the kernel's
        /// accounts are kept by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum HeldBy {
            $($(#[$doc])* $name,)+
        }

        impl HeldBy {
            /// All of them, in the order of accounts.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];

            /// The same in the words of timelines.
            pub fn cause(self) -> Cause {
                match self {
                    $(Self::$name => $cause,)+
                }
            }
        }
    };
}

held_by! {
    /// Nothing to send, and nobody waits for this side.
    Idle => Detail::Idle.into();
    /// Nothing to send, and the peer spoke last.
    Think => Detail::Think.into();
    /// Nothing to send, and one side has closed.
    CloseWait => Detail::CloseWait.into();
    /// All was sent, and the application gave nothing more.
    Application => Detail::PacedWrites.into();
    /// All was sent and this side has closed.
    Tail => Cause::plain(Limit::TailRtt);
    /// Less than a segment waited for an acknowledgement.
    Nagle => Detail::Nagle.into();
    /// The send buffer was full, with less than a segment left to be sent.
    SendBuffer => Cause::plain(Limit::SendBuffer);
    /// The peer's window.
    ReceiveWindow => Cause::plain(Limit::ReceiveWindow);
    /// The peer's window had no room for a segment at all.
    ZeroWindow => Detail::ZeroWindow.into();
    /// The peer's window, which could not be larger without scaling.
    NoWindowScale => Detail::NoWindowScale.into();
    /// The congestion window, under its threshold.
    SlowStart => Cause::plain(Limit::SlowStart);
    /// The congestion window, with round trips far over the least.
    Queue => Detail::Queue.into();
    /// The congestion window of a congestion control that paces, at a rate that nothing has measured yet.
    CwndPaced => Detail::Paced.into();
    /// The congestion window, after losses.
    PostLoss => Detail::PostLoss.into();
    /// The congestion window.
    Cwnd => Detail::Other.into();
    /// The pacer, at the rate that the program has set (`SO_MAX_PACING_RATE`).
    Pacing => Detail::Paced.into();
    /// The own interface (TCP small queues).
    Interface => Cause::plain(Limit::Path);
    /// Fast recovery.
    FastRecovery => Detail::Fast.into();
    /// Recovery after a timeout.
    Rto => Detail::Rto.into();
    /// The handshake.
    Handshake => Cause::plain(Limit::Handshake);
    /// The handshake, with a SYN that was sent again.
    SynRto => Detail::SynRto.into();
    /// Nothing to send or all of it in flight, until the peer spoke.
    PeerTurn => Detail::PeerTurn.into();
    /// All of it in flight, until the peer's protocol granted more.
    PeerWindow => Detail::PeerWindow.into();
    /// Less than a segment, which the program asked the kernel to keep (`TCP_CORK`, `MSG_MORE`).
    Cork => Detail::Cork.into();
    /// The path, as fast as it goes: the rate that the sender has measured.
    Path => Cause::plain(Limit::Path);
}

/// What the kernel has added up of a connection, at each ACK and each write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelAccount {
    /// From when on.
    pub since: Timestamp,
    /// Nanoseconds by what held the sender, in the order of [`HeldBy::ALL`].
    pub nanos: [i64; HeldBy::ALL.len()],
    /// Nanoseconds in which the own program left so much unread that the window it offers was small.
    pub slow_reader: i64,
    /// Nanoseconds in which its writers waited for room in the send buffer, all of them together. `None`
    /// where the kernel does not show writes.
    pub blocked: Option<i64>,
    /// Turns of this side, and of the peer.
    pub turns: [KernelTurns; 2],
    /// What held at the latest look.
    pub held: HeldBy,
    /// How often the kernel looked.
    pub looks: u32,
    /// Which end opened the connection, where that was seen.
    pub opened: Option<Opened>,
    /// How it ended; `None` while it has not.
    pub finish: Option<Finish>,
    /// Bytes that this side had sent since the peer's last word, when the peer ended it.
    pub unanswered: u64,
    /// Whether it waits in the queue of a listener: no program has accepted it.
    pub is_unaccepted: bool,
}

/// How the kernel ended a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finish {
    /// The error that its program got, or would have got (`sk_err`).
    pub error: Option<SocketError>,
    /// Its state before.
    pub before: Option<TcpState>,
    /// Whether its program had shut both halves, as `close()` does.
    pub is_shut: bool,
}

/// An error of a socket, as `connect()`, `read()` or `write()` return it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SocketError {
    /// `ECONNREFUSED`: a SYN was answered with a reset.
    Refused,
    /// `ECONNRESET` or `EPIPE`: the peer reset it, or the own program by `SO_LINGER`.
    Reset,
    /// `ECONNABORTED`: somebody on this host ended it (`ss -K`).
    Aborted,
    /// `ETIMEDOUT`: nothing came back, however often it was sent.
    TimedOut,
    /// `EHOSTUNREACH` or `ENETUNREACH`: a router said that there is no way.
    Unreachable,
    /// Another one.
    Other,
}

impl SocketError {
    /// The error of this number (`errno` of Linux on all but four processors); `None` for 0.
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

/// How long one side took from the other side's last word to its own first, as the kernel counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelTurns {
    /// How many; overflows.
    pub count: u32,
    /// All of them together, nanoseconds.
    pub nanos: i64,
    /// How many of each length, as in [`Turns::buckets`]; overflow.
    pub buckets: [u16; Turns::BUCKETS],
}

/// How long one side took from the other side's last word to its own first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// How many.
    pub count: u64,
    /// All of them together, nanoseconds.
    pub nanos: i64,
    /// How many were shorter than [`Self::bound`] and not shorter than the bound before.
    pub buckets: [u64; Self::BUCKETS],
}

impl Turns {
    /// `TURN_BUCKETS` of `tcpwhy.bpf.c`.
    pub const BUCKETS: usize = 16;
    /// `TURNS_FROM`.
    const FROM: u32 = 17;

    /// Turns of this bucket are shorter than so many nanoseconds: 0.13 ms, each further one twice as much, up
    /// to 2.1 s. The last bucket has no bound.
    pub const fn bound(bucket: usize) -> Option<i64> {
        if bucket + 1 < Self::BUCKETS { Some(1 << (Self::FROM + bucket as u32)) } else { None }
    }

    /// Adds what the kernel has counted since `before`.
    pub fn add(&mut self, before: &KernelTurns, now: &KernelTurns) {
        self.count += u64::from(now.count.wrapping_sub(before.count));
        self.nanos = self.nanos.saturating_add(now.nanos.saturating_sub(before.nanos).max(0));
        for (all, (now, before)) in self.buckets.iter_mut().zip(now.buckets.iter().zip(before.buckets)) {
            *all += u64::from(now.wrapping_sub(before));
        }
    }

    /// What came since `before`.
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

    /// The bounds between which the turn is that is longer than `share` of all: its bucket. `None` without
    /// turns.
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

/// A connection that began while it was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// By this end.
    Here,
    /// By the peer.
    ByPeer,
}

/// Something that happened to a socket, as the kernel told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelEvent {
    /// When; of what lasts, its end.
    pub time: Timestamp,
    /// Which socket; `None` where it has no cookie yet.
    pub key: Option<SocketKey>,
    /// Its ends, as far as it has any yet.
    pub ends: Option<[SocketAddress; 2]>,
    /// Whose doing it was, or whose the socket is.
    pub process: Option<Process>,
    /// Where in its code that was, the innermost call first; empty where that is not known.
    pub code: Vec<CodePlace>,
    /// What.
    pub what: Happening,
}

impl KernelEvent {
    /// The call that says most of where in the code it was: the innermost one that the program's authors
    /// wrote. Where only the runtime of its language shows, the innermost call of that; the C library is the
    /// same for all.
    pub fn place(&self) -> Option<&CodePlace> {
        let of_runtime = || self.code.iter().find(|place| !place.is_of_libc());
        self.code.iter().find(|place| !place.is_of_runtime()).or_else(of_runtime).or(self.code.first())
    }
}

/// A place in the code of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    /// File that the code is of, as the program sees it; empty where it is of none (compiled while it runs).
    pub module: String,
    /// Address in that file, as its own tables have it; where there is none, in the process.
    pub address: u64,
    /// Function, and how many bytes behind its begin, where the file has a symbol for it.
    pub function: Option<(String, u64)>,
}

impl CodePlace {
    /// The file's name without its folders.
    pub fn file(&self) -> &str {
        self.module.rsplit('/').next().unwrap_or_default()
    }

    fn is_of_libc(&self) -> bool {
        ["libc.so", "libc-", "ld-musl-", "libpthread"].iter().any(|known| self.file().starts_with(known))
    }

    /// Whether it belongs to what every program of a language brings along: its library, interpreter or
    /// virtual machine.
    fn is_of_runtime(&self) -> bool {
        /// How names of such files begin.
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
        // Python's own extensions: `_socket.cpython-312-x86_64-linux-gnu.so`.
        let is_extension = self.file().starts_with('_') && self.file().contains(".cpython-");
        if self.is_of_libc() || is_extension || FILES.iter().any(|known| self.file().starts_with(known)) {
            return true;
        }
        match &self.function {
            Some((name, _)) => is_function_of_runtime(name),
            // Code that was compiled while the program ran, and that nothing names.
            None => self.file().is_empty(),
        }
    }
}

/// Whether a function is of the standard library of Go, Rust, Java, node or Python, by its name.
fn is_function_of_runtime(name: &str) -> bool {
    /// Packages of Go's library on the way to a socket; with a slash, all below them.
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
    /// How names of others begin.
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
    // `net/http.(*response).Write`: the package ends at the first dot behind its last slash.
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
            // Compiled while it ran.
            (Some((name, _)), "") => f.write_str(name),
            (Some((name, 0)), file) => write!(f, "{name} ({file})"),
            (Some((name, offset)), file) => write!(f, "{name}+{offset:#x} ({file})"),
            (None, "") => write!(f, "{:#x}", self.address),
            (None, file) => write!(f, "{file}+{:#x}", self.address),
        }
    }
}

/// Where a thread was in its code, as the kernel saw it: its registers, and the newest part of its stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserStack {
    /// Its process.
    pub pid: u32,
    /// Its thread id.
    pub thread: u32,
    /// Address of the next instruction.
    pub ip: u64,
    /// Stack pointer: where `bytes` begin.
    pub sp: u64,
    /// Frame pointer, if the program keeps one there.
    pub bp: u64,
    /// Link register; 0 on x86-64, which has none.
    pub lr: u64,
    /// The stack from there on.
    pub bytes: Vec<u8>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A thread waited in a write for room in the send buffer.
    BlockedWrite {
        /// For so long, ns.
        waited: i64,
        /// The whole call took, from the first full buffer on, ns.
        call: i64,
        /// Its thread id.
        thread: u32,
    },
    /// An application asked for a buffer.
    BufferSet {
        /// With which option.
        option: BufferOption,
        /// Of what size, bytes; the kernel may double it, cut it or refuse.
        asked: i64,
    },
    /// A connection failed, or fails.
    Failed(OutcomeKind),
    /// Segments were sent again.
    Retransmitted {
        /// How many since this was told last.
        segments: u64,
        /// Why.
        reason: Repair,
    },
    /// A window had no room any more.
    WindowClosed(WindowSide),
    /// It had again.
    WindowOpened {
        /// Which.
        side: WindowSide,
        /// For how long it had none, ns.
        closed: i64,
    },
    /// A receive buffer had no room for what arrived.
    ReceivePruned {
        /// What was done about it.
        how: Pruning,
        /// How often since this was told last; of [`Pruning::Collapsed`], how many segments.
        count: u64,
    },
    /// The kernel's memory for TCP, or the socket's share, was used up; of many that meet this, one in a
    /// tenth of a second tells.
    MemoryExceeded {
        /// Whether for received data.
        receives: bool,
    },
}

/// `setsockopt` of a buffer.
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

/// Why something was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Acknowledgements told of a hole (RFC 5681, RFC 8985).
    Fast,
    /// The retransmission timer.
    Timeout,
    /// A tail loss probe.
    Probe,
}

impl Repair {
    /// Stable id, as of the details of limits.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Timeout => "rto",
            Self::Probe => "tlp",
        }
    }
}

/// What the kernel does where a receive buffer has no room (`tcp_prune_queue`): one after the other, until
/// there is some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Segments in the queue are copied together, to save the memory around them: it takes time, and nothing
    /// is lost (`TCPRcvCollapsed`).
    Collapsed,
    /// Data that had arrived out of order is thrown away and has to be sent again (`OfoPruned`).
    OutOfOrderDropped,
    /// What arrives is thrown away and has to be sent again (`RcvPruned`).
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

/// Whose window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSide {
    /// The one that the peer offers.
    Peer,
    /// The one that this end offers.
    Own,
}

/// What is missing of recordings that are explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingGaps {
    /// Packets that were to be recorded.
    pub packets: u64,
    /// Of those, lost before they could be written.
    pub drops: u64,
    /// Sockets that were more than can be kept.
    pub left_out: u64,
    /// What the kernel said that could not be read: of another version or another machine, or damaged.
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
            // A program of its own that is called like one of Go's packages.
            (vec![("/srv/app", "network.Send"), ("/srv/app", "main.main")], "network.Send (app)"),
            // Only the runtime shows.
            (vec![libc, ("/usr/bin/python3.11", "sock_sendall")], "sock_sendall (python3.11)"),
            (vec![libc], "send (libc.so.6)"),
        ] {
            assert_eq!(shown(&code), expected);
        }
    }
}
