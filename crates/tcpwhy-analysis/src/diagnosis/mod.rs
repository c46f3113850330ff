//! Derives findings, a verdict and predictions from the timeline of a connection.

mod buffer_source;
mod diagnose;
mod each_end;
pub(crate) mod evidence;
pub(crate) mod facts;
mod finding;
mod loss_fixes;
pub(crate) mod neighbour_facts;
pub(crate) mod pair_facts;
pub(crate) mod prediction;
mod rule;
pub(crate) mod rules;
pub(crate) mod severity;
mod socket_rules;
pub(crate) mod verdict;

pub(crate) use diagnose::{diagnose_connection, diagnose_half, diagnose_neighbours, diagnose_pair, take_over};
pub use diagnose::{explains, order_findings, severity_of};
pub(crate) use each_end::longer;
pub use rule::Rule;
pub(crate) use rule::{Detect, OfRequests};
pub use rules::RULES;
