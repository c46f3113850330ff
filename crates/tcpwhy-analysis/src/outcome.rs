//! What the analysis concludes of a connection: the input of every presentation.

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

/// What an end is to its connection.
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
    /// Stable id, as in JSON and tables; `None` where the handshake was not captured.
    #[must_use]
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::Client => Some("client"),
            Self::Server => Some("server"),
            Self::Unknown => None,
        }
    }

    /// Of the other end.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
            Self::Unknown => Self::Unknown,
        }
    }

    /// The role of `side` when `initiator` sent the SYN.
    pub(crate) fn of(side: Side, initiator: Option<Side>) -> Self {
        match initiator {
            Some(initiator) if initiator == side => Self::Client,
            Some(_) => Self::Server,
            None => Self::Unknown,
        }
    }
}

/// Where a capture was taken, seen from a half-connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vantage {
    /// At or within a millisecond or so of the sender of the data.
    Sender,
    /// At or near the receiver of the data.
    Receiver,
    /// In between, with a noticeable delay to both.
    Middle,
    /// Not enough was seen.
    #[default]
    Unknown,
}

/// Where a capture was taken, seen from a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VantageEstimate {
    /// The endpoint it was taken at; `None` for the middle or when unknown.
    pub near: Option<Side>,
    /// True when both delays are noticeable; false with `near == None` means unknown.
    pub is_middle: bool,
    /// What the estimate rests on.
    pub basis: Basis,
}

/// How a connection ended, as far as the capture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// FIN from both sides.
    Closed,
    /// FIN from one side only.
    HalfClosed,
    /// Reset by this side.
    Reset(Side),
    /// Neither: still open, or the capture stopped.
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

/// Who had closed a connection, and what a reset found under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Close {
    /// When each end sent its first FIN; `None` without one before the first reset.
    pub fins: [Option<Timestamp>; 2],
    /// Payload of both directions that was not acknowledged at the first reset.
    pub unacknowledged: ByteCount,
}

impl Close {
    /// Whether `side` closed it, and its peer had not closed before.
    fn is_begun_by(&self, side: Side) -> bool {
        let [own, peer] = [side, side.peer()].map(|side| self.fins[side.index()]);
        own.is_some_and(|own| peer.is_none_or(|peer| own <= peer))
    }
}

/// The rule about a zero window until the end.
const WINDOW_DEATH_RULE: &str = "zero-window-death";
/// The rule about zero windows in both directions: neither end could read before the other.
const DEADLOCK_RULE: &str = "both-ends-unread";

/// Rules that report how a connection failed; the first in this order says most.
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

/// Whether the rule of this id reports how a connection failed.
pub fn is_failure(rule: &str) -> bool {
    FAILURES.contains(&rule)
}

/// One TCP connection (one incarnation of its four-tuple).
#[derive(Clone, Debug)]
pub struct Connection {
    /// In order of first packet, from 0.
    pub id: u64,
    /// The two ends; `endpoints[0]` sent the first packet seen.
    pub endpoints: [Endpoint; 2],
    /// Who sent the SYN; `None` when it was not seen.
    pub initiator: Option<Side>,
    /// First to last packet.
    pub span: Span,
    /// Packet number of the first packet.
    pub first_packet: u64,
    /// Segments in each direction, empty ones included.
    pub packets: [u64; 2],
    /// Where it was captured.
    pub vantage: VantageEstimate,
    /// How it ended.
    pub ending: Ending,
    /// Who had closed it, and what a reset found under way.
    pub close: Close,
    /// The directions that carried payload (0, 1 or 2).
    pub halves: Vec<HalfConnection>,
    /// Its requests and answers, where there were any.
    pub exchanges: Option<Box<Exchanges>>,
    /// Findings about the connection as a whole (SYN unanswered, refused …); those of a direction are in its
    /// half.
    pub findings: Vec<Finding>,
    /// Least round trip of either direction in nanoseconds, also where only the handshake tells one; `None`
    /// when nothing could be timed.
    pub rtt_min: Option<u64>,
    /// What the kernel said of it, where it was recorded with its packets.
    pub kernel: Option<Box<KernelView>>,
    /// What the client called the server in its first bytes, where that was asked for and captured.
    pub server_name: Option<Box<ServerName>>,
    /// Who serves, as other connections of the capture show; `None` where they show nothing else than its own
    /// packets do.
    pub served_by: Option<Side>,
    /// Its times mean nothing: the ends' clocks contradict them, or the capture's clock stepped by about as
    /// much as it lasted. Sums of times leave it out.
    pub has_wrong_clock: bool,
    /// What it waited for when its last packet passed, until others of the capture show for how long
    /// ([`crate::Together`]).
    pub awaited: Option<Box<OpenWait>>,
}

impl Connection {
    /// How it failed, if it did: it was cut off, or something that it waited for never came. `None` where it
    /// closed, stayed open or was reset when all had arrived.
    pub fn failure(&self) -> Option<&Finding> {
        let all = || self.findings.iter().chain(self.halves.iter().flat_map(|half| &half.findings));
        // Nothing is wrong with most connections, and this is asked of each several times.
        if !all().any(|f| f.severity > Severity::Info) {
            return None;
        }
        let seconds = |f: &Finding| f.seconds.unwrap_or_default();
        let is_over = |f: &&Finding| match f.rule {
            // Where the sender found a size that passes, only time was lost.
            "pmtu-black-hole" => self.ending != Ending::Closed || all().any(|f| f.rule == "hole-left-open"),
            // Two ends that wait for each other may go on; it is over where one of the windows never opened.
            DEADLOCK_RULE => {
                all().any(|death| death.rule == WINDOW_DEATH_RULE && seconds(f) >= EACH_END_TOLD.get() * seconds(death))
            }
            _ => true,
        };
        let of = |rule: &&str| all().find(|f| f.rule == *rule && f.severity > Severity::Info).filter(is_over);
        FAILURES.iter().find_map(of)
    }

    /// Whether its opener closed or reset it before either end said a word. Health checks and probes of a
    /// port (`nc -z`) do: the handshake was their answer.
    pub fn is_empty_probe(&self) -> bool {
        let Some(client) = self.initiator.filter(|_| self.halves.is_empty()) else { return false };
        match self.ending {
            Ending::Unanswered | Ending::Refused | Ending::Incomplete | Ending::Open => false,
            Ending::Reset(side) if side == client => self.close.fins[client.peer().index()].is_none(),
            Ending::Reset(_) | Ending::Closed | Ending::HalfClosed => self.close.is_begun_by(client),
        }
    }

    /// Whether its peer reset it after `side` had closed it, without a loss: in place of a FIN or of the last
    /// ACK.
    pub(crate) fn is_reset_after_close_of(&self, side: Side) -> bool {
        self.ending == Ending::Reset(side.peer())
            && self.close.fins[side.index()].is_some()
            && self.close.unacknowledged == 0
    }

    /// Payload of both directions, bytes.
    pub fn bytes(&self) -> ByteCount {
        self.halves.iter().map(|half| half.bytes).fold(0, ByteCount::saturating_add)
    }

    /// Payload that was retransmitted, in both directions, bytes.
    pub fn retransmitted_bytes(&self) -> ByteCount {
        self.halves.iter().map(|half| half.retransmitted_bytes).fold(0, ByteCount::saturating_add)
    }

    /// What the client called this end; `None` for its own end, and where it was not asked for or not seen.
    pub fn name_of(&self, side: Side) -> Option<&str> {
        self.server_name.as_deref().filter(|known| known.server == side).map(|known| known.name.as_str())
    }
}

/// Something that a connection waited for when its last packet passed.
#[derive(Clone, Copy, Debug)]
pub struct OpenWait(pub(crate) Awaited);

/// What a client called its server: the server name of TLS, or the host of HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName {
    /// The end that was called so.
    pub server: Side,
    /// As the client wrote it: whoever sent the packets chose it, and it may hold any characters.
    pub name: String,
}

/// One direction of a connection that carried payload.
#[derive(Clone, Debug)]
pub struct HalfConnection {
    /// Who sent this data.
    pub sender: Side,
    /// What that end is to the connection.
    pub role: Role,
    /// What it is to the exchanges on it: the client asks. Where nothing shows who does, as `role`.
    pub exchange_role: Role,
    /// Unique payload bytes.
    pub bytes: ByteCount,
    /// Payload bytes sent again.
    pub retransmitted_bytes: ByteCount,
    /// Captured segments with payload (a super-packet counts once).
    pub segments: u64,
    /// Segments that repeated data.
    pub retransmitted_segments: u64,
    /// What `limits` accounts for.
    pub span: Span,
    /// Unique bytes over the span; `None` when the span is empty.
    pub goodput: Option<Rate>,
    /// Largest payload of a wire segment: from the SYN options, else inferred.
    pub mss: Option<ByteCount>,
    /// Scale of the windows that the receiver of this data advertises.
    pub window_scale: WindowScale,
    /// Where the capture stands for this direction.
    pub vantage: Vantage,
    /// Round-trip time in nanoseconds with where it comes from; `None` when nothing could be timed.
    pub rtt: Option<(Distribution, Basis)>,
    /// Bytes in flight (sent, not cumulatively acknowledged), weighted by time; `None` when no ACK was seen.
    pub flight: Option<Distribution>,
    /// Offered window in bytes, weighted by time; `None` while its scale is unknown.
    pub receive_window: Option<Distribution>,
    /// Payload rate of the path, as far as trains of segments or a policer show it; `None` when the data
    /// never came close enough to it to tell.
    pub path_rate: Option<Rate>,
    /// Losses that others of the same path may explain ([`crate::Together`]); `None` where there are few, or
    /// where they lie on a line of their own.
    pub loss_line: Option<Box<LossLine>>,
    /// Its payload over time, for those who used the path with it ([`crate::Together`]); `None` where it is
    /// little.
    pub progress: Option<Box<ByteSlots>>,
    /// What it takes to set it up again; `None` where all of it fits a first window.
    pub transfer: Option<Box<TransferFacts>>,
    /// Every instant of `span` with its limit.
    pub limits: LimitTimeline,
    /// The limit to act on first.
    pub verdict: Verdict,
    /// Diagnoses, gravest first. The first one explains the verdict when the verdict names a limit.
    pub findings: Vec<Finding>,
    /// What the fixes of all findings bring together whose gain was simulated; `None` of fewer than two.
    pub together: Option<Box<Prediction>>,
}

/// The limit to act on first.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What to act on; `None` when the transfer was healthy and nothing is worth acting on.
    pub cause: Option<Cause>,
    /// Between 0 and 1.
    pub confidence: f64,
    /// Time under exactly that cause (limit and form), in seconds: what `limits` says of it.
    pub seconds: f64,
    /// How much it matters; `None` when nothing held the direction back: it was healthy, or had nothing to
    /// send.
    pub severity: Option<Severity>,
    /// A second limit that the packets would also allow, and what would decide.
    pub alternative: Option<(Limit, Decider)>,
    /// Why this limit although another has more time, or why none is known.
    pub reason: Option<VerdictReason>,
    /// What was seen while that limit held.
    pub meanwhile: Meanwhile,
    /// Chosen numbers that would name another cause if they were moved by a third; `None` where nobody tried.
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

    /// Takes which chosen numbers would name another cause if they were moved by a third. Such verdicts are a
    /// class of their own, with a measured frequency.
    pub fn examine(&mut self, flips: Vec<Flip>) {
        if !flips.is_empty() {
            self.confidence *= calibration::FLIPPED;
        }
        self.flips = Some(flips);
    }
}

/// What was seen while a limit held; `None` where nothing showed it. Means are of one value for each round
/// trip, weighted by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meanwhile {
    /// Most in flight: the mean, and of what a send buffer allowed the median; no more than the window.
    pub flight: Option<ByteCount>,
    /// Largest window that the receiver offered.
    pub window: Option<ByteCount>,
    /// Round trip, nanoseconds: the median of the whole direction, as [`HalfConnection::rtt`] has it.
    pub rtt: Option<u64>,
}

/// A tick of the timestamps of Linux (`tcp_clock_ms`) and of most others, nanoseconds.
const TICK: u64 = 1_000_000;

/// Whether round trips cannot be followed: half of them are shorter than what the ticks at either end round
/// away, so that timestamps do not tell which ACK a segment answers; or nothing times them, and the capture
/// was not taken at the sender, so that no queue shows.
pub(crate) fn is_untimed(vantage: Vantage, rtt: Option<&Distribution>) -> bool {
    rtt.map_or(vantage != Vantage::Sender, |rtt| rtt.median < 2 * TICK)
}

impl HalfConnection {
    /// Whether its round trips cannot be followed, half of them being shorter than two ticks of the
    /// timestamps (2 ms) or, away from the sender, none being timed at all: what is said of it is less sure.
    pub fn is_untimed(&self) -> bool {
        is_untimed(self.vantage, self.rtt.as_ref().map(|(rtt, _)| rtt))
    }

    /// Time under other causes that the verdict's change concerns as well, longest first: other forms of its
    /// limit, and what a loss leads to.
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
