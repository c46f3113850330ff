//! Facts for the rule about other users of a transfer's path.

use std::net::IpAddr;

use tcpwhy_model::{Flow, Transport};

/// End that a transfer and its neighbours share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedEnd {
    /// The receiving host.
    Receiver,
    /// The sending host.
    Sender,
}

/// Other traffic while the path limited a transfer.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourFacts {
    /// Bytes of the transfer's packets in that time.
    pub(crate) own: f64,
    /// Length of that time, nanoseconds.
    pub(crate) nanos: i64,
    /// Other flows, most bytes first.
    pub(crate) neighbours: Vec<Neighbour>,
    /// The shared end.
    pub(crate) end: SharedEnd,
    /// Whether the rates show that both use one link.
    pub(crate) is_shared: bool,
}

/// Flows of one protocol between two hosts, or small flows of many senders to one host.
#[derive(Clone, Debug)]
pub(crate) struct Neighbour {
    pub(crate) transport: Transport,
    /// The first flow; `None` for small flows.
    pub(crate) flow: Option<Flow>,
    pub(crate) to: IpAddr,
    /// Number of flows.
    pub(crate) flows: u64,
    /// Bytes of packets while the path limited the transfer.
    pub(crate) bytes: f64,
    /// Whether the flows are between the hosts of the transfer.
    pub(crate) is_of_same_hosts: bool,
}

impl Neighbour {
    /// Whether these are other connections between the same hosts.
    pub(crate) fn is_sibling(&self) -> bool {
        self.transport == Transport::Tcp && self.is_of_same_hosts
    }

    /// Protocol and addresses, equal in all languages: `UDP 192.0.2.1:5001 → 192.0.2.2:9`.
    pub(crate) fn name(&self) -> String {
        /// IANA "Assigned Internet Protocol Numbers".
        const ESP: u8 = 50;
        const SCTP: u8 = 132;
        let protocol = match self.transport {
            Transport::Tcp => "TCP".to_owned(),
            Transport::Udp => "UDP".to_owned(),
            Transport::Other(ESP) => "ESP".to_owned(),
            Transport::Other(SCTP) => "SCTP".to_owned(),
            Transport::Other(number) => format!("IP/{number}"),
        };
        match self.flow {
            Some(flow) if self.flows == 1 && flow.to.port != 0 => format!("{protocol} {} → {}", flow.from, flow.to),
            Some(flow) if self.flows == 1 => format!("{protocol} {} → {}", flow.from.address, flow.to.address),
            Some(flow) => format!("{} × {protocol} {} → {}", self.flows, flow.from.address, flow.to.address),
            None => format!("{} × {protocol} → {}", self.flows, self.to),
        }
    }
}
