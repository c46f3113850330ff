//! Charts of one connection, recorded in one pass in bounded memory.

mod binned;
mod lines;
mod recorder;
mod rows;

pub use lines::{Line, LineKind, lines};
pub(crate) use recorder::Seed;
pub use recorder::{Budget, Recorder};
pub use rows::{Extent, MarkRow, PacketRow, RoundTripRow, SegmentRow, StateRow, ThroughputRow, UNKNOWN};

use serde::Serialize;
use tcpwhy_analysis::PacketKind;
use tcpwhy_model::live::SocketPoint;

/// An event that a chart marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// Retransmitted in fast recovery.
    RetransmissionFast,
    /// Retransmitted after a timeout.
    RetransmissionRto,
    /// Tail loss probe.
    RetransmissionTlp,
    /// Retransmitted, reason unknown.
    RetransmissionOther,
    /// Reordered on the path.
    OutOfOrder,
    /// Captured twice.
    DuplicateFrame,
    /// Zero window from the receiver.
    ZeroWindow,
    /// Zero window probe.
    Probe,
    /// Keep-alive: a probe while the window is open.
    KeepAlive,
    /// Reported by SACK as received after a gap.
    Sack,
    /// Reported by DSACK as received twice.
    Dsack,
    /// SYN.
    Syn,
    /// FIN.
    Fin,
    /// RST.
    Rst,
}

impl MarkKind {
    /// All, in the order of the contract with the viewer.
    pub const ALL: [Self; 14] = [
        Self::RetransmissionFast,
        Self::RetransmissionRto,
        Self::RetransmissionTlp,
        Self::RetransmissionOther,
        Self::OutOfOrder,
        Self::DuplicateFrame,
        Self::ZeroWindow,
        Self::Probe,
        Self::KeepAlive,
        Self::Sack,
        Self::Dsack,
        Self::Syn,
        Self::Fin,
        Self::Rst,
    ];

    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::RetransmissionFast => "retransmission_fast",
            Self::RetransmissionRto => "retransmission_rto",
            Self::RetransmissionTlp => "retransmission_tlp",
            Self::RetransmissionOther => "retransmission_other",
            Self::OutOfOrder => "out_of_order",
            Self::DuplicateFrame => "duplicate_frame",
            Self::ZeroWindow => "zero_window",
            Self::Probe => "probe",
            Self::KeepAlive => "keep_alive",
            Self::Sack => "sack",
            Self::Dsack => "dsack",
            Self::Syn => "syn",
            Self::Fin => "fin",
            Self::Rst => "rst",
        }
    }

    /// Whether it is a retransmission of data.
    pub const fn is_retransmission(self) -> bool {
        matches!(
            self,
            Self::RetransmissionFast | Self::RetransmissionRto | Self::RetransmissionTlp | Self::RetransmissionOther
        )
    }

    /// The mark for a packet's own kind.
    pub(crate) const fn of(kind: PacketKind) -> Option<Self> {
        Some(match kind {
            PacketKind::Ordinary => return None,
            PacketKind::FastRetransmission => Self::RetransmissionFast,
            PacketKind::TimeoutRetransmission => Self::RetransmissionRto,
            PacketKind::LossProbe => Self::RetransmissionTlp,
            PacketKind::OtherRetransmission => Self::RetransmissionOther,
            PacketKind::OutOfOrder => Self::OutOfOrder,
            PacketKind::DuplicateFrame => Self::DuplicateFrame,
            PacketKind::WindowProbe => Self::Probe,
            PacketKind::KeepAlive => Self::KeepAlive,
            PacketKind::Syn => Self::Syn,
            PacketKind::Fin => Self::Fin,
            PacketKind::Reset => Self::Rst,
        })
    }
}

/// A table: its rows in the order of time, and the width of its bins in nanoseconds (0: a row is an event).
#[derive(Clone, Debug)]
pub struct Table<R> {
    /// Rows in the order of time.
    pub rows: Vec<R>,
    /// Width of a bin in nanoseconds, or 0.
    pub bin: i64,
}

/// The data for the charts of one direction.
#[derive(Clone, Debug)]
pub struct HalfRecording {
    /// New data.
    pub segments: Table<SegmentRow>,
    /// State of the direction over time.
    pub states: Table<StateRow>,
    /// Round-trip times.
    pub round_trips: Table<RoundTripRow>,
    /// Throughput; always in bins.
    pub throughput: Table<ThroughputRow>,
    /// Data that arrived (acknowledged, or reported by SACK), also outside of the stretch of the other
    /// tables.
    pub rates: Table<ThroughputRow>,
    /// Marked events by kind, in the order of [`MarkKind::ALL`].
    pub marks: Vec<(MarkKind, Table<MarkRow>)>,
    /// Stream position that is shown as 0.
    pub base: u64,
    /// Largest values: position sent, right edge, window, bytes in flight.
    pub extent: Largest,
    /// The sending socket over time; empty without a kernel's samples.
    pub socket: Vec<SocketPoint>,
}

/// The largest values of a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Largest {
    /// Highest position sent.
    pub nxt: u64,
    /// Highest right edge.
    pub edge: Option<u64>,
    /// Largest window.
    pub window: Option<u64>,
    /// Most bytes in flight.
    pub flight: u64,
}

/// The data for the charts of a connection.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Directions, by the index of the sending endpoint.
    pub halves: [HalfRecording; 2],
    /// Every packet, or `None` if there were too many.
    pub packets: Option<Vec<PacketRow>>,
    /// Number of packets, listed or not.
    pub packet_count: u64,
    /// Start of the recorded stretch, nanoseconds from the first packet.
    pub from: i64,
    /// End of the stretch, nanoseconds from the first packet.
    pub to: i64,
}
