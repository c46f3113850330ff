//! `tcpwhy mcp` line by line: what a client without a library sends. `python/mcp_tests` has the rest.
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

    /// What a tool answers, and whether that is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(text.len() <= 4096, "{} bytes", text.len());
        (serde_json::from_str(text).unwrap(), answer["result"]["isError"] == true)
    }

    /// Ends as when the client goes away.
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

#[test]
fn a_client_that_says_nothing_ends_the_server() {
    let output = Command::new(cargo_bin!("tcpwhy"))
        .args(["mcp", samples().to_str().unwrap()])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}
