use super::packet::{Ack, Data, GRANT};
use super::{Reader, ReceiveBuffer, Transfer, Writer};

/// The receiving host with its application.
pub(super) struct Receiver {
    next: u64,
    /// Data received beyond `next`, in order.
    held: Vec<(u64, u64)>,
    newest: Option<(u64, u64)>,
    unread: u64,
    read: u64,
    capacity: u64,
    most: u64,
    grown_at: u64,
    edge: u64,
    unit: u64,
    largest: u64,
    mss: u64,
    has_sack: bool,
    delays: bool,
    segments: u64,
    owed: u32,
    token: u64,
    reader: Reader,
    paused_until: i64,
    echo: u32,
    /// A mark came, and the sender has not reported a smaller window yet.
    tells_mark: bool,
    /// Bytes per grant of its application.
    step: Option<u64>,
    /// Bytes of its grants so far.
    said: u64,
}

pub(super) enum Answer {
    Now,
    Later(u64),
}

impl Receiver {
    /// Bytes per read of a slow reader.
    const PIECE: u64 = 16_384;
    /// Segments that are acknowledged at once in the beginning (`TCP_MAX_QUICKACKS`).
    const QUICK: u64 = 16;

    pub(super) fn new(t: &Transfer) -> Self {
        let (capacity, most) = match t.receive_buffer {
            ReceiveBuffer::Fixed(bytes) => (bytes, bytes),
            ReceiveBuffer::Growing { from, most } => (from, most),
        };
        let shift = u32::from(t.window_scale.unwrap_or(0));
        let mut receiver = Self {
            next: 1,
            held: Vec::new(),
            newest: None,
            unread: 0,
            read: 0,
            capacity,
            most,
            grown_at: 1,
            edge: 1,
            unit: 1 << shift,
            largest: 65_535 << shift,
            mss: u64::from(t.mss),
            has_sack: t.has_sack,
            delays: t.delays_acks,
            segments: 0,
            owed: 0,
            token: 0,
            reader: t.reader,
            paused_until: 0,
            echo: 0,
            tells_mark: false,
            step: if let Writer::Granted { step, .. } = t.writer { Some(step) } else { None },
            said: 0,
        };
        receiver.open();
        receiver
    }

    pub(super) fn edge(&self) -> u64 {
        self.edge
    }

    pub(super) fn echo(&self) -> u32 {
        self.echo
    }

    pub(super) fn owes(&self, token: u64) -> bool {
        self.owed > 0 && self.token == token
    }

    pub(super) fn on_data(&mut self, now: i64, data: Data) -> Answer {
        let end = data.seq + u64::from(data.len);
        self.tells_mark = data.is_marked || self.tells_mark && !data.is_cut;
        if data.len == 0 || end <= self.next {
            return Answer::Now;
        }
        self.segments += 1;
        if data.seq > self.next {
            self.hold(data.seq, end);
            return Answer::Now;
        }
        self.echo = data.tsval;
        let had_hole = !self.held.is_empty();
        self.advance(end);
        if matches!(self.reader, Reader::Fast) {
            self.take(self.unread, now);
        }
        self.open();
        self.owed += 1;
        let grants = self.step.map_or(0, |step| self.read / step * u64::from(GRANT));
        let has_granted = grants > std::mem::replace(&mut self.said, grants);
        if has_granted || had_hole || self.owed >= 2 || !self.delays || self.segments <= Self::QUICK {
            Answer::Now
        } else {
            self.token += 1;
            Answer::Later(self.token)
        }
    }

    /// The application reads; returns whether the sender should get a window update.
    pub(super) fn read(&mut self, now: i64) -> bool {
        let piece = match self.reader {
            Reader::Rate(_) => Self::PIECE,
            Reader::Pauses { .. } if now < self.paused_until => 0,
            Reader::Fast | Reader::Pauses { .. } => self.unread,
        };
        self.take(piece.min(self.unread), now);
        let before = self.edge;
        let room_before = before.saturating_sub(self.next);
        self.open();
        let gained = self.edge - before;
        gained > 0 && (room_before < 2 * self.mss || gained >= self.capacity / 4)
    }

    pub(super) fn next_read(&self, now: i64) -> Option<i64> {
        match self.reader {
            Reader::Fast => None,
            Reader::Rate(rate) => Some(now + (Self::PIECE * 1_000_000_000 / rate) as i64),
            Reader::Pauses { .. } => Some(self.paused_until.max(now + 500_000)),
        }
    }

    pub(super) fn acknowledge(&mut self) -> Ack {
        self.owed = 0;
        let mut blocks = [(0, 0); 3];
        if self.has_sack {
            let newest = self.newest.and_then(|n| self.held.iter().find(|h| h.0 <= n.0 && n.1 <= h.1));
            let others = self.held.iter().rev().filter(|h| Some(*h) != newest);
            for (slot, block) in blocks.iter_mut().zip(newest.into_iter().chain(others)) {
                *slot = *block;
            }
        }
        Ack { next: self.next, edge: self.edge, blocks, tsval: 0, has_echo: self.tells_mark, said: self.said }
    }

    fn take(&mut self, bytes: u64, now: i64) {
        self.unread -= bytes;
        let before = self.read;
        self.read += bytes;
        if let Reader::Pauses { every, nanos } = self.reader
            && before / every != self.read / every
        {
            self.paused_until = now + nanos;
        }
        if self.read + 1 - self.grown_at >= self.capacity / 2 {
            self.grown_at = self.read + 1;
            self.capacity = (self.capacity * 2).min(self.most);
        }
    }

    /// Moves the right edge as far as there is room, in whole units, by at least a segment.
    fn open(&mut self) {
        let room = self.capacity.saturating_sub(self.unread).min(self.largest) / self.unit * self.unit;
        let edge = self.next + room;
        if edge >= self.edge + self.mss.min(self.capacity / 2) || self.edge < self.next {
            self.edge = edge.max(self.next);
        }
    }

    fn advance(&mut self, end: u64) {
        let from = self.next;
        self.next = self.next.max(end);
        while let Some(&(start, held_end)) = self.held.first() {
            if start > self.next {
                break;
            }
            self.next = self.next.max(held_end);
            self.held.remove(0);
        }
        self.unread += self.next - from;
    }

    fn hold(&mut self, start: u64, end: u64) {
        self.newest = Some((start, end));
        self.held.push((start, end));
        self.held.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(self.held.len());
        for &(s, e) in &self.held {
            match joined.last_mut() {
                Some(last) if s <= last.1 => last.1 = last.1.max(e),
                _ => joined.push((s, e)),
            }
        }
        self.held = joined;
    }
}
