//! From the ledger's slots to the limit timeline.

pub(crate) mod account;
mod around;
mod causes;
pub(crate) mod decide;
pub(crate) mod direction;
pub(crate) mod evidence;
pub(crate) mod gap_fact;
pub(crate) mod slot;
pub(crate) mod thresholds;
