//! How a connection ends, where both ends do not simply close it when all data has arrived.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;

use super::call_size::check_call;
use super::refusal::{Checked, Refusal};
use super::{Bytes, End, Nanos};

/// How a connection ends. Without it both ends close when all data has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", try_from = "Endings")]
pub enum Ending {
    /// Silence, a few bytes, FIN.
    Goodbye(Goodbye),
    /// One end resets the connection in mid-transfer.
    Reset(Reset),
    /// The last request is acknowledged and never answered.
    Unanswered(Unanswered),
}

/// The tables that `ending` may have, of which it has one.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Endings {
    goodbye: Option<Goodbye>,
    reset: Option<Reset>,
    unanswered: Option<Unanswered>,
}

impl TryFrom<Endings> for Ending {
    type Error = Message;

    fn try_from(Endings { goodbye, reset, unanswered }: Endings) -> Result<Self, Message> {
        let all = [goodbye.map(Self::Goodbye), reset.map(Self::Reset), unanswered.map(Self::Unanswered)];
        let mut given = all.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(ending), None) => Ok(ending),
            _ => Err(Message::new("scenario-endings")),
        }
    }
}

/// All data has arrived; after a silence one end sends a few bytes, such as a TLS alert, and closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Goodbye {
    /// The end that closes.
    pub by: End,
    /// Length of the silence.
    pub after: Nanos,
    /// Payload of the goodbye.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 64MiB")))]
    pub bytes: Bytes,
}

/// One end resets the connection (`SO_LINGER` of 0 s, or a crash).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// The end that resets.
    pub by: End,
    /// Payload of the data in question that this end has written or read by then.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to less than all")))]
    pub after: Bytes,
}

/// The kernel at the other end acknowledges the last request, and its program never answers. The client gives
/// up and closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Unanswered {
    /// How long the client waits for the answer.
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0")))]
    pub patience: Nanos,
}

impl Ending {
    /// `all`: payload of the data in question.
    pub(super) fn check(self, all: Bytes) -> Checked {
        match self {
            Self::Goodbye(goodbye) => check_call("bytes", goodbye.bytes).map_err(|refusal| refusal.within("goodbye")),
            Self::Reset(reset) if !(Bytes(1)..all).contains(&reset.after) => {
                let why =
                    Message::new("scenario-reset").with("all", all.to_string()).with("after", reset.after.to_string());
                Err(Refusal::of("after", why).within("reset"))
            }
            Self::Unanswered(Unanswered { patience: Nanos(0) }) => {
                Err(Refusal::of("patience", Message::new("scenario-patience")).within("unanswered"))
            }
            Self::Reset(_) | Self::Unanswered(_) => Ok(()),
        }
    }

    /// Payload of the data in question after which `end` resets the connection; `None`: it does not.
    pub fn reset_by(self, end: End) -> Option<u64> {
        match self {
            Self::Reset(Reset { by, after }) if by == end => Some(after.0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ending, Scenario, Work};

    fn stream(ending: &str) -> Result<Scenario, tcpwhy_model::Message> {
        let text = format!("[work.stream]\nphases = [{{ bytes = \"1MB\" }}]\nending = {ending}\n");
        Scenario::from_toml("test", &text)
    }

    fn turns(extra: &str) -> Result<Scenario, tcpwhy_model::Message> {
        let text = format!("[work.turns]\nrequest = [\"9B\"]\nresponse = [\"9B\"]\n{extra}\n");
        Scenario::from_toml("test", &text)
    }

    #[test]
    fn an_ending_is_one_of_three_and_reads_back() {
        for ending in [
            "{ goodbye = { by = \"sender\", after = \"5s\", bytes = \"31B\" } }",
            "{ reset = { by = \"receiver\", after = \"999999B\" } }",
            "{ unanswered = { patience = \"3s\" } }",
        ] {
            let scenario = stream(ending).unwrap();
            assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()), Ok(scenario), "{ending}");
        }
        let said = stream("{ unanswered = { patience = \"3s\" }, reset = { by = \"sender\", after = \"1B\" } }");
        assert!(said.unwrap_err().to_string().contains("scenario-endings"));
        assert!(stream("{}").is_err());
    }

    #[test]
    fn a_reset_is_in_mid_transfer() {
        let reset = |after: &str| stream(&format!("{{ reset = {{ by = \"sender\", after = \"{after}\" }} }}"));
        assert!(reset("1B").is_ok());
        for after in ["0B", "1MB", "2MB"] {
            let said = reset(after).unwrap_err().to_string();
            assert!(said.contains("scenario-reset") && said.contains("work.stream.ending.reset.after"), "{said}");
        }
        let Work::Stream(stream) = stream("{ reset = { by = \"sender\", after = \"7B\" } }").unwrap().work else {
            unreachable!()
        };
        let by = |end| stream.ending.and_then(|ending: Ending| ending.reset_by(end));
        assert_eq!([by(super::End::Sender), by(super::End::Receiver)], [Some(7), None]);
    }

    #[test]
    fn a_sender_that_never_answers_has_answered_before() {
        let unanswered = "ending = { unanswered = { patience = \"1s\" } }";
        assert!(turns(&format!("count = 1\n{unanswered}")).is_err(), "it would send nothing at all");
        assert!(turns(&format!("count = 2\n{unanswered}")).is_ok());
        assert!(turns(&format!("count = 1\nsender_asks = true\n{unanswered}")).is_ok());
        assert!(turns("count = 2\nending = { unanswered = { patience = \"0s\" } }").is_err());
    }

    #[test]
    fn a_pace_of_turns_is_not_a_pause_as_well() {
        assert!(turns("count = 3\nevery = \"1s\"").is_ok());
        assert!(turns("count = 3\nevery = \"0s\"").is_err());
        assert!(turns("count = 3\nevery = \"1s\"\nthink = \"1s\"").is_err());
    }
}
