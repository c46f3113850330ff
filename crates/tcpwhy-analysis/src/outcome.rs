//! Results of the analysis of a connection: the input of every presentation.

use tcpwhy_model::{
    Basis, ByteCount, ByteSlots, Cause, Decider, Distribution, Endpoint, Finding, Flip, Limit, LimitTimeline,
    LimitTotal, Prediction, Rate, Severity, Span, Timestamp, VerdictReason, WindowScale,
};

use crate::exchanges::Exchanges;
use crate::facts::half::policing::LossLine;
use crate::infer::calibration;
use crate::kernel_view::KernelView;
use crate::seen::Awaited;
pub use crate::side::Side;
use crate::thresholds::EACH_END_TOLD;
use crate::transfer::TransferFacts;

/// Role of an end in its connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// It sent the SYN.
    Client,
    /// It answered the SYN.
    Server,
    /// The handshake was not captured.
    #[default]
    Unknown,
}

impl Role {
    /// Stable id, as in JSON and tables; `None` if the handshake was not captured.
    #[must_use]
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::Client => Some("client"),
            Self::Server => Some("server"),
            Self::Unknown => None,
        }
    }

    /// Returns the role of the other end.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Returns the role of `side` if `initiator` sent the SYN.
    pub(crate) fn of(side: Side, initiator: Option<Side>) -> Self {
        match initiator {
            Some(initiator) if initiator == side => Self::Client,
            Some(_) => Self::Server,
            None => Self::Unknown,
        }
    }
}

/// Place of a capture, relative to a half-connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vantage {
    /// At the sender of the data, or within about a millisecond of it.
    Sender,
    /// At or near the receiver of the data.
    Receiver,
    /// In between, with a noticeable delay to both.
    Middle,
    /// Unknown, because too little was captured.
    #[default]
    Unknown,
}

/// Place of a capture, relative to a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VantageEstimate {
    /// The endpoint at which it was made; `None` for the middle or if unknown.
    pub near: Option<Side>,
    /// Whether both delays are noticeable; false with `near == None` means unknown.
    pub is_middle: bool,
    /// Basis of the estimate.
    pub basis: Basis,
}

/// End of a connection, as far as the capture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// FIN from both sides.
    Closed,
    /// FIN from one side only.
    HalfClosed,
    /// Reset by this side.
    Reset(Side),
    /// Neither FIN nor reset: still open, or the capture stopped.
    Open,
    /// The SYN was never answered.
    Unanswered,
    /// The SYN was answered with a reset.
    Refused,
    /// The SYN-ACK was repeated, and never acknowledged.
    Incomplete,
}

impl Ending {
    /// Stable id, as in JSON and tables.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::HalfClosed => "half_closed",
            Self::Reset(Side::A) => "reset_by_0",
            Self::Reset(Side::B) => "reset_by_1",
            Self::Open => "open",
            Self::Unanswered => "unanswered",
            Self::Refused => "refused",
            Self::Incomplete => "handshake_incomplete",
        }
    }
}

/// The FINs of a connection, and the data in flight at a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Close {
    /// Time of the first FIN of each end; `None` without one before the first reset.
    pub fins: [Option<Timestamp>; 2],
    /// Payload of both directions that was not acknowledged at the first reset.
    pub unacknowledged: ByteCount,
}

impl Close {
    /// Whether `side` closed the connection, and its peer had not closed it before.
    fn is_begun_by(&self, side: Side) -> bool {
        let [own, peer] = [side, side.peer()].map(|side| self.fins[side.index()]);
        own.is_some_and(|own| peer.is_none_or(|peer| own <= peer))
    }
}

/// The rule about a zero window until the end.
const WINDOW_DEATH_RULE: &str = "zero-window-death";
/// The rule about zero windows in both directions: neither end could read before the other.
const DEADLOCK_RULE: &str = "both-ends-unread";

/// Rules that report a failure of a connection. The first in this order is the most specific.
const FAILURES: [&str; 13] = [
    "wrong-checksum",
    "reset-not-own",
    "idle-timeout",
    "pmtu-black-hole",
    "hole-left-open",
    DEADLOCK_RULE,
    WINDOW_DEATH_RULE,
    "peer-silent",
    "idle-close-race",
    "transfer-stopped",
    "request-unanswered",
    "closed-during-request",
    "reset-mid-transfer",
];

/// Whether the rule with this id reports a failure of a connection.
pub fn is_failure(rule: &str) -> bool {
    FAILURES.contains(&rule)
}

/// One TCP connection (one incarnation of its four-tuple).
#[derive(Clone, Debug)]
pub struct Connection {
    /// Number in the order of first packets, from 0.
    pub id: u64,
    /// The two ends; `endpoints[0]` sent the first captured packet.
    pub endpoints: [Endpoint; 2],
    /// Sender of the SYN; `None` if it was not captured.
    pub initiator: Option<Side>,
    /// Time from the first to the last packet.
    pub span: Span,
    /// Packet number of the first packet.
    pub first_packet: u64,
    /// Segments in each direction, including empty ones.
    pub packets: [u64; 2],
    /// Place of the capture.
    pub vantage: VantageEstimate,
    /// End of the connection.
    pub ending: Ending,
    /// The FINs, and the data in flight at a reset.
    pub close: Close,
    /// The directions that carried payload (0, 1 or 2).
    pub halves: Vec<HalfConnection>,
    /// Requests and answers, if there were any.
    pub exchanges: Option<Box<Exchanges>>,
    /// Findings about the connection as a whole (SYN unanswered, refused …). Those about a direction are in
    /// its half.
    pub findings: Vec<Finding>,
    /// Least round trip of either direction in nanoseconds, which may come from the handshake alone; `None`
    /// if nothing could be timed.
    pub rtt_min: Option<u64>,
    /// The kernel's data about the connection, if it was recorded with its packets.
    pub kernel: Option<Box<KernelView>>,
    /// Name of the server in the client's first bytes, if it was requested and captured.
    pub server_name: Option<Box<ServerName>>,
    /// The server, as other connections of the capture show; `None` if they show nothing beyond its own
    /// packets.
    pub served_by: Option<Side>,
    /// Whether its times are invalid. The ends' clocks contradict them, or the capture's clock stepped by
    /// about the connection's duration. Sums of times omit it.
    pub has_wrong_clock: bool,
    /// The wait that was open at its last packet, until other connections of the capture show its length
    /// ([`crate::Together`]).
    pub awaited: Option<Box<OpenWait>>,
}

impl Connection {
    /// Returns the finding about its failure: it was cut off, or something that it waited for never came.
    /// `None` if it closed, stayed open, or was reset after all data had arrived.
    pub fn failure(&self) -> Option<&Finding> {
        let all = || self.findings.iter().chain(self.halves.iter().flat_map(|half| &half.findings));
        // Most connections have no failure, and callers ask for it several times per connection.
        if !all().any(|f| f.severity > Severity::Info) {
            return None;
        }
        let seconds = |f: &Finding| f.seconds.unwrap_or_default();
        let is_over = |f: &&Finding| match f.rule {
            // If the sender found a size that passes, only time was lost.
            "pmtu-black-hole" => self.ending != Ending::Closed || all().any(|f| f.rule == "hole-left-open"),
            // Two ends that wait for each other may continue. The connection has failed if one of the windows
            // never opened.
            DEADLOCK_RULE => {
                all().any(|death| death.rule == WINDOW_DEATH_RULE && seconds(f) >= EACH_END_TOLD.get() * seconds(death))
            }
            _ => true,
        };
        let of = |rule: &&str| all().find(|f| f.rule == *rule && f.severity > Severity::Info).filter(is_over);
        FAILURES.iter().find_map(of)
    }

    /// Whether its opener closed or reset it before either end sent data. Health checks and probes of a port
    /// (`nc -z`) do so: the handshake was their answer.
    pub fn is_empty_probe(&self) -> bool {
        let Some(client) = self.initiator.filter(|_| self.halves.is_empty()) else { return false };
        match self.ending {
            Ending::Unanswered | Ending::Refused | Ending::Incomplete | Ending::Open => false,
            Ending::Reset(side) if side == client => self.close.fins[client.peer().index()].is_none(),
            Ending::Reset(_) | Ending::Closed | Ending::HalfClosed => self.close.is_begun_by(client),
        }
    }

    /// Whether the peer of `side` reset the connection after `side` had closed it, without a loss: in place
    /// of a FIN or of the last ACK.
    pub(crate) fn is_reset_after_close_of(&self, side: Side) -> bool {
        self.ending == Ending::Reset(side.peer())
            && self.close.fins[side.index()].is_some()
            && self.close.unacknowledged == 0
    }

    /// Returns the payload of both directions, bytes.
    pub fn bytes(&self) -> ByteCount {
        self.halves.iter().map(|half| half.bytes).fold(0, ByteCount::saturating_add)
    }

    /// Returns the retransmitted payload of both directions, bytes.
    pub fn retransmitted_bytes(&self) -> ByteCount {
        self.halves.iter().map(|half| half.retransmitted_bytes).fold(0, ByteCount::saturating_add)
    }

    /// Returns the name that the client used for this end; `None` for its own end, and if it was not
    /// requested or not captured.
    pub fn name_of(&self, side: Side) -> Option<&str> {
        self.server_name.as_deref().filter(|known| known.server == side).map(|known| known.name.as_str())
    }
}

/// A wait of a connection that was open at its last packet.
#[derive(Clone, Copy, Debug)]
pub struct OpenWait(pub(crate) Awaited);

/// Name that a client used for its server: the server name of TLS, or the host of HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName {
    /// The end with this name.
    pub server: Side,
    /// Name as the client wrote it. The sender of the packets chose it, and it may contain any characters.
    pub name: String,
}

/// One direction of a connection that carried payload.
#[derive(Clone, Debug)]
pub struct HalfConnection {
    /// Sender of this data.
    pub sender: Side,
    /// Role of the sender in the connection.
    pub role: Role,
    /// Role of the sender in the exchanges: the client sends requests. If nothing shows the requester, it
    /// equals `role`.
    pub exchange_role: Role,
    /// Unique payload bytes.
    pub bytes: ByteCount,
    /// Retransmitted payload bytes.
    pub retransmitted_bytes: ByteCount,
    /// Captured segments with payload (a super-packet counts once).
    pub segments: u64,
    /// Retransmitted segments.
    pub retransmitted_segments: u64,
    /// Time that `limits` covers.
    pub span: Span,
    /// Unique bytes over the span; `None` if the span is empty.
    pub goodput: Option<Rate>,
    /// Largest payload of a wire segment: from the SYN options, otherwise inferred.
    pub mss: Option<ByteCount>,
    /// Scale of the windows that the receiver of this data advertises.
    pub window_scale: WindowScale,
    /// Place of the capture relative to this direction.
    pub vantage: Vantage,
    /// Round-trip time in nanoseconds and its source; `None` if nothing could be timed.
    pub rtt: Option<(Distribution, Basis)>,
    /// Bytes in flight (sent, not cumulatively acknowledged), weighted by time; `None` if no ACK was
    /// captured.
    pub flight: Option<Distribution>,
    /// Advertised window in bytes, weighted by time; `None` if its scale is unknown.
    pub receive_window: Option<Distribution>,
    /// Payload rate of the path, as far as trains of segments or a policer show it; `None` if the data never
    /// came close enough to it.
    pub path_rate: Option<Rate>,
    /// Losses that other connections of the same path may explain ([`crate::Together`]). `None` if there are
    /// few, or if they fit a line of their own.
    pub loss_line: Option<Box<LossLine>>,
    /// Its payload over time, for connections that shared the path ([`crate::Together`]); `None` if there is
    /// little.
    pub progress: Option<Box<ByteSlots>>,
    /// Facts for a simulation of the transfer; `None` if all data fits a first window.
    pub transfer: Option<Box<TransferFacts>>,
    /// The limit of every instant of `span`.
    pub limits: LimitTimeline,
    /// The limit to act on first.
    pub verdict: Verdict,
    /// Diagnoses, most severe first. The first one explains the verdict if the verdict names a limit.
    pub findings: Vec<Finding>,
    /// Predicted gain of all findings' fixes together, if each gain was simulated; `None` for fewer than two.
    pub together: Option<Box<Prediction>>,
}

/// The limit to act on first.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The cause to act on; `None` if the transfer was healthy and nothing is worth acting on.
    pub cause: Option<Cause>,
    /// Confidence, between 0 and 1.
    pub confidence: f64,
    /// Time under exactly that cause (limit and form) in `limits`, in seconds.
    pub seconds: f64,
    /// Severity; `None` if nothing slowed the direction: it was healthy, or had nothing to send.
    pub severity: Option<Severity>,
    /// A second limit that the packets also allow, and the observation that would decide.
    pub alternative: Option<(Limit, Decider)>,
    /// Reason for this limit although another has more time, or for an unknown limit.
    pub reason: Option<VerdictReason>,
    /// Measurements while that limit applied.
    pub meanwhile: Meanwhile,
    /// Chosen thresholds that would give another cause if they were moved by a third; `None` if this was not
    /// tried.
    pub flips: Option<Vec<Flip>>,
}

impl Verdict {
    /// Nothing is worth acting on.
    pub fn healthy() -> Self {
        Self {
            cause: None,
            confidence: 0.9,
            seconds: 0.0,
            severity: None,
            alternative: None,
            reason: None,
            meanwhile: Meanwhile::default(),
            flips: None,
        }
    }

    /// Stores the chosen thresholds that would give another cause if they were moved by a third. Such
    /// verdicts are a separate class with its own measured confidence.
    pub fn examine(&mut self, flips: Vec<Flip>) {
        if !flips.is_empty() {
            self.confidence *= calibration::FLIPPED;
        }
        self.flips = Some(flips);
    }
}

/// Measurements while a limit applied; `None` if nothing showed them. Means are taken over one value per
/// round trip, weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meanwhile {
    /// Largest flight: the mean, or the median if a send buffer was the limit; at most the window.
    pub flight: Option<ByteCount>,
    /// Largest window that the receiver advertised.
    pub window: Option<ByteCount>,
    /// Round trip, nanoseconds: the median of the whole direction, as in [`HalfConnection::rtt`].
    pub rtt: Option<u64>,
}

/// Length of a timestamp tick on Linux (`tcp_clock_ms`) and most other systems, nanoseconds.
const TICK: u64 = 1_000_000;

/// Whether round trips cannot be measured. Either half of them are shorter than the rounding of the ticks at
/// both ends, so timestamps do not show which ACK a segment answers. Or nothing times them and the capture
/// was not made at the sender, so no queue is visible.
pub(crate) fn is_untimed(vantage: Vantage, rtt: Option<&Distribution>) -> bool {
    rtt.map_or(vantage != Vantage::Sender, |rtt| rtt.median < 2 * TICK)
}

impl HalfConnection {
    /// Whether its round trips cannot be measured, so that its results are less certain. Half of them are
    /// shorter than two ticks of the timestamps (2 ms), or, away from the sender, none could be timed.
    pub fn is_untimed(&self) -> bool {
        is_untimed(self.vantage, self.rtt.as_ref().map(|(rtt, _)| rtt))
    }

    /// Returns the time under other causes that the verdict's change affects as well, longest first: other
    /// forms of its limit, and consequences of a loss.
    pub fn related_to_verdict(&self) -> impl Iterator<Item = LimitTotal> {
        let named = self.verdict.cause;
        let family = named.and_then(Cause::family);
        let is_related = move |cause: Cause| family.is_some() && cause.family() == family && Some(cause) != named;
        self.limits.totals().into_iter().filter(move |t| is_related(t.cause))
    }
}

#[cfg(test)]
mod terms;
#[cfg(test)]
pub(crate) mod testing;
