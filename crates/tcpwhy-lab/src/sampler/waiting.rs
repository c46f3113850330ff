//! The kernel's bits that show whether foreign programs wait for room in a send buffer.

use std::collections::HashMap;

use tcpwhy_bpf::{Accountant, Room};
use tcpwhy_model::host::SocketSample;

use super::sample::Sample;

/// Reader, by BPF, of the sockets whose programs wait for room in a send buffer. It sees writes as they
/// happen.
#[derive(Debug)]
pub(crate) struct WriterWatch(Accountant);

impl WriterWatch {
    /// Attaches the BPF programs; `None` if the kernel or the capabilities do not allow it.
    pub(crate) fn attach() -> Option<Self> {
        Accountant::attach(0, false).ok().map(Self)
    }

    /// The sockets of this host with data to send, by cookie; empty if the kernel does not answer.
    pub(super) fn look(&mut self) -> HashMap<u64, Seen> {
        let mut seen = HashMap::new();
        // Records before an error are valid; the other sockets stay unknown in this sample.
        let _ = self.0.tell(false, |told| {
            seen.insert(told.sample.key.cookie, Seen { socket: told.sample.socket, room: told.room });
        });
        seen
    }
}

/// A socket at the instant when its bits were read.
#[derive(Debug)]
pub(super) struct Seen {
    socket: SocketSample,
    room: Room,
}

impl Seen {
    /// Replaces the sample's queues, buffers and bits by those that BPF read in one instant, after
    /// `sock_diag`.
    pub(super) fn apply(&self, sample: &mut Sample) {
        let Self { socket, room } = self;
        (sample.awaits_room, sample.nodelay) = (room.is_awaited(), Some(room.is_nodelay()));
        let state = &mut sample.socket;
        state.outq = Some(socket.send_queue);
        state.unsent = socket.info.notsent_bytes;
        state.memory.transmit_allocated = socket.memory.transmit_allocated;
        state.memory.send_queued = socket.memory.send_queued;
        state.memory.send_buffer = socket.memory.send_buffer;
        for (name, value) in socket.info.known() {
            if let Some(field) = state.info.field_mut(name) {
                *field = Some(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SocketState;

    #[test]
    fn bits_come_with_the_queue_of_their_instant() {
        let mut socket = SocketSample { send_queue: 7, ..SocketSample::default() };
        (socket.info.notsent_bytes, socket.info.snd_cwnd) = (Some(3), Some(20));
        let socket_state = SocketState { outq: Some(9), unsent: Some(0), ..SocketState::default() };
        let mut sample = Sample { socket: socket_state, ..Sample::default() };
        (sample.socket.info.snd_cwnd, sample.socket.info.rcv_space) = (Some(10), Some(5));
        let room = Room::default();
        Seen { socket, room }.apply(&mut sample);
        assert_eq!((sample.awaits_room, sample.socket.outq, sample.socket.unsent), (Some(false), Some(7), Some(3)));
        assert_eq!(sample.nodelay, Some(false));
        assert_eq!((sample.socket.info.snd_cwnd, sample.socket.info.rcv_space), (Some(20), Some(5)));
    }
}
