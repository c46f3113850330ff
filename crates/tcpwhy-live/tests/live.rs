//! Tests with real sockets of this machine. A test whose capabilities are missing is skipped with a reason.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code, reason = "a test that fails says so; setsockopt")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::thread;
use std::time::{Duration, Instant};

use tcpwhy_live::{BlockedTime, SavedHost, SockDiag, observe, ss, sysctl_text};
use tcpwhy_model::host::{BufferLocks, HostObservation, SocketSample, TcpState};
use tcpwhy_testkit::skip;

fn set(stream: &TcpStream, option: libc::c_int, value: libc::c_int) {
    let length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: `value` lives through the call and has `length` bytes.
    let result = unsafe {
        libc::setsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, option, std::ptr::from_ref(&value).cast(), length)
    };
    assert_eq!(result, 0);
}

fn pair() -> (TcpStream, TcpStream, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (server, _) = listener.accept().unwrap();
    (client, server, listener)
}

fn find<'a>(host: &'a HostObservation, stream: &TcpStream) -> &'a SocketSample {
    let (local, peer) = (stream.local_addr().unwrap(), stream.peer_addr().unwrap());
    let sockets = host.sockets.as_ref().expect("sock_diag answers everybody");
    let is_it = |s: &&SocketSample| s.local.port == Some(local.port()) && s.peer.port == Some(peer.port());
    sockets.iter().find(is_it).expect("the socket is there")
}

#[test]
fn a_socket_with_its_process_and_its_locks() {
    let (mut client, server, listener) = pair();
    set(&client, libc::SO_SNDBUF, 16_384);
    set(&server, libc::SO_RCVBUF, 30_000);
    client.write_all(&[7; 1000]).unwrap();
    // Wait until the data has arrived.
    server.peek(&mut [0]).unwrap();
    let host = observe().unwrap();
    let sender = find(&host, &client);
    assert_eq!(sender.state, Some(TcpState::Established));
    assert_eq!(sender.memory.send_buffer, Some(32_768));
    assert_eq!(find(&host, &server).memory.receive_buffer, Some(60_000));
    assert_eq!(find(&host, &server).receive_queue, 1000);
    assert!(sender.info.rtt.is_some_and(|rtt| rtt > 0 && rtt < 1_000_000), "{:?}", sender.info);
    assert!(sender.info.snd_cwnd.is_some_and(|c| c > 0) && sender.congestion_control.is_some());
    let process = &sender.processes[0];
    assert_eq!((process.pid, process.fd), (std::process::id(), client.as_raw_fd() as u32));
    let port = listener.local_addr().unwrap().port();
    let is_listener = |s: &&SocketSample| s.state == Some(TcpState::Listen) && s.local.port == Some(port);
    assert_eq!(host.sockets.as_ref().unwrap().iter().find(is_listener).unwrap().peer.port, None);
    // A process may copy its own descriptors without a capability.
    match sender.locks {
        Some(locks) => {
            assert_eq!(locks, BufferLocks { send: true, receive: false });
            assert_eq!(find(&host, &server).locks, Some(BufferLocks { send: false, receive: true }));
        }
        None => skip("this kernel has no pidfd_getfd or no SO_BUF_LOCK (before 5.15, or a sandbox)"),
    }
}

#[test]
fn this_host_is_known() {
    let host = observe().unwrap();
    assert!(host.uptime.is_some_and(|u| u > 0.0) && host.page_size.is_some_and(|p| p >= 4096));
    let counters = host.counters.unwrap();
    assert!(counters.ext("TCPTimeouts").is_some() && counters.tcp("OutSegs").is_some());
    assert!(host.sockstat.unwrap().memory.is_some());
    let sysctls = sysctl_text().unwrap();
    assert!(sysctls.contains("net.ipv4.tcp_rmem = ") && sysctls.contains("kernel.osrelease = "), "{sysctls}");
}

/// `ss` and `sock_diag` must agree about a socket.
#[test]
fn ss_agrees() {
    let (client, _server, _listener) = pair();
    set(&client, libc::SO_SNDBUF, 50_000);
    let Ok(output) = std::process::Command::new("ss").args(["-tinmpeOH"]).output() else {
        eprintln!("skipped: no ss installed");
        return;
    };
    let by_ss = HostObservation {
        sockets: Some(ss::parse_sockets(&String::from_utf8_lossy(&output.stdout))),
        ..HostObservation::default()
    };
    let host = observe().unwrap();
    let (by_ss, by_kernel) = (find(&by_ss, &client), find(&host, &client));
    assert_eq!((by_ss.memory, by_ss.inode), (by_kernel.memory, by_kernel.inode));
    assert_eq!(by_ss.processes, by_kernel.processes);
    assert_eq!((by_ss.info.snd_mss, by_ss.info.rtt), (by_kernel.info.snd_mss, by_kernel.info.rtt));
    assert_eq!((by_ss.info.snd_wscale, by_ss.info.rcv_wscale), (by_kernel.info.snd_wscale, by_kernel.info.rcv_wscale));
    assert_eq!(by_ss.info.snd_wnd, by_kernel.info.snd_wnd);
}

#[test]
fn a_host_is_saved_and_read_again() {
    let (_client, _server, _listener) = pair();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved-host");
    let saved =
        SavedHost { observation: observe().unwrap(), sysctls: Some(sysctl_text().unwrap()), ..SavedHost::default() };
    std::fs::create_dir_all(&folder).unwrap();
    let texts = saved.texts();
    assert!(texts.len() >= 6);
    for (name, text) in texts {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let read = SavedHost::read(&folder).unwrap();
    let (was, is) = (&saved.observation, &read.observation);
    assert_eq!(is.counters, was.counters);
    assert_eq!(is.sockstat, was.sockstat);
    assert_eq!((&is.kernel_release, is.memory), (&was.kernel_release, was.memory));
    assert_eq!(is.is_initial_namespace, was.is_initial_namespace);
    let (was, is) = (was.sockets.as_ref().unwrap(), is.sockets.as_ref().unwrap());
    assert_eq!(is.len(), was.len());
    for (was, is) in was.iter().zip(is) {
        assert_eq!((&is.local, &is.peer, is.memory, is.locks), (&was.local, &was.peer, was.memory, was.locks));
        assert_eq!((is.info.rtt, is.info.snd_cwnd, &is.processes), (was.info.rtt, was.info.snd_cwnd, &was.processes));
    }
}

/// Sockets are read one by one and in batches by their kernel ids, and closed ones are reported as gone.
#[test]
fn known_sockets_are_asked_again() {
    // A network namespace of its own is needed, because a busy host has other sockets with the same ports.
    tcpwhy_testkit::in_namespace(ask_again);
}

fn ask_again() {
    use tcpwhy_live::{Namespace, SocketId};

    let pairs: Vec<_> = (0..40).map(|_| pair()).collect();
    let mut namespace = Namespace::own().unwrap();
    assert_eq!(
        namespace.inode,
        std::os::unix::fs::MetadataExt::ino(&std::fs::metadata("/proc/thread-self/ns/net").unwrap())
    );
    let mut ids: Vec<(u16, SocketId)> = Vec::new();
    let ports: Vec<u16> = pairs.iter().map(|(client, ..)| client.local_addr().unwrap().port()).collect();
    namespace
        .sockets
        .dump(|socket, id| {
            if socket.local.port.is_some_and(|port| ports.contains(&port))
                && socket.state == Some(TcpState::Established)
            {
                assert_eq!(socket.cookie, Some(id.cookie()));
                ids.push((socket.local.port.unwrap(), id));
            }
        })
        .unwrap();
    assert_eq!(ids.len(), 40);
    let gone = ids[7].0;
    // A reset leaves no socket in `TIME-WAIT`.
    for (client, ..) in pairs.iter().filter(|(client, ..)| client.local_addr().unwrap().port() == gone) {
        reset_on_close(client);
        disconnect(client);
    }
    let asked: Vec<SocketId> = ids.iter().map(|(_, id)| *id).collect();
    let mut answers = vec![None; asked.len()];
    namespace.sockets.ask(&asked, |index, socket| answers[index] = Some(socket.map(|(s, _)| s.local.port))).unwrap();
    for ((port, _), answer) in ids.iter().zip(answers) {
        let expected = if *port == gone { None } else { Some(Some(*port)) };
        assert_eq!(answer, Some(expected));
    }
    namespace.sockets.ask(&[], |_, _| unreachable!("nothing was asked")).unwrap();
}

/// `close()` of this client resets the connection.
fn reset_on_close(client: &TcpStream) {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    // SAFETY: `linger` lives through the call and has that length.
    let result = unsafe {
        libc::setsockopt(
            client.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_LINGER,
            std::ptr::from_ref(&linger).cast(),
            size_of::<libc::linger>() as libc::socklen_t,
        )
    };
    assert_eq!(result, 0);
}

/// Ends the connection but keeps its descriptor open: connecting to the address family `AF_UNSPEC`
/// disconnects.
fn disconnect(client: &TcpStream) {
    let none = libc::sockaddr { sa_family: libc::AF_UNSPEC as libc::sa_family_t, sa_data: [0; 14] };
    // SAFETY: `none` lives through the call and has that length.
    let result =
        unsafe { libc::connect(client.as_raw_fd(), &raw const none, size_of::<libc::sockaddr>() as libc::socklen_t) };
    assert_eq!(result, 0);
}

#[test]
fn sockets_have_their_process() {
    let (client, _server, _listener) = pair();
    let host = observe().unwrap();
    let inode = find(&host, &client).inode.unwrap();
    let mut processes = tcpwhy_live::Processes::default();
    assert!(processes.of(inode).is_none());
    processes.find(&[inode].into());
    let process = processes.of(inode).unwrap();
    assert_eq!(process.pid, std::process::id());
    assert!(process.name.starts_with("live-") && process.cgroup.as_ref().is_none_or(|path| path.starts_with('/')));
    match tcpwhy_live::locks_of(process.pid, inode) {
        Some(locks) => assert_eq!(locks, BufferLocks::default()),
        None => skip("this kernel has no pidfd_getfd or no SO_BUF_LOCK (before 5.15, or a sandbox)"),
    }
}

/// Reads from `server` after a pause of `rest`.
fn slow_reader(mut server: TcpStream, rest: Duration) -> thread::JoinHandle<usize> {
    thread::spawn(move || {
        thread::sleep(rest);
        let (mut all, mut buffer) = (0, vec![0; 1 << 20]);
        while let Ok(read @ 1..) = server.read(&mut buffer) {
            all += read;
        }
        all
    })
}

/// A reader that pauses causes a zero window. The kernel's clocks must count that time, and not more than the
/// time that passed.
#[test]
fn a_slow_reader_blocks_the_sender_for_as_long_as_it_rests() {
    const REST: Duration = Duration::from_millis(700);
    const BYTES: usize = 32 << 20;
    let (mut client, server, _listener) = pair();
    let before = BlockedTime::of(&client).unwrap();
    if before.busy.is_none() {
        skip("this kernel has no clocks in tcp_info (before 4.10, or a sandbox)");
        return;
    }
    assert_eq!(before.since(&before).busy, Some(Duration::ZERO));
    let began = Instant::now();
    let reader = slow_reader(server, REST);
    // The data is larger than both buffers together.
    client.write_all(&vec![7; BYTES]).unwrap();
    let passed = BlockedTime::of_fd(&client).unwrap().since(&before);
    let took = began.elapsed();
    let (busy, window) = (passed.busy.unwrap(), passed.receive_window.unwrap());
    // A clock tick is 10 ms at most.
    let tick = Duration::from_millis(20);
    assert!(window >= REST / 2 && window <= took + tick, "{window:?} of {took:?}");
    assert!(window <= busy + tick && busy <= took + tick, "{busy:?} of {took:?}");
    assert!(passed.send_buffer.unwrap() <= busy + tick, "{passed:?}");
    // A later sample of all sockets must contain the same values, or slightly larger ones.
    let sample = find(&observe().unwrap(), &client).clone();
    let later = BlockedTime::from(&sample.info);
    assert!(later.receive_window >= before.receive_window && later.busy.unwrap() >= busy, "{later:?}");
    drop(client);
    assert_eq!(reader.join().unwrap(), BYTES);
    let datagrams = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    assert!(BlockedTime::of_fd(&datagrams).is_err(), "no TCP socket");
}

/// The kernel finds a connection by its addresses and ports, over IPv4 and IPv6.
#[test]
fn a_connection_is_found_by_its_ends() {
    let mut kernel = SockDiag::open().unwrap();
    let mut check = |listener: &TcpListener, client: &TcpStream| {
        let (server, _) = listener.accept().unwrap();
        let listens = listener.local_addr().unwrap();
        let mut ids = Vec::new();
        for (stream, other) in [(client, &server), (&server, client)] {
            let (local, peer) = (stream.local_addr().unwrap(), stream.peer_addr().unwrap());
            let id = kernel.find(local, peer).unwrap().expect("the connection is open");
            let mut found = None;
            kernel.ask(&[id], |_, socket| found = socket.map(|(socket, _)| socket)).unwrap();
            let found = found.unwrap();
            assert_eq!((found.local.port, found.peer.port), (Some(local.port()), Some(peer.port())));
            assert_eq!(found.state, Some(TcpState::Established));
            assert_eq!(other.local_addr().unwrap().port(), peer.port());
            ids.push(id.cookie());
        }
        assert_ne!(ids[0], ids[1], "each end has its own socket");
        // The port is unused, so only the listener could match, which is not a connection.
        let mut nobody = client.local_addr().unwrap();
        nobody.set_port(1);
        assert!(kernel.find(listens, nobody).unwrap().is_none());
        listens.port()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    check(&listener, &client);
    let Ok(listener) = TcpListener::bind("[::]:0") else {
        skip("this host has no IPv6");
        return;
    };
    let port = listener.local_addr().unwrap().port();
    for address in ["[::1]", "127.0.0.1"] {
        // An IPv6 socket with an IPv4 peer has mapped addresses at one end.
        match TcpStream::connect(format!("{address}:{port}")) {
            Ok(client) => assert_eq!(check(&listener, &client), port),
            Err(_) => skip("this host has no IPv6 on loopback"),
        }
    }
}
