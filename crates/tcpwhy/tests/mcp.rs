//! `tcpwhy mcp` line by line, as a client without a library uses it. `python/mcp_tests` has the other tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").canonicalize().unwrap()
}

/// A server, and the two pipes to it.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(cargo_bin!("tcpwhy"))
            .arg("mcp")
            .args(args)
            .args(["--lang", "en"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, stdin, stdout, last: 0 };
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let answer = server.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "tcpwhy");
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").unwrap();
    }

    /// The answer to a request.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "the server ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    /// The answer of a tool, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(text.len() <= 4096, "{} bytes", text.len());
        (serde_json::from_str(text).unwrap(), answer["result"]["isError"] == true)
    }

    /// Disconnects and waits for the end.
    fn end(self) {
        let Self { mut child, stdin, stdout, .. } = self;
        drop((stdin, stdout));
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_capture_is_explained_from_the_problem_to_the_packet() {
    let mut server = Server::start(&[samples().to_str().unwrap()]);
    let tools = server.ask("tools/list", &json!({}));
    let names: Vec<_> = tools["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["explain", "why", "compare", "buffers", "audit"]);
    let (capture, is_error) = server.call("explain", &json!({ "capture": "send-buffer.pcap.gz" }));
    assert!(!is_error);
    assert_eq!(capture["problems"][0]["cause"], "send_buffer");
    let example = &capture["problems"][0]["example"];
    let (one, _) =
        server.call("explain", &json!({ "capture": "send-buffer.pcap.gz", "connection": example["connection"] }));
    assert_eq!(one["packet"], example["packet"]);
    let longest = &one["directions"][0]["limits"][0]["longest"];
    let time = longest["from_s"].as_f64().unwrap() + 0.01;
    let (moment, _) = server.call("why", &json!({ "capture": "send-buffer.pcap.gz", "time": time.to_string() }));
    assert_eq!(&moment["directions"][0]["during"], longest);
    let rule = one["findings"][0]["rule"].as_str().unwrap();
    let text = server.ask("resources/read", &json!({ "uri": format!("tcpwhy://rules/{rule}") }));
    assert!(text["result"]["contents"][0]["text"].as_str().unwrap().contains(rule));
    server.end();
}

#[test]
fn nothing_but_the_folder_is_read_and_errors_end_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(samples().join("loss.pcap.gz"), folder.path().join("own.pcap.gz")).unwrap();
    let mut server = Server::start(&[folder.path().to_str().unwrap()]);
    let outside = samples().join("loss.pcap.gz");
    for name in ["../own.pcap.gz", "/etc/passwd", "/dev/zero", "own.pcap.gz/x", "", outside.to_str().unwrap()] {
        let (error, is_error) = server.call("explain", &json!({ "capture": name }));
        assert!(is_error && error["error"].as_str().unwrap().starts_with("no such file"), "{name}: {error}");
    }
    for (tool, arguments) in [("explain", json!({ "capture": 1 })), ("live", json!({})), ("why", json!({}))] {
        assert!(server.call(tool, &arguments).1, "{tool}");
    }
    assert_eq!(server.ask("tools/call", &json!({ "name": "shell" }))["error"]["code"], -32602);
    let (listed, _) = server.call("explain", &json!({}));
    assert_eq!(listed["captures"], json!(["⟦own.pcap.gz⟧"]));
    server.end();
}

/// The first answer, its problems and its connections have a confidence.
#[test]
fn the_first_answer_says_how_often_it_is_right() {
    let mut server = Server::start(&[samples().to_str().unwrap()]);
    let (listed, _) = server.call("explain", &json!({}));
    let mut seen = 0;
    for capture in listed["captures"].as_array().unwrap() {
        let (answer, _) = server.call("explain", &json!({ "capture": capture }));
        let is_share = |value: &Value| value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share));
        assert!(is_share(&answer["confidence"]), "{capture}: {answer}");
        for problem in answer["problems"].as_array().unwrap() {
            assert!(is_share(&problem["confidence"]), "{capture}: {problem}");
        }
        for connection in answer["connections"].as_array().unwrap() {
            assert_eq!(is_share(&connection["confidence"]), connection["limit"].is_string(), "{capture}: {connection}");
        }
        seen += 1;
    }
    assert!(seen > 10);
    server.end();
}

/// Captures are known by their content, and so are saved hosts.
#[test]
fn only_captures_are_listed_as_captures() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    let capture = std::fs::read(samples().join("loss.pcap.gz")).unwrap();
    write("no-end", &capture);
    write("real.pcap.gz", &capture);
    write("README.md", b"# Captures\n\nTaken on 2026-11-21 with tcpdump: TCP connections that were slow.\n");
    write("text.pcap", b"not a capture\n");
    write("empty.pcap", b"");
    write("zeros.pcapng", &[0; 4096]);
    std::fs::create_dir(folder.path().join("web1")).unwrap();
    std::fs::copy(samples().join("host/ss"), folder.path().join("web1/ss")).unwrap();
    let mut server = Server::start(&[folder.path().to_str().unwrap()]);
    let (listed, _) = server.call("explain", &json!({}));
    assert_eq!(listed["captures"], json!(["⟦no-end⟧", "⟦real.pcap.gz⟧"]));
    assert_eq!((&listed["matched"], &listed["returned"]), (&json!(2), &json!(2)));
    assert_eq!(listed["hosts"], json!(["⟦web1⟧"]));
    let (audit, is_error) = server.call("audit", &json!({ "host": listed["hosts"][0] }));
    assert!(!is_error, "{audit}");
    server.end();
}

/// While names are replaced, the true name of a file gets the answer of a file that does not exist.
#[test]
fn true_names_are_refused_while_names_are_replaced() {
    let mut server = Server::start(&["--anonymize", samples().to_str().unwrap()]);
    let (listed, _) = server.call("explain", &json!({}));
    let text = listed.to_string();
    assert!(!text.contains("loss") && !text.contains("⟦host⟧"), "{text}");
    let capture = &listed["captures"][0];
    assert!(!server.call("explain", &json!({ "capture": capture })).1, "as it is listed");
    assert!(!server.call("audit", &json!({ "host": listed["hosts"][0] })).1, "as it is listed");
    let whole = samples().join("loss.pcap.gz");
    let whole = whole.to_str().unwrap();
    for (what, true_name, no_name) in [
        ("a file", "loss.pcap.gz", "lost.pcap.gz"),
        ("with the fence of a listed name", "⟦loss.pcap.gz⟧", "⟦lost.pcap.gz⟧"),
        ("a whole path", whole, "/nowhere/loss.pcap.gz"),
        ("with a folder before it", "./loss.pcap.gz", "./lost.pcap.gz"),
        ("a text of a host", "host/ss", "host/xx"),
    ] {
        let moment = |name: &str| json!({ "capture": name, "time": "1" });
        let both = |name: &str| json!({ "before": name, "after": capture });
        for (tool, arguments) in [
            ("explain", [true_name, no_name].map(|name| json!({ "capture": name }))),
            ("why", [true_name, no_name].map(moment)),
            ("compare", [true_name, no_name].map(both)),
            ("audit", [true_name, no_name].map(|name| json!({ "host": name }))),
        ] {
            let [found, absent] = arguments.map(|arguments| server.call(tool, &arguments));
            assert!(found.1 && found == absent, "{what}, {tool}: {found:?} {absent:?}");
        }
    }
    let [found, absent] = ["host", "tsoh"].map(|name| server.call("audit", &json!({ "host": name })));
    assert!(found.1 && found == absent, "{found:?} {absent:?}");
    server.end();
}

/// An invalid line is answered with an error, and the server continues, also before a session.
#[test]
fn lines_that_are_no_messages_are_answered() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(17 << 20));
    let mut server = Server::start(&[samples().to_str().unwrap()]);
    for (what, line, id, code) in [
        (
            "a lone surrogate",
            &br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\ud800"}}"#[..],
            json!(null),
            -32700,
        ),
        ("broken UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", json!(null), -32700),
        ("a line of 17 MB", long.as_bytes(), json!(null), -32700),
        ("half a line", br#"{"jsonrpc":"2.0","#, json!(null), -32700),
        ("a batch", br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null), -32600),
        (
            "a name that is none",
            br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":7}}"#,
            json!("a"),
            -32602,
        ),
    ] {
        server.stdin.write_all(&[line, b"\n"].concat()).unwrap();
        let mut answer = String::new();
        server.stdout.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{what}: {answer}");
        assert!(answer.as_object().unwrap().contains_key("id"), "{what}: {answer}");
        assert_eq!(server.ask("ping", &json!({}))["result"], json!({}), "{what}");
    }
    server.end();
}

/// Wrong arguments are named.
#[test]
fn the_wrong_argument_is_named() {
    let mut server = Server::start(&[samples().to_str().unwrap()]);
    for (tool, arguments, expected) in [
        ("explain", json!({ "capture": 1 }), "capture must be a string"),
        ("explain", json!({ "first": 0 }), "first must be a whole number, 1 or larger"),
        ("explain", json!({ "file": "a.pcap" }), "file is not an argument of this tool"),
        ("why", json!({ "capture": "a.pcap" }), "time is missing"),
        ("buffers", json!({ "sysctl": [1] }), "sysctl must be an array of strings"),
    ] {
        let (answer, is_error) = server.call(tool, &arguments);
        let said = answer["error"].as_str().unwrap();
        assert!(is_error && said.starts_with(expected), "{tool} {arguments}: {said}");
    }
    let answer = server.ask("tools/call", &json!({ "name": "why", "arguments": [] }));
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().unwrap().starts_with("arguments "), "{answer}");
    server.end();
}

/// A client that writes without reading must not make memory grow. Once it reads, every request is answered.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_read_makes_nothing_grow() {
    /// Peak of resident memory, MB. A server that does nothing has about 40 in a debug build.
    const MOST_MEGABYTES: u64 = 200;
    const REQUESTS: u64 = 12_000;
    let Server { mut child, mut stdin, mut stdout, .. } = Server::start(&[samples().to_str().unwrap()]);
    let writer = std::thread::spawn(move || {
        for id in 0..REQUESTS {
            // The server closes its side only when it has failed.
            let line = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
            writeln!(stdin, "{line}").unwrap();
        }
        stdin
    });
    std::thread::sleep(std::time::Duration::from_secs(3));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(!writer.is_finished(), "the server reads on");
    assert!(kilobytes / 1000 < MOST_MEGABYTES, "{kilobytes} kB");
    let mut seen = 0;
    while seen < REQUESTS {
        let mut line = String::new();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "the server ended after {seen} answers");
        seen += u64::from(line.contains("\"tools\""));
    }
    drop((writer.join().unwrap(), stdout));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_client_that_says_nothing_ends_the_server() {
    let output = Command::new(cargo_bin!("tcpwhy"))
        .args(["mcp", samples().to_str().unwrap()])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}
