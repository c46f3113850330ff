//! Puts ACKs where the sender had processed them.
//!
//! A capture away from the sender shows an ACK before the sender has it. A data segment's `TSecr` names the newest ACK that
//! its sender had processed (RFC 7323 §4.3), so ACKs are held back until data echoes them, and are otherwise shifted by
//! the delay between the capture point and the sender, measured as the time from an ACK to the first data that echoes it.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::event::AckEvent;
use crate::thresholds::ECHO_PATIENCE;

const MICROSECOND: i64 = 1000;

#[derive(Clone, Debug, Default)]
pub(crate) struct SenderClock {
    /// Delay from capture point to sender and back to it, in nanoseconds; 0 at the sender.
    shift: i64,
    /// By how much the shift may err, µs: a millisecond at most.
    jitter: u16,
    /// How many of the held, from the first on, must have reached the sender.
    due: u16,
    /// The held are later than their times say by so much, µs; negative: sooner.
    late: i32,
    /// With the time at which each should have reached the sender, less `late`.
    held: VecDeque<AckEvent>,
    /// The highest of those that must have reached the sender.
    reached: u64,
}

impl SenderClock {
    /// ACKs held at once; beyond it the oldest are let go.
    const MAX_HELD: usize = 4096;

    pub(crate) fn shift(&self) -> i64 {
        self.shift
    }

    pub(crate) fn set_shift(&mut self, shift: i64, jitter: i64) {
        self.shift = shift.max(0);
        let jitter = if self.shift > 0 { jitter } else { 0 };
        self.jitter = (jitter / MICROSECOND).clamp(0, i64::from(u16::MAX)) as u16;
    }

    fn jitter(&self) -> i64 {
        i64::from(self.jitter) * MICROSECOND
    }

    /// How much later than its time says, in nanoseconds, what is held reaches the sender.
    fn late(&self) -> i64 {
        i64::from(self.late) * MICROSECOND
    }

    /// The sender has an ACK when it is captured.
    pub(crate) fn is_immediate(&self) -> bool {
        self.shift == 0 && self.held.is_empty()
    }

    /// Takes an ACK as captured that the sender does not have yet. Returns one that can wait no longer.
    pub(crate) fn hold(&mut self, ack: AckEvent) -> Option<AckEvent> {
        self.held.push_back(AckEvent { time: ack.time + self.shift - self.late(), ..ack });
        if self.held.len() > Self::MAX_HELD { self.let_go() } else { None }
    }

    /// The first ACK of timestamp value `tsval` reached the sender in this time, so all that are held take as much longer or shorter
    /// than assumed.
    pub(crate) fn has_reached(&mut self, tsval: u32, within: RangeInclusive<i64>) {
        let is_before = |a: &AckEvent| a.tsval.is_some_and(|t| (t.wrapping_sub(tsval) as i32) < 0);
        // Those before it are let go next, so they are looked at once.
        let Some(first) = self.held.iter().find(|a| !is_before(a)).filter(|a| a.tsval == Some(tsval)) else { return };
        let assumed = first.time + self.late();
        let late = assumed.clamp(*within.start(), *within.end()) - assumed;
        if late.abs() > self.jitter() {
            let late = self.late() + late;
            self.late = (late / MICROSECOND).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        }
    }

    /// The next ACK that the sender had processed before it sent, at `time`, data that echoes `echo`.
    pub(crate) fn release(&mut self, time: i64, echo: Option<u32>) -> Option<AckEvent> {
        let first = self.held.front()?;
        let is_processed = match (first.tsval, echo) {
            (Some(tsval), Some(echo)) => {
                let ticks = tsval.wrapping_sub(echo) as i32;
                ticks < 0 || (ticks == 0 && first.time + self.late() <= time + self.jitter())
            }
            _ => first.time + self.late() <= time + self.jitter(),
        };
        if !is_processed {
            return None;
        }
        let mut ack = self.let_go()?;
        ack.time = ack.time.min(time);
        Some(ack)
    }

    /// Up to where ACKs must have reached the sender by `time` (0: none has), whether or not data has echoed them yet. Each is looked at
    /// once, however many are held.
    pub(crate) fn reached(&mut self, time: i64) -> u64 {
        let patience = ECHO_PATIENCE.of(self.shift) + self.jitter() + self.late();
        while let Some(ack) = self.held.get(self.due as usize).filter(|a| a.time + patience <= time) {
            self.reached = self.reached.max(ack.ack);
            self.due += 1;
        }
        self.reached
    }

    /// What is still held, in order, at the end of the capture.
    pub(crate) fn release_rest(&mut self) -> Option<AckEvent> {
        self.let_go()
    }

    fn let_go(&mut self) -> Option<AckEvent> {
        self.due = self.due.saturating_sub(1);
        let ack = self.held.pop_front()?;
        Some(AckEvent { time: ack.time + self.late(), ..ack })
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        self.held.capacity() * size_of::<AckEvent>()
    }
}
