//! What is known of the path's narrowest place, once all is seen.

use tcpwhy_model::{Detail, LimitTimeline};

use crate::facts::half::Half;
use crate::facts::half::policing::{LossLine, Policer};
use crate::thresholds::{HELD_FLIGHT, KEPT_FLIGHT, RESTING, part};

/// What losses and a steady rate show of the path.
#[derive(Clone, Debug)]
pub(crate) enum Bottleneck {
    /// Nothing.
    Unknown,
    /// Its queue overflows: losses came while more was in flight than it holds, and soon less is.
    Overflown,
    /// A policer dropped.
    Policer(Box<Policer>),
    /// Queues were full at losses, and delivery stayed near its maximum: that is all that the path gives, bytes per second.
    Full(f64),
    /// Most of the time data arrived at one rate and nothing faster, and more was in flight than the path holds: that is all
    /// that the path gives, bytes per second.
    Held(f64),
    /// The same with less in flight: enough to show that a buffer costs nothing, not that a writer with a pace of its own has more.
    Kept(f64),
}

impl Bottleneck {
    /// What `half` shows of the path, whose time is under `limits`.
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

    /// What `half` shows where data arrived at `rate` most of the time.
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

    /// Whether its rate shows in losses or in a queue.
    pub(crate) const fn is_rate_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Overflown)
    }

    /// The losses of `half`, where they lie on no line of their own.
    pub(super) fn loss_line(&self, half: &Half) -> Option<Box<LossLine>> {
        let has_line = matches!(self, Self::Policer(policer) if policer.burst.is_some());
        if has_line { None } else { half.loss_line() }
    }
}

/// The application had nothing to send for too much of the time: the path was not at work then.
fn is_resting(limits: &LimitTimeline) -> bool {
    let rests = [Detail::Idle, Detail::Think, Detail::PeerTurn, Detail::CloseWait];
    let rested: i64 = rests.iter().map(|&rest| limits.nanos_of_cause(rest.into())).sum();
    part(rested, limits.span().nanos()) > RESTING
}
