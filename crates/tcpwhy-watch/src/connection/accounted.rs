//! The time that the kernel's account has added up.

use tcpwhy_model::Timestamp;
use tcpwhy_model::live::{HeldBy, KernelAccount, Turns};

use crate::direction::Part;
use crate::instant::InstantLimit;
use crate::thresholds::confidence;

/// An account that the kernel keeps.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) latest: KernelAccount,
    /// Nanoseconds that were given to rest before the kernel reported them.
    pub(super) ahead: i64,
    /// When somebody else saw the socket last.
    pub(super) seen: Timestamp,
    /// How long writers had waited when the watching began.
    blocked_before: i64,
    /// When that was.
    began: Timestamp,
    /// Turns since then, of this side and of the peer. They take turns, so together they are no longer than
    /// the watching.
    pub(super) turns: [Turns; 2],
}

impl Account {
    /// The account up to which a connection was not watched; its watching began at `began`.
    pub(super) fn beginning(latest: KernelAccount, seen: Timestamp, began: Timestamp) -> Self {
        let blocked_before = latest.blocked.unwrap_or_default();
        Self { latest, ahead: 0, seen, blocked_before, began, turns: Default::default() }
    }

    /// The account that came after `known`.
    pub(super) fn after(known: Option<&Self>, latest: KernelAccount, seen: Timestamp) -> Self {
        let blocked_before = known.map_or(0, |known| known.blocked_before);
        let mut turns = known.map_or_else(Default::default, |known| known.turns);
        let before = known.map_or(latest.turns, |known| known.latest.turns);
        let began = known.map_or(seen, |known| known.began);
        // The kernel counts a turn at its end. The first one may have begun before the watching.
        let mut left = seen.since(began).saturating_sub(turns[0].nanos).saturating_sub(turns[1].nanos).max(0);
        for (turns, (before, now)) in turns.iter_mut().zip(before.iter().zip(&latest.turns)) {
            let counted = turns.nanos;
            turns.add(before, now);
            turns.nanos = counted + (turns.nanos - counted).min(left);
            left -= turns.nanos - counted;
        }
        Self { latest, ahead: 0, seen, blocked_before, began, turns }
    }

    /// Nanoseconds that writers waited since the watching began; `None` where nobody counts them.
    pub(super) fn blocked(&self) -> Option<i64> {
        Some(self.latest.blocked?.saturating_sub(self.blocked_before).max(0))
    }
}

/// Nanoseconds, of `nanos`, in which the program was slow to read since `known`.
pub(super) fn slow_reader(known: Option<&Account>, account: &KernelAccount, nanos: i64) -> i64 {
    let before = known.map_or(0, |known| known.latest.slow_reader);
    account.slow_reader.saturating_sub(before).clamp(0, nanos)
}

/// Divides the time between two samples by what the kernel has added up since `known`, of which the second
/// figure was given out before. Whatever the kernel says, it is `nanos` in all.
pub(super) fn accounted(
    account: &KernelAccount,
    known: Option<(&[i64; HeldBy::ALL.len()], i64)>,
    [was, is]: [InstantLimit; 2],
    nanos: i64,
) -> Vec<Part> {
    let (before, mut ahead) = known.unwrap_or((&[0; HeldBy::ALL.len()], 0));
    let mut passed: Vec<(HeldBy, i64)> = HeldBy::ALL
        .into_iter()
        .zip(account.nanos.iter().zip(before).map(|(now, then)| now.saturating_sub(*then)))
        .filter(|(_, nanos)| *nanos > 0)
        .collect();
    // Time that was given out ahead was rest, whosever turn it was.
    let is_rest = |held: &HeldBy| {
        matches!(held, HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait | HeldBy::PeerTurn | HeldBy::Application)
    };
    passed.sort_by_key(|(held, nanos)| (!is_rest(held), std::cmp::Reverse(*nanos)));
    let mut left = nanos;
    for (_, nanos) in &mut passed {
        let early = ahead.min(*nanos);
        ahead -= early;
        *nanos = (*nanos - early).min(left);
        left -= *nanos;
    }
    let mut parts: Vec<Part> = passed
        .into_iter()
        .map(|(held, nanos)| Part { cause: held.cause(), nanos, confidence: confidence::ACCOUNTED })
        .collect();
    // In the order in which they were, as far as that is known.
    parts.sort_by_key(|part| (part.cause != was.cause, part.cause == is.cause));
    // Up to the first account nothing happened, or it would have begun.
    if left > 0 {
        parts.insert(0, Part { cause: was.cause, nanos: left, confidence: confidence::AGREED });
    }
    parts
}
