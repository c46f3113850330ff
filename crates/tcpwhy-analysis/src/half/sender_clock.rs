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
    /// By how much the shift may err.
    jitter: i64,
    held: VecDeque<AckEvent>,
}

impl SenderClock {
    /// ACKs held at once; beyond it the oldest are let go.
    const MAX_HELD: usize = 4096;

    pub(crate) fn shift(&self) -> i64 {
        self.shift
    }

    pub(crate) fn set_shift(&mut self, shift: i64, jitter: i64) {
        self.shift = shift.max(0);
        self.jitter = if self.shift > 0 { jitter } else { 0 };
    }

    /// The sender has an ACK when it is captured.
    pub(crate) fn is_immediate(&self) -> bool {
        self.shift == 0 && self.held.is_empty()
    }

    /// Takes an ACK as captured that the sender does not have yet. Returns one that can wait no longer.
    pub(crate) fn hold(&mut self, ack: AckEvent) -> Option<AckEvent> {
        self.held.push_back(AckEvent { time: ack.time + self.shift, ..ack });
        if self.held.len() > Self::MAX_HELD { self.held.pop_front() } else { None }
    }

    /// The next ACK that the sender had processed before it sent, at `time`, data that echoes `echo`.
    pub(crate) fn release(&mut self, time: i64, echo: Option<u32>) -> Option<AckEvent> {
        let first = self.held.front()?;
        let is_processed = match (first.tsval, echo) {
            (Some(tsval), Some(echo)) => {
                let ticks = tsval.wrapping_sub(echo) as i32;
                ticks < 0 || (ticks == 0 && first.time <= time + self.jitter)
            }
            _ => first.time <= time + self.jitter,
        };
        if !is_processed {
            return None;
        }
        let mut ack = self.held.pop_front()?;
        ack.time = ack.time.min(time);
        Some(ack)
    }

    /// Up to where ACKs that are still held must have reached the sender by `time`, whether or not data has echoed them yet.
    pub(crate) fn reached(&self, time: i64) -> Option<u64> {
        let patience = self.shift / 2 + self.jitter;
        self.held.iter().take_while(|a| a.time + patience <= time).map(|a| a.ack).max()
    }

    /// What is still held, in order, at the end of the capture.
    pub(crate) fn release_rest(&mut self) -> Option<AckEvent> {
        self.held.pop_front()
    }
}
