//! Whether the kernel's word decides about a direction.

use tcpwhy_analysis::advise::{chance, is_difference};
use tcpwhy_analysis::{HalfConnection, KernelDifference, KernelWord, KindShares, SocketKind, Verdict};
use tcpwhy_model::{Limit, LimitTimeline, Span};

use super::kinds::Kinds;
use crate::overlap::overlaps;
use crate::thresholds::{KERNEL_DECIDES, KINDS_OF_A_DIFFERENCE};

/// How the kernel was heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    /// So many samples; `None` where it kept an account, which misses nothing.
    pub(super) samples: Option<u64>,
    /// Which kind each cause is.
    pub(super) kinds: Kinds,
}

/// Nanoseconds of `span` of which the kernel shows the cause.
pub(super) fn watched(span: Span, kernel: &LimitTimeline) -> i64 {
    kernel.within(span).sum(|cause| SocketKind::of(cause).is_some()).0
}

/// Whether `watched` nanoseconds are most of the time of `half`.
pub(super) fn is_most(watched: i64, half: &HalfConnection) -> bool {
    KERNEL_DECIDES.is_exceeded(watched.unsigned_abs(), half.limits.span().nanos().unsigned_abs())
}

/// What the word of `kernel` is to the verdict on `half`; `merged` is the one that it would make of it.
pub(super) fn word(
    half: &HalfConnection,
    merged: &Verdict,
    kernel: &LimitTimeline,
    heard: Heard,
    watched: i64,
) -> KernelWord {
    let kind = |verdict: &Verdict| verdict.cause.and_then(|cause| heard.kinds.kind(cause));
    let Some((difference, distance)) = difference(kernel, &half.limits, heard.kinds, kind(merged)) else {
        return KernelWord::Agrees;
    };
    let chance = heard.samples.map_or(0.0, chance);
    // Shares that differ by little may name another cause all the same.
    let is_other_cause = distance > chance && kind(merged) != kind(&half.verdict);
    if !is_difference(distance, chance) && !is_other_cause {
        KernelWord::Agrees
    } else if is_most(watched, half) {
        KernelWord::Decides(difference)
    } else {
        KernelWord::WatchedTooLittle(difference)
    }
}

/// The largest difference between the shares of both, and the part of the time that they assign to different
/// kinds. `None` if they do not differ. If the kernel assigns clearly more to `named`, that comes first.
/// Repairs are left out: packets show each one, and samples miss those in between.
fn difference(
    kernel: &LimitTimeline,
    packets: &LimitTimeline,
    kinds: Kinds,
    named: Option<SocketKind>,
) -> Option<(KernelDifference, f64)> {
    let mut nanos = <[[i64; SocketKind::ALL.len()]; 2]>::default();
    for stretch in overlaps(kernel, packets) {
        let is_repair = stretch.packets.limit == Limit::LossRecovery;
        let both = [stretch.kernel, stretch.packets].map(|cause| kinds.kind(cause).filter(|_| !is_repair));
        if let [Some(by_kernel), Some(by_packets)] = both {
            nanos[0][by_kernel as usize] += stretch.nanos;
            nanos[1][by_packets as usize] += stretch.nanos;
        }
    }
    let all: i64 = nanos[0].iter().sum();
    let shares = |kind: SocketKind| {
        let [kernel, packets] = nanos.map(|by_kind| by_kind[kind as usize] as f64 / all as f64);
        KindShares { kind, kernel, packets }
    };
    let shares = SocketKind::ALL.map(shares);
    let more = |of: &KindShares| of.kernel - of.packets;
    let is_clear = |of: &KindShares| Some(of.kind) == named && is_difference(more(of), 0.0);
    let most = shares.iter().copied().max_by(|a, b| is_clear(a).cmp(&is_clear(b)).then(more(a).total_cmp(&more(b))))?;
    let least = shares.iter().copied().min_by(|a, b| more(a).total_cmp(&more(b)))?;
    let distance = shares.iter().map(|of| more(of).abs()).sum::<f64>() / KINDS_OF_A_DIFFERENCE;
    (distance > 0.0).then_some((KernelDifference { nanos: all, more: most, less: least }, distance))
}
