//! The sender's limit in a sample.

use tcpwhy_watch::{Held, SenderState, SocketTraits};

use super::blocked;
use crate::sampler::{Sample, SocketState};
use crate::work::Doing;

/// The sender's limit in this sample. `None` if the kernel's data is incomplete. It is also `None` if the
/// limit depends on an unknown wait for room in the send buffer.
pub fn held(sample: &Sample, manner: SocketTraits) -> Option<Held> {
    let SocketState { outq, unsent, memory, info, .. } = &sample.socket;
    let manner = SocketTraits { nodelay: sample.nodelay.unwrap_or(manner.nodelay), ..manner };
    let awaits_peer_window = sample.program.is_some_and(|program| program.doing == Doing::PeerWindow);
    let decided = |is_in_send| {
        let is_in_send = Some(is_in_send);
        let state =
            SenderState { outq: *outq, unsent: *unsent, memory, info, is_in_send, awaits_peer_window, grows: false };
        tcpwhy_watch::held(&state, manner)
    };
    match blocked::is_blocked(sample) {
        Some(is_blocked) => decided(is_blocked),
        None => decided(true).filter(|&held| decided(false) == Some(held)),
    }
}
