//! What the kernel reports of a connection whose packets were captured as well.

use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};
use tcpwhy_model::{Limit, LimitTimeline};

use crate::kernel_word::KernelWord;
use crate::side::Side;
use crate::thresholds::DISAGREE_FROM;

/// What the kernel says of a connection that packets tell of too.
#[derive(Clone, Debug, Default)]
pub struct KernelView {
    /// The sockets of its ends, as far as they are of this host.
    pub sockets: Vec<KernelSocket>,
    /// Of the directions whose sender is of this host.
    pub halves: Vec<KernelHalf>,
}

/// A socket of one end.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSocket {
    /// Whose.
    pub side: Side,
    /// Which.
    pub key: SocketKey,
    /// Who has it open, where that could be seen.
    pub process: Option<Process>,
    /// How often it was looked at.
    pub samples: u64,
    /// Seconds between the first and the last look.
    pub seconds: f64,
    /// Which of its buffers its program has set, where that was seen.
    pub locks: Option<BufferLocks>,
    /// Whether it is gone.
    pub has_ended: bool,
}

/// What both say of one direction, in the time that both tell of.
#[derive(Clone, Debug)]
pub struct KernelHalf {
    /// Who sends.
    pub sender: Side,
    /// How often its socket was looked at.
    pub samples: u64,
    /// What the kernel's samples say.
    pub kernel: LimitTimeline,
    /// What packets say.
    pub packets: LimitTimeline,
    /// The share of that time that they give to different groups of limits (path, send buffer, receive
    /// window, application): half of the sum of the differences. What either does not see does not count.
    pub disagreement: f64,
    /// What the kernel's own clocks say of the socket, where it has them.
    pub clocks: Option<KernelClocks>,
    /// Nanoseconds of the direction's time of which the kernel shows the cause.
    pub watched: i64,
    /// What the kernel's word is to the verdict.
    pub word: KernelWord,
}

/// What the clocks of `tcp_info` counted while a socket was watched (`tcp_chrono_start`, Linux 4.10),
/// nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelClocks {
    /// How long that was.
    pub watched: i64,
    /// With data to send or in flight.
    pub busy: i64,
    /// Of that, held by the peer's window.
    pub receive_window: i64,
    /// Of that, held by the send buffer, as far as the kernel notices.
    pub send_buffer: i64,
    /// Its congestion control paces (BBR).
    pub paces: bool,
}

impl KernelClocks {
    /// Whether the clock of the send buffer missed most of the time in `kernel` that the send buffer held: it
    /// starts only where a transmission leaves nothing unsent while a writer waits already
    /// (`tcp_cwnd_validate`), and writers mostly begin to wait after it.
    pub fn misses_send_buffer(&self, kernel: &LimitTimeline) -> bool {
        let held = kernel.nanos_of(Limit::SendBuffer);
        held > least(kernel) && self.send_buffer < held / 2
    }

    /// Whether the clock of the peer's window is another one than the time in `kernel` that the window held.
    /// A sender that paces leaves room in the window while data waits for the pacer, and the clock takes that
    /// for either.
    pub fn misses_window(&self, kernel: &LimitTimeline) -> bool {
        let held = kernel.nanos_of(Limit::ReceiveWindow);
        let difference = (held - self.receive_window).abs();
        self.paces && difference > least(kernel) && 2 * difference > held.max(self.receive_window)
    }
}

/// Less of the time in `kernel` is not worth a word.
fn least(kernel: &LimitTimeline) -> i64 {
    (kernel.span().nanos() as f64 * DISAGREE_FROM.get()) as i64
}

impl KernelHalf {
    /// Whether they differ by more than a tenth, and by more than samples so few may be wrong by chance.
    pub fn disagrees(&self) -> bool {
        is_difference(self.disagreement, chance(self.samples))
    }
}

/// How far shares of so many samples may be wrong by chance: 1.96 standard errors of a share of one half.
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
        // Where the buffer held for less than a tenth nothing is missed.
        assert!(!clocks(10, 0, false).misses_send_buffer(&timeline(&[(10, WINDOW)])));
        let window = timeline(&[(10, WINDOW)]);
        assert!(clocks(4, 0, true).misses_window(&window) && !clocks(9, 0, true).misses_window(&window));
        // It counts what was none.
        assert!(clocks(6, 0, true).misses_window(&timeline(&[(10, Cause::plain(Limit::Path))])));
        assert!(!clocks(4, 0, false).misses_window(&window), "only a sender that paces leads it astray");
    }
}
