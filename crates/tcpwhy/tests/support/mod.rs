//! Generates captures for the tests, and runs the program under test.

use std::env;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tcpwhy_capture::PcapngWriter;
use tcpwhy_model::Timestamp;

/// `LINKTYPE_RAW`: packets begin with the IP header.
const RAW_IP: u16 = 101;
const MSS: u32 = 1448;
const SYN: u8 = 0x02;
const RST: u8 = 0x04;
const ACK: u8 = 0x10;
const FIN: u8 = 0x01;
/// 2023-11-14 22:13:20 UTC.
const START: i64 = 1_700_000_000_000_000_000;

/// The program built with the tests, or the one that `TCPWHY_PROGRAM` names, for another target or an
/// installed one.
pub(crate) fn program() -> PathBuf {
    env::var_os("TCPWHY_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_tcpwhy").into(), PathBuf::from)
}

/// The program in a fixed environment: English, UTF-8, no terminal.
pub(crate) fn tcpwhy() -> Command {
    let mut command = Command::new(program());
    for name in ["LC_ALL", "LC_MESSAGES", "LC_CTYPE", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("LANG", "en_US.UTF-8").env("TZ", "UTC");
    command
}

/// A file for the test `name`, in the folder of these tests.
pub(crate) fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    folder.join(name)
}

/// The JSON data in a page.
#[allow(dead_code, reason = "not every test looks at pages")]
pub(crate) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"tcpwhy-data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
}

/// Writes `trace` to a file of this name.
pub(crate) fn capture(name: &str, trace: &Trace) -> PathBuf {
    let path = file(name);
    std::fs::write(&path, trace.pcapng()).expect("a test capture");
    path
}

/// Packets with their times in nanoseconds.
#[derive(Default)]
pub(crate) struct Trace {
    packets: Vec<(i64, Vec<u8>)>,
}

/// One endpoint, its next sequence number, and its advertised window.
#[derive(Clone, Copy)]
struct End {
    address: Ipv4Addr,
    port: u16,
    seq: u32,
    window: u16,
}

impl Trace {
    /// The packets as pcapng, sorted by time.
    pub(crate) fn pcapng(&self) -> Vec<u8> {
        let mut packets: Vec<_> = self.packets.iter().collect();
        packets.sort_by_key(|p| p.0);
        let mut writer = PcapngWriter::new(Vec::new(), RAW_IP, 0).expect("writing to memory");
        for (time, bytes) in packets {
            let original = u32::from(u16::from_be_bytes([bytes[2], bytes[3]]));
            writer.packet(Timestamp::from_nanos(START + time), bytes, original).expect("writing to memory");
        }
        writer.into_inner()
    }

    /// A download of `rounds` windows of two segments each from `server` to `client`, at an RTT of 40 ms. The
    /// receive window limits it. Captured at the sender.
    pub(crate) fn window_limited(
        mut self,
        client: (&str, u16),
        server: (&str, u16),
        start_ms: i64,
        rounds: u32,
    ) -> Self {
        let ms = 1_000_000;
        let rtt = 40 * ms;
        let mut t = start_ms * ms;
        let isn = 1000 + u32::from(client.1);
        let mut client = End::new(client, isn, 2 * MSS as u16);
        let mut server = End::new(server, 5000, 65_535);
        self.push(t, &client, &server, SYN, 0);
        client.seq += 1;
        self.push(t + 10_000, &server, &client, SYN | ACK, 0);
        server.seq += 1;
        t += rtt;
        self.push(t, &client, &server, ACK, 0);
        for _ in 0..rounds {
            t += 50_000;
            for _ in 0..2 {
                self.push(t, &server, &client, ACK, MSS);
                server.seq += MSS;
                t += 10_000;
            }
            t += rtt - 10_000;
            self.push(t, &client, &server, ACK, 0);
        }
        self.push(t + 50_000, &server, &client, FIN | ACK, 0);
        server.seq += 1;
        self.push(t + rtt, &client, &server, FIN | ACK, 0);
        client.seq += 1;
        self.push(t + rtt + 50_000, &server, &client, ACK, 0);
        self
    }

    /// A request with captured payload, and its answer, over an RTT of 40 ms; then both endpoints close.
    #[allow(dead_code, reason = "not every test reads payload")]
    pub(crate) fn request(mut self, client: (&str, u16), server: (&str, u16), start_ms: i64, request: &[u8]) -> Self {
        let rtt = 40_000_000;
        let mut t = start_ms * 1_000_000;
        let mut client = End::new(client, 1000, 65_535);
        let mut server = End::new(server, 5000, 65_535);
        self.push(t, &client, &server, SYN, 0);
        client.seq += 1;
        self.push(t + rtt, &server, &client, SYN | ACK, 0);
        server.seq += 1;
        t += rtt;
        self.push(t, &client, &server, ACK, 0);
        self.push(t + 50_000, &client, &server, ACK, request.len() as u32);
        if let Some((_, packet)) = self.packets.last_mut() {
            packet.extend(request);
        }
        client.seq += request.len() as u32;
        t += rtt + 60_000;
        self.push(t, &server, &client, ACK, 500);
        server.seq += 500;
        self.push(t + 10_000, &client, &server, FIN | ACK, 0);
        client.seq += 1;
        self.push(t + rtt, &server, &client, FIN | ACK, 0);
        server.seq += 1;
        self.push(t + rtt + 10_000, &client, &server, ACK, 0);
        self
    }

    /// The same packets at another point of the path. Packets of host `from` pass `nanos` later, all others
    /// `nanos` earlier, and the clock is ahead by `ahead`.
    #[allow(dead_code, reason = "not every test has two places")]
    pub(crate) fn elsewhere(&self, from: &str, nanos: i64, ahead: i64) -> Self {
        let from: Ipv4Addr = from.parse().expect("an IPv4 address");
        let moved = |(time, bytes): &(i64, Vec<u8>)| {
            let later = if bytes[12..16] == from.octets() { nanos } else { -nanos };
            (time + later + ahead, bytes.clone())
        };
        Self { packets: self.packets.iter().map(moved).collect() }
    }

    /// Removes packet `index`, counted in the order of creation.
    #[allow(dead_code, reason = "not every test loses packets")]
    pub(crate) fn without(mut self, index: usize) -> Self {
        self.packets.remove(index);
        self
    }

    /// A SYN that is retransmitted and never answered.
    pub(crate) fn unanswered(mut self, client: (&str, u16), server: (&str, u16), start_ms: i64) -> Self {
        let client = End::new(client, 1, 64_000);
        let server = End::new(server, 0, 0);
        for seconds in [0, 1, 3] {
            self.push(start_ms * 1_000_000 + seconds * 1_000_000_000, &client, &server, SYN, 0);
        }
        self
    }

    /// A SYN that is answered with a RST.
    pub(crate) fn refused(mut self, client: (&str, u16), server: (&str, u16), start_ms: i64) -> Self {
        let mut client = End::new(client, 1, 64_000);
        let server = End::new(server, 0, 0);
        self.push(start_ms * 1_000_000, &client, &server, SYN, 0);
        client.seq += 1;
        self.push(start_ms * 1_000_000 + 100_000, &server, &client, RST | ACK, 0);
        self
    }

    fn push(&mut self, time: i64, from: &End, to: &End, flags: u8, payload: u32) {
        let total = 40 + payload as u16;
        let mut p = vec![0x45, 0];
        p.extend(total.to_be_bytes());
        p.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
        p.extend(from.address.octets());
        p.extend(to.address.octets());
        p.extend(from.port.to_be_bytes());
        p.extend(to.port.to_be_bytes());
        p.extend(from.seq.to_be_bytes());
        let ack = if flags & ACK == 0 { 0 } else { to.seq };
        p.extend(ack.to_be_bytes());
        p.extend([0x50, flags]);
        p.extend(from.window.to_be_bytes());
        p.extend([0, 0, 0, 0]);
        self.packets.push((time, p));
    }
}

impl End {
    fn new((address, port): (&str, u16), seq: u32, window: u16) -> Self {
        Self { address: address.parse().expect("an IPv4 address"), port, seq, window }
    }
}

/// One transfer of about 4 s that the receive window limits.
pub(crate) fn one() -> Trace {
    Trace::default().window_limited(("10.1.2.3", 40_000), ("10.9.8.7", 3306), 0, 100)
}

/// Three transfers of different durations, and failed connections.
pub(crate) fn many() -> Trace {
    let mut trace = Trace::default()
        .window_limited(("10.1.2.3", 40_000), ("10.9.8.7", 3306), 0, 20)
        .window_limited(("10.1.2.4", 40_001), ("10.9.8.7", 3306), 5, 60)
        .window_limited(("10.1.2.5", 40_002), ("192.0.2.80", 80), 10, 5);
    for i in 0..9 {
        trace = trace.unanswered(("10.1.2.3", 41_000 + i), ("203.0.113.94", 80), 100 + i64::from(i));
    }
    trace.refused(("10.1.2.3", 42_000), ("10.9.8.7", 81), 200)
}

/// Hundreds of transfers in more than 4 MB of capture, enough for two workers.
pub(crate) fn large() -> Trace {
    (0..350).fold(Trace::default(), |trace, i: u16| {
        let client = format!("10.1.{}.{}", i / 100, i % 100 + 1);
        trace.window_limited((&client, 40_000 + i), ("10.9.8.7", 3306), i64::from(i % 17) * 37, 60 + u32::from(i % 7))
    })
}
