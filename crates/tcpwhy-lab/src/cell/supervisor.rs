//! The supervisor, which starts a run and waits for its result.

use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{LONGEST_LINE, Line, Order};
use crate::LabError;

/// A running cell. Dropping it ends the cell with all its processes.
#[derive(Debug)]
pub struct Supervisor {
    child: Child,
    /// Bytes read that do not form a complete line yet.
    rest: Vec<u8>,
}

impl Supervisor {
    /// Starts this program again with these arguments, which must call [`main`](super::main) before any
    /// thread is started. The cell dies with the thread that calls this.
    pub fn spawn<J: Serialize>(arguments: &[&str], job: &J) -> Result<Self, LabError> {
        let mut this = Self::start(arguments, Stdio::piped())?;
        if let Some(stdin) = this.child.stdin.take() {
            give(job, stdin)?;
        }
        Ok(this)
    }

    /// Starts a cell with a connection to the worker, which gets its side by
    /// [`Cell::connection`](super::Cell::connection). Nothing may be sent before the worker has reported
    /// progress, because until then the reader of the job could consume it.
    ///
    /// # Errors
    /// If the cell cannot be started.
    pub fn spawn_connected<J: Serialize>(arguments: &[&str], job: &J) -> Result<(Self, UnixStream), LabError> {
        let (here, there) = UnixStream::pair().map_err(starting)?;
        let this = Self::start(arguments, Stdio::from(OwnedFd::from(there)))?;
        give(job, &here)?;
        Ok((this, here))
    }

    fn start(arguments: &[&str], stdin: Stdio) -> Result<Self, LabError> {
        let mut command = Command::new("/proc/self/exe");
        command.args(arguments).stdin(stdin).stdout(Stdio::piped());
        Ok(Self { child: command.spawn().map_err(starting)?, rest: Vec::new() })
    }

    /// PID of the outermost process of the cell.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the result, for at most `limit`.
    pub fn wait<P: DeserializeOwned, R: DeserializeOwned>(
        mut self,
        limit: Duration,
        mut on_progress: impl FnMut(P),
    ) -> Result<R, LabError> {
        let odd = |error: serde_json::Error| LabError::Cell(format!("the run said something odd: {error}"));
        let until = Instant::now() + limit;
        loop {
            while let Some(line) = self.next_line() {
                match serde_json::from_slice(&line).map_err(odd)? {
                    Line::Progress(progress) => on_progress(serde_json::from_value(progress).map_err(odd)?),
                    Line::Done(result) => return serde_json::from_value(result).map_err(odd),
                    Line::Failed(why) => return Err(LabError::Cell(why)),
                }
            }
            if self.rest.len() > LONGEST_LINE {
                return Err(LabError::Cell(format!(
                    "the run said something odd: a line of more than {LONGEST_LINE} bytes"
                )));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(LabError::Deadline(limit.as_secs()));
            }
            if !self.read_more(left).map_err(|error| LabError::io("following the run", error))? {
                let status = self.child.wait().map_err(|error| LabError::io("waiting for the run", error))?;
                return Err(LabError::Cell(format!("the run was ended from outside ({})", said(status))));
            }
        }
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let line = self.rest.drain(..=end).collect();
        Some(line)
    }

    /// Reads more lines; false at the end of the output.
    fn read_more(&mut self, limit: Duration) -> io::Result<bool> {
        let Some(stdout) = self.child.stdout.as_mut() else { return Ok(false) };
        let timeout = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: i64::from(limit.subsec_nanos()) };
        let mut polled = [PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::IN)];
        match poll(&mut polled, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(true),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut buffer = [0; 16_384];
        let len = stdout.read(&mut buffer)?;
        self.rest.extend_from_slice(&buffer[..len]);
        Ok(len > 0)
    }
}

fn starting(error: io::Error) -> LabError {
    LabError::io("starting the run", error)
}

/// Sends the job to the cell.
fn give<J: Serialize>(job: &J, mut stdin: impl io::Write) -> Result<(), LabError> {
    // A process number is positive and fits.
    let order = Order { supervisor: std::process::id() as i32, job };
    let mut line = serde_json::to_vec(&order).map_err(|error| starting(error.into()))?;
    line.push(b'\n');
    match stdin.write_all(&line) {
        // The cell ended before it had read the job; `wait` reports the reason.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(starting),
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The cell may have ended by itself, so `kill` may fail. In both cases it must be reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn said(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) if code > 128 => format!("signal {}", code - 128),
        (None, code) => format!("status {}", code.unwrap_or(0)),
    }
}
