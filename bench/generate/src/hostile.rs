//! Captures with legal packets in the order that costs an analyser the most time or memory.

use crate::sim::{CLIENT, Rng, SERVER};
use crate::wire::{ACK, Address, FIN, Options, PSH, Pcap, SYN, Tcp};
use crate::{EPOCH_NS, addresses};
use std::io::{self, Write};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1000 * MS;
const LEN: u32 = 1000;
/// Time between two packets, nanoseconds.
const PAUSE: u64 = 10_000;
/// Larger distances are outside of any window.
const MAX_WINDOW: u32 = 1 << 30;

/// Every kind.
pub const KINDS: [&str; 17] = [
    "alternating",
    "random-order",
    "descending",
    "every-other",
    "sack-churn",
    "acks-back",
    "stamps-back",
    "never-echoed",
    "window-flap",
    "tiny",
    "duplicates",
    "wide-values",
    "probes",
    "recoveries",
    "clock-leaps",
    "reopened",
    "flood",
];

/// Writes the capture of one kind, of about `packets` packets.
pub fn write<W: Write>(kind: &str, packets: u64, rng: &mut Rng, out: &mut Pcap<W>) -> io::Result<()> {
    let last = |index: u64| (index as u32).wrapping_mul(LEN).wrapping_add(1);
    let mut talk = Talk::open(0, EPOCH_NS, out)?;
    match kind {
        "alternating" => {
            for i in 0..packets {
                // Alternately rising from low and from high sequence numbers.
                let at = if i % 2 == 0 { i as u32 * 50 + 1 } else { MAX_WINDOW / 4 + i as u32 * 50 };
                talk.data(at, 20)?;
            }
        }
        "random-order" => {
            for _ in 0..packets {
                let at = rng.below(u64::from(MAX_WINDOW / 2)) as u32;
                talk.data(at, LEN)?;
            }
        }
        "descending" => {
            for i in (0..packets).rev() {
                talk.data(i as u32 * 50 + 1, 20)?;
            }
        }
        "every-other" => {
            // Rounds in which every other segment is lost; the lost ones follow in reverse order.
            for flight in 0..packets / 1000 {
                let base = flight * 1000;
                for i in (0..1000).step_by(2) {
                    talk.data(last(base + i + 1), LEN)?;
                }
                for i in (0..500).rev() {
                    talk.data(last(base + 2 * i), LEN)?;
                }
                talk.acknowledge(last(base + 1000), 2000, &[])?;
            }
        }
        "sack-churn" => {
            talk.data(1, 1)?;
            for i in 0..packets {
                if i % 64 == 0 {
                    talk.data(last(i + 64), LEN)?;
                }
                let block = |rng: &mut Rng| {
                    let at = last(rng.below(i + 64));
                    (at, at + LEN / 2)
                };
                let blocks = [block(rng), block(rng), block(rng)];
                talk.acknowledge(2, 60_000, &blocks)?;
            }
        }
        "acks-back" => {
            for i in 0..packets / 4 {
                talk.data(last(i), LEN)?;
                let back = i.saturating_sub(rng.below(1000));
                talk.acknowledge(last(back), 60_000, &[])?;
                talk.acknowledge(last(i), 60_000 - (i % 2) as u16, &[(last(i) + 500, last(i) + 600)])?;
                talk.acknowledge(last(back / 2), 100, &[])?;
            }
        }
        "stamps-back" => {
            for i in 0..packets / 2 {
                talk.stamps = [rng.next() as u32, rng.next() as u32];
                talk.data(last(i), LEN)?;
                talk.stamps = [rng.next() as u32, rng.next() as u32];
                talk.acknowledge(last(i.saturating_sub(50)), 60_000, &[])?;
            }
        }
        "never-echoed" => {
            // Captured at the receiver: no data ever answers an ACK, so all of them count as in flight.
            for i in 0..packets / 2 {
                talk.stamps[SERVER] = 7;
                talk.data(last(i), LEN)?;
                talk.stamps[CLIENT] = 1000 + i as u32;
                talk.acknowledge(last(i + 1), 60_000 - (i % 7) as u16, &[])?;
            }
        }
        "window-flap" => {
            for i in 0..packets / 3 {
                talk.data(last(i), LEN)?;
                talk.acknowledge(last(i + 1), 0, &[])?;
                talk.acknowledge(last(i + 1), (i * 7919 % 60_000) as u16 + 1, &[])?;
            }
        }
        "tiny" => {
            for i in 0..packets {
                talk.data(i as u32 + 1, 1)?;
            }
        }
        "duplicates" => {
            talk.data(1, LEN)?;
            for i in 0..packets {
                talk.data(1 + (i % 3) as u32 * LEN, LEN)?;
            }
        }
        "wide-values" => {
            // Round trips, windows and bytes in flight of every size, each smaller than all before.
            let each = 4000;
            for n in 0..packets / each {
                talk = Talk::open(n as usize, talk.now + MS, talk.out)?;
                let mut at = 1_u32;
                for i in 0..each / 2 {
                    let left = 1.0 - i as f64 / (each / 2) as f64;
                    talk.data(at, LEN)?;
                    at += LEN;
                    talk.pause = (10.0 * (2e9_f64 / 10.0).powf(left)) as u64;
                    talk.acknowledge(at, (60_000.0_f64.powf(left)) as u16, &[])?;
                    talk.pause = PAUSE;
                }
            }
        }
        "probes" => {
            talk.data(1, LEN)?;
            talk.acknowledge(LEN + 1, 0, &[])?;
            for i in 0..packets / 2 {
                talk.data(LEN, u32::from(i % 2 == 0))?;
                talk.acknowledge(LEN + 1, 0, &[])?;
            }
        }
        "recoveries" => {
            // A loss, its repair and the DSACK that reports it as needless, repeatedly.
            let mut at = 1;
            for i in 0..packets / 6 {
                talk.pause = PAUSE + i % 5 * MS;
                talk.data(at, LEN)?;
                talk.data(at + LEN, LEN)?;
                talk.acknowledge(at, 60_000, &[(at + LEN, at + 2 * LEN)])?;
                talk.data(at, LEN)?;
                talk.acknowledge(at + 2 * LEN, 60_000, &[])?;
                talk.acknowledge(at + 2 * LEN, 60_000, &[(at, at + LEN)])?;
                at = at.wrapping_add(2 * LEN);
            }
        }
        "clock-leaps" => {
            // Many open connections, and a clock that jumps from packet to packet.
            let (now, out) = (talk.now, talk.out);
            many_syns(now, packets - packets / 100, rng, out)?;
            let mut talk = Talk { now: now + SECOND, ..Talk::new(1, now, out) };
            for i in 0..packets / 100 {
                talk.pause = 31 * SECOND / (1 + i / 200);
                talk.data(last(i), LEN)?;
            }
        }
        "reopened" => {
            let mut now = talk.now;
            for n in 0..packets / 4 {
                let mut again = Talk { now, isn: [n as u32 * 7919, n as u32 * 104_729], ..Talk::new(1, now, talk.out) };
                again.handshake()?;
                again.data(1, LEN)?;
                now = again.now;
                talk = again;
            }
        }
        "flood" => {
            let (now, out) = (talk.now, talk.out);
            many_syns(now, packets, rng, out)?;
        }
        _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("unknown kind {kind}"))),
    }
    Ok(())
}

/// Connections with a handshake, a request and its answer; `share_closed` percent of them end with a FIN from
/// each side.
pub fn short<W: Write>(count: u64, share_closed: u64, rng: &mut Rng, out: &mut Pcap<W>) -> io::Result<()> {
    /// Number of connections open at a time.
    const AT_A_TIME: u64 = 1000;
    for first in (0..count).step_by(AT_A_TIME as usize) {
        let start = EPOCH_NS + first * 40_000;
        let closed: Vec<bool> = (0..AT_A_TIME).map(|_| rng.below(100) < share_closed).collect();
        for step in 0..10 {
            for (n, &is_closed) in (first..count.min(first + AT_A_TIME)).zip(&closed) {
                let now = start + (step * AT_A_TIME + n - first) * 4000;
                let mut talk = Talk { now, stamps: [n as u32, n as u32 / 2], ..Talk::new(n as usize, now, out) };
                talk.isn = [n as u32 * 7919, n as u32 * 104_729];
                talk.pause = 0;
                let end = |sent: u32| if is_closed { sent + 1 } else { sent };
                match step {
                    0 => talk.send(CLIENT, SYN, 0, 0, 0, &[])?,
                    1 => talk.send(SERVER, SYN | ACK, 0, 1, 0, &[])?,
                    2 => talk.send(CLIENT, ACK, 1, 1, 0, &[])?,
                    3 => talk.send(CLIENT, ACK | PSH, 1, 1, 300, &[])?,
                    4 => talk.send(SERVER, ACK, 1, 301, 0, &[])?,
                    5 => talk.send(SERVER, ACK | PSH, 1, 301, 900, &[])?,
                    6 => talk.send(CLIENT, ACK, 301, 901, 0, &[])?,
                    7 if is_closed => talk.send(CLIENT, ACK | FIN, 301, 901, 0, &[])?,
                    8 if is_closed => talk.send(SERVER, ACK | FIN, 901, 302, 0, &[])?,
                    9 if is_closed => talk.send(CLIENT, ACK, end(301), end(901), 0, &[])?,
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// SYNs between random addresses.
fn many_syns<W: Write>(start: u64, count: u64, rng: &mut Rng, out: &mut Pcap<W>) -> io::Result<()> {
    for i in 0..count {
        let mut addresses = addresses(0, false);
        for end in &mut addresses {
            end.bytes[12..].copy_from_slice(&(rng.next() as u32).to_be_bytes());
            end.port = rng.next() as u16 | 1;
        }
        let options = Options { syn: Some((1460, 7)), tsval: rng.next() as u32, ..Options::default() };
        let tcp = Tcp { seq: rng.next() as u32, ack: 0, flags: SYN, window: 64_240, payload: 0, options };
        out.write(start + i * 1000, &addresses[CLIENT], &addresses[SERVER], &tcp)?;
    }
    Ok(())
}

/// A connection written packet by packet; the server sends the data.
struct Talk<'a, W: Write> {
    out: &'a mut Pcap<W>,
    addresses: [Address; 2],
    isn: [u32; 2],
    now: u64,
    /// Time between two packets, nanoseconds.
    pause: u64,
    /// Timestamps of both ends.
    stamps: [u32; 2],
}

impl<'a, W: Write> Talk<'a, W> {
    fn new(index: usize, now: u64, out: &'a mut Pcap<W>) -> Self {
        let isn = [1000, u32::MAX - 100_000];
        Self { out, addresses: addresses_of(index), isn, now, pause: PAUSE, stamps: [1000; 2] }
    }

    /// A connection with its handshake, over a path of 20 ms, captured half way.
    fn open(index: usize, now: u64, out: &'a mut Pcap<W>) -> io::Result<Self> {
        let mut talk = Self::new(index, now, out);
        talk.handshake()?;
        Ok(talk)
    }

    fn handshake(&mut self) -> io::Result<()> {
        let pause = std::mem::replace(&mut self.pause, 10 * MS);
        self.send(CLIENT, SYN, 0, 0, 0, &[])?;
        self.send(SERVER, SYN | ACK, 0, 1, 0, &[])?;
        self.send(CLIENT, ACK, 1, 1, 0, &[])?;
        self.pause = pause;
        Ok(())
    }

    fn data(&mut self, at: u32, len: u32) -> io::Result<()> {
        self.send(SERVER, ACK | PSH, at, 1, len, &[])
    }

    fn acknowledge(&mut self, ack: u32, window: u16, sack: &[(u32, u32)]) -> io::Result<()> {
        self.send_with(CLIENT, ACK, (1, ack), 0, window, sack)
    }

    fn send(&mut self, from: usize, flags: u8, seq: u32, ack: u32, len: u32, sack: &[(u32, u32)]) -> io::Result<()> {
        self.send_with(from, flags, (seq, ack), len, 60_000, sack)
    }

    fn send_with(
        &mut self,
        from: usize,
        flags: u8,
        (seq, ack): (u32, u32),
        len: u32,
        window: u16,
        sack: &[(u32, u32)],
    ) -> io::Result<()> {
        let peer = self.isn[1 - from];
        let mut blocks = [(0, 0); 3];
        for (block, &(left, right)) in blocks.iter_mut().zip(sack) {
            *block = (peer.wrapping_add(left), peer.wrapping_add(right));
        }
        let options = Options {
            syn: (flags & SYN != 0).then_some((1460, 8)),
            tsval: self.stamps[from],
            tsecr: self.stamps[1 - from],
            sack: blocks,
            sack_count: sack.len(),
        };
        let tcp = Tcp {
            seq: self.isn[from].wrapping_add(seq),
            ack: if flags & ACK != 0 { peer.wrapping_add(ack) } else { 0 },
            flags,
            window,
            payload: len as usize,
            options,
        };
        self.out.write(self.now, &self.addresses[from], &self.addresses[1 - from], &tcp)?;
        self.now += self.pause;
        Ok(())
    }
}

/// Endpoints that differ for every index below 2³².
fn addresses_of(index: usize) -> [Address; 2] {
    let mut both = addresses(0, false);
    both[CLIENT].bytes[12] = 10;
    both[CLIENT].bytes[13..].copy_from_slice(&(index as u32 >> 12).to_be_bytes()[1..]);
    both[CLIENT].port = 20_000 + (index & 0xfff) as u16;
    both
}
