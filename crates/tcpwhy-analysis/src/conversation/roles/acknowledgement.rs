//! An application replies to what it was sent unasked, at once. It asks for nothing: the other end speaks
//! again when it has something to say.

use super::super::role::Role;
use super::Scene;
use crate::thresholds::SMALL_MESSAGE;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    let is_prompt = scene.is_askers() && scene.message.is_prompt(scene.rtt);
    let is_reply = follows_push(scene) && (is_left_alone(scene) || is_echo(scene));
    is_prompt && (is_reply || is_usual_reply(scene) || confirms(scene))
}

/// A few bytes, as many as came unasked: a heartbeat is sent back. What follows brings no more than that.
fn is_echo(scene: &Scene<'_>) -> bool {
    let bytes = scene.message.bytes;
    let brings_more = scene.next.is_some_and(|next| next.speaker != scene.asker && next.bytes > bytes);
    bytes <= SMALL_MESSAGE && bytes == scene.learnt.said && !brings_more
}

/// The other end had spoken again, and this is what it always gets for that.
fn confirms(scene: &Scene<'_>) -> bool {
    (follows_push(scene) || scene.learnt.went_on) && scene.is_confirmation(scene.message)
}

/// Nobody had asked for what came before, as far as is known.
fn follows_push(scene: &Scene<'_>) -> bool {
    matches!(scene.role_before(), Some(Role::Push | Role::Unclear))
}

/// The other end leaves it alone. Much is left alone only if it surely follows a push: else it may be a
/// request that takes long.
fn is_left_alone(scene: &Scene<'_>) -> bool {
    let is_small = scene.message.bytes <= SMALL_MESSAGE;
    let is_certain = scene.role_before() == Some(Role::Push);
    scene.is_left_alone() && (is_small || is_certain)
}

/// This is the reply that the other end always gets, and it speaks unasked: now, or at other times.
fn is_usual_reply(scene: &Scene<'_>) -> bool {
    let (asker, other) = (scene.habits.of(scene.asker), scene.habits.of(scene.asker.peer()));
    let is_unasked = !other.is_prompt() && follows_push(scene) || other.has_pushed();
    asker.is_usual_reply(scene.message) && is_unasked
}
