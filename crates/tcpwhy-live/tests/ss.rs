//! Tests with output of several versions of iproute2, and with arbitrary text.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use tcpwhy_live::{proc_net, ss, tcp_info};
use tcpwhy_model::foreign::is_hidden;
use tcpwhy_model::host::{
    BufferLocks, ProcessRef, SocketAddress, SocketMemory, SocketSample, SocketTimer, TcpInfo, TcpState, TimerKind,
};

fn processes(socket: &SocketSample) -> Vec<(&str, u32, u32)> {
    socket.processes.iter().map(|p| (p.name.as_str(), p.pid, p.fd)).collect()
}

#[test]
fn iproute2_3_0() {
    let sockets = ss::parse_sockets(include_str!("fixtures/ss-3.0.txt"));
    assert_eq!(sockets.len(), 3);
    let [chrome, listener, ssh] = &sockets[..] else { panic!() };
    assert_eq!(processes(chrome), [("chrome", 13_263, 92)]);
    assert_eq!((chrome.user, chrome.inode, chrome.cookie), (Some(1000), Some(872_263), Some(0xffff_8802_092d_3cc0)));
    assert_eq!(
        chrome.timer,
        Some(SocketTimer { kind: TimerKind::KeepAlive, expires: Some(26_000), retransmissions: Some(0) })
    );
    assert_eq!((chrome.memory.forward_allocated, chrome.memory.receive_buffer), (Some(4096), None));
    assert_eq!((chrome.info.rtt, chrome.info.rttvar), (Some(188_000), Some(141_000)));
    assert_eq!((chrome.info.snd_wscale, chrome.info.rcv_wscale), (Some(2), Some(7)));
    assert_eq!((chrome.info.rcv_rtt, chrome.info.rcv_space), (Some(792_000), Some(591_434)));
    assert_eq!(chrome.congestion_control.as_deref(), Some("cubic"));
    assert_eq!((listener.state, listener.send_queue, listener.local.port), (Some(TcpState::Listen), 128, Some(22)));
    assert_eq!(ssh.peer.to_string(), "[::ffff:192.0.2.99]:51022");
    assert_eq!((ssh.info.unacked, ssh.memory.send_queued), (Some(1), Some(1120)));
    assert!(sockets.iter().all(|s| s.other.is_empty()), "{sockets:?}");
}

#[test]
fn iproute2_4_9() {
    let sockets = ss::parse_sockets(include_str!("fixtures/ss-4.9.txt"));
    let [bulk, ssh] = &sockets[..] else { panic!("{sockets:?}") };
    assert_eq!((bulk.memory.receive_buffer, bulk.memory.drops), (Some(8_388_608), Some(1)));
    assert_eq!((bulk.info.bytes_received, bulk.info.min_rtt), (Some(211_495_680), Some(23_340)));
    assert_eq!((bulk.info.pacing_rate, bulk.info.delivery_rate), (Some(775_000), Some(56_550)));
    assert_eq!((bulk.info.busy_time, bulk.info.delivery_rate_app_limited), (Some(24_000), Some(1)));
    assert_eq!(bulk.other, ["fwmark:0xc0078", "<->"]);
    assert_eq!(processes(ssh), [("sshd", 1204, 3), ("sshd", 1190, 3)]);
    assert_eq!(ssh.timer.unwrap().expires, Some(119 * 60_000));
    assert_eq!((ssh.memory.backlog, ssh.memory.drops), (Some(0), None), "older kernels");
    assert_eq!(ssh.congestion_control.as_deref(), Some("dctcp"));
    assert_eq!((ssh.info.ecn, ssh.info.ecn_seen, ssh.info.backoff), (Some(1), Some(1), Some(1)));
    assert_eq!((ssh.info.total_retrans, ssh.info.retrans, ssh.info.lost), (Some(3), Some(0), Some(1)));
    assert_eq!((ssh.info.fackets, ssh.info.reordering, ssh.info.sacked), (Some(3), Some(7), Some(2)));
    assert_eq!(ssh.info.max_pacing_rate, Some(100_000_000));
    assert_eq!(ssh.other, ["<->", "dctcp:(ce_state:0,alpha:12,ab_ecn:0,ab_tot:9)", "qack:2", "bidir"]);
}

#[test]
fn iproute2_6_1_on_one_line() {
    let sockets = ss::parse_sockets(include_str!("fixtures/ss-6.1-one-line.txt"));
    let [listener, npm, persist, nginx, closing] = &sockets[..] else { panic!("{sockets:?}") };
    assert_eq!(listener.local.to_string(), "127.0.0.53%lo:53");
    assert_eq!((listener.peer.address.unwrap().to_string(), listener.peer.port), ("0.0.0.0".into(), None));
    assert_eq!((listener.congestion_control.as_deref(), listener.info.snd_cwnd), (Some("cubic"), Some(10)));
    assert_eq!(processes(npm), [("npm view playwr", 8252, 20)]);
    assert_eq!((npm.info.pmtu, npm.info.snd_wnd, npm.info.rtt), (Some(1400), Some(65_536), Some(529)));
    assert_eq!(npm.info.delivery_rate, Some(52_349_512 / 8));
    assert_eq!(npm.timer.unwrap().expires, Some(836));
    let timer = SocketTimer { kind: TimerKind::Persist, expires: Some(83_000), retransmissions: Some(9) };
    assert_eq!((persist.timer, persist.info.rwnd_limited), (Some(timer), Some(21_000)));
    assert_eq!((persist.info.notsent_bytes, persist.info.total_retrans), (Some(222_024), Some(2)));
    assert_eq!(nginx.local.to_string(), "[2001:db8::1]:443");
    assert_eq!((nginx.info.sndbuf_limited, nginx.info.rcv_ooopack), (Some(8_720_000), Some(5)));
    assert_eq!((nginx.memory.send_buffer, nginx.memory.send_queued), (Some(131_072), Some(2304)));
    assert!(nginx.other.contains(&"tcp-ulp-tls".to_owned()), "{:?}", nginx.other);
    assert_eq!((closing.state, closing.inode), (Some(TcpState::CloseWait), None));
    assert_eq!(closing.local.zone.as_deref(), Some("eth0"));
}

#[test]
fn iproute2_6_12_of_one_state() {
    let sockets = ss::parse_sockets(include_str!("fixtures/ss-6.12-filtered.txt"));
    let [mysqld] = &sockets[..] else { panic!("{sockets:?}") };
    assert_eq!((mysqld.state, mysqld.send_queue), (None, 524_288));
    assert_eq!((mysqld.info.rcv_wnd, mysqld.info.rehash), (Some(64_256), Some(1)));
    assert!(mysqld.other.is_empty(), "{:?}", mysqld.other);
}

#[test]
fn other_protocols_are_left_out() {
    let text = "Netid State Recv-Q Send-Q Local Address:Port Peer Address:Port\n\
        udp UNCONN 0 0 192.0.2.1:53 0.0.0.0:*\n\t skmem:(r0,rb212992,t0,tb212992,f0,w0,o0,bl0,d0)\n\
        u_str ESTAB 0 0 /run/a.sock 1234 * 5678\n\
        tcp LISTEN 0 128 0.0.0.0:22 0.0.0.0:*\n\t skmem:(r0,rb131072,t0,tb16384,f0,w0,o0,bl0,d0) cubic cwnd:10\n";
    let sockets = ss::parse_sockets(text);
    assert_eq!(sockets.len(), 1);
    assert_eq!(sockets[0].memory.receive_buffer, Some(131_072));
}

/// Mail programs and terminals may break lines anywhere.
#[test]
fn broken_lines_are_joined() {
    let text = "ESTAB 0 0 192.0.2.1:1 192.0.2.2:2\n\t skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0,d0) ts sack\n cubic wscale:7,6 rto:236\nrtt:34.249/16.545 ato:40\n";
    let sockets = ss::parse_sockets(text);
    assert_eq!((sockets.len(), sockets[0].info.rtt), (1, Some(34_249)));
}

#[test]
fn what_is_written_is_read_again() {
    for text in [
        include_str!("fixtures/ss-3.0.txt"),
        include_str!("fixtures/ss-4.9.txt"),
        include_str!("fixtures/ss-6.1-one-line.txt"),
        include_str!("fixtures/ss-6.12-filtered.txt"),
    ] {
        let sockets = ss::parse_sockets(text);
        assert_eq!(ss::parse_sockets(&ss::write_sockets(&sockets)), sockets);
    }
}

/// CPU time of this thread, which does not depend on the load of the machine.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Pieces of `ss` lines in orders that leave everything open. A line of 16 times the length may take 16 times
/// as long. A parser that searched for the end of each parenthesis again took 256 times as long.
#[test]
fn a_line_takes_time_by_its_length() {
    let start = "ESTAB 0 0 192.0.2.1:1 192.0.2.2:2 ";
    for piece in [
        "a:( ",
        "a:(",
        ":( x ",
        "a:(( ",
        "users:((",
        "users:(( ",
        "users:((\"",
        "users:((\"a\",pid=1, ",
        "(\"a\",pid=1,fd=2),",
        "users:((\"x users:((\",pid=1,fd=2),",
        "users:((\"a\",1,proc_ctx=x ",
        "\",1,proc_ctx=",
        "\\u{",
        "word ",
        "other:\\ ",
        "skmem:(r1,",
    ] {
        for start in [start.to_owned(), format!("{start}users:(")] {
            let time = |bytes: usize| {
                let line = format!("{start}{}", piece.repeat(bytes / piece.len()));
                let once = || {
                    let begin = processor_time();
                    std::hint::black_box(ss::parse_sockets(&line));
                    processor_time().saturating_sub(begin)
                };
                (0..3).map(|_| once()).min().unwrap()
            };
            let (short, long) = (time(8 << 10), time(128 << 10));
            assert!(long < short.max(Duration::from_micros(200)) * 64, "{piece:?}: {short:?}, {long:?}");
        }
    }
}

#[test]
fn sockets_of_one_text_are_bounded() {
    let line = "0 0 *:1 *:2\n";
    assert_eq!(ss::parse_sockets(&line.repeat(1000)).len(), 1000);
    assert!(ss::MOST_SOCKETS * size_of::<SocketSample>() < 1 << 30);
}

fn option(range: std::ops::Range<u64>) -> impl Strategy<Value = Option<u64>> {
    proptest::option::of(range)
}

/// Possible names of programs, interfaces and kernels: ordinary ones, arbitrary ones, and those that look
/// like `ss` output.
fn name() -> impl Strategy<Value = String> {
    let pieces = [
        "\"",
        ",",
        "(",
        ")",
        "pid=1",
        "fd=2",
        " ",
        "\n",
        "ESTAB 0 0 *:1 *:2",
        "\\",
        "\\x1b",
        "\u{1b}[2J",
        "\u{202e}",
        "%",
        "]",
        "a",
    ];
    let odd = vec(proptest::sample::select(pieces.to_vec()), 0..7).prop_map(|pieces| pieces.concat());
    prop_oneof!["[a-z ()\"]{1,15}", any::<String>(), odd]
}

fn address() -> impl Strategy<Value = SocketAddress> {
    let zone = prop_oneof!["[a-z]{2,4}[0-9]", name()];
    (any::<std::net::IpAddr>(), proptest::option::of(zone), proptest::option::of(any::<u16>()))
        .prop_map(|(address, zone, port)| SocketAddress { address: Some(address), zone, port })
}

fn socket() -> impl Strategy<Value = SocketSample> {
    let columns = (0..11_usize, 0..1_u64 << 40, 0..1_u64 << 40, address(), address());
    let processes = vec((name(), any::<u32>(), any::<u32>()), 0..3);
    let names = (
        proptest::option::of(prop_oneof![Just("cubic".to_owned()), name()]),
        vec(prop_oneof![Just("send".to_owned()), name()], 0..3),
    );
    let ends =
        (option(1..1 << 40), option(0..1 << 60), proptest::option::of(any::<u32>()), proptest::option::of(0..4_u32));
    let numbers = vec(option(0..1 << 32), 48);
    (columns, processes, ends, numbers, names).prop_map(|((state, rq, sq, local, peer), processes, ends, n, names)| {
        let whole_ms = |v: Option<u64>| v.map(|v| v / 1000 * 1000);
        let pair = |v: Option<u64>, other: Option<u64>| v.filter(|_| other.is_some());
        SocketSample {
            state: Some(TcpState::ALL[state]),
            receive_queue: rq,
            send_queue: sq,
            local,
            peer,
            processes: processes.into_iter().map(|(name, pid, fd)| ProcessRef { name, pid, fd }).collect(),
            inode: ends.0,
            cookie: ends.1,
            user: ends.2,
            timer: n[0].map(|ms| SocketTimer { kind: TimerKind::Persist, expires: Some(ms), retransmissions: n[1] }),
            memory: SocketMemory {
                receive_allocated: n[2],
                receive_buffer: n[3],
                transmit_allocated: n[4],
                send_buffer: n[5],
                forward_allocated: n[6],
                send_queued: n[7],
                options: n[8],
                backlog: n[9],
                drops: n[10],
            },
            congestion_control: names.0,
            info: TcpInfo {
                timestamps: n[12].map(|_| 1),
                snd_wscale: pair(n[13], n[14]),
                rcv_wscale: pair(n[14], n[13]),
                rto: n[15],
                rtt: pair(n[16], n[17]),
                rttvar: pair(n[17], n[16]),
                ato: n[18],
                snd_mss: n[19],
                snd_cwnd: n[20],
                snd_ssthresh: n[21],
                bytes_acked: n[22],
                pacing_rate: n[23],
                max_pacing_rate: n[24].filter(|_| n[23].is_some()),
                delivery_rate: n[25],
                busy_time: whole_ms(n[26]),
                rwnd_limited: whole_ms(n[27]),
                sndbuf_limited: whole_ms(n[28]),
                retrans: pair(n[29], n[30]),
                total_retrans: pair(n[30], n[29]),
                min_rtt: n[31],
                rcv_rtt: n[32],
                snd_wnd: n[33],
                rcv_wnd: n[34],
                notsent_bytes: n[35],
                ca_state: n[36],
                total_rto_time: n[37],
                ..TcpInfo::default()
            },
            locks: ends.3.map(BufferLocks::from_bits),
            other: if n[38].is_some() { vec!["<->".into(), "cgroup:/a/b".into()] } else { names.1 },
        }
    })
}

proptest! {
    #[test]
    fn any_socket_survives_being_written(sockets in vec(socket(), 0..4)) {
        let text = ss::write_sockets(&sockets);
        prop_assert_eq!(text.lines().count(), sockets.len());
        prop_assert!(!text.contains(|c| c != '\n' && is_hidden(c)), "{:?}", text);
        prop_assert_eq!(ss::parse_sockets(&text), sockets);
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,400}") {
        let _ = (ss::parse_sockets(&text), ss::looks_like_ss(&text));
        let _ = (proc_net::parse_counters(&text), proc_net::parse_sockstat(&text), proc_net::parse_tcp_protocol(&text));
    }

    /// The output is cut at any byte and changed at any byte.
    #[test]
    fn damaged_output(cut in 0..6000_usize, at in 0..6000_usize, with in any::<char>()) {
        for text in [include_str!("fixtures/ss-4.9.txt"), include_str!("fixtures/ss-6.1-one-line.txt")] {
            let mut text: String = text.chars().take(cut).collect();
            if let Some((at, _)) = text.char_indices().nth(at) {
                text.insert(at, with);
            }
            let sockets = ss::parse_sockets(&text);
            prop_assert!(sockets.len() <= 6);
        }
    }

    #[test]
    fn what_a_shorter_answer_tells_the_longer_tells_too(bytes in vec(any::<u8>(), 0..300), cut in 0..300_usize) {
        let whole: Vec<_> = tcp_info::decode(&bytes).known().collect();
        for field in tcp_info::decode(&bytes[..cut.min(bytes.len())]).known() {
            prop_assert!(whole.contains(&field), "{:?}", field);
        }
    }
}
