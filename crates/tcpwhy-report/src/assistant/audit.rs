//! The answer about a host: problems of its settings, and missing data.

use serde::Serialize;
use tcpwhy_audit::{HostFacts, HostReport};
use tcpwhy_model::{Finding, Value};

use super::fit::{Fit, pop, short};
use super::fix::{FindingEntry, shorten_findings, tell_once};
use super::ground::Ground;
use super::{Page, fenced};
use crate::Wording;
use crate::dto::rounded;

/// Findings on one page.
const MOST_FINDINGS: usize = 8;
/// Most connections with a buffer set by the application that are listed.
const MOST_BUFFERS: usize = 3;

/// The answer about a host.
#[derive(Debug, Serialize)]
pub struct AuditAnswer {
    /// Problems, most severe first: at most three sentences.
    answer: Vec<String>,
    host: HostEntry,
    /// Number of findings that the host has.
    matched: u64,
    /// Number of findings that are listed here.
    returned: u64,
    /// Number of the finding that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_finding: Option<u64>,
    findings: Vec<FindingEntry>,
    /// Connections whose application has set a buffer, slowest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_buffers: Vec<SetBufferEntry>,
    /// Parts of its files that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    /// Data that is missing, and how to get it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
    #[serde(skip)]
    page: Page,
}

#[derive(Debug, Serialize)]
struct HostEntry {
    /// The kernel whose rules were used.
    kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uptime_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sockets: Option<u64>,
    ground: Ground,
}

#[derive(Debug, Serialize)]
struct SetBufferEntry {
    side: &'static str,
    buffer_bytes: u64,
    confidence: f64,
    local: String,
    peer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ceiling_bits_per_s: Option<f64>,
    ground: Ground,
}

impl AuditAnswer {
    /// The answer about the host of `facts`, with the findings of `page`.
    pub fn new(wording: Wording<'_>, facts: &HostFacts<'_>, report: &HostReport, page: Page) -> Self {
        let fenced_findings: Vec<_> = report.findings.iter().cloned().map(fence_words).collect();
        let entry = |finding| FindingEntry::new(finding, 0.0, wording, None);
        let findings: Vec<_> = fenced_findings.iter().skip(page.skip()).take(MOST_FINDINGS).map(entry).collect();
        let mut answer: Vec<_> = fenced_findings.iter().take(3).map(|finding| wording.finding(finding, 0.0)).collect();
        if answer.is_empty() {
            answer.push(wording.nothing_found(report, facts.effective_version()));
        }
        let buffer = |buffer: &tcpwhy_audit::SetBuffer| SetBufferEntry {
            side: buffer.side.id(),
            buffer_bytes: buffer.buffer,
            confidence: rounded(buffer.ground.confidence()),
            local: plain_or_fenced(buffer.local.to_string()),
            peer: plain_or_fenced(buffer.peer.to_string()),
            process: buffer.processes.first().map(|process| fenced(&process.name)),
            ceiling_bits_per_s: buffer.ceiling.map(|rate| short(rate.bits_per_sec())),
            ground: Ground::Inferred,
        };
        let gap = |&gap: &tcpwhy_model::host::Gap| wording.gap(gap, facts.effective_version());
        let mut whole = Self {
            answer,
            host: HostEntry {
                kernel: facts.effective_version().to_string(),
                uptime_s: facts.host.uptime.map(short),
                sockets: facts.host.sockets.as_ref().map(|sockets| sockets.len() as u64),
                ground: if facts.version.is_some() { Ground::Exact } else { Ground::Assumed },
            },
            matched: report.findings.len() as u64,
            returned: 0,
            next_finding: None,
            findings,
            set_buffers: report.set_buffers.iter().take(MOST_BUFFERS).map(buffer).collect(),
            damage: Vec::new(),
            cannot_tell: facts.host.gaps.iter().map(gap).collect(),
            page,
        };
        tell_once(&mut whole.findings);
        whole.count();
        whole
    }

    /// Adds the parts of its files that could not be read.
    #[must_use]
    pub fn damaged(mut self, damage: Vec<String>) -> Self {
        self.damage = damage;
        self
    }

    fn count(&mut self) {
        self.returned = self.findings.len() as u64;
        self.next_finding = self.page.next(self.matched, self.returned);
    }
}

/// Fences the words of `finding` that the host chose: names of processes and interfaces.
fn fence_words(mut finding: Finding) -> Finding {
    for evidence in &mut finding.evidence {
        let is_process = evidence.key.id().ends_with("process");
        if let Value::Word(word) = &mut evidence.value
            && (is_process || !is_plain(word))
        {
            *word = fenced(word);
        }
    }
    let remarks = finding.fixes.iter_mut().flat_map(|fix| &mut fix.lines).filter_map(|line| line.remark.as_mut());
    for (_, value) in remarks.flat_map(|remark| &mut remark.values) {
        if !is_plain(value) {
            *value = fenced(value);
        }
    }
    finding
}

/// An address unchanged, or fenced if it contains the name of an interface.
fn plain_or_fenced(address: String) -> String {
    if is_plain(&address) { address } else { fenced(&address) }
}

/// Whether `word` is a setting, id, version, number or address. An address with an interface is not plain.
fn is_plain(word: &str) -> bool {
    /// Length that two IPv6 addresses with ports and an arrow need.
    const MOST: usize = 100;
    word.len() <= MOST && word.chars().all(|c| c.is_ascii_alphanumeric() || "._:,→ []*-".contains(c))
}

impl Fit for AuditAnswer {
    fn shorten(&mut self) -> bool {
        let is_shorter = pop(&mut self.set_buffers, 1)
            || pop(&mut self.findings, 4)
            || pop(&mut self.cannot_tell, 2)
            || self.findings.iter_mut().skip(1).rev().any(FindingEntry::shorten)
            || pop(&mut self.findings, 2)
            || pop(&mut self.set_buffers, 0)
            || pop(&mut self.cannot_tell, 1)
            || pop(&mut self.damage, 1)
            || shorten_findings(&mut self.findings)
            || pop(&mut self.cannot_tell, 0);
        self.count();
        is_shorter
    }
}

#[cfg(test)]
mod terms;
