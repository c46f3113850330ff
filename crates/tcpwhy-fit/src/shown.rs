//! Properties that the packets show directly.

use tcpwhy_analysis::{Connection, HalfConnection, TransferFacts, Vantage};
use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_scenario::End;

use crate::path_rate::PathRate;
use crate::unfit::Unfit;

/// A direction of a connection, with the properties from which a world is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) half: &'a HalfConnection,
    pub(crate) facts: &'a TransferFacts,
    /// Minimum round trip, seconds.
    pub(crate) rtt: f64,
    /// Payload of a full segment, bytes.
    pub(crate) mss: u64,
    pub(crate) mtu: u32,
    pub(crate) is_ipv6: bool,
    pub(crate) opener: End,
    pub(crate) rate: PathRate,
}

/// TCP and IPv4 headers with timestamps; IPv6 has 20 bytes more.
const HEADERS: u64 = 52;
/// Bytes of the timestamps option per segment.
const TIMESTAMPS: u64 = 12;
/// Ethernet overhead: preamble, header, checksum, gap.
pub(crate) const ETHERNET: u64 = 38;

impl<'a> Shown<'a> {
    pub(crate) fn of(connection: &'a Connection, half: &'a HalfConnection) -> Result<Self, Unfit> {
        let facts = half.transfer.as_deref().ok_or(Unfit::Small)?;
        let own = half.rtt.map(|(rtt, _)| rtt.min);
        let rtt = [own, connection.rtt_min, facts.handshake].into_iter().flatten().min().filter(|&rtt| rtt > 0);
        let rtt = rtt.ok_or(Unfit::NoRoundTrip)? as f64 / 1e9;
        let is_ipv6 = connection.endpoints[0].address.is_ipv6();
        // A small window reduces the size of segments, but not that of the path.
        let options = if facts.has_timestamps { TIMESTAMPS } else { 0 };
        let mss = half.mss.unwrap_or(1448).max(facts.syn_mss.saturating_sub(options)).clamp(500, 65_000);
        let headers = HEADERS + if is_ipv6 { 20 } else { 0 };
        // The rebuilt transfer has timestamps.
        let mtu = if mss + headers - 12 == 1500 { 1500 } else { mss + headers };
        let pace = half.bytes as f64 / half.span.seconds().max(1e-6);
        let rate = PathRate::of(&facts.path, pace, half.vantage == Vantage::Receiver, facts.is_pacing);
        let rate = if facts.is_pacing { rate.behind_pacing(&facts.path) } else { rate };
        // The transmission time of a segment is part of the round trip here, and is added again by the
        // simulation.
        let is_of_data = facts.handshake.is_none_or(|handshake| handshake as f64 / 1e9 > rtt);
        let serialised = if is_of_data && rate.is_seen { mss as f64 / rate.likely } else { 0.0 };
        let rtt = (rtt - serialised).max(rtt / 2.0);
        Ok(Self {
            half,
            facts,
            rtt,
            mss,
            mtu: u32::try_from(mtu).unwrap_or(1500),
            is_ipv6,
            opener: if connection.initiator == Some(half.sender) { End::Sender } else { End::Receiver },
            rate,
        })
    }

    /// Bytes on the wire per byte of payload.
    pub(crate) fn on_wire(&self) -> f64 {
        (f64::from(self.mtu) + ETHERNET as f64) / self.mss as f64
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.half.span.seconds()
    }

    /// Seconds under `limit`.
    pub(crate) fn under(&self, limit: Limit) -> f64 {
        self.half.limits.nanos_of(limit) as f64 / 1e9
    }

    /// Seconds under `detail`.
    pub(crate) fn under_detail(&self, detail: Detail) -> f64 {
        self.half.limits.nanos_of_cause(Cause::from(detail)) as f64 / 1e9
    }

    /// Share of the time under `limit`.
    pub(crate) fn share(&self, limit: Limit) -> f64 {
        self.under(limit) / self.seconds().max(1e-9)
    }
}
