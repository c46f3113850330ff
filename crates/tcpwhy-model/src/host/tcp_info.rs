macro_rules! tcp_info {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// `struct tcp_info` of `include/uapi/linux/tcp.h` without its prefix `tcpi_`. A field that the kernel or `ss` did
        /// not give is `None`; `ss` leaves out most fields that are 0.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct TcpInfo {
            $($(#[$doc])* pub $name: Option<u64>,)+
        }

        impl TcpInfo {
            /// Every field by name, known or not.
            pub fn fields(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// The field of this name, to be set.
            pub fn field_mut(&mut self, name: &str) -> Option<&mut Option<u64>> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            /// Takes from `older` what is not known here.
            pub fn complete(&mut self, older: &Self) {
                $(self.$name = self.$name.or(older.$name);)+
            }

            /// Every field that is known, by name.
            pub fn known(&self) -> impl Iterator<Item = (&'static str, u64)> {
                self.fields().filter_map(|(name, value)| value.map(|v| (name, v)))
            }
        }
    };
}

impl TcpInfo {
    /// Segments in flight (`tcp_packets_in_flight`). A recording may say anything.
    pub fn segments_in_flight(&self) -> Option<u64> {
        let left = self.sacked?.saturating_add(self.lost?);
        Some(self.unacked?.saturating_add(self.retrans?).saturating_sub(left))
    }
}

tcp_info! {
    /// State of the congestion control: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss.
    ca_state,
    /// Timeouts in a row that were not answered.
    retransmits,
    /// Probes of a closed window or keep-alives that were not answered.
    probes,
    /// How often the timeout was doubled.
    backoff,
    /// 1 if the connection uses timestamps.
    timestamps,
    /// 1 if it uses selective acknowledgements.
    sack,
    /// 1 if it negotiated ECN.
    ecn,
    /// 1 if a packet with ECT was seen.
    ecn_seen,
    /// 1 if data in the SYN was acknowledged.
    fast_open,
    /// Shift that the peer applies to its windows; `None` without window scaling.
    snd_wscale,
    /// Shift that this end applies to its windows; `None` without window scaling.
    rcv_wscale,
    /// 1 if the delivery rate was measured while the application gave too little.
    delivery_rate_app_limited,
    /// Retransmission timeout, µs.
    rto,
    /// Timeout of delayed acknowledgements, µs.
    ato,
    /// Maximum segment size in use when sending, bytes.
    snd_mss,
    /// Maximum segment size seen when receiving, bytes.
    rcv_mss,
    /// Segments sent and not acknowledged; of a listener: connections waiting to be accepted.
    unacked,
    /// Segments acknowledged selectively; of a listener: how many connections may wait.
    sacked,
    /// Segments held for lost.
    lost,
    /// Segments retransmitted and not acknowledged.
    retrans,
    /// Forward-most segment acknowledged selectively; before Linux 4.15.
    fackets,
    /// Time since data was sent, ms.
    last_data_sent,
    /// Time since data was received, ms.
    last_data_recv,
    /// Time since an acknowledgement was received, ms.
    last_ack_recv,
    /// MTU of the path, bytes.
    pmtu,
    /// What receive autotuning lets the window grow to for now, bytes.
    rcv_ssthresh,
    /// Smoothed round trip time, µs.
    rtt,
    /// Its mean deviation, µs.
    rttvar,
    /// Slow start threshold, segments; `None` while there is none.
    snd_ssthresh,
    /// Congestion window, segments.
    snd_cwnd,
    /// Maximum segment size that this end told the peer, bytes.
    advmss,
    /// Reordering that is tolerated, segments.
    reordering,
    /// Round trip time as the receiver sees it, µs.
    rcv_rtt,
    /// What the application read in a round trip, bytes.
    rcv_space,
    /// Segments retransmitted in all.
    total_retrans,
    /// Rate of the pacer, bytes/s; `None` while there is none.
    pacing_rate,
    /// Ceiling of the pacer (`SO_MAX_PACING_RATE`), bytes/s; `None` when not set.
    max_pacing_rate,
    /// Bytes acknowledged (RFC 4898 tcpEStatsAppHCThruOctetsAcked).
    bytes_acked,
    /// Bytes received in order.
    bytes_received,
    /// Segments sent.
    segs_out,
    /// Segments received.
    segs_in,
    /// Bytes that the application wrote and TCP has not sent.
    notsent_bytes,
    /// Smallest round trip time of late, µs.
    min_rtt,
    /// Segments with data received.
    data_segs_in,
    /// Segments with data sent.
    data_segs_out,
    /// Newest measured rate of delivery, bytes/s.
    delivery_rate,
    /// Time with data to send or in flight, µs, in steps of a clock tick.
    busy_time,
    /// Time of that which the peer's window held it back, µs.
    rwnd_limited,
    /// Time of that which the send buffer held it back, µs. 0 does not clear the send buffer: Linux starts this clock only
    /// when the congestion window is not the limit (`tcp_cwnd_validate`).
    sndbuf_limited,
    /// Segments delivered.
    delivered,
    /// Segments delivered with a mark of congestion.
    delivered_ce,
    /// Bytes sent, repeats included.
    bytes_sent,
    /// Bytes retransmitted.
    bytes_retrans,
    /// Segments that the peer said it had got twice.
    dsack_dups,
    /// Reordering events.
    reord_seen,
    /// Segments received out of order.
    rcv_ooopack,
    /// The window that the peer offers, bytes; Linux 5.4.
    snd_wnd,
    /// The window that this end offers, bytes; Linux 6.2. May exceed what the wire can carry: 65,535 << `rcv_wscale`.
    rcv_wnd,
    /// Changes of the flow label after timeouts; Linux 6.2.
    rehash,
    /// Retransmission timeouts in all; Linux 6.7.
    total_rto,
    /// Recoveries by timeout.
    total_rto_recoveries,
    /// Time in them, ms.
    total_rto_time,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tcp_packets_in_flight`: sacked or lost segments have left, retransmitted ones have not.
    #[test]
    fn what_is_in_flight() {
        for ((unacked, retrans, sacked, lost), expected) in
            [((10, 0, 0, 0), 10), ((10, 2, 0, 0), 12), ((10, 0, 3, 0), 7), ((10, 0, 0, 4), 6), ((1, 0, 3, 0), 0)]
        {
            let mut info = TcpInfo { unacked: Some(unacked), retrans: Some(retrans), ..TcpInfo::default() };
            (info.sacked, info.lost) = (Some(sacked), Some(lost));
            assert_eq!(info.segments_in_flight(), Some(expected), "{unacked} {retrans} {sacked} {lost}");
        }
    }
}
