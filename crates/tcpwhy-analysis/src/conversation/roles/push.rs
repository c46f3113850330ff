//! An unrequested message.
//!
//! A message after an answer and a silence may be the remaining part of the answer. It is not if it is small,
//! or comes later than anybody waits. Nor is it if this end often sends unrequested messages, or gets its
//! usual reply.

use super::super::message::Message;
use super::super::role::Role;
use super::Scene;
use crate::thresholds::{ANSWER_MOST, SMALL_MESSAGE};

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    // A message of the requesting end that is not a request answers a question of the other end.
    scene.is_askers() || is_nobody_waiting(scene) || is_news(scene)
}

/// Whether neither a request nor an answer is open.
fn is_nobody_waiting(scene: &Scene<'_>) -> bool {
    let is_answering = matches!(scene.role_before(), Some(Role::Answer | Role::Continued));
    scene.learnt.before.is_some() && scene.learnt.asked.is_none() && !is_answering
}

fn is_news(scene: &Scene<'_>) -> bool {
    let message = scene.message;
    let is_little = message.bytes <= SMALL_MESSAGE || message.silence() >= ANSWER_MOST.get();
    let is_usual = scene.is_used_to_push() || is_confirmed(scene);
    message.is_unasked() && scene.learnt.asked.is_none() && (is_little || is_usual)
}

fn is_confirmed(scene: &Scene<'_>) -> bool {
    let asker = scene.habits.of(scene.asker);
    let is_reply = |next: &Message| {
        let is_usual = next.speaker == scene.asker && next.is_prompt(scene.rtt) && asker.is_usual_reply(next);
        is_usual || scene.is_confirmation(next)
    };
    scene.next.is_some_and(is_reply)
}
