//! What each message is: an ordered list of hypotheses, a file for each; the first that holds decides, and
//! the last always does.

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

/// One thing that a message may be.
struct Hypothesis {
    role: Role,
    holds: fn(&Scene<'_>) -> bool,
}

const fn hypothesis(role: Role, holds: fn(&Scene<'_>) -> bool) -> Hypothesis {
    Hypothesis { role, holds }
}

/// The first that holds decides.
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

/// What the message of `scene` is.
pub(super) fn role_of(scene: &Scene<'_>) -> Role {
    ROLES.iter().find(|hypothesis| (hypothesis.holds)(scene)).map_or(Role::Push, |hypothesis| hypothesis.role)
}
