use tcpwhy_model::{Anomalies, Span};

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
