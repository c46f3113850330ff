//! Decodes the output of the programs in the kernel: `struct record` and `struct event` of
//! `bpf/tcpwhy.bpf.c`.
//!
//! Lengths are checked; unknown names and numbers are left out. No input is trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tcpwhy_model::Timestamp;
use tcpwhy_model::foreign::decode as text;
use tcpwhy_model::host::{BufferLocks, SocketAddress, SocketMemory, SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::{
    BufferOption, Finish, Happening, HeldBy, KernelAccount, KernelEvent, KernelSample, KernelTurns, Opened, Process,
    Pruning, Repair, SocketError, SocketKey, Turns, UserStack, WindowSide,
};

use crate::Room;

/// `sizeof(struct record)`.
pub const RECORD: usize = 608;
/// `sizeof(struct event)`.
pub const EVENT: usize = 112;

/// `TCP_INFINITE_SSTHRESH`.
const INFINITE_SSTHRESH: u64 = 0x7fff_ffff;

/// `sizeof(struct stack)`.
pub const STACK: usize = STACK_HEAD + 4096;
/// Bytes before the contents of the stack.
const STACK_HEAD: usize = 64;

/// A connection as the kernel reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Its socket, without the values that only `tcp_info` has.
    pub sample: KernelSample,
    /// The collected statistics.
    pub account: KernelAccount,
    /// Process that wrote to it or read from it last; without its control group.
    pub process: Option<Process>,
    /// Whether a program waits for room in its send buffer.
    pub room: Room,
}

/// An item of the ring buffers.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded {
    /// A connection that has ended, in its final state.
    Ended(Box<Told>),
    /// An event.
    Event(KernelEvent),
    /// User stack of the thread that caused the event of that time.
    Stack(Timestamp, UserStack),
}

impl Decoded {
    /// Decodes one item of a ring buffer; `None` if it is incomplete or of an unknown kind. `clock` is added
    /// to the kernel's time, ns.
    pub fn from_bytes(bytes: &[u8], clock: i64) -> Option<Self> {
        let mut fields = Fields { bytes, at: 0 };
        let (kind, size) = (fields.u32()?, fields.u32()? as usize);
        match kind {
            KIND_RECORD if size == RECORD => Some(Self::Ended(Box::new(told(bytes.get(..RECORD)?, clock)?))),
            KIND_STACK if size == STACK => stack(bytes.get(..STACK)?, clock),
            _ if size == EVENT => Some(Self::Event(event(kind, bytes.get(..EVENT)?, clock)?)),
            _ => None,
        }
    }
}

/// Extracts records from pieces of a stream.
#[derive(Clone, Debug)]
pub struct Reader {
    clock: i64,
    /// The beginning of a record that is not complete yet.
    begun: Vec<u8>,
}

impl Reader {
    /// Creates a reader that adds `clock` to the kernel's time, ns.
    pub const fn new(clock: i64) -> Self {
        Self { clock, begun: Vec::new() }
    }

    /// Passes on the records that these bytes complete.
    pub fn read(&mut self, mut bytes: &[u8], mut each: impl FnMut(Told)) {
        let mut take = |record: &[u8]| {
            let mut fields = Fields { bytes: record, at: 0 };
            if (fields.u32(), fields.u32()) == (Some(KIND_RECORD), Some(RECORD as u32)) {
                told(record, self.clock).into_iter().for_each(&mut each);
            }
        };
        if !self.begun.is_empty() {
            let (end, rest) = bytes.split_at(bytes.len().min(RECORD - self.begun.len()));
            self.begun.extend(end);
            bytes = rest;
            if self.begun.len() < RECORD {
                return;
            }
            take(&std::mem::take(&mut self.begun));
        }
        let records = bytes.chunks_exact(RECORD);
        self.begun.extend(records.remainder());
        records.for_each(take);
    }
}

const KIND_RECORD: u32 = 1;
const KIND_BLOCKED: u32 = 2;
const KIND_BUFFER_SET: u32 = 3;
const KIND_RETRANSMIT: u32 = 4;
const KIND_ZERO_WINDOW: u32 = 5;
const KIND_MEMORY: u32 = 6;
const KIND_PRUNED: u32 = 7;
const KIND_STACK: u32 = 8;

const OPENED_HERE: u8 = 1;
const IS_SERVER: u8 = 2;

const NAME: usize = 16;

/// Reads fields one after the other, in this machine's byte order.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let field = self.bytes.get(self.at..self.at.checked_add(N)?)?;
        self.at += N;
        field.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_ne_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_ne_bytes)
    }

    /// Reads a counter of 32 bits.
    fn count(&mut self) -> Option<u64> {
        self.u32().map(u64::from)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_ne_bytes)
    }

    fn nanos(&mut self) -> Option<i64> {
        self.u64().map(u64::cast_signed)
    }

    /// Reads a name: the bytes before the first zero.
    fn name(&mut self) -> Option<String> {
        let bytes = self.take::<NAME>()?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(NAME);
        Some(text(&bytes[..end]).into_owned())
    }
}

fn ends(local: [u8; 16], peer: [u8; 16], ports: [u16; 2], is_v6: bool) -> [SocketAddress; 2] {
    let address = |octets: [u8; 16]| {
        if is_v6 {
            IpAddr::V6(Ipv6Addr::from(octets))
        } else {
            IpAddr::V4(Ipv4Addr::new(octets[0], octets[1], octets[2], octets[3]))
        }
    };
    let end = |octets, port| SocketAddress { address: Some(address(octets)), zone: None, port: Some(port) };
    [end(local, ports[0]), end(peer, ports[1])]
}

fn process(pid: u32, name: String) -> Option<Process> {
    (pid != 0).then_some(Process { pid, name, cgroup: None })
}

fn told(bytes: &[u8], clock: i64) -> Option<Told> {
    let mut f = Fields { bytes, at: 8 };
    let [time, cookie, since] = [f.u64()?, f.u64()?, f.u64()?];
    let at = |nanos: u64| Timestamp::from_nanos(nanos.cast_signed().saturating_add(clock));
    let mut nanos = [0; HeldBy::ALL.len()];
    for nanos in &mut nanos {
        *nanos = f.nanos()?;
    }
    let (slow_reader, blocked) = (f.nanos()?, f.nanos()?);
    let mut info = TcpInfo::default();
    (info.bytes_acked, info.bytes_received) = (Some(f.u64()?), Some(f.u64()?));
    (info.bytes_sent, info.bytes_retrans) = (Some(f.u64()?), Some(f.u64()?));
    info.pacing_rate = Some(f.u64()?).filter(|&rate| rate != u64::MAX);
    let (namespace, pid) = (u64::from(f.u32()?), f.u32()?);
    let (name, congestion_control) = (f.name()?, f.name()?);
    let (local, peer) = (f.take()?, f.take()?);
    let ports = [f.u16()?, f.u16()?];
    let (is_v6, state, held, flags) = (f.u8()? != 0, f.u8()?, f.u8()?, f.u8()?);
    let looks = f.u32()?;
    let [send_queue, unsent, receive_queue] = [f.count()?, f.count()?, f.count()?];
    info.notsent_bytes = Some(unsent);
    for field in [
        &mut info.ca_state,
        &mut info.snd_mss,
        &mut info.unacked,
        &mut info.sacked,
        &mut info.lost,
        &mut info.retrans,
        &mut info.snd_cwnd,
        &mut info.snd_ssthresh,
        &mut info.snd_wnd,
        &mut info.rtt,
        &mut info.min_rtt,
        &mut info.total_retrans,
    ] {
        *field = Some(f.count()?);
    }
    info.snd_ssthresh = info.snd_ssthresh.filter(|&threshold| threshold < INFINITE_SSTHRESH);
    info.min_rtt = info.min_rtt.filter(|&rtt| rtt != 0 && rtt != u64::from(u32::MAX));
    let mut memory = SocketMemory::default();
    for field in [
        &mut memory.transmit_allocated,
        &mut memory.send_queued,
        &mut memory.send_buffer,
        &mut memory.receive_allocated,
        &mut memory.receive_buffer,
    ] {
        *field = Some(f.count()?);
    }
    let locks = BufferLocks::from_bits(f.u32()?);
    (info.rcv_wnd, info.rcv_mss) = (Some(f.count()?), Some(f.count()?));
    for field in [&mut info.segs_out, &mut info.segs_in, &mut info.data_segs_out, &mut info.data_segs_in] {
        *field = Some(f.count()?);
    }
    let [has_scaling, scale, own_scale, room] = [f.u8()?, f.u8()?, f.u8()?, f.u8()?];
    let (delivered, interval, unanswered) = (f.count()?, f.count()?, f.count()?);
    // The same formula as in `tcp_compute_delivery_rate`.
    let micros = delivered.saturating_mul(info.snd_mss.unwrap_or_default()).saturating_mul(1_000_000);
    info.delivery_rate = micros.checked_div(interval);
    info.max_pacing_rate = Some(f.u64()?).filter(|&rate| rate != u64::MAX);
    let turns = [turns(&mut f)?, turns(&mut f)?];
    let (error, before, is_shut) = (f.u16()?, f.u8()?, f.u8()? != 0);
    let (is_unaccepted, timeouts) = (f.u8()? != 0, f.u8()?);
    info.retransmits = Some(timeouts.into());
    let state = TcpState::from_number(state);
    let finish = (state == Some(TcpState::Close)).then(|| Finish {
        error: SocketError::from_number(error),
        before: TcpState::from_number(before),
        is_shut,
    });
    let room = Room::from_bits(room);
    if has_scaling != 0 {
        (info.snd_wscale, info.rcv_wscale) = (Some(scale.into()), Some(own_scale.into()));
    }
    let [local, peer] = ends(local, peer, ports, is_v6);
    let socket = SocketSample {
        state,
        receive_queue,
        send_queue,
        local,
        peer,
        cookie: Some(cookie),
        memory,
        congestion_control: Some(congestion_control).filter(|name| !name.is_empty()),
        info,
        locks: Some(locks),
        ..SocketSample::default()
    };
    Some(Told {
        sample: KernelSample { time: at(time), key: SocketKey { namespace, cookie }, socket },
        account: KernelAccount {
            since: at(since),
            nanos,
            slow_reader,
            blocked: room.sees_writes().then_some(blocked),
            turns,
            held: *HeldBy::ALL.get(usize::from(held))?,
            looks,
            opened: match flags {
                flags if flags & OPENED_HERE == 0 => None,
                flags if flags & IS_SERVER != 0 => Some(Opened::ByPeer),
                _ => Some(Opened::Here),
            },
            finish,
            unanswered,
            is_unaccepted,
        },
        process: process(pid, name),
        room,
    })
}

fn turns(f: &mut Fields<'_>) -> Option<KernelTurns> {
    let (nanos, count) = (f.nanos()?, f.u32()?);
    f.u32()?;
    let mut buckets = [0; Turns::BUCKETS];
    for bucket in &mut buckets {
        *bucket = f.u16()?;
    }
    Some(KernelTurns { count, nanos, buckets })
}

fn stack(bytes: &[u8], clock: i64) -> Option<Decoded> {
    let mut f = Fields { bytes, at: 8 };
    let time = Timestamp::from_nanos(f.nanos()?.saturating_add(clock));
    let (pid, thread) = (f.u32()?, f.u32()?);
    let [ip, sp, bp, lr] = [f.u64()?, f.u64()?, f.u64()?, f.u64()?];
    let length = (f.u32()? as usize).min(STACK - STACK_HEAD);
    let bytes = bytes.get(STACK_HEAD..STACK_HEAD + length)?.to_vec();
    Some(Decoded::Stack(time, UserStack { pid, thread, ip, sp, bp, lr, bytes }))
}

fn event(kind: u32, bytes: &[u8], clock: i64) -> Option<KernelEvent> {
    let mut f = Fields { bytes, at: 8 };
    let (time, cookie, nanos, value) = (f.nanos()?, f.u64()?, f.nanos()?, f.nanos()?);
    let (what, namespace, pid, thread) = (f.u32()?, f.u32()?, f.u32()?, f.u32()?);
    let name = f.name()?;
    let (local, peer) = (f.take()?, f.take()?);
    let ports = [f.u16()?, f.u16()?];
    let ends = ends(local, peer, ports, f.u8()? != 0);
    let what = match kind {
        KIND_BLOCKED => Happening::BlockedWrite { waited: nanos, call: value, thread },
        KIND_BUFFER_SET => Happening::BufferSet {
            option: match what {
                7 => BufferOption::SndBuf,
                8 => BufferOption::RcvBuf,
                10 => BufferOption::WindowClamp,
                32 => BufferOption::SndBufForce,
                33 => BufferOption::RcvBufForce,
                _ => return None,
            },
            asked: value,
        },
        KIND_RETRANSMIT => Happening::Retransmitted {
            segments: value.cast_unsigned(),
            reason: *[Repair::Fast, Repair::Timeout, Repair::Probe].get(what as usize)?,
        },
        KIND_ZERO_WINDOW => {
            let side = if what == 0 { WindowSide::Peer } else { WindowSide::Own };
            if value != 0 { Happening::WindowClosed(side) } else { Happening::WindowOpened { side, closed: nanos } }
        }
        KIND_PRUNED => Happening::ReceivePruned {
            how: *[Pruning::Collapsed, Pruning::OutOfOrderDropped, Pruning::ArrivingDropped].get(what as usize)?,
            count: value.cast_unsigned(),
        },
        KIND_MEMORY => Happening::MemoryExceeded { receives: what != 0 },
        _ => return None,
    };
    Some(KernelEvent {
        time: Timestamp::from_nanos(time.saturating_add(clock)),
        key: (cookie != 0 && namespace != 0).then_some(SocketKey { namespace: namespace.into(), cookie }),
        // An unconnected socket has no addresses yet.
        ends: Some(ends).filter(|[local, peer]| local.port != Some(0) || peer.port != Some(0)),
        process: process(pid, name),
        code: Vec::new(),
        what,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Offset of the fields after the times of the account.
    const AFTER: usize = 32 + 8 * HeldBy::ALL.len() + 16 + 40;
    /// Offset of `held`.
    const HELD: usize = AFTER + 78;

    /// A record as the kernel writes it: an IPv4 sender with 5 s in the send buffer.
    fn record() -> Vec<u8> {
        let mut bytes = vec![0; RECORD];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &KIND_RECORD.to_ne_bytes());
        put(4, &(RECORD as u32).to_ne_bytes());
        put(8, &9_000_000_000_u64.to_ne_bytes());
        put(16, &77_u64.to_ne_bytes());
        put(24, &4_000_000_000_u64.to_ne_bytes());
        put(32 + 8 * HeldBy::SendBuffer as usize, &5_000_000_000_u64.to_ne_bytes());
        put(AFTER, &4_026_531_833_u32.to_ne_bytes());
        put(AFTER + 4, &812_u32.to_ne_bytes());
        put(AFTER + 8, b"mysqld\0leftovers");
        put(AFTER + 24, b"cubic");
        put(AFTER + 40, &[10, 0, 0, 1]);
        put(AFTER + 56, &[10, 0, 7, 70]);
        put(AFTER + 72, &3306_u16.to_ne_bytes());
        put(AFTER + 74, &26_494_u16.to_ne_bytes());
        put(HELD - 1, &[1, HeldBy::SendBuffer as u8, OPENED_HERE | IS_SERVER]);
        put(AFTER + 84, &16_384_u32.to_ne_bytes());
        bytes
    }

    #[test]
    fn a_record_is_a_socket_with_its_account() {
        let mut told = Vec::new();
        Reader::new(1).read(&record(), |one| told.push(one));
        let [told] = &told[..] else { panic!("{told:?}") };
        let socket = &told.sample.socket;
        assert_eq!(socket.local.to_string(), "10.0.0.1:3306");
        assert_eq!(socket.peer.to_string(), "10.0.7.70:26494");
        assert_eq!((socket.state, socket.send_queue), (Some(TcpState::Established), 16_384));
        assert_eq!(socket.congestion_control.as_deref(), Some("cubic"));
        assert_eq!(told.process, Some(Process { pid: 812, name: "mysqld".to_owned(), cgroup: None }));
        assert_eq!(told.sample.key, SocketKey { namespace: 4_026_531_833, cookie: 77 });
        assert_eq!(told.sample.time.since(told.account.since), 5_000_000_000);
        assert_eq!(told.account.nanos.iter().sum::<i64>(), 5_000_000_000);
        assert_eq!((told.account.held, told.account.opened), (HeldBy::SendBuffer, Some(Opened::ByPeer)));
        assert!(matches!(Decoded::from_bytes(&record(), 0), Some(Decoded::Ended(_))));
    }

    #[test]
    fn what_is_not_whole_or_not_known_is_left_out() {
        let mut bytes = record();
        bytes[HELD] = HeldBy::ALL.len() as u8;
        assert_eq!(Decoded::from_bytes(&bytes, 0), None, "nothing is held by that");
        for length in 0..RECORD {
            assert_eq!(Decoded::from_bytes(&record()[..length], 0), None);
        }
        for kind in [0, KIND_STACK, KIND_STACK + 1, u32::MAX] {
            let mut bytes = vec![0; EVENT];
            bytes[..4].copy_from_slice(&kind.to_ne_bytes());
            bytes[4..8].copy_from_slice(&(EVENT as u32).to_ne_bytes());
            assert_eq!(Decoded::from_bytes(&bytes, 0), None);
        }
    }

    #[test]
    fn a_waiting_writer() {
        let mut bytes = vec![0; EVENT];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &KIND_BLOCKED.to_ne_bytes());
        put(4, &(EVENT as u32).to_ne_bytes());
        put(24, &940_000_000_u64.to_ne_bytes());
        put(52, &815_u32.to_ne_bytes());
        let Some(Decoded::Event(event)) = Decoded::from_bytes(&bytes, 0) else { panic!("it is one") };
        assert_eq!(event.what, Happening::BlockedWrite { waited: 940_000_000, call: 0, thread: 815 });
        assert_eq!((event.key, event.ends, event.process), (None, None, None));
    }

    #[test]
    fn a_stack() {
        let mut bytes = vec![0; STACK];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &KIND_STACK.to_ne_bytes());
        put(4, &(STACK as u32).to_ne_bytes());
        put(8, &70_u64.to_ne_bytes());
        put(16, &812_u32.to_ne_bytes());
        put(20, &815_u32.to_ne_bytes());
        for (at, register) in [(24, 1_u64), (32, 2), (40, 3), (48, 4)] {
            put(at, &register.to_ne_bytes());
        }
        put(56, &3_u32.to_ne_bytes());
        put(64, b"abcd");
        let stack = UserStack { pid: 812, thread: 815, ip: 1, sp: 2, bp: 3, lr: 4, bytes: b"abc".to_vec() };
        assert_eq!(Decoded::from_bytes(&bytes, 7), Some(Decoded::Stack(Timestamp::from_nanos(77), stack)));
        assert_eq!(Decoded::from_bytes(&bytes[..STACK - 1], 7), None);
        // A wrong length does not read beyond the item.
        bytes[56..60].fill(0xff);
        let Some(Decoded::Stack(_, stack)) = Decoded::from_bytes(&bytes, 7) else { panic!("it is one") };
        assert_eq!(stack.bytes.len(), STACK - STACK_HEAD);
    }

    #[test]
    fn a_receive_queue_without_room() {
        let mut bytes = vec![0; EVENT];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &KIND_PRUNED.to_ne_bytes());
        put(4, &(EVENT as u32).to_ne_bytes());
        put(32, &12_i64.to_ne_bytes());
        let all = [Pruning::Collapsed, Pruning::OutOfOrderDropped, Pruning::ArrivingDropped];
        for (what, how) in (0_u32..).zip(all) {
            bytes[40..44].copy_from_slice(&what.to_ne_bytes());
            let event = Decoded::from_bytes(&bytes, 0);
            let Some(Decoded::Event(event)) = event else { panic!("{event:?}") };
            assert_eq!(event.what, Happening::ReceivePruned { how, count: 12 });
        }
        bytes[40] = 3;
        assert_eq!(Decoded::from_bytes(&bytes, 0), None, "nothing else is done about it");
    }

    proptest! {
        /// Wherever the bytes are cut, they give the same records.
        #[test]
        fn pieces_do_not_matter(cuts in proptest::collection::vec(0..3 * RECORD, 0..6)) {
            let bytes = [record(), record(), record()].concat();
            let mut cuts = cuts;
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let (mut reader, mut count) = (Reader::new(0), 0);
            for cut in cuts.windows(2) {
                reader.read(&bytes[cut[0]..cut[1]], |_| count += 1);
            }
            prop_assert_eq!(count, 3);
        }

        /// Reads random bytes unchanged, and as items with a valid kind and size, so that the rest is decoded
        /// too.
        #[test]
        fn any_bytes_are_read(
            kind in KIND_RECORD..=KIND_STACK,
            bytes in proptest::collection::vec(any::<u8>(), 0..2 * RECORD),
            zeroes in proptest::collection::vec(any::<bool>(), 2 * RECORD),
        ) {
            let _ = Decoded::from_bytes(&bytes, i64::MAX);
            Reader::new(i64::MIN).read(&bytes, |_| ());
            let size = match kind {
                KIND_RECORD => RECORD,
                KIND_STACK => STACK,
                _ => EVENT,
            };
            let mut item = [kind.to_ne_bytes(), (size as u32).to_ne_bytes()].concat();
            // Meaningful numbers are small, so many bytes are zero.
            item.extend(bytes.iter().zip(&zeroes).map(|(&byte, &is_zero)| if is_zero { 0 } else { byte }));
            if item.len() < size {
                prop_assert_eq!(Decoded::from_bytes(&item, i64::MAX), None);
            }
            item.resize(size, 0);
            match Decoded::from_bytes(&item, i64::MAX) {
                Some(Decoded::Ended(told)) => {
                    prop_assert_eq!(kind, KIND_RECORD);
                    prop_assert!(usize::from(item[HELD]) < HeldBy::ALL.len());
                    let mut read = Vec::new();
                    Reader::new(i64::MAX).read(&item, |one| read.push(one));
                    prop_assert_eq!(read, vec![*told]);
                }
                Some(Decoded::Stack(_, stack)) => {
                    prop_assert_eq!(kind, KIND_STACK);
                    prop_assert!(stack.bytes.len() <= STACK - STACK_HEAD);
                }
                Some(Decoded::Event(_)) => prop_assert_ne!(kind, KIND_RECORD),
                None if kind == KIND_RECORD => prop_assert!(usize::from(item[HELD]) >= HeldBy::ALL.len()),
                None => prop_assert!(matches!(kind, KIND_BUFFER_SET | KIND_RETRANSMIT | KIND_PRUNED), "{kind}"),
            }
        }
    }
}
