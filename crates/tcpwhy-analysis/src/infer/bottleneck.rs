//! Knowledge about the bottleneck of the path, after the direction's last packet.

use tcpwhy_model::{Detail, LimitTimeline};

use crate::facts::half::Half;
use crate::facts::half::policing::{LossLine, Policer};
use crate::thresholds::{HELD_FLIGHT, KEPT_FLIGHT, RESTING, part};

/// Rate and queue of the path, as losses and a steady rate show them.
#[derive(Clone, Debug)]
pub(crate) enum Bottleneck {
    /// The packets do not show the bottleneck.
    Unknown,
    /// The queue of the bottleneck overflowed: losses came while more was in flight than the path holds, and
    /// more than most of the time.
    Overflown,
    /// A policer dropped packets.
    Policer(Box<Policer>),
    /// Queues were full at losses and delivery stayed near its maximum, so this rate is the path's, bytes per
    /// second.
    Full(f64),
    /// Data arrived at this rate most of the time and never faster, and more was in flight than the path
    /// holds. So the rate is the path's, bytes per second.
    Held(f64),
    /// Like `Held`, with fewer bytes in flight. A larger buffer would not help, but a writer with a pace of
    /// its own could look the same.
    Kept(f64),
}

impl Bottleneck {
    /// Bottleneck that `half` shows, given the time under each limit.
    pub(super) fn of(half: &Half, limits: &LimitTimeline) -> Self {
        if half.ledger.rtt_min().is_none() {
            return Self::Unknown;
        }
        if let Some(policer) = half.policer() {
            return Self::Policer(Box::new(policer));
        }
        let at_one_rate = half.steady_rate().and_then(|rate| Self::at(rate, half, limits));
        at_one_rate.unwrap_or_else(|| if half.has_overflown_queue() { Self::Overflown } else { Self::Unknown })
    }

    /// Bottleneck of a direction whose data arrived at `rate` most of the time, bytes per second.
    fn at(rate: f64, half: &Half, limits: &LimitTimeline) -> Option<Self> {
        if half.has_filled_path(rate) {
            Some(Self::Full(rate))
        } else if is_resting(limits) {
            None
        } else if half.is_queue_held_by(rate, HELD_FLIGHT.get()) {
            Some(Self::Held(rate))
        } else if half.is_queue_held_by(rate, KEPT_FLIGHT.get()) {
            Some(Self::Kept(rate))
        } else {
            None
        }
    }

    /// Whether losses or a queue show the rate of the path.
    pub(crate) const fn is_rate_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Overflown)
    }

    /// Losses of `half` that may be a shared policer's; `None` if they already show a policer with its burst.
    pub(super) fn loss_line(&self, half: &Half) -> Option<Box<LossLine>> {
        let has_line = matches!(self, Self::Policer(policer) if policer.burst.is_some());
        if has_line { None } else { half.loss_line() }
    }
}

/// Whether the application had nothing to send for too much of the time, so that a steady rate is not the
/// path's.
fn is_resting(limits: &LimitTimeline) -> bool {
    let rests = [Detail::Idle, Detail::Think, Detail::PeerTurn, Detail::CloseWait];
    let rested: i64 = rests.iter().map(|&rest| limits.nanos_of_cause(rest.into())).sum();
    part(rested, limits.span().nanos()) > RESTING
}
