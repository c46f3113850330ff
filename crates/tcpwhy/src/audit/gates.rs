//! `audit --fail-on`: a severity or a rule as a condition.

use tcpwhy_audit::{Check, HostFacts, Need, checks};
use tcpwhy_model::Finding;
use tcpwhy_model::host::Gap;
use tcpwhy_report::{Args, Wording};

use super::args::FindingGate;
use crate::gates::GateResult;
use crate::message;

/// The result of `gates`. Prints the findings that tripped each, and for the others the missing data on which
/// they depend.
pub(super) fn conclude(
    gates: &[FindingGate],
    findings: &[Finding],
    facts: &HostFacts<'_>,
    wording: Wording<'_>,
) -> GateResult {
    let mut result = if gates.is_empty() { GateResult::NotAsked } else { GateResult::Passed };
    for gate in gates {
        let mut hits = findings.iter().filter(|finding| gate.is_hit_by(finding));
        let sentence = if let Some(gravest) = hits.next() {
            result = GateResult::Tripped;
            tripped(gate, gravest, hits.count(), wording)
        } else {
            let Some(sentence) = unchecked(gate, facts, wording) else { continue };
            if result == GateResult::Passed {
                result = GateResult::NothingMeasured;
            }
            sentence
        };
        message::say(sentence);
    }
    result
}

/// The message about the findings that tripped `gate`.
fn tripped(gate: &FindingGate, gravest: &Finding, more: usize, wording: Wording<'_>) -> String {
    let args = Args::new()
        .text("gate", gate.id())
        .text("title", wording.rule_title(gravest.rule))
        .text("rule", gravest.rule)
        .text("severity", wording.severity(gravest.severity))
        .number("more", more as u64);
    wording.catalogue().text("gate-finding", &args)
}

/// The data that checks of `gate` lacked, if any.
fn unchecked(gate: &FindingGate, facts: &HostFacts<'_>, wording: Wording<'_>) -> Option<String> {
    let catalogue = wording.catalogue();
    let is_of_gate = |check: &&Check| gate.may_be_hit_by(check);
    let mut lacking: Vec<Need> = checks().filter(is_of_gate).flat_map(|check| check.lacking(facts)).collect();
    let args = Args::new().text("gate", gate.id());
    if matches!(gate, FindingGate::Rule(_)) && lacking.contains(&Need::Path) {
        return Some(catalogue.text("gate-needs-path", &args));
    }
    // Unread data beyond a bound may concern any check, and so may sockets of unseen namespaces.
    lacking
        .extend([Gap::Rest, Gap::Namespaces].into_iter().filter(|gap| facts.host.gaps.contains(gap)).map(Need::Part));
    let mut parts: Vec<&str> = Vec::new();
    for need in lacking {
        match need {
            Need::Part(gap) if !parts.contains(&gap.id()) => parts.push(gap.id()),
            Need::Part(_) | Need::Path => {}
        }
    }
    let is_missing = !parts.is_empty();
    is_missing.then(|| catalogue.text("gate-not-read", &args.text("parts", parts.join(", "))))
}
