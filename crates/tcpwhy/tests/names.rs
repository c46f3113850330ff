//! Server names that clients used, and findings about many connections, in all output.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "other captures are for other tests")]
mod support;

use std::path::Path;

use serde_json::Value;
use support::{Trace, capture, data, file, tcpwhy};

const SERVER: (&str, u16) = ("192.0.2.80", 80);

fn hosts() -> Trace {
    Trace::default()
        .request(("10.1.2.3", 40_000), SERVER, 0, b"GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n")
        .request(
            ("10.1.2.3", 40_001),
            SERVER,
            500,
            "GET / HTTP/1.1\r\nHost: a\u{202e}\u{1b}[31m.example\r\n\r\n".as_bytes(),
        )
        .request(("10.1.2.3", 40_002), SERVER, 1000, b"SSH-2.0-client\r\n")
}

fn said(args: &[&str], path: &Path) -> String {
    let output = tcpwhy().args(args).arg(path).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str], path: &Path) -> Value {
    serde_json::from_str(&said(&[args, &["--json"]].concat(), path)).unwrap()
}

#[test]
fn servers_are_called_as_their_clients_call_them() {
    let path = capture("hosts.pcapng", &hosts());
    let text = said(&["--names=sni", "--width", "160"], &path);
    assert!(text.contains("192.0.2.80:80 [shop.example] → 10.1.2.3:40000"), "{text}");
    assert!(!text.contains(['\u{202e}', '\u{1b}']) && text.contains("\\u{202e}"), "{text}");
    // A narrow table truncates names, then omits them; the addresses stay.
    for width in ["80", "70", "60"] {
        let narrow = said(&["--names=sni", "--width", width], &path);
        let rows: Vec<_> =
            narrow.lines().filter(|line| line.starts_with(['0', '1', '2']) && line.contains("→ 10.1.2.3")).collect();
        assert_eq!(rows.len(), 3, "{narrow}");
        assert!(rows.iter().all(|row| row.contains("192.0.2.80:80") && row.contains("→ 10.1.2.3:4000")), "{narrow}");
        assert_eq!(narrow.contains("192.0.2.80:80 [sho"), width != "60", "{narrow}");
    }
    let document = json(&["--names=sni"], &path);
    let name = |n: usize, end: usize| document["connections"][n]["endpoints"][end]["server_name"].as_str();
    assert_eq!((name(0, 0), name(0, 1), name(2, 1)), (None, Some("shop.example"), None));
    assert_eq!(name(1, 1), Some("a\u{202e}\u{1b}[31m.example"));
    let page = file("hosts.html");
    said(&["--names=sni", "--html", page.to_str().unwrap()], &path);
    let page = data(&std::fs::read_to_string(page).unwrap());
    assert_eq!(page["server_names"]["0"]["name"], "shop.example");
    assert_eq!(page["server_names"]["0"]["end"], "192.0.2.80:80");
    assert!(!page["server_names"]["1"]["name"].as_str().unwrap().contains('\u{1b}'));
}

#[test]
fn nobody_is_called_anything_unasked() {
    let path = capture("hosts-unasked.pcapng", &hosts());
    for args in [&["--json"][..], &["--json", "--names=dns"], &["--json", "--anonymize"], &["--width", "160"]] {
        let text = said(args, &path);
        assert!(!text.contains("shop.example") && !text.contains("server_name"), "{text}");
    }
    let refused = tcpwhy().args(["--names=sni", "--anonymize"]).arg(&path).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_connection_for_each_request_is_told_of_the_whole_capture() {
    let repeated = |count: u16| {
        (0..count).fold(Trace::default(), |trace, n| {
            trace.request(("10.1.2.3", 41_000 + n), SERVER, i64::from(n) * 150, b"GET / HTTP/1.1\r\n\r\n")
        })
    };
    let path = capture("per-request.pcapng", &repeated(40));
    let text = said(&["--width", "100"], &path);
    assert!(text.contains("A connection for each request: 10.1.2.3 opened 40 connections to 192.0.2.80:80"), "{text}");
    let chinese = said(&["--lang", "zh-CN", "--width", "100"], &path);
    assert!(chinese.contains("每个请求都新建连接：10.1.2.3 到 192.0.2.80:80 新建了 40 个连接"), "{chinese}");
    let document = json(&[], &path);
    assert_eq!(document["across_connections"][0]["rule"], "connection-per-request");
    let anonymous = json(&["--anonymize"], &path);
    assert!(!anonymous.to_string().contains("10.1.2.3"), "{anonymous}");
    let page = file("per-request.html");
    said(&["--html", page.to_str().unwrap()], &path);
    let page = data(&std::fs::read_to_string(page).unwrap());
    assert_eq!(page["documents"]["en"]["across_connections"][0]["title"], "A connection for each request");
    let few = json(&[], &capture("some-requests.pcapng", &repeated(9)));
    assert!(few.get("across_connections").is_none(), "{few}");
}
