//! One end of a connection. It has no clock: time is an argument, and output is polled.
//!
//! The parts are those of the kernel. `queue` has unsent data, `sent` the sent data. `output` decides what to
//! send (`tcp_write_xmit`), `input` processes ACKs (`tcp_ack`). `recovery` detects losses, `timers` handles
//! timeouts, and `receive` accepts arriving data.

mod acknowledge;
#[cfg(test)]
mod acknowledging_rules;
#[cfg(test)]
mod any_segment;
#[cfg(test)]
mod burst_rules;
#[cfg(test)]
mod closed_forms;
mod delivery;
mod departure;
mod ecn;
#[cfg(test)]
mod end_of_stream;
mod give_up;
mod handshake;
mod held;
#[cfg(test)]
mod info;
mod input;
#[cfg(test)]
mod invariants;
mod newreno;
mod options;
mod output;
mod pacing;
mod queue;
mod receive;
mod recovery;
#[cfg(test)]
mod recovery_rules;
mod reset;
mod round_trip;
#[cfg(test)]
mod sending_rules;
mod sent;
mod shown;
mod timers;
mod window;
mod write;

use std::collections::VecDeque;

use crate::congestion::{Bbr, Control, Cubic, Window};
use crate::rules::{Algorithm, Rules};
use crate::segment::{Kind, Segment};
use crate::time::Time;
use acknowledge::Acknowledging;
use delivery::Delivery;
use ecn::Ecn;
pub(crate) use held::Writer;
use queue::SendQueue;
use receive::Receiving;
pub(crate) use receive::Stored;
use recovery::Recovery;
use round_trip::RoundTrip;
use sent::Sent;
pub use shown::SocketCounts;
use shown::State;
pub(crate) use shown::{Burst, Wake};
use timers::Timer;
#[cfg(test)]
pub(crate) use write::Ending;

/// A socket.
#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) rules: Rules,
    pub(crate) state: State,
    pub(crate) counts: SocketCounts,
    out: VecDeque<Burst>,
    wake: Wake,

    // Sending side.
    queue: SendQueue,
    sent: Sent,
    /// `snd_una`: the first unacknowledged byte.
    una: u64,
    /// `snd_nxt`: the next byte to send.
    nxt: u64,
    /// `tcp_wnd_end`: the byte after the end of the peer's window.
    window_end: u64,
    /// `snd_wnd`.
    peer_window: u64,
    /// `max_window`.
    largest_peer_window: u64,
    window: Window,
    control: Control,
    usage: Usage,
    round_trip: RoundTrip,
    recovery: Recovery,
    delivery: Delivery,
    /// `sk_pacing_rate`, bytes/s.
    pacing_rate: Option<u64>,
    /// `snd_sml`: the end of the last small segment (Minshall).
    small_end: u64,
    /// `lsndtime`.
    last_sent: Time,
    /// `tcp_wstamp_ns`.
    write_stamp: Time,
    /// `pacing_timer`.
    pacing_due: Option<Time>,
    /// `sk_wmem_alloc`: memory of bursts that have not left the host.
    in_host: u64,
    /// `TSQ_THROTTLED`: sending continues when a burst has left the host.
    is_throttled: bool,
    leaves_at_once: bool,
    timer: Option<Timer>,
    /// Time of the first of consecutive timeouts.
    unanswered_since: Time,
    /// `icsk_probes_out`: window probes since the last ACK.
    probes: u32,
    /// `icsk_backoff` of window probes.
    probe_doublings: u32,
    has_given_up: bool,

    // Receiving side.
    receiving: Receiving,
    ecn: Ecn,
    acknowledging: Acknowledging,
    opened: Time,
    handshake_tries: u32,
}

/// Use of the congestion window (`tcp_cwnd_validate`).
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    is_limited: bool,
    most_out: u64,
    ends: u64,
    used: u64,
    stamp: Time,
}

impl Socket {
    pub(crate) fn new(rules: Rules) -> Self {
        let control = match rules.algorithm {
            Algorithm::Reno => Control::Reno,
            Algorithm::Cubic => Control::Cubic(Cubic::new(rules.version.hystart, rules.ticks, 0, 0)),
            Algorithm::Bbr => Control::Bbr(Box::new(Bbr::new(rules.ticks.round_up(1), rules.seed))),
        };
        Self {
            state: State::Closed,
            counts: SocketCounts::default(),
            out: VecDeque::new(),
            wake: Wake::default(),
            queue: SendQueue::new(&rules),
            sent: Sent::default(),
            una: 0,
            nxt: 0,
            window_end: 0,
            peer_window: 0,
            largest_peer_window: 0,
            window: Window::new(rules.initial_window),
            control,
            usage: Usage::default(),
            round_trip: RoundTrip::new(rules.rto_min, rules.ticks),
            recovery: Recovery::default(),
            delivery: Delivery::default(),
            pacing_rate: None,
            small_end: 0,
            last_sent: 0,
            write_stamp: 0,
            pacing_due: None,
            in_host: 0,
            is_throttled: false,
            leaves_at_once: false,
            timer: None,
            unanswered_since: 0,
            probes: 0,
            probe_doublings: 0,
            has_given_up: false,
            receiving: Receiving::new(&rules),
            ecn: Ecn::new(&rules),
            acknowledging: Acknowledging::of(&rules),
            opened: 0,
            handshake_tries: 0,
            rules,
        }
    }

    /// Opens a connection.
    pub(crate) fn open(&mut self, now: Time) {
        self.state = State::Opening;
        self.opened = now;
        self.send_handshake(now, Kind::Syn);
    }

    /// Counters so far.
    pub(crate) const fn counts(&self) -> SocketCounts {
        SocketCounts { send_buffer: self.queue.limit, receive_buffer: self.receiving.limit(), ..self.counts }
    }

    /// The next burst to send.
    pub(crate) fn poll_transmit(&mut self) -> Option<Burst> {
        self.out.pop_front()
    }

    /// Takes the pending wake-ups.
    pub(crate) fn take_wake(&mut self) -> Wake {
        std::mem::take(&mut self.wake)
    }

    /// Processes a segment, or several that were merged on the path.
    pub(crate) fn on_segment(&mut self, now: Time, segment: &Segment) {
        match (self.state, segment.kind) {
            (_, Kind::Reset) => self.on_reset(now, segment),
            (State::Broken, _) => self.refuse(now, segment),
            (State::Closed, Kind::Syn) => {
                self.state = State::Answering;
                self.opened = now;
                self.receiving.stamp(segment);
                self.send_handshake(now, Kind::SynAck);
            }
            (State::Answering, Kind::Syn) => self.send_handshake(now, Kind::SynAck),
            (State::Opening, Kind::SynAck) => {
                self.receiving.stamp(segment);
                self.establish(now, segment);
                self.send_ack(now);
            }
            // The ACK of the handshake was lost.
            (State::Established, Kind::SynAck) => self.send_ack(now),
            (State::Answering, Kind::Plain) => {
                self.establish(now, segment);
                self.on_plain(now, segment);
            }
            (State::Established, Kind::Plain) => self.on_plain(now, segment),
            _ => {}
        }
    }

    fn on_plain(&mut self, now: Time, segment: &Segment) {
        // A segment that acknowledges unsent data is dropped (`tcp_ack`).
        if segment.ack > self.nxt {
            return;
        }
        self.receiving.renew_stamp(segment);
        self.on_ack(now, segment);
        if segment.len > 0 || segment.is_fin {
            self.on_data(now, segment);
        } else if segment.seq < self.receiving.next() {
            // A window probe has an old sequence number (`tcp_xmit_probe_skb`).
            self.send_ack(now);
        }
    }

    fn establish(&mut self, now: Time, segment: &Segment) {
        self.state = State::Established;
        self.timer = None;
        self.peer_window = segment.window;
        self.window_end = segment.window;
        self.largest_peer_window = segment.window;
        // Without timestamps, it is unknown which of several SYNs was answered.
        let asked_at = if self.rules.has_stamps { Some(segment.echo) } else { self.asked_once() };
        match asked_at {
            Some(at) => {
                let rtt = now.saturating_sub(at).max(1);
                self.round_trip.sample(rtt, rtt, 0, 0, now);
            }
            None => self.round_trip.fall_back(),
        }
        self.usage.stamp = now;
        self.receiving.established(now);
        self.begin_window();
        self.begin_control(now);
        self.wake = Wake { writer: true, reader: true };
    }

    fn send_handshake(&mut self, now: Time, kind: Kind) {
        let window = self.receiving.first_window();
        let segment =
            Segment { kind, window, frames: 1, ecn: Ecn::of_handshake(&self.rules, kind), ..self.stamped(now) };
        self.out.push_back(Burst { segment, memory: 0 });
        self.timer = Some(Timer::handshake(now, self.handshake_doublings(kind), self.rules.ticks));
        self.handshake_tries += 1;
    }
}
