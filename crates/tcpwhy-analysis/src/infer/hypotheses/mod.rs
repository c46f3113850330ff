//! The causes: one file per cause with its hypotheses, and one file for each of the four ordered lists of
//! hypotheses:
//!
//! | list | asked about | result |
//! |---|---|---|
//! | [`gap::GAP`] | each gap between sends | the first that holds decides; otherwise the slot's limit |
//! | [`slot::SLOT`] | each slot, about a round trip | the first that holds decides; the last always does |
//! | [`window::WINDOW`] | each slot with a full window | the first that holds names the form |
//! | [`direction::DIRECTION`] | each direction, after its slots | all that hold rename time, in turn |
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
