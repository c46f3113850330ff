//! What the slots around one tell together.

use crate::facts::context::Context;
use crate::facts::slot::Slot;
use crate::thresholds::{RESOLVED_ACKS, UNUSED_SELDOM, part};

/// Sums over a neighbourhood of slots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    pub(super) ack_clocked: i64,
    pub(super) room_unused: i64,
    pub(super) unreleased: i64,
    pub(super) burst: i64,
    pub(super) window_full: i64,
    pub(super) sends: u32,
    pub(super) partial: u32,
    pub(super) sent: u64,
    pub(super) losses: u32,
    /// A loss or a mark cut the congestion window.
    pub(super) has_cut: bool,
    pub(super) bursts: u32,
    pub(super) multi: u32,
    pub(super) period_sum: i64,
    pub(super) periodic_bursts: u32,
    pub(super) steady_bursts: u32,
    pub(super) even_bursts: u32,
    pub(super) ack_released: u32,
    pub(super) least_lag: u16,
    pub(super) ack_time: i64,
    pub(super) ack_covered: i64,
    pub(super) ack_time_squared: f64,
    pub(super) nanos: i64,
    pub(super) ack_gap_max: i64,
    pub(super) advancing_acks: u32,
    pub(super) holes: u32,
    pub(super) partial_ends: u32,
    /// Time whose flight stayed well under what the congestion window had allowed before.
    pub(super) refuted: i64,
    pub(super) peak_flight: u64,
    /// Smallest round trip of all, nanoseconds; `None` without any.
    pub(super) rtt_min: Option<i64>,
    /// The second smallest of the slots' smallest.
    pub(super) rtt_next: Option<i64>,
    pub(super) rtt_sum: i64,
    pub(super) rtt_count: u32,
    pub(super) acked: u64,
    pub(super) edge_advance: u64,
    pub(super) reader_wait: i64,
    pub(super) peer_released: i64,
    /// Least and greatest of the largest windows that the slots were offered, bytes.
    pub(super) window_low: u64,
    pub(super) window_high: u64,
    /// Least [`Slot::echo_excess`] and [`Slot::echo_wait`], and of how many slots.
    pub(super) echo_excess: u32,
    pub(super) echo_wait: u32,
    pub(super) echoes: u32,
}

impl Around {
    /// Time whose cause the gaps themselves leave open.
    pub(super) fn open(&self) -> i64 {
        self.ack_clocked + self.room_unused + self.burst
    }

    /// Mean round trip, nanoseconds.
    pub(super) fn rtt(&self) -> Option<i64> {
        (self.rtt_count > 0).then(|| self.rtt_sum / i64::from(self.rtt_count))
    }

    /// Mean period of the bursts that have one, nanoseconds.
    pub(super) fn period(&self) -> i64 {
        self.period_sum / i64::from(self.periodic_bursts.max(1))
    }

    /// Mean time from one burst to the next, nanoseconds.
    pub(super) fn burst_distance(&self) -> i64 {
        self.nanos / i64::from(self.bursts.max(1))
    }

    /// Away from the sender: in all that time, how much longer than ever the promptest data took after the ACK that it
    /// answers, nanoseconds.
    pub(super) fn excess(&self) -> i64 {
        (i64::from(self.echo_excess) - 1) * 1000
    }

    /// Mean time between ACKs that acknowledged new bytes, nanoseconds.
    pub(super) fn ack_spacing(&self) -> i64 {
        self.ack_time / i64::from(self.advancing_acks.max(1))
    }

    /// Bytes acknowledged per second.
    pub(super) fn rate(&self) -> f64 {
        self.acked as f64 * 1e9 / self.nanos.max(1) as f64
    }
}

pub(super) fn neighbours(all: &[Slot], i: usize, reach: usize) -> &[Slot] {
    &all[i.saturating_sub(reach)..(i + reach + 1).min(all.len())]
}

pub(super) fn around(all: &[Slot], i: usize, reach: usize, context: &Context) -> Around {
    let mut sum = Around::default();
    for s in neighbours(all, i, reach) {
        sum.ack_clocked += s.ack_clocked;
        sum.room_unused += s.room_unused;
        sum.unreleased += s.unreleased;
        sum.burst += s.burst;
        sum.window_full += s.window_full;
        sum.sends += s.sends;
        sum.partial += s.partial_sends;
        sum.sent += s.sent;
        sum.losses += s.retransmissions;
        sum.has_cut |= s.is_cut();
        sum.bursts += s.bursts;
        sum.multi += s.multi_send_bursts;
        sum.period_sum += s.period_sum;
        sum.periodic_bursts += s.periodic_bursts;
        sum.steady_bursts += u32::from(s.steady_bursts);
        sum.even_bursts += u32::from(s.even_bursts);
        if s.ack_released > 0 {
            sum.least_lag = if sum.ack_released == 0 { s.least_lag } else { sum.least_lag.min(s.least_lag) };
            sum.ack_released += s.ack_released;
        }
        sum.ack_time += s.ack_time;
        sum.ack_covered += s.ack_covered;
        sum.ack_time_squared += f64::from(s.ack_time_squared);
        sum.nanos += s.nanos();
        sum.ack_gap_max = sum.ack_gap_max.max(s.ack_gap_max);
        sum.advancing_acks += s.advancing_acks;
        if s.echo_excess > 0 {
            sum.echo_excess = if sum.echoes == 0 { s.echo_excess } else { sum.echo_excess.min(s.echo_excess) };
            sum.echo_wait = if sum.echoes == 0 { s.echo_wait } else { sum.echo_wait.min(s.echo_wait) };
            sum.echoes += 1;
        }
        sum.holes += u32::from(s.holes);
        sum.partial_ends += u32::from(s.partial_ends);
        // Where each ACK can be seen to release its send, a writer that waits for its buffer would show.
        let is_resolved = || {
            !context.ack_times_inferred
                && s.advancing_acks >= RESOLVED_ACKS
                && part(s.room_unused, s.open()) < UNUSED_SELDOM
        };
        if s.is_under_floor() && !is_resolved() {
            sum.refuted += s.ack_clocked + s.burst;
        }
        sum.peak_flight = sum.peak_flight.max(s.peak_flight);
        if let Some(rtt) = s.rtt_min {
            let least = sum.rtt_min.unwrap_or(i64::MAX);
            if rtt < least {
                sum.rtt_next = sum.rtt_min;
                sum.rtt_min = Some(rtt);
            } else if rtt < sum.rtt_next.unwrap_or(i64::MAX) {
                sum.rtt_next = Some(rtt);
            }
        }
        sum.rtt_sum = sum.rtt_sum.saturating_add(s.rtt_sum);
        sum.rtt_count += s.rtt_count;
        sum.acked += s.acked;
        sum.edge_advance += s.edge_advance;
        sum.reader_wait += i64::from(s.reader_wait) * 1000;
        sum.peer_released += i64::from(s.peer_released) * 1000;
        if let Some((_, window)) = s.windows() {
            sum.window_low = if sum.window_low == 0 { window } else { sum.window_low.min(window) };
            sum.window_high = sum.window_high.max(window);
        }
    }
    sum
}
