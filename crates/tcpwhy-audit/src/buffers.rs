//! Buffers that applications have set, and what that costs.
//!
//! `SO_SNDBUF` and `SO_RCVBUF` turn autotuning off for their socket (`SOCK_SNDBUF_LOCK`, `SOCK_RCVBUF_LOCK`), so that its rate
//! ends at what the buffer lets be in flight, over the round trip. The kernel says which are set where it may be asked
//! (`SO_BUF_LOCK`); else sizes that autotuning does not reach tell.

use std::net::IpAddr;

use tcpwhy_kernel::{Device, KernelVersion, Link, Sysctl, initial_autotuned_sndbuf};
use tcpwhy_model::Rate;
use tcpwhy_model::host::{ProcessRef, SocketAddress, SocketSample, TcpInfo};

use super::{HostFacts, PathSpec, paths};

/// Which of a socket's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferSide {
    /// `SO_SNDBUF`.
    Send,
    /// `SO_RCVBUF`.
    Receive,
}

impl BufferSide {
    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
        }
    }
}

/// How it is known that a buffer is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockGround {
    /// The kernel said so (`SO_BUF_LOCK`).
    Kernel,
    /// It is smaller than autotuning leaves any.
    BelowStart,
    /// It is larger than autotuning makes any.
    AboveCeiling,
    /// It is twice `rmem_max` or `wmem_max`: a request that was cut.
    AtCap,
    /// It is a power of two, as people ask for and autotuning rarely meets.
    RoundSize,
}

impl LockGround {
    /// All grounds.
    pub const ALL: [Self; 5] = [Self::Kernel, Self::BelowStart, Self::AboveCeiling, Self::AtCap, Self::RoundSize];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::BelowStart => "below-start",
            Self::AboveCeiling => "above-ceiling",
            Self::AtCap => "at-cap",
            Self::RoundSize => "round-size",
        }
    }

    /// Between 0 and 1.
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Kernel => 1.0,
            Self::BelowStart | Self::AboveCeiling => 0.9,
            Self::AtCap => 0.85,
            Self::RoundSize => 0.6,
        }
    }
}

/// A socket with a buffer that its application has set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetBuffer {
    /// Which buffer.
    pub side: BufferSide,
    /// How that is known.
    pub ground: LockGround,
    /// What `getsockopt` returns; the application asked for half of it, or for more and was cut.
    pub buffer: u64,
    /// This end.
    pub local: SocketAddress,
    /// The other end.
    pub peer: SocketAddress,
    /// Who has it open.
    pub processes: Vec<ProcessRef>,
    /// Smoothed round trip time, µs; `None` when it was not measured.
    pub rtt: Option<u64>,
    /// Bytes that this buffer lets be in flight, of what this kernel makes of it and what the socket shows.
    pub flight: u64,
    /// Flight over round trip.
    pub ceiling: Option<Rate>,
    /// What autotuning would reach over the same round trip; `None` also where both ends are on this machine.
    pub autotuned: Option<Rate>,
    /// Whether the socket shows that it is at this limit now.
    pub is_binding: bool,
    /// Whether both ends are on this machine.
    pub is_local: bool,
}

impl SetBuffer {
    /// Name of the process; empty when that could not be seen.
    pub fn process(&self) -> &str {
        self.processes.first().map_or("", |p| p.name.as_str())
    }

    /// How many times faster autotuning could be.
    pub(crate) fn loss_factor(&self) -> Option<f64> {
        let (own, other) = (self.ceiling?.bytes_per_sec(), self.autotuned?.bytes_per_sec());
        (own > 0.0).then_some(other / own)
    }
}

/// Every set buffer of every connection, those that bind first, then the lowest ceiling.
pub(super) fn set_buffers(facts: &HostFacts<'_>) -> Vec<SetBuffer> {
    let mut all: Vec<SetBuffer> = facts
        .connections()
        .flat_map(|socket| [BufferSide::Send, BufferSide::Receive].map(|side| set_buffer(facts, socket, side)))
        .flatten()
        .collect();
    let rate = |b: &SetBuffer| b.ceiling.map_or(f64::INFINITY, Rate::bytes_per_sec);
    all.sort_by(|a, b| b.is_binding.cmp(&a.is_binding).then(rate(a).total_cmp(&rate(b))));
    all
}

fn set_buffer(facts: &HostFacts<'_>, socket: &SocketSample, side: BufferSide) -> Option<SetBuffer> {
    let is_send = side == BufferSide::Send;
    let buffer = if is_send { socket.memory.send_buffer } else { socket.memory.receive_buffer }?;
    let ground = lock_ground(facts, socket, side, buffer)?;
    let info = &socket.info;
    let link = link(socket);
    let model = |version: KernelVersion| {
        paths::flight_of_set_buffer(
            version,
            facts.sysctls,
            link,
            buffer,
            is_send,
            largest_peer_window(info).filter(|_| is_send),
        )
    };
    let mut flight = model(facts.effective_version());
    flight = if is_send { observed_flight(socket, buffer, flight) } else { observed_window(socket, flight) };
    // Who only receives has measured `rtt` in the handshake; `rcv_rtt` goes on, by the timestamps.
    let by_receiver = info.rcv_rtt.filter(|&rtt| !is_send && rtt > 0 && info.timestamps == Some(1));
    let rtt = by_receiver.or(info.rtt).or(info.rcv_rtt).filter(|&rtt| rtt > 0);
    let over_rtt = |bytes: u64| rtt.map(|rtt| Rate::from_bytes_per_sec(bytes as f64 * 1e6 / rtt as f64));
    Some(SetBuffer {
        side,
        ground,
        buffer,
        local: socket.local.clone(),
        peer: socket.peer.clone(),
        processes: socket.processes.clone(),
        rtt,
        flight,
        ceiling: over_rtt(flight),
        // On one machine memory is the limit, not a window over a round trip.
        autotuned: over_rtt(paths::autotuned_flight(facts, link.mtu, is_send)).filter(|_| !is_local(socket)),
        is_binding: if is_send { is_send_bound(socket, buffer, flight) } else { is_receive_bound(socket, flight) },
        is_local: is_local(socket),
    })
}

/// Whether, and how, the buffer is known to be set.
fn lock_ground(facts: &HostFacts<'_>, socket: &SocketSample, side: BufferSide, buffer: u64) -> Option<LockGround> {
    if let Some(locks) = socket.locks {
        let is_set = if side == BufferSide::Send { locks.send } else { locks.receive };
        return is_set.then_some(LockGround::Kernel);
    }
    let (autotuning, cap) = match side {
        BufferSide::Send => (Sysctl::TcpWmem, Sysctl::WmemMax),
        BufferSide::Receive => (Sysctl::TcpRmem, Sysctl::RmemMax),
    };
    let [_, first, most] = facts.triple(autotuning)?;
    let start = match side {
        BufferSide::Receive => first,
        // Under memory pressure the kernel takes from send buffers that are not set (`sk_stream_moderate_sndbuf`).
        BufferSide::Send if facts.ext("TCPMemoryPressures") > 0 => 0,
        // From ESTABLISHED on at least so much (`tcp_init_buffer_space`), with the least header that kernels use and the
        // MSS in use: the peer's, which decides, may be smaller than the one announced here.
        BufferSide::Send => {
            initial_autotuned_sndbuf(socket.info.snd_mss.or(socket.info.advmss)?, LEAST_HEADER, false).min(most)
        }
    };
    let cap = facts.sysctls.number(cap).and_then(|n| u64::try_from(n).ok());
    if buffer < start {
        Some(LockGround::BelowStart)
    } else if cap.is_some_and(|cap| buffer == cap.saturating_mul(2)) && buffer != most {
        Some(LockGround::AtCap)
    } else if buffer > most.max(start) {
        Some(LockGround::AboveCeiling)
    } else if buffer.is_power_of_two() && buffer != first && buffer != most {
        Some(LockGround::RoundSize)
    } else {
        None
    }
}

/// Smallest `MAX_TCP_HEADER` that a kernel can be built with.
const LEAST_HEADER: u64 = 160;

fn link(socket: &SocketSample) -> Link {
    let info = &socket.info;
    // An MSS with timestamps is 52 bytes less than the packet.
    let mtu = info.pmtu.or_else(|| info.snd_mss.map(|mss| mss + 52)).and_then(|mtu| u32::try_from(mtu).ok());
    let mtu = mtu.filter(|&mtu| mtu >= 68).unwrap_or(PathSpec::ETHERNET_MTU);
    let device = if is_local(socket) { Device::Local } else { Device::Nic };
    let is_ipv6 = matches!(socket.peer.address.map(|a| a.to_canonical()), Some(IpAddr::V6(_)));
    Link { is_ipv6, has_timestamps: info.timestamps != Some(0), ..Link::new(mtu, device) }
}

fn is_local(socket: &SocketSample) -> bool {
    let is_same = socket.local.address.is_some() && socket.local.address == socket.peer.address;
    is_same || socket.peer.address.is_some_and(|a| a.to_canonical().is_loopback())
}

/// The window that the peer offers, if it is no left-over of the moment: its application may be about to read. No buffer makes a
/// window of less than four segments.
fn largest_peer_window(info: &TcpInfo) -> Option<u64> {
    let mss = info.snd_mss.unwrap_or(0).max(info.advmss.unwrap_or(0)).max(1);
    info.snd_wnd.filter(|&window| window >= 4 * mss)
}

/// How many windows a socket must have received before its window says where it ends.
const WINDOWS: u64 = 4;

/// The flight that the receive buffer really allows: no window is larger than its scale can say, and one that has not grown
/// after many windows' worth of data will not (set late, it stays as it was).
fn observed_window(socket: &SocketSample, model: u64) -> u64 {
    let info = &socket.info;
    let wire_cap = info.rcv_wscale.map_or(u64::MAX, |shift| 65_535 << shift.min(14));
    let flight = model.min(wire_cap);
    let has_received = info.bytes_received.is_some_and(|bytes| bytes >= flight.saturating_mul(WINDOWS));
    let has_room = socket.memory.receive_allocated.is_some_and(|used| used < flight / 8);
    // The window of this moment may be closed. What it may grow to (`rcv_ssthresh`) is not of the moment.
    let grows_to = info.rcv_wnd.map(|window| window.max(info.rcv_ssthresh.unwrap_or(0)));
    match grows_to.filter(|&window| has_received && has_room && window > 0) {
        Some(window) => flight.min(window.max(info.rcv_mss.unwrap_or(0))),
        None => flight,
    }
}

/// Less of a connection's busy time tells nothing.
const LEAST_BUSY_US: u64 = 500_000;

/// The kernel's clock of the send buffer, a full queue with room in the congestion window, or a rate at the ceiling.
fn is_send_bound(socket: &SocketSample, buffer: u64, flight: u64) -> bool {
    let info = &socket.info;
    let by_clock = info
        .busy_time
        .filter(|&busy| busy >= LEAST_BUSY_US)
        .zip(info.sndbuf_limited)
        .is_some_and(|(busy, limited)| limited >= busy / 10);
    let has_room = info.unacked.zip(info.snd_cwnd).is_some_and(|(unacked, cwnd)| unacked < cwnd);
    by_clock
        || (full_queue(socket, buffer).is_some() && has_room)
        || is_at_ceiling(info.delivery_rate, info.rtt, flight)
}

/// Memory of a send queue that is full and all in flight, so that neither the congestion window nor the peer's holds back
/// what the buffer has.
fn full_queue(socket: &SocketSample, buffer: u64) -> Option<u64> {
    // `ss` leaves out a 0; what came with Linux 4.6 beside it tells that it is one.
    let unsent = socket.info.notsent_bytes.or(socket.info.min_rtt.map(|_| 0));
    socket.memory.send_queued.filter(|&queued| queued >= buffer / 3 * 2 && unsent == Some(0))
}

/// The flight that the send buffer really allows: how much payload a full queue carries depends on the size of the writes,
/// and shows.
fn observed_flight(socket: &SocketSample, buffer: u64, model: u64) -> u64 {
    match full_queue(socket, buffer).filter(|&queued| queued > 0 && socket.send_queue > 0) {
        Some(queued) => {
            let payload = socket.send_queue as f64 / queued as f64;
            model.min((payload.min(1.0) * buffer.max(queued) as f64) as u64)
        }
        None => model,
    }
}

/// What the application read in a round trip is near what the window allows.
fn is_receive_bound(socket: &SocketSample, flight: u64) -> bool {
    let info = &socket.info;
    let read =
        info.rcv_space.filter(|_| info.bytes_received.is_some_and(|bytes| bytes >= flight.saturating_mul(WINDOWS)));
    read.is_some_and(|space| space >= flight / 10 * 7)
}

/// A measured rate of between 0.7 and 1.3 of flight over round trip.
fn is_at_ceiling(rate: Option<u64>, rtt: Option<u64>, flight: u64) -> bool {
    let Some((rate, rtt)) = rate.zip(rtt).filter(|&(_, rtt)| rtt > 0) else { return false };
    let ceiling = flight as f64 * 1e6 / rtt as f64;
    ceiling > 0.0 && (0.7..=1.3).contains(&(rate as f64 / ceiling))
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::BufferLocks;

    use super::BufferSide::{Receive, Send};
    use super::*;
    use crate::testing::{Host, connection};

    fn only(host: &Host) -> SetBuffer {
        let mut all = host.audit().set_buffers;
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    fn sndbuf(bytes: u64) -> SocketSample {
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: true, receive: false });
        socket.memory.send_buffer = Some(bytes);
        socket
    }

    #[test]
    fn what_the_kernel_says_holds() {
        let host = Host::with_defaults("6.18").socket(sndbuf(32_768)).socket(connection());
        let buffer = only(&host);
        assert_eq!((buffer.side, buffer.ground, buffer.process()), (BufferSide::Send, LockGround::Kernel, "mysqld"));
        // 64 KB writes: one skb of 64 KB goes whatever the buffer (measured).
        assert!((60_000..=70_000).contains(&buffer.flight), "{buffer:?}");
        let mbit = buffer.ceiling.unwrap().bits_per_sec() / 1e6;
        assert!((24.0..=28.0).contains(&mbit), "{mbit}");
        assert!(buffer.loss_factor().unwrap() > 10.0);
    }

    #[test]
    fn sizes_tell_where_the_kernel_was_not_asked() {
        let ground = |side: BufferSide, bytes: u64| {
            let mut socket = connection();
            socket.locks = None;
            match side {
                BufferSide::Send => socket.memory.send_buffer = Some(bytes),
                BufferSide::Receive => socket.memory.receive_buffer = Some(bytes),
            }
            let found = Host::with_defaults("6.12").socket(socket).audit().set_buffers;
            assert!(found.iter().all(|b| b.side == side), "{found:?}");
            found.first().map(|b| b.ground)
        };
        for (side, bytes, expected) in [
            (Receive, 65_536, Some(LockGround::BelowStart)),
            (Receive, 131_072, None),
            (Receive, 369_280, None),
            (Receive, 425_984, Some(LockGround::AtCap)),
            (Receive, 1 << 20, Some(LockGround::RoundSize)),
            (Receive, 6_291_456, None),
            (Receive, 16_000_000, Some(LockGround::AboveCeiling)),
            (Send, 32_768, Some(LockGround::BelowStart)),
            (Send, 46_080, None),
            (Send, 87_040, None),
            (Send, 4_194_304, None),
            (Send, 4_194_305, Some(LockGround::AboveCeiling)),
        ] {
            assert_eq!(ground(side, bytes), expected, "{side:?} {bytes}");
        }
    }

    /// A peer that announces 536 bytes: 2 × 10 × 1,280 is what the kernel starts with.
    #[test]
    fn a_small_mss_makes_a_small_start() {
        let mut socket = sndbuf(25_600);
        socket.locks = None;
        socket.info.snd_mss = Some(524);
        assert_eq!(Host::with_defaults("6.12").socket(socket).audit().set_buffers, []);
    }

    /// Then small send buffers are the kernel's doing.
    #[test]
    fn after_memory_pressure_small_buffers_prove_nothing() {
        let mut socket = sndbuf(20_000);
        socket.locks = None;
        let host = Host::with_defaults("6.12").socket(socket);
        assert_eq!(only(&host).ground, LockGround::BelowStart);
        assert_eq!(host.counter("TCPMemoryPressures", 1).audit().set_buffers, []);
    }

    #[test]
    fn a_window_ends_where_its_scale_does() {
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: false, receive: true });
        socket.memory.receive_buffer = Some(2_097_152);
        socket.info.rcv_wscale = Some(1);
        assert_eq!(only(&Host::with_defaults("6.12").socket(socket)).flight, 131_070);
    }

    /// `SO_RCVBUF` of 16 MB after data had flowed: the window stayed at 135,168 bytes (measured on 6.18).
    #[test]
    fn a_window_that_was_frozen() {
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: false, receive: true });
        socket.memory.receive_buffer = Some(33_554_432);
        socket.memory.receive_allocated = Some(0);
        socket.info.rcv_wnd = Some(135_168);
        socket.info.bytes_received = Some(1_000_000_000);
        socket.info.rcv_space = Some(130_000);
        let buffer = only(&Host::with_defaults("6.18").socket(socket));
        assert!(buffer.flight == 135_168 && buffer.is_binding, "{buffer:?}");
    }

    /// A window that is closed at the moment of looking is not what the buffer allows.
    #[test]
    fn a_closed_window_is_of_the_moment() {
        let flight = |window| {
            let mut socket = sndbuf(32_768);
            socket.info.snd_wnd = window;
            only(&Host::with_defaults("6.18").socket(socket)).flight
        };
        assert_eq!(flight(Some(0)), flight(None));
        assert_eq!(flight(Some(1448)), flight(None));
        assert!(flight(Some(20_000)) < flight(None), "a peer that offers little takes smaller skbs");
        let mut socket = connection();
        socket.locks = Some(BufferLocks { send: false, receive: true });
        socket.memory.receive_buffer = Some(262_144);
        socket.memory.receive_allocated = Some(0);
        socket.info.bytes_received = Some(1_000_000_000);
        socket.info.rcv_ssthresh = Some(120_000);
        for window in [0, 600] {
            socket.info.rcv_wnd = Some(window);
            let flight = only(&Host::with_defaults("6.18").socket(socket.clone())).flight;
            assert!((100_000..=120_000).contains(&flight), "{window}: {flight}");
        }
    }

    #[test]
    fn signs_that_a_send_buffer_binds() {
        let binds = |change: fn(&mut SocketSample)| {
            let mut socket = sndbuf(262_144);
            socket.info.snd_cwnd = Some(1000);
            change(&mut socket);
            only(&Host::with_defaults("6.18").socket(socket)).is_binding
        };
        assert!(!binds(|_| ()));
        assert!(binds(|s| {
            s.info.busy_time = Some(10_000_000);
            s.info.sndbuf_limited = Some(2_000_000);
        }));
        assert!(binds(|s| {
            s.memory.send_queued = Some(250_000);
            s.info.notsent_bytes = Some(0);
            s.info.unacked = Some(170);
        }));
        // 4 kB writes: a quarter of the memory is overhead, and the queue shows it.
        let mut small = sndbuf(32_768);
        small.memory.send_queued = Some(32_104);
        small.send_queue = 24_616;
        small.info.notsent_bytes = Some(0);
        let flight = only(&Host::with_defaults("6.18").socket(small)).flight;
        assert!((24_600..=25_200).contains(&flight), "{flight}");
        // The congestion window is full, or data waits: it is not the buffer.
        assert!(!binds(|s| {
            s.memory.send_queued = Some(250_000);
            s.info.notsent_bytes = Some(100_000);
            s.info.unacked = Some(1000);
        }));
        assert!(binds(|s| s.info.delivery_rate = Some(13_000_000)));
        assert!(!binds(|s| s.info.delivery_rate = Some(1_000_000)));
    }
}
