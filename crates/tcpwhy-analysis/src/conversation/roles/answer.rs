//! A message of the other end after a request.

use super::Scene;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    !scene.is_askers()
}
