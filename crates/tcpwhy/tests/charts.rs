//! `--html`, `--svg` and `serve` as they are called.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use expect_test::expect_file;
use serde_json::Value;
use support::{capture, file, many, one, tcpwhy};

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"));
    path.to_str().unwrap().to_owned()
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"tcpwhy-data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_tells_what_the_terminal_tells() {
    let path = capture("page.pcapng", &one());
    let html = file("page.html");
    let run = tcpwhy().arg(&path).arg("--html").arg(&html).output().unwrap();
    assert!(run.status.success() && run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    let page = data(&fs::read_to_string(&html).unwrap());
    let json = tcpwhy().arg("--json").arg(&path).output().unwrap();
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let (told, shown) = (&json["connections"][0], &page["documents"]["en"]["connections"][0]);
    for key in ["id", "endpoints", "duration_s", "packets", "ending"] {
        assert_eq!(told[key], shown[key], "{key}");
    }
    assert_eq!(told["halves"][0]["limits"], shown["halves"][0]["limits"]);
    assert_eq!(told["halves"][0]["verdict"], shown["halves"][0]["verdict"]);
    assert_eq!(page["charts"][0]["packet_count"], 306);
    assert_eq!(page["language"], "en");
}

#[test]
fn a_page_goes_to_standard_output_and_comes_from_standard_input() {
    let bytes = one().pcapng();
    let run = tcpwhy().args(["-", "--html", "-", "--lang", "zh-CN"]).write_stdin(bytes).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<html lang=\"zh-CN\">"));
    let data = data(&page);
    assert_eq!((&data["documents"]["en"]["captures"][0]["path"], &data["language"]), (&"-".into(), &"zh-CN".into()));
    assert_eq!(data["charts"].as_array().unwrap().len(), 1, "what came from a pipe was read a second time");
}

#[test]
fn a_page_of_several_captures_and_of_one_connection() {
    let (a, b) = (capture("several-a.pcapng", &one()), capture("several-b.pcapng", &many()));
    let run = tcpwhy().arg(&a).arg(&b).args(["--html", "-"]).output().unwrap();
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!(page["overview"]["connections"], 14);
    let ids: Vec<_> = page["charts"].as_array().unwrap().iter().map(|c| c["connection"].as_u64().unwrap()).collect();
    assert_eq!((ids.len(), ids.contains(&0)), (4, true), "those with data, from both: {ids:?}");
    let run = tcpwhy().arg(&b).args(["--html", "-", "--connection", "1"]).output().unwrap();
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!((&page["overview"]["connections"], &page["charts"][0]["connection"]), (&1.into(), &1.into()));
}

#[test]
fn addresses_are_replaced_everywhere() {
    let path = capture("10.1.2.3-anonymous.pcapng", &many());
    let folder = file("anonymous");
    let run = tcpwhy().arg(&path).args(["--html", "-", "--anonymize-key", "k", "--svg"]).arg(&folder).output().unwrap();
    let page = String::from_utf8(run.stdout).unwrap();
    let pictures = fs::read_dir(&folder).unwrap().map(|f| fs::read_to_string(f.unwrap().path()).unwrap());
    for content in std::iter::once(page).chain(pictures) {
        for address in ["10.1.2.", "10.9.8.7", "192.0.2.80", "203.0.113.94"] {
            assert!(!content.contains(address), "{address}");
        }
    }
}

#[test]
fn nothing_to_show_is_said() {
    let path = capture("nothing.pcapng", &one());
    let run = tcpwhy().arg(&path).args(["--html", "-", "--connection", "9"]).output().unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success() && error.starts_with("tcpwhy: No such connection"), "{error}");
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!((&page["overview"]["connections"], page["charts"].as_array().unwrap().len()), (&0.into(), 0));
}

#[test]
fn what_cannot_be_written_is_said() {
    let path = capture("unwritable.pcapng", &one());
    for option in ["--html", "--svg"] {
        let run = tcpwhy().arg(&path).args([option, "/proc/no/such/place"]).output().unwrap();
        assert_eq!(run.status.code(), Some(2));
        let error = String::from_utf8(run.stderr).unwrap();
        assert!(error.starts_with("tcpwhy: cannot write /proc/no") && error.lines().count() == 1, "{error}");
    }
    let run = tcpwhy().args(["/no/such/file.pcap", "--html", "-"]).output().unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
}

/// The pictures of the documentation, which `scripts/pictures` makes (or this test with `UPDATE_EXPECT=1`).
#[test]
fn pictures_of_the_samples() {
    for (name, sample_name, chart, arguments) in [
        ("send-buffer", "send-buffer", "server-all", &[][..]),
        ("send-buffer-zoom", "send-buffer", "server-sequence", &["--svg-time", "1.2-1.3"]),
        ("receive-window-zoom", "receive-window-4k", "client-sequence", &["--svg-time", "1.2-1.4"]),
        ("zero-window", "zero-window", "server-sequence", &[]),
        ("loss", "loss", "server-all", &[]),
        ("loss-zoom.zh-CN", "loss", "server-sequence", &["--svg-time", "1.8-2.3", "--lang", "zh-CN"]),
    ] {
        let folder = file(&format!("svg-{name}"));
        let run = tcpwhy().arg(sample(sample_name)).arg("--svg").arg(&folder).args(arguments).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        let picture = fs::read_to_string(folder.join(format!("c0-{chart}.svg"))).unwrap();
        assert!(picture.len() < 200_000, "{name}: {}", picture.len());
        let golden = format!("{}/../../docs/charts/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        expect_file![PathBuf::from(golden)].assert_eq(&picture);
    }
}

/// A server of its own for a test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(capture: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tcpwhy"))
            .arg("serve")
            .arg(capture)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|l| l.strip_suffix('/')).expect(&line);
        Self { address: address.parse().unwrap(), child }
    }

    /// Status line and headers, and body.
    fn ask(&self, method: &str, path: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").expect(&answer);
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.ask("GET", path, &self.address.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_shows_the_page_and_answers_with_detail() {
    let server = Server::start(&capture("serve.pcapng", &many()), &["--lang", "en"]);
    assert!(server.address.ip().is_loopback());
    let (head, page) = server.get("/");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    for header in ["connect-src 'self'", "frame-ancestors 'none'", "nosniff", "no-store", "same-origin"] {
        assert!(head.contains(header), "{header}: {head}");
    }
    let page = data(&page);
    assert_eq!(page["server"]["chart"], "api/chart");
    let id = page["charts"][0]["connection"].as_u64().unwrap();
    let (_, whole) = server.get(&format!("/api/chart?connection={id}"));
    let whole: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(whole["chart"]["packet_count"], page["charts"][0]["packet_count"]);
    let (_, part) = server.get(&format!("/api/chart?connection={id}&from=0.5&to=0.7"));
    let part: Value = serde_json::from_str(&part).unwrap();
    let chart = &part["chart"];
    assert_eq!((&chart["connection"], &chart["from_s"], &chart["to_s"]), (&id.into(), &0.5.into(), &0.7.into()));
    // A round trip of 40 ms brings two segments and an ACK.
    assert!((12..=18).contains(&chart["packet_count"].as_u64().unwrap()), "{}", chart["packet_count"]);
    assert_eq!(part["documents"]["en"]["connections"][0]["id"], id);
}

#[test]
fn a_server_gives_nothing_else() {
    let server = Server::start(&capture("serve-strict.pcapng", &one()), &[]);
    let own = server.address.to_string();
    let status = |method: &str, path: &str, host: &str| server.ask(method, path, host).0[9..12].to_owned();
    assert_eq!(status("GET", "/", "evil.example"), "421");
    assert_eq!(status("GET", "/", &format!("evil.example:{}", server.address.port())), "421");
    assert_eq!(status("GET", "/", &format!("localhost:{}", server.address.port())), "200");
    assert_eq!(status("POST", "/", &own), "405");
    for path in ["/../../../../etc/passwd", "/etc/passwd", "/api/chart/../x", "//", "/%2e%2e/", "/api/charts"] {
        assert_eq!(status("GET", path, &own), "404", "{path}");
    }
    assert_eq!(status("GET", "/api/chart?connection=99", &own), "404");
    for query in ["", "?connection=x", "?connection=0&from=2&to=1", "?connection=0&from=inf"] {
        assert_eq!(status("GET", &format!("/api/chart{query}"), &own), "400", "{query}");
    }
    assert_eq!(status("HEAD", "/", &own), "200");
}

#[cfg(unix)]
#[test]
fn a_server_ends_when_interrupted() {
    let mut server = Server::start(&capture("serve-end.pcapng", &one()), &[]);
    let killed = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(!server.child.wait().unwrap().success());
    assert!(TcpStream::connect(server.address).is_err());
}
