//! Real sockets over the loopback device of a network namespace of their own.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::libc;
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::{getsockopt, setsockopt, sockopt};
use socket2::{Domain, SockFilter, Socket, Type};
use tcpwhy_kernel::{BufferKind, BufferRequest, KernelVersion, Sysctls, When};

use nix::{getsockopt_impl, setsockopt_impl, sockopt_impl};

/// Size of `tcp_info` since 5.4; asking an older kernel for more would fail.
const INFO_SIZE: usize = 232;

sockopt_impl!(TcpInfo, GetOnly, libc::IPPROTO_TCP, libc::TCP_INFO, [u8; INFO_SIZE]);
sockopt_impl!(SaveSyn, SetOnly, libc::IPPROTO_TCP, libc::TCP_SAVE_SYN, bool);
// IP and TCP header of a SYN with the four usual options.
sockopt_impl!(SavedSyn4, GetOnly, libc::IPPROTO_TCP, libc::TCP_SAVED_SYN, [u8; 20 + SYN_HEADER]);
sockopt_impl!(SavedSyn6, GetOnly, libc::IPPROTO_TCP, libc::TCP_SAVED_SYN, [u8; 40 + SYN_HEADER]);
sockopt_impl!(WindowClamp, SetOnly, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, u32);
sockopt_impl!(NotsentLowat, SetOnly, libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT, u32);
sockopt_impl!(MemInfo, GetOnly, libc::SOL_SOCKET, libc::SO_MEMINFO, [u32; 9]);

/// TCP header with MSS, SACK, timestamps and window scale.
const SYN_HEADER: usize = 40;
/// Offset of the window field in the TCP header.
const WINDOW_AT: usize = 14;

/// Offsets in `tcp_info` (bytes; stable since the fields were added).
mod field {
    pub(super) const SCALES: usize = 6;
    pub(super) const NOTSENT: usize = 144;
    pub(super) const SND_WND: usize = 228;
}

/// Addresses with a route whose initial congestion window never limits.
pub(crate) const WIDE: Ipv4Addr = Ipv4Addr::new(127, 9, 0, 1);
/// Address with the default initial congestion window.
pub(crate) const USUAL: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// `rmem_max` and `wmem_max` belong to the whole machine, so only one test may run at a time.
static MACHINE: Mutex<()> = Mutex::new(());

pub(crate) fn machine() -> MutexGuard<'static, ()> {
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reason why the tests cannot run here; `None` if they can.
pub(crate) fn obstacle() -> Option<String> {
    if !nix::unistd::geteuid().is_root() {
        return Some("not root".into());
    }
    if Command::new("ip").arg("-V").output().is_err() {
        return Some("no `ip` (iproute2)".into());
    }
    in_namespace(1500, || ()).err().map(|error| format!("no network namespace: {error}"))
}

/// The running kernel.
pub(crate) fn version() -> KernelVersion {
    fs::read_to_string("/proc/sys/kernel/osrelease").unwrap().parse().unwrap()
}

/// Settings of this thread's namespace.
pub(crate) fn sysctls() -> Sysctls {
    let mut sysctls = Sysctls::new();
    for sysctl in tcpwhy_kernel::Sysctl::ALL {
        let path = format!("/proc/sys/{}", sysctl.name().replace('.', "/"));
        if let Ok(text) = fs::read_to_string(path) {
            let _ = sysctls.assign_value(*sysctl, &text);
        }
    }
    sysctls
}

/// Runs `f` on a thread with a network namespace of its own, whose loopback has this MTU. The namespace ends
/// with the thread.
pub(crate) fn in_namespace<T: Send>(mtu: u32, f: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            unshare(CloneFlags::CLONE_NEWNET)?;
            ip(&["link", "set", "lo", "mtu", &mtu.to_string(), "up"])?;
            let wide = ["route", "replace", "local", "127.9.0.0/16", "dev", "lo", "table", "local"];
            ip(&[&wide[..], &["initcwnd", "60000"]].concat())?;
            Ok(f())
        });
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn ip(args: &[&str]) -> io::Result<()> {
    let output = Command::new("ip").args(args).output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// A sysctl of the machine that is restored however the test ends. A shell waits for the end of its input,
/// which ends with the test, and then writes the old value.
pub(crate) struct Restored {
    path: &'static str,
    before: String,
    guardian: Child,
}

impl Restored {
    /// Guard of the sysctl; `None` if it cannot be changed.
    pub(crate) fn new(path: &'static str) -> Option<Self> {
        let before = fs::read_to_string(path).ok()?;
        fs::write(path, &before).ok()?;
        let guardian = Command::new("sh")
            .args(["-c", "trap '' INT TERM HUP; cat >/dev/null; echo \"$1\" >\"$2\"", "sh", before.trim(), path])
            .stdin(Stdio::piped())
            .spawn()
            .ok()?;
        Some(Self { path, before, guardian })
    }

    pub(crate) fn set(&self, value: i64) {
        fs::write(self.path, value.to_string()).unwrap();
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        // The guardian is needed if this code is not reached; it may have been killed itself.
        let restored = fs::write(self.path, &self.before);
        drop(self.guardian.stdin.take());
        let _ = self.guardian.wait();
        if let (Err(error), false) = (restored, std::thread::panicking()) {
            panic!("{} was {}, and cannot be set back: {error}", self.path, self.before.trim());
        }
    }
}

/// Sets a buffer.
pub(crate) fn ask(socket: &Socket, kind: BufferKind, request: BufferRequest) {
    // The option needs an int, so -1 is passed as the usize that truncates to it.
    let value = request.bytes as usize;
    match (kind, request.is_forced) {
        (BufferKind::Send, false) => setsockopt(socket, sockopt::SndBuf, &value),
        (BufferKind::Send, true) => setsockopt(socket, sockopt::SndBufForce, &value),
        (BufferKind::Receive, false) => setsockopt(socket, sockopt::RcvBuf, &value),
        (BufferKind::Receive, true) => setsockopt(socket, sockopt::RcvBufForce, &value),
    }
    .unwrap();
}

/// Value of `getsockopt`.
pub(crate) fn reported(socket: &Socket, kind: BufferKind) -> u64 {
    let bytes = match kind {
        BufferKind::Send => getsockopt(socket, sockopt::SndBuf),
        BufferKind::Receive => getsockopt(socket, sockopt::RcvBuf),
    };
    bytes.unwrap() as u64
}

/// An established connection. The tested buffer is the client's receive buffer if it is set before
/// `connect()`, otherwise the accepted socket's.
pub(crate) struct Pair {
    pub(crate) sender: Socket,
    pub(crate) receiver: Socket,
}

impl Pair {
    /// A connection between two sockets whose receiver sets `SO_RCVBUF` as requested.
    pub(crate) fn new(address: impl Into<IpAddr>, rcvbuf: Option<BufferRequest>) -> Self {
        let address = address.into();
        let listener = tcp(address);
        let set = |socket: &Socket, wanted: When| {
            if let Some(request) = rcvbuf.filter(|request| request.when == wanted) {
                ask(socket, BufferKind::Receive, request);
            }
        };
        set(&listener, When::OnListener);
        listener.bind(&SocketAddr::from((address, 0)).into()).unwrap();
        listener.listen(1).unwrap();
        let client = tcp(address);
        set(&client, When::BeforeConnect);
        client.connect(&listener.local_addr().unwrap()).unwrap();
        let accepted = listener.accept().unwrap().0;
        timeouts(&accepted);
        let is_client = rcvbuf.is_some_and(|request| request.when == When::BeforeConnect);
        let (sender, receiver) = if is_client { (accepted, client) } else { (client, accepted) };
        set(&receiver, When::AfterConnect);
        sender.set_tcp_nodelay(true).unwrap();
        // A dropped end resets the connection, so that no state remains.
        sender.set_linger(Some(Duration::ZERO)).unwrap();
        Self { sender, receiver }
    }

    /// Sends `bytes` and reads them at the receiver.
    pub(crate) fn pass(&mut self, bytes: usize) {
        let mut data = vec![0; bytes];
        self.sender.write_all(&data).unwrap();
        self.receiver.read_exact(&mut data).unwrap();
    }

    /// The window that the receiver last advertised, as known by the sender.
    pub(crate) fn offered(&self) -> u64 {
        word(&info(&self.sender), field::SND_WND)
    }

    /// The window scale that the receiver announced.
    pub(crate) fn scale(&self) -> u8 {
        info(&self.sender)[field::SCALES] & 0x0f
    }

    /// The final window while the receiver reads each segment before the next is sent. Larger portions open
    /// it first; their memory makes the window smaller while they wait to be read.
    pub(crate) fn largest_window(&mut self, mss: u64) -> u64 {
        // The first round trip has up to ten segments in flight.
        self.pass((10 * mss).min(self.offered().max(1)) as usize);
        let mut seen = 0;
        let mut since = 0;
        while since < 12 {
            let now = self.offered();
            // Up to a third of the window, so that a write never waits for the reader.
            self.pass((now / 3).clamp(1, 256 << 10) as usize);
            since = if self.offered() > seen { 0 } else { since + 1 };
            seen = seen.max(self.offered());
        }
        let mut largest = 0;
        for _ in 0..40 {
            // A sender's segments are at most half of the largest window.
            self.pass(mss.min(self.offered() / 2).max(1) as usize);
            largest = largest.max(self.offered());
        }
        largest
    }

    /// Sends and reads data until the advertised window reaches `bytes` or stops growing. Before 6.10 it
    /// begins with 64 KB and grows with every segment (`tcp_grow_window`).
    pub(crate) fn open_window(&mut self, bytes: u64) {
        let mut largest = 0;
        let mut since = 0;
        while self.offered() < bytes && since < 50 {
            // Less than the window, so that a write never waits for the reader.
            self.pass((self.offered() / 3).clamp(1, 256 << 10) as usize);
            since = if self.offered() > largest { 0 } else { since + 1 };
            largest = largest.max(self.offered());
        }
    }

    /// Bytes that the sender accepts and sends while no ACK reaches it. `may_write` returns whether to begin
    /// another write.
    pub(crate) fn fill(&mut self, write: usize, may_write: impl Fn(&Socket) -> bool) -> (u64, u64) {
        self.sender.attach_filter(&[SockFilter::new(0x06, 0, 0, 0)]).unwrap();
        self.sender.set_nonblocking(true).unwrap();
        let data = vec![0; write];
        let mut taken = 0;
        'writes: while may_write(&self.sender) {
            let mut rest = &data[..];
            while !rest.is_empty() {
                match self.sender.write(rest) {
                    Ok(bytes) => {
                        taken += bytes as u64;
                        rest = &rest[bytes..];
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break 'writes,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        let unsent = word(&info(&self.sender), field::NOTSENT);
        (taken, taken - unsent)
    }
}

/// A new connection: the windows in its SYN and SYN-ACK, and the scale of its client.
pub(crate) struct Handshake {
    pub(crate) syn: u64,
    pub(crate) syn_ack: u64,
    pub(crate) scale: u8,
}

/// Opens a connection whose client and listener request this receive buffer, and whose client sets
/// `TCP_WINDOW_CLAMP`.
pub(crate) fn handshake(address: IpAddr, rcvbuf: Option<BufferRequest>, clamp: Option<u32>) -> Handshake {
    let (listener, client) = (tcp(address), tcp(address));
    for socket in [&listener, &client] {
        if let Some(request) = rcvbuf {
            ask(socket, BufferKind::Receive, request);
        }
    }
    if let Some(bytes) = clamp {
        setsockopt(&client, WindowClamp, &bytes).unwrap();
    }
    setsockopt(&listener, SaveSyn, &true).unwrap();
    listener.bind(&SocketAddr::from((address, 0)).into()).unwrap();
    listener.listen(1).unwrap();
    client.connect(&listener.local_addr().unwrap()).unwrap();
    client.set_linger(Some(Duration::ZERO)).unwrap();
    // No segment followed, so the client still knows the window of the SYN-ACK.
    let syn_ack = word(&info(&client), field::SND_WND);
    let accepted = listener.accept().unwrap().0;
    let window =
        |header: &[u8], ip: usize| u64::from(u16::from_be_bytes([header[ip + WINDOW_AT], header[ip + WINDOW_AT + 1]]));
    let syn = match address {
        IpAddr::V4(_) => window(&getsockopt(&accepted, SavedSyn4).unwrap(), 20),
        IpAddr::V6(_) => window(&getsockopt(&accepted, SavedSyn6).unwrap(), 40),
    };
    Handshake { syn, syn_ack, scale: info(&accepted)[field::SCALES] & 0x0f }
}

/// Sets the limit of unsent data.
pub(crate) fn set_notsent_lowat(socket: &Socket, bytes: u32) {
    setsockopt(socket, NotsentLowat, &bytes).unwrap();
}

/// Whether `poll` reports `socket` as writable.
pub(crate) fn is_writable(socket: &Socket) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLOUT)], PollTimeout::ZERO).unwrap() > 0
}

/// Memory of a socket buffer besides its payload, measured with one byte queued at the receiver.
pub(crate) fn skb_overhead() -> u64 {
    let mut pair = Pair::new(USUAL, None);
    pair.sender.write_all(&[0]).unwrap();
    for _ in 0..1000 {
        let memory = getsockopt(&pair.receiver, MemInfo).unwrap()[0];
        if memory > 0 {
            return u64::from(memory) - 1;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the byte did not arrive");
}

fn tcp(address: IpAddr) -> Socket {
    let socket = Socket::new(Domain::for_address(SocketAddr::from((address, 0))), Type::STREAM, None).unwrap();
    timeouts(&socket);
    // Reno is always allowed, and does not pace.
    socket.set_tcp_congestion(b"reno").unwrap();
    socket
}

/// A wrong prediction must not block the test forever.
fn timeouts(socket: &Socket) {
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    socket.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
}

fn info(socket: &Socket) -> [u8; INFO_SIZE] {
    getsockopt(socket, TcpInfo).unwrap()
}

fn word(info: &[u8], at: usize) -> u64 {
    u64::from(u32::from_ne_bytes(info[at..at + 4].try_into().unwrap()))
}
