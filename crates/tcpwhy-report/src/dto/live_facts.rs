use serde::Serialize;
use tcpwhy_analysis::{KernelView, Role};
use tcpwhy_model::live::{Process, Turns};
use tcpwhy_watch::LiveConnection;

use crate::dto::{Presentation, rounded};
use crate::live::{about_outcome, after_outcome};

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
    /// How it failed or is failing; null where nothing shows that, and where packets say it.
    pub(crate) outcome: Option<LiveOutcome>,
}

/// How a connection failed or is failing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveOutcome {
    /// `refused`, `reset_by_peer` or `reset_by_this_end`. `unanswered`: no SYN was answered.
    /// `never_accepted`: no program took it from the queue of its listener. `timed_out`: the kernel gave up.
    /// `black_hole`: nothing comes back, and the kernel goes on trying. `closed_under_way`: the peer closed
    /// it and had not answered.
    pub(crate) kind: String,
    /// `critical` or `warning`.
    pub(crate) severity: String,
    /// How long after it began or was seen first; of one that goes on, how long it lasts.
    pub(crate) after_s: f64,
    /// Bytes of this side that were acknowledged.
    pub(crate) bytes_sent: u64,
    /// Bytes of the peer.
    pub(crate) bytes_received: u64,
    /// Bytes that nobody acknowledged; with `closed_under_way` those that the peer did not answer.
    pub(crate) bytes_under_way: u64,
    /// Retransmission timers that ran out since something was acknowledged.
    pub(crate) timeouts: u64,
    /// Connections that nobody has accepted, in the queue that this one waits in; null where that was not
    /// seen.
    pub(crate) accept_queue: Option<u64>,
    /// How many that queue takes.
    pub(crate) accept_queue_most: Option<u64>,
    /// In words, in the language asked for; null where words are not asked for.
    pub(crate) text: Option<String>,
    /// What to do next, likewise.
    pub(crate) next: Option<String>,
}

impl LiveOutcome {
    fn of(connection: &LiveConnection, presentation: Presentation<'_>) -> Option<Self> {
        let outcome = connection.outcome()?;
        Some(Self {
            kind: outcome.kind.id().to_owned(),
            severity: outcome.kind.severity().id().to_owned(),
            after_s: outcome.after as f64 / 1e9,
            bytes_sent: outcome.moved[0],
            bytes_received: outcome.moved[1],
            bytes_under_way: outcome.under_way,
            timeouts: outcome.timeouts,
            accept_queue: outcome.queue.map(|queue| queue.waiting),
            accept_queue_most: outcome.queue.map(|queue| queue.most),
            text: presentation.say(|wording| about_outcome(connection, &outcome, wording)),
            next: presentation.say(|wording| after_outcome(connection, &outcome, wording)),
        })
    }
}

/// How long the sides of a connection took to answer each other. Their turns alternate: `client_time` and
/// `response_time` together are no longer than the time that the connection was watched.
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

impl LiveFacts {
    /// Facts of a live connection that was seen for so many seconds.
    pub(super) fn of(connection: &LiveConnection, seconds: f64, presentation: Presentation<'_>) -> Self {
        Self {
            process: LiveProcess::of(connection),
            network_namespace: connection.key().namespace,
            cookie: connection.key().cookie,
            source: "kernel".to_owned(),
            sampling: Sampling::new(
                if connection.is_accounted() { "bpf" } else { "samples" },
                connection.samples(),
                seconds,
            ),
            blocked_s: connection.blocked().map(|nanos| nanos as f64 / 1e9),
            lost_s: Some(connection.lost_in_all()),
            turn_times: LiveTurns::of(connection),
            has_ended: connection.has_ended(),
            outcome: LiveOutcome::of(connection, presentation),
        }
    }

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
            outcome: None,
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
    pub(super) fn new(process: &Process) -> Self {
        Self { pid: process.pid, name: process.name.clone(), cgroup: process.cgroup.clone() }
    }

    /// Who has `connection` open.
    pub(crate) fn of(connection: &LiveConnection) -> Option<Self> {
        connection.process().map(Self::new)
    }
}
