//! An application replies at once to an unrequested message. It requests nothing: the other end sends more
//! data when it has some.

use super::super::role::Role;
use super::Scene;
use crate::thresholds::SMALL_MESSAGE;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    let is_prompt = scene.is_askers() && scene.message.is_prompt(scene.rtt);
    let is_reply = follows_push(scene) && (is_left_alone(scene) || is_echo(scene));
    is_prompt && (is_reply || is_usual_reply(scene) || confirms(scene))
}

/// Whether it has a few bytes, the same number as the unrequested message: a heartbeat is echoed. The next
/// message has no more bytes than that.
fn is_echo(scene: &Scene<'_>) -> bool {
    let bytes = scene.message.bytes;
    let brings_more = scene.next.is_some_and(|next| next.speaker != scene.asker && next.bytes > bytes);
    bytes <= SMALL_MESSAGE && bytes == scene.learnt.said && !brings_more
}

/// Whether the other end had sent more data, and this is the usual reply to that.
fn confirms(scene: &Scene<'_>) -> bool {
    (follows_push(scene) || scene.learnt.went_on) && scene.is_confirmation(scene.message)
}

/// Whether the message before was unrequested, as far as known.
fn follows_push(scene: &Scene<'_>) -> bool {
    matches!(scene.role_before(), Some(Role::Push | Role::Unclear))
}

/// Whether the other end does not answer it. A large message counts only if it surely follows a push:
/// otherwise it may be a request with a slow answer.
fn is_left_alone(scene: &Scene<'_>) -> bool {
    let is_small = scene.message.bytes <= SMALL_MESSAGE;
    let is_certain = scene.role_before() == Some(Role::Push);
    scene.is_left_alone() && (is_small || is_certain)
}

/// Whether this is the usual reply to the other end, which sends unrequested messages, now or at other times.
fn is_usual_reply(scene: &Scene<'_>) -> bool {
    let (asker, other) = (scene.habits.of(scene.asker), scene.habits.of(scene.asker.peer()));
    let is_unasked = !other.is_prompt() && follows_push(scene) || other.has_pushed();
    asker.is_usual_reply(scene.message) && is_unasked
}
