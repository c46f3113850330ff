//! Packets as they come from the kernel.

use anyhow::{Result, anyhow};
use tcpwhy_capture::decode_frame;
use tcpwhy_live::{Capturing, Interface, Packet, PacketRing};
use tcpwhy_model::Anomalies;
use tcpwhy_report::{Args, Wording};

use crate::expression::Expression;

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
        anyhow!(wording.catalogue().text(id, &args))
    })
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
