//! The time of a direction by cause, as kernel and packets together show it.

use tcpwhy_analysis::SocketKind;
use tcpwhy_model::{Cause, Decider, Interval, Limit, LimitTimeline, TimelineBuilder, Timestamp};

use super::kinds::Kinds;

/// The time of `packets`, in which the kernel's cause counts where it has another kind. Time that the kernel
/// did not see stays as it is.
pub(super) fn merged(packets: &LimitTimeline, kernel: &LimitTimeline, kinds: Kinds) -> LimitTimeline {
    let mut builder = TimelineBuilder::new(packets.span().start());
    let mut rest = kernel.intervals();
    for of_packets in packets.intervals() {
        let (mut at, end) = (of_packets.span.start(), of_packets.span.end());
        while at < end {
            while let [first, others @ ..] = rest
                && first.span.end() <= at
            {
                rest = others;
            }
            at = match rest.first() {
                Some(of_kernel) if of_kernel.span.start() <= at => {
                    let until = of_kernel.span.end().min(end);
                    if is_decided_by_kernel(of_kernel.cause, of_packets.cause, kinds) {
                        builder.push(until, of_kernel.cause, of_kernel.confidence, None);
                    } else {
                        keep(&mut builder, of_packets, until, Some(of_kernel.cause));
                    }
                    until
                }
                next => {
                    let until = next.map_or(end, |next| next.span.start().min(end));
                    keep(&mut builder, of_packets, until, None);
                    until
                }
            };
        }
    }
    builder.finish()
}

/// Whether the kernel's cause counts at an instant: the socket knows which kind of cause it was. Repairs are
/// the packets': they show each one, and samples miss those in between.
pub(super) fn is_decided_by_kernel(kernel: Cause, packets: Cause, kinds: Kinds) -> bool {
    let is_seen_by_packets = matches!(packets.limit, Limit::LossRecovery | Limit::Handshake);
    let kind = kinds.kind(kernel);
    kind.is_some() && kind != kinds.kind(packets) && !is_seen_by_packets
}

/// What the packets show, without the other limit that the kernel's cause excludes.
fn keep(builder: &mut TimelineBuilder, of_packets: &Interval, until: Timestamp, kernel: Option<Cause>) {
    let is_confirmed = kernel.is_some_and(|kernel| SocketKind::of(kernel) == SocketKind::of(of_packets.cause));
    let is_possible = |&other: &(Limit, Decider)| !is_confirmed || !is_excluded(of_packets.cause, other);
    let alternative = of_packets.alternative.filter(is_possible);
    builder.push_decided(until, of_packets.cause, of_packets.confidence, alternative, of_packets.why);
}

/// Whether a socket that shows the kind of `cause` excludes the other limit of a doubt. It does if that limit
/// has another kind, or if samples settle the doubt.
pub(super) fn is_excluded(cause: Cause, (other, decider): (Limit, Decider)) -> bool {
    decider == Decider::LiveSampling || SocketKind::of(Cause::plain(other)) != SocketKind::of(cause)
}
