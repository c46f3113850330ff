//! Turns facts into the timeline of limits. No other module names a cause.

pub(crate) mod account;
mod around;
pub(crate) mod bottleneck;
pub(crate) mod calibration;
pub(crate) mod conditions;
mod decide;
mod decision;
pub(crate) mod direction;
pub(crate) mod early_exit;
pub(crate) mod followed;
mod hypotheses;
pub(crate) mod moved;
mod rename;
pub(crate) mod summary;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tidy;
mod transferred;
