//! Facts about a connection that packets proved, without judgement: `connection/` records them, `diagnosis/`
//! evaluates them.

mod clock_trips;
mod ending;
mod hop_limits;
mod silence;
mod syn;
mod undelivered;

pub(crate) use clock_trips::ClockTrips;
pub(crate) use ending::{Awaited, HoleLeftOpen, IdleClose, ResetFacts, Stopped, UnansweredEnd, UnansweredRequest};
pub(crate) use hop_limits::HopLimits;
pub(crate) use silence::{Blackout, Forgotten, KeepAlives, Silence};
pub(crate) use syn::{EcnOffer, SynChecksums, SynFacts, Unaccepted};
pub(crate) use undelivered::UndeliveredCounts;
