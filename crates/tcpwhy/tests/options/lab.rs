//! Options of the lab, on a transfer of 0.3 s. Where the lab may not run, it says so and nothing is
//! looked at.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use super::{Check, Ran, Row, STRANGER, row};

/// 300 kB with a send buffer that takes 0.3 s, over a round trip of 20 ms.
pub(super) const SHORT: &str = r#"
sender = { sndbuf = "16KiB", nodelay = true }
[link]
rtt = "20ms"
rate = "100mbit"
[work.stream]
phases = [{ bytes = "300kB", write = { size = "4KiB" } }]
"#;

/// What a machine lacks on which the lab cannot run, as it says so.
const FORBIDDEN: [&str; 4] =
    ["cannot create a network namespace", "cannot create a TAP device", "is not installed", "this kernel lacks"];

/// A recording of the short scenario, made once; `None` where the lab cannot run, with the reason said.
fn recording() -> Option<&'static Path> {
    static RECORDING: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = RECORDING.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options/recordings");
        let mut run = std::process::Command::new(crate::support::program());
        run.args(["lab", "run", "--quiet", "--overwrite"]).arg(super::file("short.toml")).arg("--out").arg(&folder);
        let output = run.env("LANG", "en_US.UTF-8").env_remove("LC_ALL").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if FORBIDDEN.iter().any(|reason| said.contains(reason)) {
            return Err(said);
        }
        assert!(output.status.success(), "{said}");
        Ok(folder)
    });
    match made {
        Ok(folder) => Some(folder),
        Err(why) => {
            tcpwhy_testkit::skip(why.trim());
            None
        }
    }
}

/// The folder of the recording.
pub(super) fn recorded() -> PathBuf {
    recording().unwrap_or(Path::new("/nowhere")).to_owned()
}

/// Where the lab can run.
fn in_lab(r: &Ran) -> Option<Output> {
    recording()?;
    Some(r.command().output().unwrap())
}

/// As above, with the kernel's own emulation: without it the error is a line.
fn with_netem(r: &Ran) -> Option<Output> {
    let output = in_lab(r)?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && said.contains("CONFIG_NET_SCH_NETEM") {
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(std::env::var_os("MUST_HAVE_NETEM").is_none(), "MUST_HAVE_NETEM is set, and there is none");
        return None;
    }
    Some(output)
}

const RUN: &[&str] = &["lab run"];

#[allow(clippy::too_many_lines, reason = "a table")]
pub(crate) fn rows() -> Vec<Row> {
    let lab = |commands, arguments, checks| row(commands, arguments, checks).started_by(in_lab);
    let has_chinese: Check =
        |r| assert!(r.out.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{}{}", r.out, r.err);
    vec![
        lab(
            RUN,
            "@short.toml --out @out/rec --seed 7 --json",
            vec![
                ("--out", |r| {
                    assert!(r.written("rec/short/sender.pcapng").starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
                }),
                ("--seed", |r| assert!(r.text("rec/short/scenario.toml").contains("seed = 7"), "seed")),
                ("--json", |r| assert_eq!(r.list("/runs").len(), 1)),
            ],
        ),
        lab(
            RUN,
            "@short.toml --out @out/rec --repeat 2 --quiet",
            vec![
                ("--repeat", |r| {
                    let captures = r.files().into_iter().filter(|name| name.ends_with("sender.pcapng")).count();
                    assert_eq!(captures, 2, "{:?}", r.files());
                }),
                // A link that was late is reported all the same.
                ("--quiet", |r| assert!(r.err.lines().all(|line| line.contains("late")), "{}", r.err)),
            ],
        ),
        lab(
            RUN,
            "@short.toml --out @out/rec -q",
            vec![("-q", |r| {
                assert!(r.err.lines().all(|line| line.contains("late")), "{}", r.err);
            })],
        ),
        lab(
            RUN,
            "@short.toml --out @out/rec --html",
            vec![("--html", |r| {
                for end in ["sender", "receiver"] {
                    let page = r.text(&format!("rec/short/{end}.html"));
                    assert!(!r.page(&page)["charts"].as_array().unwrap().is_empty(), "{end}");
                }
            })],
        ),
        lab(
            RUN,
            "@short.toml --out @out/rec --color always --width 60 --units iec --allow-programs",
            vec![
                ("--color", |r| {
                    r.says("\u{1b}[");
                    // No colour is printed as its letters.
                    r.says_not("\\x1b");
                    r.says_not("\\u{1b}");
                }),
                ("--width", |r| {
                    let why = r.out.lines().find(|line| line.contains("WHY")).unwrap();
                    let codes = why.matches('\u{1b}').count() * "\u{1b}[38;5;208m".len();
                    assert!(why.chars().count() <= 60 + codes, "{why}");
                }),
                ("--units", |r| r.says("KiB")),
                ("--allow-programs", |r| r.says("short")),
            ],
        ),
        lab(RUN, "@short.toml --out @out/rec --lang zh-CN", vec![("--lang", has_chinese)]),
        lab(
            RUN,
            "@short.toml --out @out/rec --overwrite",
            vec![("--overwrite", |r| {
                let truth = r.folder.path().join("rec/short/truth.json");
                let before = std::fs::read(&truth).unwrap();
                std::fs::write(&truth, STRANGER).unwrap();
                let words = r.words();
                assert!(r.program(&words).output().unwrap().status.success());
                assert_ne!(std::fs::read_to_string(&truth).unwrap(), STRANGER);
                assert!(!before.is_empty());
            })],
        ),
        row(
            RUN,
            "@short.toml --out @out/rec --netem",
            vec![("--netem", |r| {
                assert!(r.written("rec/short/sender.pcapng").len() > 1000);
            })],
        )
        .started_by(with_netem),
        lab(
            &["lab compare"],
            "@short.toml @short.toml --out @out/rec --json --allow-programs --overwrite -q",
            vec![
                ("--out", |r| assert!(r.files().iter().any(|name| name.ends_with("sender.pcapng")), "{:?}", r.files())),
                ("--json", |r| assert_eq!(r.json()["tool"]["name"], "tcpwhy")),
                ("--allow-programs", |r| assert!(!r.out.is_empty())),
                ("--overwrite", |r| assert!(!r.out.is_empty())),
                ("-q", |r| assert!(r.err.lines().all(|line| line.contains("late")), "{}", r.err)),
            ],
        ),
        lab(
            &["lab compare"],
            "@recorded/short @recorded/short --color always --width 100 --units iec --quiet",
            vec![
                ("--color", |r| {
                    r.says("\u{1b}[");
                    r.says_not("\\x1b");
                }),
                ("--width", |r| assert!(r.out.lines().all(|line| line.chars().count() < 160), "{}", r.out)),
                ("--units", |r| r.says("KiB")),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        lab(&["lab compare"], "@recorded/short @recorded/short --lang zh-CN", vec![("--lang", has_chinese)]),
        lab(
            &["lab compare"],
            "@recorded/short @recorded/short --html @out/article",
            vec![("--html", |r| {
                let page = r.written("article/index.zh-CN.html");
                let page = String::from_utf8_lossy(&page);
                assert!(page.contains("lang=\"zh-CN\"") && page.contains("before.zh-CN.svg"), "{page}");
                // One recording twice: the same picture, and nothing that was set otherwise.
                assert_eq!(r.written("article/before.svg"), r.written("article/after.svg"));
                assert!(!page.contains("<code>"), "{page}");
            })],
        ),
        lab(
            &["sim compare"],
            "@short.toml --set sender.sndbuf=32KiB --seeds 5 --json --allow-programs -q",
            vec![
                ("--set", |r| assert_eq!(r.json()["settings"]["sender.sndbuf"], "32KiB")),
                ("--seeds", |r| {
                    let range = &r.json()["range_s"];
                    assert!(range[0].as_f64() < range[1].as_f64(), "{range}");
                }),
                ("--json", |r| {
                    let of_both = &r.json()["duration_s"];
                    let [kernel, simulated] = ["kernel", "simulated"].map(|who| of_both[who].as_f64().unwrap());
                    assert!((0.5..2.0).contains(&(simulated / kernel)), "{of_both}");
                }),
                ("--allow-programs", |r| assert!(!r.out.is_empty())),
                ("-q", |r| assert!(r.err.lines().all(|line| line.contains("late")), "{}", r.err)),
            ],
        ),
        lab(
            &["sim compare"],
            "@recorded/short --color always --width 100 --units iec --quiet",
            vec![
                ("--color", |r| r.says("\u{1b}[")),
                ("--width", |r| assert!(r.out.lines().all(|line| line.chars().count() < 160), "{}", r.out)),
                ("--units", |r| r.says("KiB")),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        lab(&["sim compare"], "@recorded/short --lang zh-CN", vec![("--lang", has_chinese)]),
        lab(
            &["lab book"],
            "@out/book @short.toml --recordings @recorded --overwrite --allow-programs --quiet",
            vec![
                ("--recordings", |r| {
                    r.picture("book/short.svg");
                }),
                ("--overwrite", |r| assert!(r.text("book/short.md").contains("16"))),
                ("--allow-programs", |r| assert!(r.text("book/README.md").contains("short"))),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        lab(
            &["lab book"],
            "@out/book @short.toml --recordings @recorded --lang zh-CN",
            vec![("--lang", |r| {
                assert!(r.err.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{}", r.err);
            })],
        ),
        lab(&["lab book"], "@out/book @short.toml --recordings @recorded -q", vec![("-q", |r| r.is_quiet())]),
        row(
            &["lab prove"],
            "@send --dry-run --json --connection 0 --suppose send_buffer --scenario @out/p.toml",
            vec![
                ("--dry-run", |r| assert_eq!(r.files().iter().filter(|name| name.ends_with(".pcapng")).count(), 3)),
                ("--json", |r| assert!(r.out.starts_with("{\n") && r.out.contains("\"send_buffer\""), "{}", r.out)),
                ("--connection", |r| assert!(r.instead("@send --dry-run --connection 9").is_empty())),
                ("--suppose", |r| r.says("send_buffer")),
                ("--scenario", |r| assert!(r.text("p.toml").contains("[link]"))),
            ],
        ),
        row(
            &["lab prove"],
            "@send --dry-run --lang zh-CN --quiet",
            vec![("--lang", has_chinese), ("--quiet", |r| r.is_quiet())],
        ),
        row(
            &["lab prove"],
            "@send --dry-run -q --scenario @out/taken --overwrite",
            vec![("-q", |r| r.is_quiet()), ("--overwrite", |r| assert!(r.text("taken").contains("[link]")))],
        ),
        row(
            &["lab prove"],
            "@recorded/short/sender.pcapng --out @out/proof --quiet",
            vec![("--out", |r| {
                assert!(r.files().iter().any(|name| name.ends_with("rebuilt/sender.pcapng")), "{:?}", r.files());
            })],
        )
        .started_by(proved),
        lab(
            &["lab score"],
            "@recorded --json --vantage sender --quiet",
            vec![
                ("--json", |r| assert!(r.out.contains("\"vantage\": \"sender\""), "{}", r.out)),
                ("--vantage", |r| r.says_not("\"vantage\": \"receiver\"")),
                ("--quiet", |r| r.is_quiet()),
            ],
        ),
        lab(
            &["lab score"],
            "@recorded --verbose --lang zh-CN",
            vec![
                ("--verbose", |r| assert!(r.out.lines().count() > r.without("--verbose").lines().count(), "{}", r.out)),
                ("--lang", has_chinese),
            ],
        ),
        lab(
            &["lab score"],
            "@recorded --flips --vantage sender --json",
            vec![("--flips", |r| r.says("\"is_flipped\": "))],
        ),
        lab(&["lab score"], "@recorded -v -q", vec![("-v", |r| r.says("short, ")), ("-q", |r| r.is_quiet())]),
        lab(
            &["lab score"],
            "--random 7:1 --out @out/random --markdown @out/pages --overwrite",
            vec![
                ("--random", |r| r.says("judged")),
                ("--out", |r| assert!(r.files().iter().any(|name| name.ends_with("sender.pcapng")), "{:?}", r.files())),
                ("--markdown", |r| assert!(r.text("pages/accuracy.zh-CN.md").starts_with("# "))),
                ("--overwrite", |r| assert!(r.text("pages/accuracy.md").starts_with("# "))),
            ],
        ),
        lab(
            &["lab shell"],
            "@short.toml --end receiver --allow-programs -q -- sh -c 'echo $SERVER'",
            vec![
                ("--end", |r| assert!(r.out.trim().contains('.'), "{}", r.out)),
                ("--allow-programs", |r| assert!(!r.out.is_empty())),
                ("-q", |r| r.is_quiet()),
            ],
        ),
        lab(
            &["lab shell"],
            "@short.toml --user root --quiet -- id -u",
            vec![("--user", |r| assert_eq!(r.out, "0\n")), ("--quiet", |r| r.is_quiet())],
        ),
        row(
            &["lab shell"],
            "@short.toml --lang zh-CN -- no-such-program",
            vec![("--lang", |r| {
                assert!(r.err.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{}", r.err);
            })],
        )
        .started_by(in_lab)
        .ends_with(2),
    ]
}

/// Whatever the proof says: proved, refuted or undecided.
fn proved(r: &Ran) -> Option<Output> {
    let mut output = in_lab(r)?;
    if matches!(output.status.code(), Some(0 | 1 | 3)) {
        output.status = std::os::unix::process::ExitStatusExt::from_raw(0);
    }
    Some(output)
}
