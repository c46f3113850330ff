//! Filter of the packets that the kernel puts into the ring, and of their lengths: a classic BPF program
//! (`Documentation/networking/filter.rst`).
//!
//! The kernel runs it on every packet of the interface, so unwanted packets are not copied. Payload is
//! private data of other people, so the program cuts packets after the TCP header.

use std::collections::HashMap;

// include/uapi/linux/bpf_common.h
const LD: u16 = 0x00;
const LDX: u16 = 0x01;
const ST: u16 = 0x02;
const ALU: u16 = 0x04;
const JMP: u16 = 0x05;
const RET: u16 = 0x06;
const MISC: u16 = 0x07;
const WORD: u16 = 0x00;
const HALF: u16 = 0x08;
const BYTE: u16 = 0x10;
const IMMEDIATE: u16 = 0x00;
const ABSOLUTE: u16 = 0x20;
const INDIRECT: u16 = 0x40;
const MEMORY: u16 = 0x60;
const ADD: u16 = 0x00;
const AND: u16 = 0x50;
const SHIFT_LEFT: u16 = 0x60;
const SHIFT_RIGHT: u16 = 0x70;
const ALWAYS: u16 = 0x00;
const EQUAL: u16 = 0x10;
const GREATER: u16 = 0x20;
const AT_LEAST: u16 = 0x30;
const ANY_BIT: u16 = 0x40;
const BY_X: u16 = 0x08;
const RETURN_A: u16 = 0x10;
const TO_X: u16 = 0x00;
const TO_A: u16 = 0x80;

// Offsets of data about the packet that is not among its bytes.
const OF_PACKET: u32 = 0xffff_f000;
const PROTOCOL: u32 = OF_PACKET;
const PACKET_TYPE: u32 = OF_PACKET + 4;
const HARDWARE_TYPE: u32 = OF_PACKET + 28;

/// Limit for IPv6 extension headers that the program skips; real packets have one or two.
const EXTENSIONS: usize = 4;

/// The packets that the ring captures, and how much of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capturing {
    /// All packets, each cut to this number of bytes.
    Everything(u32),
    /// TCP over IPv4 and IPv6, also in VLANs. Each packet is cut after its TCP header, or at `snaplen` bytes
    /// if that is shorter.
    TcpHeaders {
        /// Most bytes per packet.
        snaplen: u32,
    },
    /// The same packets including their payload, cut at `snaplen` bytes.
    TcpWithPayload {
        /// Most bytes per packet.
        snaplen: u32,
    },
}

impl Capturing {
    /// Most bytes per packet.
    pub const fn snaplen(self) -> u32 {
        match self {
            Self::Everything(snaplen) | Self::TcpHeaders { snaplen } | Self::TcpWithPayload { snaplen } => snaplen,
        }
    }

    /// Builds the program. With `is_cooked`, packets begin with their IP header, not with a link header.
    pub(super) fn program(self, is_cooked: bool) -> Vec<libc::sock_filter> {
        let mut program = Program::default();
        match self {
            Self::Everything(snaplen) => program.then(RET, snaplen),
            Self::TcpHeaders { snaplen } => program.tcp(is_cooked, snaplen, true),
            Self::TcpWithPayload { snaplen } => program.tcp(is_cooked, snaplen, false),
        }
        program.assembled()
    }
}

/// A label in the program. Classic BPF jumps only forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Drop,
    V4,
    V4Fragment,
    V6,
    Tcp,
    Keep,
    /// A numbered label.
    Step(u32),
}

/// Target of a comparison.
#[derive(Clone, Copy)]
enum To {
    Next,
    Place(Place),
}

/// A program under construction.
#[derive(Default)]
struct Program {
    code: Vec<(u16, u32, To, To)>,
    places: HashMap<Place, usize>,
    steps: u32,
}

impl Program {
    fn then(&mut self, code: u16, value: u32) {
        self.code.push((code, value, To::Next, To::Next));
    }

    fn go(&mut self, place: Place) {
        self.code.push((JMP | ALWAYS, 0, To::Place(place), To::Next));
    }

    fn when(&mut self, comparison: u16, value: u32, yes: To, no: To) {
        self.code.push((JMP | comparison, value, yes, no));
    }

    fn here_is(&mut self, place: Place) {
        self.places.insert(place, self.code.len());
    }

    fn new_step(&mut self) -> Place {
        self.steps += 1;
        Place::Step(self.steps)
    }

    /// The register X is the offset of the IP header, later of the header after it.
    fn tcp(&mut self, is_cooked: bool, snaplen: u32, is_cut: bool) {
        use Place::{Drop, Keep, Tcp, V4, V4Fragment, V6};
        const ETHERNET: u32 = 14;
        const VLAN_TAG: u32 = 4;
        const TAGS: [u32; 2] = [libc::ETH_P_8021Q as u32, libc::ETH_P_8021AD as u32];
        const IPV4: u32 = libc::ETH_P_IP as u32;
        const IPV6: u32 = libc::ETH_P_IPV6 as u32;
        let is = |place| To::Place(place);

        // A loopback receives every packet that it sends, so the outgoing copies are dropped.
        self.then(LD | WORD | ABSOLUTE, HARDWARE_TYPE);
        let outside = self.new_step();
        self.when(EQUAL, u32::from(libc::ARPHRD_LOOPBACK), To::Next, is(outside));
        self.then(LD | WORD | ABSOLUTE, PACKET_TYPE);
        self.when(EQUAL, u32::from(libc::PACKET_OUTGOING), is(Drop), To::Next);
        self.here_is(outside);

        if is_cooked {
            // For a tag that software inserted, the kernel reports the VLAN protocol here, although the bytes
            // begin with the IP header.
            let known = self.new_step();
            self.then(LD | WORD | ABSOLUTE, PROTOCOL);
            for protocol in [IPV4, IPV6, TAGS[0]] {
                self.when(EQUAL, protocol, is(known), To::Next);
            }
            self.when(EQUAL, TAGS[1], To::Next, is(Drop));
            self.here_is(known);
            self.then(LDX | IMMEDIATE, 0);
            self.then(LD | BYTE | ABSOLUTE, 0);
            self.then(ALU | SHIFT_RIGHT, 4);
            self.when(EQUAL, 4, is(V4), To::Next);
            self.when(EQUAL, 6, is(V6), is(Drop));
        } else {
            for tags in 0..=2 {
                let tagged = self.new_step();
                self.then(LDX | IMMEDIATE, ETHERNET + tags * VLAN_TAG);
                self.then(LD | HALF | ABSOLUTE, ETHERNET - 2 + tags * VLAN_TAG);
                self.when(EQUAL, IPV4, is(V4), To::Next);
                self.when(EQUAL, IPV6, is(V6), To::Next);
                self.when(EQUAL, TAGS[0], is(tagged), To::Next);
                self.when(EQUAL, TAGS[1], is(tagged), is(Drop));
                self.here_is(tagged);
            }
            self.go(Drop);
        }

        self.here_is(V4);
        self.then(LD | BYTE | INDIRECT, 9);
        self.when(EQUAL, libc::IPPROTO_TCP as u32, To::Next, is(Drop));
        self.then(LD | HALF | INDIRECT, 6);
        self.when(ANY_BIT, 0x1fff, is(V4Fragment), To::Next);
        self.v4_end();
        self.then(MISC | TO_X, 0);
        self.go(Tcp);
        // Later fragments have payload in place of a TCP header.
        self.here_is(V4Fragment);
        self.v4_end();
        self.go(Keep);

        self.here_is(V6);
        self.then(LD | BYTE | INDIRECT, 6);
        self.skip(40);
        for _ in 0..EXTENSIONS {
            self.extension();
        }
        self.when(EQUAL, libc::IPPROTO_TCP as u32, is(Tcp), is(Drop));

        self.here_is(Tcp);
        if is_cut {
            let whole = self.new_step();
            self.then(LD | BYTE | INDIRECT, 12);
            self.then(ALU | AND, 0xf0);
            self.then(ALU | SHIFT_RIGHT, 2);
            self.when(AT_LEAST, 20, is(whole), To::Next);
            self.then(LD | IMMEDIATE, 20);
            self.here_is(whole);
            self.then(ALU | ADD | BY_X, 0);
        } else {
            self.then(LD | IMMEDIATE, snaplen);
        }
        // The register A is the number of bytes to keep.
        self.here_is(Keep);
        let short = self.new_step();
        self.when(GREATER, snaplen, To::Next, is(short));
        self.then(RET, snaplen);
        self.here_is(short);
        self.then(RET | RETURN_A, 0);
        self.here_is(Drop);
        self.then(RET, 0);
    }

    /// Computes the end of the IPv4 header at X, into A.
    fn v4_end(&mut self) {
        self.then(LD | BYTE | INDIRECT, 0);
        self.then(ALU | AND, 0xf);
        self.then(ALU | SHIFT_LEFT, 2);
        self.then(ALU | ADD | BY_X, 0);
    }

    /// Advances X by `len` bytes; A is unchanged.
    fn skip(&mut self, len: u32) {
        self.then(ST, 0);
        self.then(MISC | TO_A, 0);
        self.then(ALU | ADD, len);
        self.then(MISC | TO_X, 0);
        self.then(LD | MEMORY, 0);
    }

    /// A is the type of the IPv6 header at X. The code skips the header if it is not TCP.
    fn extension(&mut self) {
        let is = |place| To::Place(place);
        let (options, fragment, later, done) = (self.new_step(), self.new_step(), self.new_step(), self.new_step());
        self.when(EQUAL, libc::IPPROTO_TCP as u32, is(Place::Tcp), To::Next);
        self.when(EQUAL, libc::IPPROTO_FRAGMENT as u32, is(fragment), To::Next);
        for kind in [libc::IPPROTO_HOPOPTS, libc::IPPROTO_ROUTING] {
            self.when(EQUAL, kind as u32, is(options), To::Next);
        }
        self.when(EQUAL, libc::IPPROTO_DSTOPTS as u32, To::Next, is(Place::Drop));
        self.here_is(options);
        self.then(LD | BYTE | INDIRECT, 0);
        self.then(ST, 1);
        self.then(LD | BYTE | INDIRECT, 1);
        self.then(ALU | ADD, 1);
        self.then(ALU | SHIFT_LEFT, 3);
        self.then(ALU | ADD | BY_X, 0);
        self.then(MISC | TO_X, 0);
        self.then(LD | MEMORY, 1);
        self.go(done);
        self.here_is(fragment);
        self.then(LD | HALF | INDIRECT, 2);
        self.when(ANY_BIT, 0xfff8, is(later), To::Next);
        self.then(LD | BYTE | INDIRECT, 0);
        self.skip(8);
        self.go(done);
        // For a later fragment, only the fragment header shows that it belongs to a TCP segment.
        self.here_is(later);
        self.then(LD | BYTE | INDIRECT, 0);
        self.when(EQUAL, libc::IPPROTO_TCP as u32, To::Next, is(Place::Drop));
        self.then(MISC | TO_A, 0);
        self.then(ALU | ADD, 8);
        self.go(Place::Keep);
        self.here_is(done);
    }

    fn assembled(self) -> Vec<libc::sock_filter> {
        let away = |to: To, at: usize| match to {
            To::Next => 0,
            To::Place(place) => self.places.get(&place).map_or(0, |there| there - at - 1),
        };
        let encode = |(at, &(code, value, yes, no)): (usize, &(u16, u32, To, To))| {
            let (yes, no) = (away(yes, at), away(no, at));
            if code == JMP | ALWAYS {
                return libc::sock_filter { code, jt: 0, jf: 0, k: yes as u32 };
            }
            // A test limits the whole program to fewer instructions than one jump can skip.
            libc::sock_filter { code, jt: yes as u8, jf: no as u8, k: value }
        };
        self.code.iter().enumerate().map(encode).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data about a packet that is not among its bytes.
    #[derive(Clone, Copy)]
    struct Of {
        hardware: u16,
        kind: u8,
        protocol: u16,
    }

    const WIRE: Of = Of { hardware: 1, kind: 0, protocol: 0x0800 };

    /// The result of the kernel's interpreter (`net/core/filter.c`).
    fn run(program: &[libc::sock_filter], packet: &[u8], of: Of) -> u32 {
        let (mut a, mut x, mut memory, mut at) = (0_u32, 0_u32, [0_u32; 16], 0);
        loop {
            let op = &program[at];
            at += 1;
            let load = |from: u32, size: u16| -> Option<u32> {
                match from {
                    PROTOCOL => return Some(of.protocol.into()),
                    PACKET_TYPE => return Some(of.kind.into()),
                    HARDWARE_TYPE => return Some(of.hardware.into()),
                    _ => {}
                }
                let len = match size {
                    WORD => 4,
                    HALF => 2,
                    _ => 1,
                };
                let bytes = packet.get(from as usize..from as usize + len)?;
                Some(bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte)))
            };
            match op.code & 7 {
                LD => match op.code & 0xe0 {
                    IMMEDIATE => a = op.k,
                    MEMORY => a = memory[op.k as usize],
                    mode => {
                        let from = if mode == INDIRECT { x + op.k } else { op.k };
                        let Some(value) = load(from, op.code & 0x18) else { return 0 };
                        a = value;
                    }
                },
                LDX => x = op.k,
                ST => memory[op.k as usize] = a,
                ALU => {
                    let by = if op.code & BY_X != 0 { x } else { op.k };
                    match op.code & 0xf0 {
                        ADD => a += by,
                        AND => a &= by,
                        SHIFT_LEFT => a <<= by,
                        _ => a >>= by,
                    }
                }
                JMP => match op.code & 0xf0 {
                    ALWAYS => at += op.k as usize,
                    comparison => {
                        let holds = match comparison {
                            EQUAL => a == op.k,
                            GREATER => a > op.k,
                            AT_LEAST => a >= op.k,
                            _ => a & op.k != 0,
                        };
                        at += usize::from(if holds { op.jt } else { op.jf });
                    }
                },
                RET => return if op.code & 0x18 == RETURN_A { a } else { op.k },
                _ => {
                    if op.code & 0x80 == TO_A {
                        a = x;
                    } else {
                        x = a;
                    }
                }
            }
        }
    }

    fn ethernet(tags: &[u16], protocol: u16) -> Vec<u8> {
        let mut bytes = vec![0; 12];
        for tag in tags {
            bytes.extend(tag.to_be_bytes());
            bytes.extend([0, 5]);
        }
        bytes.extend(protocol.to_be_bytes());
        bytes
    }

    fn v4(protocol: u8, options: usize, fragment: u16) -> Vec<u8> {
        let mut bytes = vec![0; 20 + options];
        bytes[0] = 0x40 | ((20 + options) / 4) as u8;
        bytes[6..8].copy_from_slice(&fragment.to_be_bytes());
        bytes[9] = protocol;
        bytes
    }

    /// An IPv6 packet with these extension headers, each with its type and length.
    fn v6(extensions: &[(u8, usize)], last: u8) -> Vec<u8> {
        let mut bytes = vec![0; 40];
        bytes[0] = 0x60;
        bytes[6] = extensions.first().map_or(last, |e| e.0);
        for (index, &(kind, len)) in extensions.iter().enumerate() {
            let mut header = vec![0; len];
            header[0] = extensions.get(index + 1).map_or(last, |e| e.0);
            if kind != 44 {
                header[1] = (len / 8 - 1) as u8;
            }
            bytes.extend(header);
        }
        bytes
    }

    fn tcp(options: usize) -> Vec<u8> {
        let mut bytes = vec![0; 20 + options];
        bytes[12] = ((20 + options) as u8 / 4) << 4;
        bytes.extend(b"payload that is nobody's business");
        bytes
    }

    fn headers(parts: &[Vec<u8>]) -> u32 {
        run(&Capturing::TcpHeaders { snaplen: 200 }.program(false), &parts.concat(), WIRE)
    }

    #[test]
    fn cut_at_the_end_of_tcp() {
        assert_eq!(headers(&[ethernet(&[], 0x0800), v4(6, 0, 0), tcp(12)]), 14 + 20 + 32);
        assert_eq!(headers(&[ethernet(&[], 0x0800), v4(6, 8, 0x4000), tcp(0)]), 14 + 28 + 20);
        assert_eq!(headers(&[ethernet(&[0x8100], 0x0800), v4(6, 0, 0), tcp(40)]), 18 + 20 + 60);
        assert_eq!(headers(&[ethernet(&[0x88a8, 0x8100], 0x86dd), v6(&[], 6), tcp(12)]), 22 + 40 + 32);
        assert_eq!(headers(&[ethernet(&[], 0x86dd), v6(&[(0, 8), (60, 24)], 6), tcp(0)]), 14 + 40 + 32 + 20);
        assert_eq!(headers(&[ethernet(&[], 0x86dd), v6(&[(0, 8), (44, 8), (43, 8), (60, 16)], 6), tcp(4)]), 118);
    }

    #[test]
    fn what_is_not_tcp_is_left() {
        assert_eq!(headers(&[ethernet(&[], 0x0800), v4(17, 0, 0), tcp(0)]), 0);
        assert_eq!(headers(&[ethernet(&[], 0x86dd), v6(&[], 58), tcp(0)]), 0);
        assert_eq!(headers(&[ethernet(&[], 0x86dd), v6(&[(0, 8)], 17), tcp(0)]), 0);
        assert_eq!(headers(&[ethernet(&[], 0x0806), vec![0; 40]]), 0);
        assert_eq!(headers(&[ethernet(&[0x8100, 0x8100, 0x8100], 0x0800), v4(6, 0, 0), tcp(0)]), 0);
        assert_eq!(headers(&[]), 0);
    }

    #[test]
    fn later_fragments_have_no_tcp_header() {
        assert_eq!(headers(&[ethernet(&[], 0x0800), v4(6, 0, 0x2003), tcp(0)]), 34);
        let mut later = v6(&[(44, 8)], 6);
        later[43] = 0x40;
        assert_eq!(headers(&[ethernet(&[], 0x86dd), later, tcp(0)]), 14 + 48);
    }

    #[test]
    fn a_length_that_cannot_be_is_the_least() {
        let mut bad = tcp(0);
        bad[12] = 0x10;
        assert_eq!(headers(&[ethernet(&[], 0x0800), v4(6, 0, 0), bad]), 54);
        let short = Capturing::TcpHeaders { snaplen: 60 }.program(false);
        assert_eq!(run(&short, &[ethernet(&[], 0x0800), v4(6, 0, 0), tcp(40)].concat(), WIRE), 60);
    }

    #[test]
    fn payload_only_when_asked_for() {
        let packet = [ethernet(&[], 0x0800), v4(6, 0, 0), tcp(12)].concat();
        assert_eq!(run(&Capturing::TcpWithPayload { snaplen: 128 }.program(false), &packet, WIRE), 128);
        assert_eq!(run(&Capturing::Everything(96).program(false), &packet, WIRE), 96);
    }

    #[test]
    fn cooked_packets_begin_with_ip() {
        let program = Capturing::TcpHeaders { snaplen: 200 }.program(true);
        let cooked = |protocol, parts: &[Vec<u8>]| run(&program, &parts.concat(), Of { protocol, ..WIRE });
        assert_eq!(cooked(0x0800, &[v4(6, 0, 0), tcp(12)]), 52);
        assert_eq!(cooked(0x8100, &[v6(&[], 6), tcp(12)]), 72);
        assert_eq!(cooked(0x88cc, &[v4(6, 0, 0), tcp(12)]), 0);
    }

    #[test]
    fn a_loopback_shows_each_packet_once() {
        let packet = [ethernet(&[], 0x0800), v4(6, 0, 0), tcp(0)].concat();
        let program = Capturing::TcpHeaders { snaplen: 200 }.program(false);
        let of = |hardware, kind| run(&program, &packet, Of { hardware, kind, ..WIRE });
        assert_eq!([of(772, 0), of(772, 4), of(1, 4)], [54, 0, 54]);
    }

    #[test]
    fn no_jump_is_too_long() {
        for is_cooked in [false, true] {
            assert!(Capturing::TcpHeaders { snaplen: 128 }.program(is_cooked).len() < 200);
        }
    }
}
