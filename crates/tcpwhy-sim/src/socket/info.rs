//! A socket's `tcp_info`, by the names of its fields.

use super::Socket;

impl Socket {
    /// The field `name`; `None` if it is not simulated.
    pub(crate) fn info(&self, name: &str) -> Option<i64> {
        let (sent, recovery) = (&self.sent, &self.recovery);
        let value = match name {
            "tcpi_snd_cwnd" => self.window.size,
            "tcpi_snd_ssthresh" => self.window.threshold,
            "tcpi_unacked" => sent.count(),
            "tcpi_sacked" => sent.sacked,
            "tcpi_lost" => sent.lost,
            "tcpi_retrans" => sent.resent,
            "tcpi_total_retrans" => self.counts.retransmitted,
            "tcpi_ca_state" => recovery.phase as u64,
            "tcpi_reordering" => recovery.reordering,
            "tcpi_reord_seen" => recovery.reordering_seen,
            "tcpi_delivered" => recovery.delivered,
            "tcpi_rtt" => self.round_trip.eighths() / 8,
            "tcpi_rto" => self.round_trip.rto() / 1_000,
            "tcpi_snd_mss" => self.mss(),
            "tcpi_advmss" => self.rules.advertised_mss,
            "tcpi_notsent_bytes" => self.queue.written() - self.nxt,
            _ => return None,
        };
        Some(value.cast_signed())
    }
}
