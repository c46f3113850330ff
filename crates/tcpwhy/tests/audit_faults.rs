//! `tcpwhy audit` on real faults, each in its own network namespace: the findings before, during and after.
//! Skipped with a reason if the test may not create namespaces.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    unsafe_code,
    reason = "a test that fails says so; unshare and ioctl"
)]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::tcpwhy;
use tcpwhy_testkit::{in_namespace, ip, skip};

fn set(name: &str, value: &str) {
    fs::write(format!("/proc/sys/net/{name}"), value).unwrap();
}

/// The document of an audit in this namespace.
fn audit(args: &[&str]) -> Value {
    let output = tcpwhy().arg("audit").arg("--json").args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn rules(document: &Value) -> Vec<&str> {
    document["findings"].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap()).collect()
}

#[track_caller]
fn finding<'a>(document: &'a Value, rule: &str) -> &'a Value {
    let found = document["findings"].as_array().unwrap().iter().find(|f| f["rule"] == rule);
    found.unwrap_or_else(|| panic!("{rule} not in {:?}", rules(document)))
}

fn evidence(finding: &Value, name: &str) -> Value {
    let all = finding["evidence"].as_array().unwrap();
    all.iter().find(|e| e["name"] == name).unwrap_or_else(|| panic!("{name} not in {all:#?}"))["value"].clone()
}

/// The lines of its fixes, concatenated.
fn lines(finding: &Value) -> String {
    finding["fixes"].as_array().unwrap().iter().map(|f| f["lines"].to_string()).collect()
}

fn own_name() -> String {
    fs::read_to_string("/proc/self/comm").unwrap().trim().to_owned()
}

/// Listens with a small backlog.
fn listen(backlog: i32) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    // SAFETY: takes integers; another `listen` changes the backlog.
    assert_eq!(unsafe { libc::listen(listener.as_raw_fd(), backlog) }, 0);
    listener
}

/// Starts a connection without waiting for it.
fn begin(to: SocketAddr) -> socket2::Socket {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.set_nonblocking(true).unwrap();
    let _ = socket.connect(&to.into());
    socket
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_that_does_not_accept() {
    in_namespace(|| {
        set("core/somaxconn", "4096");
        let listener = listen(4);
        assert_eq!(rules(&audit(&[])), Vec::<&str>::new(), "before");
        let address = listener.local_addr().unwrap();
        let clients: Vec<_> = (0..9).map(|_| begin(address)).collect();
        std::thread::sleep(Duration::from_millis(1300));
        let document = audit(&[]);
        let found = finding(&document, "accept-not-called");
        assert_eq!((evidence(found, "process"), &found["severity"]), (own_name().into(), &"critical".into()));
        assert_eq!(evidence(found, "waiting_count"), 5);
        assert!(evidence(found, "not_accepted_ms").as_u64().unwrap() >= 1000);
        // This thread waits for the child process, the other threads for work.
        let threads: Vec<_> = found["evidence"].as_array().unwrap().iter().map(|e| e["name"].to_string()).collect();
        assert!(threads.iter().any(|name| name.contains("threads_")), "{threads:?}");
        assert!(!rules(&document).contains(&"accept-queue-full"));
        assert!(!lines(found).contains("sysctl") && !lines(found).contains("4096"), "{}", lines(found));
        // The program accepts again.
        for _ in 0..5 {
            drop(listener.accept().unwrap());
        }
        drop(clients);
        let after = audit(&["--interval", "1s"]);
        assert!(!rules(&after).contains(&"accept-not-called"), "{:?}", rules(&after));
        assert!(after["findings"].as_array().unwrap().iter().all(|f| f["severity"] == "info"), "{:?}", rules(&after));
    });
}

/// A program that accepts too slowly does not hang, and settings that are in effect are not recommended.
#[test]
fn a_program_that_accepts_too_slowly() {
    in_namespace(|| {
        set("core/somaxconn", "4096");
        let listener = listen(4);
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let listener = &listener;
            scope.spawn(move || {
                while stopped.recv_timeout(Duration::from_millis(100))
                    == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
                {
                    drop(listener.accept());
                }
            });
            // The next one connects as soon as there is room.
            let mut clients: Vec<_> = (0..20).map(|_| begin(address)).collect();
            let mut seen = Vec::new();
            for _ in 0..5 {
                clients.extend((0..10).map(|_| begin(address)));
                std::thread::sleep(Duration::from_millis(50));
                seen.push(audit(&[]));
            }
            drop(stop);
            assert!(seen.iter().all(|d| !rules(d).contains(&"accept-not-called")));
            let document = seen.iter().find(|d| rules(d).contains(&"accept-queue-full")).expect("the queue is full");
            let found = finding(document, "accept-queue-full");
            assert!(lines(found).contains("listen(4096)") && !lines(found).contains("somaxconn="), "{}", lines(found));
            // Without this connection, the other thread would block in `accept`.
            clients.push(begin(address));
        });
    });
}

/// Connections closed at this end stay in TIME-WAIT for a minute and occupy their ports.
#[test]
fn local_ports_in_time_wait() {
    in_namespace(|| {
        set("ipv4/ip_local_port_range", "40000 40099");
        set("ipv4/tcp_tw_reuse", "0");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(rules(&audit(&[])), Vec::<&str>::new(), "before");
        let mut made = 0;
        let error = loop {
            let mut client = match TcpStream::connect(address) {
                Ok(client) => client,
                Err(error) => break error,
            };
            let mut server = listener.accept().unwrap().0;
            client.shutdown(std::net::Shutdown::Write).unwrap();
            let _ = server.read(&mut [0]);
            drop(server);
            let _ = client.read(&mut [0]);
            made += 1;
        };
        assert_eq!(error.raw_os_error(), Some(libc::EADDRNOTAVAIL), "after {made}");
        let document = audit(&[]);
        let found = finding(&document, "local-ports-used-up");
        assert_eq!(found["severity"], "critical");
        assert_eq!(evidence(found, "time_wait_count"), made);
        assert!(lines(found).contains("tcp_tw_reuse=1") || lines(found).contains("tcp_tw_reuse='1'"));
        // With the recommended setting, ports are free after 1 s.
        set("ipv4/tcp_tw_reuse", "1");
        std::thread::sleep(Duration::from_millis(1200));
        let after = audit(&[]);
        assert!(!rules(&after).contains(&"local-ports-used-up"), "{:?}", rules(&after));
        TcpStream::connect(address).expect("as advised");
    });
}

/// SYNs without a further answer, from a TUN device that discards the SYN-ACKs.
#[test]
fn half_open_connections_without_cookies() {
    in_namespace(|| {
        let Some(mut device) = tun() else {
            return skip("no /dev/net/tun");
        };
        set("ipv4/tcp_syncookies", "0");
        set("ipv4/tcp_max_syn_backlog", "64");
        assert!(ip("address add 192.0.2.1/24 dev tun0") && ip("link set tun0 up"));
        let listener = TcpListener::bind("192.0.2.1:8000").unwrap();
        // SAFETY: takes integers; another `listen` changes the backlog.
        assert_eq!(unsafe { libc::listen(listener.as_raw_fd(), 128) }, 0);
        assert_eq!(rules(&audit(&[])), Vec::<&str>::new(), "before");
        for i in 0..500_u16 {
            let from = Ipv4Addr::new(192, 0, 2, 2 + (i % 200) as u8);
            device.write_all(&syn(from, 1024 + i, Ipv4Addr::new(192, 0, 2, 1), 8000)).unwrap();
        }
        let document = audit(&[]);
        let found = finding(&document, "syn-queue-full");
        assert_eq!((&found["severity"], evidence(found, "process")), (&"critical".into(), own_name().into()));
        let dropped = evidence(found, "syn_queue_drop_count").as_u64().unwrap();
        assert!((400..=460).contains(&dropped), "{dropped}");
        assert!(evidence(found, "half_open_count").as_u64().unwrap() >= 40);
        assert!(lines(found).contains("tcp_syncookies='1'") || lines(found).contains("tcp_syncookies=1"));
        // With the recommended setting, the next SYNs are answered.
        set("ipv4/tcp_syncookies", "1");
        for i in 0..500_u16 {
            device.write_all(&syn(Ipv4Addr::new(192, 0, 2, 9), 2000 + i, Ipv4Addr::new(192, 0, 2, 1), 8000)).unwrap();
        }
        let after = audit(&["--interval", "1s"]);
        let still = after["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "syn-queue-full");
        assert!(still.is_none_or(|f| f["severity"] == "info"), "{still:#?}");
    });
}

/// SYNs from addresses without a route back do not blame the queue of half-open connections.
#[test]
fn syns_without_a_route_back() {
    in_namespace(|| {
        let Some(mut device) = tun() else {
            return skip("no /dev/net/tun");
        };
        for name in ["ipv4/conf/all/rp_filter", "ipv4/conf/tun0/rp_filter", "ipv4/tcp_syncookies"] {
            set(name, "0");
        }
        assert!(ip("address add 192.0.2.1/24 dev tun0") && ip("link set tun0 up"));
        let _listener = TcpListener::bind("192.0.2.1:8000").unwrap();
        for i in 0..100_u16 {
            let from = Ipv4Addr::new(198, 51, 100, 1 + i as u8);
            device.write_all(&syn(from, 1024 + i, Ipv4Addr::new(192, 0, 2, 1), 8000)).unwrap();
        }
        let document = audit(&[]);
        assert_eq!(rules(&document), ["no-route-back"]);
        assert_eq!(evidence(finding(&document, "no-route-back"), "no_route_drop_count"), 100);
    });
}

/// From `include/uapi/linux/if_tun.h`.
const TUNSETIFF: libc::c_ulong = 0x4004_54ca;

/// Creates the TUN device `tun0` in this thread's namespace.
fn tun() -> Option<fs::File> {
    let file = fs::OpenOptions::new().read(true).write(true).open("/dev/net/tun").ok()?;
    let mut request = [0_u8; 40];
    request[..4].copy_from_slice(b"tun0");
    // IFF_TUN | IFF_NO_PI
    request[16..18].copy_from_slice(&0x1001_u16.to_ne_bytes());
    // SAFETY: `request` is a struct ifreq and outlives the call.
    (unsafe { libc::ioctl(file.as_raw_fd(), TUNSETIFF as _, request.as_mut_ptr()) } == 0).then_some(file)
}

/// A SYN as an IPv4 packet.
fn syn(from: Ipv4Addr, port: u16, to: Ipv4Addr, to_port: u16) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0];
    packet.extend(from.octets());
    packet.extend(to.octets());
    let checksum = sum(&packet);
    packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    let mut tcp = Vec::new();
    tcp.extend(port.to_be_bytes());
    tcp.extend(to_port.to_be_bytes());
    tcp.extend([0, 0, 0, 1, 0, 0, 0, 0, 0x50, 2, 0xff, 0xff, 0, 0, 0, 0]);
    let pseudo = [&from.octets()[..], &to.octets(), &[0, 6, 0, 20], &tcp].concat();
    let checksum = sum(&pseudo);
    tcp[16..18].copy_from_slice(&checksum.to_be_bytes());
    packet.extend(tcp);
    packet
}

/// Internet checksum (RFC 1071).
fn sum(bytes: &[u8]) -> u16 {
    let mut sum: u32 = bytes.chunks(2).map(|c| u32::from(u16::from_be_bytes([c[0], *c.get(1).unwrap_or(&0)]))).sum();
    while sum >> 16 != 0 {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

/// Sockets closed with data that the peer does not read.
#[test]
fn orphans_with_full_queues() {
    in_namespace(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut readers = Vec::new();
        for _ in 0..20 {
            readers.push(TcpStream::connect(address).unwrap());
            let mut server = listener.accept().unwrap().0;
            server.set_nonblocking(true).unwrap();
            let block = vec![0; 1 << 16];
            while server.write(&block).is_ok() {}
        }
        std::thread::sleep(Duration::from_millis(1200));
        let document = audit(&[]);
        let found = finding(&document, "orphans-hold-data");
        assert_eq!((evidence(found, "process"), evidence(found, "socket_count")), (own_name().into(), 20.into()));
        assert!(evidence(found, "held_bytes").as_u64().unwrap() > 20 << 16);
        // The peers have closed, so the data is released.
        drop(readers);
        until("the end of the orphans", || !rules(&audit(&[])).contains(&"orphans-hold-data"));
    });
}

#[test]
fn connections_that_nobody_closes() {
    in_namespace(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let kept: Vec<_> = (0..30)
            .map(|_| {
                drop(TcpStream::connect(address).unwrap());
                listener.accept().unwrap().0
            })
            .collect();
        assert_eq!(rules(&audit(&[])), Vec::<&str>::new(), "they may still be closed");
        std::thread::sleep(Duration::from_millis(1200));
        let document = audit(&[]);
        let found = finding(&document, "socket-close-wait");
        assert_eq!((evidence(found, "process"), evidence(found, "socket_count")), (own_name().into(), 30.into()));
        drop(kept);
        assert_eq!(rules(&audit(&[])), Vec::<&str>::new(), "after");
    });
}

/// A reader that pauses advertises a zero window now and then. The finding appears during that time, and not
/// afterwards.
#[test]
fn windows_that_close() {
    in_namespace(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(ip("link set lo mtu 1500"));
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut client = client;
                client.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
                let block = vec![0; 1 << 20];
                while client.write_all(&block).is_ok() {}
            });
            let mut reader = server.try_clone().unwrap();
            scope.spawn(move || {
                let mut data = vec![0; 1 << 16];
                while reader.read(&mut data).is_ok_and(|bytes| bytes > 0) {
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
            std::thread::sleep(Duration::from_millis(1500));
            let during = audit(&[]);
            assert!(
                rules(&during).contains(&"zero-windows-announced"),
                "{:?} {:#?}",
                rules(&during),
                during["counters"]
            );
            server.shutdown(std::net::Shutdown::Both).unwrap();
            drop(server);
        });
        for args in [&[][..], &["--interval", "1s"]] {
            assert!(!rules(&audit(args)).contains(&"zero-windows-announced"), "after, {args:?}");
        }
    });
}

/// In a namespace of its own, an audit sees none of the host's sockets. Its first lines report that, and no
/// gate passes.
#[test]
fn sockets_of_other_namespaces() {
    const LISTENERS: usize = 32;
    let here: Vec<_> = (0..LISTENERS).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()).collect();
    let found = in_namespace(|| {
        let brief = tcpwhy().args(["audit", "-q", "--width", "200"]).output().unwrap();
        let gate = tcpwhy().args(["audit", "-q", "--fail-on", "critical"]).output().unwrap();
        (audit(&[]), String::from_utf8(brief.stdout).unwrap(), gate)
    });
    let Some((document, brief, gate)) = found else { return };
    assert_eq!(here.len(), LISTENERS);
    let gaps = document["host"]["gaps"].as_array().unwrap();
    let gap = gaps.iter().find(|gap| gap["id"] == "namespaces").unwrap_or_else(|| panic!("{gaps:?}"));
    assert_eq!(gap["hides_findings"], true);
    assert!(brief.contains("other network namespaces") && !brief.contains("Nothing to change"), "{brief}");
    let errors = String::from_utf8(gate.stderr).unwrap();
    assert_eq!(gate.status.code(), Some(2), "{errors}");
    assert!(errors.contains("namespaces"), "{errors}");
}
