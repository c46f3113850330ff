//! Options of commands that listen, or that answer a client on standard input.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{Ran, Row, STRANGER, row};

/// A test that waits longer fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A child process that ends with the test.
struct Started(Option<Child>);

impl Started {
    fn of(r: &Ran) -> Self {
        let mut command = r.command();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Self(Some(child.unwrap()))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }

    /// The address in its first line, and the path after it.
    fn printed(&mut self) -> (SocketAddr, String) {
        let mut line = String::new();
        // Reads single bytes, so that later output stays in the pipe.
        let out = self.child().stdout.as_mut().unwrap();
        let mut byte = [0];
        while !line.ends_with('\n') && out.read(&mut byte).unwrap() > 0 {
            line.push(char::from(byte[0]));
        }
        let printed = line.trim_end().strip_prefix("http://").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        let (address, path) = printed.split_once('/').unwrap();
        (address.parse().unwrap(), format!("/{path}"))
    }

    /// Ends it with SIGINT, and returns its earlier answer as the output.
    fn end(mut self, answer: String) -> Output {
        let child = self.0.take().unwrap();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let status = std::os::unix::process::ExitStatusExt::from_raw(0);
        Output { status, stdout: answer.into_bytes(), stderr: output.stderr }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn get(address: SocketAddr, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Requests the page of `serve`.
#[allow(clippy::unnecessary_wraps, reason = "a way to run a row")]
fn served(r: &Ran) -> Option<Output> {
    let mut server = Started::of(r);
    let (address, path) = server.printed();
    let answer = get(address, &path, &address.to_string());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (_, page) = answer.split_once("\r\n\r\n").unwrap();
    Some(server.end(page.to_owned()))
}

/// Requests the metrics of `export` under another host name.
fn exported(r: &Ran) -> Option<Output> {
    tcpwhy_testkit::in_namespace(|| {
        let mut exporter = Started::of(r);
        let (address, path) = exporter.printed();
        let refused = get(address, &path, "other.example");
        assert!(!refused.starts_with("HTTP/1.1 200"), "{refused}");
        let answer = get(address, &path, "metrics.example");
        exporter.end(answer)
    })
}

/// The file that `export` writes repeatedly.
fn written(r: &Ran) -> Option<Output> {
    tcpwhy_testkit::in_namespace(|| {
        let exporter = Started::of(r);
        let end = Instant::now() + PATIENCE;
        let file = r.folder.path().join("taken");
        while std::fs::read_to_string(&file).is_ok_and(|text| !text.contains("tcpwhy_")) {
            assert!(Instant::now() < end, "nothing was written");
            std::thread::sleep(Duration::from_millis(20));
        }
        exporter.end(std::fs::read_to_string(&file).unwrap())
    })
}

/// All responses of `mcp` to a client that initializes, lists the tools and asks about a capture.
#[allow(clippy::unnecessary_wraps, reason = "a way to run a row")]
fn asked(r: &Ran) -> Option<Output> {
    let mut server = Started::of(r);
    let mut input = server.child().stdin.take().unwrap();
    let mut output = BufReader::new(server.child().stdout.take().unwrap());
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let explain = json!({ "name": "explain", "arguments": { "capture": "send-buffer.pcap.gz" } });
    let requests = [("initialize", hello), ("tools/list", json!({})), ("tools/call", explain)];
    let mut all = String::new();
    for (id, (method, params)) in (1..).zip(requests) {
        writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        all += &line;
        if id == 1 {
            writeln!(input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        }
    }
    drop((input, output));
    let child = server.0.take().unwrap();
    let mut ended = child.wait_with_output().unwrap();
    ended.stdout = all.into_bytes();
    Some(ended)
}

pub(crate) fn rows() -> Vec<Row> {
    let serve = |arguments, checks| row(&["serve"], arguments, checks).started_by(served);
    let mcp = |arguments, checks| row(&["mcp"], arguments, checks).started_by(asked);
    vec![
        serve(
            "@many --listen 127.0.0.1:0 --port 3306 --lang zh-CN --quiet",
            vec![
                ("--listen", |r| assert!(number_of_charts(r) > 0)),
                ("--port", |r| assert_eq!(number_of_charts(r), 2)),
                ("--lang", |r| r.says("lang=\"zh-CN\"")),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        serve(
            "@many --host 192.0.2.80 -q",
            vec![("--host", |r| assert_eq!(number_of_charts(r), 1)), ("-q", |r| r.is_quiet())],
        ),
        serve("@many --min-bytes 100k", vec![("--min-bytes", |r| assert_eq!(number_of_charts(r), 1))]),
        serve(
            "@many --filter 'port 80 and host 192.0.2.80'",
            vec![("--filter", |r| assert_eq!(number_of_charts(r), 1))],
        ),
        serve("@one @later --merge", vec![("--merge", |r| assert!(number_of_charts(r) > 0))]),
        serve("@names --names=sni", vec![("--names", |r| r.says("shop.example"))]),
        serve("@one --anonymize", vec![("--anonymize", |r| r.says_not("10.9.8.7"))]),
        serve("@one --anonymize-key-file @key", vec![("--anonymize-key-file", |r| r.says_not("10.9.8.7"))]),
        serve("@one --anonymize-key 'a passphrase'", vec![("--anonymize-key", |r| r.says_not("10.9.8.7"))]),
        row(
            &["export"],
            "--listen 127.0.0.1:0 --allow-host metrics.example --quiet",
            vec![
                ("--listen", |r| r.says("# TYPE tcpwhy_")),
                ("--allow-host", |r| assert!(r.out.starts_with("HTTP/1.1 200"), "{}", r.out)),
                ("--quiet", |r| r.is_quiet()),
            ],
        )
        .started_by(exported),
        row(
            &["export"],
            "--output @out/taken --overwrite",
            vec![
                ("--output", |r| r.says("# TYPE tcpwhy_")),
                ("--overwrite", |r| assert_ne!(r.text("taken"), STRANGER)),
            ],
        )
        .started_by(written),
        row(
            &["export"],
            "-o @out/taken --overwrite -q",
            vec![("-o", |r| r.says("# TYPE tcpwhy_")), ("-q", |r| r.is_quiet())],
        )
        .started_by(written),
        mcp(
            "@samples --timeout 60 --max-size 1GB --lang zh-CN",
            vec![
                ("--timeout", |r| r.says("send_buffer")),
                ("--max-size", |r| r.says("send_buffer")),
                ("--lang", |r| r.is_chinese()),
            ],
        ),
        mcp("@samples --allow-live", vec![("--allow-live", |r| r.says("\"name\":\"live\""))]),
        mcp("@samples --anonymize", vec![("--anonymize", |r| r.says_not("192.0.2.10"))]),
        mcp("@samples --anonymize-key-file @key", vec![("--anonymize-key-file", |r| r.says_not("192.0.2.10"))]),
        mcp("@samples --anonymize-key 'a passphrase'", vec![("--anonymize-key", |r| r.says_not("192.0.2.10"))]),
        row(&["mcp"], "@samples --check", vec![("--check", |r| r.says("\"mcpServers\""))]),
    ]
}

fn number_of_charts(r: &Ran) -> usize {
    r.page(&r.out)["charts"].as_array().unwrap().len()
}
