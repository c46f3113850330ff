//! Collects the facts of a direction with which `tcpwhy-fit` rebuilds its transfer.

use tcpwhy_model::{Limit, LimitTimeline};

use super::bottleneck::Bottleneck;
use super::moved::Moved;
use crate::facts::half::Half;
use crate::facts::half::spacing::Spacings;
use crate::transfer::{LossFacts, Measured, PathFacts, TransferFacts};

/// Facts of `half`, given the time under each limit; `None` if all of its data fits a first congestion
/// window.
pub(super) fn facts_of(
    half: &Half,
    limits: &LimitTimeline,
    moved: &Moved,
    bottleneck: &Bottleneck,
) -> Option<Box<TransferFacts>> {
    if half.counts.bytes <= TransferFacts::FIRST_WINDOW * half.mss() || limits.span().nanos() <= 0 {
        return None;
    }
    let ledger = &half.ledger;
    let spurious = half.spurious_segments();
    Some(Box::new(TransferFacts {
        path: PathFacts {
            trains: half.train_quantiles(),
            spacings: half.spacings().map(Spacings::rates).unwrap_or_default(),
            closest: half.closest().into(),
            served: half.served_rate(),
            steady: half.steady_rate(),
            full: match bottleneck {
                Bottleneck::Full(rate) | Bottleneck::Held(rate) | Bottleneck::Kept(rate) => Some(*rate),
                Bottleneck::Unknown | Bottleneck::Overflown | Bottleneck::Policer(_) => None,
            },
        },
        losses: LossFacts {
            segments: half.counts.retransmitted_segments.saturating_sub(spurious),
            is_overflow: half.has_overflown_queue(),
            policed: if let Bottleneck::Policer(policer) = bottleneck { Some(policer.rate) } else { None },
        },
        windows: [ledger.window_first(), ledger.window_max()],
        handshake: half.handshake_round_trip(),
        plateau: moved.send_buffer_plateau(),
        bytes_under: Limit::ALL.map(|limit| moved.bytes_under(limit)),
        written: moved.written(),
        pauses: ledger.pauses,
        largest_packet: half.counts.largest_payload,
        syn_mss: half.syn_mss(),
        has_timestamps: half.has_timestamps(),
        is_pacing: ledger.pacing.is_pacing(),
        measured: Measured { wake_up: ledger.wake_up() },
    }))
}
