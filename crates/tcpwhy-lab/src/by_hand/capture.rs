//! The parts of a capture specification that tcpdump cannot do.

use std::fmt::Write as _;

use super::script::line;
use tcpwhy_scenario::{CaptureSpec, ClockSetting, Copies, Tap};

/// Lists what tcpdump cannot do: the lab derives it from complete captures.
pub(super) fn missing(out: &mut String, spec: &CaptureSpec) {
    let mut missing = Vec::new();
    if let Some(begin) = spec.begin {
        missing.push(format!("captures begin {begin} after the first frame (editcap -A)"));
    }
    if let Some(end) = spec.end {
        missing.push(format!("captures end {end} after the first frame (editcap -B)"));
    }
    for step in &spec.steps {
        let way = if step.set == ClockSetting::Forward { "forward" } else { "back" };
        missing.push(format!("{} after the first frame the clock is set {way} by {}", step.at, step.by));
    }
    if let Some(Copies { share, after, hops }) = spec.copies {
        missing.push(format!("{share} of the packets pass again {after} later with a TTL of {hops} less"));
    }
    if let Some(Tap { from, delay }) = spec.tap {
        missing.push(format!("a third capture is taken {delay} from the {from}"));
    }
    for what in missing {
        line!(out, "# tcpdump cannot do this, `tcpwhy lab run` does: {what}");
    }
}
