//! What a scenario must show as.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tcpwhy_model::Cause;
use tcpwhy_model::host::CounterGroup;

use tcpwhy_model::Message;
use tcpwhy_model::foreign::{is_hidden, quoted};

use super::{End, ExpectedFix};

/// What `explain` must say of the captures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Verdicts that are right; the first is the one meant. Without any, what is said is shown and not judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdict: Vec<Expected>,
    /// Where only the capture at the receiver may say something else too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdict_at_receiver: Vec<Expected>,
    /// How `explain` must report that the connection ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<ExpectedOutcome>,
    /// Fixes that remove the cause: `explain` must propose one of them in its first three lines. `"none"`:
    /// it may propose nothing. An empty list: it must propose nothing. Without the key, the fix is not
    /// judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<ExpectedFix>>,
    /// Where only the capture at the receiver may propose something else too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fix_at_receiver: Vec<ExpectedFix>,
    /// The scenario in which this fix alone is made; `ratio` says how much faster it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<String>,
    /// Answers that are known to be wrong. A run fails once one of them is right: delete its entry then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_wrong: Vec<KnownWrong>,
    /// Rules that must have found something, at the sender's end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// How much longer (or shorter) than other scenarios it must take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratio: Vec<Ratio>,
    /// What the kernels must have counted.
    #[serde(default, skip_serializing_if = "ExpectedCounters::is_empty")]
    pub counters: ExpectedCounters,
    /// It may also end as a reset or time-out of the connection.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaks: bool,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExpectedOutcome {
    /// FIN from both ends.
    Closed,
    /// The sender of the data in question reset it.
    ResetBySender,
    /// Their receiver reset it.
    ResetByReceiver,
    /// A request was acknowledged and never answered, until the client gave up.
    Unanswered,
}

/// A wrong answer about the capture at one end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownWrong {
    /// The capture of this end.
    pub end: End,
    /// Wrong verdicts that are given there.
    pub says: Vec<Expected>,
    /// Whether some runs give a right answer there, which is then expected too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sometimes: bool,
    /// Why, and what would decide.
    pub why: String,
}

/// This scenario's duration over that of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The other scenario's name.
    pub to: String,
    /// The ratio is at least this, both scaled to the same number of bytes.
    pub at_least: f64,
    /// And at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// Counters that must have moved during the transfer, as `nstat` names them: `TcpExtTCPRcvCollapsed`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectedCounters {
    /// In the sender's namespace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sender: Vec<String>,
    /// In the receiver's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub receiver: Vec<String>,
}

impl ExpectedCounters {
    /// Those of one end.
    pub fn at(&self, end: End) -> &[String] {
        match end {
            End::Sender => &self.sender,
            End::Receiver => &self.receiver,
        }
    }

    /// Whether none is expected to move.
    pub const fn is_empty(&self) -> bool {
        self.sender.is_empty() && self.receiver.is_empty()
    }

    /// Which counters there are only the kernel of the run knows; what they are called shows here.
    fn check(&self) -> Result<(), Message> {
        // The script that does the same by hand has them as words.
        let is_word = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_counter = |name: &str| CounterGroup::split(name).is_some() && is_word(name);
        match self.sender.iter().chain(&self.receiver).find(|name| !is_counter(name)) {
            None => Ok(()),
            Some(name) => Err(Message::new("scenario-counter").with("name", name.as_str())),
        }
    }
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String"))]
pub enum Expected {
    /// A healthy transfer: nothing to act on.
    Nothing,
    /// A limit; without a detail, any of its details.
    Cause(Cause),
}

impl Expectation {
    pub(super) fn check(&self) -> Result<(), Message> {
        let is_range =
            |ratio: &Ratio| ratio.at_least.is_finite() && ratio.at_most.is_none_or(|most| most >= ratio.at_least);
        if !self.ratio.iter().all(is_range) {
            return Err(Message::new("scenario-ratio"));
        }
        let is_right =
            |wrong: &KnownWrong| wrong.says.iter().any(|said| self.verdicts(wrong.end).any(|right| right == *said));
        if let Some(wrong) = self.known_wrong.iter().find(|wrong| wrong.says.is_empty() || is_right(wrong)) {
            return Err(Message::new("scenario-known-wrong").with("end", wrong.end.to_string()));
        }
        let mut names = self.findings.iter().chain(self.ratio.iter().map(|ratio| &ratio.to)).chain(&self.fixed);
        if names.any(|name| name.contains(is_hidden)) {
            return Err(Message::new("scenario-names"));
        }
        if let Some(fixed) = &self.fixed
            && !self.ratio.iter().any(|ratio| &ratio.to == fixed)
        {
            return Err(Message::new("scenario-fixed").with("name", quoted(fixed)));
        }
        self.counters.check()
    }

    /// Fixes that are right in the first three lines on the capture taken at `end`; `None` where no fix is
    /// judged.
    pub fn fixes(&self, end: End) -> Option<Vec<ExpectedFix>> {
        let mut fixes = self.fix.clone()?;
        if end == End::Receiver {
            fixes.extend(&self.fix_at_receiver);
        }
        if fixes.is_empty() {
            fixes.push(ExpectedFix::Nothing);
        }
        Some(fixes)
    }

    /// The known wrong answers about the capture taken at `end`.
    pub fn known_wrong(&self, end: End) -> impl Iterator<Item = Expected> + '_ {
        self.known_wrong.iter().filter(move |wrong| wrong.end == end).flat_map(|wrong| &wrong.says).copied()
    }

    /// Whether every run gives a wrong answer about the capture taken at `end`.
    pub fn is_always_wrong(&self, end: End) -> bool {
        self.known_wrong.iter().any(|wrong| wrong.end == end && !wrong.sometimes)
    }

    /// Verdicts that are right about the capture taken at `end`.
    pub fn verdicts(&self, end: End) -> impl Iterator<Item = Expected> + '_ {
        let more = if end == End::Receiver { self.verdict_at_receiver.as_slice() } else { &[] };
        self.verdict.iter().chain(more).copied()
    }
}

impl Expected {
    /// As verdicts have it.
    pub const fn cause(self) -> Option<Cause> {
        match self {
            Self::Nothing => None,
            Self::Cause(cause) => Some(cause),
        }
    }

    /// Whether a verdict is this. `matters`: it reports that the cause held the sender back.
    pub fn covers(self, verdict: Option<Cause>, matters: bool) -> bool {
        match (self, verdict) {
            (Self::Nothing, cause) => cause.is_none() || !matters,
            (Self::Cause(mine), Some(said)) => mine.covers(said),
            (Self::Cause(_), None) => false,
        }
    }
}

impl FromStr for Expected {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        if text == "none" { Ok(Self::Nothing) } else { text.parse().map(Self::Cause) }
    }
}

impl TryFrom<String> for Expected {
    type Error = Message;

    fn try_from(text: String) -> Result<Self, Message> {
        text.parse()
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Cause(cause) => cause.fmt(f),
        }
    }
}

impl From<Expected> for String {
    fn from(expected: Expected) -> Self {
        expected.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use crate::bundled;

    #[test]
    fn a_proposal_is_right_if_the_list_has_it() {
        let (nodelay, other) = (tcpwhy_advice::set_tcp_nodelay(), tcpwhy_advice::fix_loss());
        let expecting = |fix: Option<&[&str]>| Expectation {
            fix: fix.map(|ids| ids.iter().map(|id| id.parse().unwrap()).collect()),
            ..Expectation::default()
        };
        for (fix, right, nothing) in [
            (&[][..], false, true),
            (&["none"], false, true),
            (&["set-tcp-nodelay"], true, false),
            (&["set-tcp-nodelay", "none"], true, true),
        ] {
            let fixes = expecting(Some(fix)).fixes(End::Sender).unwrap();
            let covers = |proposed| fixes.iter().any(|fix| fix.covers(proposed));
            assert_eq!(
                [covers(Some(&nodelay)), covers(Some(&other)), covers(None)],
                [right, false, nothing],
                "{fix:?}"
            );
        }
        assert_eq!(expecting(None).fixes(End::Receiver), None);
        let fix_at_receiver = vec![ExpectedFix::Nothing];
        let more = Expectation { fix_at_receiver, ..expecting(Some(&["set-tcp-nodelay"])) };
        assert_eq!(End::BOTH.map(|end| more.fixes(end).unwrap().len()), [1, 2]);
    }

    #[test]
    fn a_fixed_scenario_needs_a_ratio_that_proves_it() {
        let text = bundled::text("sndbuf-16k").unwrap();
        let with = |key: &str| {
            let keys: Vec<&str> = text.lines().filter(|line| !line.starts_with("fix")).collect();
            let text = keys.join("\n").replacen("[expect]\n", &format!("[expect]\n{key}\n"), 1);
            Scenario::from_toml("test", &text)
        };
        let scenario = with(r#"fixed = "sndbuf-auto""#).unwrap();
        assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()), Ok(scenario));
        assert!(with(r#"fixed = "lan-default""#).is_err(), "no ratio to it");
        assert!(with(r#"fix = ["remove-sndbuf"]"#).is_err(), "no such fix");
        let none = with("fix = []").unwrap();
        assert_eq!(none.expect.fix, Some(vec![]));
        assert_eq!(Scenario::from_toml("test", &none.to_toml().unwrap()), Ok(none));
    }

    #[test]
    fn a_known_wrong_answer_is_not_a_right_one() {
        let text = bundled::text("sndbuf-16k").unwrap();
        let with = |says: &str| {
            let wrong = format!("[expect]\nknown_wrong = [{{ end = \"receiver\", says = [{says}], why = \"x\" }}]\n");
            Scenario::from_toml("test", &text.replacen("[expect]\n", &wrong, 1))
        };
        let scenario = with("\"path\"").unwrap();
        assert_eq!(
            scenario.expect.known_wrong(End::Receiver).map(|said| said.to_string()).collect::<Vec<_>>(),
            ["path"]
        );
        assert_eq!(scenario.expect.known_wrong(End::Sender).count(), 0);
        assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()), Ok(scenario));
        assert!(with("\"send_buffer\"").is_err() && with("").is_err());
    }

    #[test]
    fn counters_have_the_names_of_nstat() {
        let text = bundled::text("sndbuf-16k").unwrap();
        let with = |counters: &str| {
            let text = text.replacen("[expect]\n", &format!("[expect]\ncounters = {counters}\n"), 1);
            Scenario::from_toml("test", &text)
        };
        let scenario = with(r#"{ receiver = ["TcpExtPruneCalled"] }"#).unwrap();
        assert_eq!(scenario.expect.counters.at(End::Receiver), ["TcpExtPruneCalled"]);
        assert_eq!(scenario.expect.counters.at(End::Sender), [""; 0]);
        assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()), Ok(scenario));
        for wrong in
            [r#"{ receiver = ["PruneCalled"] }"#, r#"{ sender = ["nonsense"] }"#, r#"{ path = ["TcpInSegs"] }"#]
        {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }
}
