//! The answer about connections of a running host.

use serde::Serialize;
use tcpwhy_analysis::Connection;
use tcpwhy_watch::LiveConnection;

use super::fit::{Fit, pop, sentences, short};
use super::ground::Ground;
use super::{Page, fenced};
use crate::dto::{self, Id, LiveHostFacts, Presentation, rounded};
use crate::live::healthy_sentence;
use crate::text::AnswerText;
use crate::{Anonymizer, Wording, principal_half};

/// Connections on one page.
const MOST_CONNECTIONS: usize = 8;
/// Most limits that are listed per direction.
const MOST_LIMITS: usize = 3;

/// The answer about a host that was watched.
#[derive(Debug, Serialize)]
pub struct LiveAnswer {
    /// Limit and fix of the connection that lost the most time.
    answer: Vec<String>,
    host: HostEntry,
    /// Number of connections that sent or received data and were asked for.
    matched: u64,
    /// Number of connections that are listed here; those that lost the most time come first.
    returned: u64,
    /// Position in the list at which the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_connection: Option<u64>,
    connections: Vec<ConnectionEntry>,
    /// Data that is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
    #[serde(skip)]
    page: Page,
}

#[derive(Debug, Serialize)]
struct HostEntry {
    watched_s: f64,
    /// `bpf`: the kernel measured the whole time; `samples`: shares have a range.
    mode: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode_reason: Option<String>,
    connections_seen: u64,
    ground: Ground,
}

#[derive(Debug, Serialize)]
struct ConnectionEntry {
    /// The two ends; this host's end is first.
    ends: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// Seconds that a change could have saved while the host was watched.
    lost_s: f64,
    /// Seconds that its writers waited for room in the send buffer; absent if that was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked_s: Option<f64>,
    directions: Vec<DirectionEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    /// Share of such answers that are right, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    ground: Ground,
}

#[derive(Debug, Serialize)]
struct DirectionEntry {
    /// Index into `ends`.
    sender: usize,
    bytes: u64,
    ground: Ground,
    limits: Vec<LimitEntry>,
}

#[derive(Debug, Serialize)]
struct LimitEntry {
    limit: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Id>,
    seconds: f64,
    share: f64,
    /// 95 % confidence interval of the share; absent if the kernel measured the whole time.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_range: Option<[f64; 2]>,
    confidence: f64,
    ground: Ground,
}

impl LiveAnswer {
    /// Makes the answer about `connections` of the host in `facts`, sorted by lost time, most first.
    /// `foresee` simulates the predictions for the connections that are shown.
    pub fn new(
        wording: Wording<'_>,
        facts: LiveHostFacts,
        connections: &[&LiveConnection],
        anonymizer: Option<&Anonymizer>,
        page: Page,
        foresee: &mut dyn FnMut(&mut Connection),
    ) -> Self {
        let mut concluded = |&connection: &&LiveConnection| {
            let mut whole = connection.conclude();
            foresee(&mut whole);
            if let Some(anonymizer) = anonymizer {
                anonymizer.connection(&mut whole);
            }
            whole
        };
        let on_page = connections.iter().skip(page.skip()).take(MOST_CONNECTIONS);
        let wholes: Vec<Connection> = on_page.clone().map(&mut concluded).collect();
        // Every page begins with the sentences about the first connection, which only the first page lists.
        let first = if page.skip() == 0 { None } else { connections.first().map(concluded) };
        let first = first.as_ref().or(if page.skip() == 0 { wholes.first() } else { None });
        let shown = on_page.zip(&wholes);
        let mut answer = Self {
            answer: first.map_or_else(
                // With eBPF, and if no connection's data was lost for lack of room, the kernel has counted
                // everything.
                || {
                    let is_whole = facts.mode == "bpf" && facts.lost_ends == 0;
                    vec![wording.catalogue().word(if is_whole { "live-none-active" } else { "live-none-seen" })]
                },
                |whole| lines(wording, whole),
            ),
            host: HostEntry {
                watched_s: short(facts.duration_s),
                mode: facts.mode,
                mode_reason: facts.mode_reason,
                connections_seen: facts.connections_seen,
                ground: Ground::Exact,
            },
            matched: connections.len() as u64,
            returned: 0,
            next_connection: None,
            connections: shown
                .map(|(connection, whole)| ConnectionEntry::new(connection, whole, anonymizer, wording))
                .collect(),
            cannot_tell: facts.gaps.into_iter().map(|gap| gap.text).collect(),
            page,
        };
        answer.count();
        answer
    }

    fn count(&mut self) {
        self.returned = self.connections.len() as u64;
        self.next_connection = self.page.next(self.matched, self.returned);
    }
}

fn lines(wording: Wording<'_>, whole: &Connection) -> Vec<String> {
    let answer = AnswerText::of_connection(whole, wording);
    let healthy = principal_half(whole).and_then(|half| healthy_sentence(half, wording));
    sentences([Some(answer.head), Some(healthy.unwrap_or(answer.why)), answer.fix, None])
}

impl ConnectionEntry {
    fn new(
        connection: &LiveConnection,
        whole: &Connection,
        anonymizer: Option<&Anonymizer>,
        wording: Wording<'_>,
    ) -> Self {
        let presentation = Presentation { has_words: false, ..Presentation::new(wording) };
        let dto = dto::Connection::foreseen(connection, whole, presentation);
        let live = dto.live.as_ref();
        let process = live.and_then(|live| live.process.as_ref());
        // The kernel measures the whole time; samples are a random selection.
        let ground = if connection.is_accounted() { Ground::Exact } else { Ground::Inferred };
        let answer = AnswerText::of_connection(whole, wording);
        let name = |name: &str| anonymizer.map_or_else(|| name.to_owned(), |anonymizer| anonymizer.process(name));
        Self {
            ends: whole.endpoints.map(|end| end.to_string()),
            process: process.map(|process| fenced(&name(&process.name))),
            pid: process.map(|process| process.pid),
            lost_s: short(connection.lost_in_all()),
            blocked_s: live.and_then(|live| live.blocked_s).map(short),
            directions: dto.halves.iter().map(|half| DirectionEntry::new(half, ground)).collect(),
            confidence: answer.confidence.map(rounded),
            fix: answer.fix.filter(|_| answer.is_change),
            // The time that a change could save is not counted but inferred.
            ground: Ground::Inferred,
        }
    }
}

impl DirectionEntry {
    fn new(half: &dto::Half, ground: Ground) -> Self {
        let entry = |share: &dto::LimitShare| LimitEntry {
            limit: share.limit.clone(),
            detail: share.detail.clone(),
            seconds: short(share.seconds),
            share: rounded(share.share),
            share_range: share.low_share.zip(share.high_share).map(|(low, high)| [low, high]),
            confidence: share.confidence,
            ground,
        };
        Self {
            sender: half.sender,
            bytes: half.traffic.bytes,
            ground: Ground::Exact,
            limits: half.limits.iter().take(MOST_LIMITS).map(entry).collect(),
        }
    }
}

impl Fit for LiveAnswer {
    fn shorten(&mut self) -> bool {
        let is_shorter = pop(&mut self.connections, 3)
            || pop(&mut self.cannot_tell, 2)
            || pop(&mut self.connections, 1)
            || pop(&mut self.cannot_tell, 0)
            || pop(&mut self.connections, 0);
        self.count();
        is_shorter
    }
}

#[cfg(test)]
mod terms;
