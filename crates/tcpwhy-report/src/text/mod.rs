//! The terminal report: the answer in the first three lines, then what it rests on.

mod across;
mod audit;
mod bars;
mod buffers;
mod captures;
mod compare;
mod details;
mod failures;
mod findings;
mod groups;
pub(crate) mod headline;
mod kernel;
mod lab;
pub(crate) mod look;
mod moment;
mod overview;
mod page;
pub(crate) mod palette;
mod report;
mod rules;
mod small_table;
mod spent;
mod strip;
mod table;

pub use audit::AuditPage;
pub use buffers::{BuffersDetail, buffers_page};
pub use compare::CompareReport;
pub use groups::GroupBy;
pub use headline::Headline;
pub use lab::{LabStory, lab_comparison, lab_list, lab_ratios, lab_run, lab_story, lab_summary};
pub use look::Look;
pub use moment::{MomentCheck, MomentReport};
pub use overview::{Order, Overview};
pub use report::Report;
pub use rules::{RuleEntry, rule_list, rule_page};
pub use small_table::Table;
