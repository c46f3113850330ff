//! A small TCP with windows, SACK recovery, timers and a tail-drop bottleneck, so that captures have the
//! features of real ones. The capture point is the server. One event is processed at a time, so packets come
//! out sorted.

use crate::wire::{ACK, Address, FIN, Options, PSH, Pcap, SYN, Tcp};
use std::collections::VecDeque;
use std::io::{self, Write};

pub const MSS: u64 = 1448;
const NEVER: u64 = u64::MAX;
const MS: u64 = 1_000_000;
const WINDOW_SHIFT: u8 = 8;
const DELAYED_ACK: u64 = 40 * MS;
pub const CLIENT: usize = 0;
pub const SERVER: usize = 1;

/// splitmix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A log-uniform number between `low` and `high`.
    pub fn spread(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

pub enum App {
    /// One side sends all data after the request.
    Bulk {
        sender: usize,
        bytes: u64,
    },
    Turns {
        left: u32,
        request: u64,
        response: u64,
        service_ns: u64,
        think_ns: u64,
    },
    Paced {
        left: u32,
        chunk: u64,
        every_ns: u64,
    },
}

pub struct Plan {
    pub start_ns: u64,
    pub addresses: [Address; 2],
    pub app: App,
    pub rtt_ns: u64,
    /// Rate of the bottleneck in each direction.
    pub bytes_per_sec: u64,
    /// Longest queueing delay before a packet is dropped.
    pub queue_ns: u64,
    /// Loss rate of data packets, independent of the queue.
    pub loss: f64,
    pub receive_window: u64,
    /// Bytes at which slow start ends, as HyStart would do it.
    pub slow_start_threshold: u64,
    /// Segments that the congestion window gains in a round trip after slow start.
    pub growth: u64,
    pub syn_ack_lost: bool,
    pub closes: bool,
    pub seed: u64,
}

struct Packet {
    arrives: u64,
    seq: u64,
    len: u64,
    ack: u64,
    flags: u8,
    window: u64,
    tsval: u32,
    tsecr: u32,
    sack: [(u64, u64); 3],
    sack_count: usize,
    /// Total of data at the receiver: the simulator computes the bytes in flight from it.
    delivered: u64,
}

struct Lost {
    seq: u64,
    len: u64,
    again: bool,
}

struct Endpoint {
    isn: u32,
    clock: u32,
    una: u64,
    next: u64,
    written: u64,
    edge: u64,
    cwnd: u64,
    threshold: u64,
    recover: u64,
    timed_out: bool,
    sent: u64,
    delivered_there: u64,
    known_lost: u64,
    /// Sorted; the first `marked` are known to be lost and the first `resent` were retransmitted.
    lost: VecDeque<Lost>,
    marked: usize,
    resent: usize,
    highest_sack: u64,
    link_free: u64,
    last_arrival: u64,
    transmit_at: u64,
    rto_at: u64,
    received: u64,
    delivered_here: u64,
    ranges: VecDeque<(u64, u64)>,
    ts_recent: u32,
    unacked: u8,
    ack_at: u64,
}

impl Endpoint {
    fn new(rng: &mut Rng, threshold: u64) -> Self {
        Self {
            isn: rng.next() as u32,
            clock: rng.next() as u32,
            una: 1,
            next: 1,
            written: 1,
            edge: 0,
            cwnd: 10 * MSS,
            threshold,
            recover: 0,
            timed_out: false,
            sent: 0,
            delivered_there: 0,
            known_lost: 0,
            lost: VecDeque::new(),
            marked: 0,
            resent: 0,
            highest_sack: 0,
            link_free: 0,
            last_arrival: 0,
            transmit_at: NEVER,
            rto_at: NEVER,
            received: 1,
            delivered_here: 0,
            ranges: VecDeque::new(),
            ts_recent: 0,
            unacked: 0,
            ack_at: NEVER,
        }
    }

    fn stamp(&self, now: u64) -> u32 {
        self.clock.wrapping_add((now / MS) as u32)
    }

    fn pipe(&self) -> u64 {
        self.sent.saturating_sub(self.delivered_there + self.known_lost)
    }

    fn can_resend(&self) -> bool {
        self.resent < self.marked
    }

    fn next_len(&self) -> u64 {
        let len = MSS.min(self.written - self.next);
        if self.next + len <= self.edge { len } else { 0 }
    }

    fn may_send(&self) -> bool {
        self.pipe() + MSS <= self.cwnd.max(MSS) && (self.can_resend() || self.next_len() > 0)
    }

    /// Records arrived data; returns whether it was exactly the expected data and left no hole.
    fn take(&mut self, seq: u64, len: u64) -> bool {
        let end = seq + len;
        if seq == self.received {
            let hole = !self.ranges.is_empty();
            self.received = end;
            self.delivered_here += len;
            if self.ranges.front().is_some_and(|front| front.0 <= self.received)
                && let Some((_, right)) = self.ranges.pop_front()
            {
                self.received = self.received.max(right);
            }
            return !hole;
        }
        if seq > self.received {
            let at = self.ranges.partition_point(|range| range.0 <= seq);
            if at > 0 && self.ranges[at - 1].1 >= end {
                return false;
            }
            self.delivered_here += len;
            if at > 0 && self.ranges[at - 1].1 == seq {
                self.ranges[at - 1].1 = end;
                if at < self.ranges.len() && self.ranges[at].0 == end {
                    self.ranges[at - 1].1 = self.ranges[at].1;
                    self.ranges.remove(at);
                }
            } else if at < self.ranges.len() && self.ranges[at].0 == end {
                self.ranges[at].0 = seq;
            } else {
                self.ranges.insert(at, (seq, end));
            }
        }
        false
    }

    /// The block that contains `seq` first, then the newest others.
    fn sack_blocks(&self, seq: u64) -> ([(u64, u64); 3], usize) {
        let mut blocks = [(0, 0); 3];
        let mut count = 0;
        let own = self.ranges.iter().rev().take(64).find(|range| range.0 <= seq && seq < range.1);
        let others = self.ranges.iter().rev().take(4).filter(|&range| Some(range) != own);
        for range in own.into_iter().chain(others).take(3) {
            blocks[count] = *range;
            count += 1;
        }
        (blocks, count)
    }
}

#[derive(PartialEq)]
enum Handshake {
    Syn,
    Answer,
    Done,
}

pub struct Connection {
    plan: Plan,
    rng: Rng,
    ends: [Endpoint; 2],
    /// Indexed by the receiving end.
    wires: [VecDeque<Packet>; 2],
    app_at: u64,
    asked: bool,
    waiting: bool,
    closing: bool,
    handshake: Handshake,
    over: bool,
}

impl Connection {
    pub fn new(plan: Plan) -> Self {
        let mut rng = Rng(plan.seed);
        let ends =
            [Endpoint::new(&mut rng, plan.slow_start_threshold), Endpoint::new(&mut rng, plan.slow_start_threshold)];
        Self {
            app_at: plan.start_ns,
            plan,
            rng,
            ends,
            wires: [VecDeque::new(), VecDeque::new()],
            asked: false,
            waiting: false,
            closing: false,
            handshake: Handshake::Syn,
            over: false,
        }
    }

    /// Time of the next event; `None` if there is none.
    pub fn next_event(&self) -> Option<u64> {
        let arrival = |end: usize| self.wires[end].front().map_or(NEVER, |packet| packet.arrives);
        let timer = |end: usize| {
            let e = &self.ends[end];
            e.transmit_at.min(e.rto_at).min(e.ack_at)
        };
        let next = self.app_at.min(arrival(0)).min(arrival(1)).min(timer(0)).min(timer(1));
        (next != NEVER && !self.over).then_some(next)
    }

    pub fn step<W: Write>(&mut self, now: u64, out: &mut Pcap<W>) -> io::Result<()> {
        if self.handshake != Handshake::Done {
            return self.handshake(now, out);
        }
        for end in [CLIENT, SERVER] {
            if self.wires[end].front().is_some_and(|packet| packet.arrives == now) {
                let Some(packet) = self.wires[end].pop_front() else { unreachable!("just seen") };
                if end == SERVER {
                    self.capture(now, CLIENT, &packet, out)?;
                }
                return self.arrive(now, end, &packet, out);
            }
            if self.ends[end].transmit_at == now {
                return self.transmit(now, end, out);
            }
            if self.ends[end].ack_at == now {
                return self.send(now, end, self.ends[end].next, 0, ACK, false, 0, out);
            }
            if self.ends[end].rto_at == now {
                return self.timeout(now, end, out);
            }
        }
        self.app_at = NEVER;
        self.application(now, out)
    }

    /// A SYN and, one event later, its answer.
    fn handshake<W: Write>(&mut self, now: u64, out: &mut Pcap<W>) -> io::Result<()> {
        let [client, server] = &mut self.ends;
        let syn = Some((1460, WINDOW_SHIFT));
        if self.handshake == Handshake::Syn {
            server.ts_recent = client.stamp(now.saturating_sub(self.plan.rtt_ns / 2));
            let options = Options { syn, tsval: server.ts_recent, ..Options::default() };
            let tcp = Tcp { seq: client.isn, ack: 0, flags: SYN, window: 64_240, payload: 0, options };
            self.handshake = Handshake::Answer;
            self.app_at = now + 20_000;
            return out.write(now, &self.plan.addresses[CLIENT], &self.plan.addresses[SERVER], &tcp);
        }
        client.ts_recent = server.stamp(now);
        client.edge = 65_160;
        server.edge = 64_240;
        let options = Options { syn, tsval: client.ts_recent, tsecr: server.ts_recent, ..Options::default() };
        let ack = client.isn.wrapping_add(1);
        let tcp = Tcp { seq: server.isn, ack, flags: SYN | ACK, window: 65_160, payload: 0, options };
        out.write(now, &self.plan.addresses[SERVER], &self.plan.addresses[CLIENT], &tcp)?;
        if std::mem::take(&mut self.plan.syn_ack_lost) {
            self.handshake = Handshake::Syn;
            self.app_at = now + 1000 * MS;
            return Ok(());
        }
        self.handshake = Handshake::Done;
        let there = now + self.plan.rtt_ns / 2;
        self.app_at = there + 50_000;
        self.send(there, CLIENT, 1, 0, ACK, false, 0, out)
    }

    /// The application's next write.
    fn application<W: Write>(&mut self, now: u64, out: &mut Pcap<W>) -> io::Result<()> {
        if self.closing {
            return self.send(now, SERVER, self.ends[SERVER].next, 0, FIN | ACK, false, 0, out);
        }
        let (who, bytes) = if self.asked {
            match &mut self.plan.app {
                App::Bulk { sender, bytes } => (*sender, std::mem::take(bytes)),
                App::Turns { left, request, response, .. } => {
                    *left -= 1;
                    if *left % 2 == 1 { (SERVER, *response) } else { (CLIENT, *request) }
                }
                App::Paced { left, chunk, every_ns } => {
                    *left -= 1;
                    self.app_at = if *left > 0 { now + *every_ns } else { NEVER };
                    (SERVER, *chunk)
                }
            }
        } else {
            self.asked = true;
            (CLIENT, 200 + self.rng.below(600))
        };
        self.ends[who].written += bytes;
        self.waiting = self.app_at == NEVER;
        self.ends[who].transmit_at = now + 3_000;
        Ok(())
    }

    /// Called when all written data has arrived.
    fn quiet(&mut self, now: u64) {
        if !self.waiting {
            return;
        }
        self.waiting = false;
        let delay = match &self.plan.app {
            App::Bulk { bytes: 0, .. } => None,
            App::Bulk { .. } => Some(500_000),
            App::Turns { left: 0, .. } => None,
            App::Turns { left, service_ns, think_ns, .. } => Some(if left % 2 == 0 { *service_ns } else { *think_ns }),
            App::Paced { left: 0, .. } => None,
            App::Paced { .. } => Some(500_000),
        };
        // An odd number of turns left means that the client sends next.
        self.closing = delay.is_none();
        if self.closing && !self.plan.closes {
            return;
        }
        self.app_at = now + delay.unwrap_or(100_000) + self.plan.rtt_ns / 2;
    }

    fn transmit<W: Write>(&mut self, now: u64, end: usize, out: &mut Pcap<W>) -> io::Result<()> {
        self.ends[end].transmit_at = NEVER;
        if self.ends[end].may_send() { self.push_out(now, end, out) } else { Ok(()) }
    }

    fn push_out<W: Write>(&mut self, now: u64, end: usize, out: &mut Pcap<W>) -> io::Result<()> {
        let rto = self.rto();
        let e = &mut self.ends[end];
        let (seq, len, again) = if e.can_resend() {
            let entry = &e.lost[e.resent];
            e.resent += 1;
            (entry.seq, entry.len, true)
        } else {
            let len = e.next_len();
            (e.next, len, false)
        };
        let push = if seq + len == e.written { PSH } else { 0 };
        if e.rto_at == NEVER {
            e.rto_at = now + rto;
        }
        self.ends[end].sent += len;
        self.send(now, end, seq, len, ACK | push, again, 0, out)?;
        // Fast recovery conserves packets: one is sent per ACK.
        let e = &self.ends[end];
        if (e.una >= e.recover || e.timed_out) && e.may_send() {
            // A 10 Gbit/s interface.
            self.ends[end].transmit_at = now + 1_230;
        }
        Ok(())
    }

    fn rto(&self) -> u64 {
        200 * MS + self.plan.rtt_ns + self.plan.queue_ns
    }

    fn timeout<W: Write>(&mut self, now: u64, end: usize, out: &mut Pcap<W>) -> io::Result<()> {
        let rto = self.rto();
        let e = &mut self.ends[end];
        e.rto_at = NEVER;
        if e.una >= e.next || e.lost.is_empty() {
            return Ok(());
        }
        // All missing data is lost: lost retransmissions, and holes that no SACK had shown yet.
        let (marked, resent) = (e.marked, e.resent);
        let (mut at, mut newly_lost) = (0, 0);
        e.lost.retain_mut(|lost| {
            let again = std::mem::take(&mut lost.again);
            newly_lost += if again || at >= marked { lost.len } else { 0 };
            at += 1;
            again || at > resent
        });
        e.resent = 0;
        e.marked = e.lost.len();
        e.known_lost += newly_lost;
        if e.lost.is_empty() {
            e.rto_at = now + rto;
            return Ok(());
        }
        e.threshold = (e.cwnd / 2).max(2 * MSS);
        e.cwnd = MSS;
        e.recover = e.next;
        e.timed_out = true;
        e.rto_at = now + 2 * rto;
        self.push_out(now, end, out)
    }

    fn arrive<W: Write>(&mut self, now: u64, end: usize, packet: &Packet, out: &mut Pcap<W>) -> io::Result<()> {
        if packet.seq <= self.ends[end].received {
            self.ends[end].ts_recent = packet.tsval;
        }
        self.acknowledged(now, end, packet);
        if packet.len > 0 {
            let expected = self.ends[end].take(packet.seq, packet.len);
            let e = &mut self.ends[end];
            e.unacked += 1;
            if expected && e.unacked < 2 {
                e.ack_at = now + DELAYED_ACK;
            } else {
                self.send(now, end, self.ends[end].next, 0, ACK, false, packet.seq, out)?;
            }
        }
        if packet.flags & FIN != 0 {
            self.ends[end].received += 1;
            if end == CLIENT {
                return self.send(now + 50_000, end, self.ends[end].next, 0, FIN | ACK, false, 0, out);
            }
            self.send(now, end, self.ends[end].next, 0, ACK, false, 0, out)?;
            self.over = true;
            return Ok(());
        }
        let arrived = |from: usize, to: usize| self.ends[to].received >= self.ends[from].written;
        if packet.len > 0 && arrived(0, 1) && arrived(1, 0) {
            self.quiet(now);
        }
        if self.ends[end].transmit_at == NEVER && self.ends[end].may_send() {
            self.ends[end].transmit_at = now + 2_000;
        }
        Ok(())
    }

    fn acknowledged(&mut self, now: u64, end: usize, packet: &Packet) {
        let rto = self.rto();
        let e = &mut self.ends[end];
        e.edge = e.edge.max(packet.ack + packet.window);
        e.delivered_there = e.delivered_there.max(packet.delivered);
        for (_, right) in &packet.sack[..packet.sack_count] {
            e.highest_sack = e.highest_sack.max(*right);
        }
        if packet.ack > e.una {
            let freed = packet.ack - e.una;
            e.una = packet.ack;
            while e.lost.front().is_some_and(|lost| lost.seq < e.una) {
                e.lost.pop_front();
                e.marked = e.marked.saturating_sub(1);
                e.resent = e.resent.saturating_sub(1);
            }
            e.timed_out &= e.una < e.recover;
            if (e.una >= e.recover || e.timed_out) && e.pipe() + 4 * MSS >= e.cwnd.min(e.threshold) {
                e.cwnd += if e.cwnd < e.threshold { freed } else { (freed * self.plan.growth * MSS / e.cwnd).max(1) };
            }
            e.rto_at = if e.una < e.next { now + rto } else { NEVER };
        }
        let before = e.marked;
        while e.lost.get(e.marked).is_some_and(|lost| lost.seq + 3 * MSS <= e.highest_sack) {
            e.known_lost += e.lost[e.marked].len;
            e.marked += 1;
        }
        if e.marked > before && e.una >= e.recover {
            e.recover = e.next;
            e.threshold = (e.cwnd * 7 / 10).max(2 * MSS);
            e.cwnd = e.threshold;
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn send<W: Write>(
        &mut self,
        now: u64,
        end: usize,
        seq: u64,
        len: u64,
        flags: u8,
        again: bool,
        seen: u64,
        out: &mut Pcap<W>,
    ) -> io::Result<()> {
        let dropped = len > 0
            && (self.rng.unit() < self.plan.loss || self.ends[end].link_free.saturating_sub(now) > self.plan.queue_ns);
        let e = &mut self.ends[end];
        let (sack, sack_count) = e.sack_blocks(seen);
        let window = self.plan.receive_window.min(65_536 + 2 * e.received);
        let mut packet = Packet {
            arrives: 0,
            seq,
            len,
            ack: e.received,
            flags,
            window: window >> WINDOW_SHIFT << WINDOW_SHIFT,
            tsval: e.stamp(now),
            tsecr: e.ts_recent,
            sack,
            sack_count,
            delivered: e.delivered_here,
        };
        e.unacked = 0;
        e.ack_at = NEVER;
        e.next = e.next.max(seq + len + u64::from(flags & FIN));
        if again && let Ok(at) = e.lost.binary_search_by_key(&seq, |lost| lost.seq) {
            e.lost[at].again = dropped;
        } else if dropped {
            e.lost.push_back(Lost { seq, len, again: false });
        }
        if end == SERVER {
            self.capture(now, SERVER, &packet, out)?;
        }
        if !dropped {
            let e = &mut self.ends[end];
            if len > 0 {
                e.link_free = e.link_free.max(now) + (len + 104) * 1_000_000_000 / self.plan.bytes_per_sec;
            }
            packet.arrives = (e.link_free.max(now) + self.plan.rtt_ns / 2).max(e.last_arrival);
            e.last_arrival = packet.arrives;
            self.wires[1 - end].push_back(packet);
        }
        Ok(())
    }

    fn capture<W: Write>(&self, now: u64, from: usize, packet: &Packet, out: &mut Pcap<W>) -> io::Result<()> {
        let isn = self.ends[from].isn;
        let peer_isn = self.ends[1 - from].isn;
        let wrap = |isn: u32, offset: u64| isn.wrapping_add(offset as u32);
        let options = Options {
            syn: None,
            tsval: packet.tsval,
            tsecr: packet.tsecr,
            sack: packet.sack.map(|(left, right)| (wrap(peer_isn, left), wrap(peer_isn, right))),
            sack_count: packet.sack_count,
        };
        let tcp = Tcp {
            seq: wrap(isn, packet.seq),
            ack: wrap(peer_isn, packet.ack),
            flags: packet.flags,
            window: (packet.window >> WINDOW_SHIFT) as u16,
            payload: packet.len as usize,
            options,
        };
        out.write(now, &self.plan.addresses[from], &self.plan.addresses[1 - from], &tcp)
    }
}
