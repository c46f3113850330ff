//! The worker's side of the shell: starts the visitors' programs at the ends.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io;
use std::net::IpAddr;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tcpwhy_model::Explained as _;
use tcpwhy_rights::{Capability, Identity};

use super::channel::Channel;
use super::request::{Reply, Request, ShellUser, Visit};
use super::terminal;
use crate::applications::PATH;
use crate::cell::Cell;
use crate::os::lead_terminal;
use crate::{Emulator, Ends, LabError, work};
use tcpwhy_scenario::{End, Scenario, Work};

/// Folders of programs that the machine's administrator has installed. A user may run them, a scenario may
/// not.
const LOCAL: &str = "/usr/local/sbin:/usr/local/bin";
/// Interval between checks whether a program has ended.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
/// Time between SIGHUP and SIGKILL for the program of a visitor that has gone.
const GRACE: Duration = Duration::from_millis(500);
/// Mode of the shared folder. Every user may create files in it and remove their own, because the programs at
/// the two ends may belong to different users.
const SHARED: u32 = 0o1777;
/// Shells; the first one that exists is used.
const SHELLS: [(&str, &[&str]); 2] = [("/bin/bash", &["--noprofile", "--norc"]), ("/bin/sh", &[])];
/// Services of root, such as sshd, create folders in `/run` (FHS 3.0). The machine's own folders are hidden.
const RUN: &str = "/run";
/// Status of a missing program, as a shell reports it.
const NOT_FOUND: u8 = 127;

/// Keeps the link of `scenario`, and starts a program for each connection that the cell receives, until there
/// are no more.
///
/// # Errors
/// The error that prevented creating the link.
pub fn serve(cell: &Cell, scenario: &Scenario) -> Result<(), LabError> {
    let ends = Ends::new(scenario)?;
    let _emulator = Emulator::start(&ends, scenario)?;
    for end in End::BOTH {
        // A kernel before 4.11 lacks this setting; a program that needs such a port then reports the error.
        let _ = ends.namespace(end).run(|| fs::write("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0"));
    }
    let failed = |error| LabError::io("a scratch folder", error);
    let folder = tempfile::Builder::new().prefix("shell").tempdir_in(cell.scratch()).map_err(failed)?;
    fs::set_permissions(folder.path(), Permissions::from_mode(SHARED)).map_err(failed)?;
    let place = Place { folder: folder.path().to_owned(), port: port(scenario), ends };
    let (visitors, come) = channel();
    let starting = |error| LabError::io("starting programs", error);
    // Threads that exist before the privileges are dropped keep theirs. They need them to enter the ends, and
    // to become another user.
    thread::Builder::new().name("host".to_owned()).spawn(move || welcome(&come, &Arc::new(place))).map_err(starting)?;
    if Path::new(RUN).is_dir() {
        cell.seal_with_empty(Path::new(RUN))?;
    } else {
        cell.seal()?;
    }
    let mut control = Channel::new(cell.connection().map_err(starting)?);
    cell.progress(&());
    while control.receive::<()>().map_err(starting)?.is_some() {
        for visitor in control.take_files() {
            // The receiver lives as long as this process, so sending cannot fail.
            let _ = visitors.send(UnixStream::from(visitor));
        }
    }
    Ok(())
}

/// Port on which programs of this scenario meet.
fn port(scenario: &Scenario) -> u16 {
    match &scenario.work {
        Work::Application(application) => application.port,
        Work::Stream(_) | Work::Turns(_) | Work::Talk(_) => work::PORT,
    }
}

/// Serves each visitor on a thread of its own.
fn welcome(visitors: &Receiver<UnixStream>, place: &Arc<Place>) {
    for visitor in visitors {
        let place = Arc::clone(place);
        // Without a thread, the connection closes, which reports the failure to the visitor.
        let _ = thread::Builder::new().name("visitor".to_owned()).spawn(move || place.attend(visitor));
    }
}

/// The variables of a program, and its working directory.
struct Place {
    ends: Ends,
    /// The folder shared by all programs.
    folder: PathBuf,
    port: u16,
}

/// A running program.
struct Guest {
    child: Child,
    /// The visitor's side of its terminal.
    shown: Option<OwnedFd>,
}

impl Place {
    fn attend(&self, visitor: UnixStream) {
        let mut channel = Channel::new(visitor);
        let Ok(Some(request)) = channel.receive::<Request>() else { return };
        let streams = channel.take_files();
        let reply = match self.start(request, streams) {
            Err(error) => Reply::Refused(error.message().to_string()),
            Ok(Guest { mut child, shown }) => {
                let files: Vec<_> = shown.iter().map(std::os::fd::AsFd::as_fd).collect();
                let is_there = channel.send(&Reply::Started, &files).is_ok();
                // The program's terminal must be closed here. Otherwise it would not hang up when its visitor
                // has gone.
                drop(shown);
                Reply::Ended(if is_there { follow(&mut child, &channel) } else { end(&mut child) })
            }
        };
        // Sending fails only if the visitor has gone.
        let _ = channel.send(&reply, &[]);
    }

    fn start(&self, request: Request, streams: Vec<OwnedFd>) -> Result<Guest, LabError> {
        let Request { visit, terminal } = request;
        let (identity, kept): (Identity, &'static [Capability]) = match visit.user {
            ShellUser::Own => (Identity::Own, &[]),
            ShellUser::Other { uid, gid } => (Identity::Other { uid, gid }, &[]),
            ShellUser::Root => (Identity::Own, &[Capability::ServeAsRoot]),
        };
        let (program, arguments) = program(&visit);
        let name = program.to_string_lossy().into_owned();
        let failed = |error: io::Error| LabError::io(name.clone(), error);
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(self.environment(visit.end)).current_dir(&self.folder);
        let resident = self.ends.namespace(visit.end).resident(identity, kept).map_err(failed)?;
        let started = if let Some(wanted) = terminal {
            command.env("TERM", wanted.name);
            resident.call(move || {
                let (shown, program) = terminal::open(wanted.size)?;
                command.stdin(program.try_clone()?).stdout(program.try_clone()?).stderr(program);
                lead_terminal(&mut command);
                Ok(Guest { child: command.spawn()?, shown: Some(shown) })
            })
        } else {
            let streams: Result<[OwnedFd; 3], _> = streams.try_into();
            let [stdin, stdout, stderr] =
                streams.map_err(|_| failed(io::ErrorKind::InvalidInput.into()))?.map(File::from).map(Stdio::from);
            command.stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
            resident.call(move || Ok(Guest { child: command.spawn()?, shown: None }))
        };
        started.and_then(|started: io::Result<Guest>| started).map_err(failed)
    }

    /// Variables as the programs of scenarios have them, and the addresses of both ends.
    fn environment(&self, end: End) -> BTreeMap<&'static str, String> {
        let folder = self.folder.display().to_string();
        let address = |end: End| -> IpAddr { self.ends.address(end) };
        BTreeMap::from([
            ("DIR", folder.clone()),
            ("HOME", folder.clone()),
            ("TMPDIR", folder),
            ("SERVER", address(End::Sender).to_string()),
            ("CLIENT", address(End::Receiver).to_string()),
            ("PORT", self.port.to_string()),
            ("END", end.to_string()),
            ("PATH", format!("{LOCAL}:{PATH}")),
            ("LC_ALL", "C.UTF-8".to_owned()),
            ("PS1", format!("{end}:\\w\\$ ")),
        ])
    }
}

fn program(visit: &Visit) -> (std::ffi::OsString, Vec<std::ffi::OsString>) {
    if let Some((program, arguments)) = visit.command.split_first() {
        return (program.clone(), arguments.to_vec());
    }
    let is_there = |(path, _): &&(&str, &[&str])| Path::new(path).is_file();
    let (shell, arguments) = SHELLS.iter().find(is_there).unwrap_or(&SHELLS[SHELLS.len() - 1]);
    ((*shell).into(), arguments.iter().map(Into::into).collect())
}

/// Waits until the program has ended. If its visitor goes before that, the program is ended.
fn follow(child: &mut Child, channel: &Channel) -> u8 {
    loop {
        if let Ok(Some(ended)) = child.try_wait() {
            return status(ended);
        }
        let mut polled = [PollFd::new(channel, PollFlags::IN)];
        // A visitor sends nothing more, so any event means that it has gone.
        match poll(&mut polled, Some(&LOOK)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            _ => return end(child),
        }
    }
}

/// Sends SIGHUP to the program's group, and SIGKILL after a pause.
fn end(child: &mut Child) -> u8 {
    // A process number is positive and fits. The program is the leader of its group.
    let group = Pid::from_raw(child.id() as i32);
    let until = Instant::now() + GRACE;
    // An error means that the group has ended already.
    let _ = killpg(group, Signal::SIGHUP);
    while Instant::now() < until && !matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
        sleep(Duration::from_millis(5));
    }
    let _ = killpg(group, Signal::SIGKILL);
    child.wait().map_or(NOT_FOUND, status)
}

/// The status as a shell reports it.
fn status(ended: ExitStatus) -> u8 {
    let number = ended.code().or_else(|| ended.signal().map(|signal| 128 + signal)).unwrap_or(0);
    u8::try_from(number).unwrap_or(u8::MAX)
}
