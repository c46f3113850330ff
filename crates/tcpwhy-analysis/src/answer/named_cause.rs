//! The cause that is named for a direction, with its time.

use tcpwhy_model::{Cause, Family};

use crate::outcome::HalfConnection;
use crate::thresholds::{RELATED_NAMED, RELATED_TOLD};

/// The cause that is named for a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedCause {
    /// The cause of the verdict.
    pub cause: Cause,
    /// Time under exactly that cause, seconds.
    pub own: f64,
    /// Time under other causes of its family, seconds.
    pub related: f64,
    /// The family, if its other causes have enough time to be named too.
    pub family: Option<Family>,
}

/// Whether one sentence names all causes of a family, because they have the same consequence.
const fn is_named_as_one(family: Family) -> bool {
    match family {
        Family::Loss | Family::ReceiveWindow | Family::AckDelay | Family::Path | Family::CongestionWindow => true,
        Family::Handshake | Family::Application | Family::CloseWait | Family::SendBuffer | Family::SlowStart => false,
    }
}

impl NamedCause {
    /// Returns the named cause of `half`; `None` if nothing slowed it.
    pub fn of(half: &HalfConnection) -> Option<Self> {
        let cause = half.verdict.cause?;
        let own = half.verdict.seconds;
        let related = half.related_to_verdict().map(|total| total.nanos).sum::<i64>() as f64 / 1e9;
        let is_enough = related >= RELATED_NAMED.get() * own;
        let family = cause.family().filter(|&family| is_enough && is_named_as_one(family));
        Some(Self { cause, own, related, family })
    }

    /// Returns the time that is named with the cause, seconds. It is that of the whole family if the family
    /// is named.
    pub fn seconds(&self) -> f64 {
        if self.family.is_some() { self.own + self.related } else { self.own }
    }

    /// Whether the time of the related causes is worth a sentence next to the verdict's `total` seconds.
    pub fn is_related_worth_telling(&self, total: f64) -> bool {
        let share = if total > 0.0 { self.related / total } else { 0.0 };
        share >= RELATED_TOLD
    }
}
