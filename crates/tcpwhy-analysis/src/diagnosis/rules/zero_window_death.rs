//! The receiver closed its window, its ACKs no longer arrived, and the sender gave up.
//!
//! Answered probes go on without end; unanswered ones count against `net.ipv4.tcp_retries2` (`tcp_probe_timer`, Linux 6.18).
//! When the receiver has room again, its window update finds no connection and is answered with a reset. At the sender the
//! unanswered probes show; at the receiver only the reset that follows the update does.

use tcpwhy_model::{Finding, Limit, Severity};

use crate::diagnosis::facts::{Blackout, HalfFacts, exact, inferred, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Ending;

pub(super) static RULE: Rule = Rule {
    id: "zero-window-death",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let is_over = matches!(facts.ending, Ending::Reset(_) | Ending::Open);
    let silence = facts.blackout.filter(|b| b.is_window_closed && is_over);
    if silence.is_none() && !(facts.has_died_in_closed_window && facts.zero_window_longest >= Blackout::LEAST_NANOS) {
        return None;
    }
    let mut finding = note(&RULE, 0.85);
    finding.seconds = Some(facts.seconds_of(Limit::ReceiveWindow));
    if let Some(silence) = silence {
        finding.evidence.push(exact("probe_count", u64::from(silence.packets)));
        finding.evidence.push(exact("silence_us", silence.nanos / 1000));
    }
    finding.evidence.push(exact("stall_count", facts.zero_window_stalls));
    finding.evidence.push(inferred("longest_us", facts.zero_window_longest / 1000));
    finding.fixes = vec![advice::profile_receiver(), advice::check_firewall(), advice::find_reset()];
    Some(finding)
}
