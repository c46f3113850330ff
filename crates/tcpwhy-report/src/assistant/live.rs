//! Connections of a running host.

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
/// Limits that are listed for each direction.
const MOST_LIMITS: usize = 3;

/// The answer about a host that was watched.
#[derive(Debug, Serialize)]
pub struct LiveAnswer {
    /// What limited the connection that lost most time, and what to change.
    answer: Vec<String>,
    host: HostEntry,
    /// Connections that sent or received data and were asked for.
    matched: u64,
    /// Those of them that are listed here, the ones that lost most time first.
    returned: u64,
    /// The connection of this list that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_connection: Option<u64>,
    connections: Vec<ConnectionEntry>,
    /// What was not seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
    #[serde(skip)]
    page: Page,
}

#[derive(Debug, Serialize)]
struct HostEntry {
    watched_s: f64,
    /// `bpf`: the kernel added up all time; `samples`: shares have a range.
    mode: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode_reason: Option<String>,
    connections_seen: u64,
    ground: Ground,
}

#[derive(Debug, Serialize)]
struct ConnectionEntry {
    /// This host's end first.
    ends: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// What a change could have saved while it was watched.
    lost_s: f64,
    /// How long its writers waited for room in the send buffer; absent where nobody counts that.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked_s: Option<f64>,
    directions: Vec<DirectionEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    /// How often such an answer is right, from 0 to 1.
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
    /// The share lies between these with 95 %; absent where all time was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_range: Option<[f64; 2]>,
    confidence: f64,
    ground: Ground,
}

impl LiveAnswer {
    /// The answer about `connections` of the host of `facts`, those that lost most time first. `foresee`
    /// simulates the predictions of those that are shown.
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
        // The first one is on the first page alone; all pages begin with what it is about.
        let first = if page.skip() == 0 { None } else { connections.first().map(concluded) };
        let first = first.as_ref().or(if page.skip() == 0 { wholes.first() } else { None });
        let shown = on_page.zip(&wholes);
        let mut answer = Self {
            answer: first.map_or_else(
                // The kernel has counted all, unless it had no room: nothing was missed.
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
        // Accounts add up all time; samples are drawn.
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
            // What a change could save is no count.
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
