//! Sent and unacknowledged data, segment by segment (`tcp_rtx_queue`).

#[cfg(test)]
mod invariants;

use std::collections::VecDeque;

use super::departure::Departure;
use crate::segment::Range;
use crate::time::Time;

/// A segment in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OnItsWay {
    pub(super) seq: u64,
    pub(super) end: u64,
    /// The first byte of its buffer. Segments of one buffer were sent together.
    pub(super) buffer: u64,
    /// Time of the last send.
    pub(super) at: Time,
    /// Whether its last byte has a push flag, because a write ended there (`tcb->tcp_flags`).
    pub(super) is_push: bool,
    /// Whether it was delivered (`TCPCB_SACKED_ACKED`).
    pub(super) is_sacked: bool,
    /// Whether it is marked lost (`TCPCB_LOST`).
    pub(super) is_lost: bool,
    /// Whether its retransmission is in flight (`TCPCB_SACKED_RETRANS`).
    pub(super) is_resent: bool,
    /// Whether it was ever retransmitted (`TCPCB_EVER_RETRANS`).
    pub(super) was_resent: bool,
    /// State of the delivery rate at the last send.
    pub(super) departure: Departure,
}

impl OnItsWay {
    const fn waits_for_resending(&self) -> bool {
        self.is_lost && !self.is_resent && !self.is_sacked
    }
}

/// All segments, with the kernel's counters.
#[derive(Debug, Default)]
pub(super) struct Sent {
    all: VecDeque<OnItsWay>,
    /// `sacked_out`.
    pub(super) sacked: u64,
    /// `lost_out`.
    pub(super) lost: u64,
    /// `retrans_out`.
    pub(super) resent: u64,
    /// `lost`: number of times that segments were marked lost.
    pub(super) ever_lost: u64,
    /// Index before which no segment waits for a retransmission; the search for the next one starts here.
    hint: usize,
}

impl Sent {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// `packets_out`.
    pub(super) fn count(&self) -> u64 {
        self.all.len() as u64
    }

    /// `tcp_packets_in_flight`.
    pub(super) fn in_flight(&self) -> u64 {
        (self.count() + self.resent).saturating_sub(self.sacked + self.lost)
    }

    pub(super) fn first(&self) -> Option<&OnItsWay> {
        self.all.front()
    }

    pub(super) fn last(&self) -> Option<&OnItsWay> {
        self.all.back()
    }

    /// The end of the last sacked segment, if any (`tcp_highest_sack_seq`).
    pub(super) fn highest_sacked(&self) -> Option<u64> {
        (self.sacked > 0).then(|| self.all.iter().rev().find(|one| one.is_sacked).map(|one| one.end)).flatten()
    }

    /// Whether a segment was retransmitted (`tcp_any_retrans_done`).
    pub(super) fn has_any_resent(&self) -> bool {
        self.resent > 0 || self.all.front().is_some_and(|first| first.was_resent)
    }

    pub(super) fn push(&mut self, seq: u64, end: u64, buffer: u64, at: Time, departure: Departure) {
        self.all.push_back(OnItsWay {
            seq,
            end,
            buffer,
            at,
            is_push: false,
            is_sacked: false,
            is_lost: false,
            is_resent: false,
            was_resent: false,
            departure,
        });
    }

    /// Sets the push flag of the last segment.
    pub(super) fn push_last(&mut self) {
        if let Some(last) = self.all.back_mut() {
            last.is_push = true;
        }
    }

    /// Whether the segment that ends at `end` has a push flag.
    pub(super) fn is_push_at(&self, end: u64) -> bool {
        let place = self.all.partition_point(|one| one.end < end);
        self.all.get(place).is_some_and(|one| one.end == end && one.is_push)
    }

    /// Removes and returns the first segment, if it ends before or at `una`.
    pub(super) fn pop_before(&mut self, una: u64) -> Option<OnItsWay> {
        let first = *self.all.front().filter(|first| first.end <= una)?;
        self.all.pop_front();
        self.hint = self.hint.saturating_sub(1);
        self.sacked -= u64::from(first.is_sacked);
        self.lost -= u64::from(first.is_lost);
        self.resent -= u64::from(first.is_resent);
        Some(first)
    }

    /// Cuts the first segment at `una`.
    pub(super) fn trim(&mut self, una: u64) {
        if let Some(first) = self.all.front_mut() {
            first.seq = first.seq.max(una);
        }
    }

    /// Marks segments within `block` as delivered, and passes their previous state to `each`.
    pub(super) fn sack(&mut self, block: Range, mut each: impl FnMut(OnItsWay)) {
        let begin = self.all.partition_point(|one| one.seq < block.0);
        for one in self.all.iter_mut().skip(begin).take_while(|one| one.end <= block.1) {
            if one.is_sacked {
                continue;
            }
            each(*one);
            self.sacked += 1;
            self.lost -= u64::from(one.is_lost);
            self.resent -= u64::from(one.is_resent);
            (one.is_sacked, one.is_lost, one.is_resent) = (true, false, false);
        }
    }

    /// Marks segments lost as `is_lost` decides, and returns their number. A lost retransmission is no longer
    /// in flight.
    pub(super) fn mark_lost(&mut self, mut is_lost: impl FnMut(&OnItsWay) -> Judged) -> u64 {
        let mut marked = 0;
        for (place, one) in self.all.iter_mut().enumerate() {
            if one.is_sacked || (one.is_lost && !one.is_resent) {
                continue;
            }
            match is_lost(one) {
                Judged::Lost => {
                    self.lost += u64::from(!one.is_lost);
                    self.resent -= u64::from(one.is_resent);
                    (one.is_lost, one.is_resent) = (true, false);
                    self.hint = self.hint.min(place);
                    marked += 1;
                }
                Judged::OnItsWay => {}
                Judged::AllLater => break,
            }
        }
        self.ever_lost += marked;
        marked
    }

    /// Clears all loss marks (`tcp_undo_cwnd_reduction`).
    pub(super) fn forget_lost(&mut self) {
        for one in &mut self.all {
            one.is_lost = false;
        }
        self.lost = 0;
        self.hint = 0;
    }

    /// The next run of lost segments of one buffer to retransmit, with at most `most` segments.
    pub(super) fn next_lost(&mut self, most: u64) -> Option<Run> {
        if self.resent >= self.lost {
            return None;
        }
        while let Some(one) = self.all.get(self.hint) {
            if one.waits_for_resending() {
                let (seq, buffer) = (one.seq, one.buffer);
                let most = usize::try_from(most.max(1)).unwrap_or(usize::MAX);
                let rest = self.all.iter().skip(self.hint).take(most);
                let run = rest.take_while(|one| one.buffer == buffer && one.waits_for_resending());
                let (end, segments) = run.fold((seq, 0_usize), |(_, count), one| (one.end, count + 1));
                let next = self.all.get(self.hint + segments);
                let is_cut = next.is_some_and(|next| next.buffer == buffer && next.waits_for_resending());
                return Some(Run { seq, end, segments: segments as u64, is_cut });
            }
            self.hint += 1;
        }
        None
    }

    /// Marks the segments of a run as retransmitted. The remaining part of their buffer becomes a separate
    /// buffer (`tcp_fragment`).
    pub(super) fn resend(&mut self, run: Run, now: Time, departure: Departure) {
        let place = self.all.partition_point(|one| one.seq < run.seq);
        let buffer = self.all.get(place).map(|one| one.buffer);
        for one in self.all.iter_mut().skip(place).take_while(|one| Some(one.buffer) == buffer) {
            if one.seq >= run.end {
                one.buffer = run.end;
                continue;
            }
            one.buffer = run.seq;
            self.resent += u64::from(!one.is_resent);
            one.is_resent = true;
            one.was_resent = true;
            one.at = now;
            one.departure = departure;
        }
    }
}

/// Consecutive segments of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) seq: u64,
    pub(super) end: u64,
    pub(super) segments: u64,
    /// Whether more of the buffer follows.
    pub(super) is_cut: bool,
}

impl From<OnItsWay> for Run {
    fn from(one: OnItsWay) -> Self {
        Self { seq: one.seq, end: one.end, segments: 1, is_cut: false }
    }
}

/// Decision about a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Lost,
    OnItsWay,
    /// Neither this one nor any later one is lost.
    AllLater,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn five() -> Sent {
        let mut sent = Sent::default();
        for n in 0..5 {
            sent.push(n * 100, (n + 1) * 100, n / 2 * 200, n, Departure::default());
        }
        sent
    }

    #[test]
    fn counts_follow_what_becomes_of_segments() {
        let mut sent = five();
        let mut seen = Vec::new();
        sent.sack((200, 400), |one| seen.push(one.seq));
        sent.sack((200, 400), |_| panic!("once"));
        assert_eq!((seen, sent.sacked, sent.in_flight(), sent.highest_sacked()), (vec![200, 300], 2, 3, Some(400)));
        let judge = |one: &OnItsWay| if one.seq < 200 { Judged::Lost } else { Judged::AllLater };
        assert_eq!(sent.mark_lost(judge), 2);
        assert_eq!((sent.lost, sent.in_flight()), (2, 1));
        assert_eq!(sent.next_lost(9).unwrap().seq, 0);
        let run = sent.next_lost(1).unwrap();
        assert_eq!(run, Run { seq: 0, end: 100, segments: 1, is_cut: true });
        sent.resend(run, 9, Departure::default());
        assert_eq!((sent.resent, sent.in_flight(), sent.next_lost(9).unwrap().seq), (1, 2, 100));
        // The retransmission is lost too.
        assert_eq!(sent.mark_lost(|one| if one.seq == 0 { Judged::Lost } else { Judged::OnItsWay }), 1);
        assert_eq!((sent.lost, sent.resent, sent.next_lost(9).unwrap().seq), (2, 0, 0));
        while sent.pop_before(450).is_some() {}
        assert_eq!((sent.count(), sent.sacked, sent.lost, sent.resent), (1, 0, 0, 0));
        sent.trim(450);
        assert_eq!(sent.first().unwrap().seq, 450);
    }
}
