use std::sync::Arc;

use serde::Serialize;
use tcpwhy_analysis as analysis;
use tcpwhy_analysis::Side;

use crate::Names;
use crate::Site;
use crate::clock::rfc3339;
use crate::community_id;
use crate::dto::{Answer, Exchanges, Finding, Half, Id, KernelHalf, LiveFacts, Presentation};
use crate::json;
use crate::text::kernel_word::both_of;

/// One TCP connection: one incarnation of its four-tuple.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Connection {
    /// Number in the order of first packets, from 0; numbering continues from file to file.
    pub id: u64,
    /// Index into `captures`; null if several captures were merged.
    pub(crate) capture: Option<usize>,
    /// Community ID, version 1 with seed 0: the id of this flow in the logs of Zeek and Suricata.
    pub(crate) community_id: String,
    /// The two ends; the first one sent the first captured packet.
    pub(crate) endpoints: [Endpoint; 2],
    /// Index into `endpoints` of the end that sent the SYN; null if the SYN was not seen.
    pub(crate) initiator: Option<usize>,
    /// Time of the first packet, nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// The same time as RFC 3339, in UTC.
    pub(crate) start: String,
    /// Seconds from the first to the last packet.
    pub(crate) duration_s: f64,
    /// Packet number of the first packet in its capture.
    pub(crate) first_packet: u64,
    /// Segments in each direction, by index of the sending endpoint, empty ones included.
    pub(crate) packets: [u64; 2],
    /// Place of the capture.
    pub(crate) vantage: Vantage,
    /// The answer about this connection alone.
    pub(crate) answer: Answer,
    /// `closed`, `half_closed`, `reset_by_0`, `reset_by_1`, `open`, `unanswered`,
    /// `refused` or `handshake_incomplete`.
    pub(crate) ending: Id,
    /// `true` if the capture's clock is wrong, so that times are meaningless: exclude the connection from
    /// sums of times. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) has_wrong_clock: Option<bool>,
    /// The directions that carried payload: 0, 1 or 2.
    pub(crate) halves: Vec<Half>,
    /// Requests and their answers; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exchanges: Option<Exchanges>,
    /// Findings about the connection as a whole; those of a direction are in its half.
    pub(crate) findings: Vec<Finding>,
    /// Data that only a live connection has, or one recorded together with its kernel's data.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) live: Option<LiveFacts>,
}

/// One end of a connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Endpoint {
    /// IP address.
    pub(crate) address: String,
    /// TCP port.
    pub(crate) port: u16,
    /// Name of the address, if names were asked for and it has one (`--names`, `--names=dns`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Name by which the client addressed this end, its server, in its first bytes: the server name of TLS or
    /// the host of HTTP. Only if it was asked for (`--names`, `--names=sni`) and captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_name: Option<String>,
}

impl Endpoint {
    fn new(connection: &analysis::Connection, side: Side, names: Option<&Arc<Names>>) -> Self {
        let end = connection.endpoints[side.index()];
        let name = names.and_then(|names| names.of(end.address));
        let server_name = connection.name_of(side).map(str::to_owned);
        Self { address: end.address.to_string(), port: end.port, name, server_name }
    }
}

/// Place of a capture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Vantage {
    /// `sender-side of endpoint 0`: near that endpoint, which sends most of the data; `receiver-side of …`:
    /// near the receiver; `middle`; `unknown`.
    pub(crate) position: String,
    /// Index into `endpoints` of the end at which it was taken; null for the middle and if unknown.
    pub(crate) endpoint: Option<usize>,
    /// Basis of the estimate.
    pub(crate) basis: String,
}

impl Connection {
    /// Appends it to `out` as JSON, on one line or on indented lines.
    ///
    /// # Errors
    /// No error is known: JSON can represent every value.
    #[inline(never)]
    pub fn append_json(&self, out: &mut Vec<u8>, is_pretty: bool) -> serde_json::Result<()> {
        json::append(out, self, is_pretty)
    }

    /// The connection as it is in JSON. `capture` is the index of its capture.
    pub fn new(connection: &analysis::Connection, capture: Option<usize>, presentation: Presentation<'_>) -> Self {
        let seconds = connection.span.seconds();
        let about = |sender| Presentation { site: Some(Site::of(connection, sender)), ..presentation };
        let mut whole = Self {
            id: connection.id,
            capture,
            community_id: community_id(connection.endpoints),
            endpoints: [Side::A, Side::B]
                .map(|side| Endpoint::new(connection, side, presentation.wording.catalogue().names())),
            initiator: connection.initiator.map(Side::index),
            start_ns: connection.span.start().as_nanos(),
            start: rfc3339(connection.span.start()),
            duration_s: seconds,
            first_packet: connection.first_packet,
            packets: connection.packets,
            vantage: Vantage::new(connection),
            answer: Answer::of_connection(connection, presentation),
            ending: connection.ending.id().into(),
            has_wrong_clock: connection.has_wrong_clock.then_some(true),
            halves: connection.halves.iter().map(|h| Half::new(h, about(Some(h.sender)))).collect(),
            exchanges: connection.exchanges.as_deref().map(Exchanges::new),
            findings: connection
                .findings
                .iter()
                .map(|f| Finding::new(f, connection.seconds_of(f), about(None)))
                .collect(),
            live: connection.kernel.as_ref().and_then(|view| LiveFacts::beside_packets(connection, view)),
        };
        for (half, of) in whole.halves.iter_mut().zip(&connection.halves) {
            half.kernel = both_of(connection, of).map(|both| KernelHalf::new(of, both, presentation));
        }
        whole
    }

    /// The connection with timelines that have only the interval at `moment`, in nanoseconds after the first
    /// packet, or no interval.
    pub fn at_moment(
        connection: &analysis::Connection,
        capture: Option<usize>,
        presentation: Presentation<'_>,
        moment: i64,
    ) -> Self {
        let mut whole = Self::new(connection, capture, Presentation { with_timeline: true, ..presentation });
        let time = connection.span.start().plus(moment);
        for (half, of) in whole.halves.iter_mut().zip(&connection.halves) {
            let index = of.limits.index_at(time);
            let held = half.timeline.take().into_iter().flatten().enumerate();
            half.timeline = Some(held.filter(|&(i, _)| Some(i) == index).map(|(_, interval)| interval).collect());
        }
        whole
    }
}

impl Vantage {
    fn new(connection: &analysis::Connection) -> Self {
        let estimate = connection.vantage;
        let position = match estimate.near {
            Some(side) => {
                let role =
                    if connection.main_sender().is_none_or(|sender| sender == side) { "sender" } else { "receiver" };
                format!("{role}-side of endpoint {}", side.index())
            }
            None if estimate.is_middle => "middle".into(),
            None => "unknown".into(),
        };
        Self { position, endpoint: estimate.near.map(Side::index), basis: estimate.basis.id().into() }
    }
}
