//! The SYN offered scaling and SACK but no timestamps, and the SYN-ACK has nothing but an MSS: so answers a Linux server whose
//! SYN queue overflowed.
//!
//! A SYN cookie has no room for these options; Linux keeps them in the timestamp if the client sends one, and otherwise clears
//! them (`tcp_conn_request` calls `tcp_clear_options`, Linux 6.18). A server with the options turned off, or a device that
//! strips them, answers alike: only the server's counters tell.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{ConnectionFacts, exact, note};
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "syn-cookies-without-scaling",
    limits: &[],
    severity: Severity::Warning,
    detect: Detect::Connection(detect),
};

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
    let mut finding = note(&RULE, 0.5);
    finding.evidence.push(exact("mss_bytes", u64::from(mss)));
    finding.fixes = vec![advice::raise_backlog(), advice::enable_client_timestamps()];
    Some(finding)
}
