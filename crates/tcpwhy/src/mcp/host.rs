//! The process that watches this host. It keeps the capabilities that this needs, and parses no captures. The
//! process that parses captures queries it over a socket: one line of JSON per question and per answer.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};
use tcpwhy_report::{Anonymizer, Catalogue, Wording};
use tcpwhy_rights::Child;

use super::host_calls::{AuditCall, LiveCall, audit_of, live_of};
use super::work::Work;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::rights;
use crate::wrong::{Context as _, Foreign as _, Result, bail};

/// Longest line between the two, in bytes.
const MOST_LINE: u64 = 64 << 10;
/// Interval between checks whether the call was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// The connection to the process.
pub(super) struct HostProcess {
    link: Mutex<Link>,
}

struct Link {
    questions: UnixStream,
    answers: BufReader<UnixStream>,
    /// Number of the last question.
    last: u64,
}

#[derive(Debug, Deserialize, Serialize)]
struct Question {
    number: u64,
    call: Call,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Call {
    Live(LiveCall),
    Audit(AuditCall),
}

/// An answer, or the reason why there is none.
#[derive(Debug, Deserialize, Serialize)]
struct Reply {
    number: u64,
    result: Result<String, String>,
}

impl HostProcess {
    /// Whether this system can be watched.
    pub(super) const IS_POSSIBLE: bool = true;

    /// Starts the process. Call it while this process has one thread.
    pub(super) fn start(catalogue: &Catalogue, anonymizer: Option<&Anonymizer>) -> Result<Self> {
        let (asker, own) = UnixStream::pair()?;
        if Child::start().context(failure("starting-process"))?.is_none() {
            drop(asker);
            // An error means that the other process has ended, or that the privileges could not be given up.
            let confined = rights::confine(&rights::starting_watchers());
            let _ = confined.and_then(|()| serve(&own, catalogue, anonymizer));
            ExitStatus::SUCCESS.leave();
        }
        asker.set_read_timeout(Some(PATIENCE))?;
        let answers = BufReader::new(asker.try_clone()?);
        Ok(Self { link: Mutex::new(Link { questions: asker, answers, last: 0 }) })
    }

    pub(super) fn live(&self, call: &LiveCall, work: &Work) -> Result<String> {
        self.ask(Call::Live(call.clone()), work)
    }

    pub(super) fn audit(&self, call: &AuditCall, work: &Work) -> Result<String> {
        self.ask(Call::Audit(call.clone()), work)
    }

    fn ask(&self, call: Call, work: &Work) -> Result<String> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        link.last += 1;
        let number = link.last;
        let mut question = serde_json::to_vec(&Question { number, call }).foreign()?;
        question.push(b'\n');
        if question.len() as u64 > MOST_LINE {
            bail!(failure("mcp-arguments"));
        }
        link.questions.write_all(&question)?;
        loop {
            let line = link.line(work)?;
            let reply: Reply = serde_json::from_slice(&line).foreign()?;
            // Answers to stopped calls arrive late and are dropped.
            if reply.number == number {
                return reply.result.map_err(|error| std::io::Error::other(error).into());
            }
        }
    }
}

impl Link {
    /// The next line, unless the call is stopped before it comes.
    fn line(&mut self, work: &Work) -> Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            match self.answers.read_until(b'\n', &mut line) {
                Ok(0) => bail!(failure("sampling-ended")),
                Ok(_) if line.ends_with(b"\n") => return Ok(line),
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if work.is_stopped() && line.is_empty() {
                        bail!(failure("mcp-cancelled"));
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Answers questions until the other process ends. A separate process answers each; it gives up unneeded
/// privileges before it reads anything.
fn serve(link: &UnixStream, catalogue: &Catalogue, anonymizer: Option<&Anonymizer>) -> Result<()> {
    let mut questions = BufReader::new(link.try_clone()?);
    loop {
        let mut line = Vec::new();
        let mut bounded = std::io::Read::take(&mut questions, MOST_LINE);
        if bounded.read_until(b'\n', &mut line)? == 0 || !line.ends_with(b"\n") {
            return Ok(());
        }
        let question: Question = serde_json::from_slice(&line).foreign()?;
        if let Some(child) = Child::start_another()? {
            wait_or_end(child, &questions)?;
            continue;
        }
        let result = answer(&question.call, Wording::new(catalogue), anonymizer);
        let result = result.map_err(|error| error.sentence());
        let mut reply = serde_json::to_vec(&Reply { number: question.number, result }).foreign()?;
        reply.push(b'\n');
        let mut link = link;
        link.write_all(&reply)?;
        ExitStatus::SUCCESS.leave();
    }
}

/// Waits until `child` has answered. It is ended early if another question arrives or the other process is
/// gone, because its answer is then no longer needed.
fn wait_or_end(child: Child, questions: &BufReader<UnixStream>) -> Result<()> {
    let pause = Timespec::try_from(PATIENCE).foreign()?;
    loop {
        if child.has_ended()? {
            return Ok(());
        }
        let mut waiting = [PollFd::from_borrowed_fd(questions.get_ref().as_fd(), PollFlags::IN)];
        let is_asked = !questions.buffer().is_empty() || poll(&mut waiting, Some(&pause)).is_ok_and(|count| count > 0);
        if is_asked {
            return Ok(child.end()?);
        }
    }
}

fn answer(call: &Call, wording: Wording<'_>, anonymizer: Option<&Anonymizer>) -> Result<String> {
    match call {
        Call::Live(call) => live_of(call, anonymizer, wording),
        Call::Audit(call) => {
            rights::confine(&rights::auditing())?;
            audit_of(call, None, anonymizer, wording)
        }
    }
}
