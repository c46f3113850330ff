//! The answer about one connection: its directions with their limits, its findings, and the excluded limits.

use std::collections::HashMap;

use serde::Serialize;
use tcpwhy_analysis::{Connection, HalfConnection, Side};
use tcpwhy_model::Span;

use super::Page;
use super::fit::{Fit, pop, sentences, short};
use super::fix::{FindingEntry, shorten_findings, tell_once};
use super::ground::Ground;
use crate::Site;
use crate::dto::{self, Id, Presentation, rounded};
use crate::text::{AnswerText, doubts, exchanges_text};
use crate::{Wording, principal_half};

/// Limits with a smaller share of the time are summed, as in the tables of the terminal.
const WORTH_A_ROW: f64 = 0.005;

/// A stretch of a connection's time; the number of its first packet identifies the connection.
pub type Stretch = (u64, Span);

/// First and last packet of a connection within a stretch of its time.
pub type PacketRanges = HashMap<Stretch, [u64; 2]>;

/// The longest stretch of each limit of `connection`. The answer gives the packet numbers of these stretches.
pub fn ranges_of(connection: &Connection) -> Vec<Stretch> {
    let mut spans: Vec<Span> = connection
        .halves
        .iter()
        .flat_map(|half| half.limits.totals().into_iter().filter_map(|total| half.longest_interval(total.cause)))
        .collect();
    spans.sort_unstable_by_key(|span| (span.start(), span.end()));
    spans.dedup();
    spans.into_iter().map(|span| (connection.first_packet, span)).collect()
}

/// The answer about one connection.
#[derive(Debug, Serialize)]
pub struct ConnectionAnswer {
    /// Ends and rate, limit, and fix, in one sentence each.
    answer: Vec<String>,
    /// Share of such answers that are right, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// Limits that the packets do not distinguish, and that nothing shows what to change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
    connection: u64,
    /// First packet.
    packet: u64,
    ends: [String; 2],
    /// Index into `ends`; absent where the handshake was not captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<usize>,
    start: String,
    duration_s: f64,
    ending: Id,
    /// Where it was captured.
    captured_at: String,
    /// Parts of the capture that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    ground: Ground,
    /// Numbers behind the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<String>,
    /// Limits that are excluded, with the numbers that exclude them.
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<String>,
    /// Requests and responses, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exchanges: Vec<String>,
    directions: Vec<DirectionEntry>,
    /// Number of findings that the connection has.
    matched: u64,
    /// Number of findings that are listed here.
    returned: u64,
    /// Number of the finding that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_finding: Option<u64>,
    findings: Vec<FindingEntry>,
    #[serde(skip)]
    page: Page,
}

/// One direction: the data of one end.
#[derive(Debug, Serialize)]
struct DirectionEntry {
    /// Index into `ends`.
    sender: usize,
    bytes: u64,
    retransmitted_bytes: u64,
    span_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    goodput_bits_per_s: Option<f64>,
    ground: Ground,
    #[serde(skip_serializing_if = "Option::is_none")]
    rtt: Option<RoundTripEntry>,
    verdict: VerdictEntry,
    limits: Vec<LimitEntry>,
    /// Seconds under limits that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_limits_s: Option<f64>,
}

#[derive(Debug, Serialize)]
struct RoundTripEntry {
    median_us: f64,
    ground: Ground,
}

/// The limit to act on first.
#[derive(Debug, Serialize)]
struct VerdictEntry {
    limit: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Id>,
    severity: Id,
    confidence: f64,
}

/// Time under one limit.
#[derive(Debug, Serialize)]
struct LimitEntry {
    limit: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Id>,
    seconds: f64,
    share: f64,
    confidence: f64,
    ground: Ground,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<StretchEntry>,
}

/// A stretch of time, in seconds after the first packet of the connection.
#[derive(Debug, Serialize)]
pub(super) struct StretchEntry {
    pub(super) from_s: f64,
    pub(super) to_s: f64,
    /// First and last packet of the connection within the stretch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) packets: Option<[u64; 2]>,
}

impl StretchEntry {
    pub(super) fn new(span: Span, connection: &Connection, packets: &PacketRanges) -> Self {
        let seconds = |time: tcpwhy_model::Timestamp| time.since(connection.span.start()) as f64 / 1e9;
        // Six decimal places, not four digits: a moment late in a long connection keeps its microseconds.
        let millis = |seconds: f64| (seconds * 1e6).round() / 1e6;
        Self {
            from_s: millis(seconds(span.start())),
            to_s: millis(seconds(span.end())),
            packets: packets.get(&(connection.first_packet, span)).copied(),
        }
    }
}

impl ConnectionAnswer {
    /// Makes the answer about `connection` with the findings of `page`. `packets` has the packet numbers of
    /// the stretches that [`ranges_of`] returns.
    pub fn new(wording: Wording<'_>, connection: &Connection, packets: &PacketRanges, page: Page) -> Self {
        let first = AnswerText::of_connection(connection, wording);
        let dto = dto::Connection::new(connection, None, Presentation::new(wording));
        let mut cannot_tell: Vec<_> = connection.halves.iter().flat_map(|half| doubts(wording, half)).collect();
        if first.fix.is_none() {
            cannot_tell.push(wording.catalogue().word("answer-not-shown"));
        }
        // The finding behind the answer comes first.
        let findings = connection.ranked_findings(first.rule);
        let entries = findings.iter().skip(page.skip()).map(|&(finding, half)| {
            let seconds = half.map_or_else(|| connection.seconds_of(finding), |half| half.span.seconds());
            let site = Site::of(connection, half.map(|half| half.sender));
            FindingEntry::new(finding, seconds, wording, Some(&site))
        });
        let details = first.below.iter().filter(|text| Some(*text) != first.excluded.as_ref()).cloned().collect();
        let directions = directions(connection, &dto, packets);
        let mut answer = Self {
            answer: sentences([Some(first.head), Some(first.why), first.fix, first.but]),
            confidence: first.confidence.map(rounded),
            cannot_tell,
            connection: connection.id,
            packet: connection.first_packet,
            ends: [Side::A, Side::B].map(|side| wording.end(connection, side)),
            client: dto.initiator,
            start: dto.start,
            duration_s: short(dto.duration_s),
            ending: dto.ending,
            captured_at: dto.vantage.position,
            damage: Vec::new(),
            ground: Ground::Exact,
            details,
            excluded: first.excluded,
            exchanges: exchanges_text(wording, connection),
            directions,
            matched: findings.len() as u64,
            returned: 0,
            next_finding: None,
            findings: entries.collect(),
            page,
        };
        tell_once(&mut answer.findings);
        answer.count();
        answer
    }

    /// Adds the parts of the capture that could not be read.
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

/// The directions, the principal one first.
fn directions(connection: &Connection, dto: &dto::Connection, packets: &PacketRanges) -> Vec<DirectionEntry> {
    let principal = principal_half(connection).map(|half| half.sender);
    let all = connection.halves.iter().zip(&dto.halves);
    let (first, others): (Vec<_>, Vec<_>) = all.partition(|(half, _)| Some(half.sender) == principal);
    let entry = |(half, dto): (&HalfConnection, &dto::Half)| {
        let mut entry = DirectionEntry::new(connection, half, dto, packets);
        while entry.ends_with_trifle() && entry.shorten(1) {}
        // One row is enough for requests that nothing limited.
        while half.verdict.severity.is_none() && Some(half.sender) != principal && entry.shorten(1) {}
        entry
    };
    first.into_iter().chain(others).map(entry).collect()
}

impl DirectionEntry {
    fn new(connection: &Connection, half: &HalfConnection, dto: &dto::Half, packets: &PacketRanges) -> Self {
        let limits = dto.limits.iter().zip(half.limits.totals()).map(|(share, total)| LimitEntry {
            limit: share.limit.clone(),
            detail: share.detail.clone(),
            seconds: short(share.seconds),
            share: rounded(share.share),
            confidence: share.confidence,
            ground: Ground::Inferred,
            longest: half.longest_interval(total.cause).map(|span| StretchEntry::new(span, connection, packets)),
        });
        Self {
            sender: dto.sender,
            bytes: dto.traffic.bytes,
            retransmitted_bytes: dto.traffic.retransmitted_bytes,
            span_s: short(dto.span.duration_s),
            goodput_bits_per_s: dto.terms.goodput_bits_per_s.map(short),
            ground: Ground::Exact,
            rtt: dto
                .rtt_us
                .as_ref()
                .map(|rtt| RoundTripEntry { median_us: short(rtt.median), ground: Ground::of_id(&rtt.basis) }),
            verdict: VerdictEntry {
                limit: dto.verdict.limit.clone(),
                detail: dto.verdict.detail.clone(),
                severity: dto.verdict.severity.clone(),
                confidence: dto.verdict.confidence,
            },
            limits: limits.collect(),
            other_limits_s: None,
        }
    }

    /// Whether the last limit has too small a share to be of interest.
    fn ends_with_trifle(&self) -> bool {
        self.limits.last().is_some_and(|limit| limit.share < WORTH_A_ROW)
    }

    fn shorten(&mut self, least: usize) -> bool {
        if self.limits.len() <= least {
            return false;
        }
        let removed = self.limits.pop().map_or(0.0, |limit| limit.seconds);
        self.other_limits_s = Some(short(self.other_limits_s.unwrap_or_default() + removed));
        true
    }
}

impl Fit for ConnectionAnswer {
    fn shorten(&mut self) -> bool {
        let directions = |directions: &mut [DirectionEntry], least| directions.iter_mut().any(|d| d.shorten(least));
        let is_shorter = directions(&mut self.directions, 5)
            || pop(&mut self.cannot_tell, 3)
            || pop(&mut self.exchanges, 3)
            || shorten_findings(&mut self.findings)
            || directions(&mut self.directions, 2)
            || pop(&mut self.exchanges, 0)
            || pop(&mut self.details, 1)
            || pop(&mut self.cannot_tell, 1)
            || pop(&mut self.damage, 1)
            || pop(&mut self.details, 0)
            || pop(&mut self.findings, 1);
        self.count();
        is_shorter
    }
}

#[cfg(test)]
mod terms;
