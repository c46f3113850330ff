//! A small model of a bulk transfer: enough of TCP that every limit can be imposed and shows itself as on a real kernel.
//!
//! Left out on purpose: congestion control beyond Reno, timestamps' finer rules, anything random.

mod link;
mod pacer;
mod random;
mod receiver;
mod sender;
mod setting;
mod trace;
mod truth;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tcpwhy_model::Segment;

use link::{Link, WayBack};
use receiver::Receiver;
use sender::Sender;
use trace::Trace;
use truth::Truth;

pub use random::random;
pub use setting::{Capture, Reader, ReceiveBuffer, Writer};
pub use truth::Told;

/// A transfer of data in one direction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Payload bytes in all.
    pub bytes: u64,
    /// Base round trip, nanoseconds.
    pub rtt: i64,
    /// Bytes per second of the bottleneck; `None` for a path without one.
    pub rate: Option<u64>,
    /// Bytes that wait before the bottleneck at most.
    pub queue: u64,
    /// Bytes per second and depth of a token bucket whose surplus is dropped.
    pub policer: Option<(u64, u64)>,
    /// Payload of a full segment.
    pub mss: u32,
    /// First congestion window in segments.
    pub initial_segments: u64,
    /// The congestion window never exceeds this.
    pub window_clamp: Option<u64>,
    /// Slow start ends here at the latest.
    pub slow_start_until: Option<u64>,
    /// The congestion window shrinks to the first one after a pause.
    pub restarts_after_idle: bool,
    /// Segments leave at this many bytes per second at most, evenly spaced.
    pub pacing: Option<u64>,
    /// Segments leave as BBR sends them: spaced by an estimate of the path, whatever is lost.
    pub estimates_path: bool,
    /// Unacknowledged and unsent bytes that the sender's socket holds.
    pub send_buffer: Option<u64>,
    /// Less than a full segment leaves at once (`TCP_NODELAY`), not when all before it is acknowledged (RFC 9293 §3.7.4).
    pub has_nodelay: bool,
    /// How long a writer takes to wake when its socket has room again, nanoseconds.
    pub wakes_after: i64,
    /// The receiver's room.
    pub receive_buffer: ReceiveBuffer,
    /// Both ends' window scale; `None` when not offered.
    pub window_scale: Option<u8>,
    /// The writing application.
    pub writer: Writer,
    /// The reading application.
    pub reader: Reader,
    /// Data segments that get lost, counted from 0 as they are sent.
    pub lost: Vec<u64>,
    /// Every so many data segments one is lost.
    pub lost_every: Option<u64>,
    /// Every so many data segments a queue marks one: the receiver echoes it, and the sender cuts its window by half and says so
    /// (RFC 3168 §6.1).
    pub marked_every: Option<u64>,
    /// Every so many data segments one arrives so many nanoseconds late, after those that follow it.
    pub late_every: Option<(u64, i64)>,
    /// Every so many nanoseconds the way to the receiver stands still for so many; what it is given meanwhile follows at once.
    pub stands_still: Option<(i64, i64)>,
    /// Payloads larger than this vanish, without a word; the sender finds out after three timeouts.
    pub largest_passing: Option<u32>,
    /// Selective acknowledgment.
    pub has_sack: bool,
    /// Timestamps option.
    pub has_timestamps: bool,
    /// Single segments are acknowledged 40 ms late.
    pub delays_acks: bool,
    /// Acknowledgments reach the sender in batches, so many nanoseconds apart, as coalescing interrupts deliver them.
    pub ack_batches: Option<i64>,
    /// Every packet takes up to so many nanoseconds longer, as if by chance; none overtakes another.
    pub jitter: i64,
    /// Bytes per second of the way back; `None` for one that never makes an acknowledgment wait.
    pub return_rate: Option<u64>,
    /// The server sends, after a request; otherwise the client sends.
    pub is_download: bool,
    /// Repeats of the SYN, a second apart.
    pub syn_repeats: u32,
    /// Neighbours are captured as packets of up to this many bytes.
    pub offload: Option<u32>,
    /// Where it is captured.
    pub capture: Capture,
}

impl Default for Transfer {
    /// 4 MB over 20.13 ms (no whole number, as on real paths) and 1 Gbit/s without any limit but slow start: buffers are ample.
    fn default() -> Self {
        Self {
            bytes: 4_000_000,
            rtt: 20_130_000,
            rate: Some(125_000_000),
            queue: u64::MAX / 2,
            policer: None,
            mss: 1448,
            initial_segments: 10,
            window_clamp: None,
            slow_start_until: None,
            restarts_after_idle: false,
            pacing: None,
            estimates_path: false,
            send_buffer: None,
            has_nodelay: false,
            wakes_after: 0,
            receive_buffer: ReceiveBuffer::Fixed(64_000_000),
            window_scale: Some(10),
            writer: Writer::Bulk,
            reader: Reader::Fast,
            lost: Vec::new(),
            lost_every: None,
            marked_every: None,
            late_every: None,
            stands_still: None,
            largest_passing: None,
            has_sack: true,
            has_timestamps: true,
            delays_acks: true,
            ack_batches: None,
            jitter: 0,
            return_rate: None,
            is_download: false,
            syn_repeats: 0,
            offload: None,
            capture: Capture::Sender,
        }
    }
}

impl Transfer {
    /// Its packets, as captured.
    pub fn run(&self) -> Vec<Segment> {
        self.tell().segments
    }

    /// Its packets, as captured, and what bound for how long.
    pub fn tell(&self) -> Told {
        Model::new(self).run()
    }

    /// The same, captured elsewhere.
    #[must_use]
    pub fn captured_at(&self, capture: Capture) -> Self {
        Self { capture, ..self.clone() }
    }
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Data arrives at the receiver.
    Data(Data),
    /// An acknowledgment arrives at the sender.
    Ack(Ack),
    /// The application writes, or has rested.
    Write,
    /// The application reads.
    Read,
    /// The next paced segment may leave.
    Pace,
    /// A retransmission or persist timer runs out, unless it was set anew.
    Timer(u64),
    /// A delayed acknowledgment is due, unless one was sent.
    DelayedAck(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Data {
    seq: u64,
    len: u32,
    tsval: u32,
    /// A queue has marked it (CE).
    is_marked: bool,
    /// The sender says that it has cut its window (CWR).
    is_cut: bool,
    /// Bytes of the peer's grants that it acknowledges.
    heard: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ack {
    /// Everything below has arrived.
    next: u64,
    /// Right edge of the window.
    edge: u64,
    /// The newest blocks that the receiver holds.
    blocks: [(u64, u64); 3],
    tsval: u32,
    /// It tells of a mark (ECE).
    has_echo: bool,
    /// Bytes of grants in the peer's stream up to here, those that it carries included.
    said: u64,
}

/// Bytes of a grant: that of a window update of HTTP/2 (RFC 9113 §6.9).
const GRANT: u32 = 13;

struct Model<'a> {
    plan: &'a Transfer,
    events: BinaryHeap<Reverse<(i64, u64, Event)>>,
    order: u64,
    link: Link,
    back: WayBack,
    sender: Sender,
    receiver: Receiver,
    trace: Trace,
    truth: Truth,
}

impl<'a> Model<'a> {
    /// No transfer of a test takes longer.
    const LONGEST: i64 = 600_000_000_000;

    fn new(transfer: &'a Transfer) -> Self {
        Self {
            plan: transfer,
            events: BinaryHeap::new(),
            order: 0,
            link: Link::new(transfer),
            back: WayBack::new(transfer),
            sender: Sender::new(transfer),
            receiver: Receiver::new(transfer),
            trace: Trace::new(transfer),
            truth: Truth::default(),
        }
    }

    fn run(mut self) -> Told {
        let begin = self.trace.open(self.receiver.edge());
        self.sender.start(self.receiver.edge());
        self.at(begin, Event::Write);
        if !matches!(self.plan.reader, Reader::Fast) {
            self.at(begin, Event::Read);
        }
        let mut last = begin;
        while let Some(Reverse((time, _, event))) = self.events.pop() {
            if time > Self::LONGEST || self.sender.is_done() {
                break;
            }
            last = time;
            self.step(time, event);
        }
        self.trace.close(last, self.sender.next(), self.receiver.edge());
        self.truth.tell(self.trace.finish(), last, self.plan)
    }

    fn at(&mut self, time: i64, event: Event) {
        self.order += 1;
        self.events.push(Reverse((time, self.order, event)));
    }

    fn step(&mut self, now: i64, event: Event) {
        match event {
            Event::Data(data) => {
                let answer = self.receiver.on_data(now, data);
                match answer {
                    receiver::Answer::Now => self.acknowledge(now + 3_000),
                    receiver::Answer::Later(token) => self.at(now + 40_000_000, Event::DelayedAck(token)),
                }
            }
            Event::DelayedAck(token) => {
                if self.receiver.owes(token) {
                    self.acknowledge(now);
                }
            }
            Event::Read => {
                if self.receiver.read(now) {
                    self.acknowledge(now + 3_000);
                }
                if let Some(next) = self.receiver.next_read(now) {
                    self.at(next, Event::Read);
                }
            }
            Event::Ack(ack) => {
                if self.sender.on_ack(now, &ack)
                    && let Some(rest) = self.sender.rest()
                {
                    self.at(now + rest, Event::Write);
                }
                self.send(now + 3_000);
            }
            Event::Write => {
                if let Some(next) = self.sender.write(now) {
                    self.at(next, Event::Write);
                }
                self.send(now);
            }
            Event::Pace => {
                self.sender.unpace();
                self.send(now);
            }
            Event::Timer(token) => {
                if self.sender.on_timer(token) {
                    self.send(now);
                }
            }
        }
    }

    /// Sends what may be sent.
    fn send(&mut self, now: i64) {
        while let Some(out) = self.sender.next_segment(now) {
            let arrival = self.link.carry(now, out.len);
            let is_marked = self.link.has_marked();
            let heard = self.sender.heard();
            let data =
                Data { seq: out.seq, len: out.len, tsval: Trace::tick(now), is_marked, is_cut: out.is_cut, heard };
            if let Some(time) = arrival {
                self.truth.serve(now, time - self.plan.rtt / 2);
            }
            self.trace.data(now, arrival, self.link.transit(), &data, self.sender.echo());
            match arrival {
                Some(time) => self.at(time, Event::Data(data)),
                None if out.len == 0 => self.at(now + self.plan.rtt / 2, Event::Data(data)),
                None => {}
            }
            if let Some(wait) = self.sender.pace(out.len) {
                self.at(now + wait, Event::Pace);
                break;
            }
        }
        self.truth.bind(now, self.sender.bound());
        if let Some((time, token)) = self.sender.timer(now) {
            self.at(time, Event::Timer(token));
        }
    }

    fn acknowledge(&mut self, now: i64) {
        let mut ack = self.receiver.acknowledge();
        ack.tsval = Trace::tick(now);
        let arrival = self.back.carry(now);
        let arrival = self.plan.ack_batches.map_or(arrival, |b| (arrival / b + 1) * b);
        self.trace.ack(now, arrival, &ack, self.receiver.echo());
        self.at(arrival, Event::Ack(ack));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ms;

    fn seconds(segments: &[Segment]) -> f64 {
        let (first, last) = (segments[0].timestamp, segments[segments.len() - 1].timestamp);
        last.since(first) as f64 / 1e9
    }

    fn payload(segments: &[Segment]) -> u64 {
        segments.iter().map(|s| u64::from(s.payload_len)).sum()
    }

    #[test]
    fn a_send_buffer_moves_itself_once_a_round_trip() {
        let t = Transfer { bytes: 1_000_000, send_buffer: Some(20_000), ..Transfer::default() };
        let s = t.run();
        assert_eq!(payload(&s), 1_000_000);
        assert!((0.95..1.8).contains(&seconds(&s)), "{}", seconds(&s));
    }

    #[test]
    fn a_bottleneck_gives_its_rate() {
        let t = Transfer { bytes: 5_000_000, rate: Some(1_250_000), queue: 60_000, ..Transfer::default() };
        let s = t.run();
        assert!((4.0..6.0).contains(&seconds(&s)), "{}", seconds(&s));
    }

    #[test]
    fn losses_are_repaired() {
        for has_sack in [true, false] {
            let t = Transfer { lost: vec![50, 51, 400], lost_every: Some(300), has_sack, ..Transfer::default() };
            let s = t.captured_at(Capture::Sender).run();
            let repeated = payload(&s) - 4_000_000;
            assert!((1448 * 3..200_000).contains(&repeated), "{repeated}");
            let s = t.captured_at(Capture::Receiver).run();
            assert!(payload(&s) >= 4_000_000 && seconds(&s) < 20.0);
        }
    }

    #[test]
    fn a_closed_window_is_probed() {
        let t = Transfer {
            receive_buffer: ReceiveBuffer::Fixed(64_000),
            reader: Reader::Pauses { every: 1_000_000, nanos: ms(1500) },
            ..Transfer::default()
        };
        let s = t.run();
        assert!(s.iter().any(|p| p.window.0 == 0));
        assert!(seconds(&s) > 4.0, "{}", seconds(&s));
    }

    #[test]
    fn what_is_too_large_passes_in_pieces() {
        let t = Transfer { bytes: 20_000, largest_passing: Some(1200), ..Transfer::default() };
        let s = t.run();
        assert!(seconds(&s) > 1.0 && s.iter().any(|p| p.payload_len == 536), "{}", seconds(&s));
    }
}
