//! A small model of a bulk transfer, with enough of TCP that every limit can be set and looks as on a real
//! kernel.
//!
//! It deliberately omits congestion control beyond Reno, finer rules of timestamps, and all randomness.

mod link;
mod pacer;
mod packet;
mod plan;
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
use packet::{Ack, Data};
use receiver::Receiver;
use sender::Sender;
use trace::Trace;
use truth::Truth;

pub use plan::Transfer;
pub use random::random;
pub use setting::{Capture, Reader, ReceiveBuffer, Writer};
pub use truth::Told;

impl Transfer {
    /// Packets of the transfer, as captured.
    pub fn run(&self) -> Vec<Segment> {
        self.tell().segments
    }

    /// Packets of the transfer, as captured, and the time under each limit.
    pub fn tell(&self) -> Told {
        Model::new(self).run()
    }

    /// The same transfer, captured elsewhere.
    #[must_use]
    pub fn captured_at(&self, capture: Capture) -> Self {
        Self { capture, ..self.clone() }
    }
}

/// The next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Data arrives at the receiver.
    Data(Data),
    /// An acknowledgment arrives at the sender.
    Ack(Ack),
    /// The application writes, or its pause is over.
    Write,
    /// The application reads.
    Read,
    /// The next paced segment may be sent.
    Pace,
    /// A retransmission or persist timer expires, unless it was set again.
    Timer(u64),
    /// A delayed acknowledgment is due, unless one was sent.
    DelayedAck(u64),
}

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
    /// Time limit that no transfer of a test reaches.
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

    /// Sends all that may be sent.
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
