//! A separate process that resolves names. So the process that parses packets needs no network access, which
//! an attacker could use.
//!
//! A question is a line with an address, its answer a line with the name, empty where there is none.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::IpAddr;
use std::os::unix::net::UnixStream;

use tcpwhy_rights::Child;

use super::question::{EACH, ask};
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::rights;
use crate::wrong::{Context as _, Result};

/// The longest line, bytes: no name is longer (RFC 1035 §2.3.4), nor an address.
const MOST_LINE: u64 = 512;

/// The connection to the resolving process.
pub(super) struct Resolver {
    questions: UnixStream,
    answers: BufReader<UnixStream>,
    /// Whether it timed out or ended: any later answer would belong to an earlier question.
    is_lost: bool,
}

impl Resolver {
    /// Starts the process. Call it while this process has one thread.
    pub(super) fn start() -> Result<Self> {
        let (questions, own) = UnixStream::pair()?;
        if Child::start().context(failure("starting-process"))?.is_none() {
            drop(questions);
            // An error means that the other process has ended or that the privileges could not be given up:
            // then no name is resolved.
            let _ = rights::confine(&rights::resolving()).and_then(|()| serve(&own));
            ExitStatus::SUCCESS.leave();
        }
        // Twice the limit of the resolving process, which normally gives up first.
        questions.set_read_timeout(Some(2 * EACH))?;
        let answers = BufReader::new(questions.try_clone()?);
        Ok(Self { questions, answers, is_lost: false })
    }

    /// The name of `address`, if it has one.
    pub(super) fn ask(&mut self, address: IpAddr) -> Option<String> {
        if self.is_lost {
            return None;
        }
        let answer = self.questions.write_all(format!("{address}\n").as_bytes()).ok().and_then(|()| self.answer());
        self.is_lost = answer.is_none();
        answer.filter(|name| !name.is_empty())
    }

    fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        (&mut self.answers).take(MOST_LINE).read_line(&mut line).ok()?;
        Some(line.strip_suffix('\n')?.to_owned())
    }
}

fn serve(link: &UnixStream) -> Result<()> {
    let mut questions = BufReader::new(link.try_clone()?);
    let mut link = link;
    loop {
        let mut line = String::new();
        if (&mut questions).take(MOST_LINE).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let name = line.trim_end().parse().ok().and_then(|address| ask(address, EACH)).unwrap_or_default();
        let is_a_line = name.len() < MOST_LINE as usize && !name.contains(char::is_control);
        writeln!(link, "{}", if is_a_line { &*name } else { "" })?;
    }
}
