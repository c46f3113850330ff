use tcpwhy_model::live::RecordingGaps;
use tcpwhy_model::{Anomalies, Span};

use crate::{Args, Wording};

/// What is presented of one capture, as its reader counted it.
#[derive(Clone, Debug, Default)]
pub struct CaptureFacts {
    /// As it was named on the command line.
    pub path: String,
    /// Format id: `pcap`, `pcapng`.
    pub format: String,
    /// Packets of any kind.
    pub packets: u64,
    /// TCP segments.
    pub segments: u64,
    /// Packets that are not TCP or could not be read as such.
    pub skipped: u64,
    /// Bytes of packets in the file.
    pub captured_bytes: u64,
    /// Bytes of packets on the wire.
    pub original_bytes: u64,
    /// First to last packet; `None` without packets.
    pub span: Option<Span>,
    /// Link types of its interfaces, as pcap numbers.
    pub link_types: Vec<u32>,
    /// In what ways the input was damaged or unusual.
    pub anomalies: Anomalies,
}

/// A line for each kind of gap in a recording.
pub fn recording_gap_lines(gaps: &RecordingGaps, wording: Wording<'_>) -> Vec<String> {
    let catalogue = wording.catalogue();
    let mut lines = Vec::new();
    if gaps.drops > 0 {
        let share = gaps.drops as f64 / gaps.packets.max(1) as f64;
        let args = Args::new().number("drops", gaps.drops).text("share", wording.units().share(share));
        lines.push(catalogue.text("record-was-dropped", &args));
    }
    for (id, count) in [("record-left-out", gaps.left_out), ("record-unknown", gaps.unreadable)] {
        if count > 0 {
            lines.push(catalogue.text(id, &Args::new().number("count", count)));
        }
    }
    lines
}
