//! Cells on this machine. A harness of its own, since a cell starts its program again.
//!
//! Where namespaces are not permitted, says so and tests nothing.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that fails says so")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tcpwhy_lab::cell::{Cell, Supervisor};
use tcpwhy_lab::scenario::{BitRate, DirectionSpec, End, LinkSpec, Nanos, Share};
use tcpwhy_lab::{Emulator, Ends, LabError, MachineSettings, Scenario, cell};

/// What a cell is to do here.
#[derive(Debug, Serialize, Deserialize)]
enum Job {
    Look,
    /// Passes data over a link with these effects; 4 or 6, with offloads or without.
    Pass(Box<LinkSpec>, u8, bool),
    Linger(Vec<String>),
    Fail,
    Vanish,
}

#[derive(Debug, Serialize, Deserialize)]
struct Seen {
    scratch: PathBuf,
    processes: usize,
    interfaces: Vec<String>,
    frames: u64,
}

const SCENARIO: &str = r#"
link = { rtt = "4ms" }
expect = { verdict = ["none"] }
[work.stream]
phases = [{ bytes = "1MB" }]
"#;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("cell") => cell::main(|_: &Job| Vec::new(), work),
        Some("supervise") => linger(&arguments[2]),
        Some("machine") => hold(&arguments[2]),
        Some("--list") => {}
        _ => tests(),
    }
}

/// Inside.
fn work(job: Job, cell: &Cell) -> Result<Seen, LabError> {
    match job {
        Job::Look => look(cell),
        Job::Pass(link, ip_version, offload) => pass(*link, ip_version, offload),
        Job::Fail => Err(LabError::Kernel("reason to live")),
        Job::Vanish => std::process::abort(),
        Job::Linger(marks) => {
            let scenario = Scenario::from_toml("test", SCENARIO).unwrap();
            let ends = Ends::new(&scenario)?;
            let _emulator = Emulator::start(&ends, &scenario)?;
            fs::write(cell.scratch().join("file"), &marks[0]).unwrap();
            // A program that leaves its session and its parent.
            let script = format!("setsid sh -c 'sleep 60; : {}' >/dev/null 2>&1 & sleep 60", marks[0]);
            let mut child = Command::new("sh").args(["-c", &script]).spawn().unwrap();
            sleep(Duration::from_millis(200));
            cell.progress(&"up");
            child.wait().unwrap();
            unreachable!("it is killed before");
        }
    }
}

fn look(cell: &Cell) -> Result<Seen, LabError> {
    let scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    let ends = Ends::new(&scenario)?;
    let emulator = Emulator::start(&ends, &scenario)?;
    let done = ends.namespace(End::Sender).run(|| {
        let to = (ends.address(End::Receiver), 9);
        let error = TcpStream::connect(to).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    });
    done.unwrap();
    cell.progress(&"looked");
    fs::write(cell.scratch().join("file"), "x").unwrap();
    let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    Ok(Seen {
        scratch: cell.scratch().to_owned(),
        processes: names("/proc").iter().filter(|name| is_process(name)).count(),
        interfaces: fs::read_to_string("/proc/self/net/dev")
            .unwrap()
            .lines()
            .skip(2)
            .map(|line| line.split(':').next().unwrap().trim().to_owned())
            .collect(),
        frames: emulator.stop()?.forward.counts.frames,
    })
}

/// Whether data arrives as it was sent, whatever the link does to frames.
fn pass(link: LinkSpec, ip_version: u8, offload: bool) -> Result<Seen, LabError> {
    let mut scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    (scenario.link, scenario.ip_version) = (link, ip_version);
    (scenario.sender.offload, scenario.receiver.offload) = (offload, offload);
    let ends = Ends::new(&scenario)?;
    let emulator = Emulator::start(&ends, &scenario)?;
    let sent: Vec<u8> = (0..3_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
    let to = SocketAddr::new(ends.address(End::Receiver), 9);
    let listener = ends.namespace(End::Receiver).run(|| TcpListener::bind(to).unwrap()).unwrap();
    let came = std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            ends.namespace(End::Sender).enter().unwrap();
            TcpStream::connect(to).unwrap().write_all(&sent).unwrap();
        });
        let mut came = Vec::new();
        listener.accept().unwrap().0.read_to_end(&mut came).unwrap();
        sender.join().unwrap();
        came
    });
    assert!(came == sent, "what came is not what was sent");
    let report = emulator.stop()?;
    let forward = report.forward.counts;
    assert!(forward.drops.random > 0 && forward.duplicated > 0 && forward.held_back > 0, "{forward:?}");
    assert!(forward.drops.total() == forward.drops.random, "{forward:?}");
    assert!(offload == (report.forward.writes < forward.delivered * 2 / 3), "{report:?}");
    Ok(Seen { scratch: PathBuf::new(), processes: 0, interfaces: Vec::new(), frames: forward.frames })
}

/// A supervisor to be killed: says when its cell is up.
fn linger(mark: &str) {
    let cell = Supervisor::spawn(&["cell"], &Job::Linger(vec![mark.to_owned()])).unwrap();
    println!("{}", cell.id());
    let ended: Result<Seen, _> = cell.wait(Duration::from_secs(30), |_: String| println!("up"));
    println!("{}", ended.unwrap_err());
}

const WMEM_MAX: &str = "/proc/sys/net/core/wmem_max";

/// Changes a setting of the machine, to be killed.
fn hold(value: &str) {
    let mut scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    scenario.sender.sysctl.insert("net.core.wmem_max".into(), value.into());
    let _settings = MachineSettings::set(&scenario).unwrap();
    println!("up");
    sleep(Duration::from_secs(30));
}

/// The machine's settings come back when who changed them is killed.
fn machine() {
    let read = || fs::read_to_string(WMEM_MAX).unwrap().trim().to_owned();
    let before = read();
    if fs::write(WMEM_MAX, &before).is_err() {
        println!("not tested: {WMEM_MAX} is not this user's to change");
        return;
    }
    let other = (before.parse::<u64>().unwrap() + 4096).to_string();
    let mut holder = Command::new("/proc/self/exe").args(["machine", &other]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = std::io::BufReader::new(holder.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut String::new()).unwrap();
    assert_eq!(read(), other);
    let mut scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    scenario.receiver.sysctl.insert("net.core.wmem_max".into(), other.clone());
    assert!(matches!(MachineSettings::set(&scenario), Err(LabError::MachineBusy(_))), "one run at a time");
    holder.kill().unwrap();
    holder.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(3);
    while read() != before {
        assert!(Instant::now() < until, "{WMEM_MAX} was not restored");
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(50));
    drop(MachineSettings::set(&scenario).unwrap());
    assert_eq!(read(), before);
}

fn tests() {
    let looked = Supervisor::spawn(&["cell"], &Job::Look).unwrap();
    let mut progress = Vec::new();
    let seen: Seen = match looked.wait(Duration::from_secs(20), |line: String| progress.push(line)) {
        Err(LabError::Cell(why)) if why.starts_with("no network namespace") || why.starts_with("no TAP device") => {
            println!("not tested: {why}");
            return;
        }
        seen => seen.unwrap(),
    };
    assert_eq!(progress, ["looked"]);
    assert_eq!(seen.interfaces, ["lo"]);
    assert_eq!(seen.frames, 1, "the SYN; what refused it came back");
    // init and the worker, if the cell could mount its own /proc
    println!("processes seen: {}", seen.processes);
    assert!(!seen.scratch.join("file").exists());

    let forward = DirectionSpec {
        loss: Some(Share(0.005)),
        duplicate: Some(Share(0.01)),
        reorder: Some(Share(0.01)),
        ..DirectionSpec::default()
    };
    let link = LinkSpec { rtt: Nanos(1_000_000), rate: Some(BitRate(1_000_000_000)), forward, ..LinkSpec::default() };
    for (ip_version, offload) in [(4, true), (6, true), (4, false), (6, false)] {
        let passed = Supervisor::spawn(&["cell"], &Job::Pass(Box::new(link.clone()), ip_version, offload)).unwrap();
        let passed: Seen = passed.wait(Duration::from_secs(20), |(): ()| ()).unwrap();
        assert!(passed.frames > 2000);
    }

    let failed: Result<Seen, _> =
        Supervisor::spawn(&["cell"], &Job::Fail).unwrap().wait(Duration::from_secs(20), |(): ()| ());
    assert_eq!(failed.unwrap_err().to_string(), "this kernel has no reason to live");
    let vanished: Result<Seen, _> =
        Supervisor::spawn(&["cell"], &Job::Vanish).unwrap().wait(Duration::from_secs(20), |(): ()| ());
    assert_eq!(vanished.unwrap_err().to_string(), "the run was ended from outside (signal 6)");
    let mark = mark("deadline");
    let late: Result<Seen, _> = Supervisor::spawn(&["cell"], &Job::Linger(vec![mark.clone()]))
        .unwrap()
        .wait(Duration::from_secs(1), |_: String| ());
    assert!(matches!(late, Err(LabError::Deadline(1))));
    gone(&mark);

    for killed in ["supervisor", "outer", "init", "worker"] {
        killing(killed);
    }
    machine();
    println!("ok");
}

/// Kills one process of the tree; nothing may be left.
fn killing(whom: &str) {
    let mark = mark(whom);
    let mut supervisor =
        Command::new("/proc/self/exe").args(["supervise", &mark]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = std::io::BufReader::new(supervisor.stdout.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        line.trim().to_owned()
    };
    let outer: u32 = line().parse().unwrap();
    assert_eq!(line(), "up");
    let init = children(outer)[0];
    let worker = children(init)[0];
    let victim = match whom {
        "supervisor" => supervisor.id(),
        "outer" => outer,
        "init" => init,
        _ => worker,
    };
    assert!(running(&mark) >= 2);
    assert!(Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap().success());
    gone(&mark);
    supervisor.wait().unwrap();
    for id in [outer, init, worker] {
        let until = Instant::now() + Duration::from_secs(3);
        while is_alive(id) {
            assert!(Instant::now() < until, "{whom} killed, {id} left");
            sleep(Duration::from_millis(10));
        }
    }
}

/// Waits until no process with this mark is left.
fn gone(mark: &str) {
    let until = Instant::now() + Duration::from_secs(3);
    while running(mark) > 0 {
        assert!(Instant::now() < until, "something is left of {mark}");
        sleep(Duration::from_millis(10));
    }
}

/// Processes, other than this and the supervisor, that have the mark in their command line.
fn running(mark: &str) -> usize {
    let all = names("/proc");
    let lines = all.iter().filter_map(|id| fs::read(format!("/proc/{id}/cmdline")).ok());
    let is_marked = |line: &Vec<u8>| line.windows(mark.len()).any(|part| part == mark.as_bytes());
    lines.filter(|line| is_marked(line) && line.starts_with(b"sh\0")).count()
}

/// A zombie is not: whoever adopted it will fetch it.
fn is_alive(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

fn mark(what: &str) -> String {
    format!("tcpwhy-lab-test-{what}-{}", std::process::id())
}

fn children(id: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    text.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

fn names(folder: &str) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
