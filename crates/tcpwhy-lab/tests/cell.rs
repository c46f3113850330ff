//! Tests of cells on this machine. They have a harness of their own, because a cell starts its program again.
//!
//! If namespaces are not permitted, it prints this and skips the tests.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that fails says so")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tcpwhy_lab::cell::{Cell, Supervisor};
use tcpwhy_lab::{Emulator, Ends, LabError, MachineSettings, cell};
use tcpwhy_model::{Explained as _, Message};
use tcpwhy_scenario::{BitRate, DirectionSpec, End, LinkSpec, Nanos, Scenario, Share};

/// A task for the cell.
#[derive(Debug, Serialize, Deserialize)]
enum Job {
    Look,
    /// Sends data over a link with these effects, over IPv4 or IPv6, with or without offloads.
    Pass(Box<LinkSpec>, u8, bool),
    Linger(Vec<String>),
    Fail,
    Vanish,
    /// Drops the privileges and reports the remaining ones.
    Seal,
}

/// Remaining abilities of a sealed worker.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Left {
    /// `CapPrm` of all of its threads.
    rights: Vec<u64>,
    no_new_rights: bool,
    /// Places where it could create a file.
    written: Vec<PathBuf>,
    set: bool,
    namespace: bool,
    /// `CapEff` of a program that it starts, and whether that program could open the worker's files.
    program: u64,
    reached: bool,
    /// Whether there is a terminal into which a program could type.
    terminal: bool,
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
        Some("recover") => println!("{:?}", MachineSettings::recover()),
        Some("guardian") => tcpwhy_lab::guard(),
        Some("sealed") => cell::main(|_: &Job| vec![std::env::temp_dir().join(KEPT)], sealed),
        Some("babble") => cell::main(|_: &usize| Vec::new(), babble),
        Some("--list") => {}
        _ => tests(),
    }
}

/// A folder of this test in the temporary folder, which stays writable.
const KEPT: &str = "tcpwhy-lab-test-kept";

fn field(status: &str, name: &str) -> String {
    status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
}

fn rights(status: &str, set: &str) -> u64 {
    u64::from_str_radix(&field(status, set), 16).unwrap()
}

/// Seals the cell while an emulator runs; runs in the cell.
fn sealed(_: Job, cell: &Cell) -> Result<Left, LabError> {
    let scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    let ends = Ends::new(&scenario)?;
    let _emulator = Emulator::start(&ends, &scenario)?;
    cell.progress(&"up");
    sleep(Duration::from_millis(100));
    cell.seal()?;
    let temporary = std::env::temp_dir();
    let folders =
        [cell.scratch().to_owned(), temporary.join(KEPT), temporary, "/etc".into(), "/run".into(), "/dev/shm".into()];
    let may_write = |folder: &PathBuf| {
        let file = folder.join(format!("tcpwhy-lab-test-{}", std::process::id()));
        let made = fs::write(&file, "x").is_ok();
        let _ = fs::remove_file(&file);
        made
    };
    let threads = names("/proc/self/task");
    let program = Command::new("sh")
        .args([
            "-c",
            "cat /proc/self/status; readlink /proc/$PPID/fd/0 >/dev/null && echo reached; true </dev/tty && echo tty",
        ])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let program = String::from_utf8(program.stdout).unwrap();
    Ok(Left {
        rights: threads
            .iter()
            .map(|id| rights(&fs::read_to_string(format!("/proc/self/task/{id}/status")).unwrap(), "CapPrm:"))
            .collect(),
        no_new_rights: field(&fs::read_to_string("/proc/self/status").unwrap(), "NoNewPrivs:") == "1",
        written: folders.iter().filter(|folder| may_write(folder)).cloned().collect(),
        set: fs::write("/proc/sys/net/ipv4/tcp_sack", "1").is_ok()
            || fs::write("/proc/sys/vm/swappiness", "60").is_ok(),
        namespace: tcpwhy_lab::Namespace::new().is_ok(),
        program: rights(&program, "CapEff:"),
        reached: program.contains("\nreached"),
        terminal: program.contains("\ntty"),
    })
}

/// Writes an invalid line into the supervisor's pipe, as a broken worker might; runs in the cell.
fn babble(bytes: usize, cell: &Cell) -> Result<Seen, LabError> {
    cell.progress(&"x".repeat(bytes));
    Err(LabError::Kernel("reason to be asked"))
}

/// Runs a task in the cell.
fn work(job: Job, cell: &Cell) -> Result<Seen, LabError> {
    match job {
        Job::Look => look(cell),
        Job::Pass(link, ip_version, offload) => pass(*link, ip_version, offload),
        Job::Fail => Err(LabError::Kernel("reason to live")),
        Job::Vanish => std::process::abort(),
        Job::Seal => unreachable!("the job of another cell"),
        Job::Linger(marks) => {
            let scenario = Scenario::from_toml("test", SCENARIO).unwrap();
            let ends = Ends::new(&scenario)?;
            let _emulator = Emulator::start(&ends, &scenario)?;
            fs::write(cell.scratch().join("file"), &marks[0]).unwrap();
            // A program that leaves its session and its parent must end too.
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

/// Whether data arrives unchanged, for any effects of the link on frames.
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

/// Runs a supervisor that the test will kill, and prints when its cell is up.
fn linger(mark: &str) {
    let cell = Supervisor::spawn(&["cell"], &Job::Linger(vec![mark.to_owned()])).unwrap();
    println!("{}", cell.id());
    let ended: Result<Seen, _> = cell.wait(Duration::from_secs(30), |_: String| println!("up"));
    println!("{}", ended.unwrap_err());
}

const WMEM_MAX: &str = "/proc/sys/net/core/wmem_max";

const GUARDIAN: &[&str] = &["guardian"];

/// A scenario that changes a setting of the machine to this value.
fn changing(value: &str) -> Scenario {
    let mut scenario = Scenario::from_toml("test", SCENARIO).unwrap();
    scenario.sender.sysctl.insert("net.core.wmem_max".into(), value.into());
    scenario
}

/// Changes a setting of the machine until a line arrives or the process is killed, and prints the notices.
fn hold(value: &str) {
    let (settings, notices) = MachineSettings::set(&changing(value), GUARDIAN).unwrap();
    println!("up {notices:?}");
    let _ = std::io::stdin().read_line(&mut String::new());
    println!("{:?}", settings.end());
}

/// A process that keeps a setting changed.
struct Holder {
    process: std::process::Child,
    out: std::io::BufReader<std::process::ChildStdout>,
}

impl Holder {
    fn start(value: &str) -> (Self, String) {
        let mut command = Command::new("/proc/self/exe");
        let mut process =
            command.args(["machine", value]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let out = std::io::BufReader::new(process.stdout.take().unwrap());
        let mut this = Self { process, out };
        let said = this.line();
        assert!(said.starts_with("up"), "{said}");
        (this, said)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut self.out, &mut line).unwrap();
        line.trim().to_owned()
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    fn kill_guardian(&self) {
        let guardian = children(self.process.id())[0];
        assert!(Command::new("kill").args(["-9", &guardian.to_string()]).status().unwrap().success());
        let until = Instant::now() + Duration::from_secs(3);
        while is_alive(guardian) {
            assert!(Instant::now() < until, "the guardian cannot be killed");
            sleep(Duration::from_millis(1));
        }
    }

    /// Ends the process as a run ends, and returns its output.
    fn end(mut self) -> String {
        self.process.stdin.take().unwrap().write_all(b"\n").unwrap();
        let said = self.line();
        self.process.wait().unwrap();
        said
    }
}

/// Settings that a new start restores.
fn recovered() -> String {
    let output = Command::new("/proc/self/exe").arg("recover").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The machine's settings are restored after any kill, and no later change by another process is undone.
fn machine() {
    let read = || fs::read_to_string(WMEM_MAX).unwrap().trim().to_owned();
    let before = read();
    if fs::write(WMEM_MAX, &before).is_err() {
        println!("not tested: {WMEM_MAX} is not this user's to change");
        return;
    }
    let _restored = Restore(before.clone());
    let other = (before.parse::<u64>().unwrap() + 4096).to_string();
    let comes_back = || {
        let until = Instant::now() + Duration::from_secs(3);
        while read() != before {
            assert!(Instant::now() < until, "{WMEM_MAX} was not restored");
            sleep(Duration::from_millis(10));
        }
    };

    // If only the run is killed, the guardian restores the setting. Until then no other run may change it.
    let (mut holder, _) = Holder::start(&other);
    assert_eq!(read(), other);
    let refused = MachineSettings::set(&changing(&other), GUARDIAN).unwrap_err();
    let LabError::MachineBusy { holder: Some(id), .. } = refused else { panic!("one run at a time: {refused}") };
    assert_eq!(id, holder.process.id());
    assert_eq!(recovered().trim(), "Ok([])", "what is in use is not left over");
    holder.kill();
    comes_back();
    assert_eq!(recovered().trim(), "Ok([])");

    // If only the guardian is killed, the run restores the setting and reports it. It has kept the lock.
    let (holder, _) = Holder::start(&other);
    holder.kill_guardian();
    assert!(matches!(MachineSettings::set(&changing(&other), GUARDIAN), Err(LabError::MachineBusy { .. })));
    assert_eq!(recovered().trim(), "Ok([])");
    assert_eq!(read(), other);
    assert_eq!(holder.end(), "Ok([GuardianEnded])");
    assert_eq!(read(), before);

    // If both are killed, the next start restores the setting, whatever it changes itself.
    let killed = || {
        let (mut holder, _) = Holder::start(&other);
        holder.kill_guardian();
        holder.kill();
        assert_eq!(read(), other);
    };
    killed();
    let said = recovered();
    assert!(said.contains("Restored") && said.contains(&before) && said.contains(&other), "{said}");
    assert_eq!(read(), before);
    assert_eq!(recovered().trim(), "Ok([])", "once");
    killed();
    let (holder, said) = Holder::start(&other);
    assert!(said.contains("Restored"), "{said}");
    assert_eq!(holder.end(), "Ok([])");
    assert_eq!(read(), before);

    // A value that another process has set since then stays.
    killed();
    let theirs = (before.parse::<u64>().unwrap() + 8192).to_string();
    fs::write(WMEM_MAX, &theirs).unwrap();
    let said = recovered();
    assert!(said.contains("LeftAlone") && said.contains(&theirs) && said.contains(&before), "{said}");
    assert_eq!(read(), theirs);
    fs::write(WMEM_MAX, &before).unwrap();

    // Dropping the value, as after an error, restores the setting too.
    drop(MachineSettings::set(&changing(&other), GUARDIAN).unwrap());
    assert_eq!(read(), before);
    place();
}

/// Restores the machine's setting, whatever the test's result.
struct Restore(String);

impl Drop for Restore {
    fn drop(&mut self) {
        let _ = fs::write(WMEM_MAX, &self.0);
    }
}

const PLACE: &str = "/run/tcpwhy";
const ASIDE: &str = "/run/tcpwhy-lab-test-aside";
const TARGET: &str = "tcpwhy-lab-test-target";

/// Restores the lock and the journal, whatever the test's result.
struct Back;

impl Drop for Back {
    fn drop(&mut self) {
        let place = Path::new(PLACE);
        if Path::new(ASIDE).exists() {
            let _ = fs::remove_file(place).or_else(|_| fs::remove_dir_all(place));
            let _ = fs::rename(ASIDE, place);
        }
        if place.join("lock.aside").exists() {
            let _ = fs::rename(place.join("lock.aside"), place.join("lock"));
        }
        if place.join("settings").is_symlink() {
            let _ = fs::remove_file(place.join("settings"));
        }
        let _ = fs::remove_file(std::env::temp_dir().join(TARGET));
    }
}

/// The lock and the journal are inaccessible to other users: links are not followed, and directories of
/// others are refused.
fn place() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let place = Path::new(PLACE);
    let metadata = fs::symlink_metadata(place).unwrap();
    assert_eq!((metadata.uid(), metadata.permissions().mode() & 0o777), (0, 0o700));
    let aside = Path::new(ASIDE);
    let _back = Back;
    let target = std::env::temp_dir().join(TARGET);
    // A journal that could be read, or a file that a lock could overwrite.
    let precious = r#"{"boot":"","settings":[]}"#;
    fs::write(&target, precious).unwrap();
    let refused = |what: &str| {
        let said = MachineSettings::set(&changing("212992"), GUARDIAN).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("/run/tcpwhy") && said.lines().count() == 1, "{what}: {said}");
        assert_eq!(fs::read_to_string(&target).unwrap(), precious, "{what}");
    };
    fs::rename(place.join("lock"), place.join("lock.aside")).unwrap();
    symlink(&target, place.join("lock")).unwrap();
    refused("a lock that is a link");
    fs::remove_file(place.join("lock")).unwrap();
    fs::rename(place.join("lock.aside"), place.join("lock")).unwrap();
    symlink(&target, place.join("settings")).unwrap();
    refused("a journal that is a link");
    fs::remove_file(place.join("settings")).unwrap();
    fs::rename(place, aside).unwrap();
    symlink(aside, place).unwrap();
    refused("a directory that is a link");
    fs::remove_file(place).unwrap();
    fs::create_dir(place).unwrap();
    std::os::unix::fs::chown(place, Some(65_534), None).unwrap();
    refused("a directory of somebody else");
    std::os::unix::fs::chown(place, Some(0), None).unwrap();
    fs::set_permissions(place, fs::Permissions::from_mode(0o777)).unwrap();
    refused("a directory open to all");
    fs::remove_dir(place).unwrap();
}

/// Limits for the capabilities of a worker's threads. One thread may run before others (`CAP_SYS_NICE`), and
/// one may write and end programs (`CAP_DAC_…`, `CAP_KILL`).
const MOST_RIGHTS: [u64; 2] = [1 << 23, 1 << 1 | 1 << 2 | 1 << 5];

/// A worker that has dropped its privileges may do little, and nor may its programs.
fn sealing() {
    let kept = std::env::temp_dir().join(KEPT);
    fs::create_dir_all(&kept).unwrap();
    let supervisor = Supervisor::spawn(&["sealed"], &Job::Seal).unwrap();
    let outer = supervisor.id();
    let mut around = Vec::new();
    let left: Left = supervisor
        .wait(Duration::from_secs(20), |_: String| {
            let status = |id: u32| fs::read_to_string(format!("/proc/{id}/status")).unwrap();
            around = [outer, children(outer)[0]].map(|id| rights(&status(id), "CapPrm:")).to_vec();
        })
        .unwrap();
    fs::remove_dir(&kept).unwrap();
    assert_eq!(around, [0, 0], "outer and init");
    assert!(left.rights.len() >= 2, "{left:?}");
    assert!(left.rights.iter().all(|rights| MOST_RIGHTS.contains(rights)), "{left:?}");
    assert!(left.no_new_rights && !left.set && !left.namespace && !left.terminal && !left.reached, "{left:?}");
    assert_eq!(left.program & !MOST_RIGHTS[1], 0, "{left:?}");
    assert_eq!(left.written.len(), 2, "{left:?}");
    assert!(left.written[1].ends_with(KEPT), "{left:?}");

    let babbled: Result<Seen, _> =
        Supervisor::spawn(&["babble"], &(3 << 20)).unwrap().wait(Duration::from_secs(20), |_: String| ());
    let said = babbled.unwrap_err().to_string();
    assert!(said.contains("a line of more than 1048576 bytes"), "{said}");
    let talked: Result<Seen, _> =
        Supervisor::spawn(&["babble"], &(1 << 18)).unwrap().wait(Duration::from_secs(20), |_: String| ());
    assert_eq!(talked.unwrap_err().message(), Message::new("lab-kernel").with("what", "reason to be asked"));
}

fn tests() {
    let looked = Supervisor::spawn(&["cell"], &Job::Look).unwrap();
    let mut progress = Vec::new();
    let seen: Seen = match looked.wait(Duration::from_secs(20), |line: String| progress.push(line)) {
        Err(LabError::Cell(why))
            if why.starts_with("cannot create a network namespace")
                || why.starts_with("cannot create a TAP device") =>
        {
            println!("not tested: {why}");
            return;
        }
        seen => seen.unwrap(),
    };
    assert_eq!(progress, ["looked"]);
    assert_eq!(seen.interfaces, ["lo"]);
    assert_eq!(seen.frames, 1, "the SYN; what refused it came back");
    // The processes are init and the worker, if the cell could mount its own `/proc`.
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
    assert_eq!(failed.unwrap_err().message(), Message::new("lab-kernel").with("what", "reason to live"));
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
        killing(killed, None);
        // The kill happens at a different moment each time, from the start of the first process to a running
        // program.
        for _ in 0..4 {
            let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().subsec_nanos();
            killing(killed, Some(Duration::from_micros(u64::from(clock) % 400_000)));
        }
    }
    sealing();
    machine();
    println!("ok");
}

/// Kills one process of the tree, when all is up or after a delay; no process may remain.
fn killing(whom: &str, after: Option<Duration>) {
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
    match after {
        None => {
            assert_eq!(line(), "up");
            assert!(running(&mark) >= 2);
        }
        Some(after) => sleep(after),
    }
    let init = children(outer).first().copied();
    let worker = init.and_then(|init| children(init).first().copied());
    let victim = match whom {
        "supervisor" => Some(supervisor.id()),
        "outer" => Some(outer),
        "init" => init,
        _ => worker,
    };
    // If the process does not exist yet, its starter is killed.
    let victim = victim.or(init).unwrap_or(outer);
    assert!(Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap().success());
    gone(&mark);
    supervisor.wait().unwrap();
    for id in [Some(outer), init, worker].into_iter().flatten() {
        let until = Instant::now() + Duration::from_secs(3);
        while is_alive(id) {
            assert!(Instant::now() < until, "{whom} killed after {after:?}, {id} left");
            sleep(Duration::from_millis(10));
        }
    }
}

/// Waits until no process with this mark exists.
fn gone(mark: &str) {
    let until = Instant::now() + Duration::from_secs(3);
    while running(mark) > 0 {
        assert!(Instant::now() < until, "something is left of {mark}");
        sleep(Duration::from_millis(10));
    }
}

/// Number of processes with the mark in their command line, without this process and the supervisor.
fn running(mark: &str) -> usize {
    let all = names("/proc");
    let lines = all.iter().filter_map(|id| fs::read(format!("/proc/{id}/cmdline")).ok());
    let is_marked = |line: &Vec<u8>| line.windows(mark.len()).any(|part| part == mark.as_bytes());
    lines.filter(|line| is_marked(line) && line.starts_with(b"sh\0")).count()
}

/// A zombie does not count, because the process that adopted it will reap it.
fn is_alive(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

fn mark(what: &str) -> String {
    format!("tcpwhy-lab-test-{what}-{}", std::process::id())
}

fn children(id: u32) -> Vec<u32> {
    // A process that has ended has no children.
    let text = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    text.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

fn names(folder: &str) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
