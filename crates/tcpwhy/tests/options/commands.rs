//! Options of commands that need no privileges: they read a file or nothing.

use super::{Row, STRANGER, look, row};

/// A send buffer, a path, and a kernel with known defaults.
const BUFFERS: &[&str] = &["buffers --kernel 6.12 --rtt 20ms"];

#[allow(clippy::too_many_lines, reason = "a table")]
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = look(
        &["compare"],
        &[
            "@one @later --lang zh-CN",
            "@one @later --color always",
            "@one @later --width 40",
            "@one @later --units iec",
        ],
    );
    rows.extend([
        row(
            &["compare"],
            "@one @later --json --connections 0:0",
            vec![
                ("--json", |r| assert_eq!(r.json()["tool"]["name"], "tcpwhy")),
                ("--connections", |r| assert_eq!(r.list("/pairs").len(), 1)),
            ],
        ),
        row(
            &["compare"],
            "@many @many --top 1",
            vec![("--top", |r| {
                assert!(r.out.lines().count() < r.instead("@many @many --top 13").lines().count(), "{}", r.out);
            })],
        ),
        row(
            &["compare"],
            "@one @later --html @out/page.html",
            vec![("--html", |r| {
                r.page(&r.text("page.html"));
            })],
        ),
        row(
            &["compare"],
            "@one @later --html @out/taken --overwrite",
            vec![("--overwrite", |r| {
                r.page(&r.text("taken"));
            })],
        ),
        row(
            &["compare"],
            "@one @later --utc",
            vec![("--utc", |r| {
                r.differs_without("--utc");
            })],
        ),
        row(&["compare"], "@one @later --anonymize", vec![("--anonymize", |r| r.says_not("10.9.8.7"))]),
        row(
            &["compare"],
            "@one @later --anonymize-key-file @key",
            vec![("--anonymize-key-file", |r| {
                r.says_not("10.9.8.7");
            })],
        ),
        row(
            &["compare"],
            "@one @later --anonymize-key 'a passphrase'",
            vec![("--anonymize-key", |r| {
                assert_eq!(r.instead("@one @later --anonymize-key-file @key"), r.out);
                r.says_not("10.9.8.7");
            })],
        ),
        row(&["compare"], "@one @later --quiet", vec![("--quiet", |r| r.is_quiet())]),
        row(&["compare"], "@one @later -q", vec![("-q", |r| r.is_quiet())]),
    ]);
    rows.extend(look(&["rules"], &["--lang zh-CN", "--color always", "--width 40", ""]));
    // No rule contains a size, but the option is accepted as in all commands.
    rows.push(row(&["rules"], "send-buffer-plateau --units iec", vec![("--units", |r| r.says("plateau"))]));
    rows.extend(buffers());
    rows.extend(sim());
    rows.extend(predict());
    rows.extend(audit());
    rows.extend(look(&["completions"], &["fish --lang zh-CN", "", "", ""]).into_iter().take(1));
    rows.extend([
        row(
            &["man"],
            "--lang zh-CN",
            vec![("--lang", |r| {
                r.is_chinese();
                r.says(".TH tcpwhy 1");
            })],
        ),
        row(
            &["man"],
            "@out/man --overwrite --quiet",
            vec![
                ("--overwrite", |r| {
                    assert!(r.text("man/tcpwhy.1").contains(".TH tcpwhy 1"));
                    std::fs::write(r.folder.path().join("man/tcpwhy.1"), STRANGER).unwrap();
                    r.instead("@out/man --quiet");
                    assert_eq!(r.text("man/tcpwhy.1"), STRANGER);
                    r.instead("@out/man --overwrite --quiet");
                    assert_ne!(r.text("man/tcpwhy.1"), STRANGER);
                }),
                ("--quiet", |r| assert!(r.out.is_empty() && r.err.is_empty(), "{}{}", r.out, r.err)),
            ],
        ),
        row(
            &["man"],
            "@out/man -q",
            vec![("-q", |r| {
                assert!(r.out.is_empty() && r.err.is_empty() && r.files().len() > 20, "{:?}", r.files());
            })],
        ),
        row(
            &["lab schema"],
            "--reference --lang zh-CN",
            vec![("--reference", |r| r.says("| `sysctl` |")), ("--lang", |r| r.is_chinese())],
        ),
        row(
            &["lab new"],
            "@out/own.toml --like sndbuf-16k --lang zh-CN --quiet",
            vec![
                ("--like", |r| assert!(r.text("own.toml").contains("sndbuf = \"16KiB\""), "{}", r.text("own.toml"))),
                ("--lang", |r| {
                    let text = r.text("own.toml");
                    assert!(text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{text}");
                }),
                ("--quiet", |r| assert!(r.out.is_empty() && r.err.is_empty(), "{}{}", r.out, r.err)),
            ],
        ),
        row(
            &["lab new"],
            "@out/own.toml -q",
            vec![("-q", |r| {
                assert!(r.out.is_empty() && r.err.is_empty() && r.text("own.toml").contains("[link]"));
            })],
        ),
        row(
            &["lab new"],
            "@out/own.toml --overwrite",
            vec![("--overwrite", |r| {
                std::fs::write(r.folder.path().join("own.toml"), STRANGER).unwrap();
                r.without("--overwrite");
                assert_eq!(r.text("own.toml"), STRANGER);
                r.instead("@out/own.toml --overwrite");
                assert!(r.text("own.toml").contains("[link]"));
            })],
        ),
    ]);
    rows.extend(look(&["lab list"], &["--lang zh-CN", "", "--width 40", ""]).into_iter().take(3).filter(is_used));
    rows.extend(look(
        &["lab show"],
        &["sndbuf-16k --lang zh-CN", "sndbuf-16k --color always", "sndbuf-16k --width 40", "sndbuf-16k --units iec"],
    ));
    rows.extend([
        // The list contains neither sizes nor colours.
        row(
            &["lab list"],
            "--color always --units iec",
            vec![("--color", |r| r.says("sndbuf-16k")), ("--units", |r| r.says("sndbuf-16k"))],
        ),
        row(&["lab list"], "--quiet", vec![("--quiet", |r| r.is_quiet())]),
        row(&["lab list"], "-q", vec![("-q", |r| r.is_quiet())]),
        row(
            &["lab show"],
            "sndbuf-16k --script",
            vec![("--script", |r| {
                r.says("ip netns");
                assert!(r.out.starts_with("#!"), "{}", r.out);
            })],
        ),
        row(&["lab show"], "sndbuf-16k --quiet", vec![("--quiet", |r| r.is_quiet())]),
        row(&["lab show"], "sndbuf-16k -q", vec![("-q", |r| r.is_quiet())]),
    ]);
    rows
}

fn is_used(row: &Row) -> bool {
    !row.arguments.is_empty()
}

const PREDICT: &[&str] = &["predict"];

fn predict() -> Vec<Row> {
    let mut rows = look(
        PREDICT,
        &[
            "@send --lang zh-CN",
            "@send --color always",
            "@send --fix use-bbr --fix remove-so-sndbuf --width 40",
            "@send --units iec",
        ],
    );
    rows.extend([
        row(
            PREDICT,
            "@send --set path.rtt=40ms --fix use-bbr --json",
            vec![
                ("--set", |r| assert_eq!(r.json()["predictions"][1]["settings"][0]["key"], "path.rtt")),
                ("--fix", |r| assert_eq!(r.json()["predictions"][0]["fix"], "use-bbr")),
                ("--json", |r| assert_eq!(r.list("/predictions").len(), 2)),
            ],
        ),
        row(PREDICT, "@send --connection 0", vec![("--connection", |r| r.says("remove-so-sndbuf"))]),
        row(PREDICT, "@send -c 0", vec![("-c", |r| r.says("remove-so-sndbuf"))]),
        row(
            PREDICT,
            "@send --pcapng @out/taken --at receiver --overwrite --quiet",
            vec![
                ("--pcapng", |r| assert!(r.written("taken").starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]))),
                ("--at", |r| {
                    let receiver = r.written("taken");
                    r.instead("@send --pcapng @out/other --at sender");
                    assert_ne!(receiver, r.written("other"));
                }),
                ("--overwrite", |r| {
                    std::fs::write(r.folder.path().join("other"), STRANGER).unwrap();
                    r.instead("@send --pcapng @out/other");
                    assert_eq!(r.text("other"), STRANGER);
                }),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        row(PREDICT, "@send --pcapng @out/a.pcapng -q", vec![("-q", |r| r.is_quiet())]),
    ]);
    rows
}

const SIM_RUN: &[&str] = &["sim run"];

fn sim() -> Vec<Row> {
    let mut rows = look(
        SIM_RUN,
        &[
            "sndbuf-16k --lang zh-CN",
            "sndbuf-16k --color always",
            "sndbuf-16k --width 40",
            "sndbuf-16k --set work.stream.phases.0.bytes=3MiB --units iec",
        ],
    );
    rows.extend([
        row(
            SIM_RUN,
            "sndbuf-16k --set sender.sndbuf=auto --seeds 3 --json",
            vec![
                ("--set", |r| assert_eq!(r.list("/runs/0/settings").len(), 1)),
                ("--seeds", |r| assert_eq!(r.json()["runs"][0]["range"]["runs"], 3)),
                ("--json", |r| assert_eq!(r.list("/runs").len(), 1)),
            ],
        ),
        row(
            SIM_RUN,
            "sndbuf-16k --pcapng @out/taken --at receiver --overwrite --quiet",
            vec![
                ("--pcapng", |r| assert!(r.written("taken").starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]))),
                ("--at", |r| {
                    let receiver = r.written("taken");
                    r.instead("sndbuf-16k --pcapng @out/other --at sender");
                    assert_ne!(receiver, r.written("other"));
                }),
                ("--overwrite", |r| {
                    std::fs::write(r.folder.path().join("other"), STRANGER).unwrap();
                    r.instead("sndbuf-16k --pcapng @out/other");
                    assert_eq!(r.text("other"), STRANGER);
                }),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        row(SIM_RUN, "sndbuf-16k --pcapng @out/a.pcapng -q", vec![("-q", |r| r.is_quiet())]),
        row(&["sim score"], "@kernel --lang zh-CN", vec![("--lang", |r| r.is_chinese())]),
        row(
            &["sim score"],
            "@kernel --verbose --seeds 2",
            vec![("--verbose", |r| r.differs_without("--verbose")), ("--seeds", |r| r.says("ranges hold"))],
        ),
        row(&["sim score"], "@kernel -v", vec![("-v", |r| r.says("kernel 292 ms"))]),
        row(
            &["sim score"],
            "@kernel --json",
            vec![("--json", |r| {
                let score: serde_json::Value = serde_json::from_str(&r.out).unwrap();
                assert_eq!(score["transfers"].as_array().unwrap().len(), 1);
            })],
        ),
    ]);
    rows
}

fn buffers() -> Vec<Row> {
    let mut rows = look(
        BUFFERS,
        &[
            "--sndbuf 64KiB --lang zh-CN",
            "--sndbuf 64KiB --color always",
            "--sndbuf 64KiB --width 40",
            "--sndbuf 64KiB --units iec",
        ],
    );
    rows.extend([
        row(BUFFERS, "--sndbuf 64KiB", vec![("--sndbuf", |r| r.says("SO_SNDBUF 65,536 B → 131,072 B"))]),
        row(
            BUFFERS,
            "--rcvbuf 64KiB --when after-connect",
            vec![
                ("--rcvbuf", |r| r.says("SO_RCVBUF 65,536 B → 131,072 B")),
                ("--when", |r| r.differs_without("--when after-connect")),
            ],
        ),
        row(
            BUFFERS,
            "--rcvbuf 64MiB --force",
            vec![("--force", |r| {
                r.says("SO_RCVBUFFORCE 67,108,864 B → 134,217,728 B");
            })],
        ),
        row(BUFFERS, "--window-clamp 20KB", vec![("--window-clamp", |r| r.differs_without("--window-clamp 20KB"))]),
        row(
            BUFFERS,
            "--notsent-lowat 16KiB --json",
            vec![
                ("--notsent-lowat", |r| r.differs_without("--notsent-lowat 16KiB")),
                ("--json", |r| assert!(!r.list("/buffers").is_empty())),
            ],
        ),
        row(
            BUFFERS,
            "--sndbuf 64KiB --write-size 1KiB --nodelay --poll",
            vec![
                ("--write-size", |r| r.differs_without("--write-size 1KiB")),
                ("--nodelay", |r| r.differs_without("--nodelay")),
                ("--poll", |r| r.differs_without("--poll")),
            ],
        ),
        row(
            BUFFERS,
            "--window 2MiB --svg @out/window.svg",
            vec![
                ("--window", |r| r.says("A window of 2,097,152 B")),
                ("--svg", |r| {
                    r.picture("window.svg");
                }),
            ],
        ),
        row(
            BUFFERS,
            "--sndbuf 64KiB --bandwidth 1gbit --svg @out/rate.svg",
            vec![("--svg", |r| {
                r.picture("rate.svg");
            })],
        ),
        row(
            BUFFERS,
            "--sndbuf 64KiB --bandwidth 100mbit --bytes 22MB",
            vec![("--bandwidth", |r| r.says("fills 100 Mbit/s")), ("--bytes", |r| r.says("22.0 MB take"))],
        ),
        row(BUFFERS, "--sndbuf 64KiB --mtu 9000", vec![("--mtu", |r| r.differs_without("--mtu 9000"))]),
        row(BUFFERS, "--sndbuf 64KiB --ipv6", vec![("--ipv6", |r| r.differs_without("--ipv6"))]),
        row(BUFFERS, "--rcvbuf 64KiB --device local", vec![("--device", |r| r.differs_without("--device local"))]),
        row(
            BUFFERS,
            "--rcvbuf 64KiB --skb-overhead 2000",
            vec![("--skb-overhead", |r| r.differs_without("--skb-overhead 2000"))],
        ),
        row(
            BUFFERS,
            "--rcvbuf max --sysctl net.core.rmem_max=1000000",
            vec![("--sysctl", |r| r.says("1,000,000 B (rmem_max)"))],
        ),
        row(
            BUFFERS,
            "--sndbuf 64KiB --why",
            vec![("--why", |r| {
                assert!(r.out.lines().count() > r.without("--why").lines().count(), "{}", r.out);
                r.says("sk_setsockopt");
            })],
        ),
        row(
            BUFFERS,
            "--sndbuf 64KiB --quiet",
            vec![("--quiet", |r| {
                assert!(r.out.lines().count() <= 3 && !r.out.is_empty(), "{}", r.out);
            })],
        ),
        row(BUFFERS, "--sndbuf 64KiB -q", vec![("-q", |r| assert!(r.out.lines().count() <= 3, "{}", r.out))]),
        row(
            BUFFERS,
            "--sndbuf 64KiB --svg @out/taken --overwrite",
            vec![("--overwrite", |r| {
                r.picture("taken");
                std::fs::write(r.folder.path().join("taken"), STRANGER).unwrap();
                r.without("--overwrite");
                assert_eq!(r.text("taken"), STRANGER);
            })],
        ),
        row(
            &["buffers"],
            "--kernel 6.5 --rcvbuf 128KiB --rtt 20ms",
            vec![
                ("--kernel", |r| assert_ne!(r.instead("--kernel 6.12 --rcvbuf 128KiB --rtt 20ms"), r.out)),
                ("--rtt", |r| r.says("at an RTT of 20.0 ms")),
            ],
        ),
        row(
            &["buffers"],
            "--os windows-10 --autotuning-level restricted --rtt 20ms",
            vec![
                ("--os", |r| r.says("Windows")),
                ("--autotuning-level", |r| r.differs_without("--autotuning-level restricted")),
            ],
        ),
        row(&["buffers"], "--sysctl-file @sysctls --rtt 20ms", vec![("--sysctl-file", |r| r.says("131"))]),
    ]);
    rows
}

fn audit() -> Vec<Row> {
    let mut rows =
        look(&["audit"], &["@host --lang zh-CN", "@host --color always", "@host --width 40", "@host --units iec"]);
    rows.extend([
        row(
            &["audit"],
            "@host --sysctl-file @sysctls --json",
            vec![
                ("--sysctl-file", |r| r.differs_without("--sysctl-file @sysctls")),
                ("--json", |r| assert!(!r.list("/findings").is_empty())),
            ],
        ),
        row(
            &["audit"],
            "@host --sysctl net.ipv4.tcp_window_scaling=0",
            vec![("--sysctl", |r| r.says("net.ipv4.tcp_window_scaling=1"))],
        ),
        row(
            &["audit"],
            "@host --kernel 4.19.100 --json",
            vec![("--kernel", |r| r.says("\"assumed_kernel\":\"4.19.100\""))],
        ),
        row(&["audit"], "@host --path 10gbit,100ms", vec![("--path", |r| r.says("10.0 Gbit/s over 100 ms"))]),
        row(
            &["audit"],
            "@host --top 1",
            vec![("--top", |r| {
                r.says("1 more; --top N shows them.");
                assert!(!r.without("--top 1").contains("--top N"));
            })],
        ),
        row(&["audit"], "@host --code java", vec![("--code", |r| r.differs_without("--code java"))]),
        row(&["audit"], "@host --anonymize", vec![("--anonymize", |r| r.differs_without("--anonymize"))]),
        row(
            &["audit"],
            "@host --anonymize-key-file @key",
            vec![("--anonymize-key-file", |r| {
                r.differs_without("--anonymize-key-file @key");
            })],
        ),
        row(
            &["audit"],
            "@host --anonymize-key 'a passphrase'",
            vec![("--anonymize-key", |r| {
                assert_eq!(r.instead("@host --anonymize-key-file @key"), r.out);
            })],
        ),
        row(&["audit"], "@host --fail-on critical", vec![("--fail-on", |r| r.says("critical"))]).ends_with(1),
        row(&["audit"], "@host --quiet", vec![("--quiet", |r| assert_eq!(r.out.lines().count(), 3, "{}", r.out))]),
        row(&["audit"], "@host -q", vec![("-q", |r| assert_eq!(r.out.lines().count(), 3, "{}", r.out))]),
    ]);
    rows
}
