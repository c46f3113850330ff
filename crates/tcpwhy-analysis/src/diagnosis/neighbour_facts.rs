//! What the rule about neighbours looks at.

use std::net::IpAddr;

use tcpwhy_model::{Flow, Transport};

/// Which end a transfer and its neighbours share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedEnd {
    /// The receiving host.
    Receiver,
    /// The sending host.
    Sender,
}

/// What passed beside a transfer while the path held it.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourFacts {
    /// Bytes of the transfer's packets in that time.
    pub(crate) own: f64,
    /// How long that was, nanoseconds.
    pub(crate) nanos: i64,
    /// The others, most bytes first.
    pub(crate) neighbours: Vec<Neighbour>,
    /// What they share.
    pub(crate) end: SharedEnd,
    /// Their rates show that both use one link.
    pub(crate) is_shared: bool,
}

/// Flows of one protocol between two hosts, or small ones of many senders to one host.
#[derive(Clone, Debug)]
pub(crate) struct Neighbour {
    pub(crate) transport: Transport,
    /// The first of them; `None` of small ones.
    pub(crate) flow: Option<Flow>,
    pub(crate) to: IpAddr,
    /// How many flows.
    pub(crate) flows: u64,
    /// Bytes of packets while the path held the transfer.
    pub(crate) bytes: f64,
    /// Between the hosts of the transfer.
    pub(crate) is_of_same_hosts: bool,
}

impl Neighbour {
    /// Other connections between the same hosts.
    pub(crate) fn is_sibling(&self) -> bool {
        self.transport == Transport::Tcp && self.is_of_same_hosts
    }

    /// Protocol and addresses, the same in all languages: `UDP 192.0.2.1:5001 → 192.0.2.2:9`.
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
