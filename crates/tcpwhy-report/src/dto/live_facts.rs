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

/// The sampling of a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Sampling {
    /// `bpf`: all time is known, and ranges of shares are null; or `samples`.
    pub(crate) mode: String,
    /// Number of samples.
    pub(crate) samples: u64,
    /// Samples per second.
    pub(crate) rate_hz: f64,
    /// Always 0: lost events are counted for the whole host.
    pub(crate) lost_events: u64,
}

/// Data that only live connections have.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveFacts {
    /// Process that has it open; null if there is none or it could not be read.
    pub(crate) process: Option<LiveProcess>,
    /// Inode of its network namespace.
    pub(crate) network_namespace: u64,
    /// The kernel's cookie of the socket.
    pub(crate) cookie: u64,
    /// `kernel`: only the kernel's state was observed; `both`: the packets and the kernel's state.
    pub(crate) source: String,
    /// Sampling of the connection.
    pub(crate) sampling: Sampling,
    /// Total time that its writers waited for room in the send buffer; null if that is not measured.
    pub(crate) blocked_s: Option<f64>,
    /// Part of the observed time that a change could have saved; null if the packets show it.
    pub(crate) lost_s: Option<f64>,
    /// Response times of both sides; null without `bpf`, which they need.
    pub(crate) turn_times: Option<LiveTurns>,
    /// Whether the socket is closed.
    pub(crate) has_ended: bool,
    /// Failure, also one in progress; null if nothing shows one, and if the packets show it.
    pub(crate) outcome: Option<LiveOutcome>,
}

/// The failure of a connection, also one in progress.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct LiveOutcome {
    /// `refused`, `reset_by_peer` or `reset_by_this_end`. `unanswered`: no SYN was answered.
    /// `never_accepted`: no program accepted it from its listener's queue. `timed_out`: the kernel gave up.
    /// `black_hole`: nothing comes back, and the kernel keeps trying. `closed_under_way`: the peer closed it
    /// before it had answered.
    pub(crate) kind: String,
    /// `critical` or `warning`.
    pub(crate) severity: String,
    /// Time of the failure after the connection began or was first seen; if it persists, its duration so far.
    pub(crate) after_s: f64,
    /// Bytes that this side sent and the peer acknowledged.
    pub(crate) bytes_sent: u64,
    /// Bytes that the peer sent.
    pub(crate) bytes_received: u64,
    /// Bytes that were not acknowledged; with `closed_under_way` those that the peer did not answer.
    pub(crate) bytes_under_way: u64,
    /// Retransmission timeouts since the last acknowledgement.
    pub(crate) timeouts: u64,
    /// Connections in the accept queue in which this one waits; null if that was not seen.
    pub(crate) accept_queue: Option<u64>,
    /// Capacity of that queue.
    pub(crate) accept_queue_most: Option<u64>,
    /// Description in the language asked for; null without words.
    pub(crate) text: Option<String>,
    /// Next step; null without words.
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

/// Response times of both sides of a connection. Their turns alternate: `client_time` and `response_time`
/// together are at most the time that the connection was watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[allow(clippy::struct_field_names, reason = "as in the document")]
pub(crate) struct LiveTurns {
    /// At a server: from the last byte of a request to the first `send` of its answer. Null at a client,
    /// where it is part of `response_time`.
    pub(crate) server_time: Option<TurnTimes>,
    /// At a client: from the last byte of an answer to the next request. Null at a server, where round trips
    /// would be included.
    pub(crate) client_time: Option<TurnTimes>,
    /// At a client: from a request to the first byte of its answer, the round trip included. Null at a
    /// server.
    pub(crate) response_time: Option<TurnTimes>,
}

/// Durations of one side's turns.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct TurnTimes {
    /// Number of turns.
    pub(crate) count: u64,
    /// Sum of their durations.
    pub(crate) total_s: f64,
    /// Upper bound of the median, a power of two; null if it is longer than two seconds.
    pub(crate) median_at_most_s: Option<f64>,
    /// Upper bound of the 95th percentile, likewise.
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
    /// Facts about a live connection that was watched for `seconds`.
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

    /// Facts about the socket of the end that sent most, if packets of the connection were captured too.
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

    /// The process that has `connection` open.
    pub(crate) fn of(connection: &LiveConnection) -> Option<Self> {
        connection.process().map(Self::new)
    }
}
