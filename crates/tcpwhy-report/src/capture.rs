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

/// What is missing of recordings that are explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordingGaps {
    /// Packets that were to be recorded.
    pub packets: u64,
    /// Of those, lost before they could be written.
    pub drops: u64,
    /// Sockets that were more than can be kept.
    pub left_out: u64,
    /// What the kernel said that could not be read: of another version or another machine, or damaged.
    pub unreadable: u64,
}

impl RecordingGaps {
    /// A line for each kind that there is.
    pub fn lines(&self, wording: Wording<'_>) -> Vec<String> {
        let catalogue = wording.catalogue();
        let mut lines = Vec::new();
        if self.drops > 0 {
            let share = self.drops as f64 / self.packets.max(1) as f64;
            let args = Args::new().number("drops", self.drops).text("share", wording.units().share(share));
            lines.push(catalogue.text("record-was-dropped", &args));
        }
        for (id, count) in [("record-left-out", self.left_out), ("record-unknown", self.unreadable)] {
            if count > 0 {
                lines.push(catalogue.text(id, &Args::new().number("count", count)));
            }
        }
        lines
    }
}
