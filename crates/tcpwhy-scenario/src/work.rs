//! What the two programs do.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;
use tcpwhy_model::foreign::is_hidden;
use tcpwhy_model::foreign::quoted;

use super::call_size::check_call;
use super::refusal::{Checked, Refusal};
use super::{Bytes, Credit, End, Ending, Expected, Nanos, Reader, Talk, Writer};

/// What is done over the connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", try_from = "Tables")]
pub enum Work {
    /// Data in one direction.
    Stream(Stream),
    /// Requests and responses by turns.
    Turns(Turns),
    /// A conversation from a script.
    Talk(Talk),
    /// Programs of others.
    Application(Application),
}

/// The tables that `[work]` may have, of which it has one. serde's own reading of an enum counts elements
/// where a file has two.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Tables {
    stream: Option<Stream>,
    turns: Option<Turns>,
    talk: Option<Talk>,
    application: Option<Application>,
}

impl TryFrom<Tables> for Work {
    type Error = Message;

    fn try_from(Tables { stream, turns, talk, application }: Tables) -> Result<Self, Message> {
        let all = [
            stream.map(Self::Stream),
            turns.map(Self::Turns),
            talk.map(Self::Talk),
            application.map(Self::Application),
        ];
        let mut given = all.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(work), None) => Ok(work),
            (None, _) => Err(Message::new("scenario-no-work")),
            (Some(one), Some(other)) => {
                Err(Message::new("scenario-two-works").with("one", one.table()).with("other", other.table()))
            }
        }
    }
}

/// Data in one direction, in phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Who opens the connection: an upload by its sender, a download by its receiver (which then asks with
    /// 120 bytes).
    #[serde(default = "receiver")]
    pub opener: End,
    /// One after the other.
    pub phases: Vec<Phase>,
    /// How much the receiver's protocol allows at a time; without it, as much as TCP takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<Credit>,
    /// How the connection ends; without it both ends close when all data has arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

const fn receiver() -> End {
    End::Receiver
}

/// A stretch of a stream in which both ends keep to one manner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Payload.
    #[cfg_attr(test, schemars(extend("x-range" = "1B or more")))]
    pub bytes: Bytes,
    /// How the sender writes it.
    #[serde(default)]
    pub write: Writer,
    /// How the receiver reads it.
    #[serde(default)]
    pub read: Reader,
    /// The limit that this phase imposes, where phases differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imposes: Option<Expected>,
}

/// Requests and responses. The data in question are the responses of the server, or with `asks` the requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// The sender is the one who asks (else the one who answers).
    #[serde(default)]
    pub sender_asks: bool,
    /// How many turns.
    #[cfg_attr(test, schemars(extend("x-range" = "1 or more")))]
    pub count: u32,
    /// Requests that may be outstanding at once: more than 1 asks ahead, as pipelining and SFTP do.
    #[serde(default = "one")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 or more")))]
    pub ahead: u32,
    /// Bytes of each `send()` that a request takes.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 64MiB, each")))]
    pub request: Vec<Bytes>,
    /// Bytes of each `send()` that a response takes.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 64MiB, each")))]
    pub response: Vec<Bytes>,
    /// The client rests for this before each request.
    #[serde(default)]
    pub think: Nanos,
    /// Instead of resting, the client asks at multiples of this: a heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0")))]
    pub every: Option<Nanos>,
    /// The server computes for this before each response.
    #[serde(default)]
    pub service: Nanos,
    /// How the connection ends; without it both ends close after the last turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

const fn one() -> u32 {
    1
}

/// Programs of others, one at each end; the connection in question is that on `port`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Where the server listens.
    #[cfg_attr(test, schemars(extend("x-range" = "1 to 65535")))]
    pub port: u16,
    /// Debian packages that have the programs, for whoever lacks them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// Where the client runs: an upload at its sender, a download at its receiver.
    #[serde(default = "receiver")]
    pub opener: End,
    /// Runs at the other end before the transfer and until its end.
    pub server: Program,
    /// The transfer is over when it ends.
    pub client: Program,
}

/// Where the server of an application listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its end.
    pub end: End,
    /// Its port.
    pub port: u16,
}

/// A shell script. `$DIR` is a scratch folder that the two ends share and that goes with the run, `$SERVER`
/// the server's address, `$PORT` its port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Programs that must be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Run by `sh -e` first, and waited for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prepare: String,
    /// Run by `sh -e`.
    pub run: String,
    /// Of the server: run by `sh -e` again and again until it ends well, before the client starts; for
    /// servers that listen before they can answer. The kernel's listener on the port is waited for in any
    /// case.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ready: String,
}

impl Work {
    /// `work.NAME` of its table.
    const fn table(&self) -> &'static str {
        match self {
            Self::Stream(_) => "stream",
            Self::Turns(_) => "turns",
            Self::Talk(_) => "talk",
            Self::Application(_) => "application",
        }
    }

    /// The end that opens the connection; `None`: programs of others see to it.
    pub const fn opener(&self) -> Option<End> {
        match self {
            Self::Stream(stream) => Some(stream.opener),
            Self::Turns(turns) => Some(turns.client()),
            Self::Talk(talk) => Some(talk.opener),
            Self::Application(_) => None,
        }
    }

    /// How the connection ends; `None`: both ends close, or programs of others see to it.
    pub const fn ending(&self) -> Option<Ending> {
        match self {
            Self::Stream(stream) => stream.ending,
            Self::Turns(turns) => turns.ending,
            Self::Talk(_) | Self::Application(_) => None,
        }
    }

    pub(super) fn check(&self) -> Checked {
        let checked = match self {
            Self::Stream(stream) => stream.check(),
            Self::Turns(turns) => turns.check(),
            Self::Talk(talk) => talk.check(),
            Self::Application(application) => application.check(),
        };
        checked.map_err(|refusal| refusal.within(self.table()))
    }
}

/// Ends a script that stands in another one.
pub const END_OF_SCRIPT: &str = "SCRIPT";

/// The receive buffer that Linux begins with (`tcp_rmem[1]`) offers 64 KiB.
const LARGEST_AHEAD: Bytes = Bytes(64 << 10);

impl Turns {
    /// How long the sender of the data in question waits in each turn, and its peer.
    pub fn waits_mut(&mut self) -> (&mut Nanos, &mut Nanos) {
        if self.sender_asks { (&mut self.think, &mut self.service) } else { (&mut self.service, &mut self.think) }
    }

    /// The end that asks; it opens the connection.
    pub const fn client(&self) -> End {
        if self.sender_asks { End::Sender } else { End::Receiver }
    }

    /// Payload of one request.
    pub fn request_bytes(&self) -> u64 {
        self.request.iter().map(|size| size.0).sum()
    }

    /// Payload of one response.
    pub fn response_bytes(&self) -> u64 {
        self.response.iter().map(|size| size.0).sum()
    }

    /// Bytes of the requests that are outstanding at most, or of their responses, whichever is less.
    fn least_outstanding(&self) -> Bytes {
        let least = self.request_bytes().min(self.response_bytes());
        Bytes(least.saturating_mul(self.ahead.into()))
    }

    /// Turns whose request is answered.
    pub const fn answered(&self) -> u32 {
        match self.ending {
            Some(Ending::Unanswered(_)) => self.count.saturating_sub(1),
            _ => self.count,
        }
    }

    /// What the sender sends in all turns, in payload bytes.
    pub fn bytes(&self) -> u64 {
        let (turn, count) = if self.sender_asks {
            (self.request_bytes(), self.count)
        } else {
            (self.response_bytes(), self.answered())
        };
        turn.saturating_mul(u64::from(count))
    }

    fn check(&self) -> Checked {
        if self.count == 0 {
            return Err(Refusal::of("count", Message::new("scenario-no-turns")));
        }
        if self.ahead == 0 {
            return Err(Refusal::of("ahead", Message::new("scenario-no-ahead")));
        }
        // Both programs would wait in `send()` for each other once neither reads.
        if self.ahead > 1 && self.least_outstanding() > LARGEST_AHEAD {
            return Err(Refusal::of("ahead", Message::new("scenario-ahead").with("most", LARGEST_AHEAD.to_string())));
        }
        let is_unanswered = matches!(self.ending, Some(Ending::Unanswered(_)));
        if self.ahead > 1 && (self.every.is_some() || is_unanswered) {
            return Err(Refusal::of("ahead", Message::new("scenario-ahead-alone")));
        }
        for (key, calls) in [("request", &self.request), ("response", &self.response)] {
            if calls.is_empty() {
                return Err(Refusal::of(key, Message::new("scenario-no-calls")));
            }
            calls.iter().try_for_each(|size| check_call(key, *size))?;
        }
        if self.every == Some(Nanos(0)) {
            return Err(Refusal::of("every", Message::new("scenario-zero-every")));
        }
        if self.every.is_some() && self.think.0 > 0 {
            return Err(Refusal::of("every", Message::new("scenario-think-and-every")));
        }
        if is_unanswered && self.answered() == 0 && !self.sender_asks {
            return Err(Refusal::of("count", Message::new("scenario-nothing-answered")));
        }
        check_ending(self.ending, Bytes(self.bytes()))
    }
}

fn check_ending(ending: Option<Ending>, all: Bytes) -> Checked {
    ending.map_or(Ok(()), |ending| ending.check(all).map_err(|refusal| refusal.within("ending")))
}

impl Application {
    /// Where its server listens.
    pub const fn service(&self) -> Service {
        Service { end: self.opener.other(), port: self.port }
    }

    fn check(&self) -> Checked {
        if self.port == 0 {
            return Err(Refusal::of("port", Message::new("scenario-port")));
        }
        for (whose, program) in [("server", &self.server), ("client", &self.client)] {
            for (key, script) in [("prepare", &program.prepare), ("run", &program.run), ("ready", &program.ready)] {
                check_script(key, script).map_err(|refusal| refusal.within(whose))?;
            }
            check_names("needs", &program.needs).map_err(|refusal| refusal.within(whose))?;
        }
        if !self.client.ready.is_empty() {
            return Err(Refusal::of("ready", Message::new("scenario-ready")).within("client"));
        }
        check_names("packages", &self.packages)
    }
}

fn check_script(key: &str, script: &str) -> Checked {
    if script.contains(|c| !matches!(c, '\n' | '\t') && is_hidden(c)) {
        return Err(Refusal::of(key, Message::new("scenario-script")));
    }
    if script.lines().any(|line| line == END_OF_SCRIPT) {
        let why = Message::new("scenario-script-end").with("line", END_OF_SCRIPT);
        return Err(Refusal::of(key, why));
    }
    Ok(())
}

fn check_names(key: &str, names: &[String]) -> Checked {
    match names.iter().find(|name| !is_package(name)) {
        Some(name) => Err(Refusal::of(key, Message::new("scenario-package").with("name", quoted(name)))),
        None => Ok(()),
    }
}

/// Whether it is one word that nobody takes for an option, a path or a command: what Debian allows (policy
/// 5.6.1), and capitals and underscores for programs.
fn is_package(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+._-".contains(&byte);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.bytes().all(is_word)
}

impl Stream {
    fn check(&self) -> Checked {
        if self.phases.is_empty() {
            return Err(Refusal::of("phases", Message::new("scenario-no-phases")));
        }
        self.credit.iter().try_for_each(|credit| credit.check().map_err(|refusal| refusal.within("credit")))?;
        self.phases.iter().enumerate().try_for_each(|(index, phase)| {
            let checked = if phase.bytes.0 == 0 {
                Err(Refusal::of("bytes", Message::new("scenario-empty-phase")))
            } else {
                let write = phase.write.check().map_err(|refusal| refusal.within("write"));
                write.and_then(|()| phase.read.check().map_err(|refusal| refusal.within("read")))
            };
            checked.map_err(|refusal| refusal.within(&index.to_string()).within("phases"))
        })?;
        // The sender reads grants until the receiver closes.
        if self.credit.is_some() && matches!(self.ending, Some(Ending::Goodbye(_) | Ending::Unanswered(_))) {
            return Err(Refusal::of("ending", Message::new("scenario-credit-ending")));
        }
        check_ending(self.ending, Bytes(self.bytes()))
    }

    /// Payload of all phases, without the headers of `credit`.
    pub fn bytes(&self) -> u64 {
        self.phases.iter().fold(0, |sum, phase| sum.saturating_add(phase.bytes.0))
    }
}
