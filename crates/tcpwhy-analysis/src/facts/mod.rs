//! What was seen of each direction, from its packets alone: gaps between sends, what they show, and slots of about a round trip.
//! Nothing here names a cause.

pub(crate) mod bytes;
pub(crate) mod context;
pub(crate) mod gap_fact;
pub(crate) mod half;
mod measures;
pub(crate) mod slot;
