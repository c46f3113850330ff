//! The last words of an end that closes: a TLS alert, GOAWAY, SSH's disconnect.

use tcpwhy_model::Record;

use super::Scene;
use crate::thresholds::{LONG_REST, SMALL_MESSAGE};

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    scene.message.record == Record::Alert || is_last_words(scene)
}

/// A few bytes, long after what was said before, and right before the end.
fn is_last_words(scene: &Scene<'_>) -> bool {
    let message = scene.message;
    let is_end = scene.closed.is_some_and(|closed| closed - message.last < LONG_REST.get());
    let is_late = message.silence() >= LONG_REST.get();
    scene.next.is_none() && message.bytes <= SMALL_MESSAGE && is_late && is_end && !scene.is_askers()
}
