//! One file per rule: its description, its detection and its fixtures.
//!
//! The numbers of a rule are constants of its file. `CONFIDENCE` is the frequency with which its author
//! expects it to be right; it was not measured. It is 0.9 or more if the packets themselves prove the
//! finding. It is 0.7 to 0.85 if another cause may look the same, and less if one often does. `LEAST_SHARE`,
//! also chosen, is the share of the time from which a finding is worth a line. A finding that explains the
//! verdict needs no minimum share and has the verdict's confidence.

pub(super) mod accept_queue_overflow;
mod acknowledged_nearby;
mod acks_queued;
mod application_close_wait;
mod application_idle;
mod application_paced;
mod application_peer_turn;
mod application_peer_window;
mod application_think;
mod both_ends_unread;
mod bufferbloat;
mod buffers_alike;
mod capture_drops;
mod client_pauses;
mod clock_contradicted;
mod closed_during_request;
mod congestion_window_delay_exit;
mod congestion_window_paced;
mod congestion_window_post_loss;
mod congestion_window_unknown;
mod connection_per_request;
mod connection_refused;
mod connection_setup;
mod cut_alike;
mod data_beyond_window;
mod delayed_ack;
mod duplicated_packets;
mod ecn_congestion;
mod handshake_incomplete;
mod hole_left_open;
mod idle_close_race;
mod idle_restart;
mod idle_timeout;
mod keep_alive_only;
mod keep_alives;
mod loss_recovery;
mod lost_acks;
mod mid_stream_join;
mod minimum_rto;
mod missing_window_scale;
mod mss_clamped;
mod nagle_both_ends;
mod nagle_delayed_ack;
mod nat_bypassed;
mod neighbours_on_path;
mod offload_super_packets;
mod one_sided_capture;
mod packet_too_big;
mod path_busy;
mod path_stalls;
mod peer_silent;
mod pmtu_black_hole;
mod policer;
mod proxy_suspected;
mod receive_buffers_both_ends;
mod receive_window_capped;
mod receive_window_no_scaling;
mod receive_window_ramp;
mod receive_window_small_buffer;
mod reordering_without_loss;
mod request_response_turns;
mod request_unanswered;
mod reset_mid_transfer;
mod reset_not_own;
pub(super) mod retransmission_timeouts;
mod sack_not_offered;
mod send_buffer_plateau;
mod slow_reader;
mod slow_start_dominates;
mod spurious_retransmissions;
mod syn_cookies_without_scaling;
pub(super) mod syn_meets_old_connection;
pub(super) mod syn_retries;
mod syn_unanswered;
#[cfg(test)]
pub(super) mod testing;
mod tiny_mss;
mod transfer_stopped;
mod wrong_checksum;
mod zero_window;
mod zero_window_death;

use super::Rule;
pub(crate) use request_unanswered::unanswered;
pub(crate) use transfer_stopped::stopped;

/// All rules, in the order in which they are listed: the sender's, the receiver's, the path's, then those
/// about other problems.
pub static RULES: &[&Rule] = &[
    &send_buffer_plateau::RULE,
    &buffers_alike::RULE,
    &receive_window_small_buffer::RULE,
    &receive_window_capped::RULE,
    &receive_window_no_scaling::RULE,
    &receive_window_ramp::RULE,
    &slow_reader::RULE,
    &zero_window::RULE,
    &zero_window_death::RULE,
    &both_ends_unread::RULE,
    &receive_buffers_both_ends::RULE,
    &nagle_delayed_ack::RULE,
    &nagle_both_ends::RULE,
    &delayed_ack::RULE,
    &application_idle::RULE,
    &application_close_wait::RULE,
    &application_think::RULE,
    &application_paced::RULE,
    &application_peer_window::RULE,
    &application_peer_turn::RULE,
    &request_response_turns::RULE,
    &client_pauses::RULE,
    &connection_setup::RULE,
    &connection_per_request::RULE,
    &cut_alike::RULE,
    &nat_bypassed::RULE,
    &acks_queued::RULE,
    &path_busy::RULE,
    &bufferbloat::RULE,
    &neighbours_on_path::RULE,
    &policer::RULE,
    &ecn_congestion::RULE,
    &path_stalls::RULE,
    &loss_recovery::RULE,
    &pmtu_black_hole::RULE,
    &hole_left_open::RULE,
    &peer_silent::RULE,
    &transfer_stopped::RULE,
    &packet_too_big::RULE,
    &lost_acks::RULE,
    &retransmission_timeouts::RULE,
    &minimum_rto::RULE,
    &sack_not_offered::RULE,
    &data_beyond_window::RULE,
    &spurious_retransmissions::RULE,
    &reordering_without_loss::RULE,
    &slow_start_dominates::RULE,
    &idle_restart::RULE,
    &congestion_window_post_loss::RULE,
    &congestion_window_delay_exit::RULE,
    &congestion_window_paced::RULE,
    &congestion_window_unknown::RULE,
    &syn_retries::RULE,
    &wrong_checksum::RULE,
    &syn_unanswered::RULE,
    &handshake_incomplete::RULE,
    &syn_meets_old_connection::RULE,
    &connection_refused::RULE,
    &accept_queue_overflow::RULE,
    &syn_cookies_without_scaling::RULE,
    &missing_window_scale::RULE,
    &tiny_mss::RULE,
    &mss_clamped::RULE,
    &reset_not_own::RULE,
    &closed_during_request::RULE,
    &reset_mid_transfer::RULE,
    &idle_close_race::RULE,
    &request_unanswered::RULE,
    &idle_timeout::RULE,
    &proxy_suspected::RULE,
    &acknowledged_nearby::RULE,
    &keep_alive_only::RULE,
    &keep_alives::RULE,
    &one_sided_capture::RULE,
    &mid_stream_join::RULE,
    &clock_contradicted::RULE,
    &capture_drops::RULE,
    &duplicated_packets::RULE,
    &offload_super_packets::RULE,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tcpwhy_model::{Cause, Detail, Limit};

    use super::*;
    use crate::diagnosis::diagnose_half;
    use crate::diagnosis::facts::HalfFacts;

    #[test]
    fn ids_are_unique_and_in_kebab_case() {
        let ids: BTreeSet<_> = RULES.iter().map(|r| r.id).collect();
        assert_eq!(ids.len(), RULES.len());
        assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    }

    /// For each cause that a verdict can name, the first finding explains it, with evidence and with a fix if
    /// one exists.
    #[test]
    fn every_verdict_has_a_finding() {
        let plain = [Limit::Path, Limit::SendBuffer, Limit::SlowStart].map(Cause::plain);
        for cause in Detail::ALL.into_iter().map(Cause::from).chain(plain) {
            let all = testing::with_facts(cause, diagnose_half);
            let first = all.first().unwrap_or_else(|| panic!("no rule explains {cause}"));
            let rule = RULES.iter().find(|r| r.id == first.rule);
            assert!(rule.is_some_and(|r| r.limits.contains(&cause.limit)), "{cause}: {}", first.rule);
            // A server that waits for its client's next request has nothing to change.
            let is_peers = cause.detail == Some(Detail::PeerTurn);
            assert!(!first.evidence.is_empty() && first.fixes.is_empty() == is_peers, "{cause}: {first:?}");
            assert!(first.fixes.iter().all(|f| !f.lines.is_empty()), "{cause}: {first:?}");
        }
    }

    /// On a connection with exchanges, only findings about exchanges show whose time the requests took.
    #[test]
    fn exchanges_speak_for_both_directions() {
        let about: Vec<_> = RULES.iter().filter(|rule| rule.is_about_requests()).map(|rule| rule.id).collect();
        assert_eq!(about.len(), 4, "{about:?}");
        for detail in [Detail::Think, Detail::PeerTurn] {
            let with = |has_exchanges| {
                testing::with_facts(detail.into(), |facts| diagnose_half(&HalfFacts { has_exchanges, ..*facts }))
            };
            assert!(with(true).iter().all(|finding| !about.contains(&finding.rule)), "{detail:?}");
            assert!(with(false).iter().any(|finding| about.contains(&finding.rule)), "{detail:?}");
        }
    }
}
