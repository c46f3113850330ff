//! Generates a deterministic recording of one minute in the format of `tcpwhy record`.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tcpwhy_capture::PcapngWriter;
use tcpwhy_live::recording::{ListWriter, RecordedEffort, RecordedHost, RecordedSample};
use tcpwhy_model::Timestamp;
use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::{Process, SocketKey};

/// `LINKTYPE_LINUX_SLL2`, the type of captures on all interfaces.
const LINK_TYPE: u16 = 276;
/// 2023-11-14 22:13:20 UTC.
const START: i64 = 1_700_000_000_000_000_000;
const NAMESPACE: u64 = 4_026_531_840;
const TENTHS: u64 = 600;
const MSS: u64 = 1448;

/// Behaviour of a socket in the recording.
#[derive(Clone, Copy)]
enum Doing {
    /// Its send buffer is always full.
    SendBuffer,
    /// Its peer's receive window is full, except for some seconds.
    Window,
    /// It saturates the path and has a queue.
    Queue,
    /// It is idle.
    Rest,
    /// Its program does not read the received data.
    SlowReader,
}

struct Socket {
    doing: Doing,
    process: (&'static str, u32, &'static str),
    local: (IpAddr, u16),
    peer: (IpAddr, u16),
    /// Bytes per 0.1 s; then round trip and minimum round trip, in µs.
    pace: u64,
    rtt: [u64; 2],
    is_set: bool,
}

pub(crate) struct Recorded;

impl Recorded {
    /// Writes the recording to `out`.
    pub(crate) fn write(out: impl Write) {
        let mut writer = PcapngWriter::new(out, LINK_TYPE, 128).unwrap();
        let mut list = ListWriter::default();
        list.host(&RecordedHost {
            began: Timestamp::from_nanos(START),
            name: "db-7".to_owned(),
            kernel_release: "6.18.0".to_owned(),
            settings: String::new(),
        });
        let sockets = sockets();
        for tenth in 0..=TENTHS {
            let time = Timestamp::from_nanos(START + tenth as i64 * 100_000_000);
            for (index, socket) in sockets.iter().enumerate() {
                let key = SocketKey { namespace: NAMESPACE, cookie: index as u64 + 1 };
                let message = socket.message(key.cookie, tenth);
                list.sample(RecordedSample { time, namespace: NAMESPACE, message: &message });
                if tenth == 0 {
                    let (name, pid, cgroup) = socket.process;
                    list.process(key, &Process { pid, name: name.to_owned(), cgroup: Some(cgroup.to_owned()) });
                    list.locks(key, BufferLocks { send: socket.is_set, receive: false });
                }
            }
            if tenth % 10 == 0 {
                list.effort(&RecordedEffort {
                    time: tenth.max(1) * 100_000_000,
                    cpu: tenth * 400_000,
                    budget: 0.01,
                    samples: (tenth + 1) * sockets.len() as u64,
                    dumps: tenth / 10 + 1,
                    namespaces: 1,
                    packets: 0,
                    drops: 0,
                    blind: vec!["no-accounts".to_owned()],
                });
                writer.kernel_list(&list.take()).unwrap();
            }
        }
        writer.flush().unwrap();
    }
}

fn sockets() -> Vec<Socket> {
    let v4 = |a, b, c, d| IpAddr::V4(Ipv4Addr::new(a, b, c, d));
    let v6 = |last| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last));
    let own = v4(10, 0, 186, 140);
    let socket =
        |doing, process, local, peer, pace, rtt| Socket { doing, process, local, peer, pace, rtt, is_set: false };
    vec![
        Socket {
            is_set: true,
            ..socket(
                Doing::SendBuffer,
                ("mysqld", 812, "/db"),
                (own, 3306),
                (v4(10, 0, 7, 70), 26_494),
                87_500,
                [20_100, 20_000],
            )
        },
        socket(Doing::Window, ("备份", 4410, "/jobs"), (own, 51_234), (v4(10, 0, 9, 3), 443), 512_000, [9_100, 9_000]),
        socket(Doing::Queue, ("nginx", 77, "/web"), (v6(1), 443), (v6(2), 55_120), 1_200_000, [48_000, 20_000]),
        socket(Doing::Rest, ("redis", 9, "/db"), (own, 6379), (v4(10, 0, 1, 4), 40_112), 0, [300, 280]),
        socket(
            Doing::SlowReader,
            ("import", 555, "/jobs"),
            (own, 44_000),
            (v4(10, 0, 1, 5), 873),
            60_000,
            [1_200, 1_000],
        ),
    ]
}

impl Socket {
    /// Its `sock_diag` message: `inet_diag_msg` (`include/uapi/linux/inet_diag.h`) with attributes.
    fn message(&self, cookie: u64, tenth: u64) -> Vec<u8> {
        const ESTABLISHED: u8 = 1;
        const INFO: u16 = 2;
        const CONGESTION: u16 = 4;
        const MEMORY: u16 = 7;
        let is_v6 = self.local.0.is_ipv6();
        let mut message = vec![if is_v6 { 10 } else { 2 }, ESTABLISHED, 0, 0];
        message.extend(self.local.1.to_be_bytes());
        message.extend(self.peer.1.to_be_bytes());
        for (address, _) in [self.local, self.peer] {
            let mut bytes = match address {
                IpAddr::V4(address) => address.octets().to_vec(),
                IpAddr::V6(address) => address.octets().to_vec(),
            };
            bytes.resize(16, 0);
            message.extend(bytes);
        }
        message.extend(0_u32.to_ne_bytes());
        message.extend(cookie.to_ne_bytes());
        let state = self.state(tenth);
        let inode = 1000 + cookie as u32;
        for number in [0, state.unread, state.queued, 1000, inode] {
            message.extend(number.to_ne_bytes());
        }
        let memory = [state.unread, 131_072, 0, state.buffer, 0, state.memory, 0, 0, 0];
        let memory: Vec<u8> = memory.into_iter().flat_map(u32::to_ne_bytes).collect();
        for (kind, value) in [(INFO, state.info(self, tenth)), (CONGESTION, b"cubic\0".to_vec()), (MEMORY, memory)] {
            message.extend((value.len() as u16 + 4).to_ne_bytes());
            message.extend(kind.to_ne_bytes());
            message.extend(&value);
            message.resize(message.len().next_multiple_of(4), 0);
        }
        message
    }

    fn state(&self, tenth: u64) -> State {
        let rest = State { queued: 0, unread: 0, buffer: 87_040, memory: 0, unsent: 0, cwnd: 280, window: 3_100_000 };
        match self.doing {
            Doing::SendBuffer => State { queued: 16_384, buffer: 32_768, memory: 32_768, ..rest },
            // In every third period of 5 s the application is idle.
            Doing::Window if tenth / 50 % 3 == 2 => rest,
            Doing::Window => State { queued: 200_000, memory: 210_000, unsent: 134_464, window: 65_536, ..rest },
            Doing::Queue => State { queued: 900_000, memory: 990_000, unsent: 494_560, ..rest },
            Doing::Rest => rest,
            Doing::SlowReader => State { unread: 60_000, ..rest },
        }
    }
}

/// Values that differ between sockets.
#[derive(Clone, Copy)]
struct State {
    queued: u32,
    unread: u32,
    buffer: u32,
    memory: u32,
    unsent: u32,
    cwnd: u32,
    window: u32,
}

impl State {
    /// `tcp_info` (`include/uapi/linux/tcp.h`, Linux 6.18), by offset.
    fn info(self, socket: &Socket, tenth: u64) -> Vec<u8> {
        let mut info = vec![0_u8; 248];
        let flight = u64::from(self.queued - self.unsent);
        let cwnd = if matches!(socket.doing, Doing::Queue) { flight / MSS } else { self.cwnd.into() };
        let moved = socket.pace * tenth;
        let [sent, received] = if matches!(socket.doing, Doing::SlowReader) { [0, moved] } else { [moved, 0] };
        let micros = tenth * 100_000;
        let busy = if matches!(socket.doing, Doing::Rest | Doing::SlowReader) { 0 } else { micros };
        let held = if matches!(socket.doing, Doing::Window) { micros / 2 } else { 0 };
        let half_words = [
            (16, MSS),
            (20, MSS),
            (24, flight.div_ceil(MSS)),
            // Milliseconds since the last write.
            (44, if self.queued + self.unread == 0 { 5_000 } else { 0 }),
            (68, socket.rtt[0]),
            (76, 100),
            (80, cwnd),
            (144, self.unsent.into()),
            (148, socket.rtt[1]),
            (228, self.window.into()),
        ];
        for (at, value) in half_words {
            info[at..at + 4].copy_from_slice(&(value as u32).to_ne_bytes());
        }
        let words =
            [(120, sent), (128, received), (160, socket.pace * 10), (168, busy), (176, held), (200, sent + flight)];
        for (at, value) in words {
            info[at..at + 8].copy_from_slice(&value.to_ne_bytes());
        }
        info[0] = 1;
        // Options timestamps, SACK and window scaling; both scales are 7, one per nibble.
        info[5] = 7;
        info[6] = 0x77;
        info
    }
}
