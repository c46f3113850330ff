//! What the two programs do.

use serde::{Deserialize, Serialize};

use super::{BitRate, Bytes, End, Expected, Nanos};

/// What is done over the connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Data in one direction.
    Stream(Stream),
    /// Requests and responses by turns.
    Turns(Turns),
    /// Programs of others.
    Application(Application),
}

/// Data in one direction, in phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Who opens the connection: an upload by its sender, a download by its receiver (which then asks with 120 bytes).
    #[serde(default = "receiver")]
    pub opener: End,
    /// One after the other.
    pub phases: Vec<Phase>,
}

const fn receiver() -> End {
    End::Receiver
}

/// A stretch of a stream in which both ends keep to one manner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Payload.
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

/// How data is written: 64 KiB at a time unless said otherwise.
pub type Writer = Calls<{ 64 * 1024 }>;

/// How data is read: at most 256 KiB at a time unless said otherwise.
pub type Reader = Calls<{ 256 * 1024 }>;

/// One `send()` or `recv()` after the other, of `SIZE` bytes unless `size` says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls<const SIZE: u64> {
    /// Bytes of one call, at most.
    #[serde(default = "usual::<SIZE>")]
    pub size: Bytes,
    /// Rest before the first.
    #[serde(default)]
    pub delay: Nanos,
    /// Bits per second at which data is produced or taken, in portions, one each `every`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<BitRate>,
    /// With `rate`: the time between portions; with `portion`: the rest after each, when it has been moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Nanos>,
    /// Moves so much, then rests for `every`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portion: Option<Bytes>,
}

const fn usual<const SIZE: u64>() -> Bytes {
    Bytes(SIZE)
}

impl<const SIZE: u64> Default for Calls<SIZE> {
    fn default() -> Self {
        Self { size: usual::<SIZE>(), delay: Nanos(0), rate: None, every: None, portion: None }
    }
}

/// Requests and responses. The data in question are the responses of the server, or with `asks` the requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// The sender is the one who asks (else the one who answers).
    #[serde(default)]
    pub sender_asks: bool,
    /// How many turns.
    pub count: u32,
    /// Bytes of each `send()` that a request takes.
    pub request: Vec<Bytes>,
    /// Bytes of each `send()` that a response takes.
    pub response: Vec<Bytes>,
    /// The client rests for this before each request.
    #[serde(default)]
    pub think: Nanos,
    /// The server computes for this before each response.
    #[serde(default)]
    pub service: Nanos,
}

/// Programs of others, one at each end; the connection in question is that on `port`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Where the server listens.
    pub port: u16,
    /// Debian packages that have the programs, for whoever lacks them.
    pub packages: Vec<String>,
    /// Runs in the sender's namespace before the transfer and until its end.
    pub server: Program,
    /// Runs in the receiver's namespace; the transfer is over when it ends.
    pub client: Program,
}

/// A shell script. `$DIR` is a scratch folder that the two ends share and that goes with the run, `$SERVER` the server's
/// address, `$PORT` its port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Programs that must be there.
    pub needs: Vec<String>,
    /// Run by `sh -e` first, and waited for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prepare: String,
    /// Run by `sh -e`.
    pub run: String,
}

impl Work {
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Stream(stream) => stream.check(),
            Self::Turns(turns) if turns.count == 0 => Err("turns without any".to_owned()),
            Self::Turns(turns) if turns.request.is_empty() || turns.response.is_empty() => {
                Err("a request and a response take at least one send() each".to_owned())
            }
            Self::Turns(_) | Self::Application(_) => Ok(()),
        }
    }
}

impl<const SIZE: u64> Calls<SIZE> {
    fn check(&self) -> Result<(), String> {
        if self.size.0 == 0 {
            return Err("a call of 0 bytes".to_owned());
        }
        if self.rate.is_some() && self.portion.is_some() {
            return Err("either rate or portion, not both".to_owned());
        }
        if (self.rate.is_some() || self.portion.is_some()) != self.every.is_some() {
            return Err("rate and portion need every, and every needs one of them".to_owned());
        }
        Ok(())
    }
}

impl Stream {
    fn check(&self) -> Result<(), String> {
        if self.phases.is_empty() {
            return Err("a stream without phases".to_owned());
        }
        self.phases.iter().try_for_each(|phase| phase.write.check().and_then(|()| phase.read.check()))
    }

    /// Payload of all phases.
    pub fn bytes(&self) -> u64 {
        self.phases.iter().map(|phase| phase.bytes.0).sum()
    }
}
