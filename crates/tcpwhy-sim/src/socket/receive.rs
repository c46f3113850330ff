//! Receiving side: buffer, window, and reads of the program.

mod behind;
mod growth;
#[cfg(test)]
mod invariants;
mod sacks;
mod stored;
#[cfg(test)]
mod window_rules;

use super::Socket;
use super::acknowledge::{Acknowledging, QUICK};
use super::shown::Wake;
use crate::rules::{Rules, VersionRules};
use crate::segment::{Range, SACK_BLOCKS, STAMPS, Segment};
use crate::ticks::Ticks;
use crate::time::Time;
use behind::{Added, Behind};
use sacks::Sacks;
pub(crate) use stored::Stored;
use stored::{Buffer, Queue};
use tcpwhy_kernel::window::{WindowShare, established_clamp};

/// `TCP_MSS_DEFAULT`.
const SMALL_SEGMENT: u64 = 536;
/// `U16_MAX`: largest window field without a scale.
const LARGEST_UNSCALED: u64 = 65_535;
/// `TCP_MIN_MSS`.
const LEAST_SEGMENT: u64 = 88;
/// `TCP_INIT_CWND`.
const FIRST_SEGMENTS: u64 = 10;

/// The receiving side of a socket.
#[derive(Debug)]
pub(super) struct Receiving {
    /// `rcv_nxt`.
    next: u64,
    /// `copied_seq`.
    read: u64,
    stored: Stored,
    queue: Queue,
    behind: Behind,
    sacks: Sacks,
    fin: Option<u64>,
    /// `sk_rcvbuf`.
    limit: u64,
    is_limit_set: bool,
    /// `tcp_moderate_rcvbuf`.
    is_moderated: bool,
    most_limit: u64,
    version: VersionRules,
    /// `scaling_ratio`, or `tcp_adv_win_scale`.
    share: WindowShare,
    memory_per_segment: u64,
    low_round_trip: Time,
    /// `window_clamp`, `rcv_ssthresh`.
    clamp: u64,
    threshold: u64,
    /// `rcv_wup`, `rcv_wnd`.
    offered_at: u64,
    offered: u64,
    scale: u8,
    /// `rcv_mss`.
    segment: u64,
    last_small: u64,
    /// `advmss`.
    announced: u64,
    /// `rcvq_space`.
    space: u64,
    space_from: u64,
    space_since: Time,
    /// `rcv_rtt_est`, eighths of microseconds.
    rtt: u64,
    rtt_ends: u64,
    rtt_since: Option<Time>,
    /// `rcv_rtt_last_tsecr`.
    last_echo: u64,
    /// The timestamp to echo.
    stamp: Time,
    dsack: Option<Range>,
    is_awaited: bool,
    ticks: Ticks,
    /// `tcp_mstamp`: time of the last segment received or sent.
    clock: Time,
}

impl Receiving {
    pub(super) fn new(rules: &Rules) -> Self {
        let announced = rules.advertised_mss;
        let full = rules.share.window(rules.rcvbuf);
        let window = rules.first_window();
        Self {
            next: 0,
            read: 0,
            stored: rules.stored,
            queue: Queue::new(rules.stored),
            behind: Behind::new(rules.stored),
            sacks: Sacks::default(),
            fin: None,
            limit: rules.rcvbuf,
            is_limit_set: rules.is_rcvbuf_set,
            is_moderated: rules.moderates_rcvbuf,
            most_limit: rules.most_rcvbuf,
            version: rules.version,
            share: rules.share,
            memory_per_segment: rules.memory_per_received,
            low_round_trip: rules.low_round_trip,
            clamp: established_clamp(full, rules.app_win, announced).min(if rules.window_scale.is_some() {
                u64::MAX
            } else {
                LARGEST_UNSCALED
            }),
            threshold: window,
            offered_at: 0,
            offered: window,
            scale: rules.window_scale.unwrap_or(0),
            segment: SMALL_SEGMENT.min(window / 2).max(LEAST_SEGMENT),
            last_small: 0,
            announced,
            space: 0,
            space_from: 0,
            space_since: 0,
            rtt: 0,
            rtt_ends: 0,
            rtt_since: None,
            last_echo: 0,
            stamp: 0,
            dsack: None,
            is_awaited: false,
            ticks: rules.ticks,
            clock: 0,
        }
    }

    /// The unscaled window of SYN or SYN-ACK.
    pub(super) fn first_window(&self) -> u64 {
        self.offered.min(LARGEST_UNSCALED)
    }

    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    pub(super) const fn echo(&self) -> Time {
        self.stamp
    }

    pub(super) const fn stamp(&mut self, segment: &Segment) {
        self.stamp = segment.stamp;
    }

    /// `tcp_replace_ts_recent`: echoes the timestamp of the first segment after the last ACK, not of later
    /// ones.
    pub(super) fn renew_stamp(&mut self, segment: &Segment) {
        if segment.seq <= self.offered_at {
            self.stamp = self.stamp.max(segment.stamp);
        }
    }

    pub(super) fn established(&mut self, now: Time) {
        self.threshold = self.threshold.min(self.clamp);
        self.space = self.offered.min(FIRST_SEGMENTS * self.announced);
        if self.version.bounds_first_space {
            self.space = self.space.min(self.threshold);
        }
        self.space_since = now;
    }

    /// `sk_rcvbuf`.
    pub(super) const fn limit(&self) -> u64 {
        self.limit
    }

    /// `rcv_ssthresh` and `window_clamp`.
    #[cfg(test)]
    pub(super) const fn limits(&self) -> [u64; 2] {
        [self.threshold, self.clamp]
    }

    /// `tcp_queue_rcv`: appends data in order. Data after the end of the stream is dropped (`tcp_fin`).
    fn append(&mut self, buffer: Buffer) {
        let end = self.fin.map_or(buffer.end, |fin| buffer.end.min(fin + 1));
        self.next = end;
        self.queue.append(buffer.until(end));
        if self.has_ended() {
            self.behind = Behind::new(self.stored);
        }
    }

    /// `tcp_win_from_space`.
    fn window_of(&self, memory: u64) -> u64 {
        self.share.window(memory)
    }

    /// Total memory of received data (`sk_rmem_alloc`).
    const fn taken(&self) -> u64 {
        self.queue.memory() + self.behind.memory()
    }

    /// Unused part of the last advertised window (`tcp_receive_window`).
    const fn left(&self) -> u64 {
        (self.offered_at + self.offered).saturating_sub(self.next)
    }

    /// `__tcp_select_window`.
    fn selected(&self, acknowledging: &mut Acknowledging) -> u64 {
        let mut free = self.window_of(self.limit.saturating_sub(self.taken()));
        let allowed = self.window_of(self.limit);
        let full = self.clamp.min(allowed);
        let segment = self.segment.min(full);
        if segment == 0 {
            return 0;
        }
        let unit = 1 << self.scale;
        if free < full / 2 {
            acknowledging.quick = 0;
            free = free / unit * unit;
            if free < allowed >> 4 || free < segment {
                return 0;
            }
        }
        let free = free.min(self.threshold);
        if self.scale > 0 {
            return free.next_multiple_of(unit);
        }
        let window = self.offered;
        if window + segment <= free || window > free {
            free / segment * segment
        } else if segment == full && free > window + full / 2 {
            free
        } else {
            window
        }
    }

    /// `tcp_select_window`: the window that a segment advertises.
    pub(super) fn offer(&mut self, acknowledging: &mut Acknowledging) -> u64 {
        let left = self.left();
        let mut window = self.selected(acknowledging);
        if window < left {
            // An advertised window is not withdrawn.
            window = left.next_multiple_of(1 << self.scale);
        }
        self.offered = window.min(LARGEST_UNSCALED << self.scale);
        self.offered_at = self.next;
        self.offered
    }

    /// SACK blocks of the next segment, which has room for `room` blocks; none without SACK.
    pub(super) fn take_sack(&mut self, room: usize) -> ([Range; SACK_BLOCKS], Option<Range>) {
        let dsack = self.dsack.take().filter(|_| room > 0);
        (self.sacks.shown(room - usize::from(dsack.is_some())), dsack)
    }

    /// The advertised window, and the size of a full segment, bytes.
    pub(super) const fn offered_and_full(&self) -> [u64; 2] {
        [self.offered, self.segment]
    }

    /// Bytes that are ready to be read.
    const fn readable(&self) -> u64 {
        let end = match self.fin {
            Some(fin) if self.next > fin => fin,
            _ => self.next,
        };
        end - self.read
    }

    const fn has_ended(&self) -> bool {
        matches!(self.fin, Some(fin) if self.next > fin)
    }

    /// After everything was read, releases the buffer of the FIN too (`found_fin_ok` of
    /// `tcp_recvmsg_locked`).
    fn eat_end(&mut self) {
        if self.has_ended() && self.readable() == 0 {
            self.queue.free_before(self.next);
        }
    }

    /// `tcp_measure_rcv_mss`.
    fn measure(&mut self, segment: &Segment, acknowledging: &mut Acknowledging) {
        let len = if segment.frames > 1 { segment.size } else { segment.len };
        let last_small = std::mem::take(&mut self.last_small);
        if len >= self.segment {
            if len != self.segment {
                self.measure_share(segment);
            }
            self.segment = len.min(self.announced);
            // A full segment at the end of a write may be the last one, and its sender may be waiting.
            if segment.is_push && self.version.answers_full_ends {
                acknowledging.pushed = acknowledging.pushed.max(1);
            }
            return;
        }
        // Options count as payload here. Without a push flag, even a small segment counts as full.
        let with_options = if segment.has_stamps { len + STAMPS } else { len };
        let is_whole = !segment.is_push && !segment.is_fin && with_options >= LEAST_SEGMENT;
        if with_options >= SMALL_SEGMENT || is_whole {
            self.last_small = len;
            // The second one of equal size in a row.
            if len == last_small {
                self.segment = len;
                return;
            }
        }
        acknowledging.pushed = (acknowledging.pushed + 1).min(2);
    }

    /// The part of `tcp_measure_rcv_mss` that measures the window's share of the buffer.
    fn measure_share(&mut self, segment: &Segment) {
        if !self.version.measures_share {
            return;
        }
        let share = WindowShare::Ratio(((segment.len << 8) / self.stored.memory(segment)).clamp(1, 255));
        if share != self.share {
            self.share = share;
            if self.version.clamp_follows_share {
                self.clamp = self.window_of(self.limit);
                self.space = self.space.min(self.clamp);
            }
        }
    }

    /// `SO_RCVBUF` on an open connection: until 7.1 the window does not change (later `tcp_set_rcvbuf`).
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.is_limit_set = true;
        if self.version.window_follows_set {
            let clamp = self.window_of(limit);
            let grows = clamp > self.clamp;
            self.clamp = clamp;
            self.threshold =
                if grows { self.threshold.max(self.offered.min(clamp)) } else { self.threshold.min(clamp) };
        }
    }

    /// Stores the end of the stream if a kept segment has a FIN; the first one counts.
    fn note_end(&mut self, segment: &Segment) {
        if segment.is_fin && self.fin.is_none() {
            self.fin = Some(segment.end() - 1);
        }
    }
}

impl Socket {
    /// `tcp_data_queue`, and the ACK that follows (`__tcp_ack_snd_check`).
    pub(super) fn on_data(&mut self, now: Time, segment: &Segment) {
        let rto = self.round_trip.rto();
        self.receiving.clock = now;
        let receiving = &mut self.receiving;
        if segment.end() <= receiving.next {
            receiving.dsack = Some((segment.seq, segment.end()));
            self.acknowledging.enter_quick(receiving.offered, receiving.segment, QUICK);
            self.send_ack(now);
            return;
        }
        if receiving.has_ended() {
            // After the end, no more data is accepted (`tcp_rcv_state_process` in CLOSE-WAIT).
            return;
        }
        let is_bare_end = segment.len == 0 && segment.seq == receiving.next;
        if segment.seq >= receiving.offered_at + receiving.offered && !is_bare_end {
            self.acknowledging.enter_quick(receiving.offered, receiving.segment, QUICK);
            self.send_ack(now);
            return;
        }
        let memory = receiving.stored.memory(segment);
        if receiving.taken() > receiving.limit {
            receiving.queue.collapse(receiving.read);
            if receiving.taken() > receiving.limit && segment.seq > receiving.next {
                self.send_ack(now);
                return;
            }
        }
        receiving.note_end(segment);
        receiving.measure_round_trip(segment, now);
        if segment.seq > receiving.next {
            self.on_data_behind(now, segment, memory);
            return;
        }
        receiving.append(Buffer::new(receiving.stored, segment.seq, segment.end(), memory));
        receiving.measure(segment, &mut self.acknowledging);
        receiving.measure_by_window(now);
        self.acknowledging.data_came(now, receiving.offered, receiving.segment, rto);
        self.check_mark(segment);
        let receiving = &mut self.receiving;
        if segment.len >= 128 && receiving.grow(segment, receiving.stored.grows_by(memory), receiving.taken()) {
            self.acknowledging.quick |= 1;
        }
        let had_holes = !receiving.behind.is_empty();
        while let Some(buffers) = receiving.behind.take_until(receiving.next) {
            for buffer in buffers {
                if buffer.end > receiving.next && !receiving.has_ended() {
                    receiving.append(buffer);
                }
            }
        }
        receiving.sacks.remove_before(receiving.next, !receiving.behind.is_empty());
        self.acknowledging.is_urgent |= had_holes && receiving.behind.is_empty();
        if receiving.is_awaited {
            receiving.is_awaited = false;
            self.wake = Wake { reader: true, ..self.wake };
        }
        self.answer(now);
    }

    /// `tcp_data_queue_ofo`.
    fn on_data_behind(&mut self, now: Time, segment: &Segment, memory: u64) {
        let has_sack = self.rules.has_sack;
        let receiving = &mut self.receiving;
        receiving.measure(segment, &mut self.acknowledging);
        self.check_mark(segment);
        self.acknowledging.is_scheduled = true;
        let receiving = &mut self.receiving;
        let range = (segment.seq, segment.end());
        let before = receiving.taken();
        let has_grown = match receiving.behind.add(range, memory) {
            Added::Again => {
                receiving.dsack = Some(range);
                false
            }
            // Without SACK, only duplicate ACKs inform the sender, and a changed window would prevent them.
            Added::Joined | Added::Apart if !has_sack => false,
            Added::Joined => receiving.grow(segment, receiving.stored.grows_by(memory), receiving.taken()),
            // Its own memory counts only afterwards.
            Added::Apart => receiving.grow(segment, memory, before),
        };
        if has_grown {
            self.acknowledging.quick |= 1;
        }
        if has_sack && receiving.sacks.forgets_with(range) && self.acknowledging.has_compressed() {
            self.send_ack(now);
        }
        let receiving = &mut self.receiving;
        receiving.sacks.add(range);
        receiving.grow_for_holes();
        // Unless an ACK was just sent.
        if self.acknowledging.is_scheduled {
            self.answer(now);
        }
    }

    /// `__tcp_ack_snd_check`.
    fn answer(&mut self, now: Time) {
        let receiving = &self.receiving;
        let is_much = receiving.next - receiving.offered_at > receiving.segment;
        let offered = receiving.offered;
        let advances = is_much && receiving.selected(&mut self.acknowledging) >= offered;
        let leaves_now = advances
            || self.acknowledging.is_quick()
            || self.acknowledging.is_urgent
            || if receiving.behind.is_empty() {
                self.acknowledging.delay(now, self.round_trip.smoothed())
            } else {
                self.acknowledging.compress(now, receiving.next, receiving.round_trip(&self.round_trip))
            };
        if leaves_now {
            self.send_ack(now);
        }
    }

    /// Whether a read returns at once.
    pub(crate) const fn is_readable(&self) -> bool {
        self.receiving.readable() > 0 || self.receiving.has_ended()
    }

    /// Reads up to `most` bytes; `None` if it has to wait, 0 at the end of the stream.
    pub(crate) fn read(&mut self, now: Time, most: u64) -> Option<u64> {
        let receiving = &mut self.receiving;
        let bytes = receiving.readable().min(most);
        if bytes == 0 {
            let has_ended = receiving.has_ended();
            receiving.eat_end();
            receiving.is_awaited = !has_ended;
            return has_ended.then_some(0);
        }
        let until = receiving.read + bytes;
        // Buffer by buffer, because the remaining bytes count as unread.
        while receiving.read < until {
            receiving.read = receiving.queue.first_end().map_or(until, |end| end.min(until));
            receiving.adjust_space();
            receiving.queue.free_before(receiving.read);
        }
        receiving.eat_end();
        if !self.is_broken() && self.reading_answers() {
            self.receiving.clock = now;
            self.send_ack(now);
        }
        Some(bytes)
    }

    /// `tcp_cleanup_rbuf`: whether a read triggers an ACK.
    fn reading_answers(&mut self) -> bool {
        let receiving = &self.receiving;
        let acknowledging = &mut self.acknowledging;
        if acknowledging.is_scheduled {
            let has_small = acknowledging.pushed > 1 || (acknowledging.pushed > 0 && !acknowledging.is_conversation());
            if receiving.next - receiving.offered_at > receiving.segment || (has_small && receiving.taken() == 0) {
                return true;
            }
        }
        if receiving.fin.is_some() {
            return false;
        }
        let left = receiving.left();
        if 2 * left > receiving.clamp {
            return false;
        }
        let window = receiving.selected(acknowledging);
        window > 0 && window >= 2 * left
    }
}
