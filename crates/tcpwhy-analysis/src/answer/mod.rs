//! The answer as data without words: the reported connection, the reason for its lost time, the change, and
//! the excluded limits.
//!
//! Each question has an ordered list of choices, and the first that applies decides. The choice is stored as
//! a [`Ground`].
//!
//! | list | question | answer |
//! |---|---|---|
//! | `subject::SUBJECT` | which connection do the first lines speak of? | [`Subject`] |
//! | `subject::DIRECTION` | which of its directions? | |
//! | `explanation::EXPLANATION` | what explains its time? | [`Explanation`] |
//! | `advice::ADVICE` | what should be changed about it? | [`Advice`] |
//! | `problem_advice::PROBLEM_ADVICE` | what should be changed about a problem? | [`ProblemAdvice`] |
//! | `concern::CONCERN` | what is wrong with it where no problem is? | |
//! | `lines::WHY`, `lines::FIX` | what does each line say? | [`Answer`] |
//!
//! All valid exclusions are listed ([`Exclusion`]). [`named_doubts`] are the doubts that are worth a
//! sentence. [`mostly_waited`] finds the directions that do not count in sums.

mod advice;
mod cause_with_fix;
mod choice;
mod clock;
mod concern;
mod confidence;
mod cost;
mod exclusion;
mod explanation;
mod facts;
mod first_lines;
mod fixing_rules;
mod ground;
mod kind;
mod leads;
mod lines;
mod named_cause;
mod named_size;
mod outcome;
mod problem_advice;
mod proposal;
mod remedy;
mod rival;
mod subject;
#[cfg(test)]
mod terms;
mod totals;
mod uncertain;
mod value;
mod waiting;

pub use advice::{Advice, NoChange};
pub use choice::Decided;
pub use clock::ClockDoubt;
pub use confidence::is_hedged;
pub use cost::{Cost, Whole};
pub use exclusion::{Exclusion, exclusions};
pub use explanation::Explanation;
pub use first_lines::{AllClear, Aside, FailedUnsent, Fix, Head, Why};
pub use ground::Ground;
pub use kind::AnswerKind;
pub use leads::{Leads, Order, Rank};
pub use named_cause::NamedCause;
pub use named_size::{Block, ProtocolWindow};
pub use outcome::Outcome;
pub use problem_advice::ProblemAdvice;
pub use proposal::Proposal;
pub use remedy::Remedy;
pub use rival::Rival;
pub use subject::Subject;
pub use totals::Totals;
pub use uncertain::{is_queue_named, named_doubts};
pub use value::Answer;
pub use waiting::mostly_waited;
