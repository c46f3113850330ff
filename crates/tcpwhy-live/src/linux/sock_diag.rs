//! TCP sockets from the kernel: `SOCK_DIAG_BY_FAMILY` over netlink (`sock_diag(7)`).

use std::io;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::net::sockopt::{self, Timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, connect, netlink, recv, send, socket_with,
};
use tcpwhy_model::host::{SocketSample, TcpState};

use crate::socket_message::{
    INET_DIAG_CONG, INET_DIAG_INFO, INET_DIAG_SKMEMINFO, SOCKET_ID, SocketId, align, decode, u32_at,
};

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_DUMP: u16 = 0x300;
const IPPROTO_TCP: u8 = 6;

const INET_DIAG_REQ_BYTECODE: u16 = 1;

/// All states except `TIME-WAIT` (6) and `CLOSE` (7): those have no buffers, and a busy server has very many
/// of them.
const STATES: u32 = 0x1fff & !(1 << 6) & !(1 << 7);

/// A kernel answers at once, but an imitation of one (gVisor, a seccomp sandbox) may never answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The kernel needs 1 to 2 s for a million sockets.
const LONGEST_DUMP: Duration = Duration::from_secs(60);

const HEADER: usize = 16;

/// Reads all TCP sockets of this thread's network namespace, IPv4 and IPv6. A kernel without IPv6 gives an
/// empty answer for it: `inet_diag_init` registers both families.
pub fn tcp_sockets() -> io::Result<Vec<SocketSample>> {
    let mut sockets = Vec::new();
    SockDiag::open()?.dump(|socket, _| sockets.push(socket))?;
    Ok(sockets)
}

/// Reader of the sockets of one network namespace, for repeated use. It is the namespace of the thread that
/// opened it.
#[derive(Debug)]
pub struct SockDiag {
    fd: OwnedFd,
    buffer: Vec<u8>,
    /// Number of the next request. Answers to earlier requests, which were given up, are ignored.
    next: u32,
}

/// Size of `struct nlmsghdr` and `struct inet_diag_req_v2`, bytes.
const REQUEST: usize = HEADER + 56;
/// Number of requests sent at once. Their answers fit into the receive buffer of a netlink socket
/// (`rmem_default`, 212,992 bytes; an answer needs about one page with its overhead).
const BATCH: usize = 32;

impl SockDiag {
    /// Opens a reader for the network namespace of this thread.
    ///
    /// # Errors
    /// If the kernel has no `sock_diag`, or denies its use.
    pub fn open() -> io::Result<Self> {
        let fd = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, Some(netlink::SOCK_DIAG))?;
        sockopt::set_socket_timeout(&fd, Timeout::Recv, Some(PATIENCE))?;
        // Only the kernel's datagrams are accepted, because the owner of a container's namespace could send
        // forged answers. A connected socket takes datagrams of its peer alone (`netlink_recvmsg`,
        // `netlink_unicast`).
        connect(&fd, &netlink::SocketAddrNetlink::new(0, 0))?;
        Ok(Self { fd, buffer: vec![0_u8; 1 << 18], next: 1 })
    }

    /// Passes every TCP socket that is not in `TIME-WAIT` to `each`, as it arrives.
    ///
    /// # Errors
    /// The kernel's error; sockets that arrived before it were passed to `each`.
    pub fn dump(&mut self, each: impl FnMut(SocketSample, SocketId)) -> io::Result<()> {
        self.dump_of(&Wanted::ALIVE, each)
    }

    /// As [`Self::dump`], including the kernel's message ([`socket_message`](crate::socket_message)).
    ///
    /// # Errors
    /// The kernel's error; sockets that arrived before it were passed to `each`.
    pub fn dump_messages(&mut self, each: impl FnMut(SocketSample, SocketId, &[u8])) -> io::Result<()> {
        self.messages_of(&Wanted::ALIVE, each)
    }

    /// Passes every TCP socket that `wanted` selects to `each`, as it arrives.
    pub(super) fn dump_of(
        &mut self,
        wanted: &Wanted<'_>,
        mut each: impl FnMut(SocketSample, SocketId),
    ) -> io::Result<()> {
        self.messages_of(wanted, |socket, id, _| each(socket, id))
    }

    fn messages_of(
        &mut self,
        wanted: &Wanted<'_>,
        mut each: impl FnMut(SocketSample, SocketId, &[u8]),
    ) -> io::Result<()> {
        for family in [libc::AF_INET as u8, libc::AF_INET6 as u8] {
            let number = self.number(1);
            self.send(&request(number, family, NLM_F_DUMP, wanted, &[0; SOCKET_ID]))?;
            let until = Instant::now() + LONGEST_DUMP;
            while !self.receive(number..=number, &mut |answer| {
                if let Answer::Socket(socket, id, message) = answer {
                    each(socket, id, message);
                }
            })? {
                if Instant::now() >= until {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
        }
        Ok(())
    }

    /// Reads these sockets again. `each` gets the index in `ids`, and the socket with the kernel's message;
    /// `None` if the socket is gone.
    ///
    /// # Errors
    /// The kernel's error, or an error if it does not answer.
    pub fn ask(
        &mut self,
        ids: &[SocketId],
        mut each: impl FnMut(usize, Option<(SocketSample, &[u8])>),
    ) -> io::Result<()> {
        for (batch, ids) in ids.chunks(BATCH).enumerate() {
            let first = batch * BATCH;
            let base = self.number(ids.len() as u32);
            let numbers = base..=base + (ids.len() as u32 - 1);
            let requests =
                numbers.clone().zip(ids).flat_map(|(n, id)| request(n, id.family, 0, &Wanted::ALIVE, &id.id));
            self.send(&requests.collect::<Vec<u8>>())?;
            let mut left = ids.len();
            while left > 0 {
                self.receive(numbers.clone(), &mut |answer| {
                    left = left.saturating_sub(1);
                    match answer {
                        Answer::Socket(socket, id, message) => {
                            if let Some(index) = ids.iter().position(|asked| asked.cookie() == id.cookie()) {
                                each(first + index, Some((socket, message)));
                            }
                        }
                        Answer::Gone(number) => each(first + (number - base) as usize, None),
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Finds the connection between `local`, on this host, and `peer`; `None` if this network namespace has
    /// no such socket. The kernel looks it up (`inet_diag_find_one_icsk`), so its owner does not matter.
    ///
    /// # Errors
    /// The kernel's error, or an error if it does not answer.
    pub fn find(&mut self, local: SocketAddr, peer: SocketAddr) -> io::Result<Option<SocketId>> {
        let wanted = SocketId::between(local, peer);
        let number = self.number(1);
        self.send(&request(number, wanted.family, 0, &Wanted::ALIVE, &wanted.id))?;
        let (mut found, mut has_answered) = (None, false);
        while !has_answered {
            let mut has_come = false;
            let is_end = self.receive(number..=number, &mut |answer| {
                has_come = true;
                if let Answer::Socket(socket, id, _) = answer {
                    // Without the connection, the kernel finds a listener on the port.
                    let is_wanted = socket.peer.port == Some(peer.port()) && socket.state != Some(TcpState::TimeWait);
                    found = is_wanted.then_some(id);
                }
            })?;
            has_answered = is_end || has_come;
        }
        Ok(found)
    }

    fn send(&self, bytes: &[u8]) -> io::Result<()> {
        send(&self.fd, bytes, SendFlags::empty())?;
        Ok(())
    }

    /// Reserves `count` consecutive numbers for requests, and returns the first.
    fn number(&mut self, count: u32) -> u32 {
        if self.next.checked_add(count).is_none() {
            self.next = 1;
        }
        let first = self.next;
        self.next += count;
        first
    }

    /// Receives a datagram of answers to the requests with these numbers. Returns whether it ended a dump.
    fn receive(&mut self, numbers: RangeInclusive<u32>, each: &mut dyn FnMut(Answer<'_>)) -> io::Result<bool> {
        loop {
            match recv(&self.fd, self.buffer.as_mut_slice(), RecvFlags::empty()) {
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok((0, _)) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok((received, _)) => return read_messages(&self.buffer[..received], &numbers, each),
            }
        }
    }
}

/// An answer of the kernel.
#[allow(clippy::large_enum_variant, reason = "one at a time, told at once and never kept")]
enum Answer<'a> {
    /// A socket with its message.
    Socket(SocketSample, SocketId, &'a [u8]),
    /// The socket of the request with this number does not exist, or no longer.
    Gone(u32),
}

/// The sockets to read, and the attributes of each.
pub(super) struct Wanted<'a> {
    /// A bit for each state, by its number.
    pub(super) states: u32,
    /// Attributes `INET_DIAG_*`.
    pub(super) details: &'a [u16],
    /// Bytecode of `inet_diag_bc_run`; empty accepts all. Older kernels may ignore it.
    pub(super) filter: &'a [u8],
}

impl Wanted<'_> {
    const ALIVE: Self =
        Self { states: STATES, details: &[INET_DIAG_INFO, INET_DIAG_CONG, INET_DIAG_SKMEMINFO], filter: &[] };
}

/// A request for all sockets of a family that `wanted` selects, or for the one with `id`. The answer has the
/// same `number`.
fn request(number: u32, family: u8, flags: u16, wanted: &Wanted<'_>, id: &[u8; SOCKET_ID]) -> Vec<u8> {
    let filter_len = if wanted.filter.is_empty() { 0 } else { 4 + wanted.filter.len() };
    let length = REQUEST + filter_len;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend((length as u32).to_ne_bytes());
    bytes.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes.extend((NLM_F_REQUEST | flags).to_ne_bytes());
    bytes.extend(number.to_ne_bytes());
    bytes.extend([0; 4]);
    let extensions = wanted.details.iter().fold(0_u8, |e, a| e | 1 << (a - 1));
    bytes.extend([family, IPPROTO_TCP, extensions, 0]);
    bytes.extend(wanted.states.to_ne_bytes());
    bytes.extend(id);
    if filter_len > 0 {
        bytes.extend((filter_len as u16).to_ne_bytes());
        bytes.extend(INET_DIAG_REQ_BYTECODE.to_ne_bytes());
        bytes.extend(wanted.filter);
    }
    bytes
}

/// Decodes the answers to the requests with these `numbers` from a datagram. Returns whether the last one
/// ended a dump.
fn read_messages(
    mut bytes: &[u8],
    numbers: &RangeInclusive<u32>,
    each: &mut dyn FnMut(Answer<'_>),
) -> io::Result<bool> {
    while let Some(header) = bytes.get(..HEADER) {
        let length = u32_at(header, 0) as usize;
        let Some(message) = bytes.get(HEADER..length) else { break };
        let number = u32_at(header, 8);
        if !numbers.contains(&number) {
            bytes = bytes.get(align(length)..).unwrap_or_default();
            continue;
        }
        match u16::from_ne_bytes([header[4], header[5]]) {
            NLMSG_DONE => return Ok(true),
            NLMSG_ERROR => {
                let code = message.get(..4).map_or(0, |_| u32_at(message, 0) as i32);
                match -code {
                    0 => return Ok(true),
                    // `ENOENT`: the socket does not exist (`inet_diag_find_one_icsk`). `ESTALE`: another
                    // socket has its address (`sock_diag_check_cookie`).
                    libc::ENOENT | libc::ESTALE => each(Answer::Gone(number)),
                    code => return Err(io::Error::from_raw_os_error(code)),
                }
            }
            SOCK_DIAG_BY_FAMILY => {
                if let Some((socket, id)) = decode(message, interface_name) {
                    each(Answer::Socket(socket, id, message));
                }
            }
            _ => {}
        }
        bytes = bytes.get(align(length)..).unwrap_or_default();
    }
    Ok(false)
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
            let mut count = 0;
            let _ = read_messages(&bytes, &(0..=u32::MAX), &mut |_| count += 1);
            assert!(count <= 1);
        }
    }

    #[test]
    fn errors_of_the_kernel_are_errors() {
        let mut bytes = vec![0; 20];
        bytes[0] = 20;
        bytes[4] = 2;
        bytes[16..20].copy_from_slice(&(-1_i32).to_ne_bytes());
        bytes[8] = 7;
        let error = read_messages(&bytes, &(7..=7), &mut |_| ()).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(1));
        assert!(!read_messages(&bytes, &(8..=9), &mut |_| ()).unwrap(), "it answers an earlier request");
    }

    #[test]
    fn only_the_kernel_is_heard() {
        let asks = SockDiag::open().expect("sockets can be asked for");
        let to = rustix::net::getsockname(&asks.fd).expect("a netlink socket has an address");
        let forger = SockDiag::open().expect("another one");
        let sent = rustix::net::sendto(&forger.fd, &[0; 20], SendFlags::empty(), &to);
        assert_eq!(sent, Err(rustix::io::Errno::CONNREFUSED));
    }
}
