//! Application: the protocol of its peer limits the data in flight.

use tcpwhy_model::{Detail, Measure, Reason};

use super::super::decision::Label;
use super::super::direction::{Carried, Direction, Renaming, Values};
use super::scope::{Hypothesis, Kept, OfDirection, OfSlot};
use crate::facts::half::ledger::WholeTurns;
use crate::facts::slot::narrow;
use crate::infer::conditions::Evidence;
use crate::infer::direction::DirectionFacts;
use crate::thresholds::{
    GRANT_MOST, GRANTED_TIMES, TURN_HEARD, TURN_ROUND_TRIPS, TURN_WAKING, TURNS_RESUMED, TURNS_TIME, TURNS_WAITED,
    WORDS_ALIKE, WORDS_BETWEEN, WORDS_EARLY, part,
};

/// Data follows the peer's messages rather than ACKs, many bytes for each short message. So a protocol above
/// TCP has a window, or a maximum of unanswered blocks. Examples are HTTP/2's streams (RFC 9113 §5.2), SSH's
/// channels (RFC 4254 §5.2) and SFTP.
pub(super) struct PeerGrants;

impl Hypothesis<OfSlot> for PeerGrants {
    const REASON: Reason = Reason::PeerGrants;
    const CONFIDENCE: f32 = 0.85;

    fn label(&self, e: &Evidence<'_>) -> Option<Label> {
        (e.awaits_peer() && e.is_granted()).then(|| Detail::PeerWindow.into())
    }
}

/// The peer's protocol was the limit during most waits for the peer. The remaining waits, after all data had
/// arrived, have the same cause.
pub(super) struct GrantsThroughout;

impl Hypothesis<OfDirection> for GrantsThroughout {
    const REASON: Reason = Reason::PeerGrantsThroughout;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let nanos_of = |detail: Detail| d.limits.nanos_of_cause(detail.into());
        let turns = nanos_of(Detail::PeerTurn);
        (turns > 0 && nanos_of(Detail::PeerWindow) > turns).then(|| Renaming {
            causes: vec![Detail::PeerTurn.into()],
            to: Detail::PeerWindow.into(),
            carried: Carried::Nothing,
            values: Values::OfInterval,
        })
    }
}

/// Turns end at the same byte count, and the next one follows a few bytes of the peer. So its protocol allows
/// no more at a time, even if everything was acknowledged between the turns.
pub(super) struct GrantsWholeTurns;

impl Hypothesis<OfDirection> for GrantsWholeTurns {
    const REASON: Reason = Reason::PeerGrantsWholeTurns;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let turns = d.facts.whole_turns.filter(|_| matches!(Words::of(&d.facts), Some(Words::Allow(_))))?;
        let flying = turns.waited - turns.acknowledged;
        // Without a need to wait between turns, the sender's wake-ups would cost no time.
        let woken = if part(turns.waking, turns.waited) <= TURN_WAKING { turns.waking } else { 0 };
        let waits = [(Detail::PeerTurn, turns.acknowledged), (Detail::Think, woken), (Detail::PacedWrites, flying)];
        // Other causes of the same time keep theirs.
        let is_mostly = |&(detail, waited): &(Detail, i64)| {
            let nanos = d.limits.nanos_of_cause(detail.into());
            nanos > 0 && part(waited, nanos) >= TURNS_TIME
        };
        let causes: Vec<_> = waits.iter().filter(|wait| is_mostly(wait)).map(|&(detail, _)| detail.into()).collect();
        let values = Values::These(vec![(Measure::Flight, turns.size as f64)]);
        let (to, carried) = (Detail::PeerWindow.into(), Carried::Nothing);
        (!causes.is_empty()).then_some(Renaming { causes, to, carried, values })
    }
}

/// Meaning of the peer's short messages between turns of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Each one allows this number of bytes.
    Allow(u32),
    /// Each one allows this number of bytes, or requests the next block of that size. The packets do not show
    /// which.
    AllowOrAsk(u32),
}

impl Words {
    /// `None` if the messages have another meaning, or if turns that they allow wait for something else.
    pub(in crate::infer) fn of(facts: &DirectionFacts) -> Option<Self> {
        let turns = facts.whole_turns.as_ref().filter(|turns| are_few(turns) && are_usual(turns))?;
        // If the sender opened the connection, the peer's messages are not requests but allow it to send.
        // Otherwise they may be requests.
        if facts.opened.unwrap_or(turns.spoke_first) || cross(turns) {
            return are_awaited(turns, facts).then(|| Self::Allow(narrow(turns.size)));
        }
        // One message allows a whole window.
        let are_tiny = turns.heard <= u64::from(GRANT_MOST.get()) * u64::from(turns.count);
        are_tiny.then(|| Self::AllowOrAsk(narrow(turns.size)))
    }
}

/// Whether most waits for the peer came after turns of one size.
fn are_usual(turns: &WholeTurns) -> bool {
    part(turns.waited, turns.waited_in_all) >= TURNS_WAITED
}

/// Whether the peer's messages are short and of few sizes.
fn are_few(turns: &WholeTurns) -> bool {
    let (words, count) = (u64::from(turns.words.words), u64::from(turns.count));
    let are_small = turns.heard <= TURN_HEARD.get() * count.max(words);
    let are_alike = part(i64::from(turns.words.alike), i64::from(turns.words.words)) >= WORDS_ALIKE;
    are_small && are_alike && turns.sent >= turns.heard * GRANTED_TIMES.get()
}

/// Whether the turns waited for the messages and nothing else.
fn are_awaited(turns: &WholeTurns, facts: &DirectionFacts) -> bool {
    let are_resumed = part(i64::from(turns.resumed), i64::from(turns.count)) >= TURNS_RESUMED;
    // A slow link's time for the bytes is not the peer's.
    let served = facts.served.map_or(0, |rate| (turns.sent as f64 * 1e9 / rate) as i64);
    let on_path = |rtt: i64| (TURN_ROUND_TRIPS.get() * rtt * i64::from(turns.count)).saturating_add(served);
    // A peer that answers late was working, whatever its protocol allows.
    let is_path = facts.rtt.is_some_and(|rtt| turns.waited <= on_path(rtt));
    are_resumed && is_path
}

/// Whether messages come before all of a turn has arrived, or more than one of them between two turns. A
/// client requests the next block only after the previous one, unless several may be pending.
fn cross(turns: &WholeTurns) -> bool {
    let words = &turns.words;
    let are_early = words.early > 0 && part(i64::from(words.early), i64::from(words.words)) >= WORDS_EARLY;
    are_early || part(i64::from(words.words), i64::from(turns.count_in_all)) >= WORDS_BETWEEN
}
