//! The SYN offered scaling and SACK but no timestamps, and the SYN-ACK has only an MSS. A Linux server whose
//! SYN queue overflowed answers like this.
//!
//! A SYN cookie has no room for these options. Linux keeps them in the timestamp if the client sends one, and
//! otherwise clears them (`tcp_conn_request` calls `tcp_clear_options`, Linux 6.18). A server with the
//! options turned off, or a device that strips them, looks the same; only the server's counters distinguish
//! these.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "syn-cookies-without-scaling",
    limits: &[],
    severity: Severity::Info,
    detect: Detect::Connection(detect),
};

/// A server that never scales windows looks the same.
const CONFIDENCE: f64 = 0.5;

/// Minimum bytes. Less data fits the window anyway.
const LEAST_BYTES: u64 = 65_535;

/// The MSS of the SYN-ACK, if it looks like a cookie's.
pub(super) fn mss_of_cookie(facts: &ConnectionFacts<'_>) -> Option<u16> {
    let client = facts.initiator?;
    let syn = facts.syn_facts[client.index()]?;
    let answer = facts.syn_facts[client.peer().index()]?;
    let has_offered = syn.window_scale.is_some() && syn.has_sack && !syn.has_timestamps;
    let is_bare = answer.window_scale.is_none() && !answer.has_sack && !answer.has_timestamps;
    answer.mss.filter(|_| has_offered && is_bare)
}

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let mss = mss_of_cookie(facts)?;
    if facts.bytes.iter().all(|&b| b < LEAST_BYTES) {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::MssBytes, u64::from(mss)));
    finding.fixes = vec![tcpwhy_advice::raise_backlog(), tcpwhy_advice::enable_client_timestamps()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::Transfer;

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn answered_barely(has_timestamps: bool) -> Vec<tcpwhy_model::Segment> {
        let mut all = Transfer { has_timestamps: false, window_scale: Some(0), ..Transfer::default() }.run();
        all[0].options.timestamps = has_timestamps.then(Default::default);
        all[1].options.window_scale = None;
        all[1].options.sack_permitted = false;
        all
    }

    #[test]
    fn an_answer_with_nothing_but_an_mss() {
        assert!((number(&fires(RULE.id, &answered_barely(false)), "mss_bytes") - 1448.0).abs() < 0.1);
    }

    #[test]
    fn a_client_with_timestamps_would_have_kept_the_scale() {
        is_silent(RULE.id, &answered_barely(true));
        is_silent(RULE.id, &Transfer::default().run());
    }
}
