//! One rule, one file: what it says, how it is detected, its fixtures.

mod application_idle;
mod application_paced;
mod application_peer_turn;
mod application_think;
mod congestion_window_delay_exit;
mod congestion_window_paced;
mod congestion_window_post_loss;
mod congestion_window_unknown;
mod loss_recovery;
mod nagle_delayed_ack;
mod path_busy;
mod receive_window_capped;
mod receive_window_no_scaling;
mod receive_window_ramp;
mod receive_window_small_buffer;
mod request_response_turns;
mod retransmission_timeouts;
mod send_buffer_plateau;
mod slow_reader;
mod slow_start_dominates;
mod spurious_retransmissions;
mod syn_retries;
mod zero_window;

use super::Rule;

/// Every rule, in the order in which they are listed to people: the sender's side, the receiver's, the path's, then what
/// goes wrong besides.
pub static RULES: &[&Rule] = &[
    &send_buffer_plateau::RULE,
    &receive_window_small_buffer::RULE,
    &receive_window_capped::RULE,
    &receive_window_no_scaling::RULE,
    &receive_window_ramp::RULE,
    &slow_reader::RULE,
    &zero_window::RULE,
    &nagle_delayed_ack::RULE,
    &application_idle::RULE,
    &application_think::RULE,
    &application_paced::RULE,
    &application_peer_turn::RULE,
    &request_response_turns::RULE,
    &path_busy::RULE,
    &loss_recovery::RULE,
    &retransmission_timeouts::RULE,
    &spurious_retransmissions::RULE,
    &slow_start_dominates::RULE,
    &congestion_window_post_loss::RULE,
    &congestion_window_delay_exit::RULE,
    &congestion_window_paced::RULE,
    &congestion_window_unknown::RULE,
    &syn_retries::RULE,
];
