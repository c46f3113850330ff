//! What `sock_diag` says of a TCP socket: `struct inet_diag_msg` with its attributes (`include/uapi/linux/inet_diag.h`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tcpwhy_model::host::{SocketAddress, SocketMemory, SocketSample, SocketTimer, TcpState, TimerKind};

use crate::tcp_info;

pub(crate) const INET_DIAG_INFO: u16 = 2;
pub(crate) const INET_DIAG_CONG: u16 = 4;
pub(crate) const INET_DIAG_SKMEMINFO: u16 = 7;

/// `AF_INET6` of Linux, wherever this runs.
const INET6: u8 = 10;

const MESSAGE: usize = 72;

/// By what the kernel finds a socket at once: `sdiag_family` and `struct inet_diag_sockid`, which holds its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketId {
    pub(crate) family: u8,
    pub(crate) id: [u8; SOCKET_ID],
}

/// Of `struct inet_diag_sockid`, bytes.
pub(crate) const SOCKET_ID: usize = 48;

impl SocketId {
    /// The kernel's cookie, which is never given again.
    pub fn cookie(&self) -> u64 {
        u64::from(u32_at(&self.id, 40)) | u64::from(u32_at(&self.id, 44)) << 32
    }
}

/// Decodes a message, in this machine's byte order; `None` where it ends before its attributes. `name_of` gives the names of
/// interfaces by their numbers.
pub fn decode(message: &[u8], name_of: impl Fn(u32) -> String) -> Option<(SocketSample, SocketId)> {
    let (fixed, mut attributes) = message.split_at_checked(MESSAGE)?;
    let mut id = SocketId { family: fixed[0], id: [0; SOCKET_ID] };
    // Invariant: `fixed` has MESSAGE bytes, of which the address follows the first four.
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

/// Invariant: callers have checked that four bytes are there.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Messages and attributes begin at multiples of four, and have at least a length of four.
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
