//! Two timelines of the same time, side by side.

use tcpwhy_model::{Cause, LimitTimeline};

/// What the kernel and the packets show of a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    pub(crate) kernel: Cause,
    pub(crate) packets: Cause,
    pub(crate) nanos: i64,
}

/// All stretches that both timelines cover, in order of time.
pub(crate) fn overlaps(kernel: &LimitTimeline, packets: &LimitTimeline) -> Vec<Overlap> {
    let (mut a, mut b) = (kernel.intervals().iter().peekable(), packets.intervals().iter().peekable());
    let mut found = Vec::new();
    while let (Some(of_kernel), Some(of_packets)) = (a.peek(), b.peek()) {
        let start = of_kernel.span.start().max(of_packets.span.start());
        let end = of_kernel.span.end().min(of_packets.span.end());
        let nanos = end.since(start);
        if nanos > 0 {
            found.push(Overlap { kernel: of_kernel.cause, packets: of_packets.cause, nanos });
        }
        if of_kernel.span.end() <= of_packets.span.end() {
            a.next();
        } else {
            b.next();
        }
    }
    found
}
