//! A timer of the requesting end sends the same few bytes repeatedly to keep the connection alive. A few
//! bytes answer at once, or nothing does. A message that was left unanswered before is a heartbeat as well.

use super::Scene;
use crate::thresholds::SMALL_MESSAGE;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    let is_small = scene.is_askers() && scene.message.bytes <= SMALL_MESSAGE;
    is_small && (is_beat(scene) || was_left_alone(scene))
}

/// Whether it comes from a timer, and brings only a small answer.
fn is_beat(scene: &Scene<'_>) -> bool {
    let brings_little = scene.next.is_none_or(|next| next.bytes <= SMALL_MESSAGE || next.is_late(scene.rtt));
    scene.habits.of(scene.asker).is_heartbeat(scene.message) && brings_little
}

/// Whether the same message was sent before without an answer.
fn was_left_alone(scene: &Scene<'_>) -> bool {
    let same = Some(scene.message.bytes);
    let is_again = scene.message.is_unasked() && scene.learnt.asked == same;
    is_again || scene.learnt.unanswered == same && scene.is_left_alone()
}
