//! Real sockets in a network namespace of their own, over its loopback device.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::libc;
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::{getsockopt, setsockopt, sockopt};
use socket2::{Domain, SockFilter, Socket, Type};
use tcpwhy_kernel::{BufferKind, BufferRequest, KernelVersion, Sysctls, When};

use nix::{getsockopt_impl, sockopt_impl};

/// As much of `tcp_info` as every kernel since 5.4 has: what a kernel lacks must not be asked for.
const INFO_SIZE: usize = 232;

sockopt_impl!(TcpInfo, GetOnly, libc::IPPROTO_TCP, libc::TCP_INFO, [u8; INFO_SIZE]);
sockopt_impl!(MemInfo, GetOnly, libc::SOL_SOCKET, libc::SO_MEMINFO, [u32; 9]);

/// Where `tcp_info` has what is read here (bytes; stable since the fields were added).
mod field {
    pub(super) const SCALES: usize = 6;
    pub(super) const NOTSENT: usize = 144;
    pub(super) const SND_WND: usize = 228;
}

/// Addresses behind a route with an initial congestion window that never limits.
pub(crate) const WIDE: Ipv4Addr = Ipv4Addr::new(127, 9, 0, 1);
/// The usual one.
pub(crate) const USUAL: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// `rmem_max` and `wmem_max` are the machine's: one test at a time.
static MACHINE: Mutex<()> = Mutex::new(());

pub(crate) fn machine() -> MutexGuard<'static, ()> {
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why nothing can be tried here; `None` when it can.
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

/// Settings as this thread's namespace has them.
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

/// Runs `f` on a thread with a network namespace of its own, whose loopback has this MTU. The namespace goes with the thread.
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

/// A sysctl of the machine that gets its value back however the test ends: a shell waits for the end of its input, which comes
/// with the test's, and writes it.
pub(crate) struct Restored {
    path: &'static str,
    before: String,
    guardian: Child,
}

impl Restored {
    /// `None` where it cannot be changed.
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
        // The guardian is for when this is not reached; it may have been killed itself.
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
    // The option takes an int: -1 goes as the usize that is cut to it.
    let value = request.bytes as usize;
    match (kind, request.is_forced) {
        (BufferKind::Send, false) => setsockopt(socket, sockopt::SndBuf, &value),
        (BufferKind::Send, true) => setsockopt(socket, sockopt::SndBufForce, &value),
        (BufferKind::Receive, false) => setsockopt(socket, sockopt::RcvBuf, &value),
        (BufferKind::Receive, true) => setsockopt(socket, sockopt::RcvBufForce, &value),
    }
    .unwrap();
}

/// What `getsockopt` says of it.
pub(crate) fn reported(socket: &Socket, kind: BufferKind) -> u64 {
    let bytes = match kind {
        BufferKind::Send => getsockopt(socket, sockopt::SndBuf),
        BufferKind::Receive => getsockopt(socket, sockopt::RcvBuf),
    };
    bytes.unwrap() as u64
}

/// An established connection. The buffer in question is the client's receive buffer when it is set before `connect()`, else the
/// accepted socket's.
pub(crate) struct Pair {
    pub(crate) sender: Socket,
    pub(crate) receiver: Socket,
}

impl Pair {
    /// Between two sockets, whose receiver sets `SO_RCVBUF` as asked.
    pub(crate) fn new(address: Ipv4Addr, rcvbuf: Option<BufferRequest>) -> Self {
        let listener = tcp();
        let set = |socket: &Socket, wanted: When| {
            if let Some(request) = rcvbuf.filter(|request| request.when == wanted) {
                ask(socket, BufferKind::Receive, request);
            }
        };
        set(&listener, When::OnListener);
        listener.bind(&SocketAddr::from((address, 0)).into()).unwrap();
        listener.listen(1).unwrap();
        let client = tcp();
        set(&client, When::BeforeConnect);
        client.connect(&listener.local_addr().unwrap()).unwrap();
        let accepted = listener.accept().unwrap().0;
        timeouts(&accepted);
        let is_client = rcvbuf.is_some_and(|request| request.when == When::BeforeConnect);
        let (sender, receiver) = if is_client { (accepted, client) } else { (client, accepted) };
        set(&receiver, When::AfterConnect);
        sender.set_tcp_nodelay(true).unwrap();
        // An end that is dropped resets the connection: nothing lingers.
        sender.set_linger(Some(Duration::ZERO)).unwrap();
        Self { sender, receiver }
    }

    /// Sends `bytes` and has them read.
    pub(crate) fn pass(&mut self, bytes: usize) {
        let mut data = vec![0; bytes];
        self.sender.write_all(&data).unwrap();
        self.receiver.read_exact(&mut data).unwrap();
    }

    /// The window that the receiver last offered, as the sender knows it.
    pub(crate) fn offered(&self) -> u64 {
        word(&info(&self.sender), field::SND_WND)
    }

    /// The window scale that the receiver announced.
    pub(crate) fn scale(&self) -> u8 {
        info(&self.sender)[field::SCALES] & 0x0f
    }

    /// The window that is offered in the long run while the receiver reads each segment before the next is sent. Larger
    /// portions open it first; while they wait to be read they take memory, and the window is smaller.
    pub(crate) fn largest_window(&mut self, mss: u64) -> u64 {
        // The first flight has up to ten segments.
        self.pass((10 * mss).min(self.offered().max(1)) as usize);
        let mut seen = 0;
        let mut since = 0;
        while since < 12 {
            let now = self.offered();
            // Up to a third, so that a write never waits for the reader.
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

    /// Bytes that the sender takes, and has sent, while no ACK reaches it. `may_write` says whether another write is begun.
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

/// Whether `poll` says that `socket` can be written.
pub(crate) fn is_writable(socket: &Socket) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLOUT)], PollTimeout::ZERO).unwrap() > 0
}

/// Memory that a socket buffer takes besides its payload: one byte, queued at the receiver.
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

fn tcp() -> Socket {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    timeouts(&socket);
    // Reno is always allowed, and does not pace.
    socket.set_tcp_congestion(b"reno").unwrap();
    socket
}

/// A prediction that is wrong must not make the test wait for ever.
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
