//! The server sends data first: SMTP, SSH, `MySQL`.

use super::Scene;

pub(super) fn holds(scene: &Scene<'_>) -> bool {
    !scene.is_askers() && scene.learnt.before.is_none() && scene.has_handshake
}
