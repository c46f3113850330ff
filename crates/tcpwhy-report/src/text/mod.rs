//! The terminal report: the answer in the first three lines, then what it rests on.

mod audit;
mod bars;
mod buffers;
mod captures;
mod details;
mod failures;
mod findings;
mod headline;
mod look;
mod overview;
mod page;
mod palette;
mod report;
mod rules;
mod strip;
mod table;

pub use audit::AuditPage;
pub use buffers::{BuffersDetail, buffers_page};
pub use look::Look;
pub use overview::Overview;
pub use report::Report;
pub use rules::{RuleEntry, rule_list, rule_page};
