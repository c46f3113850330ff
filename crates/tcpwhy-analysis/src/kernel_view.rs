//! The kernel's data about a connection whose packets were captured as well.

use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};
use tcpwhy_model::{Limit, LimitTimeline};

use crate::kernel_word::KernelWord;
use crate::side::Side;
use crate::thresholds::DISAGREE_FROM;

/// The kernel's data about a captured connection.
#[derive(Clone, Debug, Default)]
pub struct KernelView {
    /// The sockets of its ends that belong to this host.
    pub sockets: Vec<KernelSocket>,
    /// The directions whose sender is on this host.
    pub halves: Vec<KernelHalf>,
}

/// A socket of one end.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSocket {
    /// The end of the socket.
    pub side: Side,
    /// Key of the socket.
    pub key: SocketKey,
    /// The process that has it open, if visible.
    pub process: Option<Process>,
    /// Number of samples of the socket.
    pub samples: u64,
    /// Time between the first and the last sample, seconds.
    pub seconds: f64,
    /// Buffers that its program has set, if visible.
    pub locks: Option<BufferLocks>,
    /// Whether the socket is closed.
    pub has_ended: bool,
}

/// Kernel and packets compared for one direction, in the time that both cover.
#[derive(Clone, Debug)]
pub struct KernelHalf {
    /// The sender.
    pub sender: Side,
    /// Number of samples of its socket.
    pub samples: u64,
    /// Limits according to the kernel's samples.
    pub kernel: LimitTimeline,
    /// Limits according to the packets.
    pub packets: LimitTimeline,
    /// Share of that time that they assign to different groups of limits (path, send buffer, receive window,
    /// application): half of the sum of the differences. Time that either does not observe is omitted.
    pub disagreement: f64,
    /// The kernel's own clocks of the socket, if it has them.
    pub clocks: Option<KernelClocks>,
    /// Time of the direction for which the kernel shows the cause, nanoseconds.
    pub watched: i64,
    /// Effect of the kernel's data on the verdict.
    pub word: KernelWord,
}

/// Values of the clocks in `tcp_info` while a socket was observed (`tcp_chrono_start`, Linux 4.10),
/// nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelClocks {
    /// Length of the observation.
    pub watched: i64,
    /// Time with data to send or in flight.
    pub busy: i64,
    /// Part of the busy time that the peer's window limited.
    pub receive_window: i64,
    /// Part of the busy time that the send buffer limited, as far as the kernel notices.
    pub send_buffer: i64,
    /// Whether its congestion control paces (BBR).
    pub paces: bool,
}

impl KernelClocks {
    /// Whether the clock of the send buffer missed most of the time in `kernel` that the send buffer limited.
    /// The clock starts only if a transmission leaves nothing unsent while a writer already waits
    /// (`tcp_cwnd_validate`). Writers mostly begin to wait after it.
    pub fn misses_send_buffer(&self, kernel: &LimitTimeline) -> bool {
        let held = kernel.nanos_of(Limit::SendBuffer);
        held > least(kernel) && self.send_buffer < held / 2
    }

    /// Whether the clock of the peer's window differs from the time in `kernel` that the window limited. A
    /// pacing sender leaves room in the window while data waits for the pacer, and the clock may count that
    /// either way.
    pub fn misses_window(&self, kernel: &LimitTimeline) -> bool {
        let held = kernel.nanos_of(Limit::ReceiveWindow);
        let difference = (held - self.receive_window).abs();
        self.paces && difference > least(kernel) && 2 * difference > held.max(self.receive_window)
    }
}

/// Returns the least time in `kernel` that is worth reporting, nanoseconds.
fn least(kernel: &LimitTimeline) -> i64 {
    (kernel.span().nanos() as f64 * DISAGREE_FROM.get()) as i64
}

impl KernelHalf {
    /// Whether they differ by more than a tenth, and by more than the sampling error.
    pub fn disagrees(&self) -> bool {
        is_difference(self.disagreement, chance(self.samples))
    }
}

/// Returns the sampling error of a share with this many samples: 1.96 standard errors of a share of one half.
pub fn chance(samples: u64) -> f64 {
    0.98 / (samples.max(1) as f64).sqrt()
}

/// Whether shares that differ by `difference` differ by more than a tenth, and by more than `chance`.
pub fn is_difference(difference: f64, chance: f64) -> bool {
    difference > DISAGREE_FROM.get().max(chance)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, TimelineBuilder, Timestamp};

    use super::*;

    fn timeline(parts: &[(i64, Cause)]) -> LimitTimeline {
        let mut builder = TimelineBuilder::new(Timestamp::ZERO);
        for &(end, cause) in parts {
            builder.push(Timestamp::from_nanos(end * 1_000_000_000), cause, 0.9, None);
        }
        builder.finish()
    }

    fn half(disagreement: f64, samples: u64) -> KernelHalf {
        let (kernel, packets) = (timeline(&[]), timeline(&[]));
        let word = KernelWord::Agrees;
        KernelHalf { sender: Side::A, samples, kernel, packets, disagreement, clocks: None, watched: 0, word }
    }

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);

    #[test]
    fn few_samples_prove_little() {
        assert!(half(0.11, 1000).disagrees() && !half(0.09, 1000).disagrees());
        assert!(!half(0.2, 10).disagrees() && half(0.5, 10).disagrees());
    }

    #[test]
    fn clocks_miss_what_the_samples_show() {
        const SECOND: i64 = 1_000_000_000;
        let clocks = |receive_window, send_buffer, paces| KernelClocks {
            watched: 10 * SECOND,
            busy: 10 * SECOND,
            receive_window: receive_window * SECOND,
            send_buffer: send_buffer * SECOND,
            paces,
        };
        let buffer = timeline(&[(8, BUFFER), (10, WINDOW)]);
        assert!(clocks(2, 1, false).misses_send_buffer(&buffer) && !clocks(2, 7, false).misses_send_buffer(&buffer));
        // If the buffer limited for less than a tenth, nothing is missed.
        assert!(!clocks(10, 0, false).misses_send_buffer(&timeline(&[(10, WINDOW)])));
        let window = timeline(&[(10, WINDOW)]);
        assert!(clocks(4, 0, true).misses_window(&window) && !clocks(9, 0, true).misses_window(&window));
        // The clock counts time in which the window was not the limit.
        assert!(clocks(6, 0, true).misses_window(&timeline(&[(10, Cause::plain(Limit::Path))])));
        assert!(!clocks(4, 0, false).misses_window(&window), "only a sender that paces leads it astray");
    }
}
