use tcpwhy_analysis::Connection;

/// Numbers of the connections of one source, in the order of their first packets, regardless of how the work
/// was divided.
pub enum Numbering {
    /// One analyzer saw all connections, so they have their numbers.
    Final,
    /// Several analyzers saw a part each, so the rank of the first packet is the number.
    ByFirstPacket(Vec<u64>),
}

impl Numbering {
    /// The numbering of connections that start at these packets, given in any order.
    pub(crate) fn by_first_packet(mut first_packets: Vec<u64>) -> Self {
        first_packets.sort_unstable();
        Self::ByFirstPacket(first_packets)
    }

    /// The number of `connection` in the report, after `before` connections of earlier sources.
    pub fn number(&self, connection: &Connection, before: u64) -> u64 {
        match self {
            Self::Final => connection.id,
            Self::ByFirstPacket(sorted) => before + sorted.partition_point(|&p| p < connection.first_packet) as u64,
        }
    }
}
