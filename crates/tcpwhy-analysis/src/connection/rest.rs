//! Long pauses of a connection, and whether the other end or the path still knew the connection afterwards.

use tcpwhy_model::{Segment, TcpFlags};

use super::ConnectionState;
use crate::outcome::Side;
use crate::seen::Forgotten;
use crate::thresholds::{BLACKOUT_LEAST, BLACKOUT_TIME, FORGETTING_REST, FORGETTING_REST_RESET};

/// The long pauses of both ends of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Rests {
    /// The longest pause after which the first packet was answered.
    survived: i64,
    /// The last pause, until something answers the packets after it.
    open: Option<Open>,
    /// A host that did not know the connection answered the packets after a pause with a reset.
    reset: Option<Forgotten>,
}

/// A pause, and the packets after it.
#[derive(Clone, Copy, Debug)]
struct Open {
    nanos: i64,
    side: Side,
    since: i64,
    last: i64,
    packets: u32,
    is_probe: bool,
}

impl ConnectionState {
    /// Records the next packet, `silence` nanoseconds after the previous one, before the packet changes any
    /// other state.
    #[cold]
    pub(super) fn follow_rests(&mut self, segment: &Segment, side: Side, time: i64, silence: i64) {
        let is_mine =
            segment.payload_len > 0 || segment.flags == TcpFlags::ACK && self.ends[side.index()].is_probe(segment.seq);
        if silence >= FORGETTING_REST_RESET.get() && self.is_resting() {
            let opened = is_mine.then(|| self.open_rest(segment, side, time, silence)).flatten();
            self.rests.get_or_insert_default().open = opened;
            return;
        }
        let Some(open) = self.rests.as_ref().and_then(|r| r.open) else { return };
        if side == open.side {
            if let Some(open) = self.rests.as_mut().and_then(|r| r.open.as_mut()).filter(|_| is_mine) {
                (open.packets, open.last) = (open.packets + 1, time);
                open.is_probe &= segment.payload_len <= 1;
            }
            return;
        }
        // An end that has the data, or acknowledges it, knows the connection. A reset from a host without it
        // has no acknowledgment (RFC 9293 §3.10.7.1), or none of that data.
        let is_reset = segment.flags.contains(TcpFlags::RST);
        let end = &self.ends[open.side.index()];
        let is_stranger = !segment.flags.contains(TcpFlags::ACK) || end.is_next(segment.ack);
        let Some(rests) = &mut self.rests else { return };
        rests.open = None;
        if is_reset && is_stranger {
            rests.reset = Some(Forgotten {
                rest: open.nanos,
                survived: rests.survived,
                packets: open.packets,
                nanos: time - open.since,
                is_reset: true,
                is_probe: open.is_probe,
            });
        } else if !is_reset {
            rests.survived = rests.survived.max(open.nanos);
        }
    }

    /// Whether nothing was in flight and neither end had closed.
    fn is_resting(&self) -> bool {
        self.reset.is_none()
            && self.rests.as_ref().is_none_or(|r| r.open.is_none())
            && self.ends.iter().all(|e| e.packets > 0 && e.fin.is_none() && e.is_acknowledged())
    }

    /// The pause that `segment` ends, if both streams continue where they stopped. Otherwise the capture
    /// missed packets.
    fn open_rest(&self, segment: &Segment, side: Side, time: i64, silence: i64) -> Option<Open> {
        let (end, peer) = (&self.ends[side.index()], &self.ends[side.peer().index()]);
        let is_probe = segment.payload_len <= 1 && end.is_probe(segment.seq);
        let has_turn = segment.flags.0 & (TcpFlags::SYN.0 | TcpFlags::FIN.0 | TcpFlags::RST.0) != 0;
        let is_whole = (is_probe || end.is_next(segment.seq)) && peer.is_next(segment.ack);
        (is_whole && !has_turn && !end.is_window_closed()).then_some(Open {
            nanos: silence,
            side,
            since: time,
            last: time,
            packets: 1,
            is_probe,
        })
    }

    /// The pause after which neither the path nor the other end knew the connection any more.
    pub(super) fn forgotten(&self) -> Option<Forgotten> {
        let rests = self.rests.as_ref()?;
        let found = rests.reset.or_else(|| {
            let open = rests.open.filter(|open| open.nanos >= FORGETTING_REST.get())?;
            let silent = Forgotten {
                rest: open.nanos,
                survived: rests.survived,
                packets: open.packets,
                nanos: open.last - open.since,
                is_reset: false,
                is_probe: open.is_probe,
            };
            // Data is retransmitted at doubling intervals, keep-alives at equal ones.
            let is_silent = if open.is_probe {
                open.packets >= BLACKOUT_LEAST.get() && silent.nanos >= BLACKOUT_TIME.get()
            } else {
                self.ends[open.side.index()].silence().is_some()
            };
            is_silent.then_some(silent)
        })?;
        // The connection had survived a longer pause.
        (found.survived < found.rest).then_some(found)
    }
}

#[cfg(test)]
mod terms;
