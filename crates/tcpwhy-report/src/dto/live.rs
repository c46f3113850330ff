use std::cell::Cell;

use serde::{Serialize, Serializer};
use tcpwhy_analysis::Side;
use tcpwhy_model::Endpoint;
use tcpwhy_model::live::{CodePlace, Happening, KernelEvent, WindowSide};
use tcpwhy_watch::{EndedInterval, LiveConnection, share_range};

use crate::Wording;
use crate::dto::live_facts::LiveProcess;
use crate::dto::{Connection, LiveFacts, Presentation, SCHEMA, Tool, rounded};
use crate::live::{event_text, healthy_sentence};

/// The document that `tcpwhy live --json` writes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveDocument<C = Vec<Connection>, E = Vec<LiveEvent>> {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// The host, and how it was watched.
    pub(crate) host: LiveHostFacts,
    /// Connections, those that lost the most time first. Endpoint 0 is this host's.
    pub(crate) connections: C,
    /// Events, in order; with `mode` `samples` only those that counters show (`receive_pruned`).
    pub(crate) events: E,
}

/// Items that are made one by one while they are written: all at once would take more memory than their
/// source. They can be written only once.
pub struct InTurn<I>(Cell<Option<I>>);

impl<I> InTurn<I> {
    /// Wraps these items.
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
    /// A completed stretch of time of one direction.
    Interval(LiveInterval),
    /// An event.
    Event(LiveEvent),
    /// A connection that has ended, or its state when watching ended.
    Connection(Box<Connection>),
    /// The host, and how it was watched: the last line.
    Host(LiveHostFacts),
}

/// A host that was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveHostFacts {
    /// Its name; null if unknown.
    pub name: Option<String>,
    /// Kernel release; null if unknown.
    pub kernel_release: Option<String>,
    /// Time at which watching began, nanoseconds since the epoch.
    pub start_ns: i64,
    /// Seconds for which it was watched.
    pub duration_s: f64,
    /// `bpf` (the kernel adds up all time at each ACK and write) or `samples`.
    pub mode: String,
    /// Reason why only samples were taken; null with `bpf`.
    pub mode_reason: Option<String>,
    /// Number of events that were lost for lack of room; always 0 with `samples`.
    pub lost_events: u64,
    /// Number of connections whose end is unknown for lack of room; always 0 with `samples`.
    pub lost_ends: u64,
    /// Number of samples of all sockets together.
    pub samples: u64,
    /// Number of scans of all sockets.
    pub dumps: u64,
    /// CPU time of watching.
    pub cpu_s: f64,
    /// CPU time of the preparation, most of it in the kernel, which verifies the BPF programs.
    pub setup_cpu_s: f64,
    /// Share of a CPU that watching may use, from 0 to 1.
    pub cpu_budget: f64,
    /// Number of network namespaces that were scanned.
    pub network_namespaces: u64,
    /// Number of connections that were seen.
    pub connections_seen: u64,
    /// Number of connections that sent or received data, or had data queued.
    pub connections_active: u64,
    /// Data that is missing.
    pub gaps: Vec<LiveGap>,
}

/// Data that is missing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveGap {
    /// Stable kebab-case id.
    pub id: String,
    /// Description in the language asked for.
    pub text: String,
}

/// An event of a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveEvent {
    /// Time, nanoseconds since the epoch; for an event with a duration, its end.
    pub(crate) at_ns: i64,
    /// `blocked_write`, `buffer_set`, `connection_failed`, `retransmit`, `zero_window`, `receive_pruned` or
    /// `memory_pressure`.
    pub(crate) kind: String,
    /// `id` of the connection; null if it does not exist yet, or no longer.
    pub(crate) connection: Option<u64>,
    /// Process that caused it, or that has the socket open; null if unknown.
    pub(crate) process: Option<LiveProcess>,
    /// Thread id of a writer; null for other kinds.
    pub(crate) thread: Option<u32>,
    /// The call stack, innermost call first: for buffers that were set, and for blocked writers at most once
    /// per second and connection. Empty for other kinds, and if the process is gone or may not be inspected.
    pub(crate) stack: Vec<LiveCall>,
    /// Address and port of this end, as `ss` writes them; null if it has none yet.
    pub(crate) local: Option<String>,
    /// Address and port of the other end.
    pub(crate) peer: Option<String>,
    /// Duration of a writer's wait or of a zero window; null while it lasts and for other kinds.
    pub(crate) duration_s: Option<f64>,
    /// `begun` or `ended`, for a zero window; null for other kinds.
    pub(crate) phase: Option<String>,
    /// `peer` or `own` window, `send` or `receive` memory; null for other kinds.
    pub(crate) side: Option<String>,
    /// C name of the socket option that was set; null for other kinds.
    pub(crate) option: Option<String>,
    /// Bytes that were requested, which the kernel may double, cap or refuse; null for other kinds.
    pub(crate) asked_bytes: Option<i64>,
    /// Number of retransmitted segments; null for other kinds.
    pub(crate) segments: Option<u64>,
    /// Reason of a retransmission: `fast`, `rto` or `tlp`; null for other kinds.
    pub(crate) reason: Option<String>,
    /// Reaction to a full receive buffer: `collapsed` (segments in its queue were copied together),
    /// `out_of_order_dropped` or `arriving_dropped`; null for other kinds.
    pub(crate) pruning: Option<String>,
    /// Number of such reactions since the previous event, for `collapsed` the number of segments; null for
    /// other kinds.
    pub(crate) count: Option<u64>,
    /// Failure of the connection, as in `outcome.kind`; null for other kinds.
    pub(crate) outcome: Option<String>,
    /// Description in the language asked for.
    pub(crate) text: String,
}

/// A call in the code of a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveCall {
    /// Function; null if its file has no symbol for it.
    pub(crate) function: Option<String>,
    /// Offset in that function, bytes; null without a function.
    pub(crate) offset: Option<u64>,
    /// File of the code, as the program sees it; empty if the code belongs to no file.
    pub(crate) module: String,
    /// Address in that file, as its own tables have it (`addr2line -e FILE ADDRESS`); without a file, address
    /// in the process.
    pub(crate) address: u64,
}

/// A stretch of time of one direction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveInterval {
    /// `id` of the connection.
    pub(crate) connection: u64,
    /// Index of the sending end: 0 is this host's.
    pub(crate) sender: usize,
    /// Start, nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// Its length.
    pub(crate) duration_s: f64,
    /// Limit id.
    pub(crate) limit: String,
    /// Detail id; null if the limit has no details.
    pub(crate) detail: Option<String>,
    /// Address and port of this end, as `ss` writes them; null if the connection has been forgotten.
    pub(crate) local: Option<String>,
    /// Address and port of the other end.
    pub(crate) peer: Option<String>,
    /// Process that has it open; null if there is none or it could not be read.
    pub(crate) process: Option<LiveProcess>,
}

impl Connection {
    /// A live connection as it is in JSON.
    pub fn live(connection: &LiveConnection, presentation: Presentation<'_>) -> Self {
        Self::foreseen(connection, &connection.conclude(), presentation)
    }

    /// A live connection with its conclusion in `whole`, whose predictions may have been simulated since.
    pub fn foreseen(
        connection: &LiveConnection,
        whole: &tcpwhy_analysis::Connection,
        presentation: Presentation<'_>,
    ) -> Self {
        let mut dto = Self::new(whole, None, presentation);
        // A dual-stack socket has an IPv4-mapped address for its peer; packets have the IPv4 address.
        dto.community_id = crate::community_id(whole.endpoints.map(Endpoint::canonical));
        let samples = connection.samples();
        for (half, of) in dto.halves.iter_mut().zip(&whole.halves) {
            half.verdict.sentence =
                presentation.say(|wording| healthy_sentence(of, wording).unwrap_or_else(|| wording.verdict(of)));
            half.seen_from = Some(if of.sender == Side::A { "sender" } else { "receiver" }.into());
            for limit in &mut half.limits {
                if !connection.is_accounted() {
                    let (low, high) = share_range(limit.share, samples);
                    limit.low_share = Some(rounded(low));
                    limit.high_share = Some(rounded(high));
                }
            }
        }
        dto.answer.fail(connection, presentation);
        dto.live = Some(LiveFacts::of(connection, whole.span.seconds(), presentation));
        dto
    }
}

impl LiveEvent {
    /// `event` as it is in JSON; `connection` is the number of its connection, if known.
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
            outcome: None,
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
            Happening::Failed(kind) => {
                dto.outcome = Some(kind.id().to_owned());
                "connection_failed"
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
    /// `interval` as it is in JSON; `connection` is its connection, if still known.
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
    /// The document of this program about `host`.
    pub fn new(host: LiveHostFacts, connections: C, events: E) -> Self {
        Self { schema: SCHEMA.into(), tool: Tool::this(), host, connections, events }
    }
}
