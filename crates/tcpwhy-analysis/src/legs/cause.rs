//! Choice of the slower leg of a relayed connection.

use tcpwhy_model::Cause;

use super::leg::{Leg, LegPlace};
use crate::thresholds::LEG_WAITS;

/// Returns the leg that slowed the other one, and its limit; `None` if neither or both did.
pub(super) fn slower(outer: &Leg, inner: &Leg) -> Option<(LegPlace, Cause)> {
    let way = outer.data_way(inner);
    let legs = match way {
        0 => [(LegPlace::Outer, outer), (LegPlace::Inner, inner)],
        _ => [(LegPlace::Inner, inner), (LegPlace::Outer, outer)],
    };
    let [(first_leg, first), (second_leg, second)] = legs.map(|(place, leg)| (place, leg.ways[way]));
    // The relay had nothing to forward, so it waited for the first leg.
    let is_starved = is_mostly(second.empty, second.nanos);
    // The first leg waited for its own sender.
    let is_idle = is_mostly(first.empty, first.nanos);
    // The first leg had no data, or the relay did not read from it, or it had finished.
    let rest = second.end?.since(first.end?).max(0);
    let held = first.empty.saturating_add(first.unread).saturating_add(rest);
    match (is_starved, is_idle) {
        (true, false) => Some((first_leg, first.cause?)),
        (false, _) if is_mostly(held, second.nanos) => Some((second_leg, second.cause?)),
        _ => None,
    }
}

fn is_mostly(part: i64, all: i64) -> bool {
    all > 0 && part as f64 >= LEG_WAITS.get() * all as f64
}

#[cfg(test)]
mod terms;
