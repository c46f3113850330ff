//! Foreign programs at both ends. They run in the two network namespaces, within the run's own PID namespace,
//! so that they end whenever the run ends.

use std::fs::{self, File};
use std::io;
use std::net::IpAddr;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tcpwhy_model::host::{SocketSample, TcpState};
use tempfile::TempDir;

use crate::namespace::Resident;
use crate::{Ends, LabError};
use tcpwhy_rights::Identity;
use tcpwhy_scenario::{Application, End, Program, Service};

/// Interval between checks whether something has happened.
const LOOK: Duration = Duration::from_millis(5);
/// Longest time to prepare one end: a database may create its files.
const PREPARATION: Duration = Duration::from_secs(60);
/// Longest time until a server listens.
const STARTING: Duration = Duration::from_secs(20);
/// Interval between two attempts of a server's `ready`.
const BETWEEN_PROBES: Duration = Duration::from_millis(50);
/// Longest time until the client starts.
pub const LONGEST_PREPARATION: Duration = Duration::from_secs(2 * PREPARATION.as_secs() + 2 * STARTING.as_secs());
/// Bytes at the end of a program's output that are searched for its last line.
const LAST_WORDS: usize = 4096;
/// Time between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);

/// Checks that all programs are installed. The error names the missing ones and their packages.
pub(crate) fn check_programs(application: &Application) -> Result<(), LabError> {
    let needed = application.server.needs.iter().chain(&application.client.needs);
    let missing: Vec<&str> = needed.filter(|name| !is_installed(name)).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = &application.packages;
    let help = if packages.is_empty() { String::new() } else { format!(": apt-get install {}", packages.join(" ")) };
    Err(LabError::NoPrograms { programs: missing.join(", "), help })
}

/// Search path for the programs of scenarios. The caller's own path may begin with folders that other users
/// can write to. One scenario could then run different programs for two accounts.
pub(crate) const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

fn is_installed(program: &str) -> bool {
    PATH.split(':').any(|folder| Path::new(folder).join(program).is_file())
}

/// The environment in which the programs run.
pub(crate) struct Stage<'a> {
    application: &'a Application,
    residents: &'a [Resident; 2],
    /// The folder of the programs.
    folder: TempDir,
    /// The folder of the lab.
    scratch: &'a Path,
    server: IpAddr,
}

impl<'a> Stage<'a> {
    /// Prepares everything that needs privileges: a folder in `scratch` that both programs share, and ports
    /// below 1024. The folder is removed with this value, and the programs can use the ports without root.
    ///
    /// # Errors
    /// If the folder cannot be created or given to the programs' user.
    pub(crate) fn set(
        application: &'a Application,
        ends: &Ends,
        residents: &'a [Resident; 2],
        scratch: &'a Path,
    ) -> Result<Self, LabError> {
        let failed = |error| LabError::io("a scratch folder", error);
        let folder = tempfile::tempdir_in(scratch).map_err(failed)?;
        Identity::of_foreign().own(folder.path()).map_err(failed)?;
        for end in End::BOTH {
            // A kernel before 4.11 lacks this setting; a program that needs such a port then reports the
            // error.
            let _ = ends.namespace(end).run(|| fs::write("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0"));
        }
        Ok(Self { application, residents, folder, scratch, server: ends.address(application.service().end) })
    }

    /// The end and port on which the server listens.
    pub(crate) const fn service(&self) -> Service {
        self.application.service()
    }

    /// Runs both programs until the client has ended, at most for `deadline`, then ends the server.
    ///
    /// # Errors
    /// If a program fails: its last line.
    pub(crate) fn run(&self, deadline: Duration) -> Result<(), LabError> {
        let Application { opener, server, client, .. } = self.application;
        let listener = self.service().end;
        self.prepare(listener, server)?;
        self.prepare(*opener, client)?;
        let mut server = self.start(listener, &server.run, "server")?;
        self.wait_for_listener(&mut server)?;
        self.wait_until_ready(&mut server)?;
        let mut client = self.start(*opener, &client.run, "client")?;
        client.finish(deadline)
    }

    fn prepare(&self, end: End, program: &Program) -> Result<(), LabError> {
        if program.prepare.is_empty() {
            return Ok(());
        }
        self.start(end, &program.prepare, &format!("{end}-prepare"))?.finish(PREPARATION)
    }

    /// Starts `script` at `end`; its output goes into a file that is named `name` in errors.
    fn start(&self, end: End, script: &str, name: &str) -> Result<Running, LabError> {
        let failed = |error: io::Error| LabError::io(format!("starting the {name}"), error);
        let folder = self.folder.path();
        // The file has no name, so the programs cannot replace it.
        let log = tempfile::tempfile_in(self.scratch).map_err(failed)?;
        let output = || log.try_clone().map_err(failed);
        let mut command = Command::new("sh");
        command
            .args(["-e", "-c", script, name])
            // The programs must not see the environment of the user who started the run.
            .env_clear()
            .env("DIR", folder)
            .env("HOME", folder)
            .env("TMPDIR", folder)
            .env("SERVER", self.server.to_string())
            .env("PORT", self.service().port.to_string())
            .env("PATH", PATH)
            .env("LC_ALL", "C.UTF-8")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(output()?)
            .stderr(output()?)
            .process_group(0);
        let started = self.residents[end.index()].call(move || command.spawn());
        let child = started.and_then(|child| child).map_err(failed)?;
        Ok(Running { child, name: name.to_owned(), log, is_over: false })
    }

    fn wait_for_listener(&self, server: &mut Running) -> Result<(), LabError> {
        let until = Instant::now() + STARTING;
        let looked = |error| LabError::io("looking for the server's listener", error);
        let Service { end, port } = self.service();
        let looks = || self.residents[end.index()].call(move || is_listening(port)).and_then(|seen| seen);
        while !looks().map_err(looked)? {
            if server.has_ended()? {
                return Err(server.said_no("it ended before it listened"));
            }
            if Instant::now() > until {
                return Err(server.said_no(&format!("nothing listened on port {port} in {} s", STARTING.as_secs())));
            }
            sleep(LOOK);
        }
        Ok(())
    }
}

impl Stage<'_> {
    /// Runs the server's `ready` until it succeeds.
    fn wait_until_ready(&self, server: &mut Running) -> Result<(), LabError> {
        let script = &self.application.server.ready;
        if script.is_empty() {
            return Ok(());
        }
        let until = Instant::now() + STARTING;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut probe = self.start(self.service().end, script, "server-ready")?;
            let Err(why) = probe.finish(left) else { return Ok(()) };
            if server.has_ended()? {
                return Err(server.said_no("it ended before it was ready"));
            }
            if Instant::now() > until {
                let seconds = STARTING.as_secs();
                return Err(LabError::io(format!("the server was not ready in {seconds} s"), io::Error::other(why)));
            }
            sleep(BETWEEN_PROBES);
        }
    }
}

/// Whether a program listens on `port` in this thread's namespace.
fn is_listening(port: u16) -> io::Result<bool> {
    let listens = |socket: &SocketSample| socket.state == Some(TcpState::Listen) && socket.local.port == Some(port);
    Ok(tcpwhy_live::tcp_sockets()?.iter().any(listens))
}

/// A script and its child processes: a process group. Dropping it ends them.
struct Running {
    child: Child,
    name: String,
    /// The output of the script.
    log: File,
    is_over: bool,
}

impl Running {
    fn has_ended(&mut self) -> Result<bool, LabError> {
        let ended =
            self.child.try_wait().map_err(|error| LabError::io(format!("waiting for the {}", self.name), error))?;
        self.is_over = ended.is_some();
        Ok(self.is_over)
    }

    /// Waits for the end of the script, and fails if its status is not 0.
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

    /// The end of the output.
    fn last_words(&self) -> io::Result<String> {
        let mut words = vec![0; LAST_WORDS];
        let start = self.log.metadata()?.len().saturating_sub(LAST_WORDS as u64);
        let len = self.log.read_at(&mut words, start)?;
        Ok(String::from_utf8_lossy(&words[..len]).into_owned())
    }

    /// An error with the last line of the output, or with `otherwise` alone if there is none.
    fn said_no(&self, otherwise: &str) -> LabError {
        let text = self.last_words().unwrap_or_default();
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map_or_else(|| otherwise.to_owned(), |last| format!("{otherwise}: {last}"));
        LabError::Command { command: self.name.clone(), said }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A process number is positive and fits. The group exists while any of its processes runs.
        let group = Pid::from_raw(self.child.id() as i32);
        let until = Instant::now() + GRACE;
        // An error means that the group has ended already.
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
            ready: String::new(),
        };
        Application {
            port: 80,
            packages: vec!["nginx-light".to_owned(), "curl".to_owned()],
            opener: End::Receiver,
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
