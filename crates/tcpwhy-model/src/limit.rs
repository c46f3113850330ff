use crate::Message;
use crate::listed::listed;
use std::fmt;
use std::str::FromStr;

listed! {
    /// What kept a half-connection from going faster at an instant. Exclusive and exhaustive: every instant
    /// has exactly one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Limit {
        /// The capture does not show what happened.
        Unobserved = "unobserved",
        /// The connection was being set up.
        Handshake = "handshake",
        /// Lost data was being repaired.
        LossRecovery = "loss_recovery",
        /// The receiver offered no more room.
        ReceiveWindow = "receive_window",
        /// A last small segment waited for an acknowledgment that the receiver held back.
        AckDelay = "ack_delay",
        /// The sending application had nothing to send.
        Application = "application",
        /// The final round trip was on its way: propagation.
        TailRtt = "tail_rtt",
        /// The path was busy: its capacity was used.
        Path = "path",
        /// The sender's socket buffer was full of unacknowledged data.
        SendBuffer = "send_buffer",
        /// The congestion window was still opening.
        SlowStart = "slow_start",
        /// The congestion window bound, outside slow start and recovery.
        CongestionWindow = "congestion_window",
    }
}

impl Limit {
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

listed! {
    /// The form a [`Limit`] took. Each belongs to one limit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Detail {
        /// Handshake: a SYN or SYN-ACK had to be repeated.
        SynRto = "syn_rto",
        /// Loss recovery: fast retransmit.
        Fast = "fast",
        /// Loss recovery: retransmission timeout.
        Rto = "rto",
        /// Loss recovery: tail loss probe.
        Tlp = "tlp",
        /// Loss recovery: nothing had been lost.
        Spurious = "spurious",
        /// Loss recovery: the data had arrived, and its acknowledgments were lost.
        LostAcks = "lost_acks",
        /// Receive window: closed entirely.
        ZeroWindow = "zero_window",
        /// Receive window: data was acknowledged but not read.
        SlowReader = "slow_reader",
        /// Receive window: constant and small although the application read.
        SmallBuffer = "small_buffer",
        /// Receive window: autotuning reached its ceiling.
        Capped = "capped",
        /// Receive window: at most 65,535 bytes for lack of window scaling.
        NoWindowScale = "no_window_scale",
        /// Receive window: autotuning was still opening it.
        Ramp = "ramp",
        /// ACK delay: Nagle's algorithm held a small segment for a round trip.
        Nagle = "nagle",
        /// ACK delay: the receiver delayed its acknowledgment.
        DelayedAck = "delayed_ack",
        /// ACK delay: the program asked the kernel to keep a small segment until more comes (`TCP_CORK`).
        Cork = "cork",
        /// Application: the peer had spoken, it was this side's turn.
        Think = "think",
        /// Application: this side had spoken last and spoke next.
        Idle = "idle",
        /// Application: this side had asked and waited for the answer.
        PeerTurn = "peer_turn",
        /// Application: the protocol above TCP allows no more bytes until the peer grants them (HTTP/2, SSH).
        PeerWindow = "peer_window",
        /// Application: everything was sent, the connection was kept open.
        CloseWait = "close_wait",
        /// Application: it wrote at its own pace.
        PacedWrites = "paced_writes",
        /// Path: a queue stood at the bottleneck.
        Queue = "queue",
        /// Path: ACKs queued on their way to the sender.
        AckQueue = "ack_queue",
        /// Path: a policer dropped what exceeded its rate.
        Policer = "policer",
        /// Congestion window: cut by a loss and growing back.
        PostLoss = "post_loss",
        /// Congestion window: reduced for a mark of ECN and growing back.
        PostMark = "post_mark",
        /// Congestion window: slow start left early on rising delay (`HyStart`).
        DelayExit = "delay_exit",
        /// Congestion window: the sender paced at its estimate of the path (BBR).
        Paced = "paced",
        /// Congestion window: none of the above.
        Other = "other",
    }
}

impl Detail {
    /// The limit it is a form of.
    pub const fn limit(self) -> Limit {
        match self {
            Self::SynRto => Limit::Handshake,
            Self::Fast | Self::Rto | Self::Tlp | Self::Spurious | Self::LostAcks => Limit::LossRecovery,
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
            Self::Queue | Self::AckQueue | Self::Policer => Limit::Path,
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

listed! {
    /// The observation that would decide between two limits that the packets at hand cannot tell apart.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Decider {
        /// A capture taken at the sending host.
        SenderCapture = "sender-capture",
        /// The connection's SYN (a capture that starts before it).
        Syn = "syn",
        /// TCP timestamps enabled on both ends.
        Timestamps = "timestamps",
        /// The kernel's own socket state while it runs.
        LiveSampling = "live-sampling",
        /// A longer capture.
        LongerCapture = "longer-capture",
    }
}

listed! {
    /// Why a verdict names this limit although another has more time, or why it can name none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum VerdictReason {
        /// The window is full only because of a persistent queue at the bottleneck.
        WindowHeldByQueue = "window-held-by-queue",
        /// The path is full, and the window is full as well: it limits next.
        WindowNext = "window-next",
        /// The path is full, and the window of a protocol above TCP is full as well: it limits next.
        ProtocolWindowNext = "protocol-window-next",
        /// This host receives, and only the kernel of the sender's host knows its limits.
        SeenFromReceiver = "seen-from-receiver",
        /// This host sends, and its kernel reported nothing about that time. After `close()` Linux keeps a
        /// `struct tcp_timewait_sock` alone, without `tcp_info`; scans may also be too far apart.
        NotReported = "not-reported",
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
