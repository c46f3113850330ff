//! The last message of an end that closes: a TLS alert, GOAWAY, SSH's disconnect.

use tcpwhy_model::Record;

use super::Scene;
use crate::thresholds::{AS_SLOW, LONG_REST, SMALL_MESSAGE};

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    scene.message.record == Record::Alert || is_last_words(scene)
}

/// Whether the message has a few bytes, long after the one before and right before the end. If it comes no
/// later after a request than other answers did, it is an answer.
fn is_last_words(scene: &Scene<'_>) -> bool {
    let message = scene.message;
    let is_end = scene.closed.is_some_and(|closed| closed - message.last < LONG_REST.get());
    let is_late = message.silence() >= LONG_REST.get();
    let is_last = scene.next.is_none() && message.bytes <= SMALL_MESSAGE && is_late && is_end;
    is_last && !scene.is_askers() && !is_slow_answer(scene)
}

fn is_slow_answer(scene: &Scene<'_>) -> bool {
    let slowest = scene.learnt.slowest.saturating_mul(AS_SLOW.get());
    scene.learnt.asked.is_some() && scene.message.waited() <= slowest
}
