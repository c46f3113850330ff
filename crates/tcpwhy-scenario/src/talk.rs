//! Conversations: a script of messages, each with its role.

use std::fmt;

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;

use super::call_size::check_call;
use super::refusal::{Checked, Refusal};
use super::{Bytes, End, Nanos};

/// A conversation that both programs play from one script: WebSocket, long polls, subscriptions, streams of
/// gRPC, chat. The roles of its messages are the truth of its exchanges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Talk {
    /// What it imitates: `lab score` counts by it.
    #[serde(default)]
    pub kind: TalkKind,
    /// Who opens the connection.
    #[serde(default = "receiver")]
    pub opener: End,
    /// Each message begins with the header of a TLS record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tls: bool,
    /// One after the other.
    pub parts: Vec<Part>,
}

/// What a conversation imitates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TalkKind {
    /// An upgrade, then small messages, pings and pushes.
    WebSocket,
    /// The server keeps each request until it has news.
    LongPoll,
    /// One request, then pushes, each of them acknowledged.
    Subscription,
    /// Streams of HTTP/2: calls, some at a time, and control frames between them.
    Calls,
    /// Both ends speak, and nobody asks.
    Chat,
    /// Anything else.
    #[default]
    Other,
}

impl TalkKind {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 6] =
        [Self::WebSocket, Self::LongPoll, Self::Subscription, Self::Calls, Self::Chat, Self::Other];

    /// As in scenarios and in the names of messages.
    pub const fn id(self) -> &'static str {
        match self {
            Self::WebSocket => "web-socket",
            Self::LongPoll => "long-poll",
            Self::Subscription => "subscription",
            Self::Calls => "calls",
            Self::Chat => "chat",
            Self::Other => "other",
        }
    }
}

const fn receiver() -> End {
    End::Receiver
}

/// Messages that are repeated together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// How many times they are said.
    #[serde(default = "one")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 or more")))]
    pub times: u32,
    /// In this order.
    pub messages: Vec<Utterance>,
}

const fn one() -> u32 {
    1
}

/// One message of one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Utterance {
    /// The end that sends it.
    pub by: End,
    /// What it is to the conversation.
    pub role: Role,
    /// Payload, headers of records included, in one `send()`.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 64MiB")))]
    pub bytes: Bytes,
    /// Rest before it, once its speaker has read all messages before it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub after: Nanos,
    /// Its speaker rests after its own last message instead, and reads what came in between later: both ends
    /// may speak at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unheard: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(rest: &Nanos) -> bool {
    rest.0 == 0
}

/// What a message is to its conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A part of a TLS handshake, before anything is asked.
    Handshake,
    /// Asks for an answer; several in a row are pieces of one request, unless the ends' requests overlap.
    Request,
    /// Answers the oldest request that is open; several in a row are pieces of one answer.
    Answer,
    /// Answers the oldest open request, which was kept until there was news or a time limit: nobody was slow.
    News,
    /// Nobody asked for it.
    Push,
    /// The application confirms a push.
    Acknowledgement,
    /// Housekeeping of the protocol: settings, window updates.
    Control,
    /// Says that its speaker is alive, or that the other end is.
    Heartbeat,
    /// Announces the end.
    Goodbye,
}

impl Role {
    /// As in scenarios and in `truth.json`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Request => "request",
            Self::Answer => "answer",
            Self::News => "news",
            Self::Push => "push",
            Self::Acknowledgement => "acknowledgement",
            Self::Control => "control",
            Self::Heartbeat => "heartbeat",
            Self::Goodbye => "goodbye",
        }
    }

    /// Whether it answers a request.
    pub const fn answers(self) -> bool {
        matches!(self, Self::Answer | Self::News)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Messages of a script: each is noted with its times.
const MOST_MESSAGES: u64 = 100_000;

/// Bytes of a TLS record's header, and of the least that is in one (RFC 8446 §5.1).
const LEAST_RECORD: Bytes = Bytes(6);

impl Talk {
    /// All messages in the order of the script.
    pub fn messages(&self) -> impl Iterator<Item = Utterance> + '_ {
        self.parts.iter().flat_map(|part| (0..part.times).flat_map(|_| part.messages.iter().copied()))
    }

    /// Payload that `end` sends.
    pub fn bytes(&self, end: End) -> u64 {
        self.messages().filter(|message| message.by == end).fold(0, |sum, message| sum.saturating_add(message.bytes.0))
    }

    /// The end that asks; `None`: nothing is asked.
    pub fn client(&self) -> Option<End> {
        let mut all = self.parts.iter().flat_map(|part| &part.messages);
        all.find(|message| message.role == Role::Request).map(|message| message.by)
    }

    pub(super) fn check(&self) -> Checked {
        let within = |index: usize, refusal: Refusal| refusal.within(&index.to_string()).within("parts");
        for (index, part) in self.parts.iter().enumerate() {
            part.check(self.tls).map_err(|refusal| within(index, refusal))?;
        }
        let count = |part: &Part| u64::from(part.times).saturating_mul(part.messages.len() as u64);
        let all = self.parts.iter().map(count).fold(0, u64::saturating_add);
        if !(1..=MOST_MESSAGES).contains(&all) {
            return Err(Refusal::of("parts", Message::new("scenario-talk-messages").with("most", MOST_MESSAGES)));
        }
        // The transfer is that of the sender's data.
        if self.bytes(End::Sender) == 0 {
            return Err(Refusal::of("parts", Message::new("scenario-talk-sender")));
        }
        let client = self.client();
        let mut is_open = false;
        for message in self.messages() {
            let is_wrong = match message.role {
                Role::Request => client != Some(message.by),
                Role::Answer | Role::News => client == Some(message.by) || !is_open,
                _ => false,
            };
            if is_wrong {
                let why = Message::new("scenario-talk-role").with("role", message.role.id());
                return Err(Refusal::of("parts", why));
            }
            is_open |= message.role == Role::Request;
        }
        Ok(())
    }
}

impl Part {
    fn check(&self, tls: bool) -> Checked {
        if self.times == 0 {
            return Err(Refusal::of("times", Message::new("scenario-no-turns")));
        }
        self.messages.iter().enumerate().try_for_each(|(index, message)| {
            let checked = match message.bytes {
                bytes if tls && bytes < LEAST_RECORD => {
                    let why = Message::new("scenario-talk-record").with("least", LEAST_RECORD.to_string());
                    Err(Refusal::of("bytes", why))
                }
                bytes => check_call("bytes", bytes),
            };
            checked.map_err(|refusal| refusal.within(&index.to_string()).within("messages"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scenario, Work};

    fn read(talk: &str) -> Result<Scenario, Message> {
        Scenario::from_toml("test", &format!("[work.talk]\n{talk}\n"))
    }

    fn message(by: &str, role: &str) -> String {
        format!("{{ by = \"{by}\", role = \"{role}\", bytes = \"40B\" }}")
    }

    #[test]
    fn a_script_reads_back_and_repeats() {
        let asks = message("receiver", "request");
        let answers = message("sender", "answer");
        let scenario = read(&format!("parts = [{{ times = 3, messages = [{asks}, {answers}] }}]")).unwrap();
        assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()).as_ref(), Ok(&scenario));
        let Work::Talk(talk) = scenario.work else { unreachable!("a conversation") };
        assert_eq!((talk.messages().count(), talk.bytes(End::Sender), talk.client()), (6, 120, Some(End::Receiver)));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let of = |messages: &[String]| read(&format!("parts = [{{ messages = [{}] }}]", messages.join(", ")));
        let push = message("sender", "push");
        assert!(of(std::slice::from_ref(&push)).is_ok());
        for (messages, id) in [
            (vec![], "scenario-talk-messages"),
            (vec![message("receiver", "push")], "scenario-talk-sender"),
            (vec![message("sender", "answer")], "scenario-talk-role"),
            (vec![message("receiver", "request"), message("sender", "request")], "scenario-talk-role"),
            (vec![message("receiver", "request"), push.clone(), message("receiver", "answer")], "scenario-talk-role"),
        ] {
            let refused = of(&messages).unwrap_err();
            assert!(format!("{refused:?}").contains(id), "{messages:?}: {refused:?}");
        }
        let short = push.replace("40B", "5B");
        let records = read(&format!("tls = true\nparts = [{{ messages = [{short}] }}]")).unwrap_err();
        assert!(format!("{records:?}").contains("scenario-talk-record"), "{records:?}");
        let none = read(&format!("parts = [{{ times = 0, messages = [{push}] }}]")).unwrap_err();
        assert!(format!("{none:?}").contains("scenario-no-turns"), "{none:?}");
    }
}
