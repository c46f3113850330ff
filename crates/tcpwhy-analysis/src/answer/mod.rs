//! The answer, as data without words: whom the first lines speak of, why it took so long, what to change, and
//! what it was not.
//!
//! Each question has an ordered list of choices, and the first that holds decides. What decided is kept as a
//! [`Ground`].
//!
//! | list | question | answer |
//! |---|---|---|
//! | `subject::SUBJECT` | which connection do the first lines speak of? | [`Subject`] |
//! | `subject::DIRECTION` | which of its directions? | |
//! | `explanation::EXPLANATION` | what explains its time? | [`Explanation`] |
//! | `advice::ADVICE` | what should be changed about it? | [`Advice`] |
//! | `problem_advice::PROBLEM_ADVICE` | what should be changed about a problem? | [`ProblemAdvice`] |
//! | `first_lines::WHY`, `first_lines::FIX` | what does each line say? | [`FirstLines`] |
//!
//! All exclusions that hold are given: [`Exclusion`]. [`named_doubts`] are the doubts that are worth a
//! sentence, and [`mostly_waited`] says which directions do not count in sums.

mod advice;
mod choice;
mod clock;
mod exclusion;
mod explanation;
mod first_lines;
mod ground;
mod leads;
mod named_cause;
mod problem_advice;
mod proposal;
mod remedy;
mod subject;
#[cfg(test)]
mod terms;
mod uncertain;
mod waiting;

pub use advice::{Advice, NoChange};
pub use choice::Decided;
pub use clock::ClockDoubt;
pub use exclusion::{Exclusion, exclusions};
pub use explanation::Explanation;
pub use first_lines::{AllClear, FirstLines, Fix, Head, Why};
pub use ground::Ground;
pub use leads::{Leads, Order, Rank};
pub use named_cause::NamedCause;
pub use problem_advice::ProblemAdvice;
pub use proposal::Proposal;
pub use remedy::Remedy;
pub use subject::Subject;
pub use uncertain::{is_queue_named, named_doubts};
pub use waiting::mostly_waited;
