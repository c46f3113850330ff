//! The receiver advertised a zero window, its ACKs no longer arrived, and the sender gave up.
//!
//! Answered probes continue without end; unanswered ones count towards `net.ipv4.tcp_retries2`
//! (`tcp_probe_timer`, Linux 6.18). When the receiver has room again, its window update finds no connection
//! and is answered with RST. A capture at the sender shows the unanswered probes; one at the receiver only
//! the RST after the update. A receiver that exits with a full buffer resets the connection itself.

use tcpwhy_model::{EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;
use crate::thresholds::BLACKOUT_TIME;

pub(super) static RULE: Rule = Rule {
    id: "zero-window-death",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A path that is down looks the same.
const CONFIDENCE: f64 = 0.85;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let is_over = matches!(facts.ending, Ending::Reset(_) | Ending::Open);
    let silence = facts.blackout.filter(|b| b.is_window_closed && is_over);
    if silence.is_none() && !(facts.has_died_in_closed_window && facts.half.zero_window_longest >= BLACKOUT_TIME.get())
    {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(facts.seconds_of(Limit::ReceiveWindow));
    if let Some(silence) = silence {
        finding.evidence.push(exact(EvidenceKey::ProbeCount, u64::from(silence.packets)));
        finding.evidence.push(exact(EvidenceKey::SilenceUs, silence.nanos / 1000));
    }
    finding.evidence.push(exact(EvidenceKey::StallCount, facts.half.zero_window_stalls));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, facts.half.zero_window_longest / 1000));
    // A firewall matters only if probes remained unanswered.
    let firewall = silence.map(|_| tcpwhy_advice::check_firewall());
    finding.fixes = vec![tcpwhy_advice::profile_receiver()];
    finding.fixes.extend(firewall.into_iter().chain([tcpwhy_advice::find_reset()]));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const CLOSED: &str = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 2920 <mss 1460>
        +0.000 > . 1:1(0) ack 1
        +0.001 > P. 1:1461(1460) ack 1
        +0.000 > P. 1461:2921(1460) ack 1
         0.042 < . 1:1(0) ack 2921 win 0
    ";

    #[test]
    fn probes_without_answer() {
        let text = format!(
            "{CLOSED}
             0.300 > . 2920:2920(0) ack 1
             0.750 > . 2920:2920(0) ack 1
             1.600 > . 2920:2920(0) ack 1
             3.300 > . 2920:2920(0) ack 1
             9.000 < . 1:1(0) ack 2921 win 2920
             9.001 > R 2921:2921(0)"
        );
        let finding = fires(RULE.id, &script(&text).segments);
        assert!((number(&finding, "probe_count") - 4.0).abs() < 0.1);
        assert!((number(&finding, "silence_us") - 8.7e6).abs() < 1e5, "{finding:?}");
    }

    #[test]
    fn at_the_receiver_only_the_reset_tells() {
        let text = format!(
            "{CLOSED}
             0.300 > . 2920:2920(0) ack 1
             0.301 < . 1:1(0) ack 2921 win 0
             0.750 > . 2920:2920(0) ack 1
             0.751 < . 1:1(0) ack 2921 win 0
             9.000 < . 1:1(0) ack 2921 win 2920
             9.020 > R 2921:2921(0)"
        );
        fires(RULE.id, &script(&text).segments);
    }

    #[test]
    fn a_window_that_opens_in_time() {
        let text = format!(
            "{CLOSED}
             0.300 > . 2920:2920(0) ack 1
             0.320 < . 1:1(0) ack 2921 win 0
             2.000 < . 1:1(0) ack 2921 win 2920
             2.001 > P. 2921:4381(1460) ack 1
             2.022 < . 1:1(0) ack 4381 win 2920
             2.030 > R 4381:4381(0)"
        );
        is_silent(RULE.id, &script(&text).segments);
    }
}
