//! Requests and responses: the packets show the turns of both sides.

use tcpwhy_model::{Detail, EvidenceKey, Limit};
use tcpwhy_scenario::{Bytes, End, Nanos, Turns};

use super::Trace;
use super::shown::{LONGEST_WAIT, Shown};
use super::situation::{Assumption, RebuildError, Situation, number};

/// Share of time in which one side waited for the other's message from which a transfer is a conversation.
const SPOKEN: f64 = 0.3;

/// Whether the two sides took turns for a large part of the time.
pub(super) fn is_one(shown: &Shown<'_>) -> bool {
    let waits = shown.share_of(Detail::Think) + shown.share_of(Detail::PeerTurn);
    let held = waits + shown.observed.share(Limit::AckDelay);
    count(shown).is_some() && held >= SPOKEN
}

/// The number of turns. The exchanges count all of them. Without exchanges, the finding of a wait counts the
/// long ones, and the finding of turns counts all.
fn count(shown: &Shown<'_>) -> Option<f64> {
    let exchanges = shown.connection.exchanges.as_deref().map_or(0, |exchanges| exchanges.count);
    if exchanges > 0 {
        return Some(exchanges as f64);
    }
    let counts = shown.half.findings.iter().filter_map(|finding| number(finding, EvidenceKey::TurnCount).ok());
    counts.reduce(f64::max).map(|count| count.max(1.0))
}

/// Bytes that the peer sent.
fn peer_bytes(shown: &Shown<'_>) -> u64 {
    let others = shown.connection.halves.iter().filter(|other| other.sender != shown.half.sender);
    others.map(|other| other.bytes).sum()
}

/// As many turns as were counted, of equal sizes, with the waits that the packets show. `writes` is the way
/// in which the sender of the data writes its part of a turn.
pub(super) fn turns(
    shown: &Shown<'_>,
    situation: &mut Situation,
    writes: impl FnOnce(u64) -> Vec<Bytes>,
) -> Result<Turns, RebuildError> {
    let count = count(shown).ok_or(RebuildError::Absent(Trace::Turns))?;
    situation.assumptions.push(Assumption::Turns);
    let in_a_turn = |bytes: u64| ((bytes as f64 / count) as u64).max(1);
    let (mine, theirs) = (writes(in_a_turn(shown.half.bytes)), vec![Bytes(in_a_turn(peer_bytes(shown)))]);
    let sender_asks = situation.opener == End::Sender;
    let (request, response) = if sender_asks { (mine, theirs) } else { (theirs, mine) };
    let mut turns = Turns {
        sender_asks,
        count: count as u32,
        ahead: 1,
        request,
        response,
        think: Nanos(0),
        every: None,
        service: Nanos(0),
        ending: None,
    };
    // A wait for the peer includes the way there and back, which the link adds again.
    let room = shown.half.span.seconds() - situation.rtt * (count + 1.0) - delayed(shown);
    let waited = shown.half.limits.nanos_of(Limit::Application) as f64 / 1e9;
    let wait = waited.min(room).max(0.0) / count;
    if wait > LONGEST_WAIT {
        return Err(RebuildError::TooLong);
    }
    // The sender of the data has its own time to answer, and pauses; the remaining time belongs to its peer.
    let own = [Detail::Think, Detail::Idle].map(|detail| shown.seconds_of(detail));
    let own = (own.iter().sum::<f64>() / count).min(wait);
    let nanos = |seconds: f64| Nanos((seconds * 1e9) as u64);
    let (mine, theirs) = turns.waits_mut();
    (*mine, *theirs) = (nanos(own), nanos(wait - own));
    Ok(turns)
}

/// Seconds in which the last part of a message waited for an ACK, so no program caused them.
fn delayed(shown: &Shown<'_>) -> f64 {
    shown.half.limits.nanos_of(Limit::AckDelay) as f64 / 1e9
}

/// A message of `bytes` in two writes; the second waits for the ACK of the first. The first has the share
/// `first_part` of the bytes.
pub(super) fn in_two_writes(bytes: u64, first_part: Option<f64>) -> Vec<Bytes> {
    /// A short header before its data.
    const USUAL: f64 = 0.25;
    let bytes = bytes.max(2);
    let first = ((bytes as f64 * first_part.unwrap_or(USUAL)) as u64).clamp(1, bytes - 1);
    vec![Bytes(first), Bytes(bytes - first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_in_two_writes_is_as_long() {
        for (bytes, part, writes) in [
            (1, None, [1, 1]),
            (2, None, [1, 1]),
            (3, None, [1, 2]),
            (100, None, [25, 75]),
            (200, Some(0.8), [160, 40]),
            (200, Some(1.0), [199, 1]),
        ] {
            assert_eq!(in_two_writes(bytes, part), writes.map(Bytes));
        }
    }
}
