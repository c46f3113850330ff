//! Reports of the kernel's programs about this test's own connections. It needs `CAP_BPF` and `CAP_PERFMON`.
//! Without them nothing is tested, unless `MUST_HAVE_BPF` promises that they are there.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(unsafe_code, reason = "options and queues of sockets that nothing else tells of")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use socket2::{Domain, SockFilter, Socket, Type};
use tcpwhy_bpf::record::Told;
use tcpwhy_bpf::{Accountant, Part};
use tcpwhy_live::CodeFinder;
use tcpwhy_model::host::{SocketAddress, TcpState};
use tcpwhy_model::live::{BufferOption, Finish, Happening, HeldBy, KernelEvent, Pruning, SocketError, UserStack};

/// Time limit of each wait, larger than any step needs on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tests run one at a time, because a flood of events affects all of them.
static ALONE: Mutex<()> = Mutex::new(());

fn accountant() -> Option<(Accountant, MutexGuard<'static, ()>)> {
    let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match Accountant::attach(0, true) {
        Ok(accountant) => Some((accountant, alone)),
        Err(why) => {
            assert!(std::env::var_os("MUST_HAVE_BPF").is_none(), "MUST_HAVE_BPF is set, yet {why}");
            eprintln!("skipped: {why}");
            None
        }
    }
}

/// A connection over loopback whose writer sends segments of a thousand bytes.
fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let writer = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    writer.set_tcp_mss(1000).unwrap();
    writer.connect(&listener.local_addr().unwrap().into()).unwrap();
    let (reader, _) = listener.accept().unwrap();
    (writer.into(), reader)
}

fn is_of(end: &SocketAddress, address: SocketAddr) -> bool {
    (end.address, end.port) == (Some(address.ip()), Some(address.port()))
}

/// Number of segments that events report as retransmitted on the connection from this address.
fn retransmitted(accountant: &mut Accountant, from: SocketAddr) -> u64 {
    let mut count = 0;
    accountant.events(|event, _| {
        let is_own = event.ends.as_ref().is_some_and(|[local, _]| is_of(local, from));
        if let (true, Happening::Retransmitted { segments, .. }) = (is_own, event.what) {
            count += segments;
        }
    });
    count
}

/// Retransmissions in a short burst are all reported, even if no other event follows.
#[test]
fn a_burst_is_told_whole() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    let (mut writer, mut reader) = connection();
    let from = writer.local_addr().unwrap();
    // Arriving segments are dropped until the timer has expired; the remaining ones are then retransmitted in
    // a burst.
    let drop_all = [SockFilter::new(6, 0, 0, 0)];
    let filtered = Socket::from(reader.try_clone().unwrap());
    filtered.attach_filter(&drop_all).unwrap();
    writer.write_all(&[1; 10_000]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    filtered.detach_filter().unwrap();
    reader.read_exact(&mut [0; 10_000]).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let mut socket = None;
    let mut told = |one: Told| {
        if is_of(&one.sample.socket.local, from) {
            socket = Some(one.sample.socket);
        }
    };
    accountant.tell(true, &mut told).unwrap();
    let count = retransmitted(&mut accountant, from);
    let counted = socket.expect("it is told of").info.total_retrans.unwrap();
    assert!(counted > 2, "a burst: {counted}");
    assert_eq!(count, counted);
}

/// A flood of events does not displace reports of ended connections, and losses of both are counted.
#[test]
fn a_flood_of_events_takes_no_room_from_ends() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Settings) {
        return eprintln!("skipped: nothing is told of buffers that are set");
    }
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let began = Instant::now();
    while accountant.lost_events() == 0 && began.elapsed() < PATIENCE {
        for _ in 0..1000 {
            socket.set_send_buffer_size(20_000).unwrap();
        }
    }
    assert!(accountant.lost_events() > 0);
    let (writer, reader) = connection();
    let from = writer.local_addr().unwrap();
    drop((writer, reader));
    let (began, mut has_ended) = (Instant::now(), false);
    while !has_ended && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        accountant.ends(|told| has_ended |= is_of(&told.sample.socket.local, from));
    }
    assert_eq!((has_ended, accountant.lost_ends()), (true, 0));
}

/// Thousands of ended connections come in portions, and none is missing.
#[test]
fn many_ends_come_in_portions() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    let count = Accountant::ENDS_AT_ONCE + 100;
    let mut ports = std::collections::HashSet::new();
    for _ in 0..count {
        let (writer, reader) = connection();
        ports.insert(writer.local_addr().unwrap().port());
        // A linger time of zero avoids sockets in TIME-WAIT.
        Socket::from(writer).set_linger(Some(Duration::ZERO)).unwrap();
        drop(reader);
    }
    let (mut most, mut has_more) = (0, true);
    while has_more {
        let mut portion = 0;
        has_more = accountant.ends(|told| {
            portion += 1;
            ports.remove(&told.sample.socket.local.port.unwrap());
        });
        most = most.max(portion);
    }
    assert_eq!((most, ports.len(), accountant.lost_ends()), (Accountant::ENDS_AT_ONCE, 0, 0));
}

/// The turns of a request–response connection are known exactly: the client pauses before it asks, the server
/// before it answers. This holds although most segments and writes change little.
#[test]
fn turns_are_told_apart() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Writes) {
        return eprintln!("skipped: Linux before 6.16 does not tell of writes");
    }
    let (mut client, mut server) = connection();
    let [from, to] = [client.local_addr().unwrap(), server.local_addr().unwrap()];
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    let mut message = [1; 300];
    let [mut thought, mut waited] = [Duration::ZERO; 2];
    let mut answered = None;
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(30));
        let asked = Instant::now();
        waited += answered.map_or(Duration::ZERO, |answered: Instant| asked - answered);
        // Each turn has a few small writes; those after the first change nothing.
        for _ in 0..3 {
            client.write_all(&message[..100]).unwrap();
        }
        server.read_exact(&mut message).unwrap();
        std::thread::sleep(Duration::from_millis(10));
        thought += asked.elapsed();
        for _ in 0..3 {
            server.write_all(&message[..100]).unwrap();
        }
        client.read_exact(&mut message).unwrap();
        answered = Some(Instant::now());
    }
    let [mut of_client, mut of_server] = [None, None];
    accountant
        .tell(true, |one: Told| {
            if is_of(&one.sample.socket.local, from) {
                of_client = Some(one.account);
            } else if is_of(&one.sample.socket.local, to) && is_of(&one.sample.socket.peer, from) {
                of_server = Some(one.account);
            }
        })
        .unwrap();
    let [client, server] = [of_client, of_server].map(|account| account.expect("it is told of"));
    let seconds = |account: &tcpwhy_model::live::KernelAccount, held: HeldBy| account.nanos[held as usize] as f64 / 1e9;
    let (thought, waited) = (thought.as_secs_f64(), waited.as_secs_f64());
    let [thinks, asks] = [&server, &client].map(|account| seconds(account, HeldBy::Think));
    // The kernel dates the last data by its tick, and a write is in transit until its first ACK.
    assert!(thinks > 0.7 * thought && thinks < 1.1 * thought + 0.1, "the server thought {thinks} of {thought} s");
    assert!(asks > 0.7 * waited && asks < 1.1 * waited + 0.1, "the client thought {asks} of {waited} s");
}

/// How the connections with these local addresses ended, and how many bytes the peer left unanswered.
fn finishes<const N: usize>(accountant: &mut Accountant, ends: [SocketAddr; N]) -> [(Finish, u64); N] {
    let mut all = Vec::new();
    while accountant.ends(|told| all.push(told)) {}
    ends.map(|end| {
        let told = all.iter().find(|told| is_of(&told.sample.socket.local, end)).unwrap();
        (told.account.finish.unwrap(), told.account.unanswered)
    })
}

#[test]
fn how_connections_end_is_told() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    // No server listens there: port 1 of loopback is not used beside the tests.
    let refused = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    refused.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
    let local = refused.local_addr().unwrap().as_socket().unwrap();
    assert!(refused.connect(&SocketAddr::from(([127, 0, 0, 1], 1)).into()).is_err());
    let [(finish, _)] = finishes(&mut accountant, [local]);
    assert_eq!((finish.error, finish.before), (Some(SocketError::Refused), Some(TcpState::SynSent)));
    // A socket that is closed with unread data sends a reset.
    let (mut client, server) = connection();
    let ends = [client.local_addr().unwrap(), server.local_addr().unwrap()];
    client.write_all(b"unread").unwrap();
    std::thread::sleep(Duration::from_millis(50));
    drop(server);
    std::thread::sleep(Duration::from_millis(50));
    drop(client);
    let [(by_peer, _), (own, _)] = finishes(&mut accountant, ends);
    assert_eq!((by_peer.error, by_peer.is_shut), (Some(SocketError::Reset), false));
    assert_eq!((own.before, own.is_shut), (Some(TcpState::Established), true));
    // The peer closes without an answer.
    let (mut client, mut server) = connection();
    let local = client.local_addr().unwrap();
    let mut request = [0; 100];
    client.write_all(&request).unwrap();
    server.read_exact(&mut request).unwrap();
    server.write_all(&request).unwrap();
    client.read_exact(&mut request).unwrap();
    client.write_all(&request[..70]).unwrap();
    server.read_exact(&mut request[..70]).unwrap();
    drop(server);
    std::thread::sleep(Duration::from_millis(50));
    drop(client);
    std::thread::sleep(Duration::from_millis(50));
    let [(finish, unanswered)] = finishes(&mut accountant, [local]);
    assert_eq!((finish.error, unanswered), (None, 70));
}

#[test]
fn who_is_not_accepted_is_told() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut waits = || {
        let mut found = None;
        let here = (listener.local_addr().unwrap(), client.local_addr().unwrap());
        let look = |told: Told| {
            let socket = &told.sample.socket;
            if is_of(&socket.local, here.0) && is_of(&socket.peer, here.1) {
                found = Some(told.account.is_unaccepted);
            }
        };
        accountant.tell(true, look).unwrap();
        found
    };
    assert_eq!(waits(), Some(true));
    let _accepted = listener.accept().unwrap();
    assert_eq!(waits(), Some(false));
}

#[test]
fn writes_that_may_not_wait_are_timed() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Writes) || !accountant.has(Part::WriteEnds) {
        return eprintln!("skipped: Linux before 6.16 does not tell of writes");
    }
    let (mut writer, mut reader) = connection();
    let from = writer.local_addr().unwrap();
    writer.set_nonblocking(true).unwrap();
    let block = vec![1; 65_536];
    while writer.write(&block).is_ok() {}
    let refused = Instant::now();
    std::thread::sleep(Duration::from_millis(300));
    // The reader reads until the buffer has room again.
    let mut read = vec![0; 1 << 16];
    let mut blocked = None;
    while reader.read(&mut read).unwrap() > 0 {
        if writer.write(&[1; 1000]).is_ok() {
            blocked = Some(refused.elapsed());
            break;
        }
    }
    let waited = blocked.expect("it can write again");
    let mut account = None;
    let mut told = |one: Told| {
        if is_of(&one.sample.socket.local, from) {
            account = Some(one.account);
        }
    };
    accountant.tell(true, &mut told).unwrap();
    let counted =
        Duration::from_nanos(account.expect("it is told of").blocked.expect("writes are seen").cast_unsigned());
    assert!(counted <= waited + Duration::from_millis(50), "{counted:?} of {waited:?}");
    assert!(counted * 20 >= waited * 19, "{counted:?} of {waited:?}");
}

/// Whether the program of the connection from this address waits for room.
fn awaits_room(accountant: &mut Accountant, from: SocketAddr) -> Option<bool> {
    let mut room = None;
    accountant
        .tell(true, |told| {
            if is_of(&told.sample.socket.local, from) {
                room = Some(told.room);
            }
        })
        .unwrap();
    room.expect("it is told of").is_awaited()
}

/// A program waits if its write sleeps or was refused, or if it polls for output. Polling for input sets the
/// same bit of the kernel, but is not a wait for room.
#[test]
fn who_waits_for_room_is_known() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Writes) || !accountant.has(Part::WriteEnds) {
        return eprintln!("skipped: Linux before 6.16 does not tell of writes");
    }
    let (mut writer, mut reader) = connection();
    let from = writer.local_addr().unwrap();
    let poll = |events: libc::c_short| {
        let mut polled = libc::pollfd { fd: writer.as_raw_fd(), events, revents: 0 };
        // SAFETY: the pointer refers to one open descriptor, and the count is 1.
        unsafe { libc::poll(&raw mut polled, 1, 500) }
    };
    let during_poll = |accountant: &mut Accountant, events| {
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| poll(events));
            std::thread::sleep(Duration::from_millis(100));
            let awaits = awaits_room(accountant, from);
            assert_eq!(waiting.join().unwrap(), 0, "it waits all the time");
            awaits
        })
    };
    // Writes that are never refused fill two thirds of a buffer that has more room.
    Socket::from(writer.try_clone().unwrap()).set_send_buffer_size(4_000_000).unwrap();
    Socket::from(reader.try_clone().unwrap()).set_recv_buffer_size(4096).unwrap();
    let socket = Socket::from(writer.try_clone().unwrap());
    let granted = socket.send_buffer_size().unwrap();
    let mut written = 0;
    while written < granted * 2 / 3 {
        written += (&writer).write(&[1; 10_000]).unwrap();
    }
    assert_eq!(awaits_room(&mut accountant, from), Some(false), "nobody waits");
    assert_eq!(during_poll(&mut accountant, libc::POLLIN), Some(false), "input is awaited");
    assert_eq!(during_poll(&mut accountant, libc::POLLOUT), Some(true), "room is polled for");
    // A write that sleeps.
    let fill = vec![1; granted];
    std::thread::scope(|scope| {
        let sleeping = scope.spawn(|| (&writer).write_all(&fill));
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(awaits_room(&mut accountant, from), Some(true), "a write sleeps");
        reader.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let mut read = vec![0; 65_536];
        while reader.read(&mut read).is_ok_and(|read| read > 0) {}
        sleeping.join().unwrap().unwrap();
    });
    assert_eq!(awaits_room(&mut accountant, from), Some(false), "all was read");
    // A write that is refused.
    writer.set_nonblocking(true).unwrap();
    while writer.write(&fill).is_ok() {}
    assert_eq!(awaits_room(&mut accountant, from), Some(true), "a write was refused");
}

fn set_option(socket: &Socket, level: libc::c_int, option: libc::c_int, value: &[u8]) -> bool {
    // SAFETY: the value lives until the call returns, and its length is passed.
    let status = unsafe {
        libc::setsockopt(socket.as_raw_fd(), level, option, value.as_ptr().cast(), value.len() as libc::socklen_t)
    };
    status == 0
}

/// If the kernel's timer for pacing sends data, pacing limited the sender until then. No ACK or write shows
/// that, and the send buffer is full at each of them.
#[test]
fn time_up_to_the_timer_is_the_pace() {
    const PER_SECOND: u32 = 200_000;
    let Some((mut accountant, _alone)) = accountant() else { return };
    let (writer, mut reader) = connection();
    let from = writer.local_addr().unwrap();
    let writer = Socket::from(writer);
    if !set_option(&writer, libc::IPPROTO_TCP, libc::TCP_CONGESTION, b"bbr") {
        return eprintln!("skipped: this kernel has no BBR");
    }
    assert!(set_option(&writer, libc::SOL_SOCKET, libc::SO_MAX_PACING_RATE, &PER_SECOND.to_ne_bytes()));
    // The buffer has room for two segments, so the segments that the timer sends are all the data.
    writer.set_send_buffer_size(2304).unwrap();
    let mut writer = TcpStream::from(writer);
    let reading = std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()).unwrap());
    writer.write_all(&vec![1; 100_000]).unwrap();
    let mut account = None;
    let mut told = |one: Told| {
        if is_of(&one.sample.socket.local, from) {
            account = Some(one.account);
        }
    };
    accountant.tell(true, &mut told).unwrap();
    drop(writer);
    assert_eq!(reading.join().unwrap(), 100_000);
    let account = account.expect("it is told of");
    let seconds = |held: HeldBy| account.nanos[held as usize] as f64 / 1e9;
    let (paced, buffer) = (seconds(HeldBy::Pacing), seconds(HeldBy::SendBuffer));
    assert!(paced > 0.2 && paced > 9.0 * buffer, "pace {paced} s, send buffer {buffer} s");
}

/// Data that `TCP_CORK` delays is sent when the kernel's timer expires. The time until then belongs to the
/// cork, however seldom the statistics are read.
#[test]
fn time_up_to_the_timer_is_the_cork() {
    const WRITES: u32 = 4;
    /// Longer than the timer: the least retransmission timeout, 200 ms (`TCP_RTO_MIN`), with a tick.
    const APART: Duration = Duration::from_millis(250);
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Writes) {
        return eprintln!("skipped: Linux before 6.16 does not tell of writes");
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let writer = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    // Reno does not pace, so no other timer sends. A socket that begins with BBR paces for its whole life.
    assert!(set_option(&writer, libc::IPPROTO_TCP, libc::TCP_CONGESTION, b"reno"), "each kernel has it");
    assert!(set_option(&writer, libc::IPPROTO_TCP, libc::TCP_CORK, &1_u32.to_ne_bytes()));
    writer.connect(&listener.local_addr().unwrap().into()).unwrap();
    let (mut writer, mut reader) = (TcpStream::from(writer), listener.accept().unwrap().0);
    let from = writer.local_addr().unwrap();
    let mut message = [1; 600];
    let mut kept = Duration::ZERO;
    for _ in 0..WRITES {
        let wrote = Instant::now();
        writer.write_all(&message).unwrap();
        reader.read_exact(&mut message).unwrap();
        kept += wrote.elapsed();
        std::thread::sleep(APART.saturating_sub(wrote.elapsed()));
    }
    let mut account = None;
    let mut told = |one: Told| {
        if is_of(&one.sample.socket.local, from) {
            account = Some(one.account);
        }
    };
    accountant.tell(true, &mut told).unwrap();
    let account = account.expect("it is told of");
    let corked = account.nanos[HeldBy::Cork as usize] as f64 / 1e9;
    let kept = kept.as_secs_f64();
    assert!(corked > 0.9 * kept && corked < 1.05 * kept, "{corked} s under TCP_CORK, which kept data for {kept} s");
}

/// A request for a buffer of a connection is reported with both addresses; an unconnected socket has none.
#[test]
fn buffers_that_are_asked_for_have_ends() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Settings) {
        return eprintln!("skipped: nothing is told of buffers that are set");
    }
    let (writer, _reader) = connection();
    let ends = [writer.local_addr().unwrap(), writer.peer_addr().unwrap()];
    Socket::from(writer).set_recv_buffer_size(23_456).unwrap();
    Socket::new(Domain::IPV6, Type::STREAM, None).unwrap().set_send_buffer_size(34_567).unwrap();
    let mut told: Vec<(KernelEvent, BufferOption, i64)> = Vec::new();
    accountant.events(|event, _| {
        if let Happening::BufferSet { option, asked } = event.what
            && event.process.as_ref().is_some_and(|process| process.pid == std::process::id())
        {
            told.push((event, option, asked));
        }
    });
    let find = |asked: i64| told.iter().find(|event| event.2 == asked).expect("it is told");
    let (event, option, _) = find(23_456);
    assert_eq!(*option, BufferOption::RcvBuf);
    let [local, peer] = event.ends.as_ref().expect("it is connected");
    assert!(is_of(local, ends[0]) && is_of(peer, ends[1]), "{event:?}");
    assert_eq!(find(34_567).0.ends, None);
}

/// If the program runs at every system call to see `setsockopt`, it stops when there are many. Other reports
/// continue.
#[test]
fn many_system_calls_are_left_alone() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    let (mut writer, _reader) = connection();
    let from = writer.local_addr().unwrap();
    let looked_at_all = accountant.looks_at_system_calls();
    let began = Instant::now();
    while accountant.looks_at_system_calls() && began.elapsed() < PATIENCE {
        for _ in 0..50_000 {
            let _ = unacknowledged(&writer);
        }
        accountant.tell(false, |_| ()).unwrap();
    }
    assert_eq!((accountant.rests_from_settings(), accountant.looks_at_system_calls()), (looked_at_all, false));
    assert!(!(looked_at_all && accountant.has(Part::Settings)));
    writer.write_all(&[1; 1000]).unwrap();
    let mut is_told = false;
    accountant.tell(true, |one: Told| is_told |= is_of(&one.sample.socket.local, from)).unwrap();
    assert!(is_told);
}

/// The functions in the calls of a stack.
fn functions(stack: Option<&UserStack>) -> Vec<String> {
    let calls = CodeFinder::default().calls(stack.expect("it has a stack"));
    calls.into_iter().filter_map(|call| Some(call.function?.0)).collect()
}

#[inline(never)]
fn asks_for_a_buffer(socket: &Socket) {
    socket.set_send_buffer_size(45_678).unwrap();
    // The statement after the call prevents a tail call.
    std::hint::black_box(socket);
}

#[inline(never)]
fn writes_more_than_there_is_room(writer: &mut TcpStream) {
    writer.write_all(&vec![1; 1 << 20]).unwrap();
    std::hint::black_box(writer);
}

/// Calls both functions. The test itself may be inlined into its caller, and then has no frame of its own.
#[inline(never)]
fn calls_them(socket: &Socket, writer: &mut TcpStream) {
    asks_for_a_buffer(socket);
    writes_more_than_there_is_room(writer);
    std::hint::black_box(socket);
}

/// The stacks show where a buffer was requested, and where a writer waited.
#[test]
fn events_tell_where_in_the_code_they_were() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    let (mut writer, mut reader) = connection();
    let from = writer.local_addr().unwrap();
    let socket = Socket::from(writer.try_clone().unwrap());
    let reading = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        std::io::copy(&mut reader, &mut std::io::sink()).unwrap()
    });
    calls_them(&socket, &mut writer);
    let [mut set, mut waited] = [None, None];
    accountant.events(|event, stack| {
        let is_own = event.ends.as_ref().is_some_and(|[local, _]| is_of(local, from));
        match event.what {
            Happening::BufferSet { asked: 45_678, .. } if is_own => set = Some(functions(stack.as_ref())),
            // Only one of many waits within a second has a stack.
            Happening::BlockedWrite { .. } if is_own && waited.is_none() => waited = Some(functions(stack.as_ref())),
            _ => {}
        }
    });
    let has = |functions: &[String], name: &str| functions.iter().any(|function| function.contains(name));
    let this = "calls_them";
    if accountant.has(Part::Settings) {
        let functions = set.expect("it is told");
        assert!(has(&functions, "asks_for_a_buffer") && has(&functions, this), "{functions:#?}");
    }
    if accountant.has(Part::Writes) && accountant.has(Part::WriteEnds) {
        let functions = waited.expect("it is told");
        assert!(has(&functions, "writes_more_than_there_is_room") && has(&functions, this), "{functions:#?}");
    }
    drop((writer, socket));
    assert_eq!(reading.join().unwrap(), 1 << 20);
}

/// Segments that may leave before anything is acknowledged (`TCP_INIT_CWND`, include/net/tcp.h).
const FIRST_WINDOW: usize = 10;

/// Bytes that were written and are not acknowledged yet.
fn unacknowledged(socket: &TcpStream) -> libc::c_int {
    let mut bytes = 0;
    // SAFETY: `SIOCOUTQ`, which is `TIOCOUTQ`, writes one `int`.
    let status = unsafe { libc::ioctl(socket.as_raw_fd(), libc::TIOCOUTQ, &raw mut bytes) };
    assert_eq!(status, 0, "{}", std::io::Error::last_os_error());
    bytes
}

/// Number of skbs that were collapsed in this network namespace.
fn counted_collapsed() -> u64 {
    let text = std::fs::read_to_string("/proc/net/netstat").unwrap();
    let mut lines = text.lines().filter(|line| line.starts_with("TcpExt:")).map(str::split_whitespace);
    let (names, mut values) = (lines.next().unwrap(), lines.next().unwrap());
    let at = names.clone().position(|name| name == "TCPRcvCollapsed").unwrap();
    values.nth(at).unwrap().parse().unwrap()
}

/// Many small segments that are not read use more memory than the window counts, so the kernel merges them.
/// Each is reported, with the connection and the process that has it.
#[test]
fn receive_queues_that_are_collapsed_are_told() {
    let Some((mut accountant, _alone)) = accountant() else { return };
    if !accountant.has(Part::Pruning) {
        return eprintln!("skipped: this kernel lets nothing hook into its functions");
    }
    let (mut writer, mut reader) = connection();
    let at = reader.local_addr().unwrap();
    // The first read shows which process has the socket.
    writer.write_all(&[1; 100]).unwrap();
    reader.read_exact(&mut [0; 100]).unwrap();
    let receiver = Socket::from(reader.try_clone().unwrap());
    receiver.set_recv_buffer_size(30_000).unwrap();
    writer.set_nodelay(true).unwrap();
    writer.set_nonblocking(true).unwrap();
    let before = counted_collapsed();
    let began = Instant::now();
    while counted_collapsed() < before + 100 && began.elapsed() < PATIENCE {
        // Each write becomes a segment of its own while fewer segments are in flight than the first
        // congestion window allows. Data that waits is sent in full segments, whose memory overhead is small.
        for _ in 0..FIRST_WINDOW {
            let _ = writer.write(&[1; 16]);
        }
        while unacknowledged(&writer) > 0 && began.elapsed() < PATIENCE {
            assert!(set_option(&receiver, libc::IPPROTO_TCP, libc::TCP_QUICKACK, &1_i32.to_ne_bytes()));
            std::thread::yield_now();
        }
    }
    let counted = counted_collapsed() - before;
    accountant.tell(true, |_| ()).unwrap();
    let (mut collapsed, mut is_named) = (0, false);
    accountant.events(|event, _| {
        let is_own = event.ends.as_ref().is_some_and(|[local, _]| is_of(local, at));
        if let (true, Happening::ReceivePruned { how: Pruning::Collapsed, count }) = (is_own, event.what) {
            collapsed += count;
            is_named = event.process.is_some_and(|process| process.pid == std::process::id());
        }
    });
    assert!(counted > 0, "the kernel has collapsed some");
    // Segments of other connections may have been collapsed in the same time.
    assert!(collapsed > 0 && collapsed <= counted, "{collapsed} of {counted}");
    assert!(is_named, "its program is known");
}
