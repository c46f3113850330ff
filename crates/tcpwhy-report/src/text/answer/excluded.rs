//! What it was not, with the numbers that exclude it.

use tcpwhy_analysis::{HalfConnection, Kind};
use tcpwhy_model::{Cause, Family};

use super::{Reason, Subject};
use crate::{Args, Wording};

/// The receive window is excluded where it left as much room as was in flight at most.
const ROOM: u64 = 2;
/// Losses are excluded below this share of the segments. Chosen: a bulk transfer over 20 ms hardly notices.
const FEW_LOST: f64 = 0.0005;
/// The path is excluded where less of it was used.
const UNUSED: f64 = 0.8;

/// A sentence about what did not limit the direction; `None` where the answer is no limit, or nothing is
/// excluded.
pub(super) fn excluded(wording: Wording<'_>, subject: &Subject<'_>) -> Option<String> {
    let is_failed = subject.problem.is_some_and(|problem| !matches!(problem.key.kind, Kind::Slow(_)));
    if is_failed || !matches!(subject.reason(), Reason::Limited) {
        return None;
    }
    let half = subject.half;
    let family = half.verdict.cause.and_then(Cause::family)?;
    let parts: Vec<_> = [window(wording, half, family), loss(wording, half, family), path(wording, half, family)]
        .into_iter()
        .flatten()
        .collect();
    let catalogue = wording.catalogue();
    let list = parts.join(&catalogue.word("answer-excluded-separator"));
    (!parts.is_empty()).then(|| catalogue.text("answer-excluded", &Args::new().text("list", list)))
}

/// The receive window never filled.
fn window(wording: Wording<'_>, half: &HalfConnection, family: Family) -> Option<String> {
    let (flight, window) = (half.flight?, half.receive_window?);
    let is_free = family != Family::ReceiveWindow && window.min >= flight.max.saturating_mul(ROOM);
    let free = || wording.units().bytes(window.min - flight.max);
    is_free.then(|| wording.catalogue().text("answer-excluded-window", &Args::new().text("free", free())))
}

/// Hardly anything was retransmitted.
fn loss(wording: Wording<'_>, half: &HalfConnection, family: Family) -> Option<String> {
    let [count, all] = [half.retransmitted_segments, half.segments];
    // A lost SYN is a loss as well.
    let is_other = !matches!(family, Family::Loss | Family::Handshake);
    let is_rare = is_other && all > 0 && count as f64 <= FEW_LOST * all as f64;
    let units = wording.units();
    let args = || Args::new().text("count", units.count(count)).text("all", units.count(all));
    is_rare.then(|| wording.catalogue().text("answer-excluded-loss", &args()))
}

/// The path could have carried more.
fn path(wording: Wording<'_>, half: &HalfConnection, family: Family) -> Option<String> {
    let (rate, path) = (half.goodput?.bits_per_sec(), half.path_rate?.bits_per_sec());
    let is_unused = family != Family::Path && rate < UNUSED * path;
    let units = wording.units();
    let args = || Args::new().text("rate", units.bits_per_second(rate)).text("path", units.rough_bits_per_second(path));
    is_unused.then(|| wording.catalogue().text("answer-excluded-path", &args()))
}
