//! Observations of each direction, from its packets alone: gaps between sends, the facts that they prove, and
//! slots of about one round trip. This module names no cause.

pub(crate) mod bytes;
pub(crate) mod context;
pub(crate) mod gap_fact;
pub(crate) mod half;
mod measures;
pub(crate) mod slot;
