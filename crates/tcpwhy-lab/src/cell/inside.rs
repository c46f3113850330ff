//! The side in which a run happens.

use std::fs::File;
use std::io::{self, BufRead as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, PoisonError};

use nix::errno::Errno;
use nix::sys::wait::{WaitStatus, wait, waitpid};
use nix::unistd::{ForkResult, Pid, setsid};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tcpwhy_model::Explained as _;
use tcpwhy_rights::fork_alone;

use super::seal::seal;
use super::{Line, Order, isolation};
use crate::LabError;
use crate::os::close_others_on_exec;

/// The environment of the worker.
#[derive(Debug)]
pub struct Cell {
    scratch: PathBuf,
    /// Folders of the job that stay writable.
    kept: Vec<PathBuf>,
    lines: Mutex<File>,
}

impl Cell {
    /// A directory in memory. It is empty at first, and is removed with the run.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Gives up everything that only the preparation needed. From now on, only the scratch directory and the
    /// kept folders are writable (Linux 5.12 or later). This thread and its later threads keep only the
    /// capabilities to write there and to end programs. Threads that run already must have dropped their own.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn seal(&self) -> Result<(), LabError> {
        self.seal_but(None)
    }

    /// Seals the cell as [`Self::seal`] does, but `folder` stays writable too. The cell sees an empty folder
    /// in memory there, which is removed with the run.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn seal_with_empty(&self, folder: &Path) -> Result<(), LabError> {
        isolation::memory(folder)?;
        self.seal_but(Some(folder))
    }

    fn seal_but(&self, folder: Option<&Path>) -> Result<(), LabError> {
        let mut writable = self.kept.clone();
        writable.push(self.scratch.clone());
        writable.extend(folder.map(Path::to_owned));
        seal(&writable)
    }

    /// The connection to the supervisor, if
    /// [`Supervisor::spawn_connected`](super::Supervisor::spawn_connected) created this cell. The supervisor
    /// may send nothing before it has received progress.
    ///
    /// # Errors
    /// If no more files can be opened.
    pub fn connection(&self) -> io::Result<UnixStream> {
        Ok(UnixStream::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?))
    }

    /// Reports progress to the supervisor.
    pub fn progress<P: Serialize>(&self, progress: &P) {
        self.send(&Line::Progress(serde_json::to_value(progress).unwrap_or(Value::Null)));
    }

    fn send(&self, line: &Line) {
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        // A failed write means that the supervisor is gone, so this process will end soon.
        let _ = self.lines.lock().unwrap_or_else(PoisonError::into_inner).write_all(&text);
    }
}

/// The program that [`Supervisor::spawn`](super::Supervisor::spawn) starts. It reads the job, builds the
/// process tree, calls `work` in the innermost process, and ends the process. `kept` returns the folders of
/// the job that stay writable there. The caller must not have printed anything or started a thread before.
pub fn main<J, R>(kept: impl FnOnce(&J) -> Vec<PathBuf>, work: impl FnOnce(J, &Cell) -> Result<R, LabError>) -> !
where
    J: DeserializeOwned,
    R: Serialize,
{
    let mut line = String::new();
    let order = io::stdin().lock().read_line(&mut line).and_then(|_| Ok(serde_json::from_str::<Order<J>>(&line)?));
    let Ok(Order { supervisor, job }) = order else {
        // The program was started by hand, not by a supervisor, so only the exit status can report the error.
        exit(2);
    };
    match prepare(supervisor) {
        Ok(true) => {}
        Ok(false) => exit(2),
        Err(error) => fail(&error),
    }
    let (outer, outer_lives) = match io::pipe() {
        Ok(pipe) => pipe,
        Err(error) => fail(&LabError::io("starting the run", error)),
    };
    match fork_alone() {
        Err(error) => fail(&LabError::io("starting the run", error)),
        Ok(ForkResult::Parent { child }) => {
            give_up_rights();
            let status = status(waitpid(child, None));
            drop(outer_lives);
            exit(status)
        }
        Ok(ForkResult::Child) => {
            drop(outer_lives);
            init(&outer, job, kept, work)
        }
    }
}

fn prepare(supervisor: i32) -> Result<bool, LabError> {
    let failed = |error| LabError::io("dying with the supervisor", error);
    close_others_on_exec().map_err(|error| LabError::io("reading /proc/self/fd", error))?;
    if !isolation::die_with_parent(supervisor).map_err(failed)? {
        return Ok(false);
    }
    isolation::leave()?;
    // A change of credentials clears the parent-death signal, so it is set again.
    isolation::die_with_parent(supervisor).map_err(failed)
}

/// Runs as process 1 of the PID namespace.
fn init<J, R>(
    outer: &io::PipeReader,
    job: J,
    kept: impl FnOnce(&J) -> Vec<PathBuf>,
    work: impl FnOnce(J, &Cell) -> Result<R, LabError>,
) -> !
where
    R: Serialize,
{
    match isolation::die_with(outer) {
        Ok(true) => {}
        Ok(false) => exit(2),
        Err(error) => fail(&LabError::io("dying with the supervisor", error)),
    }
    // Programs in the run must have no terminal, or they could type into the shell of the user who started
    // the run.
    if let Err(error) = setsid() {
        fail(&LabError::io("leaving the terminal", error));
    }
    let kept = kept(&job);
    let visible: Vec<PathBuf> = std::env::current_dir().into_iter().chain(std::env::current_exe()).collect();
    let scratch = match isolation::mounts(&kept, &visible) {
        Ok(scratch) => scratch,
        Err(error) => fail(&error),
    };
    match fork_alone() {
        Err(error) => fail(&LabError::io("starting the run", error)),
        Ok(ForkResult::Parent { child }) => {
            give_up_rights();
            exit(reap(child))
        }
        Ok(ForkResult::Child) => worker(job, scratch, kept, work),
    }
}

/// Drops the privileges of a process that only waits from now on. A failure does not end the run: its child
/// drops its own privileges, and reports an error.
fn give_up_rights() {
    let _ = tcpwhy_rights::keep_only(&[]);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Reaps processes until the worker has ended; the kernel then kills the remaining ones.
fn reap(worker: Pid) -> i32 {
    loop {
        match wait() {
            Ok(ended) if ended.pid() == Some(worker) => return status(Ok(ended)),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return status(Err(error)),
        }
    }
}

fn worker<J, R: Serialize>(
    job: J,
    scratch: PathBuf,
    kept: Vec<PathBuf>,
    work: impl FnOnce(J, &Cell) -> Result<R, LabError>,
) -> ! {
    // Output of programs goes to standard error, because this pipe is only for lines of the worker.
    let lines = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)
        .and_then(|lines| rustix::stdio::dup2_stdout(rustix::stdio::stderr()).map(|()| File::from(lines)));
    let lines = match lines {
        Ok(lines) => Mutex::new(lines),
        Err(error) => fail(&LabError::io("starting the run", error)),
    };
    let cell = Cell { scratch, kept, lines };
    let line = match work(job, &cell) {
        Ok(result) => serde_json::to_value(result).map_or_else(|error| Line::Failed(error.to_string()), Line::Done),
        Err(error) => Line::Failed(error.message().to_string()),
    };
    cell.send(&line);
    exit(0)
}

fn fail(error: &LabError) -> ! {
    let line = serde_json::to_string(&Line::Failed(error.message().to_string())).unwrap_or_default();
    let _ = writeln!(io::stdout(), "{line}");
    exit(0)
}

/// The status of a child, as a shell reports it.
fn status(ended: nix::Result<WaitStatus>) -> i32 {
    match ended {
        Ok(WaitStatus::Exited(_, code)) => code,
        Ok(WaitStatus::Signaled(_, signal, _)) => 128 + signal as i32,
        Ok(_) => 0,
        Err(_) => 2,
    }
}
