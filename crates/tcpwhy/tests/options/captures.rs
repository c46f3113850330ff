//! Options of the program itself, which are also those of `explain`.

use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use super::host::Transfer;
use super::{Ran, Row, STRANGER, look, row};

const EXPLAIN: &[&str] = &["", "explain"];

/// Pages, tables and recordings contain no prose, so the checks only require a difference.
#[allow(clippy::too_many_lines, reason = "a table")]
pub(crate) fn rows() -> Vec<Row> {
    let mut rows =
        look(EXPLAIN, &["@send --lang zh-CN", "@send --color always", "@send --width 40", "@send --units iec"]);
    rows.push(row(&[""], "-V", vec![("-V", |r| assert!(r.out.starts_with("tcpwhy 0."), "{}", r.out))]));
    rows.push(row(&[""], "--version", vec![("--version", |r| assert!(r.out.starts_with("tcpwhy 0."), "{}", r.out))]));
    rows.extend([
        // Input.
        row(
            EXPLAIN,
            "@send @loss --json --merge",
            vec![
                ("--json", |r| assert_eq!(r.list("/connections").len(), 2)),
                ("--merge", |r| {
                    let apart: serde_json::Value = serde_json::from_str(&r.without("--merge")).unwrap();
                    assert!(apart["connections"][1]["capture"] == 1, "{apart}");
                    assert!(r.list("/connections").iter().all(|c| c["capture"].is_null()));
                }),
            ],
        ),
        row(
            EXPLAIN,
            "@out/in --json --recursive",
            vec![("--recursive", |r| {
                let names: Vec<_> = r.list("/captures").iter().map(|c| c["path"].to_string()).collect();
                assert!(names.len() == 3 && names.iter().any(|name| name.contains("below")), "{names:?}");
                assert!(!r.without("--recursive").contains("below/c.pcapng\""));
            })],
        ),
        row(EXPLAIN, "@out/in -r --json", vec![("-r", |r| assert_eq!(r.list("/captures").len(), 3))]),
        row(
            EXPLAIN,
            "@out/in -r --json --jobs 1",
            vec![("--jobs", |r| {
                assert_eq!(r.list("/captures").len(), 3);
                assert_eq!(r.without("--jobs 1"), r.out, "the same, whatever the jobs");
            })],
        ),
        row(
            EXPLAIN,
            "@growing --json --max-unpacked 32MiB",
            vec![("--max-unpacked", |r| {
                let [packets, few] =
                    [r.out.as_str(), &r.instead("@growing --json --max-unpacked 1MiB")].map(|document| {
                        let document: serde_json::Value = serde_json::from_str(document).unwrap();
                        document["captures"][0]["packets"].as_u64().unwrap()
                    });
                // One packet, and records of 16 bytes.
                assert!(packets == 1 + (16 << 20) / 16 && few < packets / 2, "{packets} and {few}");
            })],
        ),
        row(
            EXPLAIN,
            "@out/in -r --json --shard 1/2",
            vec![("--shard", |r| {
                let paths = |document: &str| -> Vec<String> {
                    let document: serde_json::Value = serde_json::from_str(document).unwrap();
                    document["captures"].as_array().unwrap().iter().map(|c| c["path"].to_string()).collect()
                };
                let mut both = paths(&r.out);
                both.extend(paths(&r.instead("@out/in -r --json --shard 2/2")));
                both.sort();
                assert_eq!(both, paths(&r.without("--shard 1/2")));
            })],
        ),
        // Selection.
        row(
            EXPLAIN,
            "@many --json --host 192.0.2.80",
            vec![("--host", |r| {
                let all = r.list("/connections");
                assert!(all.len() == 1 && all[0]["endpoints"].to_string().contains("192.0.2.80"), "{all:?}");
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --port 3306",
            vec![("--port", |r| assert!(r.list("/connections").len() == 2, "{}", r.out))],
        ),
        row(
            EXPLAIN,
            "@many --json --min-bytes 100k",
            vec![("--min-bytes", |r| assert_eq!(r.list("/connections").len(), 1, "{}", r.out))],
        ),
        row(
            EXPLAIN,
            "@many --json --filter 'net 10.0.0.0/8 and not port 3306'",
            vec![("--filter", |r| {
                assert!((1..13).contains(&r.list("/connections").len()) && !r.out.contains(":3306}"));
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --limit receive_window",
            vec![("--limit", |r| {
                let all = r.list("/connections");
                assert!(!all.is_empty() && all.len() < 13, "{}", all.len());
                assert!(all.iter().all(|c| c["halves"].to_string().contains("\"limit\":\"receive_window\"")));
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --severity critical",
            vec![("--severity", |r| {
                let all = r.list("/connections");
                assert!(!all.is_empty() && all.iter().all(|c| c.to_string().contains("\"severity\":\"critical\"")));
            })],
        ),
        row(
            EXPLAIN,
            "@many --sort bytes",
            vec![("--sort", |r| {
                r.says("Most bytes first");
                let at = |bytes: &str| r.out.rfind(bytes).unwrap_or_else(|| panic!("{bytes}: {}", r.out));
                assert!(at(" 174 kB") < at(" 57.9 kB") && at(" 57.9 kB") < at(" 14.5 kB"), "{}", r.out);
            })],
        ),
        row(
            EXPLAIN,
            "@many --group port",
            vec![("--group", |r| {
                r.says("3306");
                r.differs_without("--group port");
            })],
        ),
        row(
            EXPLAIN,
            "@many --top 1",
            vec![("--top", |r| {
                assert!(r.out.lines().count() < r.instead("@many --top 13").lines().count(), "{}", r.out);
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --connection 1",
            vec![("--connection", |r| {
                let all = r.list("/connections");
                assert!(all.len() == 1 && all[0]["id"] == 1, "{all:?}");
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --problem 1",
            vec![("--problem", |r| {
                assert!((1..13).contains(&r.list("/connections").len()), "{}", r.out);
            })],
        ),
        row(
            EXPLAIN,
            "@many --json --from 2.5 --to 100",
            vec![
                // The long transfer ends after 2.4 s; unanswered SYNs are retransmitted until 3 s.
                ("--from", |r| {
                    assert!((1..13).contains(&r.list("/connections").len()));
                    r.differs_without("--from 2.5");
                }),
                ("--to", |r| {
                    let earlier: serde_json::Value =
                        serde_json::from_str(&r.instead("@many --json --to 0.05")).unwrap();
                    assert!((1..13).contains(&earlier["connections"].as_array().unwrap().len()), "{earlier}");
                }),
            ],
        ),
        // Output.
        row(
            EXPLAIN,
            "@send --format markdown",
            vec![("--format", |r| {
                assert!(r.out.starts_with("### tcpwhy") && r.out.lines().count() <= 60, "{}", r.out);
            })],
        ),
        row(
            EXPLAIN,
            "@many --jsonl",
            vec![("--jsonl", |r| {
                let lines: Vec<serde_json::Value> = r.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
                assert!(lines.len() > 13, "{}", lines.len());
            })],
        ),
        row(
            EXPLAIN,
            "@send --json --words none",
            vec![("--words", |r| {
                r.says_not("SO_SNDBUF");
                assert!(r.without("--words none").contains("SO_SNDBUF"));
            })],
        ),
        row(
            EXPLAIN,
            "@send --json --no-sim",
            vec![("--no-sim", |r| {
                r.says(r#""method":"formula""#);
                r.says_not("simulated");
                assert!(r.without("--no-sim").contains(r#""method":"simulated""#));
            })],
        ),
        row(
            EXPLAIN,
            "@requests --jsonl --exchanges",
            vec![("--exchanges", |r| {
                assert!(r.out.lines().count() > r.without("--exchanges").lines().count(), "{}", r.out);
                r.says("answer_packet");
            })],
        ),
        row(
            EXPLAIN,
            "@send --utc",
            vec![("--utc", |r| {
                r.says("UTC");
                assert!(r.without("--utc").contains("+09:00"));
            })],
        ),
        row(
            EXPLAIN,
            "@many --html @out/page.html",
            vec![("--html", |r| {
                assert!(!r.page(&r.text("page.html"))["charts"].as_array().unwrap().is_empty());
            })],
        ),
        row(
            EXPLAIN,
            "@send --svg @out/svg",
            vec![("--svg", |r| {
                let names = r.files();
                let name = names.iter().find(|name| name.starts_with("svg/")).unwrap();
                r.picture(name);
            })],
        ),
        row(
            EXPLAIN,
            "@send --svg @out/svg --svg-theme dark --svg-time 1-1.2",
            vec![
                ("--svg-theme", |r| {
                    let name = r.files().into_iter().find(|name| name.starts_with("svg/")).unwrap();
                    let dark = r.picture(&name);
                    r.instead("@send --svg @out/light --svg-theme light --svg-time 1-1.2");
                    assert_ne!(dark, r.text(&name.replace("svg/", "light/")));
                }),
                ("--svg-time", |r| {
                    let name = r.files().into_iter().find(|name| name.starts_with("svg/")).unwrap();
                    let part = r.picture(&name);
                    r.instead("@send --svg @out/whole --svg-theme dark");
                    assert_ne!(part, r.picture(&name.replace("svg/", "whole/")));
                }),
            ],
        ),
        row(
            EXPLAIN,
            "@send --annotate @out/annotated.pcapng",
            vec![("--annotate", |r| {
                let capture = r.written("annotated.pcapng");
                assert!(capture.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
                let comment = b"send buffer";
                assert!(capture.windows(comment.len()).any(|window| window == comment), "no comment");
            })],
        ),
        row(
            EXPLAIN,
            "@one --html @out/taken --overwrite",
            vec![("--overwrite", |r| {
                r.page(&r.text("taken"));
                std::fs::write(r.folder.path().join("taken"), STRANGER).unwrap();
                r.without("--overwrite");
                assert_eq!(r.text("taken"), STRANGER);
            })],
        ),
        row(EXPLAIN, "@send --code java", vec![("--code", |r| r.says("socket.setSendBufferSize"))]),
        row(
            EXPLAIN,
            "@send --timeline",
            vec![("--timeline", |r| {
                assert!(r.out.lines().count() > r.without("--timeline").lines().count() + 20, "{}", r.out);
            })],
        ),
        row(EXPLAIN, "@send --why 3.2s", vec![("--why", |r| r.says("At 3.2 s"))]),
        row(EXPLAIN, "@names --names=sni", vec![("--names", |r| r.says("shop.example"))]),
        row(EXPLAIN, "@send --anonymize", vec![("--anonymize", |r| r.says_not("192.0.2.10"))]),
        row(
            EXPLAIN,
            "@send --anonymize-key-file @key",
            vec![("--anonymize-key-file", |r| {
                r.says_not("192.0.2.10");
                assert_eq!(r.instead("@send --anonymize-key-file @key"), r.out);
            })],
        ),
        row(
            EXPLAIN,
            "@send --anonymize-key 'a passphrase'",
            vec![("--anonymize-key", |r| {
                assert_eq!(r.instead("@send --anonymize-key-file @key"), r.out);
                r.says_not("192.0.2.10");
            })],
        ),
        row(EXPLAIN, "@send --fail-on send_buffer:50%", vec![("--fail-on", |r| r.says("send buffer"))]).ends_with(1),
        row(EXPLAIN, "@send --quiet", vec![("--quiet", |r| assert_eq!((r.out.lines().count(), r.err.len()), (3, 0)))]),
        row(EXPLAIN, "@send -q", vec![("-q", |r| assert_eq!((r.out.lines().count(), r.err.len()), (3, 0)))]),
        // Captures from an interface.
        row(
            EXPLAIN,
            "--interface lo --json --write @out/kept.pcapng",
            vec![("--interface", |r| assert!(!r.list("/connections").is_empty(), "{}", r.out)), ("--write", kept)],
        )
        .started_by(captured),
        row(
            EXPLAIN,
            "-i lo --json -w @out/kept.pcapng",
            vec![("-i", |r| assert!(!r.list("/connections").is_empty(), "{}", r.out)), ("-w", kept)],
        )
        .started_by(captured),
    ]);
    rows.extend(tables());
    rows
}

fn kept(r: &Ran) {
    assert!(r.written("kept.pcapng").starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
    assert!(r.instead("@out/kept.pcapng -q").contains("127.0.0.1"));
}

/// Captures until an interrupt, while a transfer runs.
fn captured(r: &Ran) -> Option<Output> {
    tcpwhy_testkit::in_namespace(|| {
        let _transfer = Transfer::start();
        let child = r.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let kept = r.folder.path().join("kept.pcapng");
        let end = Instant::now() + Duration::from_secs(30);
        while std::fs::metadata(&kept).map_or(0, |file| file.len()) < 10_000 {
            assert!(Instant::now() < end, "nothing was captured");
            std::thread::sleep(Duration::from_millis(20));
        }
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
        child.wait_with_output().unwrap()
    })
}

/// The magic bytes at both ends of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Tables, which a program built without them refuses with one line.
fn tables() -> Vec<Row> {
    let rows = vec![
        row(
            EXPLAIN,
            "@many --arrow --table halves",
            vec![
                // An Arrow stream begins with its continuation marker.
                ("--arrow", |r| assert!(r.bytes.starts_with(&[0xff, 0xff, 0xff, 0xff]) && r.bytes.len() > 1000)),
                ("--table", |r| {
                    assert!(r.out.contains("retransmitted_segments"), "no column of that table");
                    assert!(!r.instead("@many --arrow --table services").contains("retransmitted_segments"));
                }),
            ],
        ),
        row(
            EXPLAIN,
            "@many --parquet @out/tables --part night --resume",
            vec![
                ("--parquet", |r| {
                    let names = r.files();
                    let file = names.iter().find(|name| name.starts_with("tables/connections/")).unwrap();
                    let bytes = r.written(file);
                    assert!(bytes.starts_with(PARQUET) && bytes.ends_with(PARQUET), "{names:?}");
                }),
                ("--part", |r| {
                    assert!(
                        r.files().iter().any(|name| name.starts_with("tables/connections/night-")),
                        "{:?}",
                        r.files()
                    );
                }),
                ("--resume", |r| {
                    // In a second run, the capture's rows exist already.
                    let before = r.files();
                    let again = r.command().output().unwrap();
                    assert!(again.status.success(), "{again:?}");
                    assert_eq!(r.files(), before);
                }),
            ],
        ),
    ];
    if cfg!(feature = "tables") {
        return rows;
    }
    let refused = |row: Row| Row { checks: row.checks.into_iter().map(|(o, _)| (o, REFUSED)).collect(), ..row };
    rows.into_iter().map(|row| refused(row).ends_with(2)).collect()
}

const REFUSED: super::Check = |r| assert!(r.err.starts_with("tcpwhy: ") && r.err.lines().count() == 1, "{}", r.err);
