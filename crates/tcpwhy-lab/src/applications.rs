//! Programs of others at both ends: they run in the two network namespaces, inside the run's own PID namespace, so that they end
//! with it however it ends.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::net::IpAddr;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tcpwhy_model::host::{SocketSample, TcpState};

use crate::scenario::{Application, End, Program, Scenario, Work};
use crate::{Ends, LabError};

/// Between looks at whether something has happened.
const LOOK: Duration = Duration::from_millis(5);
/// Preparing one end may take so long: a database makes its files.
const PREPARATION: Duration = Duration::from_secs(60);
/// A server listens after so long, or never.
const STARTING: Duration = Duration::from_secs(20);
/// So long it may take until the client starts.
pub const LONGEST_PREPARATION: Duration = Duration::from_secs(2 * PREPARATION.as_secs() + STARTING.as_secs());
/// Between being asked to end and being made to.
const GRACE: Duration = Duration::from_secs(2);

/// Runs both programs of an [`Application`] scenario until its client has ended, and ends its server. They share a folder that is
/// made in `scratch` and goes when this returns.
///
/// # Errors
/// If a program says no: its last line.
pub(crate) fn run(scenario: &Scenario, ends: &Ends, scratch: &Path) -> Result<(), LabError> {
    let Work::Application(application) = &scenario.work else { return Ok(()) };
    let folder = tempfile::tempdir_in(scratch).map_err(|error| LabError::io("a scratch folder", error))?;
    let stage = Stage { ends, folder: folder.path(), server: ends.address(End::Sender), port: application.port };
    stage.prepare(End::Sender, &application.server)?;
    stage.prepare(End::Receiver, &application.client)?;
    let mut server = stage.start(End::Sender, &application.server.run, "server")?;
    stage.wait_for_listener(&mut server)?;
    let deadline = scenario.deadline.into();
    let mut client = stage.start(End::Receiver, &application.client.run, "client")?;
    client.finish(deadline)
}

/// Whether all programs are there; else names the packages that have them.
pub(crate) fn check_programs(application: &Application) -> Result<(), LabError> {
    let needed = application.server.needs.iter().chain(&application.client.needs);
    let missing: Vec<&str> = needed.filter(|name| !is_installed(name)).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(LabError::NoPrograms { programs: missing.join(", "), packages: application.packages.join(" ") })
}

/// Debian's root has these in its path, others do not.
const SYSTEM: [&str; 2] = ["/usr/sbin", "/sbin"];

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).any(|file| file.is_file())
}

/// Where the programs run, and what they are told.
struct Stage<'a> {
    ends: &'a Ends,
    folder: &'a Path,
    server: IpAddr,
    port: u16,
}

impl Stage<'_> {
    fn prepare(&self, end: End, program: &Program) -> Result<(), LabError> {
        if program.prepare.is_empty() {
            return Ok(());
        }
        self.start(end, &program.prepare, &format!("{end}-prepare"))?.finish(PREPARATION)
    }

    /// Starts `script` at `end`; what it prints goes into a file called `name`.
    fn start(&self, end: End, script: &str, name: &str) -> Result<Running, LabError> {
        let failed = |error: io::Error| LabError::io(format!("starting the {name}"), error);
        let log = self.folder.join(format!("{name}.log"));
        let output = File::create(&log).map_err(failed)?;
        let errors = output.try_clone().map_err(failed)?;
        let mut command = Command::new("sh");
        command
            .args(["-e", "-c", script, name])
            .env("DIR", self.folder)
            .env("SERVER", self.server.to_string())
            .env("PORT", self.port.to_string())
            .env("PATH", path())
            .env("LC_ALL", "C.UTF-8")
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .process_group(0);
        let child = self.ends.namespace(end).run(|| command.spawn()).and_then(|child| child).map_err(failed)?;
        Ok(Running { child, name: name.to_owned(), log, is_over: false })
    }

    fn wait_for_listener(&self, server: &mut Running) -> Result<(), LabError> {
        let until = Instant::now() + STARTING;
        let looked = |error| LabError::io("looking for the server's listener", error);
        while !self.ends.namespace(End::Sender).run(|| is_listening(self.port)).and_then(|seen| seen).map_err(looked)? {
            if server.has_ended()? {
                return Err(server.said_no("it ended before it listened"));
            }
            if Instant::now() > until {
                return Err(server.said_no(&format!(
                    "nothing listened on port {} in {} s",
                    self.port,
                    STARTING.as_secs()
                )));
            }
            sleep(LOOK);
        }
        Ok(())
    }
}

fn path() -> std::ffi::OsString {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    for folder in SYSTEM {
        path.push(OsStr::new(":"));
        path.push(folder);
    }
    path
}

/// Whether something listens on `port` in this thread's namespace.
fn is_listening(port: u16) -> io::Result<bool> {
    let listens = |socket: &SocketSample| socket.state == Some(TcpState::Listen) && socket.local.port == Some(port);
    Ok(tcpwhy_live::tcp_sockets()?.iter().any(listens))
}

/// A script and all that it started: a process group. Dropping it ends them.
struct Running {
    child: Child,
    name: String,
    log: PathBuf,
    is_over: bool,
}

impl Running {
    fn has_ended(&mut self) -> Result<bool, LabError> {
        let ended =
            self.child.try_wait().map_err(|error| LabError::io(format!("waiting for the {}", self.name), error))?;
        self.is_over = ended.is_some();
        Ok(self.is_over)
    }

    /// Waits for its end, and whether that was well.
    fn finish(&mut self, limit: Duration) -> Result<(), LabError> {
        let until = Instant::now() + limit;
        while !self.has_ended()? {
            if Instant::now() > until {
                return Err(LabError::Deadline(limit.as_secs()));
            }
            sleep(LOOK);
        }
        let status =
            self.child.wait().map_err(|error| LabError::io(format!("waiting for the {}", self.name), error))?;
        if status.success() { Ok(()) } else { Err(self.said_no(&status.to_string())) }
    }

    /// With its last line, if it left one.
    fn said_no(&self, otherwise: &str) -> LabError {
        let text = fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map_or_else(|| otherwise.to_owned(), |last| format!("{otherwise}: {last}"));
        LabError::Command { command: self.name.clone(), said }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A process number is positive and fits. The group outlives its leader while any of it runs.
        let group = Pid::from_raw(self.child.id() as i32);
        let until = Instant::now() + GRACE;
        // What is gone already need not be ended.
        let _ = killpg(group, Signal::SIGTERM);
        while !self.is_over && Instant::now() < until {
            self.is_over = self.child.try_wait().map_or(true, |status| status.is_some());
            sleep(LOOK);
        }
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn application(needs: &[&str]) -> Application {
        let program = |needs: &[&str]| Program {
            needs: needs.iter().map(|&name| name.to_owned()).collect(),
            prepare: String::new(),
            run: "true".to_owned(),
        };
        Application {
            port: 80,
            packages: vec!["nginx-light".to_owned(), "curl".to_owned()],
            server: program(needs),
            client: program(&["sh"]),
        }
    }

    #[test]
    fn missing_programs_are_named_with_their_packages() {
        assert!(check_programs(&application(&["sh"])).is_ok());
        let said = check_programs(&application(&["no-such-server"])).unwrap_err().to_string();
        assert!(said.contains("no-such-server") && said.contains("nginx-light curl"), "{said}");
        assert!(!said.contains('\n'));
    }

    #[test]
    fn a_listener_is_seen() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(is_listening(port).unwrap());
        drop(listener);
        assert!(!is_listening(port).unwrap());
    }
}
