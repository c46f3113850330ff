//! Buffers that applications have set, and the rate that this costs.
//!
//! `SO_SNDBUF` and `SO_RCVBUF` turn autotuning off for their socket (`SOCK_SNDBUF_LOCK`, `SOCK_RCVBUF_LOCK`).
//! The rate then cannot exceed the bytes in flight that the buffer allows, divided by the round trip. The
//! kernel reports which buffers are set (`SO_BUF_LOCK`) where it can be queried. Otherwise a size that
//! autotuning does not produce shows it.

use std::net::IpAddr;

use tcpwhy_kernel::{Device, KernelVersion, Link, WriteMode, Writing, taken};
use tcpwhy_model::Rate;
use tcpwhy_model::host::{ProcessRef, SocketAddress, SocketSample, TcpInfo};

use super::lock_ground::lock_ground;
use super::paths::{Flight, Locked};
use super::reached::{Reached, is_local, unsent, wire_cap};
use super::{BufferSide, HostFacts, LockGround, PathSpec, paths};

/// A socket with a buffer that its application has set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetBuffer {
    /// Which buffer.
    pub side: BufferSide,
    /// How it is known that the buffer is set.
    pub ground: LockGround,
    /// Value that `getsockopt` returns, bytes: twice the size that the application requested, or less where
    /// the kernel capped the request.
    pub buffer: u64,
    /// Address of this end.
    pub local: SocketAddress,
    /// Address of the other end.
    pub peer: SocketAddress,
    /// Processes that have the socket open.
    pub processes: Vec<ProcessRef>,
    /// Smoothed round trip time, µs; `None` when it was not measured.
    pub rtt: Option<u64>,
    /// Most bytes in flight that this buffer allows, by this kernel's rules and the state of the socket.
    pub flight: u64,
    /// The same for the writes, or the network driver, with which the buffer allows least.
    pub flight_low: u64,
    /// Bytes in flight divided by the round trip, never less than the socket has reached. `None` also where
    /// the reached rate refutes the computed one.
    pub ceiling: Option<Rate>,
    /// The same for `flight_low`.
    pub ceiling_low: Option<Rate>,
    /// The highest rate that the socket is known to have reached.
    pub reached: Option<Rate>,
    /// Rate that autotuning would reach over the same round trip. `None` also where both ends are on this
    /// machine, or the socket has reached more.
    pub autotuned: Option<Rate>,
    /// Whether the socket shows that this buffer limits it now.
    pub is_binding: bool,
    /// Whether both ends are on this machine.
    pub is_local: bool,
}

impl SetBuffer {
    /// Name of the process; empty if it could not be read.
    pub fn process(&self) -> &str {
        self.processes.first().map_or("", |p| p.name.as_str())
    }

    /// The rate that the buffer allows, or if that is unknown the highest one it has allowed.
    pub(crate) fn allowed(&self) -> Option<Rate> {
        self.ceiling.or(self.reached)
    }

    /// How many times faster autotuning could be.
    pub(crate) fn loss_factor(&self) -> Option<f64> {
        let (own, other) = (self.allowed()?.bytes_per_sec(), self.autotuned?.bytes_per_sec());
        (own > 0.0).then_some(other / own)
    }
}

/// Every set buffer of every connection: first those that limit now, then by ascending ceiling.
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
    // A host that only receives measures `rtt` in the handshake alone; `rcv_rtt` is updated later too, from
    // timestamps.
    let by_receiver = info.rcv_rtt.filter(|&rtt| !is_send && rtt > 0 && info.timestamps == Some(1));
    let rtt = by_receiver.or(info.rtt).or(info.rcv_rtt).filter(|&rtt| rtt > 0);
    let over = |bytes: u64, rtt: Option<u64>| rtt.map(|rtt| Rate::from_bytes_per_sec(bytes as f64 * 1e6 / rtt as f64));
    let version = facts.effective_version();
    let locked = Locked { buffer, link, peer_window: largest_peer_window(info).filter(|_| is_send) };
    let (flight, reached) = if is_send {
        let model = locked.send_flight(version, facts.sysctls);
        (observed_flight(socket, locked, version).unwrap_or(model), Reached::sent(socket))
    } else {
        (observed_window(socket, locked.receive_flight(version, facts.sysctls)), Reached::received(socket))
    };
    // The buffer evidently allows the bytes that are in flight now.
    let flight = Flight { low: flight.low, high: flight.high.max(reached.flight) };
    // The current round trip may be longer than the one at which a rate was reached.
    let least_rtt = info.min_rtt.filter(|&rtt| is_send && rtt > 0).min(rtt).or(rtt);
    let is_consistent = over(flight.high, least_rtt)
        .zip(reached.rate)
        .is_none_or(|(limit, rate)| rate.bytes_per_sec() <= limit.bytes_per_sec() * MODEL_ERROR);
    let at_least_reached =
        |rate: Rate| reached.rate.filter(|reached| reached.bytes_per_sec() > rate.bytes_per_sec()).unwrap_or(rate);
    let autotuned = over(paths::autotuned_flight(facts, link.mtu, is_send), rtt);
    let has_more = |rate: &Rate| reached.rate.is_none_or(|reached| rate.bytes_per_sec() >= reached.bytes_per_sec());
    Some(SetBuffer {
        side,
        ground,
        buffer,
        local: socket.local.clone(),
        peer: socket.peer.clone(),
        processes: socket.processes.clone(),
        rtt,
        flight: flight.high,
        flight_low: flight.low,
        ceiling: over(flight.high, rtt).filter(|_| is_consistent).map(at_least_reached),
        ceiling_low: over(flight.low, rtt).filter(|_| is_consistent).map(at_least_reached),
        reached: reached.rate,
        // Between two ends on one machine memory is the limit, not a window per round trip.
        autotuned: autotuned.filter(|_| !is_local(socket)).filter(has_more),
        is_binding: if is_send { is_send_bound(socket, buffer, flight) } else { is_receive_bound(socket, flight.low) },
        is_local: is_local(socket),
    })
}

/// A rate of more than this multiple of the computed limit refutes it. Measured on Linux 6.18 over 20 ms: 12
/// writers with `TCP_NODELAY` reached 0.7 to 1.24 times the limit, because the kernel merges waiting skbs.
/// Six writers under Nagle's algorithm, to which the limit does not apply, reached 1.33 to 3.1 times the
/// limit for writes of 64 KiB.
const MODEL_ERROR: f64 = 1.3;

fn link(socket: &SocketSample) -> Link {
    let info = &socket.info;
    // The MSS of a path with timestamps is 52 bytes less than its largest packet.
    let mtu = info.pmtu.or_else(|| info.snd_mss.map(|mss| mss + 52)).and_then(|mtu| u32::try_from(mtu).ok());
    let mtu = mtu.filter(|&mtu| mtu >= 68).unwrap_or(PathSpec::ETHERNET_MTU);
    let device = if is_local(socket) { Device::Local } else { Device::Nic };
    let is_ipv6 = matches!(socket.peer.address.map(|a| a.to_canonical()), Some(IpAddr::V6(_)));
    Link { is_ipv6, has_timestamps: info.timestamps != Some(0), ..Link::new(mtu, device) }
}

/// The window that the peer offers, unless it is small only for the moment because its application has yet to
/// read. Any buffer gives a window of at least four segments.
fn largest_peer_window(info: &TcpInfo) -> Option<u64> {
    let mss = info.snd_mss.unwrap_or(0).max(info.advmss.unwrap_or(0)).max(1);
    info.snd_wnd.filter(|&window| window >= 4 * mss)
}

/// Windows of data that a socket must have received before the size of its window counts as final.
const WINDOWS: u64 = 4;

/// Bytes in flight that the receive buffer really allows. A window cannot exceed what its scale can express.
/// After many windows of data it no longer grows: a buffer that was set late leaves it unchanged.
fn observed_window(socket: &SocketSample, model: Flight) -> Flight {
    let info = &socket.info;
    let flight = model.map(|bytes| bytes.min(wire_cap(info)));
    let has_received = info.bytes_received.is_some_and(|bytes| bytes >= flight.high.saturating_mul(WINDOWS));
    let has_room = socket.memory.receive_allocated.is_some_and(|used| used < flight.low / 8);
    // The current window may be zero; `rcv_ssthresh`, the size to which it may grow, is not.
    let grows_to = info.rcv_wnd.map(|window| window.max(info.rcv_ssthresh.unwrap_or(0)));
    match grows_to.filter(|&window| has_received && has_room && window > 0) {
        Some(window) => Flight::exact(window.min(wire_cap(info)).max(info.rcv_mss.unwrap_or(0))),
        None => flight,
    }
}

/// Least busy time of a connection, µs; a shorter one shows nothing.
const LEAST_BUSY_US: u64 = 500_000;

/// Whether the send buffer limits. Evidence is the kernel's clock for it, a full queue with room in the
/// congestion window, or a rate at the ceiling.
fn is_send_bound(socket: &SocketSample, buffer: u64, flight: Flight) -> bool {
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

/// Memory of a send queue that is full and entirely in flight. Then neither the congestion window nor the
/// peer's window holds data back.
fn full_queue(socket: &SocketSample, buffer: u64) -> Option<u64> {
    let unsent = unsent(&socket.info);
    socket.memory.send_queued.filter(|&queued| queued >= buffer / 3 * 2 && unsent == Some(0))
}

/// Bytes in flight that the send buffer allows for this socket's writes, whose size a full queue shows. The
/// queue's memory less its payload is the overhead of its skbs, so their number and mean size follow. `None`
/// without a full queue.
fn observed_flight(socket: &SocketSample, locked: Locked, version: KernelVersion) -> Option<Flight> {
    let queued = full_queue(socket, locked.buffer).filter(|&queued| queued > 0)?;
    let payload = Some(socket.send_queue).filter(|&payload| payload > 0 && payload <= queued)?;
    // The least overhead gives the most skbs, and so the smallest ones.
    let overhead = locked.link.skb_overhead(version).low.max(1);
    let count = ((queued - payload) as f64 / overhead as f64).round().max(1.0);
    let bytes = ((payload as f64 / count) as u64).max(1);
    let of = |mode| taken(locked.buffer, Writing { bytes, has_nodelay: true, mode }, bytes, overhead).max(payload);
    Some(Flight { low: of(WriteMode::Polling), high: of(WriteMode::Blocking) })
}

/// Whether the application reads nearly as much per round trip as the window allows.
fn is_receive_bound(socket: &SocketSample, flight: u64) -> bool {
    let info = &socket.info;
    let read =
        info.rcv_space.filter(|_| info.bytes_received.is_some_and(|bytes| bytes >= flight.saturating_mul(WINDOWS)));
    read.is_some_and(|space| space >= flight / 10 * 7)
}

/// Whether a measured rate is 0.7 to 1.3 times the bytes in flight divided by the round trip.
fn is_at_ceiling(rate: Option<u64>, rtt: Option<u64>, flight: Flight) -> bool {
    let Some((rate, rtt)) = rate.zip(rtt).filter(|&(_, rtt)| rtt > 0) else { return false };
    let ceiling = flight.high as f64 * 1e6 / rtt as f64;
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
        // Writes of 64 KB: one skb of 64 KB is sent whatever the size of the buffer (measured).
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

    /// With an MSS of 536 bytes from the peer the kernel starts with 2 × 10 × 1,280 bytes.
    #[test]
    fn a_small_mss_makes_a_small_start() {
        let mut socket = sndbuf(25_600);
        socket.locks = None;
        socket.info.snd_mss = Some(524);
        assert_eq!(Host::with_defaults("6.12").socket(socket).audit().set_buffers, []);
    }

    /// After memory pressure small send buffers may come from the kernel.
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

    /// A zero window at the time of the scan does not show what the buffer allows.
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

    /// A writer of 8 KiB under Nagle's algorithm as `ss` showed it on Linux 6.18 over 20 ms: 22 times the
    /// buffer in flight. This is four times as much as the same buffer allows for writes of 64 KiB.
    fn nagle_writer() -> SocketSample {
        let mut socket = sndbuf(32_768);
        socket.info.rtt = Some(20_699);
        socket.info.min_rtt = Some(20_071);
        socket.info.bytes_acked = Some(72_472_801);
        socket.info.busy_time = Some(7_984_000);
        socket.info.sndbuf_limited = Some(536_000);
        socket.info.delivery_rate = Some(9_562_981);
        socket
    }

    #[test]
    fn a_limit_that_the_socket_has_passed_is_not_said() {
        let buffer = only(&Host::with_defaults("6.18").socket(nagle_writer()));
        assert_eq!((buffer.ceiling, buffer.ceiling_low), (None, None), "{buffer:?}");
        let mbit = buffer.reached.unwrap().bits_per_sec() / 1e6;
        assert!((mbit - 76.5).abs() < 0.1, "{mbit}");
        // The buffer evidently allows the bytes in flight, whatever the model computes.
        let mut queued = nagle_writer();
        queued.memory.send_queued = Some(118_336);
        queued.send_queue = 115_840;
        let buffer = only(&Host::with_defaults("6.18").socket(queued));
        assert!(buffer.flight >= 115_840 && buffer.flight_low >= 115_840, "{buffer:?}");
    }

    /// A connection that has reached more has a higher limit, until the rate refutes the limit.
    #[test]
    fn a_limit_is_never_below_what_was_reached() {
        for (bytes_per_second, is_said) in [(1_000_000, true), (3_500_000, true), (4_000_000, true), (4_400_000, false)]
        {
            let mut socket = sndbuf(32_768);
            socket.info.delivery_rate = Some(bytes_per_second);
            let buffer = only(&Host::with_defaults("6.18").socket(socket));
            assert_eq!(buffer.ceiling.is_some(), is_said, "{bytes_per_second}");
            let least = buffer.ceiling.map_or(f64::INFINITY, Rate::bytes_per_sec);
            assert!(least >= bytes_per_second as f64, "{bytes_per_second} {least}");
            assert!(buffer.autotuned.unwrap().bytes_per_sec() >= bytes_per_second as f64);
        }
        // Autotuning does not promise less than the connection already reaches.
        let mut fast = sndbuf(4 << 20);
        fast.info.delivery_rate = Some(1 << 30);
        let buffer = only(&Host::with_defaults("6.18").socket(fast));
        assert_eq!((buffer.ceiling, buffer.autotuned), (None, None));
    }

    /// Without a full queue the size of the writes is unknown. They may have one segment each, until two
    /// thirds of the buffer are used, or 64 KiB, of which one skb is always sent.
    #[test]
    fn an_unknown_writer_has_a_range() {
        let buffer = only(&Host::with_defaults("6.1").socket(sndbuf(32_768)));
        // 6.1: floor(21,845 / 2,728) + 1 = 9 segments.
        assert_eq!((buffer.flight_low, buffer.flight), (9 * 1448, 65_160));
        let mbit = |rate: Option<Rate>| rate.unwrap().bits_per_sec() / 1e6;
        assert!((mbit(buffer.ceiling_low) - 5.2).abs() < 0.1 && (mbit(buffer.ceiling) - 26.1).abs() < 0.1);
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
        let buffer = only(&Host::with_defaults("6.18").socket(small));
        // 9 skbs of 832 bytes of overhead: ceil(32,768 / 3,567) of 2,735 bytes each.
        assert_eq!((buffer.flight_low, buffer.flight), (24_616, 27_350));
        // If the congestion window is full, or data waits unsent, the buffer is not the limit.
        assert!(!binds(|s| {
            s.memory.send_queued = Some(250_000);
            s.info.notsent_bytes = Some(100_000);
            s.info.unacked = Some(1000);
        }));
        assert!(binds(|s| s.info.delivery_rate = Some(13_000_000)));
        assert!(!binds(|s| s.info.delivery_rate = Some(1_000_000)));
    }
}
