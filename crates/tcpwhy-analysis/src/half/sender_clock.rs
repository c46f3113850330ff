//! Puts ACKs where the sender had processed them.
//!
//! A capture away from the sender shows an ACK before the sender has it. A data segment's `TSecr` names the newest ACK that
//! its sender had processed (RFC 7323 §4.3), so ACKs are held back until data echoes them, and are otherwise shifted by
//! the delay between the capture point and the sender, measured as the time from an ACK to the first data that echoes it.

use std::collections::VecDeque;

use super::event::AckEvent;

#[derive(Clone, Debug, Default)]
pub(crate) struct SenderClock {
    /// Delay from capture point to sender and back to it, in nanoseconds; 0 at the sender.
    shift: i64,
    /// By how much the shift may err, nanoseconds: a millisecond at most.
    jitter: u32,
    held: VecDeque<AckEvent>,
    /// How many of the held, from the first on, must have reached the sender, and the highest of those that ever did.
    due: u32,
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
        self.jitter = jitter.clamp(0, i64::from(u32::MAX)) as u32;
    }

    /// The sender has an ACK when it is captured.
    pub(crate) fn is_immediate(&self) -> bool {
        self.shift == 0 && self.held.is_empty()
    }

    /// Takes an ACK as captured that the sender does not have yet. Returns one that can wait no longer.
    pub(crate) fn hold(&mut self, ack: AckEvent) -> Option<AckEvent> {
        self.held.push_back(AckEvent { time: ack.time + self.shift, ..ack });
        if self.held.len() > Self::MAX_HELD { self.let_go() } else { None }
    }

    /// The next ACK that the sender had processed before it sent, at `time`, data that echoes `echo`.
    pub(crate) fn release(&mut self, time: i64, echo: Option<u32>) -> Option<AckEvent> {
        let first = self.held.front()?;
        let is_processed = match (first.tsval, echo) {
            (Some(tsval), Some(echo)) => {
                let ticks = tsval.wrapping_sub(echo) as i32;
                ticks < 0 || (ticks == 0 && first.time <= time + i64::from(self.jitter))
            }
            _ => first.time <= time + i64::from(self.jitter),
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
        let patience = self.shift / 2 + i64::from(self.jitter);
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
        self.held.pop_front()
    }

    /// Bytes of memory beyond its own size.
    pub(crate) fn heap(&self) -> usize {
        self.held.capacity() * size_of::<AckEvent>()
    }
}
