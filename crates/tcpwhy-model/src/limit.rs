use crate::Message;
use std::fmt;
use std::str::FromStr;

/// What kept a half-connection from going faster at an instant. Exclusive and exhaustive: every instant has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// The capture does not show what happened.
    Unobserved,
    /// The connection was being set up.
    Handshake,
    /// Lost data was being repaired.
    LossRecovery,
    /// The receiver offered no more room.
    ReceiveWindow,
    /// A last small segment waited for an acknowledgment that the receiver held back.
    AckDelay,
    /// The sending application had nothing to send.
    Application,
    /// The final round trip was on its way: propagation.
    TailRtt,
    /// The path was busy: its capacity was used.
    Path,
    /// The sender's socket buffer was full of unacknowledged data.
    SendBuffer,
    /// The congestion window was still opening.
    SlowStart,
    /// The congestion window bound, outside slow start and recovery.
    CongestionWindow,
}

impl Limit {
    /// All limits, in the order of the JSON contract.
    pub const ALL: [Self; 11] = [
        Self::Unobserved,
        Self::Handshake,
        Self::LossRecovery,
        Self::ReceiveWindow,
        Self::AckDelay,
        Self::Application,
        Self::TailRtt,
        Self::Path,
        Self::SendBuffer,
        Self::SlowStart,
        Self::CongestionWindow,
    ];

    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unobserved => "unobserved",
            Self::Handshake => "handshake",
            Self::LossRecovery => "loss_recovery",
            Self::ReceiveWindow => "receive_window",
            Self::AckDelay => "ack_delay",
            Self::Application => "application",
            Self::TailRtt => "tail_rtt",
            Self::Path => "path",
            Self::SendBuffer => "send_buffer",
            Self::SlowStart => "slow_start",
            Self::CongestionWindow => "congestion_window",
        }
    }

    /// The limit with this id (hyphens are read as underscores).
    pub fn from_id(id: &str) -> Option<Self> {
        let id = id.replace('-', "_");
        Self::ALL.into_iter().find(|l| l.id() == id)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The form a [`Limit`] took. Each belongs to one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// Handshake: a SYN or SYN-ACK had to be repeated.
    SynRto,
    /// Loss recovery: fast retransmit.
    Fast,
    /// Loss recovery: retransmission timeout.
    Rto,
    /// Loss recovery: tail loss probe.
    Tlp,
    /// Loss recovery: nothing had been lost.
    Spurious,
    /// Receive window: closed entirely.
    ZeroWindow,
    /// Receive window: data was acknowledged but not read.
    SlowReader,
    /// Receive window: constant and small although the application read.
    SmallBuffer,
    /// Receive window: autotuning reached its ceiling.
    Capped,
    /// Receive window: at most 65,535 bytes for lack of window scaling.
    NoWindowScale,
    /// Receive window: autotuning was still opening it.
    Ramp,
    /// ACK delay: Nagle's algorithm held a small segment for a round trip.
    Nagle,
    /// ACK delay: the receiver delayed its acknowledgment.
    DelayedAck,
    /// ACK delay: the program asked the kernel to keep a small segment until more comes (`TCP_CORK`).
    Cork,
    /// Application: the peer had spoken, it was this side's turn.
    Think,
    /// Application: this side had spoken last and spoke next.
    Idle,
    /// Application: this side had asked and waited for the answer.
    PeerTurn,
    /// Application: the protocol above TCP allows no more bytes until the peer grants them (HTTP/2, SSH).
    PeerWindow,
    /// Application: everything was sent, the connection was kept open.
    CloseWait,
    /// Application: it wrote at its own pace.
    PacedWrites,
    /// Path: a queue stood at the bottleneck.
    Queue,
    /// Path: a policer dropped what exceeded its rate.
    Policer,
    /// Congestion window: cut by a loss and growing back.
    PostLoss,
    /// Congestion window: reduced for a mark of ECN and growing back.
    PostMark,
    /// Congestion window: slow start left early on rising delay (`HyStart`).
    DelayExit,
    /// Congestion window: the sender paced at its estimate of the path (BBR).
    Paced,
    /// Congestion window: none of the above.
    Other,
}

impl Detail {
    /// All details.
    pub const ALL: [Self; 27] = [
        Self::SynRto,
        Self::Fast,
        Self::Rto,
        Self::Tlp,
        Self::Spurious,
        Self::ZeroWindow,
        Self::SlowReader,
        Self::SmallBuffer,
        Self::Capped,
        Self::NoWindowScale,
        Self::Ramp,
        Self::Nagle,
        Self::DelayedAck,
        Self::Cork,
        Self::Think,
        Self::Idle,
        Self::PeerTurn,
        Self::PeerWindow,
        Self::CloseWait,
        Self::PacedWrites,
        Self::Queue,
        Self::Policer,
        Self::PostLoss,
        Self::PostMark,
        Self::DelayExit,
        Self::Paced,
        Self::Other,
    ];

    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SynRto => "syn_rto",
            Self::Fast => "fast",
            Self::Rto => "rto",
            Self::Tlp => "tlp",
            Self::Spurious => "spurious",
            Self::ZeroWindow => "zero_window",
            Self::SlowReader => "slow_reader",
            Self::SmallBuffer => "small_buffer",
            Self::Capped => "capped",
            Self::NoWindowScale => "no_window_scale",
            Self::Ramp => "ramp",
            Self::Nagle => "nagle",
            Self::DelayedAck => "delayed_ack",
            Self::Cork => "cork",
            Self::Think => "think",
            Self::Idle => "idle",
            Self::PeerTurn => "peer_turn",
            Self::PeerWindow => "peer_window",
            Self::CloseWait => "close_wait",
            Self::PacedWrites => "paced_writes",
            Self::Queue => "queue",
            Self::Policer => "policer",
            Self::PostLoss => "post_loss",
            Self::PostMark => "post_mark",
            Self::DelayExit => "delay_exit",
            Self::Paced => "paced",
            Self::Other => "other",
        }
    }

    /// The limit it is a form of.
    pub const fn limit(self) -> Limit {
        match self {
            Self::SynRto => Limit::Handshake,
            Self::Fast | Self::Rto | Self::Tlp | Self::Spurious => Limit::LossRecovery,
            Self::ZeroWindow
            | Self::SlowReader
            | Self::SmallBuffer
            | Self::Capped
            | Self::NoWindowScale
            | Self::Ramp => Limit::ReceiveWindow,
            Self::Nagle | Self::DelayedAck | Self::Cork => Limit::AckDelay,
            Self::Think | Self::Idle | Self::PeerTurn | Self::PeerWindow | Self::CloseWait | Self::PacedWrites => {
                Limit::Application
            }
            Self::Queue | Self::Policer => Limit::Path,
            Self::PostLoss | Self::PostMark | Self::DelayExit | Self::Paced | Self::Other => Limit::CongestionWindow,
        }
    }
}

/// A limit and the form it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cause {
    /// What bound.
    pub limit: Limit,
    /// In which form; always one of the limit's own.
    pub detail: Option<Detail>,
}

impl Cause {
    /// A limit without detail.
    pub const fn plain(limit: Limit) -> Self {
        Self { limit, detail: None }
    }

    /// Whether `other` is this; without a detail, any detail of the limit is.
    pub fn covers(self, other: Self) -> bool {
        self.limit == other.limit && (self.detail.is_none() || self.detail == other.detail)
    }
}

impl Detail {
    fn of_limit(limit: Limit, id: &str) -> Result<Self, Message> {
        let id = id.replace('-', "_");
        let of_limit: Vec<Self> = Self::ALL.into_iter().filter(|d| d.limit() == limit).collect();
        of_limit.iter().copied().find(|d| d.id() == id).ok_or_else(|| {
            let ids: Vec<_> = of_limit.iter().map(|d| d.id()).collect();
            match ids.as_slice() {
                [] => Message::new("limit-without-details").with("limit", limit.id()),
                ids => Message::new("detail-unknown").with("limit", limit.id()).with("known", ids.join(", ")),
            }
        })
    }
}

impl From<Detail> for Cause {
    fn from(detail: Detail) -> Self {
        Self { limit: detail.limit(), detail: Some(detail) }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail {
            Some(detail) => write!(f, "{}/{}", self.limit.id(), detail.id()),
            None => f.write_str(self.limit.id()),
        }
    }
}

/// Reads what `Display` writes: `send_buffer`, `receive_window/zero_window`; the error says what there is.
impl FromStr for Cause {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let (limit, detail) = match text.split_once('/') {
            Some((limit, detail)) => (limit, Some(detail)),
            None => (text, None),
        };
        let limit = Limit::from_id(limit)
            .ok_or_else(|| Message::new("limit-unknown").with("known", Limit::ALL.map(Limit::id).join(", ")))?;
        let detail = detail.map(|id| Detail::of_limit(limit, id)).transpose()?;
        Ok(Self { limit, detail })
    }
}

/// The observation that would decide between two limits that the packets at hand cannot tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decider {
    /// A capture taken at the sending host.
    SenderCapture,
    /// The connection's SYN (a capture that starts before it).
    Syn,
    /// TCP timestamps enabled on both ends.
    Timestamps,
    /// The kernel's own socket state while it runs.
    LiveSampling,
    /// A longer capture.
    LongerCapture,
}

impl Decider {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SenderCapture, Self::Syn, Self::Timestamps, Self::LiveSampling, Self::LongerCapture];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SenderCapture => "sender-capture",
            Self::Syn => "syn",
            Self::Timestamps => "timestamps",
            Self::LiveSampling => "live-sampling",
            Self::LongerCapture => "longer-capture",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_are_unique() {
        for l in Limit::ALL {
            assert_eq!(Limit::from_id(l.id()), Some(l));
        }
        assert_eq!(Limit::from_id("send-buffer"), Some(Limit::SendBuffer));
        let mut ids: Vec<_> = Detail::ALL.iter().map(|d| d.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), Detail::ALL.len());
    }
    #[test]
    fn a_limit_covers_its_details() {
        let (window, slow) = (Cause::plain(Limit::ReceiveWindow), Cause::from(Detail::SlowReader));
        assert!(window.covers(slow) && slow.covers(slow) && window.covers(window));
        assert!(!slow.covers(window) && !slow.covers(Detail::ZeroWindow.into()));
        assert!(!window.covers(Cause::plain(Limit::SendBuffer)));
    }
}
