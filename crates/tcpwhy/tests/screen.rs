//! The screen of `tcpwhy live` in tmux, with a recording made by the test, compared with `golden/live-*.txt`.
//! `UPDATE_EXPECT=1` rewrites these. Without tmux the test is skipped, unless `MUST_TEST_TMUX` promises it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod recorded;
#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use expect_test::expect_file;
use recorded::Recorded;
use support::program;
use tempfile::TempDir;

/// Longest wait: a machine that is busy with other tests draws late.
const PATIENCE: Duration = Duration::from_secs(60);

/// A separate terminal in which the program shows a recording.
struct Terminal {
    folder: TempDir,
}

impl Terminal {
    /// Starts the terminal; `None` without tmux.
    fn start(columns: u32, rows: u32, args: &[&str], environment: &[&str]) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(std::env::var_os("MUST_TEST_TMUX").is_none(), "tmux is not installed");
            eprintln!("skipped: tmux is not installed");
            return None;
        }
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        let recording = terminal.folder.path().join("night.pcapng");
        Recorded::write(File::create(&recording).unwrap());
        let mut command: Vec<String> = ["env", "-u", "NO_COLOR", "-u", "COLORFGBG", "TZ=UTC"].map(str::to_owned).into();
        command.extend(environment.iter().map(|&set| set.to_owned()));
        command.push(program().display().to_string());
        command.extend(["live".to_owned(), recording.display().to_string()]);
        command.extend(args.iter().map(|&arg| arg.to_owned()));
        let size = [columns.to_string(), rows.to_string()];
        // Ignores the user's settings and keeps text that programs copy.
        let mut start = vec!["-f", "/dev/null", "new-session", "-d", "-x", &size[0], "-y", &size[1]];
        start.extend(command.iter().map(String::as_str));
        start.extend([";", "set", "-g", "set-clipboard", "on"]);
        let output = terminal.tmux(&start);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(terminal)
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("tmux")
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.env("LC_ALL", "C.UTF-8").env_remove("TMUX").args(["-u", "-S"]).arg(self.socket()).args(args);
        tmux.output().unwrap()
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn captured(&self, args: &[&str]) -> String {
        let output = self.tmux(&[&["capture-pane", "-p"], args].concat());
        String::from_utf8(output.stdout).unwrap()
    }

    /// The screen once it contains `sign` and no longer changes, because a page may be incomplete.
    #[track_caller]
    fn shown(&self, sign: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut before = String::new();
        loop {
            let text = self.captured(&[]);
            if text.contains(sign) && text == before {
                return text;
            }
            assert!(Instant::now() < end, "{sign:?} does not appear:\n{text}");
            before = text;
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Ends only the server of this socket.
        self.tmux(&["kill-server"]);
    }
}

#[track_caller]
fn holds(name: &str, shown: &str) {
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    expect_file![path].assert_eq(&(lines.join("\n").trim_end().to_owned() + "\n"));
}

/// Shows the list, a connection and the groups; `signs` are texts that appear once each is drawn.
fn walk(columns: u32, rows: u32, language: &str, signs: [&str; 3]) {
    let Some(terminal) = Terminal::start(columns, rows, &["--lang", language], &[]) else { return };
    let name = |page: &str| format!("live-{page}-{columns}-{language}.txt");
    holds(&name("list"), &terminal.shown(signs[0]));
    terminal.press(&["Enter"]);
    holds(&name("detail"), &terminal.shown(signs[1]));
    // Waits, because a key right after Escape would be read as part of an escape sequence.
    terminal.press(&["Escape"]);
    terminal.shown(signs[0]);
    terminal.press(&["g"]);
    holds(&name("groups"), &terminal.shown(signs[2]));
}

/// The program ends on SIGHUP, and also when its terminal reaches the end of file.
#[test]
fn it_ends_with_its_terminal() {
    for ignoring in [&[][..], &["env", "--ignore-signal=HUP"]] {
        let Some(terminal) = Terminal::start(80, 20, &[], ignoring) else { return };
        terminal.shown("sort: saving");
        let pid = String::from_utf8(terminal.tmux(&["list-panes", "-F", "#{pane_pid}"]).stdout).unwrap();
        let process = Path::new("/proc").join(pid.trim());
        assert!(process.exists());
        terminal.tmux(&["kill-server"]);
        let end = Instant::now() + PATIENCE;
        while process.exists() {
            assert!(Instant::now() < end, "{ignoring:?}: it runs without a terminal");
            sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn eighty_columns() {
    walk(80, 24, "en", ["sort: saving", "Esc back", "group: process"]);
}

#[test]
fn forty_columns() {
    walk(40, 24, "en", ["sort: saving", "Esc back", "group: process"]);
}

#[test]
fn sixty_columns() {
    walk(60, 20, "en", ["sort: saving", "Esc back", "group: process"]);
}

#[test]
fn a_hundred_columns() {
    walk(100, 24, "en", ["sort: saving", "Esc back", "group: process"]);
}

#[test]
fn a_hundred_and_sixty_columns_in_chinese() {
    walk(160, 24, "zh-CN", ["排序：可省", "Esc 返回", "分组：进程"]);
}

#[test]
fn forty_columns_in_chinese() {
    walk(40, 24, "zh-CN", ["排序：可省", "Esc 返回", "分组：进程"]);
}

#[test]
fn sixty_columns_in_chinese() {
    walk(60, 20, "zh-CN", ["排序：可省", "Esc 返回", "分组：进程"]);
}

#[test]
fn two_hundred_and_fifty_columns() {
    walk(250, 16, "en", ["sort: saving", "Esc back", "group: process"]);
}

#[test]
fn filter_freeze_span_events_and_help() {
    let Some(terminal) = Terminal::start(100, 24, &["--lang", "en"], &[]) else { return };
    terminal.shown("mysqld");
    terminal.press(&["/", "process:redis", "Enter"]);
    let filtered = terminal.shown("filter: process:redis");
    assert!(filtered.contains("redis[9]") && !filtered.contains("mysqld"), "{filtered}");
    terminal.press(&["Escape"]);
    terminal.shown("mysqld");
    terminal.press(&["t", "f"]);
    let frozen = terminal.shown("FROZEN");
    assert!(frozen.contains("last 10 s") && frozen.contains("mysqld"), "{frozen}");
    terminal.press(&["f", "e"]);
    terminal.shown("Events of each connection need BPF");
    terminal.press(&["?"]);
    terminal.shown("saving is the time that a change");
    for (by, name) in [("process", "mysqld"), ("port", ":873"), ("peer", "10.0.7.70"), ("cgroup", "/db")] {
        let grouped = Terminal::start(100, 24, &["--lang", "en", "--by", by], &[]).unwrap();
        let shown = grouped.shown(&format!("group: {by}"));
        assert!(shown.contains(name) && shown.contains("connections"), "{shown}");
    }
}

#[test]
fn the_terminal_is_asked_to_copy() {
    let Some(terminal) = Terminal::start(100, 24, &["--lang", "en"], &[]) else { return };
    terminal.shown("mysqld");
    terminal.press(&["c"]);
    let command = "ss -tinmp 'src 10.0.186.140:3306 and dst 10.0.7.70:26494'";
    terminal.shown(&format!("Asked the terminal to copy (OSC 52): {command}"));
    let copied = |terminal: &Terminal| String::from_utf8(terminal.tmux(&["show-buffer"]).stdout).unwrap();
    assert_eq!(copied(&terminal), command);
    terminal.press(&["C"]);
    terminal.shown("(OSC 52): 60.0 s  send buffer");
    let line = copied(&terminal);
    assert!(line.contains("send buffer") && line.contains("10.0.7.70:26494") && line.lines().count() == 1, "{line}");
}

#[test]
fn themes_differ_and_no_color_has_none() {
    let colours = |args: &[&str], environment: &[&str]| {
        let terminal = Terminal::start(100, 24, &[&["--lang", "en"], args].concat(), environment)?;
        terminal.shown("mysqld");
        Some(terminal.captured(&["-e"]))
    };
    let Some(neutral) = colours(&[], &[]) else { return };
    let [dark, light] = ["dark", "light"].map(|theme| colours(&["--theme", theme], &[]).unwrap());
    assert!(neutral != dark && dark != light && light != neutral);
    for colourful in [&neutral, &dark, &light] {
        assert!(colourful.contains("48;5;"), "{colourful}");
    }
    assert_eq!(colours(&[], &["COLORFGBG=15;0"]).unwrap(), dark);
    for plain in [colours(&[], &["NO_COLOR=1"]), colours(&["--theme", "none"], &[])] {
        let plain = plain.unwrap();
        assert!(!plain.contains("38;5;") && !plain.contains("48;5;") && plain.contains("theme: no colour"), "{plain}");
    }
}
