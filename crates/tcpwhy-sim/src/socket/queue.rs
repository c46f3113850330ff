//! Written data that is not sent, and the memory of all unacknowledged data.

#[cfg(test)]
mod invariants;

use std::collections::VecDeque;

use crate::rules::Rules;

/// `SKB_TRUESIZE(GSO_LEGACY_MAX_SIZE)`.
const LARGEST_BUFFER: u64 = 65_536 + 256 + 320;

/// A waiting socket buffer (`sk_write_queue`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) seq: u64,
    pub(super) len: u64,
    /// `TCPHDR_PSH`: a write ends with it.
    pub(super) is_push: bool,
    /// No later data is appended to it (`MSG_EOR`).
    pub(super) is_record: bool,
}

/// Boundaries at the end of sent bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) stream: bool,
    pub(super) write: bool,
}

/// Written data that is not sent.
#[derive(Debug)]
pub(super) struct SendQueue {
    waiting: VecDeque<Waiting>,
    /// Ends of sent socket buffers that are not fully acknowledged. Each releases its overhead only as a
    /// whole.
    sent: VecDeque<(u64, u64)>,
    /// `sk_wmem_queued`.
    memory: u64,
    /// `sk_sndbuf`.
    pub(super) limit: u64,
    overhead: u64,
    /// `tcp_notsent_lowat`.
    most_unsent: u64,
    /// `write_seq`.
    written: u64,
    /// End of the stream; `None` while it is open.
    fin: Option<u64>,
    /// `SOCK_NOSPACE`: a writer waits for room.
    pub(super) is_awaited: bool,
    /// `pushed_seq`.
    pub(super) pushed: u64,
}

impl SendQueue {
    pub(super) fn new(rules: &Rules) -> Self {
        Self {
            waiting: VecDeque::new(),
            sent: VecDeque::new(),
            memory: 0,
            limit: rules.sndbuf,
            overhead: rules.skb_overhead,
            most_unsent: rules.most_unsent,
            written: 0,
            fin: None,
            is_awaited: false,
            pushed: 0,
        }
    }

    #[cfg(test)]
    pub(super) const fn set_most_unsent(&mut self, bytes: u64) {
        self.most_unsent = bytes;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn first(&self) -> Option<Waiting> {
        self.waiting.front().copied()
    }

    pub(super) fn last(&self) -> Option<Waiting> {
        self.waiting.back().copied()
    }

    pub(super) fn count(&self) -> usize {
        self.waiting.len()
    }

    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    pub(super) const fn fin(&self) -> Option<u64> {
        self.fin
    }

    /// Number of sent buffers that are not fully acknowledged.
    pub(super) fn sent_count(&self) -> usize {
        self.sent.len()
    }

    /// `sk_stream_memory_free`.
    pub(super) fn has_room(&self) -> bool {
        self.memory < self.limit && self.unsent() < self.most_unsent
    }

    /// `tcp_notsent_size`.
    fn unsent(&self) -> u64 {
        self.waiting.front().map_or(0, |first| self.written - first.seq)
    }

    /// Whether a buffer in flight must not be split, because the memory of all buffers exceeds twice the sum
    /// of the limit and two bursts (`tcp_fragment`, `TCPWqueueTooBig`).
    pub(super) const fn is_too_big_to_cut(&self) -> bool {
        self.memory / 2 > self.limit + 2 * LARGEST_BUFFER
    }

    /// `__sk_stream_is_writeable`: a third of the buffer is free.
    pub(super) fn is_writeable(&self) -> bool {
        let has_space = self.memory < self.limit && self.limit - self.memory >= self.memory / 2;
        // A woken writer finds half of the limit free (`__tcp_stream_memory_free`).
        has_space && 2 * self.unsent() < self.most_unsent
    }

    /// `tcp_skb_entail`: appends an empty buffer.
    pub(super) fn begin(&mut self) {
        self.waiting.push_back(Waiting { seq: self.written, len: 0, is_push: false, is_record: false });
        self.memory += self.overhead;
    }

    /// Appends bytes to the last buffer, which must exist. The first bytes of a write clear its push flag.
    pub(super) fn append(&mut self, bytes: u64, is_first: bool) {
        if let Some(last) = self.waiting.back_mut() {
            last.len += bytes;
            last.is_push &= !is_first;
            self.written += bytes;
            self.memory += bytes;
        }
    }

    /// `tcp_mark_push`: all data written so far should be sent without delay.
    pub(super) fn mark_push(&mut self) {
        self.pushed = self.written;
        if let Some(last) = self.waiting.back_mut() {
            last.is_push = true;
        }
    }

    /// Sets the push flag of the first buffer.
    pub(super) fn push_first(&mut self) {
        if let Some(first) = self.waiting.front_mut() {
            first.is_push = true;
        }
    }

    /// Marks the last buffer as a complete record (`MSG_EOR`).
    pub(super) fn end_record(&mut self) {
        if let Some(last) = self.waiting.back_mut() {
            last.is_record = true;
        }
    }

    /// `tcp_grow_skb`: moves this many bytes from the second buffer to the first.
    pub(super) fn grow_first(&mut self, bytes: u64) {
        let Some(&next) = self.waiting.get(1) else { return };
        if self.waiting.front().is_some_and(|first| first.is_record) {
            return;
        }
        let taken = bytes.min(next.len);
        if taken == 0 {
            return;
        }
        let is_all = taken == next.len;
        if let Some(first) = self.waiting.front_mut() {
            first.len += taken;
            first.is_push |= is_all && next.is_push;
            first.is_record = is_all && next.is_record;
        }
        if is_all {
            self.waiting.remove(1);
            self.memory -= self.overhead;
        } else if let Some(next) = self.waiting.get_mut(1) {
            next.seq += taken;
            next.len -= taken;
        }
    }

    /// `tcp_remove_empty_skb`.
    pub(super) fn drop_empty(&mut self) {
        if self.fin.is_none() && self.waiting.back().is_some_and(|last| last.len == 0) {
            self.waiting.pop_back();
            self.memory -= self.overhead;
        }
    }

    /// Ends the stream (`tcp_send_fin`), after the last buffer if that still waits.
    pub(super) fn finish(&mut self) {
        if self.fin.is_none() {
            self.fin = Some(self.written);
            if self.waiting.is_empty() {
                self.begin();
            }
        }
    }

    /// Takes `len` bytes from the front and splits the first buffer if it is longer (`tso_fragment`). Returns
    /// the boundaries at their end.
    pub(super) fn take(&mut self, len: u64) -> Ends {
        let Some(first) = self.waiting.front_mut() else { return Ends::default() };
        let Waiting { seq, is_push, .. } = *first;
        let is_whole = len >= first.len;
        if is_whole {
            self.waiting.pop_front();
        } else {
            first.seq += len;
            first.len -= len;
            self.memory += self.overhead;
        }
        let is_end = is_whole && self.waiting.is_empty() && self.fin.is_some();
        self.sent.push_back((seq, seq + len + u64::from(is_end)));
        Ends { stream: is_end, write: is_whole && is_push }
    }

    /// Releases data before `una`; until now, data before `before` was acknowledged.
    pub(super) fn acknowledge(&mut self, before: u64, una: u64) {
        while let Some(&(seq, end)) = self.sent.front() {
            let from = seq.max(before);
            if end > una {
                // Partly acknowledged: its bytes are released, its overhead is not (`tcp_trim_head`).
                self.memory -= una.saturating_sub(from).min(self.memory);
                return;
            }
            let payload = end.min(self.fin.unwrap_or(u64::MAX)).saturating_sub(from);
            self.memory -= (payload + self.overhead).min(self.memory);
            self.sent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rules;

    #[test]
    fn memory_is_given_back_by_bytes_and_buffers() {
        let mut queue = SendQueue::new(&rules());
        let overhead = rules().skb_overhead;
        queue.begin();
        queue.append(10_000, true);
        assert_eq!(queue.memory, 10_000 + overhead);
        // The split costs another overhead.
        assert_eq!(queue.take(4_000), Ends::default());
        assert_eq!((queue.memory, queue.count(), queue.sent_count()), (10_000 + 2 * overhead, 1, 1));
        queue.acknowledge(0, 1_000);
        assert_eq!(queue.memory, 9_000 + 2 * overhead);
        queue.acknowledge(1_000, 4_000);
        assert_eq!(queue.memory, 6_000 + overhead);
        queue.finish();
        assert!(queue.take(6_000).stream);
        queue.acknowledge(4_000, 10_001);
        assert_eq!((queue.memory, queue.count(), queue.sent_count()), (0, 0, 0));
    }

    /// A buffer that is moved completely releases its overhead, and passes on its push flag.
    #[test]
    fn a_small_buffer_takes_of_the_next_one() {
        let mut queue = SendQueue::new(&rules());
        let overhead = rules().skb_overhead;
        for bytes in [1_000, 2_000] {
            queue.begin();
            queue.append(bytes, true);
            queue.mark_push();
        }
        queue.grow_first(500);
        assert_eq!((queue.first().unwrap().len, queue.last().unwrap().seq), (1_500, 1_500));
        assert_eq!((queue.memory, queue.count()), (3_000 + 2 * overhead, 2));
        queue.grow_first(9_000);
        assert_eq!((queue.memory, queue.count()), (3_000 + overhead, 1));
        assert_eq!(queue.take(3_000), Ends { stream: false, write: true });
    }

    #[test]
    fn a_queue_far_over_its_limit_is_too_big_to_cut() {
        let mut queue = SendQueue::new(&rules());
        let most = 2 * (queue.limit + 2 * LARGEST_BUFFER);
        queue.begin();
        queue.append(most - queue.overhead + 1, true);
        assert!(!queue.is_too_big_to_cut());
        queue.append(1, true);
        assert!(queue.is_too_big_to_cut());
    }

    #[test]
    fn an_end_alone_has_a_buffer_of_its_own() {
        let mut queue = SendQueue::new(&rules());
        queue.finish();
        queue.finish();
        assert_eq!(queue.first(), Some(Waiting { seq: 0, len: 0, is_push: false, is_record: false }));
        assert!(queue.take(0).stream);
        queue.acknowledge(0, 1);
        assert_eq!(queue.memory, 0);
    }
}
