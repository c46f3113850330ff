macro_rules! tcp_info {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// `struct tcp_info` of `include/uapi/linux/tcp.h` without its prefix `tcpi_`. Fields that the kernel
        /// or `ss` did not report are `None`; `ss` omits most fields that are 0.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct TcpInfo {
            $($(#[$doc])* pub $name: Option<u64>,)+
        }

        impl TcpInfo {
            /// Every field by name, known or not.
            pub fn fields(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// The field of this name, mutable.
            pub fn field_mut(&mut self, name: &str) -> Option<&mut Option<u64>> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            /// Fills fields that are unknown here from `older`.
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
    /// Segments in flight (`tcp_packets_in_flight`). Saturating, because a saved recording may contain any
    /// values.
    pub fn segments_in_flight(&self) -> Option<u64> {
        let left = self.sacked?.saturating_add(self.lost?);
        Some(self.unacked?.saturating_add(self.retrans?).saturating_sub(left))
    }
}

tcp_info! {
    /// State of the congestion control: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss.
    ca_state,
    /// Consecutive retransmission timeouts without an answer.
    retransmits,
    /// Unanswered zero window probes or keep-alives.
    probes,
    /// Number of times the timeout was doubled.
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
    /// 1 if the delivery rate was measured while the application wrote too little.
    delivery_rate_app_limited,
    /// Retransmission timeout, µs.
    rto,
    /// Timeout of delayed acknowledgements, µs.
    ato,
    /// Maximum segment size in use when sending, bytes.
    snd_mss,
    /// Maximum segment size seen when receiving, bytes.
    rcv_mss,
    /// Segments sent and not acknowledged; for a listener: connections waiting to be accepted.
    unacked,
    /// Segments acknowledged selectively; for a listener: the maximum length of its accept queue.
    sacked,
    /// Segments regarded as lost.
    lost,
    /// Segments retransmitted and not acknowledged.
    retrans,
    /// Highest segment acknowledged selectively; before Linux 4.15.
    fackets,
    /// Time since data was sent, ms.
    last_data_sent,
    /// Time since data was received, ms.
    last_data_recv,
    /// Time since an acknowledgement was received, ms.
    last_ack_recv,
    /// MTU of the path, bytes.
    pmtu,
    /// Size to which receive autotuning currently lets the window grow, bytes.
    rcv_ssthresh,
    /// Smoothed round trip time, µs.
    rtt,
    /// Its mean deviation, µs.
    rttvar,
    /// Slow start threshold, segments; `None` before the first reduction.
    snd_ssthresh,
    /// Congestion window, segments.
    snd_cwnd,
    /// Maximum segment size that this end advertised to the peer, bytes.
    advmss,
    /// Reordering that is tolerated, segments.
    reordering,
    /// Round trip time measured by the receiver, µs.
    rcv_rtt,
    /// Bytes that the application read in one round trip.
    rcv_space,
    /// Segments retransmitted in all.
    total_retrans,
    /// Pacing rate, bytes/s; `None` without pacing.
    pacing_rate,
    /// Maximum pacing rate (`SO_MAX_PACING_RATE`), bytes/s; `None` if not set.
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
    /// Smallest recent round trip time, µs.
    min_rtt,
    /// Segments with data received.
    data_segs_in,
    /// Segments with data sent.
    data_segs_out,
    /// Latest measured delivery rate, bytes/s.
    delivery_rate,
    /// Time with data to send or in flight, µs, in steps of a clock tick.
    busy_time,
    /// Part of that time in which the peer's window was the limit, µs.
    rwnd_limited,
    /// Part of that time in which the send buffer was the limit, µs. 0 does not rule out the send buffer:
    /// Linux starts this clock only if the congestion window is not the limit (`tcp_cwnd_validate`).
    sndbuf_limited,
    /// Segments delivered.
    delivered,
    /// Segments delivered with an ECN congestion mark.
    delivered_ce,
    /// Bytes sent, retransmissions included.
    bytes_sent,
    /// Bytes retransmitted.
    bytes_retrans,
    /// Segments that the peer reported as duplicates (DSACK).
    dsack_dups,
    /// Reordering events.
    reord_seen,
    /// Segments received out of order.
    rcv_ooopack,
    /// Window that the peer advertises, bytes; Linux 5.4.
    snd_wnd,
    /// Window that this end advertises, bytes; Linux 6.2. May exceed the largest encodable window: 65,535 <<
    /// `rcv_wscale`.
    rcv_wnd,
    /// Changes of the flow label after timeouts; Linux 6.2.
    rehash,
    /// Retransmission timeouts in all; Linux 6.7.
    total_rto,
    /// Recoveries by timeout.
    total_rto_recoveries,
    /// Time in those recoveries, ms.
    total_rto_time,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tcp_packets_in_flight`: sacked and lost segments are not in flight, retransmitted ones are.
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
