//! `tcpwhy lab` on this machine: it leaves nothing behind, for every user and every way to end.
//!
//! If runs are not permitted here, the tests print the reason and are skipped.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "a test that fails says so")]

#[path = "support/forbidden.rs"]
mod forbidden;
#[path = "support/traces.rs"]
mod traces;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use forbidden::forbidden;
use traces::{SETTLING, Traces};

/// One test at a time: runs disturb each other's timing, and the leftovers to check for have no owner.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
/// `nobody`.
const NOBODY: u32 = 65_534;

/// Lets a file run programs and change the machine.
const ALLOW: &str = "--allow-programs";

/// A setting of the whole machine.
const SETTING: &str = "/proc/sys/net/core/wmem_max";

/// Waits for exclusive access. From then on, orphaned processes become children of this one.
fn alone() -> MutexGuard<'static, ()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary folder that every user can write.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// The program, its temporary files in `scratch`.
fn lab(scratch: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tcpwhy"));
    command.arg("lab").args(arguments).env("TMPDIR", scratch).env("LANG", "en_US.UTF-8").env_remove("LC_ALL");
    command
}

/// A transfer of two seconds: 16 KB per round trip of 20 ms.
fn scenario(folder: &Path, change: &str) -> PathBuf {
    let path = folder.join("short.toml");
    let text = format!(
        r#"
{change}
[expect]
verdict = ["send_buffer"]
[link]
rtt = "20ms"
rate = "100mbit"
[work.stream]
phases = [{{ bytes = "1500kB", write = {{ size = "4KiB" }} }}]
"#
    );
    fs::write(&path, text).unwrap();
    path
}

/// A send buffer with which the transfer takes two seconds.
const SMALL_BUFFER: &str = "sender = { sndbuf = \"16KiB\", nodelay = true }";

/// Files under `folder`, besides those in `but`.
fn files(folder: &Path, but: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.starts_with(but) {
                continue;
            }
            if path.is_dir() {
                folders.push(path.clone());
            }
            all.push(path);
        }
    }
    all
}

/// The reason why runs are not permitted here, as printed by a run.
fn cannot_run() -> Option<String> {
    let folder = folder();
    let path = scenario(folder.path(), "deadline = \"5s\"");
    forbidden(&text(&run(folder.path(), &path).stderr))
}

macro_rules! or_skip {
    () => {
        if let Some(why) = cannot_run() {
            return tcpwhy_testkit::skip(why);
        }
    };
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The command to run a scenario, with its recording in `out` in `folder`.
fn run_command(folder: &Path, scenario: &Path, more: &[&str]) -> Command {
    let out = folder.join("out");
    let mut command = lab(folder, &["run", scenario.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    command.args(more);
    command
}

/// Runs a scenario to its end.
fn run(folder: &Path, scenario: &Path) -> Output {
    run_command(folder, scenario, &[]).output().unwrap()
}

fn start(folder: &Path, scenario: &Path) -> Child {
    let mut command = run_command(folder, scenario, &[ALLOW]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// `duration_s` of the only recording, and its number of doubts.
fn truth(folder: &Path) -> (f64, usize) {
    let file = files(&folder.join("out"), Path::new("/nowhere"))
        .into_iter()
        .find(|path| path.ends_with("truth.json"))
        .expect("a recording");
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    (truth["duration_s"].as_f64().unwrap(), truth["quality"]["doubts"].as_array().unwrap().len())
}

#[test]
fn killed_at_any_moment_it_leaves_nothing() {
    let _alone = alone();
    or_skip!();
    // Times from the creation of namespaces to the middle of the transfer, and an arbitrary one.
    let arbitrary = u64::from(std::process::id()) * 2_654_435_761 % 1500;
    for millis in [3, 20, 60, 150, 400, 900, 1600, arbitrary] {
        let folder = folder();
        let path = scenario(folder.path(), SMALL_BUFFER);
        let before = Traces::now();
        let mut child = start(folder.path(), &path);
        sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        child.wait().unwrap();
        before.assert_none_left();
        let left = files(folder.path(), &folder.path().join("out"));
        assert_eq!(left, [path], "after {millis} ms");
        // A recording with `truth.json` must be complete.
        for truth in
            files(&folder.path().join("out"), Path::new("/nowhere")).iter().filter(|p| p.ends_with("truth.json"))
        {
            assert!(
                serde_json::from_slice::<serde_json::Value>(&fs::read(truth).unwrap()).is_ok(),
                "after {millis} ms"
            );
            for end in ["sender.pcapng", "receiver.pcapng"] {
                let read = Command::new(env!("CARGO_BIN_EXE_tcpwhy")).arg(truth.with_file_name(end)).output().unwrap();
                assert!(read.status.success() && read.stderr.is_empty(), "after {millis} ms: {}", text(&read.stderr));
            }
        }
    }
}

#[test]
fn a_run_and_an_error_leave_nothing_but_the_recording() {
    let _alone = alone();
    or_skip!();
    let before = Traces::now();
    for (change, is_good) in [
        (SMALL_BUFFER, true),
        ("sender = { congestion_control = \"no-such\" }", false),
        ("sender = { sysctl = { \"net.ipv4.no_such\" = \"1\" } }", false),
    ] {
        let folder = folder();
        let path = scenario(folder.path(), change);
        let output = run(folder.path(), &path);
        let said = text(&output.stderr);
        assert_eq!(output.status.code() == Some(0), is_good, "{change}: {said}{}", text(&output.stdout));
        before.assert_none_left();
        assert_eq!(files(folder.path(), &folder.path().join("out")), [path], "{change}");
    }
}

#[test]
fn without_privileges_it_says_the_same_or_why_not() {
    let _alone = alone();
    or_skip!();
    if !is_root() {
        eprintln!("skipped: everything here runs without privileges already");
        return;
    }
    // A copy that other users can reach, because cargo's folder may be private to root.
    let folder = folder();
    let program = folder.path().join("tcpwhy");
    fs::copy(env!("CARGO_BIN_EXE_tcpwhy"), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = scenario(folder.path(), SMALL_BUFFER);
    let before = Traces::now();
    let out = folder.path().join("out");
    let output = Command::new(&program)
        .args(["lab", "run", path.to_str().unwrap(), "--out", out.to_str().unwrap()])
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    before.assert_none_left();
    let said = text(&output.stderr);
    if output.status.code() == Some(2) {
        assert_eq!(said.lines().count(), 1, "one line: {said}");
        assert!(said.starts_with("tcpwhy: "), "{said}");
        assert!(said.contains("namespace") || said.contains("/dev/net/tun"), "it names what is missing: {said}");
        eprintln!("as nobody: {}", said.trim());
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stdout));
    let capture = files(&out, Path::new("/nowhere")).into_iter().find(|path| path.ends_with("sender.pcapng")).unwrap();
    let explained = Command::new(&program).args(["explain", "--json"]).arg(capture).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&explained.stdout).unwrap();
    let halves = document["connections"][0]["halves"].as_array().unwrap();
    let largest = halves.iter().max_by_key(|half| half["bytes"].as_u64()).unwrap();
    assert_eq!(largest["verdict"]["limit"], "send_buffer");
}

#[test]
fn settings_of_the_machine_are_restored_after_a_kill() {
    let _alone = alone();
    or_skip!();
    let before: u64 = fs::read_to_string(SETTING).unwrap().trim().parse().unwrap();
    if fs::write(SETTING, before.to_string()).is_err() {
        eprintln!("skipped: {SETTING} may not be set here");
        return;
    }
    let other = before - 4096;
    let now = || fs::read_to_string(SETTING).unwrap().trim().parse::<u64>().unwrap();
    let folder = folder();
    let change = format!(
        "sender = {{ sndbuf = \"16KiB\", nodelay = true, sysctl = {{ \"net.core.wmem_max\" = \"{other}\" }} }}"
    );
    let path = scenario(folder.path(), &change);
    let mut child = start(folder.path(), &path);
    let until = Instant::now() + Duration::from_secs(5);
    while now() != other && Instant::now() < until {
        sleep(Duration::from_millis(2));
    }
    let was_set = now() == other;
    sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    let until = Instant::now() + SETTLING;
    while now() != before && Instant::now() < until {
        sleep(Duration::from_millis(10));
    }
    let after = now();
    // Restores the setting even if the test fails.
    fs::write(SETTING, before.to_string()).unwrap();
    assert!(was_set, "the scenario did not set it");
    assert_eq!(after, before);
}

/// Expected counters are checked with the verdict: changed ones, unchanged ones and missing ones.
#[test]
fn expected_counters_are_judged() {
    let _alone = alone();
    or_skip!();
    for (counters, missing) in [
        (r#"{ sender = ["TcpOutSegs"], receiver = ["TcpInSegs"] }"#, vec![]),
        (
            r#"{ sender = ["TcpOutSegs", "TcpExtListenOverflows"], receiver = ["TcpExtNoSuchCounter"] }"#,
            vec!["sender TcpExtListenOverflows", "receiver TcpExtNoSuchCounter"],
        ),
    ] {
        let folder = folder();
        let path = scenario(folder.path(), SMALL_BUFFER);
        let plain = fs::read_to_string(&path).unwrap();
        fs::write(&path, plain.replace("[expect]\n", &format!("[expect]\ncounters = {counters}\n"))).unwrap();
        let out = folder.path().join("out");
        let words = ["run", path.to_str().unwrap(), "--json", "--out", out.to_str().unwrap()];
        let output = lab(folder.path(), &words).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let run = &document["runs"][0];
        assert_eq!(run["missing_counters"], serde_json::json!(missing), "{}", text(&output.stderr));
        let is_unexpected = run["outcome"] == "unexpected";
        if run["doubts"].as_array().unwrap().is_empty() {
            assert_eq!((is_unexpected, output.status.code()), (!missing.is_empty(), Some(missing.len().min(1) as i32)));
        }
        assert!(run["sender"]["counters"]["TcpOutSegs"].as_u64().unwrap() > 1000, "{run}");
    }
}

#[test]
fn one_seed_gives_one_duration() {
    let _alone = alone();
    or_skip!();
    let once = || {
        let folder = folder();
        let path = scenario(folder.path(), &format!("seed = 7\n{SMALL_BUFFER}"));
        let output = run(folder.path(), &path);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stderr), text(&output.stdout));
        truth(folder.path())
    };
    // Other load on the machine may disturb one attempt, but not all of them.
    let mut apart = Vec::new();
    for _ in 0..4 {
        let [(first, first_doubts), (second, second_doubts)] = [once(), once()];
        if first_doubts + second_doubts > 0 {
            eprintln!("skipped: the machine is too busy, the emulated link was late ({first} s, {second} s)");
            return;
        }
        if (first / second - 1.0).abs() <= 0.05 {
            return;
        }
        apart.push((first, second));
    }
    panic!("{apart:?}");
}

#[test]
fn what_cannot_be_run_is_one_line() {
    let folder = folder();
    let bad = folder.path().join("bad.toml");
    fs::write(&bad, "link = { rtt = \"20 parsecs\" }\n").unwrap();
    let missing = folder.path().join("missing.toml");
    fs::write(
        &missing,
        r#"
[expect]
verdict = ["none"]
[work.application]
port = 80
packages = ["a-package"]
server = { needs = ["no-such-program"], run = "true" }
client = { needs = ["sh"], run = "true" }
"#,
    )
    .unwrap();
    for (target, part) in [
        (bad.to_str().unwrap(), "parsecs"),
        ("no-such-scenario", "no-such-scenario"),
        ("random:x", "random:SEED"),
        ("/nowhere/at-all.toml", "/nowhere/at-all.toml"),
        (missing.to_str().unwrap(), "a-package"),
    ] {
        let out = folder.path().join("out");
        let output = lab(folder.path(), &["run", target, "--out", out.to_str().unwrap(), ALLOW]).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{target}: {said}{}", text(&output.stdout));
        assert!(said.contains(part), "{target}: {said}");
        // Without the line that announces the programs of a file.
        let said = said.lines().filter(|line| !line.contains("the scenario file")).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].starts_with("tcpwhy: "), "{target}: {said:?}");
    }
}

#[allow(unsafe_code, reason = "the one question that the standard library does not answer")]
fn is_root() -> bool {
    // SAFETY: geteuid(2) has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// A scenario whose server first runs `prepare`.
fn with_programs(folder: &Path, prepare: &str) -> PathBuf {
    let path = folder.join("programs.toml");
    let text = format!(
        r#"
expect = {{ verdict = ["none"] }}
[work.application]
port = 80
packages = []
server = {{ needs = [], prepare = """
{prepare}
""", run = "true" }}
client = {{ needs = [], run = "true" }}
"#
    );
    fs::write(&path, text).unwrap();
    path
}

/// A file is an untrusted program: as root, it does nothing without permission, and one line reports what it
/// would do.
#[test]
fn a_file_needs_leave_to_run_programs_as_root() {
    let _alone = alone();
    if !is_root() {
        eprintln!("skipped: this is about root");
        return;
    }
    let folder = folder();
    let mark = folder.path().join("mark");
    let programs = with_programs(folder.path(), &format!("touch {}", mark.display()));
    let before = fs::read_to_string(SETTING).unwrap();
    let setting = scenario(folder.path(), "sender = { sysctl = { \"net.core.wmem_max\" = \"123456\" } }");
    // If one of them ran anyway, its recording would be here.
    let here = |words: &[&str]| lab(folder.path(), words).current_dir(&folder).output().unwrap();
    let list = here(&["run", "sndbuf-16k", programs.to_str().unwrap()]);
    let compared = here(&["compare", "sndbuf-16k", programs.to_str().unwrap()]);
    let booked = here(&["book", "book", programs.to_str().unwrap()]);
    let tried = [
        (run(folder.path(), &programs), "touch"),
        (run(folder.path(), &setting), "wmem_max = \"123456\""),
        (list, "touch"),
        (compared, "touch"),
        (booked, "touch"),
    ];
    for (output, shown) in tried {
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}{}", text(&output.stdout));
        assert!(said.starts_with("tcpwhy: ") && said.trim().lines().count() == 1, "{said}");
        assert!(said.contains(ALLOW) && said.contains(shown), "{said}");
        assert!(output.stdout.is_empty(), "nothing was run before");
    }
    assert_eq!(fs::read_to_string(SETTING).unwrap(), before);
    assert!(!mark.exists());
    // `show` prints the actions of the file.
    let shown = lab(folder.path(), &["show", programs.to_str().unwrap()]).output().unwrap();
    assert!(text(&shown.stdout).contains("touch"), "{}", text(&shown.stdout));
    assert!(!mark.exists());
}

/// Programs of a scenario run as `nobody` and can write only to their own folder. They have no capabilities,
/// terminal, environment or open files of the caller.
#[test]
fn programs_have_no_rights() {
    let _alone = alone();
    or_skip!();
    if !is_root() {
        eprintln!("skipped: others' programs have their rights");
        return;
    }
    let folder = folder();
    let secret = folder.path().join("secret");
    fs::write(&secret, "s3cret").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let prepare = format!(
        r#"
rights=$(grep -E '^(CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Uid|Gid|Groups):' /proc/self/status | tr -s '\t\n ' ' ')
for place in /tmp /var/tmp /dev/shm /etc /run {0} {0}/out/programs /proc/sys/net/ipv4 "$DIR"; do
    if touch $place/tcpwhy-lab-test 2>/dev/null; then written="$written $place"; rm -f $place/tcpwhy-lab-test; fi
done
(cat <&7 >/dev/null) 2>/dev/null && leaked=file
(true </dev/tty) 2>/dev/null && leaked=terminal
kill -0 1 2>/dev/null && leaked=init
kill -0 $PPID 2>/dev/null && leaked=worker
(echo x >/proc/$PPID/fd/3) 2>/dev/null && leaked=pipe
ln -sf {0}/secret $DIR/sender-prepare.log
echo "$rights; written$written; leaked $leaked; token $TOKEN; home $HOME $DIR; port $(cat /proc/sys/net/ipv4/ip_unprivileged_port_start); path $PATH."
exit 3
"#,
        folder.path().display()
    );
    let path = with_programs(folder.path(), &prepare);
    let command = run_command(folder.path(), &path, &[ALLOW, "-q"]);
    // Started with a terminal, a secret in the environment, and an open file without close-on-exec.
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_str().unwrap().to_owned())
        .collect();
    let typed = format!("exec 7<{}; exec {}", secret.display(), words.join(" "));
    let mut terminal = Command::new("script");
    terminal
        .args(["-qec", &typed, "/dev/null"])
        .env("TOKEN", "of the caller")
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin:/of/the/caller")
        .stdin(Stdio::null());
    terminal.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = terminal.output().unwrap();
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the scenario file programs runs or sets, besides its transfer: server: \""), "{said}");
    let report = said.lines().last().unwrap();
    let none = "0000000000000000";
    assert!(
        report.contains(&format!(
            "Uid: 65534 65534 65534 65534 Gid: 65534 65534 65534 65534 Groups: CapPrm: {none} CapEff: {none} CapBnd: {none} CapAmb: {none} NoNewPrivs: 1"
        )),
        "{report}"
    );
    assert!(!said.contains("s3cret") && report.contains("; leaked ; token ; "), "{report}");
    let home = report.split("; home ").nth(1).unwrap().split([' ', ';']).collect::<Vec<_>>();
    assert_eq!(home[0], home[1], "{report}");
    assert!(report.contains("; port 0"), "{report}");
    assert!(report.contains("; path /usr/sbin:/usr/bin:/sbin:/bin."), "{report}");
    let written = report.split("; written ").nth(1).unwrap().split(';').next().unwrap();
    if fs::read_to_string("/proc/sys/kernel/osrelease").unwrap().starts_with(|c: char| c > '5') {
        assert_eq!(written, home[0], "where it can write");
    }
}

/// A shell that runs `before` and then the command. As root, it has a separate mount namespace.
fn under(before: &str, command: &Command) -> Command {
    let mut shell = Command::new(if is_root() { "unshare" } else { "bash" });
    if is_root() {
        shell.args(["--mount", "bash"]);
    }
    shell.args(["-c", &format!("{before}\nexec \"$@\""), "bash"]).arg(command.get_program()).args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell
}

/// For any missing resource: one line with the reason, and no leftovers.
#[test]
fn what_is_missing_is_one_line_and_leaves_nothing() {
    let _alone = alone();
    or_skip!();
    let before = Traces::now();
    let folder = folder();
    let path = folder.path().join("short.toml");
    let short =
        "expect = { verdict = [] }\nlink = { rtt = \"2ms\" }\n[work.stream]\nphases = [{ bytes = \"100kB\" }]\n";
    fs::write(&path, short).unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let scratch = folder.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let files_open = [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20].map(|limit| (format!("ulimit -n {limit}"), None));
    let others = [
        // At most 4 kB per file of the run.
        ("ulimit -f 4", Some("File too large")),
        ("exec <&-", None),
        ("exec >&-", None),
        ("exec <&- >&-", None),
    ]
    .map(|(fault, said)| (fault.to_owned(), said));
    let mounted = [
        (format!("mount -t tmpfs -o size=16k none {}", out.display()), Some("No space left")),
        (format!("mount -t tmpfs -o ro none {}", out.display()), Some("Read-only")),
        (format!("mount -t tmpfs -o ro none {0}; export TMPDIR={0}", scratch.display()), None),
        ("mount --bind /dev/null /dev/net/tun".to_owned(), Some("cannot create a TAP device")),
        ("mount -t tmpfs none /dev/net".to_owned(), Some("cannot create a TAP device")),
        ("PATH=/nowhere".to_owned(), Some("`ip` is not installed")),
    ];
    let mounted = mounted.into_iter().filter(|_| is_root());
    for (fault, part) in files_open.into_iter().chain(others).chain(mounted) {
        let output = under(&fault, &run_command(folder.path(), &path, &["-q", "--html"])).output().unwrap();
        let said = text(&output.stderr);
        before.assert_none_left();
        let is_done = output.status.code() == Some(0) || output.status.code() == Some(1);
        let is_refused =
            output.status.code() == Some(2) && said.starts_with("tcpwhy: ") && said.trim().lines().count() == 1;
        assert!(is_done && said.is_empty() || is_refused, "{fault}: {:?} {said}", output.status);
        if let Some(part) = part {
            assert!(said.contains(part), "{fault}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_proved_is_one_line() {
    let folder = folder();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for (file, cause, part) in [
        ("send-buffer.pcap.gz", "application/close_wait", "cannot set up"),
        ("slow-start.pcap.gz", "unobserved", "cannot set up"),
    ] {
        let path = samples.join(file);
        let output = lab(folder.path(), &["prove", path.to_str().unwrap(), "--suppose", cause, "--lang", "en"]);
        let output = { output }.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {said}");
        assert!(said.contains(part) && said.trim().lines().count() == 1, "{file}: {said}");
    }
}

/// A cause without any trace in the capture is refuted, and only its rivals have to be run.
#[test]
fn what_is_supposed_may_have_no_trace() {
    let folder = folder();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
    let arguments = ["prove", sample.to_str().unwrap(), "--suppose", "loss_recovery", "--dry-run", "--json"];
    let output = lab(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let proof: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&proof["verdict"], &proof["fix"]), (&"loss_recovery".into(), &serde_json::Value::Null));
    let wrong = lab(folder.path(), &["prove", sample.to_str().unwrap(), "--suppose", "send_bufer"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("send_buffer"), "{}", text(&wrong.stderr));
}

/// A program with its own pace. Its rebuilt transfer copies that pace from the capture, so it resembles the
/// capture. It would do so as well if a full send buffer had caused the pace.
#[test]
fn what_repeats_the_capture_is_never_proved() {
    let _alone = alone();
    or_skip!();
    let folder = folder();
    // With a constant and with a random interval.
    for (pace, is_json) in [("", true), (", varies = \"uniform\"", false)] {
        let path = folder.path().join("paced.toml");
        let write = format!("{{ portion = \"20kB\", every = \"33ms\"{pace} }}");
        let text_of = format!(
            "[expect]\nverdict = [\"application\"]\n[link]\nrtt = \"10ms\"\nrate = \"20mbit\"\n[work.stream]\n\
             phases = [{{ bytes = \"400kB\", write = {write} }}]\n"
        );
        fs::write(&path, text_of).unwrap();
        let ran = run_command(folder.path(), &path, &["--quiet", "--overwrite"]).output().unwrap();
        assert!(ran.stderr.is_empty(), "{}", text(&ran.stderr));
        let capture = folder.path().join("out/paced/sender.pcapng");
        let form = if is_json { ["--json", "--lang=en"] } else { ["--quiet", "--lang=zh-CN"] };
        let output = lab(folder.path(), &["prove", capture.to_str().unwrap()]).args(form).output().unwrap();
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{said}{}", text(&output.stderr));
        if !is_json {
            assert!(said.starts_with("未能判定：应用："), "{said}");
            assert!(said.contains("照搬了抓包里写入的时刻"), "{said}");
            continue;
        }
        let proof: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let claim = &proof["hypotheses"][0];
        assert_eq!((&claim["replays"], &claim["explains"]), (&"writes".into(), &false.into()), "{said}");
        assert_eq!(proof["conclusion"]["id"], "undecided", "{said}");
        // On a busy machine, the run that must resemble the capture may be disturbed.
        if claim["rebuilt"]["doubts"].as_array().unwrap().is_empty() {
            assert_eq!(
                (&claim["resembles"], &proof["conclusion"]["reason"]),
                (&true.into(), &"replayed".into()),
                "{said}"
            );
        }
    }
}

/// Whether `page` is a whole page in `language`, about the transfer of a scenario.
fn is_page(page: &[u8], language: &str) -> bool {
    let page = text(page);
    page.starts_with("<!doctype html>")
        && page.trim_end().ends_with("</html>")
        && page.contains(&format!("<html lang=\"{language}\""))
        && page.contains("192.0.2.10")
}

/// A real run writes every output of the lab: pages, documents, pictures, recordings and scenarios.
#[test]
fn every_output_of_the_lab_is_written() {
    let _alone = alone();
    or_skip!();
    let before = Traces::now();
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, more: &str| {
        let head = "expect = { verdict = [] }\nlink = { rtt = \"10ms\" }\n";
        fs::write(at(name), format!("{head}{more}\n[work.stream]\nphases = [{{ bytes = \"400kB\" }}]\n")).unwrap();
    };
    write("small.toml", SMALL_BUFFER);
    write("large.toml", "");
    // Returns standard output; checks that standard error has one line per written place.
    let good = |words: &str, places: &[&str]| {
        let words: Vec<&str> = words.split(' ').collect();
        let output = lab(folder.path(), &words).current_dir(folder.path()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {said}{}", text(&output.stdout));
        // On a busy machine, a run is repeated with a message.
        let said: Vec<&str> = said.lines().filter(|line| !line.contains("; run again (")).collect();
        assert_eq!(said.len(), places.len(), "{words:?}: {said:?}");
        for (line, place) in said.iter().zip(places) {
            assert!(line.starts_with("tcpwhy: wrote ") && line.contains(&format!(" {place} (")), "{said:?}");
        }
        output.stdout
    };
    let json = |out: Vec<u8>| serde_json::from_slice::<serde_json::Value>(&out).unwrap();

    let runs = "run small.toml large.toml --repeat 2 --html --out runs";
    let document = json(good(&format!("{runs} --json"), &["runs"]));
    assert_eq!((document["runs"].as_array().unwrap().len(), &document["failed"]), (4, &serde_json::json!([])));
    let pages = ["small-1", "small-2", "large-1", "large-2"].map(|name| at("runs").join(name));
    let are_pages = |language: &str| {
        for page in pages.iter().flat_map(|run| ["sender.html", "receiver.html"].map(|page| run.join(page))) {
            assert!(is_page(&fs::read(&page).unwrap(), language), "{}", page.display());
        }
    };
    are_pages("en");
    // The lab wrote those pages, so it may replace them.
    good(&format!("{runs} --lang zh-CN --quiet"), &[]);
    are_pages("zh-CN");

    let document = json(good("compare small.toml runs/large-1 --out compared --json", &["compared"]));
    assert_eq!(document["runs"].as_array().unwrap().len(), 2);
    assert!(at("compared/small/truth.json").is_file());

    let document = json(good("score runs --json --markdown documents", &["documents"]));
    // Four recordings at three vantage points.
    assert_eq!(document["runs"].as_array().unwrap().len(), 12, "{document}");
    for name in ["accuracy.md", "accuracy.zh-CN.md"] {
        let page = fs::read_to_string(at("documents").join(name)).unwrap();
        assert!(
            page.starts_with("# ") && page.contains("<!-- written by tcpwhy -->") && page.contains("\n|"),
            "{page}"
        );
    }

    good("book book small.toml --recordings recorded", &["recorded", "book"]);
    let (pictures, pages): (Vec<_>, Vec<_>) = files(&at("book"), Path::new("/nowhere"))
        .into_iter()
        .partition(|path| path.extension() == Some("svg".as_ref()));
    assert!(!pictures.is_empty() && pages.len() == 4, "{pictures:?} {pages:?}");
    for picture in pictures {
        let picture = fs::read_to_string(picture).unwrap();
        assert!(picture.contains("<svg") && picture.contains("<path") && picture.ends_with("</svg>\n"), "{picture}");
    }

    let rebuilt = "prove runs/small-1/sender.pcapng --scenario rebuilt.toml";
    good(&format!("{rebuilt} --dry-run --json"), &["rebuilt.toml"]);
    assert!(!good("show rebuilt.toml --script", &[]).is_empty());
    let prove = lab(folder.path(), &["prove", "runs/small-1/sender.pcapng", "--out", "proofs", "--json", "-q"]);
    let prove = { prove }.current_dir(folder.path()).output().unwrap();
    assert!(prove.stderr.is_empty() && prove.status.code() != Some(2), "{}", text(&prove.stderr));
    assert!(json(prove.stdout)["conclusion"]["id"].is_string());
    assert!(at("proofs/rebuilt/truth.json").is_file());
    before.assert_none_left();
}

#[test]
fn a_rebuilt_scenario_is_one_to_run_again() {
    let folder = folder();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
    let file = folder.path().join("rebuilt.toml");
    let output = lab(
        folder.path(),
        &["prove", sample.to_str().unwrap(), "--dry-run", "--json", "--scenario", file.to_str().unwrap()],
    )
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let proof: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(proof["fix"], "remove-so-sndbuf");
    let scenario: toml::Table = fs::read_to_string(&file).unwrap().parse().unwrap();
    assert!(scenario["sender"]["sndbuf"].as_str().is_some(), "{scenario}");
}
