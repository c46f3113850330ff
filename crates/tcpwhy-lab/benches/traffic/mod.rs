//! Traffic to measure a path with.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use tcpwhy_lab::scenario::End;
use tcpwhy_lab::{Ends, Scenario};

const PORT: u16 = 5001;

/// Payload of a full segment with timestamps, and what it takes on the wire.
const PAYLOAD: f64 = 1448.0;
const ON_WIRE: f64 = 1538.0;

/// What a stream came to.
pub struct Stream {
    /// Payload that arrived after the first third of the time.
    pub payload_bps: f64,
}

impl Stream {
    pub fn on_wire_bps(&self) -> f64 {
        self.payload_bps * ON_WIRE / PAYLOAD
    }
}

pub fn scenario() -> Scenario {
    let text = r#"
story = { en = { title = "", text = "" }, zh-CN = { title = "", text = "" }, source = "" }
expect = { verdict = ["none"] }
[work.stream]
phases = [{ bytes = "1MB" }]
"#;
    Scenario::from_toml("bench", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Machine, kernel, processors.
pub fn machine() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1)).unwrap_or("?").to_owned();
    let count = thread::available_parallelism().map_or(0, usize::from);
    format!("Linux {}, {count} × {model}", kernel.trim())
}

/// Errors of the round trip, microseconds.
pub fn ping(ends: &Ends, rtt_ms: u64) -> Vec<i64> {
    let nominal = rtt_ms as i64 * 1000;
    let count = 1000 / (rtt_ms + 4).min(20);
    let server = SocketAddr::new(ends.address(End::Receiver), PORT);
    thread::scope(|scope| {
        let (ready, is_ready) = std::sync::mpsc::channel();
        scope.spawn(move || {
            ends.namespace(End::Receiver).enter().unwrap();
            let socket = UdpSocket::bind(server).unwrap();
            socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
            ready.send(()).unwrap();
            let mut buffer = [0; 64];
            for _ in 0..=count {
                let (len, from) = socket.recv_from(&mut buffer).unwrap();
                socket.send_to(&buffer[..len], from).unwrap();
            }
        });
        let client = scope.spawn(move || {
            ends.namespace(End::Sender).enter().unwrap();
            is_ready.recv().unwrap();
            let socket = UdpSocket::bind((ends.address(End::Sender), 0)).unwrap();
            socket.connect(server).unwrap();
            socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
            let mut once = || {
                let begun = Instant::now();
                socket.send(&[0; 56]).unwrap();
                socket.recv(&mut [0; 64]).unwrap();
                let took = begun.elapsed().as_micros() as i64;
                thread::sleep(Duration::from_millis(3));
                took - nominal
            };
            once();
            (0..count).map(|_| once()).collect()
        });
        client.join().unwrap()
    })
}

/// One stream from the sender to the receiver.
pub fn stream(ends: &Ends, seconds: f64) -> Stream {
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
            let mut counted = (0, None, begun);
            while let Ok(len) = socket.read(&mut buffer) {
                let now = Instant::now();
                if len == 0 || now - begun > total {
                    break;
                }
                if now - begun > total / 3 {
                    counted = match counted.1 {
                        None => (0, Some(now), now),
                        since => (counted.0 + len, since, now),
                    };
                }
            }
            let seconds = counted.1.map_or(1.0, |since| (counted.2 - since).as_secs_f64());
            Stream { payload_bps: counted.0 as f64 * 8.0 / seconds }
        });
        scope.spawn(move || {
            ends.namespace(End::Sender).enter().unwrap();
            is_ready.recv().unwrap();
            let mut socket = TcpStream::connect(server).unwrap();
            socket.set_write_timeout(Some(Duration::from_secs(3))).unwrap();
            let data = vec![0; 1 << 18];
            while socket.write_all(&data).is_ok() {}
        });
        receiver.join().unwrap()
    })
}
