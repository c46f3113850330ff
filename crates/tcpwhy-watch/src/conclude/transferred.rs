//! What the kernel shows of a transfer, for simulations of it.

use tcpwhy_analysis::{LossFacts, Measured, PathFacts, TransferFacts, WrittenFacts};
use tcpwhy_model::{ByteCount, Limit, LimitTimeline};

use crate::connection::LiveConnection;
use crate::socket::paces_itself;

impl LiveConnection {
    /// What its socket showed while it sent `bytes`, whose time is under `limits`. `None` where all of it
    /// fits a first window, or the length of segments is not known.
    ///
    /// Unlike packets, the kernel shows no distances of segments: the path's rate is known where the path
    /// bound.
    pub(super) fn transferred(&self, limits: &LimitTimeline, bytes: ByteCount) -> Option<Box<TransferFacts>> {
        let info = &self.last.socket.info;
        if bytes <= TransferFacts::FIRST_WINDOW * info.snd_mss? || limits.span().nanos() <= 0 {
            return None;
        }
        let under = |limit: Limit| self.rates.under.iter().find(|under| under.limit == limit);
        let window = self.rates.under.iter().map(|under| under.window).max().unwrap_or_default();
        let path_rate = self.path_rate(limits, bytes);
        let retransmitted = info.total_retrans.unwrap_or_default().saturating_sub(self.first.retransmitted);
        Some(Box::new(TransferFacts {
            path: PathFacts {
                steady: self.rates.best_delivery.map(|rate| rate as f64),
                full: path_rate,
                ..PathFacts::default()
            },
            losses: LossFacts {
                segments: retransmitted,
                is_overflow: retransmitted > 0 && path_rate.is_some(),
                policed: None,
            },
            windows: [0, window],
            handshake: None,
            plateau: under(Limit::SendBuffer)
                .filter(|under| under.nanos > 0.0)
                .map(|under| (under.flight / under.nanos) as u64),
            bytes_under: Limit::ALL.map(|limit| under(limit).map_or(0.0, |under| under.bytes)),
            written: WrittenFacts::default(),
            pauses: 0,
            largest_packet: 0,
            syn_mss: 0,
            has_timestamps: true,
            is_pacing: self.last.socket.congestion_control.as_deref().is_some_and(paces_itself),
            measured: Measured::default(),
        }))
    }
}
