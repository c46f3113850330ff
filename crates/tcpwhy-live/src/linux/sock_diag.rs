//! TCP sockets from the kernel: `SOCK_DIAG_BY_FAMILY` over netlink (`sock_diag(7)`).

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::net::sockopt::{self, Timeout};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with};
use tcpwhy_model::host::{PortUse, SocketAddress, SocketMemory, SocketSample, SocketTimer, TcpState, TimerKind};

use crate::tcp_info;

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_DUMP: u16 = 0x300;
const IPPROTO_TCP: u8 = 6;

const INET_DIAG_REQ_BYTECODE: u16 = 1;
const INET_DIAG_INFO: u16 = 2;
const INET_DIAG_CONG: u16 = 4;
const INET_DIAG_SKMEMINFO: u16 = 7;

/// Every state but `TIME-WAIT` (6) and `CLOSE` (7): those have no buffers, and a busy server has very many of them.
const STATES: u32 = 0x1fff & !(1 << 6) & !(1 << 7);

/// A kernel answers at once; what imitates one (gVisor, a seccomp sandbox) may not answer at all.
const PATIENCE: Duration = Duration::from_secs(5);

const HEADER: usize = 16;
const MESSAGE: usize = 72;

/// All TCP sockets of this thread's network namespace, IPv4 and IPv6. A kernel without IPv6 answers for it too, with none:
/// `inet_diag_init` registers both families.
pub fn tcp_sockets() -> io::Result<Vec<SocketSample>> {
    let mut sockets = Vec::new();
    ask(|family| request(family, STATES, &DETAILS), &mut |message| sockets.extend(decode(message)))?;
    Ok(sockets)
}

/// What is told of each socket.
const DETAILS: [u16; 3] = [INET_DIAG_INFO, INET_DIAG_CONG, INET_DIAG_SKMEMINFO];

/// Time that a port stays in `TIME-WAIT` (`TCP_TIMEWAIT_LEN`), ms.
const TIME_WAIT_MS: u64 = 60_000;
/// Sooner than this after its end a port is not used again (`tcp_tw_reuse_delay`, a constant before Linux 6.14), ms.
const REUSE_DELAY_MS: u64 = 1000;
/// More destinations are no shortage of any.
const MOST_DESTINATIONS: usize = 100;

/// How many local ports between `first` and `last` are in `TIME-WAIT` for each destination, the most first.
pub(super) fn time_wait(first: u16, last: u16) -> io::Result<Vec<PortUse>> {
    let mut by_destination: HashMap<(Option<IpAddr>, SocketAddress), (u64, u64)> = HashMap::new();
    let request = |family| {
        let mut bytes = request(family, 1_u32 << TcpState::TimeWait.number(), &[]);
        let filter = ports_between(first, last);
        bytes.extend(((filter.len() + 4) as u16).to_ne_bytes());
        bytes.extend(INET_DIAG_REQ_BYTECODE.to_ne_bytes());
        bytes.extend(filter);
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&length.to_ne_bytes());
        bytes
    };
    ask(request, &mut |message| {
        let Some(socket) = decode(message) else { return };
        // Older kernels may not heed the filter.
        if socket.state != Some(TcpState::TimeWait) || !socket.local.port.is_some_and(|p| (first..=last).contains(&p)) {
            return;
        }
        let rest = socket.timer.and_then(|t| t.expires);
        let (ports, fresh) = by_destination.entry((socket.local.address, socket.peer)).or_default();
        *ports += 1;
        *fresh += u64::from(rest.is_some_and(|ms| ms > TIME_WAIT_MS - REUSE_DELAY_MS));
    })?;
    let mut uses: Vec<_> = by_destination
        .into_iter()
        .map(|((local, peer), (ports, fresh))| PortUse { local, peer, ports, fresh })
        .collect();
    uses.sort_by(|a, b| b.ports.cmp(&a.ports).then_with(|| (a.local, &a.peer).cmp(&(b.local, &b.peer))));
    uses.truncate(MOST_DESTINATIONS);
    Ok(uses)
}

/// Bytecode of `inet_diag_bc_run`: local ports from `first` to `last`. Each operation is `code`, `yes` and `no`, how far to go
/// on if it holds and if not; beyond the end by four means that the socket is passed over.
fn ports_between(first: u16, last: u16) -> Vec<u8> {
    const S_GE: u8 = 2;
    const S_LE: u8 = 3;
    let operation = |code: u8, yes: u8, no: u16| [&[code, yes][..], &no.to_ne_bytes()].concat();
    [operation(S_GE, 8, 20), operation(0, 0, first), operation(S_LE, 8, 12), operation(0, 0, last)].concat()
}

/// Sends the request of each family and hands every socket's message on.
fn ask(request: impl Fn(u8) -> Vec<u8>, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    for family in [libc::AF_INET as u8, libc::AF_INET6 as u8] {
        let fd = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG))?;
        sockopt::set_socket_timeout(&fd, Timeout::Recv, Some(PATIENCE))?;
        send(&fd, &request(family), SendFlags::empty())?;
        dump(&fd, take)?;
    }
    Ok(())
}

/// `struct nlmsghdr` and `struct inet_diag_req_v2`.
fn request(family: u8, states: u32, details: &[u16]) -> Vec<u8> {
    const LEN: usize = HEADER + 56;
    let mut bytes = Vec::with_capacity(LEN);
    bytes.extend((LEN as u32).to_ne_bytes());
    bytes.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes.extend((NLM_F_REQUEST | NLM_F_DUMP).to_ne_bytes());
    bytes.extend([0; 8]);
    let extensions = details.iter().fold(0_u8, |e, a| e | 1 << (a - 1));
    bytes.extend([family, IPPROTO_TCP, extensions, 0]);
    bytes.extend(states.to_ne_bytes());
    bytes.resize(LEN, 0);
    bytes
}

fn dump(fd: &OwnedFd, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0_u8; 1 << 18];
    loop {
        let (received, _) = match recv(fd, buffer.as_mut_slice(), RecvFlags::empty()) {
            Err(rustix::io::Errno::INTR) => continue,
            other => other?,
        };
        if received == 0 || read_messages(&buffer[..received], take)? {
            return Ok(());
        }
    }
}

/// Hands on the sockets of a datagram; whether it was the last.
fn read_messages(mut bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> io::Result<bool> {
    while let Some(header) = bytes.get(..HEADER) {
        let length = u32_at(header, 0) as usize;
        let Some(message) = bytes.get(HEADER..length) else { break };
        match u16::from_ne_bytes([header[4], header[5]]) {
            NLMSG_DONE => return Ok(true),
            NLMSG_ERROR => {
                let code = message.get(..4).map_or(0, |_| u32_at(message, 0) as i32);
                return if code == 0 { Ok(true) } else { Err(io::Error::from_raw_os_error(-code)) };
            }
            SOCK_DIAG_BY_FAMILY => take(message),
            _ => {}
        }
        bytes = bytes.get(align(length)..).unwrap_or_default();
    }
    Ok(false)
}

/// `struct inet_diag_msg` with its attributes.
fn decode(message: &[u8]) -> Option<SocketSample> {
    let (fixed, mut attributes) = message.split_at_checked(MESSAGE)?;
    let state = TcpState::from_number(fixed[1]);
    let is_v6 = i32::from(fixed[0]) == libc::AF_INET6;
    let zone = u32_at(fixed, 40);
    let address = |port_at: usize, at: usize| SocketAddress {
        address: Some(if is_v6 {
            // Invariant: `fixed` has MESSAGE bytes, and at + 16 is below that.
            let mut octets = [0; 16];
            octets.copy_from_slice(&fixed[at..at + 16]);
            IpAddr::V6(Ipv6Addr::from(octets))
        } else {
            IpAddr::V4(Ipv4Addr::new(fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]))
        }),
        zone: None,
        port: Some(u16::from_be_bytes([fixed[port_at], fixed[port_at + 1]])),
    };
    let mut local = address(4, 8);
    let mut peer = address(6, 24);
    if zone != 0 {
        local.zone = Some(interface_name(zone));
    }
    if peer.port == Some(0) {
        peer.port = None;
    }
    let mut socket = SocketSample {
        state,
        receive_queue: u32_at(fixed, 56).into(),
        send_queue: u32_at(fixed, 60).into(),
        local,
        peer,
        user: Some(u32_at(fixed, 64)),
        inode: Some(u64::from(u32_at(fixed, 68))).filter(|&i| i != 0),
        cookie: Some(u64::from(u32_at(fixed, 44)) | u64::from(u32_at(fixed, 48)) << 32),
        timer: timer(fixed[2], u32_at(fixed, 52), fixed[3]),
        ..SocketSample::default()
    };
    while let Some(header) = attributes.get(..4) {
        let length = usize::from(u16::from_ne_bytes([header[0], header[1]]));
        let Some(value) = attributes.get(4..length) else { break };
        match u16::from_ne_bytes([header[2], header[3]]) {
            INET_DIAG_INFO => socket.info = tcp_info::decode(value),
            INET_DIAG_CONG => {
                let name = value.split(|&b| b == 0).next().unwrap_or_default();
                socket.congestion_control = Some(String::from_utf8_lossy(name).into_owned()).filter(|n| !n.is_empty());
            }
            INET_DIAG_SKMEMINFO => socket.memory = socket_memory(value),
            _ => {}
        }
        attributes = attributes.get(align(length)..).unwrap_or_default();
    }
    Some(socket)
}

fn timer(kind: u8, expires: u32, retransmissions: u8) -> Option<SocketTimer> {
    let kind = *TimerKind::ALL.get(usize::from(kind.checked_sub(1)?)).unwrap_or(&TimerKind::Unknown);
    Some(SocketTimer { kind, expires: Some(expires.into()), retransmissions: Some(retransmissions.into()) })
}

/// `SK_MEMINFO_*` of `include/uapi/linux/sock_diag.h`, as many as the kernel gives.
pub fn socket_memory(value: &[u8]) -> SocketMemory {
    let at = |index: usize| value.get(index * 4..index * 4 + 4).map(|b| u64::from(u32_at(b, 0)));
    SocketMemory {
        receive_allocated: at(0),
        receive_buffer: at(1),
        transmit_allocated: at(2),
        send_buffer: at(3),
        forward_allocated: at(4),
        send_queued: at(5),
        options: at(6),
        backlog: at(7),
        drops: at(8),
    }
}

fn interface_name(index: u32) -> String {
    std::fs::read_dir("/sys/class/net")
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .find(|e| std::fs::read_to_string(e.path().join("ifindex")).is_ok_and(|t| t.trim() == index.to_string()))
        .and_then(|e| e.file_name().into_string().ok())
        .unwrap_or_else(|| format!("if{index}"))
}

/// Invariant: callers have checked that four bytes are there.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Messages and attributes begin at multiples of four, and have at least a length of four.
const fn align(length: usize) -> usize {
    let length = if length < 4 { 4 } else { length };
    (length + 3) & !3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_ends() {
        for bytes in [vec![], vec![0; 15], vec![0; 64], vec![0xff; 64], {
            let mut b = vec![0; 100];
            b[0] = 100;
            b[4] = 20;
            b
        }] {
            let mut sockets = Vec::new();
            let _ = read_messages(&bytes, &mut |message| sockets.extend(decode(message)));
            assert!(sockets.len() <= 1);
        }
    }

    #[test]
    fn errors_of_the_kernel_are_errors() {
        let mut bytes = vec![0; 20];
        bytes[0] = 20;
        bytes[4] = 2;
        bytes[16..20].copy_from_slice(&(-1_i32).to_ne_bytes());
        let error = read_messages(&bytes, &mut |_| ()).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(1));
    }
}
