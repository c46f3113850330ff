//! What is unusual about the captures of a recording: where, from when until when, by which clock.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;

use super::refusal::{Checked, Refusal};
use super::{End, Nanos, Share};

/// The captures of a recording. Times count from the first frame of the transfer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CaptureSpec {
    /// Captures begin then, in mid-connection and without its SYN.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0")))]
    pub begin: Option<Nanos>,
    /// Captures end then, while the connection goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "after `begin`")))]
    pub end: Option<Nanos>,
    /// Somebody sets the clock of the capturing hosts, in order of time.
    #[serde(rename = "step", skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ClockStep>,
    /// Packets that the captures contain twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<Copies>,
    /// Where `middle.pcapng` is taken; half way without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tap: Option<Tap>,
}

/// The wall clock of the captures is set once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClockStep {
    /// When.
    pub at: Nanos,
    /// Which way.
    pub set: ClockSetting,
    /// How far.
    #[cfg_attr(test, schemars(extend("x-range" = "more than 0 to 1h")))]
    pub by: Nanos,
}

/// Which way a clock is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockSetting {
    /// The clock was slow.
    Forward,
    /// The clock was fast.
    Back,
}

/// A capture point sees packets twice: a router on the same wire forwards them, or a mirror port copies them.
/// No end receives the copies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Copies {
    /// Chance of each packet to be there twice.
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub share: Share,
    /// Time between a packet and its copy.
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 1s")))]
    pub after: Nanos,
    /// Routers between them: so much is taken from the TTL (or hop limit). 0 is a mirror port.
    #[cfg_attr(test, schemars(extend("x-range" = "0 to 63")))]
    pub hops: u8,
}

impl Default for Copies {
    /// A router of one's own network takes some tens of microseconds.
    fn default() -> Self {
        Self { share: Share(1.0), after: Nanos(30_000), hops: 1 }
    }
}

/// A place on the path, behind the bottleneck of either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tap {
    /// Measured from this end.
    pub from: End,
    /// One-way propagation to that end; where a direction delays by less, its whole delay.
    pub delay: Nanos,
}

/// Nobody lets a wrong clock be for longer; a run takes an hour at most.
const LARGEST_STEP: Nanos = Nanos::from_secs(3600);
/// Copies that come later are retransmissions of somebody.
const LATEST_COPY: Nanos = Nanos::from_secs(1);
/// Linux sends packets with a TTL of 64.
const MOST_HOPS: u8 = 63;

impl CaptureSpec {
    /// Whether nothing is unusual.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the captures of the two ends are as they were taken.
    pub fn is_whole(&self) -> bool {
        Self { tap: None, ..self.clone() }.is_usual()
    }

    pub(super) fn check(&self, ip_version: u8) -> Checked {
        if self.begin == Some(Nanos(0)) {
            return Err(Refusal::of("begin", Message::new("scenario-capture-begin")));
        }
        if self.end.is_some_and(|end| end <= self.begin.unwrap_or_default()) {
            return Err(Refusal::of("end", Message::new("scenario-capture-end")));
        }
        if !self.steps.is_sorted_by_key(|step| step.at) {
            return Err(Refusal::of("step", Message::new("scenario-steps-out-of-order")));
        }
        let largest = Nanos(1)..=LARGEST_STEP;
        if let Some((index, step)) = self.steps.iter().enumerate().find(|(_, step)| !largest.contains(&step.by)) {
            let why =
                Message::new("scenario-step").with("most", LARGEST_STEP.to_string()).with("by", step.by.to_string());
            return Err(Refusal::of("by", why).within(&index.to_string()).within("step"));
        }
        let Some(copies) = self.copies else { return Ok(()) };
        if copies.after > LATEST_COPY {
            let why = Message::new("scenario-copies")
                .with("most", LATEST_COPY.to_string())
                .with("after", copies.after.to_string());
            return Err(Refusal::of("after", why).within("copies"));
        }
        if copies.hops > MOST_HOPS {
            let why = Message::new("scenario-hops").with("most", MOST_HOPS).with("hops", copies.hops);
            return Err(Refusal::of("hops", why).within("copies"));
        }
        // IPv6 has no number by which a copy is known.
        if ip_version == 6 {
            return Err(Refusal::of("copies", Message::new("scenario-copies-ipv6")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Scenario;

    fn with(capture: &str) -> Result<Scenario, String> {
        let text = format!("[capture]\n{capture}\n[work.stream]\nphases = [{{ bytes = \"1MB\" }}]\n");
        Scenario::from_toml("test", &text).map_err(|why| why.to_string())
    }

    #[test]
    fn what_is_written_reads_back() {
        let all = "begin = \"1s\"\nend = \"2s\"\nstep = [{ at = \"1.2s\", set = \"back\", by = \"800ms\" }]\n\
                   copies = { share = \"50%\", hops = 0 }\ntap = { from = \"receiver\", delay = \"3ms\" }";
        let scenario = with(all).unwrap();
        assert!(!scenario.capture.is_usual() && !scenario.capture.is_whole());
        assert_eq!(Scenario::from_toml("test", &scenario.to_toml().unwrap()).as_ref(), Ok(&scenario));
        let tapped = with("tap = { from = \"sender\", delay = \"3ms\" }").unwrap();
        assert!(!tapped.capture.is_usual() && tapped.capture.is_whole());
    }

    #[test]
    fn impossible_captures_are_refused_at_their_key() {
        for (text, key) in [
            ("begin = \"0s\"", "capture.begin"),
            ("begin = \"2s\"\nend = \"2s\"", "capture.end"),
            ("end = \"0s\"", "capture.end"),
            ("step = [{ at = \"1s\", set = \"back\", by = \"0s\" }]", "capture.step[0].by"),
            ("step = [{ at = \"1s\", set = \"back\", by = \"2h\" }]", "step"),
            (
                "step = [{ at = \"2s\", set = \"back\", by = \"1s\" }, { at = \"1s\", set = \"back\", by = \"1s\" }]",
                "capture.step",
            ),
            ("copies = { after = \"2s\" }", "capture.copies.after"),
            ("copies = { hops = 64 }", "capture.copies.hops"),
        ] {
            let why = with(text).unwrap_err();
            assert!(why.contains(key), "{text}: {why}");
        }
    }
}
