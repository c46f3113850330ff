//! Packets as they come from the kernel.

use std::io::{self, Write};
use std::time::Instant;

use tcpwhy_capture::{PcapngWriter, Section, decode_frame};
use tcpwhy_live::{Capturing, Interface, Packet, PacketRing};
use tcpwhy_model::Anomalies;
use tcpwhy_report::{Args, Wording};

use crate::predicate::Expression;
use crate::wrong::{Result, Wrong};

/// Blocks of the ring: 32 MB hold what passes in two seconds at 87,000 packets a second.
pub(super) const BLOCKS: usize = 128;

/// Captures what passes `interface`, `any` of them or one. `no_right` is the message for who may not.
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

/// Begins a capture as every one of tcpwhy's begins.
pub(crate) fn begin_pcapng<W: Write>(out: W, heading: &Heading) -> io::Result<PcapngWriter<W>> {
    let application = concat!("tcpwhy ", env!("CARGO_PKG_VERSION"));
    let section = Section { system: &heading.system, application, interface: &heading.interface, ..Section::default() };
    PcapngWriter::with_section(out, heading.link_type, heading.snaplen, &section)
}

/// A capture that was asked to end goes on until it has what passed before.
pub(crate) struct Ending {
    until: Instant,
    blocks: usize,
}

impl Ending {
    /// It was asked to `now`.
    pub(crate) fn begin(now: Instant) -> Self {
        // A packet lies in a block that is handed over when it is old enough; the ring may be full, and one is being filled.
        Self { until: now + 3 * PacketRing::patience(), blocks: BLOCKS + 1 }
    }

    /// Whether that was all, after a block was looked for. However much more passes, it ends once the ring was read through.
    pub(crate) fn is_over(&mut self, had_block: bool, now: Instant) -> bool {
        self.blocks = self.blocks.saturating_sub(usize::from(had_block));
        self.blocks == 0 || (!had_block && now >= self.until)
    }
}

/// What a capture begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heading {
    /// Of the packets, by the numbers of captures.
    pub(crate) link_type: u16,
    /// Bytes of each packet at most.
    pub(crate) snaplen: u32,
    /// The interface.
    pub(crate) interface: String,
    /// The operating system.
    pub(crate) system: String,
}

/// Picks packets by the ends of their connections.
pub(crate) struct PacketFilter {
    wanted: Option<Expression>,
    link_type: u16,
    anomalies: Anomalies,
}

impl PacketFilter {
    /// Those that `wanted` holds for, or all.
    pub(crate) fn new(wanted: Option<Expression>, link_type: u16) -> Self {
        Self { wanted, link_type, anomalies: Anomalies::default() }
    }

    /// Whether this is one of them. One that cannot be decoded is none.
    pub(crate) fn wants(&mut self, packet: Packet<'_>) -> bool {
        let Some(wanted) = &self.wanted else { return true };
        let link_type = u32::from(self.link_type);
        // Whoever reads the recording is told what is odd in it.
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
        // There is always a block.
        let mut busy = Ending::begin(now);
        let turns = (0..10 * BLOCKS).position(|_| busy.is_over(true, later));
        assert_eq!(turns, Some(BLOCKS), "all that was there, and no more");
    }
}
