//! The causes: a file for each, with the hypotheses that name it; and four ordered lists of these, a file for each
//! scope:
//!
//! | list | asked of | and |
//! |---|---|---|
//! | [`gap::GAP`] | each gap between sends | the first that holds decides; else what its slot is under |
//! | [`slot::SLOT`] | each slot, about a round trip | the first that holds decides it; the last always does |
//! | [`window::WINDOW`] | each slot whose offered window was full | the first that holds names its form; the last does |
//! | [`direction::DIRECTION`] | each direction, once all of its time is decided | all that hold rename time, in turn |
//!
//! **To add one**: `docs/dev/hypothesis.md`.

mod certain;
mod delay_exit;
pub(super) mod direction;
pub(super) mod gap;
mod of_facts;
mod other;
mod paced;
mod paced_writes;
mod path;
mod peer_turn;
mod peer_window;
mod policer;
mod post_loss;
mod queue;
mod receive_window;
#[cfg(test)]
pub(super) mod registry;
pub(super) mod scope;
mod send_buffer;
pub(super) mod slot;
mod slow_start;
mod tail;
#[cfg(test)]
pub(super) mod testing;
mod unobserved;
mod window;
mod window_forms;

pub(crate) use peer_window::Words;
