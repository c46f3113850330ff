//! Traffic to measure a path.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use socket2::{Domain, Protocol, SockFilter, Socket, Type};
use tcpwhy_lab::Ends;
use tcpwhy_scenario::{End, Scenario};

const PORT: u16 = 5001;

/// Payload of a full segment with timestamps, and its size on the wire, bytes.
const PAYLOAD: f64 = 1448.0;
const ON_WIRE: f64 = 1538.0;

/// Result of a stream.
pub(crate) struct Stream {
    /// Rate of the payload that arrived after the first third of the time, bits per second.
    pub(crate) payload_bps: f64,
}

impl Stream {
    /// Rate with all headers and Ethernet's overhead, bits per second.
    pub(crate) fn on_wire_bps(&self) -> f64 {
        self.payload_bps * ON_WIRE / PAYLOAD
    }
}

/// A scenario without any limit; the benchmark does the work itself.
pub(crate) fn scenario() -> Scenario {
    let text = r#"
expect = { verdict = ["none"] }
[work.stream]
phases = [{ bytes = "1MB" }]
"#;
    Scenario::from_toml("bench", text).unwrap()
}

/// Machine, kernel and processors, as text.
pub(crate) fn machine() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1)).unwrap_or("?");
    let count = thread::available_parallelism().map_or(0, usize::from);
    let is_guest = cpu.contains(" hypervisor ");
    format!("Linux {}, {count} × {model}{}", kernel.trim(), if is_guest { ", virtual machine" } else { "" })
}

/// Round-trip times as `ping` measures them, microseconds, sorted. The other kernel answers, and this one
/// timestamps the answer.
pub(crate) fn ping(ends: &Ends, count: usize) -> Vec<f64> {
    let done = ends.namespace(End::Sender).run(|| {
        fs::write("/proc/sys/net/ipv4/ping_group_range", "0 0").unwrap();
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::ICMPV4)).unwrap();
        socket.connect(&SocketAddr::new(ends.address(End::Receiver), 0).into()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        setsockopt(&socket, sockopt::ReceiveTimestampns, &true).unwrap();
        once(&socket);
        let mut all: Vec<f64> = (0..count).map(|_| once(&socket)).collect();
        all.sort_by(f64::total_cmp);
        all
    });
    done.unwrap()
}

fn once(socket: &Socket) -> f64 {
    thread::sleep(Duration::from_millis(2));
    let mut echo = [0_u8; 64];
    // ICMP echo request; the kernel fills in identifier and checksum.
    echo[0] = 8;
    let begun = SystemTime::now();
    socket.send(&echo).unwrap();
    let mut space = nix::cmsg_space!(nix::sys::time::TimeSpec);
    let mut buffer = [0; 128];
    let mut slices = [std::io::IoSliceMut::new(&mut buffer)];
    let message = recvmsg::<()>(socket.as_raw_fd(), &mut slices, Some(&mut space), MsgFlags::empty()).unwrap();
    let came = message.cmsgs().unwrap().find_map(|control| match control {
        ControlMessageOwned::ScmTimestampns(time) => Some(Duration::from(time)),
        _ => None,
    });
    let begun = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    came.unwrap().checked_sub(begun).unwrap().as_secs_f64() * 1e6
}

/// Sends one stream from the sender to the receiver.
pub(crate) fn stream(ends: &Ends, seconds: f64) -> Stream {
    let server = SocketAddr::new(ends.address(End::Receiver), PORT);
    let total = Duration::from_secs_f64(seconds);
    thread::scope(|scope| {
        let (ready, is_ready) = std::sync::mpsc::channel();
        let receiver = scope.spawn(move || {
            ends.namespace(End::Receiver).enter().unwrap();
            let listener = TcpListener::bind(server).unwrap();
            ready.send(()).unwrap();
            let (mut socket, _) = listener.accept().unwrap();
            let mut buffer = vec![0; 1 << 20];
            let begun = Instant::now();
            // Bytes, and the start and end of their measurement.
            let mut counted: Option<(usize, Instant, Instant)> = None;
            while let Ok(len) = socket.read(&mut buffer) {
                let now = Instant::now();
                if len == 0 || now - begun > total {
                    break;
                }
                if now - begun > total / 3 {
                    counted = Some(match counted {
                        None => (0, now, now),
                        Some((bytes, since, _)) => (bytes + len, since, now),
                    });
                }
            }
            // Drop all later packets, or the sender's final round trips would take seconds.
            Socket::from(socket).attach_filter(&[SockFilter::new(0x06, 0, 0, 0)]).unwrap();
            let (bytes, since, until) = counted.unwrap();
            Stream { payload_bps: bytes as f64 * 8.0 / (until - since).as_secs_f64() }
        });
        let sender = scope.spawn(move || {
            ends.namespace(End::Sender).enter().unwrap();
            is_ready.recv().unwrap();
            let mut socket = TcpStream::connect(server).unwrap();
            socket.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
            let congestion_control = Socket::from(socket.try_clone().unwrap()).tcp_congestion().unwrap();
            assert!(congestion_control.starts_with(b"cubic"), "the socket did not get cubic");
            let data = vec![0; 1 << 18];
            while socket.write_all(&data).is_ok() {}
            Socket::from(socket).set_linger(Some(Duration::ZERO)).unwrap();
        });
        let done = receiver.join().unwrap();
        sender.join().unwrap();
        done
    })
}
