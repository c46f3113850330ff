//! Property test with arbitrary actions of peer, program and clock: the socket's accounting stays consistent,
//! and it sends in order what its windows allow.

use std::collections::VecDeque;

use proptest::prelude::*;
use tcpwhy_kernel::{KernelVersion, Link};

use super::Socket;
use super::shown::State;
use crate::rules::{Algorithm, EcnRules, HostRules, Rules, SocketOptions};
use crate::segment::{Kind, Notification, SACK_BLOCKS, Segment};
use crate::testing::cases;
use crate::time::{MICROSECOND, MILLISECOND, SECOND, Time};

/// A number near an interesting position: most bugs are off by one byte or one segment.
#[derive(Clone, Copy, Debug)]
enum Near {
    Una,
    Nxt,
    /// A share of the distance between them, in 256ths.
    Between(u8),
}

#[derive(Clone, Copy, Debug)]
struct Number {
    near: Near,
    /// Offset in bytes or segments.
    off: i64,
    is_segments: bool,
}

impl Number {
    fn of(self, una: u64, nxt: u64, mss: u64) -> u64 {
        let base = match self.near {
            Near::Una => una,
            Near::Nxt => nxt,
            Near::Between(share) => una + (nxt - una) * u64::from(share) / 256,
        };
        let off = if self.is_segments { self.off * mss.cast_signed() } else { self.off };
        base.saturating_add_signed(off)
    }
}

/// A segment of the peer, relative to the socket's state.
#[derive(Clone, Copy, Debug)]
struct Given {
    kind: Kind,
    seq: Number,
    len: u64,
    is_fin: bool,
    is_push: bool,
    ack: Number,
    window: u64,
    sack: [Option<(Number, Number)>; SACK_BLOCKS],
    dsack: Option<(Number, Number)>,
    ecn: [bool; 4],
    /// Time since its send, and since the send of the segment that it echoes.
    age: Time,
    echo_age: Option<Time>,
}

#[derive(Clone, Debug)]
enum Act {
    Segment(Box<Given>),
    /// Waits for this time while timers run.
    Wait(Time),
    /// Waits until the next timer.
    Timer,
    Write(u64),
    Read(u64),
    /// This many bursts leave the host.
    Leave(u8),
    Buffers(Option<u64>, Option<u64>),
    Finish,
    Reset,
}

fn number() -> impl Strategy<Value = Number> {
    let near = prop_oneof![Just(Near::Una), Just(Near::Nxt), any::<u8>().prop_map(Near::Between)];
    let off = prop_oneof![4 => Just(0_i64), 2 => -1..=1_i64, 1 => -40..40_i64];
    (near, off, any::<bool>()).prop_map(|(near, off, is_segments)| Number { near, off, is_segments })
}

/// A number with each octave equally likely.
fn octaves(least: u32, most: u32) -> impl Strategy<Value = u64> {
    (least..most, 0..1024_u64).prop_map(|(octave, part)| (1 << octave) + (part << octave) / 1024)
}

prop_compose! {
    fn segment()(
        kind in prop_oneof![
            60 => Just(Kind::Plain), 1 => Just(Kind::Syn), 1 => Just(Kind::SynAck), 1 => Just(Kind::Reset)
        ],
        seq in prop_oneof![
            3 => Just(Number { near: Near::Una, off: 0, is_segments: false }),
            1 => number(),
        ],
        len in prop_oneof![3 => Just(0_u64), 2 => Just(1_448), 1 => (1..45_u64).prop_map(|n| n * 1_448), 1 => 0..3_000_u64],
        (is_fin, is_push) in (prop::bool::weighted(0.03), any::<bool>()),
        ack in number(),
        window in prop_oneof![1 => Just(0_u64), 1 => 0..3_000_u64, 4 => octaves(10, 30)],
        sack in prop::array::uniform4(prop::option::weighted(0.3, (number(), number()))),
        dsack in prop::option::weighted(0.1, (number(), number())),
        ecn in prop::array::uniform4(prop::bool::weighted(0.2)),
        age in 0..SECOND,
        echo_age in prop::option::weighted(0.9, octaves(10, 34)),
    ) -> Given {
        Given { kind, seq, len, is_fin, is_push, ack, window, sack, dsack, ecn, age, echo_age }
    }
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => segment().prop_map(|given| Act::Segment(Box::new(given))),
        4 => octaves(10, 33).prop_map(Act::Wait),
        3 => Just(Act::Timer),
        6 => octaves(0, 20).prop_map(Act::Write),
        3 => octaves(0, 20).prop_map(Act::Read),
        6 => (1..20_u8).prop_map(Act::Leave),
        1 => (prop::option::of(octaves(0, 24)), prop::option::of(octaves(0, 24))).prop_map(|(s, r)| Act::Buffers(s, r)),
        1 => prop::bool::weighted(0.2).prop_map(|is_end| if is_end { Act::Finish } else { Act::Leave(99) }),
        1 => prop::bool::weighted(0.05).prop_map(|is_end| if is_end { Act::Reset } else { Act::Leave(99) }),
    ]
}

prop_compose! {
    fn rules()(
        version in prop::sample::select(vec!["4.20", "5.4", "5.10", "6.1", "6.6", "6.12", "6.16.1", "6.18", "7.3"]),
        algorithm in prop::sample::select(vec![Algorithm::Reno, Algorithm::Cubic, Algorithm::Bbr]),
        sndbuf in prop::option::of(octaves(0, 24)),
        rcvbuf in prop::option::of(octaves(0, 24)),
        has_nodelay in any::<bool>(),
        initial_window in prop_oneof![Just(10_u64), 1..100_u64],
        has_scale in prop::bool::weighted(0.9),
        has_sack in prop::bool::weighted(0.8),
        has_timestamps in prop::bool::weighted(0.8),
        uses_ecn in prop::bool::weighted(0.2),
        seed in any::<u64>(),
    ) -> Rules {
        let version: KernelVersion = version.parse().unwrap();
        let host = HostRules { initial_window, algorithm, ..HostRules::defaults(version) };
        let link = Link { has_timestamps, ..Link::ETHERNET };
        let rules = Rules::new(&host, &SocketOptions { sndbuf, rcvbuf, has_nodelay }, &link);
        let ecn = EcnRules { is_used: uses_ecn, ..rules.ecn };
        Rules { has_sack, ecn, window_scale: rules.window_scale.filter(|_| has_scale), seed, ..rules }
    }
}

/// A socket, and its observed outputs.
struct Watched {
    socket: Socket,
    now: Time,
    /// Memory of bursts that are still in the host.
    in_host: VecDeque<u64>,
    /// End of the sent data, of the advertised window, and of the acknowledged data.
    sent: u64,
    edge: u64,
    acked: u64,
}

/// Upper bound of bursts per event: the largest window in the smallest segments.
const MOST_BURSTS: usize = 100_000;
/// Upper bound of timers that are due at one moment.
const MOST_TIMERS: usize = 100;

impl Watched {
    fn connected(rules: Rules, window: u64, round_trip: Time) -> Self {
        let mut socket = Socket::new(rules);
        socket.open(SECOND);
        let now = SECOND + round_trip;
        let mut watched = Self { socket, now, in_host: VecDeque::new(), sent: 0, edge: 0, acked: 0 };
        watched.look();
        let answer = Segment { kind: Kind::SynAck, window, stamp: 1, echo: SECOND, frames: 1, ..Segment::default() };
        watched.socket.on_segment(now, &answer);
        watched.look();
        watched
    }

    /// Checks the socket and its output.
    fn look(&mut self) {
        self.socket.check();
        let mut bursts = 0;
        while let Some(burst) = self.socket.poll_transmit() {
            bursts += 1;
            assert!(bursts < MOST_BURSTS);
            let segment = burst.segment;
            self.in_host.push_back(burst.memory);
            if segment.kind != Kind::Plain {
                continue;
            }
            assert!(segment.ack >= self.acked, "an acknowledgement is not taken back");
            let scale = self.socket.rules.window_scale.unwrap_or(0);
            assert!(segment.window <= 65_535 << scale && segment.window.is_multiple_of(1 << scale), "{segment:?}");
            assert!(segment.ack + segment.window >= self.edge, "a window is not taken back: {segment:?}");
            (self.acked, self.edge) = (segment.ack, segment.ack + segment.window);
            if segment.end() == segment.seq {
                assert!(segment.seq <= self.socket.progress()[1], "{segment:?}");
                continue;
            }
            assert!(segment.frames == segment.len.div_ceil(self.socket.mss()).max(1) || segment.seq < self.sent);
            if segment.seq < self.sent {
                assert!(segment.end() <= self.sent, "a retransmission has nothing new: {segment:?}");
                continue;
            }
            assert_eq!(segment.seq, self.sent, "nothing is left out");
            let end = segment.seq + segment.len;
            assert!(end <= self.socket.window_end || segment.len == 0, "beyond the peer's window: {segment:?}");
            self.sent = segment.end();
        }
        assert_eq!(self.socket.memory()[1], self.in_host.iter().sum::<u64>(), "memory in the host");
        self.socket.take_wake();
    }

    fn timers(&mut self, until: Time) {
        let mut runs = 0;
        while let Some(at) = self.socket.next_timer().filter(|&at| at <= until) {
            runs = if at <= self.now { runs + 1 } else { 0 };
            assert!(runs < MOST_TIMERS, "{:?}", self.socket);
            self.now = self.now.max(at);
            self.socket.on_timer(self.now);
            self.look();
        }
        self.now = self.now.max(until);
    }

    /// Lets this many bursts leave the host.
    fn leave(&mut self, bursts: usize) {
        for _ in 0..bursts {
            let Some(memory) = self.in_host.pop_front() else { break };
            self.socket.on_left_host(self.now, memory, true);
            self.look();
        }
    }

    fn segment(&self, given: &Given) -> Segment {
        let ([una, nxt, _], [next, _]) = (self.socket.progress(), self.socket.received());
        let mss = self.socket.rules.mss;
        let range = |(from, to): (Number, Number)| {
            let (from, to) = (from.of(una, nxt, mss), to.of(una, nxt, mss));
            (from.min(to), from.max(to))
        };
        let [is_capable, is_marked, echoes, has_reduced] = given.ecn;
        Segment {
            kind: given.kind,
            // The next expected byte, and the end of the advertised window.
            seq: given.seq.of(next, self.edge.max(next), 1_448),
            len: given.len,
            is_fin: given.is_fin,
            is_push: given.is_push,
            ack: given.ack.of(una, nxt, mss),
            window: given.window,
            sack: given.sack.map(|block| block.map_or((0, 0), range)),
            dsack: given.dsack.map(range),
            stamp: self.now.saturating_sub(given.age),
            echo: given.echo_age.map_or(0, |age| self.now.saturating_sub(age)),
            frames: given.len.div_ceil(1_448).max(1),
            size: if given.len > 1_448 { 1_448 } else { 0 },
            ecn: Notification { is_capable, is_marked, echoes, has_reduced },
            has_stamps: self.socket.rules.has_stamps,
        }
    }

    fn act(&mut self, act: &Act) {
        // Each action takes 1 µs.
        self.timers(self.now + MICROSECOND);
        let now = self.now;
        let is_open = self.socket.state == State::Established;
        match *act {
            Act::Segment(ref given) => {
                let segment = self.segment(given);
                self.socket.on_segment(now, &segment);
            }
            Act::Wait(time) => self.timers(now + time),
            Act::Timer => {
                if let Some(at) = self.socket.next_timer() {
                    self.timers(at);
                }
            }
            Act::Write(bytes) if is_open && self.socket.queue.fin().is_none() => {
                let mut left = bytes;
                while left > 0 {
                    let taken = self.socket.write_some(now, left, left < bytes);
                    assert!(taken <= left);
                    self.look();
                    left -= taken;
                    if taken == 0 {
                        self.socket.await_room();
                        return;
                    }
                }
                self.socket.end_write(now);
            }
            Act::Write(_) => {}
            Act::Read(most) => {
                let before = self.socket.received()[1];
                let bytes = self.socket.read(now, most).unwrap_or(0);
                assert!(bytes <= most);
                assert_eq!(self.socket.received()[1], before + bytes);
            }
            Act::Leave(bursts) => self.leave(bursts.into()),
            Act::Buffers(sndbuf, rcvbuf) => self.socket.set_buffers(sndbuf, rcvbuf),
            Act::Finish => self.socket.finish(now),
            Act::Reset => self.socket.reset(now),
        }
        self.look();
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_socket_keeps_its_accounts(
        rules in rules(),
        window in prop_oneof![0..3_000_u64, octaves(10, 16)],
        round_trip in octaves(14, 32),
        acts in prop::collection::vec(act(), 1..120),
    ) {
        let mut watched = Watched::connected(rules, window, round_trip);
        for act in &acts {
            watched.act(act);
        }
        // Finally, a peer that acknowledges everything ends the connection.
        if watched.socket.state != State::Established {
            return Ok(());
        }
        for _ in 0..2_000 {
            watched.leave(MOST_BURSTS);
            let [una, nxt, written] = watched.socket.progress();
            if una == nxt && nxt >= written {
                break;
            }
            let segment = Segment {
                seq: watched.socket.received()[0],
                ack: nxt,
                window: 1 << 20,
                stamp: watched.now,
                echo: watched.now - MILLISECOND,
                frames: 1,
                ..Segment::default()
            };
            watched.socket.on_segment(watched.now, &segment);
            watched.look();
            if watched.socket.progress()[0] == watched.socket.progress()[1] {
                // The tail waits for the socket's own timers.
                watched.act(&Act::Timer);
            }
        }
        watched.leave(MOST_BURSTS);
        watched.timers(watched.now + SECOND);
        watched.leave(MOST_BURSTS);
        let [queued, in_host, _] = watched.socket.memory();
        let [una, nxt, written] = watched.socket.progress();
        prop_assert_eq!((una, nxt >= written), (nxt, true), "all is sent and acknowledged");
        prop_assert_eq!((queued, in_host), (0, 0));
        while watched.socket.read(watched.now, u64::MAX).is_some_and(|bytes| bytes > 0) {}
        watched.look();
        if watched.socket.is_drained() {
            prop_assert_eq!(watched.socket.memory()[2], 0);
        }
    }
}
