//! A message of the requesting end that has no other role. A status line is an answer.

use tcpwhy_model::Record;

use super::Scene;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    scene.is_askers() && scene.message.record != Record::StatusLine
}
