//! What held a sender back at an instant, from its own socket.

use serde::{Deserialize, Serialize};

use crate::sampler::{Sample, SocketState};
use crate::work::Doing;

/// What held the sender back. The names are those of the recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// Nothing was sent and nothing was to be sent.
    Idle,
    /// All was sent, and the application gave nothing more.
    App,
    /// Less than a segment was there, and it waited for an acknowledgement.
    Nagle,
    /// Not as much as a segment was left to be sent, and the application could not give more: its send buffer was full.
    Sndbuf,
    /// Data waited, and the peer's window had the least room.
    Rwnd,
    /// Data waited, and the congestion window had the least room.
    Cwnd,
    /// Data waited for the pacer.
    Pacing,
    /// Data waited for the sender's own interface (TCP small queues).
    Nic,
    /// Lost data was being repaired.
    Loss,
}

/// What a socket does that samples do not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Its congestion control paces (BBR).
    pub paces: bool,
    /// `TCP_NODELAY`.
    pub nodelay: bool,
}

/// `TCP_CA_Recovery`; `TCP_CA_Loss` follows it.
const CA_RECOVERY: u64 = 3;

/// `GSO_LEGACY_MAX_SIZE`: TCP sends no more than that at once.
const LARGEST_BURST: u64 = 65_536;

/// What an skb of one segment takes besides its data (`SKB_TRUESIZE`, about).
const SKB_OVERHEAD: u64 = 800;

/// What held the sender back in this sample; `None` if the kernel did not say enough.
///
/// The order is that of `tcp_write_xmit`, which asks the congestion window, the peer's window, Nagle and small queues only for
/// data that is there. A recovery goes before all of it: until it ends the rest is not what the transfer waits for.
pub fn held(sample: &Sample, manner: Manner) -> Option<Held> {
    let socket = &sample.socket;
    let info = &socket.info;
    let (outq, unsent) = (socket.outq?, socket.unsent.or(info.notsent_bytes)?);
    if outq == 0 {
        return Some(Held::Idle);
    }
    if info.ca_state? >= CA_RECOVERY {
        return Some(Held::Loss);
    }
    if unsent == 0 {
        return Some(if is_buffer_full(sample) { Held::Sndbuf } else { Held::App });
    }
    let mss = info.snd_mss?.max(1);
    let in_flight = segments_in_flight(socket)?;
    let window_room = info.snd_wnd.map_or(u64::MAX, |window| window.saturating_sub(outq - unsent.min(outq)));
    let cwnd_room = info.snd_cwnd?.saturating_sub(in_flight) * mss;
    if unsent < mss && unsent <= window_room && cwnd_room > 0 {
        // A program that has more is not held by Nagle: what it gave next would fill the segment.
        if is_buffer_full(sample) {
            return Some(Held::Sndbuf);
        }
        return Some(if in_flight > 0 && !manner.nodelay { Held::Nagle } else { Held::App });
    }
    let least = if window_room <= cwnd_room { Held::Rwnd } else { Held::Cwnd };
    if window_room.min(cwnd_room) < mss {
        return Some(least);
    }
    let burst = info.pacing_rate.unwrap_or(u64::MAX) / 1024; // sk_pacing_shift: about a millisecond of it
    if socket.memory.transmit_allocated.unwrap_or_default() > burst.max(2 * (mss + SKB_OVERHEAD)) {
        return Some(Held::Nic);
    }
    if manner.paces && !(least == Held::Rwnd && window_room < burst.clamp(2 * mss, LARGEST_BURST)) {
        return Some(Held::Pacing);
    }
    Some(least)
}

/// Whether a program that has nothing left to be sent waits for room in the send buffer.
fn is_buffer_full(sample: &Sample) -> bool {
    if let Some(program) = sample.program {
        return program.doing == Doing::Send;
    }
    // Somebody else's program: once the buffer was full, the kernel wakes it when a third of it is free (`sk_stream_write_space`).
    let memory = &sample.socket.memory;
    matches!((memory.send_queued, memory.send_buffer), (Some(queued), Some(buffer)) if 3 * queued >= 2 * buffer)
}

/// `tcp_packets_in_flight`.
fn segments_in_flight(socket: &SocketState) -> Option<u64> {
    let info = &socket.info;
    let left = info.sacked? + info.lost?;
    Some((info.unacked? + info.retrans?).saturating_sub(left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Glimpse;

    /// 10 segments in flight of a window of 20, 50 kB of room at the peer, nothing unsent, an application elsewhere.
    fn sample() -> Sample {
        let mut sample = Sample { program: Some(Glimpse::default()), ..Sample::default() };
        let socket = &mut sample.socket;
        (socket.outq, socket.unsent) = (Some(14_480), Some(0));
        socket.memory.transmit_allocated = Some(0);
        let info = &mut socket.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1448), Some(20), Some(10));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(64_480));
        info.pacing_rate = Some(2_000_000);
        sample
    }

    #[track_caller]
    fn check(expected: Held, change: impl FnOnce(&mut Sample)) {
        let mut sample = sample();
        change(&mut sample);
        assert_eq!(held(&sample, Manner::default()), Some(expected));
    }

    fn unsent(sample: &mut Sample, bytes: u64) {
        sample.socket.outq = Some(14_480 + bytes);
        sample.socket.unsent = Some(bytes);
    }

    #[test]
    fn nothing_to_send() {
        check(Held::App, |_| ());
        check(Held::Idle, |s| s.socket.outq = Some(0));
        check(Held::Nagle, |s| unsent(s, 500));
        check(Held::App, |s| {
            unsent(s, 500);
            s.socket.info.unacked = Some(0);
        });
    }

    #[test]
    fn all_sent_and_inside_send_is_the_send_buffer() {
        let sends = Some(Glimpse { doing: Doing::Send, ..Glimpse::default() });
        check(Held::Sndbuf, |s| s.program = sends);
        check(Held::Sndbuf, |s| {
            unsent(s, 500);
            s.program = sends;
        });
    }

    #[test]
    fn an_unknown_program_shows_itself_in_the_buffer() {
        let full = |queued| {
            move |s: &mut Sample| {
                s.program = None;
                (s.socket.memory.send_queued, s.socket.memory.send_buffer) = (Some(queued), Some(30_000));
            }
        };
        check(Held::Sndbuf, full(20_000));
        check(Held::App, full(19_999));
    }

    #[test]
    fn the_least_room_holds() {
        check(Held::Cwnd, |s| {
            unsent(s, 100_000);
            s.socket.info.unacked = Some(20);
        });
        check(Held::Rwnd, |s| {
            unsent(s, 100_000);
            s.socket.info.snd_wnd = Some(14_480 + 1000);
        });
        // What is sacked has left, what was sent again has not.
        check(Held::Rwnd, |s| {
            unsent(s, 100_000);
            s.socket.info.snd_wnd = Some(14_480 + 3000);
            (s.socket.info.unacked, s.socket.info.sacked, s.socket.info.retrans) = (Some(20), Some(4), Some(1));
        });
    }

    #[test]
    fn a_recovery_goes_before_the_rest() {
        check(Held::Loss, |s| s.socket.info.ca_state = Some(3));
        check(Held::Cwnd, |s| {
            unsent(s, 100_000);
            s.socket.info.ca_state = Some(2); // CWR: cut by a mark
        });
    }

    #[test]
    fn room_everywhere_leaves_interface_and_pacer() {
        check(Held::Nic, |s| {
            unsent(s, 100_000);
            s.socket.memory.transmit_allocated = Some(30_000);
        });
        let mut waiting = sample();
        unsent(&mut waiting, 100_000);
        assert_eq!(held(&waiting, Manner { paces: true, nodelay: false }), Some(Held::Pacing));
        assert_eq!(held(&waiting, Manner::default()), Some(Held::Cwnd), "14,480 of 50,000");
        // A pacer that finds less room than it sends at once is not what holds.
        waiting.socket.info.snd_wnd = Some(14_480 + 2000);
        assert_eq!(held(&waiting, Manner { paces: true, nodelay: false }), Some(Held::Rwnd));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        assert_eq!(held(&Sample::default(), Manner::default()), None);
    }
}
