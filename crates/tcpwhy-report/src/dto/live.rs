use std::cell::Cell;

use serde::{Serialize, Serializer};
use tcpwhy_analysis::{KernelView, Role, Side};
use tcpwhy_model::Endpoint;
use tcpwhy_model::live::{CodePlace, Happening, KernelEvent, Process, Turns, WindowSide};
use tcpwhy_watch::{EndedInterval, LiveConnection, share_range};

use crate::Wording;
use crate::dto::half::{LimitShare, rounded, shares_of};
use crate::dto::{Connection, Presentation, SCHEMA, Tool};
use crate::live::event_text;

/// What `tcpwhy live --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveDocument<C = Vec<Connection>, E = Vec<LiveEvent>> {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Who wrote it.
    pub(crate) tool: Tool,
    /// The host, and how it was watched.
    pub(crate) host: LiveHostFacts,
    /// Connections, those that lost most time first. Endpoint 0 is this host's.
    pub(crate) connections: C,
    /// What happened, in order; with `mode` `samples` no more than counters show (`receive_pruned`).
    pub(crate) events: E,
}

/// Items that are made one by one as they are written: all at once would take more memory than what they are
/// made of. They can be written once; after that they are none.
pub struct InTurn<I>(Cell<Option<I>>);

impl<I> InTurn<I> {
    /// Of these.
    pub const fn new(items: I) -> Self {
        Self(Cell::new(Some(items)))
    }
}

impl<I> std::fmt::Debug for InTurn<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InTurn")
    }
}

impl<I: Iterator<Item: Serialize>> Serialize for InTurn<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// One line of `tcpwhy live --jsonl`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum LiveRecord {
    /// A stretch of time of one direction that is over.
    Interval(LiveInterval),
    /// Something that happened.
    Event(LiveEvent),
    /// A connection that is over, or as it was when the watching ended.
    Connection(Box<Connection>),
    /// The host, and how it was watched: the last line.
    Host(LiveHostFacts),
}

/// A host that was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveHostFacts {
    /// Its name; null when it is not known.
    pub name: Option<String>,
    /// Kernel release; null when it is not known.
    pub kernel_release: Option<String>,
    /// When watching began, nanoseconds since the epoch.
    pub start_ns: i64,
    /// For how long it was watched.
    pub duration_s: f64,
    /// How the kernel was asked: `bpf` (it adds up all time at each ACK and write) or `samples`.
    pub mode: String,
    /// Why only samples were taken, in words; null with `bpf`.
    pub mode_reason: Option<String>,
    /// Events for which there was no room; always 0 when sampling.
    pub lost_events: u64,
    /// Connections that ended and of whose end nothing is known, for want of room; always 0 when sampling.
    pub lost_ends: u64,
    /// Samples taken of all sockets together.
    pub samples: u64,
    /// How often all sockets were looked at.
    pub dumps: u64,
    /// CPU time that watching took.
    pub cpu_s: f64,
    /// CPU time that getting ready for it took, most of it in the kernel, which checks the programs that are
    /// to add up.
    pub setup_cpu_s: f64,
    /// Share of a processor that it was allowed to take, between 0 and 1.
    pub cpu_budget: f64,
    /// Network namespaces looked into.
    pub network_namespaces: u64,
    /// Connections that were seen.
    pub connections_seen: u64,
    /// Connections that sent or received data, or had some waiting.
    pub connections_active: u64,
    /// What is not seen.
    pub gaps: Vec<LiveGap>,
}

/// Something that is not seen.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveGap {
    /// Stable kebab-case id.
    pub id: String,
    /// In words, in the language asked for.
    pub text: String,
}

/// A process that has a socket open.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveProcess {
    /// Process id.
    pub(crate) pid: u32,
    /// The first 15 bytes of its name.
    pub(crate) name: String,
    /// Control group (version 2); null when it could not be read.
    pub(crate) cgroup: Option<String>,
}

/// How a connection was looked at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Sampling {
    /// `bpf`: all time is known, and ranges of shares are null; or `samples`.
    pub(crate) mode: String,
    /// How often it was looked at.
    pub(crate) samples: u64,
    /// The same for each second.
    pub(crate) rate_hz: f64,
    /// Always 0: what was lost is counted for the whole host.
    pub(crate) lost_events: u64,
}

/// What is known only of a connection of a running host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveFacts {
    /// Who has it open; null when nobody does or that could not be seen.
    pub(crate) process: Option<LiveProcess>,
    /// Inode of its network namespace.
    pub(crate) network_namespace: u64,
    /// The kernel's cookie of the socket.
    pub(crate) cookie: u64,
    /// `kernel`: its own state told of it; `both`: packets, and its own state beside them.
    pub(crate) source: String,
    /// How it was looked at.
    pub(crate) sampling: Sampling,
    /// For how long its writers waited for room in the send buffer, all of them together; null where nobody
    /// counts that.
    pub(crate) blocked_s: Option<f64>,
    /// What a change could have saved of the time that it was watched; null where packets say it.
    pub(crate) lost_s: Option<f64>,
    /// How long both sides took to answer each other; null where nobody counts that: it needs `bpf`.
    pub(crate) turn_times: Option<LiveTurns>,
    /// Whether the socket is gone.
    pub(crate) has_ended: bool,
}

/// How long the sides of a connection took to answer each other.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[allow(clippy::struct_field_names, reason = "as in the document")]
pub(crate) struct LiveTurns {
    /// At a server: from the last byte of a request to the first `send` of its answer. Null at a client,
    /// where it is part of
    /// `response_time`.
    pub(crate) server_time: Option<TurnTimes>,
    /// At a client: from the last byte of an answer to the next request. Null at a server, where round trips
    /// are part of it.
    pub(crate) client_time: Option<TurnTimes>,
    /// At a client: from a request to the first byte of its answer, the round trip included. Null at a
    /// server.
    pub(crate) response_time: Option<TurnTimes>,
}

/// Times of turns.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct TurnTimes {
    /// How many.
    pub(crate) count: u64,
    /// All of them together.
    pub(crate) total_s: f64,
    /// The median is at most so long; null when it is longer than two seconds. Bounds are powers of two.
    pub(crate) median_at_most_s: Option<f64>,
    /// The same of the 95th percentile.
    pub(crate) p95_at_most_s: Option<f64>,
}

impl LiveTurns {
    fn of(connection: &LiveConnection) -> Option<Self> {
        let [own, peers] = connection.turns()?.map(|turns| TurnTimes::of(&turns));
        Some(match connection.role() {
            Role::Server => Self { server_time: own, client_time: None, response_time: None },
            _ => Self { server_time: None, client_time: own, response_time: peers },
        })
    }
}

impl TurnTimes {
    fn of(turns: &Turns) -> Option<Self> {
        let at_most = |share| Some(turns.quantile(share)?.1? as f64 / 1e9);
        (turns.count > 0).then(|| Self {
            count: turns.count,
            total_s: turns.nanos as f64 / 1e9,
            median_at_most_s: at_most(0.5),
            p95_at_most_s: at_most(0.95),
        })
    }
}

/// Something that happened to a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveEvent {
    /// When, nanoseconds since the epoch; of what lasts, its end.
    pub(crate) at_ns: i64,
    /// `blocked_write`, `buffer_set`, `retransmit`, `zero_window`, `receive_pruned` or `memory_pressure`.
    pub(crate) kind: String,
    /// `id` of the connection; null where there is none yet, or any more.
    pub(crate) connection: Option<u64>,
    /// Whose doing it was, or whose the socket is; null when that is not known.
    pub(crate) process: Option<LiveProcess>,
    /// Thread id of a writer; null with other kinds.
    pub(crate) thread: Option<u32>,
    /// The calls that led there, the innermost first: of buffers that were set, and of writers that waited
    /// once a second for each connection. Empty with other kinds, and where the process is gone or may not be
    /// looked into.
    pub(crate) stack: Vec<LiveCall>,
    /// This end, as `ss` writes it; null where there is none yet.
    pub(crate) local: Option<String>,
    /// The other end.
    pub(crate) peer: Option<String>,
    /// How long it lasted: a writer waited, a window was closed; null while it lasts and with other kinds.
    pub(crate) duration_s: Option<f64>,
    /// `begun` or `ended` of a closed window; null with other kinds.
    pub(crate) phase: Option<String>,
    /// `peer` or `own` window, `send` or `receive` memory; null with other kinds.
    pub(crate) side: Option<String>,
    /// Which buffer was asked for, with the name of the option in C; null with other kinds.
    pub(crate) option: Option<String>,
    /// Of how many bytes: the kernel may double that, cut it or refuse; null with other kinds.
    pub(crate) asked_bytes: Option<i64>,
    /// How many segments were sent again; null with other kinds.
    pub(crate) segments: Option<u64>,
    /// Why: `fast`, `rto` or `tlp`; null with other kinds.
    pub(crate) reason: Option<String>,
    /// What was done for want of room in a receive buffer: `collapsed` (segments in its queue were copied
    /// together),
    /// `out_of_order_dropped` or `arriving_dropped`; null with other kinds.
    pub(crate) pruning: Option<String>,
    /// How often that was done since it was told last, by `collapsed` for how many segments; null with other
    /// kinds.
    pub(crate) count: Option<u64>,
    /// In words, in the language asked for.
    pub(crate) text: String,
}

/// A call in the code of a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveCall {
    /// Function; null where its file has no symbol for it.
    pub(crate) function: Option<String>,
    /// How many bytes into it; null without a function.
    pub(crate) offset: Option<u64>,
    /// File of the code, as the program sees it; empty where it is of none.
    pub(crate) module: String,
    /// Address in that file, as its own tables have it (`addr2line -e FILE ADDRESS`); where there is no file,
    /// in the process.
    pub(crate) address: u64,
}

/// A stretch of time of one direction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveInterval {
    /// `id` of the connection.
    pub(crate) connection: u64,
    /// Index of the end that sends: 0 is this host's.
    pub(crate) sender: usize,
    /// Nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// Its length.
    pub(crate) duration_s: f64,
    /// Limit id.
    pub(crate) limit: String,
    /// Detail id; null when the limit has no form to tell.
    pub(crate) detail: Option<String>,
    /// This end, as `ss` writes it; null when it has been forgotten.
    pub(crate) local: Option<String>,
    /// The other end.
    pub(crate) peer: Option<String>,
    /// Who has it open; null when nobody does or that could not be seen.
    pub(crate) process: Option<LiveProcess>,
}

impl Connection {
    /// A live connection.
    pub fn live(connection: &LiveConnection, presentation: Presentation<'_>) -> Self {
        let whole = connection.conclude();
        let mut dto = Self::new(&whole, None, presentation);
        // A socket for both versions calls its IPv4 peer otherwise than packets do.
        dto.community_id = crate::community_id(whole.endpoints.map(Endpoint::canonical));
        let samples = connection.samples();
        for (half, of) in dto.halves.iter_mut().zip(&whole.halves) {
            half.seen_from = Some(if of.sender == Side::A { "sender" } else { "receiver" }.into());
            for limit in &mut half.limits {
                if !connection.is_accounted() {
                    let (low, high) = share_range(limit.share, samples);
                    limit.low_share = Some(rounded(low));
                    limit.high_share = Some(rounded(high));
                }
            }
        }
        let seconds = whole.span.seconds();
        dto.live = Some(LiveFacts {
            process: LiveProcess::of(connection),
            network_namespace: connection.key().namespace,
            cookie: connection.key().cookie,
            source: "kernel".to_owned(),
            sampling: Sampling::new(if connection.is_accounted() { "bpf" } else { "samples" }, samples, seconds),
            blocked_s: connection.blocked().map(|nanos| nanos as f64 / 1e9),
            lost_s: Some(connection.lost_in_all()),
            turn_times: LiveTurns::of(connection),
            has_ended: connection.has_ended(),
        });
        dto
    }
}

/// What the kernel said of a direction beside what packets say, in the time that both tell of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelHalf {
    /// How long that is.
    pub(crate) seconds: f64,
    /// How often the sender's socket was looked at.
    pub(crate) samples: u64,
    /// Time by limit and detail as the kernel's samples say, longest first.
    pub(crate) limits: Vec<LimitShare>,
    /// The same as packets say.
    pub(crate) packets: Vec<LimitShare>,
    /// The share of that time that they give to different groups of limits: what the path does, the send
    /// buffer, the receive window, the application. What either does not see does not count.
    pub(crate) disagreement: f64,
    /// Whether that is more than a tenth, and more than samples so few may be wrong by chance.
    pub(crate) disagrees: bool,
    /// The kernel's own clocks of the sender's socket; null before Linux 4.10.
    pub(crate) clocks: Option<KernelClocks>,
}

/// The clocks of `tcp_info` while a socket was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct KernelClocks {
    /// How long it was watched.
    pub(crate) watched_s: f64,
    /// With data to send or in flight (`busy_time`).
    pub(crate) busy_s: f64,
    /// Of that, held by the peer's window (`rwnd_limited`).
    pub(crate) rwnd_limited_s: f64,
    /// Of that, held by the send buffer as far as the kernel notices (`sndbuf_limited`).
    pub(crate) sndbuf_limited_s: f64,
    /// Whether `sndbuf_limited` has less than half of the time that the samples give to the send buffer.
    pub(crate) sndbuf_limited_misses: bool,
    /// Whether `rwnd_limited` is far from the time that the samples give to the peer's window, under
    /// congestion control that paces.
    pub(crate) rwnd_limited_is_wrong: bool,
}

impl KernelHalf {
    pub(super) fn new(both: &tcpwhy_analysis::KernelHalf) -> Self {
        Self {
            seconds: both.kernel.span().seconds(),
            samples: both.samples,
            limits: shares_of(&both.kernel),
            packets: shares_of(&both.packets),
            disagreement: rounded(both.disagreement),
            disagrees: both.disagrees(),
            clocks: both.clocks.as_ref().map(|clocks| KernelClocks {
                watched_s: clocks.watched as f64 / 1e9,
                busy_s: clocks.busy as f64 / 1e9,
                rwnd_limited_s: clocks.receive_window as f64 / 1e9,
                sndbuf_limited_s: clocks.send_buffer as f64 / 1e9,
                sndbuf_limited_misses: clocks.misses_send_buffer(&both.kernel),
                rwnd_limited_is_wrong: clocks.misses_window(&both.kernel),
            }),
        }
    }
}

impl LiveFacts {
    /// Of the socket of the end that sent most, where packets tell of the connection too.
    pub(super) fn beside_packets(connection: &tcpwhy_analysis::Connection, view: &KernelView) -> Option<Self> {
        let socket = view.main_socket(connection)?;
        Some(Self {
            process: socket.process.as_ref().map(LiveProcess::new),
            network_namespace: socket.key.namespace,
            cookie: socket.key.cookie,
            source: "both".to_owned(),
            sampling: Sampling::new("samples", socket.samples, socket.seconds),
            blocked_s: None,
            lost_s: None,
            turn_times: None,
            has_ended: socket.has_ended,
        })
    }
}

impl Sampling {
    fn new(mode: &str, samples: u64, seconds: f64) -> Self {
        Self {
            mode: mode.to_owned(),
            samples,
            rate_hz: if seconds > 0.0 { rounded(samples.saturating_sub(1) as f64 / seconds) } else { 0.0 },
            lost_events: 0,
        }
    }
}

impl LiveProcess {
    fn new(process: &Process) -> Self {
        Self { pid: process.pid, name: process.name.clone(), cgroup: process.cgroup.clone() }
    }

    /// Who has `connection` open.
    pub(crate) fn of(connection: &LiveConnection) -> Option<Self> {
        connection.process().map(Self::new)
    }
}

impl LiveEvent {
    /// `event` of the connection with this number, where it is known.
    pub fn new(event: &KernelEvent, connection: Option<u64>, wording: Wording<'_>) -> Self {
        let seconds = |nanos: i64| Some(nanos as f64 / 1e9);
        let [local, peer] = match &event.ends {
            Some([local, peer]) => [Some(local), Some(peer).filter(|peer| peer.port != Some(0))],
            None => [None, None],
        };
        let mut dto = Self {
            at_ns: event.time.as_nanos(),
            kind: String::new(),
            connection,
            process: event.process.as_ref().map(LiveProcess::new),
            thread: None,
            stack: event.code.iter().map(LiveCall::new).collect(),
            local: local.map(ToString::to_string),
            peer: peer.map(ToString::to_string),
            duration_s: None,
            phase: None,
            side: None,
            option: None,
            asked_bytes: None,
            segments: None,
            reason: None,
            pruning: None,
            count: None,
            text: event_text(event, wording),
        };
        let side = |side: WindowSide| Some(if side == WindowSide::Own { "own" } else { "peer" }.to_owned());
        let kind = match event.what {
            Happening::BlockedWrite { waited, thread, .. } => {
                (dto.duration_s, dto.thread) = (seconds(waited), Some(thread));
                "blocked_write"
            }
            Happening::BufferSet { option, asked } => {
                (dto.option, dto.asked_bytes) = (Some(option.name().to_owned()), Some(asked));
                "buffer_set"
            }
            Happening::Retransmitted { segments, reason } => {
                (dto.segments, dto.reason) = (Some(segments), Some(reason.id().to_owned()));
                "retransmit"
            }
            Happening::WindowClosed(of) => {
                (dto.phase, dto.side) = (Some("begun".to_owned()), side(of));
                "zero_window"
            }
            Happening::WindowOpened { side: of, closed } => {
                (dto.phase, dto.side, dto.duration_s) = (Some("ended".to_owned()), side(of), seconds(closed));
                "zero_window"
            }
            Happening::ReceivePruned { how, count } => {
                (dto.pruning, dto.count) = (Some(how.id().to_owned()), Some(count));
                "receive_pruned"
            }
            Happening::MemoryExceeded { receives } => {
                dto.side = Some(if receives { "receive" } else { "send" }.to_owned());
                "memory_pressure"
            }
        };
        kind.clone_into(&mut dto.kind);
        dto
    }
}

impl LiveCall {
    fn new(place: &CodePlace) -> Self {
        let (function, offset) = place.function.clone().unzip();
        Self { function, offset, module: place.module.clone(), address: place.address }
    }
}

impl LiveInterval {
    /// `interval` of `connection`, where that is still known.
    pub fn new(interval: &EndedInterval, connection: Option<&LiveConnection>) -> Self {
        Self {
            connection: interval.connection,
            sender: interval.sender.index(),
            start_ns: interval.span.start().as_nanos(),
            duration_s: interval.span.seconds(),
            limit: interval.cause.limit.id().into(),
            detail: interval.cause.detail.map(|detail| detail.id().into()),
            local: connection.map(|c| c.local().to_string()),
            peer: connection.map(|c| c.peer().to_string()),
            process: connection.and_then(LiveProcess::of),
        }
    }
}

impl<C, E> LiveDocument<C, E> {
    /// A document of this program's.
    pub fn new(host: LiveHostFacts, connections: C, events: E) -> Self {
        Self { schema: SCHEMA.into(), tool: Tool::this(), host, connections, events }
    }
}
