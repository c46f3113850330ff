//! What is imposed on a transfer, as `scenarios/*.toml` say it.

pub mod bundled;
mod by_hand;

mod end;
mod expect;
mod link;
mod quantity;
mod random;
mod story;
mod work;

use serde::{Deserialize, Serialize};

pub use by_hand::by_hand;
pub use end::{End, EndSpec};
pub use expect::{Expectation, Expected, ExpectedCounters, Ratio};
pub use link::{Burst, Change, DirectionSpec, Flow, LinkKind, LinkSpec, Policer};
pub use quantity::{BitRate, Bytes, Nanos, Share};
pub use random::{MARGIN, RandomCause, random};
pub use story::{Reported, Story, Words};
pub use work::{Application, Phase, Program, Reader, Stream, Turns, Work, Writer};

/// One transfer whose cause is imposed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Kebab-case; the stem of its file.
    #[serde(default)]
    pub name: String,
    /// What happened to whom.
    pub story: Story,
    /// What it must show as.
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
    /// What the two programs do.
    pub work: Work,
    /// 4 or 6.
    #[serde(default = "four")]
    pub ip_version: u8,
    /// Bytes of an IP packet that the interfaces carry at most.
    #[serde(default = "ethernet_mtu")]
    pub mtu: u32,
    /// Of everything random: the same seed gives the same losses of the same frames.
    #[serde(default = "one")]
    pub seed: u64,
    /// The run is ended after this, whatever it has come to.
    #[serde(default = "deadline")]
    pub deadline: Nanos,
}

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
    pub fn from_toml(name: &str, text: &str) -> Result<Self, String> {
        let mut scenario: Self = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        name.clone_into(&mut scenario.name);
        scenario.check().map_err(|error| format!("{name}: {error}"))?;
        Ok(scenario)
    }

    /// The scenario as a file.
    ///
    /// # Errors
    /// A quantity that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| format!("{}: {error}", self.name))
    }

    /// What serde cannot check.
    fn check(&self) -> Result<(), String> {
        if !matches!(self.ip_version, 4 | 6) {
            return Err(format!("ip_version is 4 or 6, not {}", self.ip_version));
        }
        if !(if self.ip_version == 6 { 1280..=65_535 } else { 552..=65_535 }).contains(&self.mtu) {
            return Err(format!("an MTU of {} is out of range", self.mtu));
        }
        self.expect.counters.check()?;
        self.link.check()?;
        self.work.check()
    }

    /// What is asked of one end.
    pub fn end(&self, end: End) -> &EndSpec {
        match end {
            End::Sender => &self.sender,
            End::Receiver => &self.receiver,
        }
    }
}
