//! Packet capture from the kernel's ring.

use std::io::{self, Write};
use std::time::Instant;

use tcpwhy_capture::{PcapngWriter, Section, decode_frame};
use tcpwhy_live::{Capturing, Interface, Packet, PacketRing};
use tcpwhy_model::Anomalies;
use tcpwhy_report::{Args, Wording};

use crate::predicate::Expression;
use crate::wrong::{Result, Wrong};

/// Blocks of the ring: 32 MB are enough for two seconds at 87,000 packets per second.
pub(super) const BLOCKS: usize = 128;

/// Captures the packets of `interface`, which may be `any`. `no_right` is the error message without the
/// capability.
pub(crate) fn open_ring(
    interface: &str,
    capturing: Capturing,
    wording: Wording<'_>,
    no_right: &str,
) -> Result<PacketRing> {
    let of = if interface == "any" { Interface::Any } else { Interface::Named(interface) };
    PacketRing::open(of, capturing, BLOCKS).map_err(|error| {
        let args = Args::new().text("interface", interface).text("error", error.to_string());
        let id = match error.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => no_right,
            Some(libc::ENODEV | libc::ENXIO) => "record-no-interface",
            Some(libc::ENETDOWN) => "record-interface-down",
            _ => "record-no-ring",
        };
        Wrong::said(wording.catalogue().text(id, &args))
    })
}

/// Writes the section header of tcpwhy's captures.
pub(crate) fn begin_pcapng<W: Write>(out: W, heading: &Heading) -> io::Result<PcapngWriter<W>> {
    let application = concat!("tcpwhy ", env!("CARGO_PKG_VERSION"));
    let section = Section { system: &heading.system, application, interface: &heading.interface, ..Section::default() };
    PcapngWriter::with_section(out, heading.link_type, heading.snaplen, &section)
}

/// The end of a capture: it continues until it has the packets that passed before the stop.
pub(crate) struct Ending {
    until: Instant,
    blocks: usize,
}

impl Ending {
    /// Starts the end at `now`.
    pub(crate) fn begin(now: Instant) -> Self {
        // The kernel hands over a block when it is full or old enough. So the last packets come late, from a
        // full ring and one more block.
        Self { until: now + 3 * PacketRing::patience(), blocks: BLOCKS + 1 }
    }

    /// Whether the capture is complete, after one attempt to read a block. It ends after one pass through the
    /// ring, even if packets keep arriving.
    pub(crate) fn is_over(&mut self, had_block: bool, now: Instant) -> bool {
        self.blocks = self.blocks.saturating_sub(usize::from(had_block));
        self.blocks == 0 || (!had_block && now >= self.until)
    }
}

/// The header data of a capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heading {
    /// Link type of the packets (`LINKTYPE_…` number).
    pub(crate) link_type: u16,
    /// Largest number of bytes kept per packet.
    pub(crate) snaplen: u32,
    /// Name of the interface.
    pub(crate) interface: String,
    /// Name and release of the operating system.
    pub(crate) system: String,
}

/// Selects packets by the endpoints of their connections.
pub(crate) struct PacketFilter {
    wanted: Option<Expression>,
    link_type: u16,
    anomalies: Anomalies,
}

impl PacketFilter {
    /// Creates a filter for packets that match `wanted`, or for all.
    pub(crate) fn new(wanted: Option<Expression>, link_type: u16) -> Self {
        Self { wanted, link_type, anomalies: Anomalies::default() }
    }

    /// Whether `packet` matches. A packet that cannot be decoded does not.
    pub(crate) fn wants(&mut self, packet: Packet<'_>) -> bool {
        let Some(wanted) = &self.wanted else { return true };
        let link_type = u32::from(self.link_type);
        // The anomalies are discarded: reading the recording reports them.
        let segment = decode_frame(link_type, packet.data, packet.original_len, 0, packet.time, &mut self.anomalies);
        segment.is_some_and(|segment| wanted.holds(&[segment.source, segment.destination]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_line_ends_and_a_quiet_one_is_waited_for() {
        let now = Instant::now();
        let later = now + 3 * PacketRing::patience();
        let mut quiet = Ending::begin(now);
        assert!(!quiet.is_over(false, now), "what passed just now is not handed over yet");
        assert!(!quiet.is_over(true, later), "more may be ready");
        assert!(quiet.is_over(false, later));
        // A busy host, where every attempt finds a block.
        let mut busy = Ending::begin(now);
        let turns = (0..10 * BLOCKS).position(|_| busy.is_over(true, later));
        assert_eq!(turns, Some(BLOCKS), "all that was there, and no more");
    }
}
