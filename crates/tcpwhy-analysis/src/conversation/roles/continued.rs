//! The remaining part of an answer whose server was silent within it.

use super::super::role::Role;
use super::Scene;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    scene.message.is_unasked() && matches!(scene.role_before(), Some(Role::Answer | Role::Continued))
}
