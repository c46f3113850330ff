//! How a connection failed, or is failing, as its socket shows it.

use tcpwhy_analysis::{Ending, Role, Side};
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{Finish, SocketError};
use tcpwhy_model::{ByteCount, OutcomeKind};

use super::connection::LiveConnection;
use super::thresholds::{FAILING_TIMEOUTS, LONGEST_GOODBYE, LONGEST_UNACCEPTED, LONGEST_UNANSWERED_SYN};

/// In the words of captures; `None` where they have none, or the connection goes on.
const fn ending(kind: OutcomeKind) -> Option<Ending> {
    match kind {
        OutcomeKind::Refused => Some(Ending::Refused),
        OutcomeKind::Unanswered => Some(Ending::Unanswered),
        OutcomeKind::ResetByPeer => Some(Ending::Reset(Side::B)),
        OutcomeKind::ResetHere => Some(Ending::Reset(Side::A)),
        OutcomeKind::NeverAccepted | OutcomeKind::TimedOut | OutcomeKind::BlackHole | OutcomeKind::ClosedUnderWay => {
            None
        }
    }
}

/// The queue of a listener.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptQueue {
    /// Connections that no program has accepted.
    pub waiting: u64,
    /// How many it takes (`listen()` and `net.core.somaxconn`).
    pub most: u64,
}

/// How a connection failed, with what its socket showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveOutcome {
    /// How.
    pub kind: OutcomeKind,
    /// How long after it began, or was seen first, nanoseconds; of one that goes on, how long it lasts.
    pub after: i64,
    /// Bytes of this side that were acknowledged, and bytes of the peer.
    pub moved: [ByteCount; 2],
    /// Bytes that nobody acknowledged; of one that the peer closed, those that it did not answer.
    pub under_way: ByteCount,
    /// Retransmission timers that ran out since something was acknowledged.
    pub timeouts: u64,
    /// The queue that it waits in, where nobody accepted it and that was seen.
    pub queue: Option<AcceptQueue>,
}

/// What decides how a connection failed, besides its socket.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate {
    /// How the kernel ended it.
    pub(super) finish: Option<Finish>,
    /// Bytes that this side had sent since the peer's last word, when the peer ended it.
    pub(super) unanswered: ByteCount,
    /// It waits in the queue of a listener.
    pub(super) is_unaccepted: bool,
    /// That queue.
    pub(super) queue: Option<AcceptQueue>,
    /// How it fails, as far as that was reported.
    reported: Option<OutcomeKind>,
    /// What this side had said when samples saw the peer's last word.
    said: ByteCount,
}

/// Bytes of this side, sent and to be sent.
fn said(socket: &SocketSample) -> ByteCount {
    socket.info.bytes_acked.unwrap_or_default().saturating_add(socket.send_queue)
}

impl Fate {
    /// The fate of a connection that was seen first like this: what was answered by then is not known.
    pub(super) fn of(first: &SocketSample) -> Self {
        Self { said: said(first), ..Self::default() }
    }

    /// Takes in what a sample shows after `before`.
    pub(super) fn sample(&mut self, before: &SocketSample, socket: &SocketSample, is_server: bool) {
        let is_open = |s: &SocketSample| s.state == Some(TcpState::Established);
        if socket.info.bytes_received > before.info.bytes_received {
            // Whatever was said by then: what was answered is not called unanswered.
            self.said = said(socket);
        } else if is_open(before) && socket.state == Some(TcpState::CloseWait) {
            self.unanswered = said(socket).saturating_sub(self.said);
        }
        // Only a socket that was accepted has an inode, and whoever was asked for memory was asked for that.
        let was_asked = socket.memory.send_buffer.is_some();
        self.is_unaccepted = is_server && was_asked && socket.inode.is_none() && is_waiting(socket);
    }
}

/// Whether a socket is in a state in which it may wait to be accepted.
fn is_waiting(socket: &SocketSample) -> bool {
    matches!(socket.state, Some(TcpState::Established | TcpState::CloseWait))
}

impl LiveConnection {
    /// How it failed or is failing; `None` where nothing shows that.
    pub fn outcome(&self) -> Option<LiveOutcome> {
        let kind = self.outcome_kind()?;
        let socket = &self.last.socket;
        Some(LiveOutcome {
            kind,
            after: self.lasted(),
            moved: [self.sent(), self.received()],
            under_way: if kind == OutcomeKind::ClosedUnderWay { self.fate.unanswered } else { socket.send_queue },
            timeouts: socket.info.retransmits.unwrap_or_default(),
            queue: self.fate.queue.filter(|_| kind == OutcomeKind::NeverAccepted),
        })
    }

    /// How it ended, where it failed, in the words of captures.
    pub(super) fn failed_ending(&self) -> Option<Ending> {
        self.outcome_kind().filter(|_| self.has_ended).and_then(ending)
    }

    /// How it fails, where that was not reported yet.
    pub(super) fn new_outcome(&mut self) -> Option<OutcomeKind> {
        let kind = self.outcome_kind()?;
        (self.fate.reported.replace(kind) != Some(kind)).then_some(kind)
    }

    fn lasted(&self) -> i64 {
        self.last.time.since(self.first.time)
    }

    fn outcome_kind(&self) -> Option<OutcomeKind> {
        if self.fate.is_unaccepted && self.lasted() >= LONGEST_UNACCEPTED {
            return Some(OutcomeKind::NeverAccepted);
        }
        let ended = self.fate.finish.and_then(|finish| self.finished(finish));
        ended.or_else(|| self.closed_under_way()).or_else(|| self.failing())
    }

    /// By how the kernel ended it.
    fn finished(&self, finish: Finish) -> Option<OutcomeKind> {
        use TcpState::{CloseWait, Established, SynReceived, SynSent};
        let is_reset = finish.error == Some(SocketError::Reset) && !finish.is_shut;
        let gave_up = matches!(finish.error, Some(SocketError::TimedOut | SocketError::Unreachable));
        match finish.before? {
            SynReceived => None,
            SynSent if finish.error == Some(SocketError::Refused) => Some(OutcomeKind::Refused),
            SynSent => (gave_up || self.lasted() >= LONGEST_UNANSWERED_SYN).then_some(OutcomeKind::Unanswered),
            _ if gave_up => Some(OutcomeKind::TimedOut),
            Established | CloseWait if is_reset => Some(OutcomeKind::ResetByPeer),
            Established | CloseWait if finish.is_shut || finish.error == Some(SocketError::Aborted) => {
                Some(OutcomeKind::ResetHere)
            }
            Established | CloseWait => None,
            // What this side closed, a reset ends only where data was under way.
            _ => (finish.error == Some(SocketError::Reset) && self.last.socket.send_queue > 1)
                .then_some(OutcomeKind::ResetByPeer),
        }
    }

    /// The peer closed first, with more than a goodbye of this side unanswered.
    fn closed_under_way(&self) -> Option<OutcomeKind> {
        let asks = self.role() != Role::Server;
        (asks && self.fate.unanswered > LONGEST_GOODBYE).then_some(OutcomeKind::ClosedUnderWay)
    }

    /// By what its socket shows while it is there.
    fn failing(&self) -> Option<OutcomeKind> {
        let socket = &self.last.socket;
        let timeouts = socket.info.retransmits.unwrap_or_default();
        match socket.state {
            Some(TcpState::SynSent) => {
                (timeouts > 0 || self.lasted() >= LONGEST_UNANSWERED_SYN).then_some(OutcomeKind::Unanswered)
            }
            Some(TcpState::SynReceived) => None,
            _ => (timeouts >= FAILING_TIMEOUTS && socket.send_queue > 0).then_some(OutcomeKind::BlackHole),
        }
    }

    /// Takes in how many connections wait where this one does.
    pub(super) fn wait_in(&mut self, queue: AcceptQueue) {
        if self.fate.is_unaccepted {
            self.fate.queue = Some(queue);
        }
    }
}

#[cfg(test)]
mod terms;
