//! Charts of one connection, gathered in one pass in bounded memory.

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

/// An exceptional event.
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
    /// Retransmitted, reason not told.
    RetransmissionOther,
    /// Overtaken on the way.
    OutOfOrder,
    /// In the capture twice.
    DuplicateFrame,
    /// The receiver closed its window.
    ZeroWindow,
    /// Asks a closed window.
    Probe,
    /// Asks while the window is open.
    KeepAlive,
    /// Reported as received beyond a hole.
    Sack,
    /// Reported as received twice.
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

    /// Whether it is data retransmitted.
    pub const fn is_retransmission(self) -> bool {
        matches!(
            self,
            Self::RetransmissionFast | Self::RetransmissionRto | Self::RetransmissionTlp | Self::RetransmissionOther
        )
    }

    /// The mark that a packet leaves for what it was itself.
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

/// A table: its rows in order of time, and the width of its bins in nanoseconds (0: a row is an event).
#[derive(Clone, Debug)]
pub struct Table<R> {
    /// In order of time.
    pub rows: Vec<R>,
    /// Width of a bin, or 0.
    pub bin: i64,
}

/// What there is to draw of one direction.
#[derive(Clone, Debug)]
pub struct HalfRecording {
    /// New data.
    pub segments: Table<SegmentRow>,
    /// How it stood.
    pub states: Table<StateRow>,
    /// Round trips.
    pub round_trips: Table<RoundTripRow>,
    /// What passed; always in bins.
    pub throughput: Table<ThroughputRow>,
    /// What arrived (acknowledged, or reported by SACK), also outside of the stretch that the rest is of.
    pub rates: Table<ThroughputRow>,
    /// Exceptional events by kind, in the order of [`MarkKind::ALL`].
    pub marks: Vec<(MarkKind, Table<MarkRow>)>,
    /// Position that counts as 0.
    pub base: u64,
    /// Largest values: position sent, right edge, window, flight.
    pub extent: Largest,
    /// The sending socket over time; empty without a kernel's samples.
    pub socket: Vec<SocketPoint>,
}

/// The largest values of a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Largest {
    /// Position sent.
    pub nxt: u64,
    /// Right edge.
    pub edge: Option<u64>,
    /// Window.
    pub window: Option<u64>,
    /// Flight.
    pub flight: u64,
}

/// What there is to draw of a connection.
#[derive(Clone, Debug)]
pub struct Recording {
    /// By the index of the sending endpoint.
    pub halves: [HalfRecording; 2],
    /// Every packet, or `None` where there were too many.
    pub packets: Option<Vec<PacketRow>>,
    /// Packets, listed or not.
    pub packet_count: u64,
    /// The stretch of time that this is of, nanoseconds from the first packet.
    pub from: i64,
    /// Its end.
    pub to: i64,
}
