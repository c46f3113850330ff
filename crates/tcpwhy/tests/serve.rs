//! `tcpwhy serve` as a process, and attacks by clients over raw connections.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]
#![allow(clippy::format_collect, reason = "a request is read more easily than the way it grows")]

#[path = "support/server.rs"]
mod server;
mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use serde_json::Value;
use server::{AT_ONCE, Answer, CPU_TICK, Server, rest};
use support::{capture, data, large, many, one, program};

/// Exceeds the server's limit of connections.
const CROWD: usize = 300;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

// Regular use.

#[test]
fn the_page_and_more_detail() {
    let server = Server::start(&capture("serve.pcapng", &many()), &["--lang", "en"]);
    assert!(server.address.ip().is_loopback());
    let answer = server.get("");
    assert_eq!(answer.status, 200);
    let head = answer.head.to_lowercase();
    for header in [
        "content-type: text/html; charset=utf-8",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cross-origin-opener-policy: same-origin",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    assert!(!answer.body.contains(&server.token), "the page can be kept and sent: the token is not in it");
    let page = data(&answer.body);
    assert_eq!(page["server"]["chart"], "api/chart", "relative to the page, so under the token");
    let charts = page["charts"].as_array().unwrap();
    let first = charts.iter().find(|chart| !chart["halves"].as_array().unwrap().is_empty()).unwrap();
    let id = first["connection"].as_u64().unwrap();
    let whole = json(&server.get(&format!("api/chart?connection={id}")).body);
    assert_eq!(whole["chart"]["packet_count"], first["packet_count"]);
    let part = json(&server.get(&format!("api/chart?connection={id}&from=0.5&to=0.7")).body);
    let chart = &part["chart"];
    assert_eq!((&chart["connection"], &chart["from_s"], &chart["to_s"]), (&id.into(), &0.5.into(), &0.7.into()));
    // A round trip of 40 ms contains two segments and an ACK.
    assert!((12..=18).contains(&chart["packet_count"].as_u64().unwrap()), "{}", chart["packet_count"]);
    assert_eq!(part["documents"]["en"]["connections"][0]["id"], id);
}

#[test]
fn one_connection_carries_many_requests_in_order() {
    let server = Server::start(&capture("serve-pipelined.pcapng", &many()), &[]);
    let host = server.host();
    let ask = |target: &str, close: &str| format!("GET {target} HTTP/1.1\r\n{host}{close}\r\n");
    let charts = [0, 1, 2].map(|id| ask(&server.path(&format!("api/chart?connection={id}")), ""));
    let all = charts.concat() + &ask(&server.path("nothing"), "") + &ask(&server.path(""), "Connection: close\r\n");
    let answers = String::from_utf8(server.exchange(all.as_bytes())).unwrap();
    let statuses: Vec<&str> = answers.match_indices("HTTP/1.1 ").map(|(i, _)| &answers[i + 9..i + 12]).collect();
    assert_eq!(statuses, ["200", "200", "200", "404", "200"]);
    let at = |id: u64| answers.find(&format!("\"connection\":{id},")).unwrap();
    assert!(at(0) < at(1) && at(1) < at(2));
    assert!(answers.ends_with("</html>\n"));
}

#[test]
fn answers_are_compressed_for_those_who_take_it() {
    let server = Server::start(&capture("serve-gzip.pcapng", &many()), &[]);
    let host = server.host();
    let ask = |path: &str, header: &str| {
        let request = format!("GET {} HTTP/1.1\r\n{host}{header}Connection: close\r\n\r\n", server.path(path));
        let answer = server.exchange(request.as_bytes());
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        (String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase(), answer[end..].to_vec())
    };
    for path in ["", "api/chart?connection=0"] {
        let (plain_head, plain) = ask(path, "");
        let (head, packed) = ask(path, "Accept-Encoding: gzip, deflate, br\r\n");
        assert!(head.contains("content-encoding: gzip\r\n") && head.contains("vary: accept-encoding\r\n"), "{head}");
        assert!(
            !plain_head.contains("content-encoding") && plain_head.contains("vary: accept-encoding\r\n"),
            "{plain_head}"
        );
        assert!(head.contains(&format!("content-length: {}\r\n", packed.len())), "{head}");
        assert!(packed.len() * 2 < plain.len(), "{path}: {} of {}", packed.len(), plain.len());
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut read).unwrap();
        assert!(read == plain, "{path}");
        let (refused, _) = ask(path, "Accept-Encoding: gzip;q=0\r\n");
        assert!(!refused.contains("content-encoding"), "{refused}");
    }
    let (small, _) = ask("nothing", "Accept-Encoding: gzip\r\n");
    assert!(!small.contains("content-encoding"), "{small}");
}

#[test]
fn nothing_else() {
    let server = Server::start(&capture("serve-strict.pcapng", &one()), &[]);
    let status = |method: &str, path: &str| server.ask(method, &server.path(path), &server.host()).status;
    for path in ["../../../../etc/passwd", "etc/passwd", "api/chart/../x", "/", "%2e%2e/", "api/charts", "index.html"] {
        assert_eq!(status("GET", path), 404, "{path}");
    }
    assert_eq!(status("GET", "api/chart?connection=99"), 404);
    for query in ["", "?connection=x", "?connection=0&from=2&to=1", "?connection=0&from=inf"] {
        assert_eq!(status("GET", &format!("api/chart{query}")), 400, "{query}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "X"] {
        let answer = server.ask(method, &server.path(""), &server.host());
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head.to_lowercase().contains("allow: get, head"), "{}", answer.head);
    }
    let (get, head) = (server.get(""), server.ask("HEAD", &server.path(""), &server.host()));
    let length = format!("content-length: {}", get.body.len());
    assert!(get.head.to_lowercase().contains(&length) && head.head.to_lowercase().contains(&length), "{}", head.head);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    // A URL copied without its last character.
    let answer = server.ask("GET", &format!("/{}", server.token), &server.host());
    let location = format!("location: /{}/", server.token).to_lowercase();
    assert!(answer.status == 308 && answer.head.to_lowercase().contains(&location), "{}", answer.head);
}

#[test]
fn addresses_of_both_families_and_one_that_is_taken() {
    let path = capture("serve-listen.pcapng", &one());
    let server = Server::start(&path, &["--listen", "[::1]:0"]);
    assert!(server.address.is_ipv6() && server.address.port() != 0);
    server.check();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = support::tcpwhy().arg("serve").arg(&path).args(["--listen", &address]).output().unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), run.stdout.len(), error.lines().count()), (Some(2), 0, 1), "{error}");
    assert!(error.starts_with(&format!("tcpwhy: {address}: ")), "{error}");
}

#[test]
fn other_hosts_are_told_of() {
    let mut command = Command::new(program());
    let path = capture("serve-open.pcapng", &one());
    command.arg("serve").arg(path).args(["--listen", "0.0.0.0:0", "--lang", "en"]).stderr(Stdio::piped());
    let mut server = Server::spawn(command);
    server.child.kill().unwrap();
    let mut warning = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut warning).unwrap();
    assert!(warning.contains("Other hosts can reach"), "{warning}");
    assert!(!warning.contains(&server.token), "standard error is kept in logs: {warning}");
}

#[test]
fn a_signal_ends_it_and_nothing_is_left() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(program());
        let input = fs::File::open(capture(&format!("serve-end{signal}.pcapng"), &large())).unwrap();
        command.args(["serve", "-"]).env("TMPDIR", folder.path()).stdin(input);
        let mut server = Server::spawn(command);
        // The same while one client waits for a response and another has not completed its request.
        let mut asking = server.connect();
        write!(asking, "GET {} HTTP/1.1\r\n{}\r\n", server.path("api/chart?connection=5"), server.host()).unwrap();
        let mut idle = server.connect();
        idle.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        let status = server.end_by(signal);
        assert_eq!((status.code(), status.signal()), (Some(0), None), "{signal}");
        assert!(TcpStream::connect(server.address).is_err());
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{signal}: what came from standard input is still there"
        );
    }
}

// Access without the token.

#[test]
fn without_the_token_there_is_nothing() {
    let server = Server::start(&capture("serve-token.pcapng", &one()), &[]);
    let (token, host) = (&server.token, server.host());
    assert!(token.len() == 22 && token != &Server::start(&capture("serve-token.pcapng", &one()), &[]).token);
    let last = if token.ends_with('A') { "B" } else { "A" };
    let other_case: String = token
        .chars()
        .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    let encoded: String = token.bytes().map(|b| format!("%{b:02x}")).collect();
    let asked = |method: &str, target: &str| {
        let Answer { status, head, body } = server.ask(method, target, &host);
        let head: Vec<&str> = head.lines().filter(|line| !line.to_lowercase().starts_with("date:")).collect();
        (status, head.join("\n"), body)
    };
    let nothing = asked("GET", "/");
    assert_eq!(nothing.0, 404);
    for target in [
        format!("/{}/", &token[..21]),
        format!("/{}{last}/", &token[..21]),
        format!("/{token}=/"),
        format!("/{token}{token}/"),
        format!("/{other_case}/"),
        format!("/{encoded}/"),
        format!("//{token}/"),
        format!("/x/{token}/"),
        format!("/?{token}"),
        format!("/?/{token}/"),
        format!("/%00{token}/"),
        format!("/{token}%00/"),
        "/api/chart?connection=0".to_owned(),
        "/favicon.ico".to_owned(),
        "*".to_owned(),
    ] {
        assert_eq!(asked("GET", &target), nothing, "{target}");
    }
    assert_eq!(asked("POST", "/"), nothing, "methods are not told either");
    // One response per connection, so that guessing tokens is expensive.
    let two = format!("GET / HTTP/1.1\r\n{host}\r\n").repeat(2);
    assert_eq!(String::from_utf8(server.exchange(two.as_bytes())).unwrap().matches("HTTP/1.1 404").count(), 1);
    server.check();
}

#[test]
fn only_by_its_own_address() {
    let server = Server::start(&capture("serve-host.pcapng", &one()), &[]);
    let port = server.address.port();
    let own = server.host();
    let page = server.path("");
    for (target, headers, status) in [
        (page.clone(), format!("Host: localhost:{port}\r\n"), 200),
        (page.clone(), "Host: evil.example\r\n".into(), 421),
        // DNS rebinding: the right port and address under a foreign name.
        (page.clone(), format!("Host: evil.example:{port}\r\n"), 421),
        (page.clone(), format!("Host: 127.0.0.1.evil.example:{port}\r\n"), 421),
        (page.clone(), "Host: 127.0.0.1:1\r\n".into(), 421),
        (page.clone(), String::new(), 400),
        (page.clone(), format!("{own}Host: evil.example\r\n"), 400),
        (page.clone(), "Host: \u{e9}\r\n".into(), 400),
        (format!("http://{}{page}", server.address), own.clone(), 200),
        (format!("http://evil.example:{port}{page}"), own.clone(), 421),
        (page.clone(), format!("{own}Origin: http://evil.example\r\n"), 403),
        (page.clone(), format!("{own}Origin: null\r\n"), 403),
        (page.clone(), format!("{own}Origin: http://127.0.0.1:1\r\n"), 403),
        (page.clone(), format!("{own}Origin: http://{}\r\n", server.address), 200),
        (page.clone(), format!("{own}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403),
        (page.clone(), format!("{own}Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n"), 403),
        (page.clone(), format!("{own}Sec-Fetch-Site: same-origin\r\n"), 200),
    ] {
        let answer = server.ask("GET", &target, &headers);
        assert_eq!(answer.status, status, "{target} {headers}");
    }
    assert_eq!(server.ask("CONNECT", "evil.example:443", &own).status, 421);
    assert_eq!(server.ask("CONNECT", &server.address.to_string(), &own).status, 404);
}

// Limits for a single client.

/// The first line and `Host` of an incomplete request: with the token, without it, and with a foreign name.
fn beginnings(server: &Server, method: &str) -> [String; 3] {
    let own = server.host();
    [(server.path(""), own.as_str()), ("/".into(), own.as_str()), (server.path(""), "Host: evil.example\r\n")]
        .map(|(target, host)| format!("{method} {target} HTTP/1.1\r\n{host}"))
}

#[test]
fn a_declared_length_costs_nothing() {
    let server = Server::start(&capture("serve-length.pcapng", &one()), &[]);
    for method in ["GET", "POST"] {
        for begin in beginnings(&server, method) {
            for length in ["99999999999999", "18446744073709551615", "18446744073709551616", "-1", "1, 2", "9e9"] {
                let request = format!("{begin}Content-Length: {length}\r\n\r\n");
                let answer = Answer::parse(&server.exchange(request.as_bytes()));
                assert!((400..500).contains(&answer.status), "{length}: {}", answer.head);
            }
        }
    }
    let request = format!("GET {} HTTP/1.1\r\n{}Content-Length: 5\r\n\r\n12345", server.path(""), server.host());
    assert_eq!(Answer::parse(&server.exchange(request.as_bytes())).status, 413);
    let request =
        format!("GET {} HTTP/1.1\r\n{}Content-Length: 0\r\nConnection: close\r\n\r\n", server.path(""), server.host());
    assert_eq!(Answer::parse(&server.exchange(request.as_bytes())).status, 200);
    server.check();
}

#[test]
fn a_body_without_end_is_cut() {
    let server = Server::start(&capture("serve-chunked.pcapng", &one()), &[]);
    for begin in beginnings(&server, "POST") {
        let mut stream = server.connect();
        write!(stream, "{begin}Transfer-Encoding: chunked\r\n\r\n").unwrap();
        let chunk = [b"10000\r\n".as_slice(), &vec![b'x'; 0x10000], b"\r\n"].concat();
        // The chunks are 256 MB in total, but the connection closes long before.
        let sent = (0..4096).take_while(|_| stream.write_all(&chunk).is_ok()).count();
        assert!(sent < 1000, "{sent} chunks were taken");
    }
    // Two contradictory lengths are refused, because a proxy could choose the other one (request smuggling).
    let begin = &beginnings(&server, "GET")[0];
    let smuggled =
        format!("{begin}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    let answers = String::from_utf8(server.exchange(smuggled.as_bytes())).unwrap();
    assert!(answers.matches("HTTP/1.1 ").count() <= 1, "{answers}");
    server.check();
}

#[test]
fn heads_are_bounded() {
    let server = Server::start(&capture("serve-heads.pcapng", &one()), &[]);
    for begin in beginnings(&server, "GET") {
        let many: String = (0..10_000).map(|i| format!("X-{i}: y\r\n")).collect();
        let long = format!("X: {}\r\n", "y".repeat(40_000));
        for headers in [many, long] {
            let answer = server.exchange(format!("{begin}{headers}\r\n").as_bytes());
            // The server may reset the connection before the response is read.
            assert!(answer.is_empty() || Answer::parse(&answer).status == 431, "{}", headers.len());
        }
    }
    // As many and as long headers as a browser sends with cookies of other servers on this host.
    let headers: String = (0..60).map(|i| format!("X-{i}: {}\r\n", "y".repeat(300))).collect();
    assert_eq!(server.ask("GET", &server.path(""), &(server.host() + &headers)).status, 200);
    for length in [2_000, 30_000, 1 << 20] {
        let target = server.path(&"x".repeat(length));
        let answer = server.exchange(format!("GET {target} HTTP/1.1\r\n{}\r\n", server.host()).as_bytes());
        assert!(answer.is_empty() || [414, 431].contains(&Answer::parse(&answer).status), "{length}");
    }
    assert_eq!(server.get(&"x".repeat(2_000)).status, 414);
    server.check();
}

#[test]
fn any_bytes_are_survived() {
    let server = Server::start(&capture("serve-garbage.pcapng", &one()), &[]);
    let valid = format!("GET {} HTTP/1.1\r\n{}\r\n", server.path("api/chart?connection=0"), server.host()).into_bytes();
    let mut state = 1_u64;
    let mut random = || {
        // Knuth's MMIX generator, so that every run has the same bytes.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let ask_only = |bytes: &[u8]| {
        let mut stream = server.connect();
        let _ = stream.write_all(bytes);
        stream.shutdown(std::net::Shutdown::Write).unwrap_or_default();
        rest(&mut stream)
    };
    for round in 0..400 {
        let bytes: Vec<u8> = match round % 4 {
            0 => (0..random() % 3000).map(|_| random() as u8).collect(),
            // A valid request with a few changed bytes, truncated, or containing itself.
            1 => {
                let mut bytes = valid.clone();
                (0..=random() % 5).for_each(|_| {
                    let at = random() % bytes.len();
                    bytes[at] = random() as u8;
                });
                bytes
            }
            2 => valid[..random() % valid.len()].to_vec(),
            _ => [&valid[..random() % valid.len()], &valid[random() % valid.len()..]].concat(),
        };
        ask_only(&bytes);
    }
    for bytes in [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        b"GET  /  HTTP/1.1\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"\0",
    ] {
        let answer = ask_only(bytes);
        assert!(answer.is_empty() || (400..500).contains(&Answer::parse(&answer).status), "{bytes:?}");
    }
    server.check();
}

#[test]
fn half_a_request_is_not_waited_for() {
    let server = Server::start(&capture("serve-slow.pcapng", &one()), &[]);
    thread::scope(|scope| {
        for begin in beginnings(&server, "GET") {
            let server = &server;
            scope.spawn(move || {
                // Sends a byte now and then, so that the connection is never idle.
                let mut stream = server.connect();
                let start = Instant::now();
                stream.write_all(begin.as_bytes()).unwrap();
                while stream.write_all(b"X").is_ok() {
                    thread::sleep(Duration::from_millis(250));
                    assert!(start.elapsed() < Duration::from_secs(15), "still open");
                }
                assert!(start.elapsed() > Duration::from_secs(5), "closed at once");
            });
        }
        // Complete requests without the token do not extend the time either.
        scope.spawn(|| {
            let mut stream = server.connect();
            let _ = stream.write_all(b"\r\n");
            let start = Instant::now();
            rest(&mut stream);
            assert!(start.elapsed() < Duration::from_secs(15));
        });
        scope.spawn(|| {
            for _ in 0..10 {
                server.check();
                thread::sleep(Duration::from_millis(500));
            }
        });
    });
}

// Limits for many clients.

/// Raises the limit of open files, because the clients of the test need descriptors too.
fn allow_files(files: u64) {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < files) {
        let wanted = Rlimit { current: Some(files), maximum: limit.maximum };
        rustix::process::setrlimit(Resource::Nofile, wanted).expect("descriptors for the test");
    }
}

#[test]
fn a_crowd_that_is_silent_or_slow_does_not_keep_others_out() {
    allow_files(1024);
    let server = Server::start(&capture("serve-crowd.pcapng", &one()), &[]);
    for sent in [b"".as_slice(), b"GET / HTTP/1.1\r\nX: "] {
        let mut crowd: Vec<TcpStream> = (0..CROWD).map(|_| server.connect()).collect();
        for stream in &mut crowd {
            let _ = stream.write_all(sent);
        }
        for _ in 0..5 {
            server.check();
        }
    }
    // While new clients connect continuously.
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut crowd = std::collections::VecDeque::new();
            while !is_over.load(Relaxed) {
                crowd.push_back(TcpStream::connect(server.address));
                if crowd.len() > CROWD {
                    crowd.pop_front();
                }
            }
        });
        for _ in 0..20 {
            let start = Instant::now();
            let answer = server.exchange(
                format!("GET {} HTTP/1.1\r\nConnection: close\r\n{}\r\n", server.path(""), server.host()).as_bytes(),
            );
            assert!(answer.ends_with(b"</html>\n") && start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        }
        is_over.store(true, Relaxed);
    });
}

#[test]
fn clients_that_do_not_read_are_dropped() {
    allow_files(1024);
    let server = Server::start(&capture("serve-deaf.pcapng", &many()), &[]);
    let page = format!("GET {} HTTP/1.1\r\n{}\r\n", server.path(""), server.host());
    let length = server.get("").body.len();
    // Clients with the token request more data than the kernel's socket buffers hold.
    let requests = 1 + (32 << 20) / length;
    let (files, before) = (server.open_files().len(), memory(&server));
    let mut deaf: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(page.repeat(requests).as_bytes()).unwrap();
            stream
        })
        .collect();
    server.check();
    assert!(server.open_files().len() >= files + 30, "they are served at first");
    let start = Instant::now();
    while server.open_files().len() > files {
        server.check();
        assert!(start.elapsed() < Duration::from_secs(60), "still there");
        thread::sleep(Duration::from_millis(200));
    }
    let grown = memory(&server).saturating_sub(before);
    assert!(grown < 50 << 20, "{} MB more", grown >> 20);
    for stream in &mut deaf {
        assert!(rest(stream).len() < length * requests, "all of it was sent after all");
    }
}

/// Memory of the server, in bytes.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn without_descriptors_it_waits_and_goes_on() {
    allow_files(1024);
    // Started by root, the server would change to another user, and root may lack the capability to set that
    // process's limits. Without capabilities it keeps its user.
    let start = || {
        tcpwhy_rights::keep_only(&[]).unwrap();
        Server::start(&capture("serve-files.pcapng", &one()), &[])
    };
    let server = thread::spawn(start).join().unwrap();
    let pid = Pid::from_raw(i32::try_from(server.child.id()).unwrap()).unwrap();
    let open = server.open_files();
    let leave = |free: usize| {
        // The limit applies to descriptor numbers, of which some may be high.
        let current = (0..).filter(|number| !open.contains(number)).nth(free);
        let maximum = getrlimit(Resource::Nofile).maximum;
        prlimit(Some(pid), Resource::Nofile, Rlimit { current, maximum }).unwrap();
    };
    // Idle connections are closed when others connect.
    leave(3);
    let crowd: Vec<TcpStream> = (0..150).map(|_| server.connect()).collect();
    server.check();
    drop(crowd);
    server.check();
    // No connection can be accepted, and none can be closed.
    leave(0);
    let waiting: Vec<TcpStream> = (0..3).map(|_| server.connect()).collect();
    let before = server.cpu_time();
    thread::sleep(Duration::from_secs(2));
    let used = server.cpu_time().saturating_sub(before);
    assert!(used < Duration::from_millis(100), "{used:?} of processor time in 2 s");
    leave(8);
    server.check();
    drop(waiting);
}

#[test]
fn readings_that_wait_are_bounded_and_given_up() {
    let server = Server::start(&capture("serve-queue.pcapng", &large()), &["-q"]);
    // The last connection of the capture requires reading nearly all of it.
    let target = server.path("api/chart?connection=349");
    let ask = || {
        let mut stream = server.connect();
        write!(stream, "GET {target} HTTP/1.1\r\n{}Connection: close\r\n\r\n", server.host()).unwrap();
        stream
    };
    let used = |act: &dyn Fn()| {
        let before = server.cpu_time();
        act();
        // Waits until the server is idle.
        let mut after = server.cpu_time();
        loop {
            thread::sleep(Duration::from_millis(300));
            let now = server.cpu_time();
            if now == after {
                return now.saturating_sub(before);
            }
            after = now;
        }
    };
    let one = used(&|| assert_eq!(Answer::parse(&rest(&mut ask())).status, 200));
    let mut asking: Vec<TcpStream> = (0..60).map(|_| ask()).collect();
    server.check();
    let statuses: Vec<u16> = asking.iter_mut().map(|stream| Answer::parse(&rest(stream)).status).collect();
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
    // Nothing is read for disconnected clients, whether or not their turn has come.
    let none = used(&|| drop((0..10).map(|_| ask()).collect::<Vec<_>>()));
    assert!(none < one / 2 + CPU_TICK, "{none:?} of processor time for 10 that are gone; for one that waits {one:?}");
}

// Changes of the capture.

#[test]
fn a_capture_that_is_not_what_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changing.pcapng");
    let whole = many().pcapng();
    fs::write(&path, &whole).unwrap();
    let server = Server::start(&path, &[]);
    let chart = || server.get("api/chart?connection=0");
    assert_eq!(chart().status, 200);
    let aside = folder.path().join("aside");
    let changes: [(&str, &dyn Fn()); 6] = [
        ("a FIFO", &|| assert!(Command::new("mkfifo").arg(&path).status().unwrap().success())),
        ("gone", &|| {}),
        ("a directory", &|| fs::create_dir(&path).unwrap()),
        ("another capture", &|| fs::write(&path, one().pcapng()).unwrap()),
        ("a device", &|| std::os::unix::fs::symlink("/dev/zero", &path).unwrap()),
        ("a link to itself", &|| std::os::unix::fs::symlink(&path, &path).unwrap()),
    ];
    for (name, change) in changes {
        fs::rename(&path, &aside).unwrap();
        change();
        let start = Instant::now();
        let answer = chart();
        assert!(start.elapsed() < AT_ONCE, "{name}: {:?}", start.elapsed());
        assert_eq!((answer.status, answer.body.lines().count()), (500, 1), "{name}: {}", answer.body);
        assert!(answer.body.contains("changing.pcapng"), "{name}: {}", answer.body);
        server.check();
        if path.is_dir() {
            fs::remove_dir(&path).unwrap();
        } else {
            let _ = fs::remove_file(&path);
        }
        fs::rename(&aside, &path).unwrap();
        assert_eq!(chart().status, 200, "{name}: it is there again");
    }
    // Truncated, emptied, and rewritten in place.
    for length in [whole.len() - 1, whole.len() / 2, 100, 0] {
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length as u64).unwrap();
        let answer = chart();
        assert_eq!(answer.status, 500, "{length}");
        assert!(answer.body.contains("has changed"), "{}", answer.body);
        server.check();
    }
    fs::write(&path, vec![0; whole.len()]).unwrap();
    assert_eq!(chart().status, 500);
    // A capture that has grown is still the same.
    fs::write(&path, [whole.as_slice(), &whole].concat()).unwrap();
    assert_eq!(chart().status, 200);
}

#[test]
fn a_capture_that_changes_all_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let [path, pipe, aside] = ["capture", "pipe", "aside"].map(|name| folder.path().join(name));
    let bytes = large().pcapng();
    fs::write(&path, &bytes).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let server = Server::start(&path, &["-q"]);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            // The file is exchanged between any check of the path and its use.
            while !is_over.load(Relaxed) {
                fs::rename(&path, &aside).unwrap();
                fs::rename(&pipe, &path).unwrap();
                fs::rename(&path, &pipe).unwrap();
                fs::rename(&aside, &path).unwrap();
            }
        });
        for _ in 0..20 {
            let answer = server.get("api/chart?connection=3");
            assert!([200, 500].contains(&answer.status), "{}", answer.head);
        }
        is_over.store(true, Relaxed);
    });
    // Truncated and restored during the reading, so fast that it is complete before and after. A response is
    // complete or an error.
    is_over.store(false, Relaxed);
    let whole = json(&server.get("api/chart?connection=3").body)["chart"]["packet_count"].clone();
    thread::scope(|scope| {
        scope.spawn(|| {
            let opened = fs::OpenOptions::new().write(true).open(&path).unwrap();
            while !is_over.load(Relaxed) {
                opened.set_len(1000).unwrap();
                opened.write_all_at(&bytes, 0).unwrap();
                thread::sleep(Duration::from_millis(30));
            }
        });
        for _ in 0..20 {
            let answer = server.get("api/chart?connection=3");
            if answer.status == 200 {
                assert_eq!(json(&answer.body)["chart"]["packet_count"], whole);
            }
        }
        is_over.store(true, Relaxed);
    });
    server.check();
}

#[test]
fn what_cannot_be_read_twice_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [&["serve"][..], &["--html", "-"], &["--svg", "/nowhere"]] {
        let run = support::tcpwhy().args(arguments).arg(&pipe).timeout(Duration::from_secs(20)).output().unwrap();
        let error = String::from_utf8(run.stderr).unwrap();
        assert_eq!((run.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains("cannot be read twice"), "{error}");
    }
}

#[test]
fn replaced_addresses_stay_so_in_errors() {
    let path = capture("10.1.2.3-serve.pcapng", &many());
    let server = Server::start(&path, &["--anonymize-key", "k"]);
    fs::remove_file(&path).unwrap();
    let answer = server.get("api/chart?connection=0");
    assert!(answer.status == 500 && !answer.body.contains("10.1.2.3"), "{}", answer.body);
}
