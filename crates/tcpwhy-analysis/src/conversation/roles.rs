//! Role of each message: an ordered list of hypotheses, with a file for each. The first that applies decides,
//! and the last always applies.

mod acknowledgement;
mod answer;
mod continued;
mod control;
mod goodbye;
mod greeting;
mod heartbeat;
mod push;
mod request;
mod unclear;

use super::role::Role;
use super::scene::Scene;

/// A possible role of a message, with its condition.
struct Hypothesis {
    role: Role,
    holds: fn(&Scene<'_>) -> bool,
}

const fn hypothesis(role: Role, holds: fn(&Scene<'_>) -> bool) -> Hypothesis {
    Hypothesis { role, holds }
}

/// Hypotheses in the order in which they are tried. The first that applies decides.
const ROLES: [Hypothesis; 10] = [
    hypothesis(Role::Greeting, greeting::holds),
    hypothesis(Role::Goodbye, goodbye::holds),
    hypothesis(Role::Acknowledgement, acknowledgement::holds),
    hypothesis(Role::Control, control::holds),
    hypothesis(Role::Heartbeat, heartbeat::holds),
    hypothesis(Role::Request, request::holds),
    hypothesis(Role::Push, push::holds),
    hypothesis(Role::Continued, continued::holds),
    hypothesis(Role::Unclear, unclear::holds),
    hypothesis(Role::Answer, answer::holds),
];

/// Returns the role of the message of `scene`.
pub(super) fn role_of(scene: &Scene<'_>) -> Role {
    ROLES.iter().find(|hypothesis| (hypothesis.holds)(scene)).map_or(Role::Push, |hypothesis| hypothesis.role)
}
