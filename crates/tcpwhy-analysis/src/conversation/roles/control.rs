//! A record that controls the connection: SETTINGS, window updates and PING of HTTP/2, or two of them. It is
//! far smaller than any request. It follows a finished answer at once and brings no data. Or the same bytes
//! answer the last of them at once (RFC 9113 §6.7).

use super::super::message::Message;
use super::super::role::Role;
use super::Scene;
use crate::thresholds::{ANSWER_MOST, CONTROL_MOST, CONTROL_RECORDS, OUTPUT_TIMES};

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    let is_of_asker = scene.is_askers() && is_brief(scene.message) && scene.is_small_here(scene.message.largest_piece);
    let brings_nothing = scene.is_left_alone() && !brings_page(scene);
    is_of_asker && (follows_answer(scene) && brings_nothing || is_echoed(scene)) || is_reply(scene)
}

fn is_brief(message: &Message) -> bool {
    message.largest_piece <= CONTROL_MOST && message.bytes <= CONTROL_MOST.get().saturating_mul(CONTROL_RECORDS.get())
}

fn follows_answer(scene: &Scene<'_>) -> bool {
    let is_after = matches!(scene.role_before(), Some(Role::Answer | Role::Continued | Role::Control));
    is_after && scene.message.is_prompt(scene.rtt)
}

/// Whether the next message is an answer. A client of HTTP/2 confirms the server's SETTINGS, which come
/// sooner than the page. This is so for the first message after a TLS handshake, and if the page is far
/// longer than the message before.
fn brings_page(scene: &Scene<'_>) -> bool {
    let answered = scene.learnt.answered.saturating_mul(OUTPUT_TIMES.get());
    let is_after_first = scene.learnt.exchanges == 0 && scene.role_before() == Some(Role::Answer);
    let is_first = scene.learnt.has_tls && is_after_first;
    scene.next.is_some_and(|next| {
        let is_soon = next.speaker != scene.asker && next.waited() < ANSWER_MOST.get();
        is_soon && (is_first || next.bytes >= answered)
    })
}

/// Whether the same number of bytes answers it at once, or the last of two records.
fn is_echoed(scene: &Scene<'_>) -> bool {
    let is_echo = |next: &&Message| next.bytes == scene.message.last_piece && next.is_prompt(scene.rtt);
    scene.next.is_some_and(|next| next.speaker != scene.asker && is_echo(&next))
}

/// Whether the message is the other end's answer to such a record, or to a heartbeat.
fn is_reply(scene: &Scene<'_>) -> bool {
    let follows = matches!(scene.role_before(), Some(Role::Control | Role::Heartbeat));
    !scene.is_askers() && follows && scene.learnt.asked.is_none() && scene.message.is_prompt(scene.rtt)
}
