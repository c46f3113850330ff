//! The kernel's `sock_diag` message about a TCP socket: `struct inet_diag_msg` with its attributes
//! (`include/uapi/linux/inet_diag.h`).

#[cfg(target_os = "linux")]
use std::net::SocketAddr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tcpwhy_model::host::{SocketAddress, SocketMemory, SocketSample, SocketTimer, TcpState, TimerKind};

use crate::tcp_info;

pub(crate) const INET_DIAG_INFO: u16 = 2;
pub(crate) const INET_DIAG_CONG: u16 = 4;
pub(crate) const INET_DIAG_SKMEMINFO: u16 = 7;

/// `AF_INET6` of Linux. The value differs on other systems, which can read recordings too.
const INET6: u8 = 10;

const MESSAGE: usize = 72;

/// Key by which the kernel finds a socket without a search: `sdiag_family` and `struct inet_diag_sockid`,
/// which contains the socket's cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketId {
    pub(crate) family: u8,
    pub(crate) id: [u8; SOCKET_ID],
}

/// Size of `struct inet_diag_sockid`, bytes.
pub(crate) const SOCKET_ID: usize = 48;

impl SocketId {
    /// The id of a connection between these ends with any cookie (`INET_DIAG_NOCOOKIE`).
    #[cfg(target_os = "linux")]
    pub(crate) fn between(local: SocketAddr, peer: SocketAddr) -> Self {
        /// `AF_INET`.
        const INET: u8 = 2;
        let mut id = [0; SOCKET_ID];
        id[..2].copy_from_slice(&local.port().to_be_bytes());
        id[2..4].copy_from_slice(&peer.port().to_be_bytes());
        id[40..].fill(0xff);
        let ends = [local, peer].map(|end| end.ip().to_canonical());
        if let [IpAddr::V4(local), IpAddr::V4(peer)] = ends {
            id[4..8].copy_from_slice(&local.octets());
            id[20..24].copy_from_slice(&peer.octets());
            return Self { family: INET, id };
        }
        let [from, to] = ends.map(|end| match end {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) => address.octets(),
        });
        id[4..20].copy_from_slice(&from);
        id[20..36].copy_from_slice(&to);
        // A socket with a link-local address is bound to the interface of that address.
        if let SocketAddr::V6(local) = local {
            id[36..40].copy_from_slice(&local.scope_id().to_ne_bytes());
        }
        Self { family: INET6, id }
    }

    /// The kernel's cookie of the socket. The kernel never uses a cookie twice.
    pub fn cookie(&self) -> u64 {
        u64::from(u32_at(&self.id, 40)) | u64::from(u32_at(&self.id, 44)) << 32
    }
}

/// Decodes a message in this machine's byte order; `None` if the message ends before its attributes.
/// `name_of` maps the index of an interface to its name.
pub fn decode(message: &[u8], name_of: impl Fn(u32) -> String) -> Option<(SocketSample, SocketId)> {
    let (fixed, mut attributes) = message.split_at_checked(MESSAGE)?;
    let mut id = SocketId { family: fixed[0], id: [0; SOCKET_ID] };
    // Invariant: `fixed` has MESSAGE bytes; the socket id begins at its byte 4.
    id.id.copy_from_slice(&fixed[4..4 + SOCKET_ID]);
    let state = TcpState::from_number(fixed[1]);
    let is_v6 = fixed[0] == INET6;
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
        local.zone = Some(name_of(zone));
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
        cookie: Some(id.cookie()),
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
    Some((socket, id))
}

fn timer(kind: u8, expires: u32, retransmissions: u8) -> Option<SocketTimer> {
    let kind = *TimerKind::ALL.get(usize::from(kind.checked_sub(1)?)).unwrap_or(&TimerKind::Unknown);
    Some(SocketTimer { kind, expires: Some(expires.into()), retransmissions: Some(retransmissions.into()) })
}

/// Decodes the values `SK_MEMINFO_*` of `include/uapi/linux/sock_diag.h`. Older kernels give fewer of them.
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

/// Invariant: callers have checked that four bytes are there.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Offset of the next netlink message or attribute: they begin at multiples of 4 bytes and have at least 4
/// bytes.
pub(crate) const fn align(length: usize) -> usize {
    let length = if length < 4 { 4 } else { length };
    (length + 3) & !3
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn anything_decodes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = decode(&bytes, |index| index.to_string());
        }
    }

    /// `struct inet_diag_msg` of `include/uapi/linux/inet_diag.h` without its prefix `idiag_`, including its
    /// `struct inet_diag_sockid`.
    #[repr(C)]
    struct Uapi {
        family: u8,
        state: u8,
        timer: u8,
        retrans: u8,
        sport: u16,
        dport: u16,
        src: [u32; 4],
        dst: [u32; 4],
        interface: u32,
        cookie: [u32; 2],
        expires: u32,
        rqueue: u32,
        wqueue: u32,
        uid: u32,
        inode: u32,
    }

    /// A message in which each byte of a field differs, so that a wrong offset or width changes a value.
    fn filled(family: u8) -> Vec<u8> {
        let mut message = vec![0; size_of::<Uapi>()];
        let mut put = |at: usize, bytes: &[u8]| message[at..at + bytes.len()].copy_from_slice(bytes);
        macro_rules! put {
            ($($field:ident: $bytes:expr),+ $(,)?) => {
                $(put(std::mem::offset_of!(Uapi, $field), &$bytes);)+
            };
        }
        put! {
            family: [family],
            state: [8],
            timer: [2],
            retrans: [5],
            sport: 0x1112_u16.to_be_bytes(),
            dport: 0x1314_u16.to_be_bytes(),
            src: std::array::from_fn::<u8, 16, _>(|at| 0x20 + at as u8),
            dst: std::array::from_fn::<u8, 16, _>(|at| 0x40 + at as u8),
            interface: 0x61_u32.to_ne_bytes(),
            cookie: [0x7172_7374_u32.to_ne_bytes(), 0x7576_7778_u32.to_ne_bytes()].concat(),
            expires: 0x81_u32.to_ne_bytes(),
            rqueue: 0x91_u32.to_ne_bytes(),
            wqueue: 0xa1_u32.to_ne_bytes(),
            uid: 0xb1_u32.to_ne_bytes(),
            inode: 0xc1_u32.to_ne_bytes(),
        }
        message
    }

    #[test]
    fn each_field_is_read_from_where_the_kernel_writes_it() {
        assert_eq!(size_of::<Uapi>(), MESSAGE);
        let message = filled(INET6);
        let (socket, id) = decode(&message, |index| format!("if{index:x}")).unwrap();
        assert_eq!(socket.state, Some(TcpState::CloseWait), "idiag_state");
        let timer = socket.timer.unwrap();
        assert_eq!(timer.kind, TimerKind::KeepAlive, "idiag_timer");
        assert_eq!(timer.retransmissions, Some(5), "idiag_retrans");
        assert_eq!(timer.expires, Some(0x81), "idiag_expires");
        assert_eq!(socket.local.port, Some(0x1112), "idiag_sport");
        assert_eq!(socket.peer.port, Some(0x1314), "idiag_dport");
        let from = |first: u8| IpAddr::V6(Ipv6Addr::from(std::array::from_fn::<u8, 16, _>(|at| first + at as u8)));
        assert_eq!(socket.local.address, Some(from(0x20)), "idiag_src");
        assert_eq!(socket.peer.address, Some(from(0x40)), "idiag_dst");
        assert_eq!(socket.local.zone.as_deref(), Some("if61"), "idiag_if");
        assert_eq!(socket.cookie, Some(0x7576_7778_7172_7374), "idiag_cookie, the low word first");
        assert_eq!(id.cookie(), 0x7576_7778_7172_7374, "idiag_cookie, the low word first");
        assert_eq!(id.family, INET6, "idiag_family");
        assert_eq!(id.id[..], message[4..52], "idiag_id");
        assert_eq!(socket.receive_queue, 0x91, "idiag_rqueue");
        assert_eq!(socket.send_queue, 0xa1, "idiag_wqueue");
        assert_eq!(socket.user, Some(0xb1), "idiag_uid");
        assert_eq!(socket.inode, Some(0xc1), "idiag_inode");
        let (socket, _) = decode(&filled(2), |_| String::new()).unwrap();
        assert_eq!(socket.local.address, Some(Ipv4Addr::new(0x20, 0x21, 0x22, 0x23).into()), "idiag_src of IPv4");
        assert_eq!(socket.peer.address, Some(Ipv4Addr::new(0x40, 0x41, 0x42, 0x43).into()), "idiag_dst of IPv4");
    }

    /// The numbers are those of `include/net/tcp_states.h` and `inet_sk_diag_fill`.
    #[test]
    fn each_state_and_each_timer_has_its_number() {
        let states: Vec<_> = (1..=12).map(|number| TcpState::from_number(number).map(TcpState::id)).collect();
        let expected = [
            "ESTAB",
            "SYN-SENT",
            "SYN-RECV",
            "FIN-WAIT-1",
            "FIN-WAIT-2",
            "TIME-WAIT",
            "UNCONN",
            "CLOSE-WAIT",
            "LAST-ACK",
            "LISTEN",
            "CLOSING",
            "SYN-RECV",
        ];
        assert_eq!(states, expected.map(Some));
        let kind = |number| timer(number, 0, 0).map(|timer| timer.kind);
        assert_eq!(kind(0), None, "no timer");
        assert_eq!(kind(1), Some(TimerKind::Retransmission));
        assert_eq!(kind(2), Some(TimerKind::KeepAlive));
        assert_eq!(kind(3), Some(TimerKind::TimeWait));
        assert_eq!(kind(4), Some(TimerKind::Persist));
        assert_eq!(kind(5), Some(TimerKind::Unknown));
    }

    /// The numbers are those of `SK_MEMINFO_*` and of the attributes around them.
    #[test]
    fn each_attribute_has_its_number() {
        let numbers: Vec<u8> = (1..=9_u32).flat_map(u32::to_ne_bytes).collect();
        let memory = socket_memory(&numbers);
        assert_eq!(memory.receive_allocated, Some(1), "SK_MEMINFO_RMEM_ALLOC is 0");
        assert_eq!(memory.receive_buffer, Some(2), "SK_MEMINFO_RCVBUF is 1");
        assert_eq!(memory.transmit_allocated, Some(3), "SK_MEMINFO_WMEM_ALLOC is 2");
        assert_eq!(memory.send_buffer, Some(4), "SK_MEMINFO_SNDBUF is 3");
        assert_eq!(memory.forward_allocated, Some(5), "SK_MEMINFO_FWD_ALLOC is 4");
        assert_eq!(memory.send_queued, Some(6), "SK_MEMINFO_WMEM_QUEUED is 5");
        assert_eq!(memory.options, Some(7), "SK_MEMINFO_OPTMEM is 6");
        assert_eq!(memory.backlog, Some(8), "SK_MEMINFO_BACKLOG is 7");
        assert_eq!(memory.drops, Some(9), "SK_MEMINFO_DROPS is 8");
        let mut message = filled(2);
        let mut attribute = |kind: u16, value: &[u8]| {
            message.extend((4 + value.len() as u16).to_ne_bytes());
            message.extend(kind.to_ne_bytes());
            message.extend(value);
            message.resize(message.len().next_multiple_of(4), 0);
        };
        attribute(4, b"bbr\0");
        attribute(7, &numbers);
        attribute(2, &[0, 3]);
        // `INET_DIAG_MEMINFO`, `INET_DIAG_VEGASINFO`.
        attribute(1, &[0xff; 16]);
        attribute(3, &[0xff; 16]);
        let (socket, _) = decode(&message, |_| String::new()).unwrap();
        assert_eq!(socket.congestion_control.as_deref(), Some("bbr"), "INET_DIAG_CONG is 4");
        assert_eq!(socket.memory, memory, "INET_DIAG_SKMEMINFO is 7");
        assert_eq!(socket.info.ca_state, Some(3), "INET_DIAG_INFO is 2");
    }

    #[test]
    fn attributes_that_end_early_are_left_out() {
        let mut message = vec![0; MESSAGE];
        (message[0], message[1]) = (INET6, 1);
        message[40..44].copy_from_slice(&7_u32.to_ne_bytes());
        message.extend(20_u16.to_ne_bytes());
        message.extend(INET_DIAG_SKMEMINFO.to_ne_bytes());
        assert!(decode(&message[..MESSAGE - 1], |_| String::new()).is_none());
        let (socket, _) = decode(&message, |index| format!("if{index}")).unwrap();
        assert_eq!((socket.state, socket.local.zone.as_deref()), (Some(TcpState::Established), Some("if7")));
        assert_eq!(socket.memory, SocketMemory::default());
        message.extend([9; 16]);
        let (socket, _) = decode(&message, |_| String::new()).unwrap();
        assert_eq!((socket.memory.send_buffer, socket.memory.forward_allocated), (Some(0x0909_0909), None));
    }
}
