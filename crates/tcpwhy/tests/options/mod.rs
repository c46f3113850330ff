//! Command lines, the options that each tests, and the checks of their effect.

pub(crate) mod captures;
pub(crate) mod commands;
pub(crate) mod host;
pub(crate) mod lab;
pub(crate) mod socket;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{self, Trace, many, one, program};

/// Checks the effect of an option; panics if it is missing.
pub(crate) type Check = fn(&Ran);

/// Runs a command line; `None` if that is not permitted here.
pub(crate) type How = fn(&Ran) -> Option<Output>;

/// A command line and its checks.
pub(crate) struct Row {
    /// Words before the options; `""` is the program without a subcommand.
    commands: &'static [&'static str],
    /// All other words, separated by spaces. `'…'` keeps spaces, `@NAME` is a file of [`Files`].
    pub(crate) arguments: &'static str,
    /// Expected exit status.
    status: i32,
    how: How,
    checks: Vec<(&'static str, Check)>,
}

impl Row {
    /// The commands, without options common to all of their rows.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &'static str> {
        self.commands.iter().map(|words| words.split(" --").next().unwrap_or_default())
    }

    /// The options that the row tests.
    pub(crate) fn options(&self) -> impl Iterator<Item = &'static str> {
        self.checks.iter().map(|(option, _)| *option)
    }

    /// Expects this exit status instead of 0.
    pub(crate) fn ends_with(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn started_by(mut self, how: How) -> Self {
        self.how = how;
        self
    }
}

/// A row whose command line runs to its end.
pub(crate) fn row(
    commands: &'static [&'static str],
    arguments: &'static str,
    checks: Vec<(&'static str, Check)>,
) -> Row {
    Row { commands, arguments, status: 0, how: |ran| Some(ran.command().output().unwrap()), checks }
}

/// Rows for the options that have the same effect in all commands: language, colours, width and units of
/// `arguments`.
pub(crate) fn look(commands: &'static [&'static str], arguments: &'static [&'static str; 4]) -> Vec<Row> {
    let [language, color, width, units] = arguments;
    let mut rows = vec![row(commands, language, vec![("--lang", |r| r.is_chinese())])];
    let more: [(&str, &str, Check); 3] = [
        (color, "--color", |r| {
            r.says("\u{1b}[");
            // No escape sequence is printed as visible text.
            r.says_not("\\x1b");
        }),
        (width, "--width", |r| {
            // Prose is wrapped into more lines; commands to copy stay on one line.
            let [narrow, wide] = [r.out.clone(), r.without("--width 40")].map(|text| text.lines().count());
            assert!(narrow > wide + 3, "{narrow} and {wide} lines: {}", r.out);
        }),
        (units, "--units", |r| r.differs_without("--units iec")),
    ];
    for (arguments, option, check) in more {
        if !arguments.is_empty() {
            rows.push(row(commands, arguments, vec![(option, check)]));
        }
    }
    rows
}

/// A command line that has ended.
pub(crate) struct Ran {
    command: &'static str,
    arguments: &'static str,
    /// The run's own folder: `@out`.
    pub(crate) folder: TempDir,
    pub(crate) out: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) err: String,
}

impl Ran {
    fn new(command: &'static str, arguments: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { command, arguments, folder, out: String::new(), bytes: Vec::new(), err: String::new() }
    }

    /// Runs the row. Returns whether it is permitted here.
    fn run(&mut self, row: &Row) -> bool {
        prepare(self.folder.path());
        let Some(output) = (row.how)(self) else { return false };
        self.out = String::from_utf8_lossy(&output.stdout).into_owned();
        self.bytes = output.stdout;
        self.err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(row.status), "{}: {}{}", self.name(), self.out, self.err);
        true
    }

    /// The words of this run, with placeholders replaced by files.
    pub(crate) fn words(&self) -> Vec<String> {
        split(self.arguments).into_iter().map(|word| self.expand(&word)).collect()
    }

    fn expand(&self, word: &str) -> String {
        let Some((before, rest)) = word.split_once('@') else { return word.to_owned() };
        let end = rest.find('/').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let path = match name {
            "out" => self.folder.path().to_owned(),
            "recorded" => lab::recorded(),
            name => file(name),
        };
        format!("{before}{}{after}", path.display())
    }

    /// The program with the command and these words.
    pub(crate) fn program(&self, words: &[String]) -> Command {
        let mut command = Command::new(program());
        for name in ["LC_ALL", "LC_MESSAGES", "LC_CTYPE", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command.env("LANG", "en_US.UTF-8").env("TZ", "Asia/Tokyo").current_dir(self.folder.path());
        command.args(self.command.split_whitespace()).args(words);
        command
    }

    pub(crate) fn command(&self) -> Command {
        self.program(&self.words())
    }

    fn name(&self) -> String {
        format!("tcpwhy {} {}", self.command, self.arguments)
    }

    /// Output of the same command with other words.
    pub(crate) fn instead(&self, arguments: &str) -> String {
        let words: Vec<_> = split(arguments).iter().map(|word| self.expand(word)).collect();
        let output = self.program(&words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Output without these words, in a separate folder.
    #[track_caller]
    pub(crate) fn without(&self, words: &str) -> String {
        assert!(self.arguments.contains(words), "{}: {words}", self.name());
        let arguments = self.arguments.replacen(words, "", 1);
        self.instead(&arguments)
    }

    #[track_caller]
    pub(crate) fn differs_without(&self, words: &str) {
        assert_ne!(self.without(words), self.out, "{}: no difference", self.name());
        assert!(!self.out.trim().is_empty(), "{}", self.name());
    }

    #[track_caller]
    pub(crate) fn says(&self, part: &str) {
        assert!(self.out.contains(part), "{}: no {part:?} in\n{}", self.name(), self.out);
    }

    #[track_caller]
    pub(crate) fn says_not(&self, part: &str) {
        assert!(!self.out.contains(part) && !self.out.is_empty(), "{}: {part:?} in\n{}", self.name(), self.out);
    }

    #[track_caller]
    pub(crate) fn is_chinese(&self) {
        let han = self.out.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
        assert!(han > 3, "{}: {}", self.name(), self.out);
    }

    /// Checks that only the first three lines are printed, fewer than without the option, and nothing on
    /// standard error.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        assert!(self.err.is_empty(), "{}: {}", self.name(), self.err);
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{}: {e}", self.name()));
        assert_eq!(document["schema"], "tcpwhy/1", "{}", self.name());
        document
    }

    /// A list of the JSON document.
    #[track_caller]
    pub(crate) fn list(&self, pointer: &str) -> Vec<Value> {
        let document = self.json();
        let list = document.pointer(pointer).and_then(Value::as_array);
        list.unwrap_or_else(|| panic!("{}: no {pointer} in {document}", self.name())).clone()
    }

    /// Content of a file that it wrote.
    #[track_caller]
    pub(crate) fn written(&self, name: &str) -> Vec<u8> {
        let path = self.folder.path().join(name);
        fs::read(&path).unwrap_or_else(|e| panic!("{}: {}: {e}", self.name(), path.display()))
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.written(name)).unwrap()
    }

    /// Sorted names of the files below its folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path => names.push(path.strip_prefix(self.folder.path()).unwrap().display().to_string()),
                }
            }
        }
        names.sort();
        names
    }

    /// Checks that a picture is complete and not empty.
    #[track_caller]
    pub(crate) fn picture(&self, name: &str) -> String {
        let picture = self.text(name);
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{}: {picture}", self.name());
        let drawn = ["<path", "<rect", "<line", "<polyline"].iter().map(|tag| picture.matches(tag).count());
        assert!(drawn.sum::<usize>() > 3, "{}: nothing is drawn: {picture}", self.name());
        picture
    }

    /// Checks that a page is complete, and returns its data.
    #[track_caller]
    pub(crate) fn page(&self, page: &str) -> Value {
        assert!(page.contains("<!doctype html>") && page.trim_end().ends_with("</html>"), "{}", self.name());
        support::data(page)
    }
}

/// Splits at spaces, except between `'`.
fn split(arguments: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in arguments.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs every row, checks each of its options, and lists all failures.
pub(crate) fn run(rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        for command in row.commands {
            let works = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).is_ok();
            let mut ran = Ran::new(command, row.arguments);
            let name = ran.name();
            let mut is_run = true;
            if !works(&mut || is_run = ran.run(row)) {
                wrong.push(name);
                continue;
            }
            if is_run {
                let not = row.checks.iter().filter(|(_, check)| !works(&mut || check(&ran)));
                wrong.extend(not.map(|(option, _)| format!("{option} of {name}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} options do not work: {wrong:#?}", wrong.len());
}

/// Prepares the folder of a row: a capture two levels below, and a foreign file for each kind of output.
fn prepare(folder: &Path) {
    fs::create_dir_all(folder.join("in/below")).unwrap();
    for (name, capture) in [("in/a.pcapng", "one"), ("in/b.pcapng", "names"), ("in/below/c.pcapng", "many")] {
        fs::copy(file(capture), folder.join(name)).unwrap();
    }
    fs::write(folder.join("taken"), STRANGER).unwrap();
}

/// Content of a file that tcpwhy did not write.
pub(crate) const STRANGER: &str = "not tcpwhy's\n";

/// The file that rows call `@NAME`.
fn file(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options");
        fs::create_dir_all(&folder).unwrap();
        let http = b"GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n";
        let named = Trace::default().request(("10.1.2.3", 40_000), ("10.9.8.7", 80), 0, http);
        let later = one().elsewhere("10.9.8.7", 5_000_000, 0);
        for (name, capture) in [("one", one()), ("many", many()), ("names", named), ("later", later)] {
            fs::write(folder.join(format!("{name}.pcapng")), capture.pcapng()).unwrap();
        }
        fs::write(folder.join("growing.pcap.zst"), growing()).unwrap();
        fs::write(folder.join("key"), "a passphrase\n").unwrap();
        fs::write(folder.join("short.toml"), lab::SHORT).unwrap();
        fs::write(folder.join("sysctls"), "kernel.osrelease = 6.12.1\nnet.ipv4.tcp_wmem = 4096 16384 131072\n")
            .unwrap();
        fs::create_dir_all(folder.join("kernel/one")).unwrap();
        fs::write(folder.join("kernel/one/scenario.toml"), lab::SHORT).unwrap();
        let truth = r#"{ "duration_s": 0.292, "kernel": "6.18", "total_retrans": 0, "total_rto": 0, "quality": {} }"#;
        fs::write(folder.join("kernel/one/truth.json"), truth).unwrap();
        folder
    });
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").canonicalize().unwrap();
    match name {
        "one" | "many" | "names" | "later" => folder.join(format!("{name}.pcapng")),
        "growing" => folder.join("growing.pcap.zst"),
        "key" | "sysctls" | "short.toml" | "kernel" => folder.join(name),
        "samples" => samples,
        "host" => samples.join("host"),
        "send" => samples.join("send-buffer.pcap.gz"),
        "loss" => samples.join("loss.pcap.gz"),
        "paced" => samples.join("application-paced.pcap.gz"),
        "requests" => samples.join("request-response.pcap.gz"),
        other => panic!("no file {other}"),
    }
}

/// One ARP packet and a million empty records, which compress by a factor of more than 10,000.
fn growing() -> Vec<u8> {
    let header = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1_u32].map(u32::to_le_bytes).concat();
    let record = [0, 0, 42, 42_u32].map(u32::to_le_bytes).concat();
    let frame = [&[0; 12][..], &[8, 6], &[0; 28]].concat();
    zstd::encode_all(&[header, record, frame, vec![0; 16 << 20]].concat()[..], 3).unwrap()
}
