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

/// Something that happened to a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LiveEvent {
    /// When, nanoseconds since the epoch; of what lasts, its end.
    pub(crate) at_ns: i64,
    /// `blocked_write`, `buffer_set`, `connection_failed`, `retransmit`, `zero_window`, `receive_pruned` or
    /// `memory_pressure`.
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
    /// How a connection failed, as in `outcome.kind` of connections; null with other kinds.
    pub(crate) outcome: Option<String>,
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
        Self::foreseen(connection, &connection.conclude(), presentation)
    }

    /// A live connection as it was concluded, in `whole`, with predictions that may be simulated since.
    pub fn foreseen(
        connection: &LiveConnection,
        whole: &tcpwhy_analysis::Connection,
        presentation: Presentation<'_>,
    ) -> Self {
        let mut dto = Self::new(whole, None, presentation);
        // A socket for both versions calls its IPv4 peer otherwise than packets do.
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
