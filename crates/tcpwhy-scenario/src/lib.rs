//! What is imposed on a transfer, as `scenarios/*.toml` say it.
//!
//! A [`Scenario`] describes a path, buffers, settings, what two programs do, and the limit that must result:
//!
//! ```
//! let scenario = tcpwhy_scenario::bundled::get("sndbuf-16k").expect("it is bundled");
//! assert!(scenario.sender.sndbuf.is_some());
//! ```
//!
//! **Promises:** what can be read can be run: [`Scenario::from_toml`] refuses everything else with its line.
//! One seed gives one random scenario.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

pub mod bundled;

mod allowance;
mod call_size;
mod calls;
mod capture;
mod credit;
mod end;
mod ending;
mod expect;
mod expected_fix;
mod link;
mod pace;
mod powers;
mod quantity;
mod random;
mod reference;
mod refusal;
mod setting;
pub mod splitmix;
mod story;
pub mod sysctl;
mod talk;
mod work;
mod writing;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tcpwhy_model::foreign::{is_hidden, visible};
use tcpwhy_model::{Message, MessageValue};

use crate::sysctl::is_machine_wide;

pub use allowance::{Allowance, CONNECTION, Tag, Ungranted};
pub use calls::{Calls, Reader, Varies, Waits, Writer};
pub use capture::{CaptureSpec, ClockSetting, ClockStep, Copies, Tap};
pub use credit::Credit;
pub use end::{Chooser, End, EndSpec};
pub use ending::{Ending, Goodbye, Reset, Unanswered};
pub use expect::{Expectation, Expected, ExpectedCounters, ExpectedOutcome, KnownWrong, Ratio};
pub use expected_fix::ExpectedFix;
pub use link::{Burst, Change, DirectionSpec, Flow, LinkKind, LinkSpec, Merged, Policer};
pub use pace::{Draws, Pace};
pub use powers::{Powers, Script};
use refusal::{Checked, Place, Refusal, place};

pub use quantity::{BitRate, Bytes, Nanos, Share};
pub use random::{random, random_talk};
pub use reference::{NEW, Phrase, SCHEMA, reference};
pub use story::{Reported, Story, Words};
pub use talk::{Part, Role, Talk, TalkKind, Utterance};
pub use work::{Application, Phase, Program, Stream, Turns, Work};
pub use work::{END_OF_SCRIPT, Service};
pub use writing::Writing;

/// One transfer whose cause is imposed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Kebab-case; the stem of its file.
    #[serde(default)]
    pub name: String,
    /// What happened to whom; a file of one's own may have none.
    #[serde(default)]
    pub story: Story,
    /// What it must show as; one that expects nothing is run and explained, and not judged.
    #[serde(default)]
    pub expect: Expectation,
    /// The path between the two ends.
    #[serde(default)]
    pub link: LinkSpec,
    /// The end that sends the data in question.
    #[serde(default)]
    pub sender: EndSpec,
    /// The end that receives it.
    #[serde(default)]
    pub receiver: EndSpec,
    /// What is unusual about the captures; without it both ends and the middle are captured as a whole.
    #[serde(default, skip_serializing_if = "CaptureSpec::is_usual")]
    pub capture: CaptureSpec,
    /// What the two programs do.
    pub work: Work,
    /// 4 or 6.
    #[serde(default = "four")]
    #[cfg_attr(test, schemars(extend("x-range" = "4 or 6")))]
    pub ip_version: u8,
    /// Bytes of an IP packet that the interfaces carry at most.
    #[serde(default = "ethernet_mtu")]
    #[cfg_attr(test, schemars(extend("x-range" = "552 (IPv6: 1280) to 65535")))]
    pub mtu: u32,
    /// Of everything random: the same seed gives the same losses of the same frames.
    #[serde(default = "one")]
    pub seed: u64,
    /// The run is ended after this, whatever it has come to.
    #[serde(default = "deadline")]
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0 to 1h")))]
    pub deadline: Nanos,
}

/// What IPv4 and IPv6 allow, and the devices of the lab.
const MTU_RANGE: [std::ops::RangeInclusive<u32>; 2] = [552..=65_535, 1280..=65_535];

/// Samples of an hour take half a gigabyte of memory.
const LONGEST_RUN: Nanos = Nanos::from_secs(3600);

const fn four() -> u8 {
    4
}

const fn ethernet_mtu() -> u32 {
    1500
}

const fn one() -> u64 {
    1
}

const fn deadline() -> Nanos {
    Nanos::from_secs(30)
}

impl Scenario {
    /// Reads a scenario from TOML and checks it; `name` is the stem of its file.
    ///
    /// # Errors
    /// One sentence with the line, for whoever wrote the file.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, Message> {
        let read = || {
            let mut scenario: Self = toml::from_str(text).map_err(|error| with_line(&error, text))?;
            scenario.name = one_line(name);
            scenario.check().map_err(|refusal| match refusal.line(text) {
                Some(line) => in_line(line, Message::from(refusal)),
                None => refusal.into(),
            })?;
            Ok(scenario)
        };
        read().map_err(|error: Message| {
            let whole = Message::new("at").with("place", format!("{name}.toml")).with("what", error);
            whole.with_texts(&|text| shortened(one_line(text)))
        })
    }

    /// The scenario as a file.
    ///
    /// # Errors
    /// A quantity that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, Message> {
        let refused = |error: toml::ser::Error| {
            Message::new("at").with("place", self.name.as_str()).with("what", MessageValue::reread(&error.to_string()))
        };
        toml::to_string(self).map_err(refused)
    }

    /// What serde cannot check.
    fn check(&self) -> Checked {
        check_name(&self.name).map_err(|why| Refusal::of("", why))?;
        if !matches!(self.ip_version, 4 | 6) {
            return Err(Refusal::of(
                "ip_version",
                Message::new("scenario-ip-version").with("version", self.ip_version),
            ));
        }
        let mtus = MTU_RANGE[usize::from(self.ip_version == 6)].clone();
        if !mtus.contains(&self.mtu) {
            let why = Message::new("scenario-mtu")
                .with("mtu", self.mtu)
                .with("least", *mtus.start())
                .with("most", *mtus.end());
            return Err(Refusal::of("mtu", why));
        }
        if self.deadline.0 == 0 {
            return Err(Refusal::of("deadline", Message::new("scenario-deadline-of-0")));
        }
        if self.deadline > LONGEST_RUN {
            let why = Message::new("scenario-deadline")
                .with("most", LONGEST_RUN.to_string())
                .with("deadline", self.deadline.to_string());
            return Err(Refusal::of("deadline", why));
        }
        self.story.check().map_err(|why| Refusal::of("story", why))?;
        self.expect.check().map_err(|why| Refusal::of("expect", why))?;
        self.link.check(self.mtu).map_err(|refusal| refusal.within("link"))?;
        for end in End::BOTH {
            self.end(end).check().map_err(|refusal| refusal.within(&end.to_string()))?;
        }
        for (name, value) in machine_wide(&self.sender) {
            if self.receiver.sysctl.get(name).is_some_and(|other| other != value) {
                let why = Message::new("scenario-machine");
                return Err(Refusal::of(name, why).within("sysctl").within("receiver"));
            }
        }
        self.capture.check(self.ip_version).map_err(|refusal| refusal.within("capture"))?;
        self.work.check().map_err(|refusal| refusal.within("work"))
    }

    /// Settings that are the whole machine's, of both ends together.
    pub fn machine_wide(&self) -> BTreeMap<&str, &str> {
        machine_wide(&self.sender).chain(machine_wide(&self.receiver)).collect()
    }

    /// What is asked of one end.
    pub fn end(&self, end: End) -> &EndSpec {
        match end {
            End::Sender => &self.sender,
            End::Receiver => &self.receiver,
        }
    }
}

fn machine_wide(end: &EndSpec) -> impl Iterator<Item = (&str, &str)> {
    let all = end.sysctl.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    all.filter(|(name, _)| is_machine_wide(name))
}

/// The message with its line and the words that it is about; toml's own shows them below each other.
fn with_line(error: &toml::de::Error, text: &str) -> Message {
    const LONGEST: usize = 60;
    let message = match MessageValue::reread(error.message()) {
        MessageValue::Message(message) => message,
        MessageValue::Text(text) => Message::new("other").with("what", in_words_of_toml(&text)),
    };
    let Some(span) = error.span() else { return message };
    let line = text.get(..span.start).unwrap_or(text).matches('\n').count() + 1;
    let place = place(text, &span).filter(|place| place.key.len() <= 2 * LONGEST);
    let words = text
        .get(span)
        .filter(|words| !words.is_empty() && words.len() <= LONGEST && !words.contains('\n'))
        .filter(|words| place.is_none() || !words.starts_with('{'));
    let at = |place: &str, what| Message::new("at").with("place", place).with("what", what);
    let message = match words {
        Some(words) if place.as_ref().is_none_or(|place| !place.is_key) => at(words, message),
        _ => message,
    };
    let message = match place {
        Some(Place { key, .. }) => at(&key, message),
        None => message,
    };
    in_line(line, message)
}

fn in_line(line: usize, what: Message) -> Message {
    Message::new("line").with("line", line).with("what", what)
}

/// What serde expects by the names of Rust's types, as TOML calls it.
fn in_words_of_toml(message: &str) -> String {
    let Some((before, expected)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    let expected = match expected {
        "a sequence" => "an array",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more, that fits",
        "i64" => "a whole number",
        "f64" => "a number",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{before}, expected {expected}")
}

/// Bytes of a name. Files and folders are called like it with more behind it, and have 255.
const LONGEST_NAME: usize = 200;

/// A name is one of a file: it leads nowhere else.
fn check_name(name: &str) -> Result<(), Message> {
    if name.is_empty() || name.len() > LONGEST_NAME || name.starts_with('.') || name.contains(['/', '\\']) {
        return Err(Message::new("scenario-name"));
    }
    if name.contains(is_hidden) {
        return Err(Message::new("scenario-hidden-name"));
    }
    Ok(())
}

/// A refusal without the middle of a key or value that is longer than people write: what is wrong with it is
/// before and after.
fn shortened(refusal: String) -> String {
    const KEPT: usize = 150;
    let len = refusal.chars().count();
    if len <= 2 * KEPT {
        return refusal;
    }
    refusal.chars().take(KEPT).chain(['…']).chain(refusal.chars().skip(len - KEPT)).collect()
}

/// Nothing in it moves the cursor or ends a comment.
pub fn one_line(text: &str) -> String {
    visible(text).into_owned()
}
