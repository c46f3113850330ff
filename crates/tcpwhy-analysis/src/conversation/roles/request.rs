//! The end that asks says something that is nothing else. A status line answers.

use tcpwhy_model::Record;

use super::Scene;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    scene.is_askers() && scene.message.record != Record::StatusLine
}
