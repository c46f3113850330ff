//! Options of commands that watch, record or audit this host, in a separate network namespace with a
//! transfer.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use super::{Check, Ran, Row, STRANGER, row};

/// A connection over loopback that writes some bytes every few milliseconds.
pub(crate) struct Transfer {
    is_over: Arc<AtomicBool>,
    ends: Vec<JoinHandle<()>>,
}

/// Text in the payload of a [`Transfer`].
const PAYLOAD: &[u8] = b"what the two ends say to each other";

impl Transfer {
    /// Starts it in this thread's network namespace.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut reader, _) = listener.accept().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let writing = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                while !is_over.load(Ordering::Relaxed) {
                    let _ = sender.write(&PAYLOAD.repeat(20));
                    sleep(Duration::from_millis(3));
                }
            }
        });
        let reading = std::thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            while reader.read(&mut buffer).is_ok_and(|bytes| bytes > 0) {}
        });
        Self { is_over, ends: vec![writing, reading] }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for end in self.ends.drain(..) {
            let _ = end.join();
        }
    }
}

/// Runs the row during a transfer.
fn watched(r: &Ran) -> Option<Output> {
    tcpwhy_testkit::in_namespace(|| {
        let _transfer = Transfer::start();
        r.command().output().unwrap()
    })
}

/// Checks that the file is pcapng, and returns the explanation of it.
#[track_caller]
fn recorded(r: &Ran, name: &str) -> String {
    assert!(r.written(name).starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
    let mut explain = std::process::Command::new(crate::support::program());
    let output = explain.arg(r.folder.path().join(name)).args(["--json", "--quiet"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const LIVE: &[&str] = &["live --mode samples --for 300ms"];
const RECORD: &[&str] = &["record --for 400ms"];
const EXPORT: &[&str] = &["export --mode samples --for 300ms"];

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(live());
    rows.extend(record());
    rows.extend(export());
    rows.extend(audit());
    rows
}

fn live() -> Vec<Row> {
    let list = |arguments, checks| row(LIVE, arguments, checks).started_by(watched);
    let is_listed: Check = |r| r.says("127.0.0.1");
    vec![
        list(
            "--once --top 1 --lang zh-CN --width 120",
            vec![
                ("--once", is_listed),
                ("--top", is_listed),
                ("--lang", |r| r.is_chinese()),
                ("--width", |r| assert!(r.out.lines().any(|line| line.chars().count() > 60), "{}", r.out)),
            ],
        ),
        list(
            "--once --by port --color always --units iec",
            vec![
                ("--by", |r| assert!(!r.out.is_empty())),
                ("--color", |r| r.says("\u{1b}[")),
                ("--units", |r| assert!(!r.out.contains(" kB") && !r.out.contains(" MB"), "{}", r.out)),
            ],
        ),
        list(
            "--json --idle",
            vec![
                ("--json", |r| assert!(!r.list("/connections").is_empty(), "{}", r.out)),
                ("--idle", |r| assert!(r.list("/connections").len() >= 2, "the end that is only read from: {}", r.out)),
            ],
        ),
        list(
            "--jsonl",
            vec![("--jsonl", |r| {
                let lines: Vec<serde_json::Value> = r.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
                assert!(lines.len() > 1, "{}", r.out);
            })],
        ),
        list(
            "--once --rate 20 --cpu 50% --no-setsockopt",
            vec![("--rate", is_listed), ("--cpu", is_listed), ("--no-setsockopt", is_listed)],
        ),
        row(
            &["live"],
            "--once --for 200ms --mode samples --fail-on application",
            vec![("--for", is_listed), ("--mode", is_listed), ("--fail-on", is_listed)],
        )
        .started_by(watched)
        .ends_with(1),
        list("--once --theme none", vec![("--theme", is_listed)]),
        row(&["live"], "--check", vec![("--check", |r| assert!(r.out.lines().count() > 3, "{}", r.out))])
            .started_by(watched),
        list("--once --all-namespaces", vec![("--all-namespaces", is_listed)]).started_by(as_root),
    ]
}

/// Runs the row as root only.
fn as_root(r: &Ran) -> Option<Output> {
    if !rustix::process::geteuid().is_root() {
        tcpwhy_testkit::skip("only root may look into other namespaces");
        return None;
    }
    watched(r)
}

fn record() -> Vec<Row> {
    let record = |arguments, checks| row(RECORD, arguments, checks).started_by(watched);
    vec![
        record(
            "--output @out/a.pcapng --interface lo --snap 200 --payload --quiet",
            vec![
                ("--output", |r| assert!(recorded(r, "a.pcapng").contains("127.0.0.1"))),
                ("--interface", |r| assert!(recorded(r, "a.pcapng").contains("\"packets\":"))),
                ("--snap", |r| {
                    // Room for Ethernet, IPv4, and TCP headers with timestamps: no record is longer than
                    // requested.
                    assert!(r.written("a.pcapng").windows(PAYLOAD.len() * 4).all(|w| w != PAYLOAD.repeat(4)));
                }),
                ("--payload", |r| {
                    assert!(r.written("a.pcapng").windows(PAYLOAD.len()).any(|window| window == PAYLOAD));
                }),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        record(
            "-o @out/a.pcapng -i lo -q --rate 20 --cpu 50%",
            vec![
                ("-o", |r| assert!(recorded(r, "a.pcapng").contains("127.0.0.1"))),
                ("-i", |r| assert!(!r.written("a.pcapng").windows(PAYLOAD.len()).any(|window| window == PAYLOAD))),
                ("-q", |r| r.is_quiet()),
                ("--rate", |r| assert!(recorded(r, "a.pcapng").contains("\"samples\":"))),
                ("--cpu", |r| assert!(recorded(r, "a.pcapng").contains("\"samples\":"))),
            ],
        ),
        record(
            "--output @out/a.pcapng --no-packets --lang zh-CN",
            vec![
                ("--no-packets", |r| {
                    let file = r.written("a.pcapng");
                    assert!(file.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]) && file.len() > 200, "{} bytes", file.len());
                }),
                ("--lang", |r| {
                    assert!(r.err.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{}", r.err);
                }),
            ],
        ),
        record(
            "--output @out/taken --interface lo --overwrite",
            vec![("--overwrite", |r| {
                recorded(r, "taken");
                std::fs::write(r.folder.path().join("taken"), STRANGER).unwrap();
                r.without("--overwrite");
                assert_eq!(r.text("taken"), STRANGER);
            })],
        ),
        record(
            "--output @out/ring.pcapng --interface lo --ring 1MB --when 'limit=path for 5s'",
            vec![
                ("--ring", |r| assert!(r.files().iter().any(|name| name.starts_with("ring-0")), "{:?}", r.files())),
                ("--when", |r| assert!(r.err.lines().count() >= 1, "{}", r.err)),
            ],
        ),
        row(
            &["record"],
            "--for 300ms --output @out/a.pcapng --interface lo",
            vec![("--for", |r| {
                assert!(recorded(r, "a.pcapng").contains("127.0.0.1"));
            })],
        )
        .started_by(watched),
    ]
}

fn export() -> Vec<Row> {
    let export = |arguments, checks| row(EXPORT, arguments, checks).started_by(watched);
    let is_metrics: Check = |r| {
        r.says("# TYPE tcpwhy_");
        r.says("\ntcpwhy_");
    };
    vec![
        export(
            "--once --format openmetrics",
            vec![("--once", is_metrics), ("--format", |r| assert!(r.out.ends_with("# EOF\n"), "{}", r.out))],
        ),
        export(
            "--once --rate 20 --cpu 50% --max-series 100 --peer 24 --cgroup",
            vec![
                ("--rate", is_metrics),
                ("--cpu", is_metrics),
                ("--max-series", is_metrics),
                ("--peer", |r| r.says("127.0.0.0/24")),
                ("--cgroup", |r| r.says("cgroup=\"")),
            ],
        ),
        row(&["export"], "--once --for 200ms --mode samples", vec![("--for", is_metrics), ("--mode", is_metrics)])
            .started_by(watched),
        export("--once --all-namespaces", vec![("--all-namespaces", is_metrics)]).started_by(as_root),
        row(
            &["export"],
            "--dashboard",
            vec![("--dashboard", |r| {
                let dashboard: serde_json::Value = serde_json::from_str(&r.out).unwrap();
                assert!(!dashboard["panels"].as_array().unwrap().is_empty());
            })],
        ),
        row(&["export"], "--alerts", vec![("--alerts", |r| r.says("groups:\n"))]),
        // Help texts of metrics are English; those of alerts and dashboards are translated.
        row(&["export"], "--alerts --lang zh-CN", vec![("--lang", |r| r.is_chinese())]),
    ]
}

fn audit() -> Vec<Row> {
    vec![
        row(
            &["audit"],
            "--interval 300ms --save @out/saved",
            vec![
                ("--interval", |r| assert!(!r.out.is_empty())),
                ("--save", |r| {
                    let names = r.files();
                    assert!(names.iter().any(|name| name.ends_with("saved/sysctl")), "{names:?}");
                    assert!(r.instead("@out/saved -q").lines().count() >= 1);
                }),
            ],
        )
        .started_by(watched),
    ]
}
