//! Other traffic to the same host, or from it, took a share of the bytes while the path limited a transfer.
//!
//! The rule compares flows of one capture: bytes of IP packets during the time that the transfer lost to
//! losses or a queue (`together/neighbours.rs`). Flows to one host share its last link. Only their rates can
//! show that this link is the bottleneck. Either all flows together reach the rate that trains of segments
//! show, or the transfer's rate falls whenever the others' rises. Flows from one host to others share its
//! first link, and are named only with that evidence.

use tcpwhy_model::{EvidenceKey, Finding, Severity, Value};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::finding::note;
use crate::diagnosis::neighbour_facts::{Neighbour, NeighbourFacts, SharedEnd};
use crate::diagnosis::{Detect, Rule};
use crate::thresholds::NEIGHBOUR_SHARE;

pub(super) static RULE: Rule =
    Rule { id: "neighbours-on-path", limits: &[], severity: Severity::Info, detect: Detect::Neighbours(detect) };

/// The flows were active at that time, but nothing shows that they matter.
const CONFIDENCE: f64 = 0.7;
/// Their rates show one shared link as well.
const CONFIDENCE_SHARED: f64 = 0.85;

fn detect(facts: &NeighbourFacts) -> Option<Finding> {
    let others: f64 = facts.neighbours.iter().map(|neighbour| neighbour.bytes).sum();
    let all = facts.own + others;
    let seconds = facts.nanos as f64 / 1e9;
    let is_link_known = facts.end == SharedEnd::Receiver || facts.is_shared;
    if !is_link_known || facts.own <= 0.0 || seconds <= 0.0 || others < NEIGHBOUR_SHARE.get() * all {
        return None;
    }
    let percent = |bytes: f64| 100.0 * bytes / all;
    let bits = |bytes: f64| bytes * 8.0 / seconds;
    let mut finding = note(&RULE, if facts.is_shared { CONFIDENCE_SHARED } else { CONFIDENCE });
    let evidence = &mut finding.evidence;
    evidence.push(exact(EvidenceKey::OthersPercent, percent(others)));
    evidence.push(exact(EvidenceKey::OthersBitsPerS, bits(others)));
    evidence.push(exact(EvidenceKey::OwnBitsPerS, bits(facts.own)));
    let end = match facts.end {
        SharedEnd::Receiver => "to_same_host",
        SharedEnd::Sender => "from_same_host",
    };
    evidence.push(exact(EvidenceKey::SharedEnd, Value::Word(end.to_owned())));
    if facts.is_shared {
        evidence.push(inferred(EvidenceKey::TogetherBitsPerS, bits(all)));
    }
    let mut rest = &facts.neighbours[..];
    if let [first, others @ ..] = rest
        && first.is_sibling()
    {
        evidence.push(exact(EvidenceKey::SiblingCount, first.flows));
        evidence.push(exact(EvidenceKey::SiblingBitsPerS, bits(first.bytes)));
        evidence.push(exact(EvidenceKey::SiblingPercent, percent(first.bytes)));
        rest = others;
    }
    for ((name, rate, share), neighbour) in NAMED.into_iter().zip(rest) {
        evidence.push(exact(name, Value::Word(neighbour.name())));
        evidence.push(exact(rate, bits(neighbour.bytes)));
        evidence.push(exact(share, percent(neighbour.bytes)));
    }
    let unnamed = rest.get(NAMED.len()..).unwrap_or_default();
    if !unnamed.is_empty() {
        evidence.push(exact(EvidenceKey::UnnamedCount, unnamed.iter().map(|one| one.flows).sum::<u64>()));
        evidence.push(exact(EvidenceKey::UnnamedPercent, percent(unnamed.iter().map(|one| one.bytes).sum())));
    }
    let foreign: f64 = facts.neighbours.iter().filter(|one| !one.is_sibling()).map(|one: &Neighbour| one.bytes).sum();
    if foreign >= NEIGHBOUR_SHARE.get() * all {
        finding.fixes = vec![tcpwhy_advice::limit_neighbours()];
    }
    Some(finding)
}

/// Evidence of the flows that are named, with their rates and shares.
const NAMED: [(EvidenceKey, EvidenceKey, EvidenceKey); 3] = [
    (EvidenceKey::Neighbour, EvidenceKey::NeighbourBitsPerS, EvidenceKey::NeighbourPercent),
    (EvidenceKey::SecondNeighbour, EvidenceKey::SecondNeighbourBitsPerS, EvidenceKey::SecondNeighbourPercent),
    (EvidenceKey::ThirdNeighbour, EvidenceKey::ThirdNeighbourBitsPerS, EvidenceKey::ThirdNeighbourPercent),
];
