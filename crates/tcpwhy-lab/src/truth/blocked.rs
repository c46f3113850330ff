//! Whether a program is blocked in a write, and the source of this knowledge.

use serde::{Deserialize, Serialize};

use crate::sampler::Sample;
use crate::work::Doing;

/// The source from which it is known whether a program was blocked in a write. This distinguishes a full send
/// buffer from an application with nothing to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockedFrom {
    /// The clock of the lab's own writer around its calls.
    Writer,
    /// `SOCK_NOSPACE`, `sk_write_pending` and refused writes of a foreign program, read by BPF.
    Kernel,
    /// No source: BPF is not available, or the recording is older than this field. Time in which either could
    /// be true is in `undecided_pct`.
    #[default]
    Unknown,
}

/// Whether the program of this sample waits for room in its send buffer; `None` if it is not known.
pub(super) fn is_blocked(sample: &Sample) -> Option<bool> {
    if let Some(program) = sample.program {
        return Some(program.doing == Doing::Send);
    }
    sample.awaits_room.or_else(|| has_room(sample).then_some(false))
}

/// Whether a third of the send buffer is free: the kernel then wakes every program that waits for room
/// (`sk_stream_write_space`).
fn has_room(sample: &Sample) -> bool {
    let memory = &sample.socket.memory;
    matches!((memory.send_queued, memory.send_buffer), (Some(queued), Some(buffer)) if 3 * queued < 2 * buffer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{Held, SocketTraits, held};
    use crate::work::Glimpse;

    fn sample(queued: u64) -> Sample {
        let mut sample = Sample::default();
        (sample.socket.outq, sample.socket.unsent) = (Some(14_480), Some(0));
        (sample.socket.memory.send_queued, sample.socket.memory.send_buffer) = (Some(queued), Some(30_000));
        sample.socket.info.ca_state = Some(0);
        sample
    }

    #[track_caller]
    fn check(sample: &Sample, expected: Option<Held>) {
        assert_eq!(held(sample, SocketTraits::default()), expected);
    }

    /// A full buffer of an HTTP/2 server that waits for a window update: no write is blocked.
    #[test]
    fn a_full_buffer_is_no_wait() {
        check(&Sample { awaits_room: Some(false), ..sample(29_000) }, Some(Held::App));
        check(&Sample { awaits_room: Some(true), ..sample(29_000) }, Some(Held::Sndbuf));
    }

    #[test]
    fn time_that_fits_both_is_neither() {
        check(&sample(20_000), None);
        check(&sample(19_999), Some(Held::App));
        // A limit that does not depend on the wait is known.
        let mut lossy = sample(29_000);
        lossy.socket.info.ca_state = Some(3);
        check(&lossy, Some(Held::Loss));
    }

    #[test]
    fn the_clock_of_the_writer_goes_first() {
        let program = Some(Glimpse { doing: Doing::Send, ..Glimpse::default() });
        check(&Sample { program, awaits_room: Some(false), ..sample(0) }, Some(Held::Sndbuf));
    }
}
