use crate::Message;
use crate::listed::listed;
use std::fmt;
use std::str::FromStr;

listed! {
    /// The limit of a half-connection's speed at an instant. Exclusive and exhaustive: every instant has
    /// exactly one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Limit {
        /// The capture does not show the limit.
        Unobserved = "unobserved",
        /// The connection was being set up.
        Handshake = "handshake",
        /// Lost data was being retransmitted.
        LossRecovery = "loss_recovery",
        /// The receiver's window was full.
        ReceiveWindow = "receive_window",
        /// A final small segment waited for an acknowledgment that the receiver delayed.
        AckDelay = "ack_delay",
        /// The sending application had nothing to send.
        Application = "application",
        /// The final round trip was in progress: propagation.
        TailRtt = "tail_rtt",
        /// The capacity of the path was fully used.
        Path = "path",
        /// The sender's socket buffer was full of unacknowledged data.
        SendBuffer = "send_buffer",
        /// The congestion window was still growing in slow start.
        SlowStart = "slow_start",
        /// The congestion window was the limit, outside slow start and recovery.
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
    /// The form of a [`Limit`]. Each form belongs to one limit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Detail {
        /// Handshake: a SYN or SYN-ACK was retransmitted.
        SynRto = "syn_rto",
        /// Loss recovery: fast retransmit.
        Fast = "fast",
        /// Loss recovery: retransmission timeout.
        Rto = "rto",
        /// Loss recovery: tail loss probe.
        Tlp = "tlp",
        /// Loss recovery: a spurious retransmission; nothing had been lost.
        Spurious = "spurious",
        /// Loss recovery: the data had arrived, and its acknowledgments were lost.
        LostAcks = "lost_acks",
        /// Receive window: zero window.
        ZeroWindow = "zero_window",
        /// Receive window: data was acknowledged but not read.
        SlowReader = "slow_reader",
        /// Receive window: constant and small although the application read.
        SmallBuffer = "small_buffer",
        /// Receive window: autotuning reached its ceiling.
        Capped = "capped",
        /// Receive window: at most 65,535 bytes because window scaling was not negotiated.
        NoWindowScale = "no_window_scale",
        /// Receive window: autotuning was still growing it.
        Ramp = "ramp",
        /// ACK delay: Nagle's algorithm held a small segment for a round trip.
        Nagle = "nagle",
        /// ACK delay: the receiver delayed its acknowledgment.
        DelayedAck = "delayed_ack",
        /// ACK delay: the application asked the kernel to hold back a small segment until more data follows
        /// (`TCP_CORK`).
        Cork = "cork",
        /// Application: the peer had sent last, and this side owed the answer.
        Think = "think",
        /// Application: this side had sent last and sent next.
        Idle = "idle",
        /// Application: this side had sent a request and waited for the answer.
        PeerTurn = "peer_turn",
        /// Application: the protocol above TCP allows no more bytes until the peer grants them (HTTP/2, SSH).
        PeerWindow = "peer_window",
        /// Application: all data was sent, and the connection was kept open.
        CloseWait = "close_wait",
        /// Application: the data was written at the application's own pace.
        PacedWrites = "paced_writes",
        /// Path: a persistent queue at the bottleneck.
        Queue = "queue",
        /// Path: ACKs queued on their way to the sender.
        AckQueue = "ack_queue",
        /// Path: a policer dropped packets above its rate.
        Policer = "policer",
        /// Congestion window: reduced after a loss and growing back.
        PostLoss = "post_loss",
        /// Congestion window: reduced after an ECN mark and growing back.
        PostMark = "post_mark",
        /// Congestion window: slow start ended early because the delay rose (`HyStart`).
        DelayExit = "delay_exit",
        /// Congestion window: the sender paced at its estimate of the path's rate (BBR).
        Paced = "paced",
        /// Congestion window: none of the above.
        Other = "other",
    }
}

impl Detail {
    /// The limit to which this form belongs.
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

/// A limit and its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cause {
    /// The limit.
    pub limit: Limit,
    /// The form, which always belongs to `limit`.
    pub detail: Option<Detail>,
}

impl Cause {
    /// A limit without detail.
    pub const fn plain(limit: Limit) -> Self {
        Self { limit, detail: None }
    }

    /// Whether `other` equals this cause; a cause without detail covers all forms of its limit.
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

/// Reads the output of `Display`: `send_buffer`, `receive_window/zero_window`. The error lists the known ids.
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
    /// The observation that would decide between two limits that these packets cannot distinguish.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Decider {
        /// A capture taken at the sending host.
        SenderCapture = "sender-capture",
        /// The connection's SYN (a capture that starts before the connection).
        Syn = "syn",
        /// TCP timestamps enabled on both ends.
        Timestamps = "timestamps",
        /// Samples of the kernel's socket state during the connection.
        LiveSampling = "live-sampling",
        /// A longer capture.
        LongerCapture = "longer-capture",
    }
}

listed! {
    /// Why a verdict names this limit although another has more time, or why it names none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum VerdictReason {
        /// The window is full only because of a persistent queue at the bottleneck.
        WindowHeldByQueue = "window-held-by-queue",
        /// The path is saturated and the window is full too, so the window limits next.
        WindowNext = "window-next",
        /// The path is saturated and the window of a protocol above TCP is full too, so that window limits
        /// next.
        ProtocolWindowNext = "protocol-window-next",
        /// This host receives, and only the sender's kernel knows the sender's limits.
        SeenFromReceiver = "seen-from-receiver",
        /// This host sends, and its kernel reported nothing about that time. After `close()` Linux keeps only
        /// a `struct tcp_timewait_sock` without `tcp_info`; scans may also be too far apart.
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
