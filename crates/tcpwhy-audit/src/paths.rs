//! The rate that the settings allow on a path.

use tcpwhy_kernel::{
    BufferRequest, KernelVersion, Link, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue, Sysctls, WriteMode,
    Writing, receive_limits, send_limits,
};
use tcpwhy_model::Rate;

use super::lock_ground::lock_ground;
use super::reached::{Reached, is_local};
use super::{BufferSide, HostFacts, PathSpec};

/// How a socket gets its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Autotuning, up to the third value of `tcp_wmem`.
    AutotunedSend,
    /// Autotuning, up to the third value of `tcp_rmem`.
    AutotunedReceive,
    /// The most that `SO_SNDBUF` gets.
    SetSend,
    /// The most that `SO_RCVBUF` gets, set in time.
    SetReceive,
}

impl Reach {
    /// All kinds in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::AutotunedSend, Self::AutotunedReceive, Self::SetSend, Self::SetReceive];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::AutotunedSend => "autotuned-send",
            Self::AutotunedReceive => "autotuned-receive",
            Self::SetSend => "set-send",
            Self::SetReceive => "set-receive",
        }
    }

    /// The setting that limits this buffer.
    pub const fn sysctl(self) -> Sysctl {
        match self {
            Self::AutotunedSend => Sysctl::TcpWmem,
            Self::AutotunedReceive => Sysctl::TcpRmem,
            Self::SetSend => Sysctl::WmemMax,
            Self::SetReceive => Sysctl::RmemMax,
        }
    }
}

/// The limit that one kind of buffer sets on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathLimit {
    /// The kind of buffer.
    pub reach: Reach,
    /// Bytes that can be in flight, best single value.
    pub flight: u64,
    /// The same, low end.
    pub flight_low: u64,
    /// Bytes in flight divided by the round trip, or the path's rate if that is less.
    pub rate: Rate,
    /// Whether the buffer fills the path.
    pub is_enough: bool,
    /// Smallest value of the setting that fills the path; `None` if the present one does, or if none would.
    pub needed: Option<u64>,
}

/// The limits of a path, as far as the settings are known.
#[derive(Clone, Debug, PartialEq)]
pub struct PathReport {
    /// The path.
    pub path: PathSpec,
    /// Limits in the order of [`Reach::ALL`].
    pub limits: Vec<PathLimit>,
}

pub(super) fn report(facts: &HostFacts<'_>, path: PathSpec) -> PathReport {
    let limits = Reach::ALL
        .into_iter()
        .filter(|reach| facts.sysctls.value(reach.sysctl()).is_some())
        .map(|reach| limit(facts, path, reach))
        .collect();
    PathReport { path, limits }
}

/// The limit of one kind of buffer on one path.
pub(super) fn limit(facts: &HostFacts<'_>, path: PathSpec, reach: Reach) -> PathLimit {
    let bdp = path.bdp_bytes();
    let (flight, flight_low) = flight(facts, facts.sysctls, path.mtu, reach);
    let flight = flight.max(shown(facts, reach));
    let is_enough = flight >= bdp;
    let bytes_per_second = if path.rtt > 0.0 { flight as f64 / path.rtt } else { path.rate.bytes_per_sec() };
    PathLimit {
        reach,
        flight,
        flight_low,
        rate: Rate::from_bytes_per_sec(bytes_per_second.min(path.rate.bytes_per_sec())),
        is_enough,
        needed: if is_enough { None } else { needed(facts, path, reach) },
    }
}

/// Most bytes in flight that `sysctls` allow: best value and low end.
fn flight(facts: &HostFacts<'_>, sysctls: &Sysctls, mtu: u32, reach: Reach) -> (u64, u64) {
    let version = facts.effective_version();
    let link = Link { mtu, ..Link::ETHERNET };
    let most = BufferRequest::new(i32::MAX);
    match reach {
        Reach::AutotunedSend | Reach::SetSend => {
            let question = SendQuestion {
                version,
                sysctls,
                request: (reach == Reach::SetSend).then_some(most),
                link,
                writing: Writing::BULK,
                is_bbr: is_bbr(sysctls),
                peer_window: None,
                notsent_lowat: None,
            };
            let figure = send_limits(&question).largest_flight;
            (figure.value, figure.low)
        }
        Reach::AutotunedReceive | Reach::SetReceive => {
            let request = (reach == Reach::SetReceive).then_some(most);
            let figure =
                receive_limits(&ReceiveQuestion { version, sysctls, request, link, window_clamp: None }).largest_flight;
            (figure.value, figure.low)
        }
    }
}

pub(super) fn is_bbr(sysctls: &Sysctls) -> bool {
    sysctls.words(Sysctl::TcpCongestionControl).is_some_and(|name| name.starts_with("bbr"))
}

/// Largest buffer that any setting gives, bytes.
const MOST: u64 = i32::MAX as u64;
/// Step to which values are rounded up, bytes.
const STEP: u64 = 1 << 20;

/// The least value of the setting, in steps of 1 MiB, that fills the path.
fn needed(facts: &HostFacts<'_>, path: PathSpec, reach: Reach) -> Option<u64> {
    let bdp = path.bdp_bytes();
    let is_enough = |value: u64| flight(facts, &with(facts, reach, value), path.mtu, reach).0 >= bdp;
    let (mut low, mut high) = (0, MOST / STEP);
    if !is_enough(high * STEP) {
        return None;
    }
    while low + 1 < high {
        let middle = low.midpoint(high);
        if is_enough(middle * STEP) { high = middle } else { low = middle }
    }
    Some(high * STEP)
}

/// The host's settings with `value` for the setting that limits `reach`.
fn with(facts: &HostFacts<'_>, reach: Reach, value: u64) -> Sysctls {
    let mut sysctls = facts.sysctls.clone();
    let sysctl = reach.sysctl();
    match facts.sysctls.triple(sysctl) {
        Some([least, first, _]) => sysctls.set(sysctl, SysctlValue::Triple([least, first.min(value), value])),
        None => sysctls.set(sysctl, SysctlValue::Number(i64::try_from(value).unwrap_or(i64::MAX))),
    }
    sysctls
}

/// A buffer that an application has set, with the facts of its socket that decide its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locked {
    /// Value that `getsockopt` returns, bytes.
    pub(super) buffer: u64,
    /// The link that the connection uses.
    pub(super) link: Link,
    /// The peer's window if it bounds the size of an skb (`tcp_xmit_size_goal`).
    pub(super) peer_window: Option<u64>,
}

/// Least and most bytes in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Flight {
    pub(super) const fn exact(bytes: u64) -> Self {
        Self { low: bytes, high: bytes }
    }

    pub(super) fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self { low: f(self.low), high: f(self.high) }
    }
}

impl Locked {
    /// The request that gives this buffer. `getsockopt` returns twice the requested size, and a forced
    /// request (`SO_SNDBUFFORCE`, `SO_RCVBUFFORCE`) is not capped.
    fn request(self) -> BufferRequest {
        BufferRequest::new(i32::try_from(self.buffer / 2).unwrap_or(i32::MAX)).forced()
    }

    /// Least bytes for a program that writes one segment after each `poll()`, most for one that blocks in
    /// writes of 64 KiB. The size of the writes decides. The kernel counts memory, not payload, and tests the
    /// buffer only before it starts an skb (`tcp_sendmsg_locked`).
    pub(super) fn send_flight(self, version: KernelVersion, sysctls: &Sysctls) -> Flight {
        let of = |writing: Writing| {
            send_limits(&SendQuestion {
                version,
                sysctls,
                request: Some(self.request()),
                link: self.link,
                writing,
                is_bbr: is_bbr(sysctls),
                peer_window: self.peer_window,
                notsent_lowat: None,
            })
            .largest_flight
            .value
        };
        let one_segment = Writing { bytes: self.link.mss(), has_nodelay: true, mode: WriteMode::Polling };
        let high = of(Writing::BULK);
        Flight { low: of(one_segment).min(high), high }
    }

    /// Bytes that the receive buffer allows. Since Linux 6.6 the network driver decides which share of it is
    /// window.
    pub(super) fn receive_flight(self, version: KernelVersion, sysctls: &Sysctls) -> Flight {
        let question =
            ReceiveQuestion { version, sysctls, request: Some(self.request()), link: self.link, window_clamp: None };
        let flight = receive_limits(&question).largest_flight;
        Flight { low: flight.value, high: flight.high.unwrap_or(flight.value) }
    }
}

/// Bytes in flight that autotuning would allow; never less than a connection of this host shows.
pub(super) fn autotuned_flight(facts: &HostFacts<'_>, mtu: u32, is_send: bool) -> u64 {
    let reach = if is_send { Reach::AutotunedSend } else { Reach::AutotunedReceive };
    flight(facts, facts.sysctls, mtu, reach).0.max(shown(facts, reach))
}

/// The most that a connection with an autotuned buffer has in flight, or offers as window. A buffer larger
/// than the settings allow comes from earlier settings and proves nothing about these.
fn shown(facts: &HostFacts<'_>, reach: Reach) -> u64 {
    let side = match reach {
        Reach::AutotunedSend => BufferSide::Send,
        Reach::AutotunedReceive => BufferSide::Receive,
        Reach::SetSend | Reach::SetReceive => return 0,
    };
    let Some([_, first, most]) = facts.triple(reach.sysctl()) else { return 0 };
    let stays = side == BufferSide::Receive && facts.sysctls.number(Sysctl::TcpModerateRcvbuf) == Some(0);
    let limit = if stays { first } else { most };
    facts
        .connections()
        .filter(|socket| !is_local(socket))
        .filter_map(|socket| {
            let memory = &socket.memory;
            let of = if side == BufferSide::Send { memory.send_buffer } else { memory.receive_buffer };
            let buffer = of.filter(|&buffer| buffer <= limit)?;
            if lock_ground(facts, socket, side, buffer).is_some() {
                return None;
            }
            let reached = if side == BufferSide::Send { Reached::sent(socket) } else { Reached::received(socket) };
            Some(reached.flight)
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection};

    fn of(host: &Host, reach: Reach) -> PathLimit {
        *host.audit().paths[0].limits.iter().find(|l| l.reach == reach).unwrap()
    }

    #[test]
    fn a_short_path_is_filled() {
        let host = Host::with_defaults("6.12").path(100.0, 20.0);
        assert_eq!(host.paths[0].bdp_bytes(), 250_000);
        for reach in [Reach::AutotunedSend, Reach::AutotunedReceive] {
            let limit = of(&host, reach);
            assert!(limit.is_enough && limit.needed.is_none(), "{limit:?}");
            assert!((limit.rate.bits_per_sec() - 1e8).abs() < 1.0);
        }
    }

    /// 10 Gbit/s over 100 ms are 125 MB in flight.
    #[test]
    fn a_long_fat_path_needs_more_and_that_is_enough() {
        let host = Host::with_defaults("6.12").path(10_000.0, 100.0);
        for (reach, sysctl) in [(Reach::AutotunedSend, "tcp_wmem"), (Reach::AutotunedReceive, "tcp_rmem")] {
            let limit = of(&host, reach);
            assert!(!limit.is_enough && limit.rate.bits_per_sec() < 1e9, "{limit:?}");
            let needed = limit.needed.unwrap();
            let with = |value: u64| {
                let host = host.clone().sysctl(&format!("net.ipv4.{sysctl}=4096 131072 {value}"));
                of(&host, reach).is_enough
            };
            assert!(with(needed) && !with(needed - STEP), "{reach:?} {needed}");
        }
    }

    /// With 4 MB of autotuned buffer, a socket under Nagle's algorithm may have more in flight than the model
    /// of its buffer allows. A socket from before the setting was lowered proves nothing.
    #[test]
    fn what_a_connection_shows_is_allowed() {
        let flight = |buffer, in_flight| {
            let mut socket = connection();
            socket.memory.send_buffer = Some(buffer);
            socket.send_queue = in_flight;
            socket.info.min_rtt = Some(20_000);
            let host = Host::with_defaults("6.12").sysctl("net.ipv4.tcp_wmem=4096 16384 65536").socket(socket);
            let path = host.path(1000.0, 20.0);
            assert_eq!(autotuned_flight(&path.facts(), 1500, true), of(&path, Reach::AutotunedSend).flight);
            of(&path, Reach::AutotunedSend).flight
        };
        let model = flight(65_536, 0);
        assert!((60_000..140_000).contains(&model), "{model}");
        assert_eq!(flight(65_536, 500_000), 500_000);
        assert_eq!(flight(2_000_000, 500_000), model);
    }

    /// `rmem_max` caps a buffer that `SO_RCVBUF` requests, not an autotuned one.
    #[test]
    fn rmem_max_caps_only_what_is_set() {
        let small = Host::with_defaults("6.12").sysctl("net.core.rmem_max=65536").path(1000.0, 20.0);
        let large = small.clone().sysctl("net.core.rmem_max=16777216");
        assert!(of(&large, Reach::SetReceive).flight > 50 * of(&small, Reach::SetReceive).flight);
        assert_eq!(of(&large, Reach::AutotunedReceive).flight, of(&small, Reach::AutotunedReceive).flight);
    }
}
