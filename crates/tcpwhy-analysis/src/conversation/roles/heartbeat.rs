//! A timer of the end that asks says the same few bytes again and again. A few bytes answer at
//! once, or nothing does: they keep the connection. So do words that were left unanswered before.

use super::Scene;
use crate::thresholds::SMALL_MESSAGE;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    let is_small = scene.is_askers() && scene.message.bytes <= SMALL_MESSAGE;
    is_small && (is_beat(scene) || was_left_alone(scene))
}

/// It comes by a timer, and brings no more than itself.
fn is_beat(scene: &Scene<'_>) -> bool {
    let brings_little = scene.next.is_none_or(|next| next.bytes <= SMALL_MESSAGE || next.is_late(scene.rtt));
    scene.habits.of(scene.asker).is_heartbeat(scene.message) && brings_little
}

/// The same was said before, and nobody answered.
fn was_left_alone(scene: &Scene<'_>) -> bool {
    let same = Some(scene.message.bytes);
    let is_again = scene.message.is_unasked() && scene.learnt.asked == same;
    is_again || scene.learnt.unanswered == same && scene.is_left_alone()
}
