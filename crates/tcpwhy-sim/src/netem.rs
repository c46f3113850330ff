//! A router that delays whole packets, with Linux's netem at both interfaces (`net/sched/sch_netem.c`).

use std::collections::VecDeque;

use tcpwhy_path::link::LinkCounts;
use tcpwhy_scenario::{BitRate, Nanos, Share, splitmix};

use crate::time::{SECOND, Time};

/// Bytes of an ARP request or reply with its Ethernet header.
const ARP_BYTES: u64 = 14 + 28;

/// netem's settings, the same in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Netem {
    /// Rate at which packets leave; `None` means no limit.
    pub rate: Option<BitRate>,
    /// Delay of each packet.
    pub delay: Nanos,
    /// Maximum number of packets per direction, including those in the delay (`limit`). A burst of
    /// segmentation offload is one packet.
    pub limit: u64,
    /// Share of lost packets in the direction to the receiver.
    pub loss: Share,
    /// Whether hosts and router know each other's addresses.
    pub neighbours: Neighbours,
}

/// Whether addresses of the next hop are known (RFC 826).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbours {
    /// All addresses are known.
    #[default]
    Known,
    /// The first packet waits for two exchanges: its host queries the router, then the router queries the
    /// other host.
    Unknown,
}

/// One direction.
#[derive(Debug)]
pub(crate) struct Delay<T> {
    settings: Netem,
    loss: Share,
    seed: u64,
    /// Queued packets, with the time of departure.
    queue: VecDeque<(Time, u64, T)>,
    counts: LinkCounts,
    /// Start of the current sequence of packets without a gap.
    busy_since: Time,
}

impl<T> Delay<T> {
    /// A direction; only one of the two loses packets.
    pub(crate) fn new(settings: Netem, is_lossy: bool, seed: u64) -> Self {
        let loss = if is_lossy { settings.loss } else { Share(0.0) };
        Self { settings, loss, seed, queue: VecDeque::new(), counts: LinkCounts::default(), busy_since: 0 }
    }

    /// Queues a packet (`netem_enqueue`).
    pub(crate) fn accept(&mut self, now: Time, bytes: u64, item: T) {
        let number = self.counts.frames;
        self.counts.frames += 1;
        self.counts.bytes += bytes;
        if self.is_lost(number) {
            self.counts.drops.random += 1;
        } else if self.queue.len() as u64 >= self.settings.limit {
            self.counts.drops.queue += 1;
        } else {
            // Waiting for earlier packets counts as part of the delay, so a packet that waits long enough has
            // only its transmission time.
            let ready = now + self.settings.delay.0;
            if self.queue.back().is_none_or(|&(last, ..)| last <= ready) {
                self.busy_since = now;
            }
            let ready = self.queue.back().map_or(ready, |&(last, ..)| ready.max(last));
            self.queue.push_back((ready + self.takes(bytes), bytes, item));
        }
    }

    fn is_lost(&self, number: u64) -> bool {
        let drawn = splitmix::mix(self.seed.wrapping_add((number + 1).wrapping_mul(splitmix::GAMMA)));
        ((drawn >> 11) as f64) < self.loss.0 * (1_u64 << 53) as f64
    }

    /// `packet_time_ns`: rates are whole bytes per second.
    fn takes(&self, bytes: u64) -> Time {
        let rate = self.settings.rate.map_or(0, |rate| rate.0 / 8);
        (bytes * SECOND).checked_div(rate).unwrap_or(0)
    }

    /// Time that the first packet waits for addresses. Each of the two exchanges is delayed in one direction.
    pub(crate) fn wait_for_neighbours(&self) -> Time {
        match self.settings.neighbours {
            Neighbours::Known => 0,
            Neighbours::Unknown => 2 * (self.settings.delay.0 + self.takes(ARP_BYTES)),
        }
    }

    /// Time since packets have been following each other without a gap; 0 if a packet would leave right after
    /// its delay.
    pub(crate) fn busy_for(&self, now: Time) -> Time {
        let is_busy = self.queue.back().is_some_and(|&(last, ..)| last > now + self.settings.delay.0);
        if is_busy { now - self.busy_since } else { 0 }
    }

    /// Departure time of the next packet.
    pub(crate) fn next_due(&self) -> Option<Time> {
        self.queue.front().map(|&(due, ..)| due)
    }

    /// The next packet that has departed (`netem_dequeue`).
    pub(crate) fn deliver(&mut self, now: Time) -> Option<T> {
        self.queue.front().filter(|&&(due, ..)| due <= now)?;
        let (_, bytes, item) = self.queue.pop_front()?;
        self.counts.delivered += 1;
        self.counts.delivered_bytes += bytes;
        Some(item)
    }

    pub(crate) const fn counts(&self) -> &LinkCounts {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::MILLISECOND;

    fn delay(limit: u64) -> Delay<u8> {
        let settings = Netem {
            rate: Some(BitRate(8_000_000)),
            delay: Nanos(10 * MILLISECOND),
            limit,
            loss: Share(0.5),
            neighbours: Neighbours::Unknown,
        };
        Delay::new(settings, false, 1)
    }

    /// A packet of 1,000 bytes takes 1 ms at 8 Mbit/s.
    #[test]
    fn the_rate_counts_behind_the_delay() {
        let mut delay = delay(10);
        delay.accept(0, 1_000, 1);
        delay.accept(0, 1_000, 2);
        delay.accept(11 * MILLISECOND, 1_000, 3);
        assert_eq!(delay.next_due(), Some(11 * MILLISECOND));
        assert_eq!(delay.deliver(11 * MILLISECOND), Some(1));
        assert_eq!(delay.deliver(11 * MILLISECOND), None);
        assert_eq!((delay.next_due(), delay.deliver(12 * MILLISECOND)), (Some(12 * MILLISECOND), Some(2)));
        assert_eq!(delay.next_due(), Some(22 * MILLISECOND));
    }

    #[test]
    fn packets_in_the_delay_count() {
        let mut delay = delay(2);
        for n in 0..3 {
            delay.accept(0, 60_000, n);
        }
        assert_eq!((delay.counts().drops.queue, delay.queue.len()), (1, 2));
    }

    #[test]
    fn neighbours_are_asked_once_each() {
        assert_eq!(delay(2).wait_for_neighbours(), 20 * MILLISECOND + 2 * 42_000);
    }

    #[test]
    fn half_of_the_packets_are_lost() {
        let mut delay = Delay::new(delay(2).settings, true, 7);
        for n in 0..1_000 {
            delay.accept(n * SECOND, 100, ());
            delay.deliver((n + 1) * SECOND);
        }
        assert!((450..550).contains(&delay.counts().drops.random), "{}", delay.counts().drops.random);
    }
}
