//! Excluded limits, with the numbers that exclude them.

use tcpwhy_model::{ByteCount, Cause, Family, Limit};

use super::explanation::Explanation;
use super::subject::Subject;
use crate::outcome::HalfConnection;
use crate::thresholds::{EXCLUDED_LOST, EXCLUDED_ROOM, EXCLUDED_UNUSED};

/// A limit that is excluded for a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exclusion {
    /// The receive window never filled.
    Window {
        /// Least free space of the window, bytes.
        free: ByteCount,
    },
    /// Hardly anything was retransmitted.
    Loss {
        /// Retransmitted segments.
        count: u64,
        /// All segments.
        all: u64,
    },
    /// The path could have carried more.
    Path {
        /// Observed rate, bits per second.
        rate: f64,
        /// Rate of the path, bits per second.
        path: f64,
    },
}

impl Exclusion {
    /// The limit that is excluded.
    pub const fn limit(&self) -> Limit {
        match self {
            Self::Window { .. } => Limit::ReceiveWindow,
            Self::Loss { .. } => Limit::LossRecovery,
            Self::Path { .. } => Limit::Path,
        }
    }
}

/// Returns the excluded limits if `explanation` explains `subject`; empty if the explanation is not a limit.
pub fn exclusions(subject: &Subject<'_>, explanation: &Explanation<'_>) -> Vec<Exclusion> {
    let half = subject.half;
    let family = half.verdict.cause.and_then(Cause::family);
    let Some(family) = family.filter(|_| !subject.has_failed() && explanation.is_limit()) else { return Vec::new() };
    [window, loss, path].iter().filter_map(|exclude| exclude(half, family)).collect()
}

/// The least window was several times the largest amount in flight.
fn window(half: &HalfConnection, family: Family) -> Option<Exclusion> {
    let (flight, window) = (half.flight?, half.receive_window?);
    let is_free = family != Family::ReceiveWindow && window.min >= flight.max.saturating_mul(EXCLUDED_ROOM.get());
    is_free.then(|| Exclusion::Window { free: window.min - flight.max })
}

/// A lost SYN is a loss as well.
fn loss(half: &HalfConnection, family: Family) -> Option<Exclusion> {
    let (count, all) = (half.retransmitted_segments, half.segments);
    let is_other = !matches!(family, Family::Loss | Family::Handshake);
    let is_rare = is_other && all > 0 && count as f64 <= EXCLUDED_LOST.get() * all as f64;
    is_rare.then_some(Exclusion::Loss { count, all })
}

fn path(half: &HalfConnection, family: Family) -> Option<Exclusion> {
    let (rate, path) = (half.goodput?.bits_per_sec(), half.path_rate?.bits_per_sec());
    let is_unused = family != Family::Path && rate < EXCLUDED_UNUSED.get() * path;
    is_unused.then_some(Exclusion::Path { rate, path })
}
