//! All findings about a direction, a connection, or the connections of two hosts.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use super::evidence::inferred;
use super::facts::{ConnectionFacts, HalfFacts};
use super::neighbour_facts::NeighbourFacts;
use super::pair_facts::PairFacts;
use super::rule::Detect;
use super::rule::Rule;
use super::rules::{RULES, accept_queue_overflow, retransmission_timeouts, syn_meets_old_connection, syn_retries};
use super::socket_rules::limits_of;
use crate::outcome::{Connection, HalfConnection, Verdict};

/// All findings about a direction: those that explain the verdict first, then by severity and cost.
pub(crate) fn diagnose_half(facts: &HalfFacts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES
        .iter()
        .filter_map(|rule| {
            let detect = match rule.detect {
                Detect::Half(detect) => detect,
                Detect::Requests(of) if !facts.has_exchanges => of.half?,
                Detect::Requests(_) | Detect::Connection(_) | Detect::Pair(_) | Detect::Neighbours(_) => return None,
            };
            detect(facts)
        })
        .collect();
    order_findings(&mut findings, facts.verdict);
    let first = findings.first_mut().filter(|finding| explains(finding, facts.verdict));
    if let (Some(finding), Some((limit, decider))) = (first, facts.verdict.alternative) {
        finding.evidence.push(inferred(EvidenceKey::AlternativeLimit, Value::Word(limit.id().into())));
        finding.evidence.push(inferred(EvidenceKey::WouldDecide, Value::Word(decider.id().into())));
    }
    if facts.verdict.severity.is_none() {
        // Nothing limited the direction, so the fix of a mere note would not make it faster.
        for finding in findings.iter_mut().filter(|f| f.severity == Severity::Info) {
            finding.prediction = None;
        }
    }
    findings
}

/// Orders findings about a direction: those that explain `verdict` first, then by severity and cost.
pub fn order_findings(findings: &mut [Finding], verdict: &Verdict) {
    let cost = |f: &Finding| f.seconds.unwrap_or(0.0);
    findings.sort_by(|a, b| {
        let explain = explains(b, verdict).cmp(&explains(a, verdict));
        explain.then(b.severity.cmp(&a.severity)).then(cost(b).total_cmp(&cost(a)))
    });
}

/// Whether the rule of `finding` is about the cause of `verdict`.
pub fn explains(finding: &Finding, verdict: &Verdict) -> bool {
    verdict.cause.is_some_and(|cause| limits_of(finding.rule).contains(&cause.limit))
}

/// Severity of the verdict, at least that of the findings that explain it. Time that nothing limited may
/// still contain a pattern worth changing.
pub fn severity_of(verdict: &Verdict, findings: &[Finding]) -> Option<Severity> {
    let is_grave = |f: &&Finding| f.severity > Severity::Info && explains(f, verdict);
    findings.iter().filter(is_grave).map(|f| Some(f.severity)).fold(verdict.severity, Option::max)
}

/// All findings about a connection as a whole, most severe first.
pub(crate) fn diagnose_connection(facts: &ConnectionFacts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES
        .iter()
        .filter_map(|rule| match rule.detect {
            Detect::Connection(detect) => detect(facts),
            Detect::Requests(of) => {
                of.exchanges?(facts, facts.exchanges.filter(|exchanges| exchanges.is_request_response())?)
            }
            Detect::Half(_) | Detect::Pair(_) | Detect::Neighbours(_) => None,
        })
        .collect();
    findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
    // A capture may contain a million unanswered connections with one finding each.
    findings.shrink_to_fit();
    for finding in &mut findings {
        finding.evidence.shrink_to_fit();
    }
    findings
}

/// Findings about a connection that explain a finding about one of its directions, which then has the same
/// fixes. For example, if a full accept queue dropped the client's first segment, the search for a lossy hop
/// is pointless. In the last column is whether only the client's direction is explained.
const EXPLAINING: [(&Rule, &Rule, bool); 2] = [
    (&accept_queue_overflow::RULE, &retransmission_timeouts::RULE, true),
    (&syn_meets_old_connection::RULE, &syn_retries::RULE, false),
];

/// Copies the fixes of an explaining finding to the findings about directions of `connection` that it
/// explains.
pub(crate) fn take_over(connection: &mut Connection) {
    for (whole, part, is_of_client) in EXPLAINING {
        let Some(found) = connection.findings.iter().find(|finding| finding.rule == whole.id) else { continue };
        let fixes = found.fixes.clone();
        let is_explained = |half: &&mut HalfConnection| !is_of_client || Some(half.sender) == connection.initiator;
        for half in connection.halves.iter_mut().filter(is_explained) {
            for finding in half.findings.iter_mut().filter(|finding| finding.rule == part.id) {
                finding.fixes.clone_from(&fixes);
            }
        }
    }
}

/// All findings about the connections of one client to one server.
pub(crate) fn diagnose_pair(facts: &PairFacts) -> impl Iterator<Item = Finding> {
    RULES.iter().filter_map(|rule| match rule.detect {
        Detect::Pair(detect) => detect(facts),
        Detect::Half(_) | Detect::Requests(_) | Detect::Connection(_) | Detect::Neighbours(_) => None,
    })
}

/// The finding about other users of the path of a transfer.
pub(crate) fn diagnose_neighbours(facts: &NeighbourFacts) -> Option<Finding> {
    RULES.iter().find_map(|rule| match rule.detect {
        Detect::Neighbours(detect) => detect(facts),
        Detect::Half(_) | Detect::Requests(_) | Detect::Connection(_) | Detect::Pair(_) => None,
    })
}
