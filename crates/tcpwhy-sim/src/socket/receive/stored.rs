//! Memory of received data, and the queue of unread data (`sk_receive_queue`).

#[cfg(test)]
mod invariants;

use std::collections::VecDeque;

use crate::segment::Segment;

/// Memory that a merge of buffers saves (`tcp_try_coalesce`): its own head.
const HEAD: u64 = 256;
/// Parts of the memory of a buffer with one page for one segment. In front: 66 bytes of headers and 64 bytes
/// of reserved room. After the payload: the shared info and the head.
const HEADERS: u64 = 66 + 64;
const SHARED: u64 = 320;
const PAGE: u64 = 4096;
/// Memory of a buffer of merged segments in addition to its pages.
const MERGED: u64 = 984;
/// Size of the pages into which written data is copied (`SKB_FRAG_PAGE_ORDER`).
const WRITTEN_PAGE: u64 = 32_768;
/// `MAX_SKB_FRAGS`.
const FRAGMENTS: u64 = 17;

/// Kind of memory of received segments (`skb->truesize`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// One page per segment, or the pages of several merged segments.
    InPages,
    /// The sender's buffers (veth), each with this much memory in addition to its payload.
    AsSent(u64),
}

impl Stored {
    /// Memory of a segment.
    pub(super) const fn memory(self, segment: &Segment) -> u64 {
        if let Self::AsSent(overhead) = self {
            return segment.len + overhead;
        }
        let single = (segment.len + HEADERS).next_multiple_of(64) + SHARED;
        if single <= PAGE { single + HEAD } else { segment.len.next_multiple_of(PAGE) + MERGED }
    }

    /// Part of the memory that counts for the growth of the window (`truesize_adjust`).
    pub(super) const fn grows_by(self, memory: u64) -> u64 {
        match self {
            Self::InPages => memory,
            Self::AsSent(overhead) => memory.saturating_sub(overhead),
        }
    }

    /// Memory that a merge of buffers saves.
    pub(super) const fn spared(self) -> u64 {
        match self {
            Self::InPages => HEAD,
            Self::AsSent(overhead) => overhead,
        }
    }
}

/// A kernel buffer with received data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buffer {
    pub(super) end: u64,
    pub(super) memory: u64,
    /// Number of pages.
    fragments: u64,
}

impl Buffer {
    /// A buffer with the data from `from` to `end`. Written data fills one page after the other.
    pub(super) fn new(stored: Stored, from: u64, end: u64, memory: u64) -> Self {
        let fragments = match stored {
            Stored::InPages => 0,
            Stored::AsSent(_) => end.saturating_sub(1).max(from) / WRITTEN_PAGE - from / WRITTEN_PAGE + 1,
        };
        Self { end, memory, fragments }
    }

    /// The same buffer, cut at `end`; later data is never read.
    pub(super) const fn until(self, end: u64) -> Self {
        Self { end, ..self }
    }

    /// `tcp_try_coalesce`: merges `next`, which follows directly, if possible. Returns the additional memory.
    pub(super) fn join(&mut self, next: Self, stored: Stored) -> Option<u64> {
        if self.fragments + next.fragments > FRAGMENTS {
            return None;
        }
        let memory = next.memory.saturating_sub(stored.spared());
        self.end = next.end;
        self.memory += memory;
        self.fragments += next.fragments;
        Some(memory)
    }
}

/// Received data in order that is not read.
#[derive(Debug)]
pub(super) struct Queue {
    all: VecDeque<Buffer>,
    memory: u64,
    stored: Stored,
}

impl Queue {
    pub(super) const fn new(stored: Stored) -> Self {
        Self { all: VecDeque::new(), memory: 0, stored }
    }

    /// Memory of this queue in `sk_rmem_alloc`.
    pub(super) const fn memory(&self) -> u64 {
        self.memory
    }

    /// `tcp_queue_rcv`: merges the data into the last buffer if that has room for its pages.
    pub(super) fn append(&mut self, buffer: Buffer) {
        let mut buffer = buffer;
        if let Some(last) = self.all.back_mut() {
            if self.stored == Stored::InPages {
                // Pages of network cards are freed one by one.
                buffer.memory = buffer.memory.saturating_sub(self.stored.spared());
            } else if let Some(more) = last.join(buffer, self.stored) {
                self.memory += more;
                return;
            }
        }
        self.memory += buffer.memory;
        self.all.push_back(buffer);
    }

    /// The end of the first buffer.
    pub(super) fn first_end(&self) -> Option<u64> {
        self.all.front().map(|first| first.end)
    }

    /// Frees whole buffers before `read` (`tcp_eat_recv_skb`).
    pub(super) fn free_before(&mut self, read: u64) {
        while let Some(first) = self.all.front().filter(|first| first.end <= read) {
            self.memory -= first.memory.min(self.memory);
            self.all.pop_front();
        }
    }

    /// `tcp_collapse`: merges unread data into as little memory as possible.
    pub(super) fn collapse(&mut self, read: u64) {
        let mut from = read;
        self.memory = 0;
        for Buffer { end, memory, .. } in &mut self.all {
            let bytes = *end - from.min(*end);
            from = *end;
            *memory = (*memory).min(bytes + bytes / 16 + 16);
            self.memory += *memory;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A merged buffer is freed only together with the one before it.
    #[test]
    fn buffers_join_until_their_pages_are_too_many() {
        let mut queue = Queue::new(Stored::AsSent(896));
        let append = |queue: &mut Queue, n: u64| {
            queue.append(Buffer::new(queue.stored, 1_000 * n, 1_000 * (n + 1), 1_896));
        };
        append(&mut queue, 0);
        append(&mut queue, 1);
        assert_eq!((queue.memory(), queue.first_end()), (2_896, Some(2_000)));
        queue.free_before(1_000);
        assert_eq!(queue.memory(), 2_896);
        for n in 2..20 {
            append(&mut queue, n);
        }
        assert_eq!((queue.memory(), queue.first_end()), (896 + 20_000 + 896, Some(17_000)));
        queue.free_before(17_000);
        assert_eq!(queue.memory(), 896 + 3_000);
    }

    #[test]
    fn pages_are_freed_one_by_one() {
        let mut queue = Queue::new(Stored::InPages);
        queue.append(Buffer::new(Stored::InPages, 0, 1_448, 2_176));
        queue.append(Buffer::new(Stored::InPages, 1_448, 2_896, 2_176));
        queue.free_before(1_448);
        assert_eq!((queue.memory(), queue.first_end()), (2_176 - HEAD, Some(2_896)));
    }
}
