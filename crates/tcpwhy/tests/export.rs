//! `tcpwhy export` as a process: its responses, its files, and their evaluation by Prometheus.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use tcpwhy_report::metrics::{Kind, Source, TABLE};
use tcpwhy_report::{Catalogue, Language};

/// A test that waits longer fails.
const PATIENCE: Duration = Duration::from_secs(60);
/// Seconds after which child processes end, even if the test crashes.
const LONGEST: &str = "180";

/// Serializes the tests. An exporter sees the connections of all tests, and the number of groups is limited.
/// So many connections of one test would hide those of another.
static CROWD: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child process that ends with the test, or after a time limit.
struct Program(Child);

impl Program {
    fn start(name: &Path, args: &[&str]) -> Self {
        let mut command = Command::new("timeout");
        command.args(["-k", "5", LONGEST]).arg(name).args(args).env("LC_ALL", "C.UTF-8");
        Self(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Process id of the program, which is a child of `timeout`.
    fn id(&self) -> u32 {
        let children = format!("/proc/{0}/task/{0}/children", self.0.id());
        std::fs::read_to_string(children).unwrap().trim().parse().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // `timeout` forwards the signal.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// A running `tcpwhy export` that listens.
struct Exporter {
    program: Program,
    address: SocketAddr,
}

impl Exporter {
    fn start(args: &[&str]) -> Self {
        Self::of(Program::start(cargo_bin!("tcpwhy"), &[&["export", "--listen", "127.0.0.1:0"], args].concat()))
    }

    /// Starts an exporter with a limit of open files. It combines no series, so that answers of samples are
    /// long, too.
    fn with_files(files: u32) -> Self {
        let (limit, program) = (format!("--nofile={files}"), cargo_bin!("tcpwhy").to_str().unwrap());
        let export = ["export", "--listen", "127.0.0.1:0", "--max-series", "10000"];
        Self::of(Program::start(Path::new("prlimit"), &[&[&limit, program], &export[..]].concat()))
    }

    fn of(mut program: Program) -> Self {
        let mut line = String::new();
        BufReader::new(program.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/metrics\n")).expect(&line);
        Self { address: address.parse().unwrap(), program }
    }

    fn ask(&self, request: &str) -> String {
        exchange(self.address, request)
    }

    fn get(&self, path: &str, accept: &str) -> String {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept: {accept}\r\nConnection: close\r\n\r\n",
            self.address
        ))
    }

    /// All samples by name and labels.
    fn samples(&self) -> BTreeMap<String, f64> {
        let answer = self.get("/metrics", "*/*");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        samples(&answer)
    }
}

fn samples(text: &str) -> BTreeMap<String, f64> {
    let lines = text.lines().filter(|line| line.starts_with("tcpwhy"));
    lines
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect()
}

fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

fn export(args: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.arg(LONGEST).arg(cargo_bin!("tcpwhy")).arg("export").args(args).env("LC_ALL", "C.UTF-8");
    command.output().unwrap()
}

/// A sender with a small send buffer and a slow reader, whose acknowledgements are delayed.
struct SmallBuffer {
    port: u16,
    is_over: Arc<AtomicBool>,
    ends: Vec<JoinHandle<()>>,
}

impl SmallBuffer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_send_buffer_size(16 << 10).unwrap();
        socket.connect(&address.into()).unwrap();
        let (mut reader, mut writer) = (listener.accept().unwrap().0, TcpStream::from(socket));
        writer.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        reader.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let writes = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                while !is_over.load(Ordering::Relaxed) {
                    let _ = writer.write(&vec![0; 65_536]);
                }
            }
        });
        let reads = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                let mut taken = vec![0; 1 << 20];
                while !is_over.load(Ordering::Relaxed) {
                    let _ = reader.read(&mut taken);
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        });
        Self { port: address.port(), is_over, ends: vec![writes, reads] }
    }
}

impl Drop for SmallBuffer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for end in self.ends.drain(..) {
            let _ = end.join();
        }
    }
}

#[test]
fn a_scrape_in_both_forms_and_nothing_else() {
    let _alone = alone();
    let exporter = Exporter::start(&[]);
    let plain = exporter.get("/metrics", "text/html,*/*;q=0.8");
    assert!(plain.contains("content-type: text/plain; version=0.0.4"), "{plain}");
    assert!(plain.contains("# TYPE tcpwhy_limit_seconds_total counter") && !plain.contains("# EOF"));
    let open = exporter.get("/metrics", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
    assert!(open.contains("content-type: application/openmetrics-text; version=1.0.0"), "{open}");
    assert!(open.contains("# TYPE tcpwhy_limit_seconds counter") && open.contains("# EOF\n"));
    assert!(exporter.get("/", "*/*").contains("href=\"/metrics\""));
    // Metrics that need BPF programs are absent, not 0.
    assert!(!plain.contains("tcpwhy_send_blocked_seconds") && !plain.contains("tcpwhy_buffer_set"));
    for (request, status) in [
        ("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "405"),
        ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
        ("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "200"),
        ("nonsense\r\n\r\n", "400"),
    ] {
        let answer = exporter.ask(request);
        assert_eq!(answer.split(' ').nth(1), Some(status), "{request}{answer}");
    }
    // Many idle connections do not block others.
    let crowd: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(exporter.address).unwrap()).collect();
    assert!(exporter.get("/metrics", "*/*").starts_with("HTTP/1.1 200"));
    drop(crowd);
}

/// Thousands of short connections to many ports, more than the limit of series.
#[test]
fn totals_only_grow_and_series_and_memory_are_bounded() {
    let _alone = alone();
    let exporter = Exporter::start(&["--cpu", "50%", "--max-series", "300"]);
    let listeners: Vec<TcpListener> = (0..40).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", exporter.program.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let mut last = exporter.samples();
    let mut early = 0;
    let start = Instant::now();
    let mut open: Vec<[TcpStream; 2]> = Vec::new();
    for round in 0..100 {
        for listener in &listeners {
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (server, _) = listener.accept().unwrap();
            client.write_all(&[0; 1000]).unwrap();
            open.push([client, server]);
        }
        // A few hundred are open at a time.
        open.drain(..open.len().saturating_sub(200));
        std::thread::sleep(Duration::from_millis(40));
        if round % 10 == 9 {
            let now = exporter.samples();
            for (name, before) in last.iter().filter(|(name, _)| name.contains("_total") || name.contains("_bucket")) {
                assert!(now.get(name).is_some_and(|value| value >= before), "{name}: {before} {:?}", now.get(name));
            }
            let of_groups = now.keys().filter(|name| name.contains("process=")).count();
            assert!(of_groups <= 300, "{of_groups}");
            if round == 29 {
                early = resident();
            }
            last = now;
        }
        assert!(start.elapsed() < PATIENCE * 2);
    }
    drop(open);
    assert!(last.keys().any(|name| name.contains("process=\"other\",role=\"other\",port=\"other\"")), "{last:?}");
    let late = resident();
    assert!(late < early + 8 * 1024, "{early} kB, then {late} kB");
}

/// The reported seconds equal the lifetime of the connections.
#[test]
fn seconds_add_up_to_the_time_that_a_connection_was_watched() {
    let _alone = alone();
    let small = SmallBuffer::start();
    let output = export(&["--once", "--for", "3s", "--cpu", "50%", "--peer", "8", "--cgroup"]);
    assert!(output.status.success(), "{output:?}");
    let all = samples(&String::from_utf8(output.stdout).unwrap());
    let port = format!("role=\"client\",port=\"{}\",peer=\"127.0.0.0/8\",cgroup=\"", small.port);
    let time = |limit: &str| {
        let mine = all.iter().filter(|(name, _)| {
            name.starts_with("tcpwhy_limit_seconds_total") && name.contains(&port) && name.contains(limit)
        });
        mine.map(|(_, seconds)| seconds).sum::<f64>()
    };
    let whole = time("limit=");
    // The first scan may be late on a busy machine.
    assert!((1.5..4.5).contains(&whole), "{whole} {all:?}");
    assert!(time("limit=\"send_buffer\"") > 0.0, "{all:?}");
    let open: f64 = all
        .iter()
        .filter(|(name, _)| name.starts_with("tcpwhy_connections{") && name.contains(&port))
        .map(|(_, n)| n)
        .sum();
    assert!((open - 1.0).abs() < 0.1, "{open}");
}

#[test]
fn a_file_is_whole_and_wrong_use_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tcpwhy.prom");
    let output = export(&["--once", "--for", "100ms", "-o", file.to_str().unwrap()]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("tcpwhy_info{"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    // Writes repeatedly until it is stopped.
    let lasting =
        Program::start(cargo_bin!("tcpwhy"), &["export", "--format", "openmetrics", "-o", file.to_str().unwrap()]);
    let start = Instant::now();
    while !std::fs::read_to_string(&file).unwrap().ends_with("# EOF\n") {
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(lasting);

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (args, said) in [
        (&["--listen", &address][..], "in use"),
        (&["--once", "-o", "/nowhere/file.prom"], "/nowhere"),
        (&["--max-series", "5"], "max-series"),
        (&["--peer", "40"], "bits"),
        (&["--dashboard", "--once"], "--once"),
    ] {
        let output = export(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.contains(said), "{args:?} {text}");
    }
}

/// Clients that send many requests and read nothing are closed when others connect.
#[test]
fn slow_readers_do_not_keep_others_out() {
    let _alone = alone();
    // Many ports make long responses. Short ones would be complete before any client stalls.
    let ports: Vec<_> = (0..150)
        .map(|_| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.write_all(b"x").unwrap();
            (listener.accept().unwrap(), client, listener)
        })
        .collect();
    // With this limit, eight connections are possible.
    let exporter = Exporter::with_files(96);
    let length = exporter.get("/metrics", "*/*").len();
    assert!(length > 100_000, "{length}");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", exporter.address);
    let deaf = || {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.connect(&exporter.address.into()).unwrap();
        let mut stream = TcpStream::from(socket);
        stream.set_nonblocking(true).unwrap();
        // The responses exceed the kernel's socket buffers.
        let _ = stream.write(request.repeat(200).as_bytes());
        stream
    };
    let mut crowd: Vec<_> = (0..8).map(|_| deaf()).collect();
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(500));
        let answer = exporter.get("/metrics", "*/*");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:?}");
        crowd.extend((0..4).map(|_| deaf()));
    }
    drop(ports);
}

/// For root: the folder that `node_exporter` reads may belong to another user.
#[test]
fn a_file_in_a_folder_of_somebody_else() {
    if !rustix::process::geteuid().is_root() {
        return eprintln!("skipped: only root may give a folder away");
    }
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(65_534), Some(65_534)).unwrap();
    let file = folder.path().join("tcpwhy.prom");
    for _ in 0..2 {
        let output = export(&["--once", "--for", "100ms", "-o", file.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(std::fs::read_to_string(&file).unwrap().contains("tcpwhy_info"));
    }
}

/// The process that answers requests has no capabilities, and the separate process that scans has two.
/// Neither runs as root, and both end together.
#[test]
fn rights_are_given_up() {
    let exporter = Exporter::start(&[]);
    let main = exporter.program.id();
    let children = || std::fs::read_to_string(format!("/proc/{main}/task/{main}/children")).unwrap();
    let looker: u32 = children().trim().parse().expect("one process looks");
    // CAP_DAC_READ_SEARCH and CAP_SYS_PTRACE, if the test's user has them.
    let two = (1 << 2) | (1 << 19);
    for (id, most) in [(main, 0), (looker, two)] {
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
        for task in tasks {
            let status = std::fs::read_to_string(task.unwrap().path().join("status")).unwrap();
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
            assert_eq!((field("NoNewPrivs:"), field("Seccomp:")), ("1", "2"), "{status}");
            assert!(!field("Uid:").split_whitespace().any(|uid| uid == "0"), "{status}");
            assert_eq!(field("CapEff:"), field("CapPrm:"));
            assert_eq!(u64::from_str_radix(field("CapEff:"), 16).unwrap() & !most, 0, "{status}");
        }
    }
    // After a kill of the answering process, the other one ends too.
    let _ = Command::new("kill").args(["-9", &main.to_string()]).status();
    let end = Instant::now() + PATIENCE;
    // An ended process may stay as a zombie for a moment.
    let is_there = || std::fs::read_to_string(format!("/proc/{looker}/cmdline")).is_ok_and(|text| !text.is_empty());
    while is_there() {
        assert!(Instant::now() < end, "it goes on looking");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// If the scanning process ends, the other one ends too and prints the reason.
#[test]
fn without_looks_there_are_no_answers() {
    let mut exporter = Exporter::start(&[]);
    let main = exporter.program.id();
    let looker = std::fs::read_to_string(format!("/proc/{main}/task/{main}/children")).unwrap();
    let _ = Command::new("kill").args(["-9", looker.trim()]).status();
    // `timeout` returns the status of its child.
    assert_eq!(exporter.program.0.wait().unwrap().code(), Some(2));
}

/// Names of metrics in `text`. Names of recording rules contain a colon.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| word.starts_with("tcpwhy_") || word.starts_with("tcpwhy:")).map(str::to_owned).collect()
}

#[test]
fn dashboard_and_alerts_name_what_is_told() {
    let _small = SmallBuffer::start();
    let told = export(&["--once", "--for", "500ms"]).stdout;
    let mut told = names(&String::from_utf8(told).unwrap());
    let alerts = String::from_utf8(export(&["--alerts"]).stdout).unwrap();
    told.extend(alerts.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).map(str::to_owned));
    for language in ["en", "zh-CN"] {
        for of in ["--alerts", "--dashboard"] {
            let text = String::from_utf8(export(&[of, "--lang", language]).stdout).unwrap();
            let unknown: Vec<_> = names(&text).difference(&told).cloned().collect();
            assert!(unknown.is_empty() && !text.contains('⟨'), "{of} {language}: {unknown:?} {text}");
        }
    }
}

/// In each language, the pages list the HELP text of every metric.
#[test]
fn the_pages_list_every_metric() {
    for language in Language::ALL.into_iter().filter(|language| language.is_complete()) {
        let words = Catalogue::new(language);
        let ending = if language == Language::English { String::new() } else { format!(".{}", language.tag()) };
        let name = format!("export{ending}.md");
        let page =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(&name)).unwrap();
        for definition in TABLE.iter().filter(|definition| definition.source != Source::Bpf) {
            let (sample, kind) = match definition.kind {
                Kind::Histogram => (definition.name.to_owned(), "histogram"),
                Kind::Counter => (definition.sample(), "counter"),
                Kind::Gauge => (definition.sample(), "gauge"),
                Kind::Info => (definition.sample(), "info"),
            };
            let row = format!("| `{sample}` | {kind} | {} |", words.word(&definition.help_id()));
            assert!(page.contains(&row), "{name} lacks {row}");
        }
    }
}

/// Results of a query; `None` while Prometheus does not answer.
fn query(address: SocketAddr, query: &str) -> Option<Vec<Value>> {
    let mut encoded = String::new();
    for byte in query.bytes() {
        write!(encoded, "%{byte:02X}").ok()?;
    }
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    write!(stream, "GET /api/v1/query?query={encoded} HTTP/1.0\r\nHost: {address}\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let document: Value = serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()?;
    assert_eq!(document["status"], "success", "{query}: {document}");
    document["data"]["result"].as_array().cloned()
}

/// Uses the distribution's Prometheus. `MUST_TEST_PROMETHEUS` requires it.
#[test]
fn prometheus_reads_it_and_knows_the_share_of_a_limit() {
    let _alone = alone();
    if Command::new("promtool").arg("--version").output().is_err() {
        assert!(std::env::var_os("MUST_TEST_PROMETHEUS").is_none(), "Prometheus is not installed");
        return;
    }
    let small = SmallBuffer::start();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let exporter = Exporter::start(&["--cpu", "50%"]);

    let mut check = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let scrape = exporter.get("/metrics", "text/plain");
    check.stdin.take().unwrap().write_all(scrape.split_once("\r\n\r\n").unwrap().1.as_bytes()).unwrap();
    let said = check.wait_with_output().unwrap();
    assert!(said.status.success() && said.stderr.is_empty(), "{}", String::from_utf8_lossy(&said.stderr));

    std::fs::write(path("rules.yml"), export(&["--alerts"]).stdout).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address: SocketAddr = format!("127.0.0.1:{port}").parse().unwrap();
    let config = format!(
        "global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [rules.yml]\nscrape_configs:\n  - \
         job_name: tcpwhy\n    static_configs: [{{targets: ['{}']}}]\n",
        exporter.address
    );
    std::fs::write(path("prometheus.yml"), config).unwrap();
    let said = Command::new("promtool").args(["check", "config", &path("prometheus.yml")]).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    let _prometheus = Program::start(
        Path::new("prometheus"),
        &[
            &format!("--config.file={}", path("prometheus.yml")),
            &format!("--storage.tsdb.path={}", path("data")),
            &format!("--web.listen-address={address}"),
            "--log.level=error",
        ],
    );

    let of = |limits: &str| {
        format!("sum(rate(tcpwhy_limit_seconds_total{{role=\"client\",port=\"{}\",limit{limits}}}[20s]))", small.port)
    };
    let share = format!("{} / ({} > 0)", of("=\"send_buffer\""), of("!~\"application|unobserved\""));
    let start = Instant::now();
    let wait_for = |text: &str| loop {
        let results = query(address, text).unwrap_or_default();
        if let Some(result) = results.first() {
            break result["value"][1].as_str().unwrap().parse::<f64>().unwrap();
        }
        assert!(start.elapsed() < PATIENCE, "no answer from Prometheus to {text}");
        std::thread::sleep(Duration::from_millis(200));
    };
    // Rates need more than two scrapes.
    wait_for(&format!("{} > 0", of("=\"send_buffer\"")));
    std::thread::sleep(Duration::from_secs(4));
    let share = wait_for(&share);
    assert!(share > 0.5, "{share}");
    assert!((wait_for("up{job=\"tcpwhy\"}") - 1.0).abs() < 0.1);
    // The recording rules compute the share.
    wait_for(&format!("tcpwhy:limit_share:rate5m{{port=\"{}\",limit=\"send_buffer\"}}", small.port));

    // Every query of the dashboard has a result.
    let dashboard: Value = serde_json::from_slice(&export(&["--dashboard"]).stdout).unwrap();
    for target in dashboard["panels"].as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array().unwrap())
    {
        let text = target["expr"].as_str().unwrap().replace("$__rate_interval", "20s");
        let text = ["$instance", "$process", "$port"].iter().fold(text, |text, name| text.replace(name, ".*"));
        wait_for(&text);
    }
}
