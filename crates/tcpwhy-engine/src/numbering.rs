use tcpwhy_analysis::Connection;

/// Numbers the connections of one source in the order of their first packets, however the work was shared out.
pub enum Numbering {
    /// One analyzer saw all: the connections have their numbers.
    Final,
    /// Several saw a part each: the rank of the first packet is the number.
    ByFirstPacket(Vec<u64>),
}

impl Numbering {
    /// For connections that start at these packets, in any order.
    pub(crate) fn by_first_packet(mut first_packets: Vec<u64>) -> Self {
        first_packets.sort_unstable();
        Self::ByFirstPacket(first_packets)
    }

    /// The number of `connection` in the report, `before` connections having come from the sources before this one.
    pub fn number(&self, connection: &Connection, before: u64) -> u64 {
        match self {
            Self::Final => connection.id,
            Self::ByFirstPacket(sorted) => before + sorted.partition_point(|&p| p < connection.first_packet) as u64,
        }
    }
}
