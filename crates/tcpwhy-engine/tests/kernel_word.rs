//! Recordings in which the kernel and the packets differ. Their packets are from a modelled transfer; samples
//! of the sender's socket are made as each test needs them.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::io::Cursor;
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_capture::PcapngWriter;
use tcpwhy_engine::Explain;
use tcpwhy_live::recording::{ListWriter, RecordedHost, RecordedSample};
use tcpwhy_model::host::BufferLocks;
use tcpwhy_model::live::SocketKey;
use tcpwhy_model::{Detail, Endpoint, Limit, Segment, Timestamp};
use tcpwhy_report::text::AnswerText;
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_testkit::{HEADERS, Transfer, Writer, pcap};

const NAMESPACE: u64 = 4_026_531_840;
const MILLISECOND: i64 = 1_000_000;
const MSS: u32 = 1448;

/// The state of a socket in the samples.
#[derive(Clone, Copy)]
enum Shows {
    /// The send buffer is full, all of it is in flight, and the program waits.
    FullBuffer,
    /// A little data is in flight, and none waits.
    EmptyQueue,
}

/// A transfer of 4 MB whose program seems to write 40 kB every 50 ms.
fn packets() -> Vec<Segment> {
    Transfer { writer: Writer::Paced { bytes: 40_000, every: 50 * MILLISECOND }, ..Transfer::default() }.run()
}

/// A `sock_diag` message (`include/uapi/linux/inet_diag.h`) about the socket of `own` to `peer`, with its
/// attributes.
fn message([own, peer]: [Endpoint; 2], shows: Shows) -> Vec<u8> {
    const IPV4: u8 = 2;
    const ESTABLISHED: u8 = 1;
    const INFO: u16 = 2;
    const CONGESTION: u16 = 4;
    const MEMORY: u16 = 7;
    let (queued, buffer, memory) = match shows {
        Shows::FullBuffer => (40_000_u32, 65_536_u32, 65_536_u32),
        Shows::EmptyQueue => (1_448, 4_194_304, 2_304),
    };
    let mut message = vec![IPV4, ESTABLISHED, 0, 0];
    message.extend(own.port.to_be_bytes());
    message.extend(peer.port.to_be_bytes());
    for end in [own, peer] {
        let IpAddr::V4(address) = end.address else { panic!("{end}") };
        message.extend(address.octets());
        message.extend([0; 12]);
    }
    message.extend(0_u32.to_ne_bytes());
    message.extend(1_u64.to_ne_bytes());
    for number in [0, 0, queued, 1000, 77] {
        message.extend(number.to_ne_bytes());
    }
    // `tcp_info` (`include/uapi/linux/tcp.h`): segment sizes, segments in flight, round-trip times, windows.
    let mut info = vec![0_u8; 248];
    (info[0], info[5], info[6]) = (1, 7, 0x77);
    for (at, value) in [
        (16, MSS),
        (20, MSS),
        (24, queued.div_ceil(MSS)),
        (68, 20_200),
        (76, 100),
        (80, 280),
        (144, 0),
        (148, 20_130),
        (228, 3_100_000),
    ] {
        info[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    }
    let memory = [0, 131_072, 0, buffer, 0, memory, 0, 0, 0];
    let memory: Vec<u8> = memory.into_iter().flat_map(u32::to_ne_bytes).collect();
    for (kind, value) in [(INFO, info), (CONGESTION, b"cubic\0".to_vec()), (MEMORY, memory)] {
        message.extend((value.len() as u16 + 4).to_ne_bytes());
        message.extend(kind.to_ne_bytes());
        message.extend(&value);
        message.resize(message.len().next_multiple_of(4), 0);
    }
    message
}

/// The recording: `packets`, and ten samples per second in their time from the first `share` on. The
/// recording then continues for a second without packets.
fn recording(packets: &[Segment], shows: Shows, share: f64) -> Vec<u8> {
    const LINKTYPE_IPV4: u16 = 228;
    let data = packets.iter().max_by_key(|segment| segment.payload_len).unwrap();
    let (first, last) = (packets[0].timestamp, packets[packets.len() - 1].timestamp);
    let key = SocketKey { namespace: NAMESPACE, cookie: 1 };
    let mut list = ListWriter::default();
    list.host(&RecordedHost {
        began: first,
        name: "db-7".to_owned(),
        kernel_release: "6.18.0".to_owned(),
        settings: String::new(),
    });
    let until = (last.since(first) as f64 * share) as i64;
    for time in (0..=until).step_by((100 * MILLISECOND) as usize) {
        let message = message([data.source, data.destination], shows);
        let time = Timestamp::from_nanos(first.as_nanos() + time);
        list.sample(RecordedSample { time, namespace: NAMESPACE, message: &message });
    }
    list.locks(key, BufferLocks { send: true, receive: false });
    let mut writer = PcapngWriter::new(Vec::new(), LINKTYPE_IPV4, 128).unwrap();
    writer.kernel_list(&list.take()).unwrap();
    let (header, record) = (24, 16);
    for (segment, bytes) in packets.iter().zip(pcap(packets)[header..].chunks(record + HEADERS)) {
        let length = HEADERS as u32 + segment.payload_len;
        writer.packet(segment.timestamp, &bytes[record..], length).unwrap();
    }
    writer.into_inner()
}

/// The only connection of the recording, and the first lines about it.
fn explained(shows: Shows, share: f64) -> (Connection, AnswerText) {
    let capture = recording(&packets(), shows, share);
    let connection = Explain::reader(Cursor::new(capture), "recording").run().unwrap().connections.remove(0);
    let catalogue = Catalogue::new(Language::English);
    let answer = AnswerText::of_connection(&connection, Wording::new(&catalogue));
    (connection, answer)
}

fn data_of(connection: &Connection) -> &HalfConnection {
    connection.halves.iter().max_by_key(|half| half.bytes).unwrap()
}

/// Packets show pauses, but the socket shows a program that waits for room: the first lines are about the
/// buffer.
#[test]
fn a_full_send_buffer_decides_against_an_idle_program() {
    let (connection, answer) = explained(Shows::FullBuffer, 1.0);
    let both = &connection.kernel.as_ref().unwrap().halves[0];
    assert!(both.packets.nanos_of(Limit::Application) > both.packets.span().nanos() / 2, "{:?}", both.packets.totals());
    let half = data_of(&connection);
    let verdict = &half.verdict;
    assert_eq!((both.word.id(), verdict.cause.map(|cause| cause.limit)), ("decides", Some(Limit::SendBuffer)));
    // The same number is used everywhere.
    assert!((half.limits.nanos_of(Limit::SendBuffer) as f64 / 1e9 - verdict.seconds).abs() < 1e-9);
    assert_eq!((half.findings[0].rule, half.findings[0].seconds), ("send-buffer-plateau", Some(verdict.seconds)));
    assert!(!half.findings.iter().any(|finding| finding.rule.starts_with("application-")), "{:?}", half.findings);
    assert!(answer.why.starts_with("The sender's socket buffer was too small for"), "{}", answer.why);
    assert!(answer.fix.as_deref().unwrap().starts_with("Delete the SO_SNDBUF call"), "{:?}", answer.fix);
    let word = answer.below.iter().find(|line| line.contains("The kernel decides.")).unwrap();
    assert!(word.contains("the kernel gives the send buffer 100%") && word.contains("waits in send()"), "{word}");
}

/// The socket was watched for less than half of the time: the report mentions that, and the packets decide.
#[test]
fn packets_decide_where_the_socket_was_watched_too_little() {
    let (connection, answer) = explained(Shows::FullBuffer, 0.4);
    let both = &connection.kernel.as_ref().unwrap().halves[0];
    let verdict = &data_of(&connection).verdict;
    assert_eq!((both.word.id(), verdict.cause.map(|c| c.limit)), ("watched_too_little", Some(Limit::Application)));
    let word = answer.below.iter().find(|line| line.contains("The packets decide")).unwrap();
    assert!(word.contains("because the kernel watched only"), "{word}");
}

/// Kernel and packets agree: the packets' details stay, and the kernel is not mentioned.
#[test]
fn an_empty_send_queue_confirms_an_idle_program() {
    let (connection, answer) = explained(Shows::EmptyQueue, 1.0);
    let both = &connection.kernel.as_ref().unwrap().halves[0];
    let half = data_of(&connection);
    assert_eq!((both.word.id(), both.disagrees()), ("agrees", false));
    assert!(half.limits.nanos_of_cause(Detail::Idle.into()) > 0, "{:?}", half.limits.totals());
    assert!(!answer.below.iter().any(|line| line.contains("decide")), "{:?}", answer.below);
}
