//! The single number that is adjusted so that a world takes as long as the connection did.

use tcpwhy_model::{Detail, Limit};

use crate::draw::Draw;
use crate::shown::Shown;

/// Smallest share of the time for a cause whose number determines the duration.
const LEAST_SHARE: f64 = 0.15;
/// Maximum factor of one adjustment.
const MOST_TIMES: f64 = 4.0;

/// A number that packets show only roughly, but the duration determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    SendBuffer,
    ReceiveBuffer,
    Rests,
    Reader,
}

impl Free {
    /// The one that the verdict names, otherwise that of the longest limit.
    pub(crate) fn of(shown: &Shown<'_>) -> Option<Self> {
        let rested = shown.under_detail(Detail::Idle) + shown.under_detail(Detail::PacedWrites);
        let read = shown.under_detail(Detail::SlowReader) + shown.under_detail(Detail::ZeroWindow);
        let all = [
            (shown.has_full_send_buffer(), shown.under(Limit::SendBuffer), Self::SendBuffer),
            (shown.has_rests(), rested, Self::Rests),
            (shown.has_slow_reader(), read, Self::Reader),
            (shown.has_full_window(), shown.under(Limit::ReceiveWindow) - read, Self::ReceiveBuffer),
        ];
        let named = shown.half.verdict.cause.map(|cause| cause.limit);
        let held = all.into_iter().filter(|&(is_there, ..)| is_there);
        let longest = |is_named: bool| {
            let of = held.clone().filter(move |held| !is_named || Some(held.2.limit()) == named);
            of.max_by(|a, b| a.1.total_cmp(&b.1))
        };
        longest(true)
            .or_else(|| longest(false).filter(|held| held.1 >= LEAST_SHARE * shown.seconds()))
            .map(|held| held.2)
    }

    const fn limit(self) -> Limit {
        match self {
            Self::SendBuffer => Limit::SendBuffer,
            Self::ReceiveBuffer | Self::Reader => Limit::ReceiveWindow,
            Self::Rests => Limit::Application,
        }
    }

    /// Adjusts `draw`, whose world took `times` as long as the connection.
    pub(crate) fn nearer(self, draw: &mut Draw, times: f64) {
        let times = times.clamp(1.0 / MOST_TIMES, MOST_TIMES);
        match self {
            Self::SendBuffer => draw.settled.send_buffer *= times,
            Self::ReceiveBuffer => draw.settled.receive_buffer *= times,
            Self::Rests => draw.settled.rests /= times,
            Self::Reader => draw.settled.reader *= times,
        }
    }
}
