//! Words that two samples of a socket show between them.

use tcpwhy_model::Detail;
use tcpwhy_model::host::{SocketSample, TcpInfo};

use super::thresholds::{LONGEST_GRANT, LONGEST_OWN_PACE, MICROSECOND, SHORT_ANSWER, SILENT, WAITED_PARTS};

/// What was said between two samples, as their counters show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Only this side spoke, so shortly before the second sample that it rests no longer than it writes.
    Own,
    /// The peer spoke about as often as a round trip allows: this side waited for that.
    Peers,
    /// The same, in short words after much data: what grants more.
    Grants,
    /// Neither, or nobody knows.
    Other,
}

impl Words {
    /// What time with nothing to send was.
    pub(super) const fn rest(self) -> Detail {
        match self {
            Self::Own => Detail::PacedWrites,
            Self::Peers | Self::Grants => Detail::PeerTurn,
            Self::Other => Detail::Idle,
        }
    }

    pub(super) fn between(a: &SocketSample, b: &SocketSample, nanos: i64) -> Self {
        // A SYN has no counters yet.
        let grown = |of: fn(&TcpInfo) -> Option<u64>| Some(of(&b.info)?.saturating_sub(of(&a.info).unwrap_or(0)));
        let (Some(sent), Some(received)) = (grown(|info| info.bytes_acked), grown(|info| info.bytes_received)) else {
            return Self::Other;
        };
        let two_segments = b.info.snd_mss.map_or(u64::MAX, |mss| SHORT_ANSWER * mss);
        if received == 0 {
            let was_heard = b.info.last_data_recv.is_some_and(|since| since <= SILENT);
            let writes = b.info.last_data_sent.is_some_and(|since| since <= LONGEST_OWN_PACE);
            return match was_heard {
                // An answer, which is still in flight or acknowledged.
                true if sent <= two_segments => Self::Peers,
                false if sent > 0 && writes => Self::Own,
                _ => Self::Other,
            };
        }
        let words = grown(|info| info.data_segs_in).unwrap_or(1).max(1);
        let round_trip = b.info.rtt.unwrap_or_default().saturating_mul(MICROSECOND).cast_signed();
        let waited = round_trip.saturating_mul(words.cast_signed());
        let is_much = sent / words > two_segments;
        if waited.saturating_mul(WAITED_PARTS) < nanos {
            // Few words, and little after each: turns with rests between them.
            return if is_much { Self::Other } else { Self::Peers };
        }
        if is_much && received / words <= LONGEST_GRANT { Self::Grants } else { Self::Peers }
    }
}

#[cfg(test)]
mod terms;
