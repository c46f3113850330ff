//! The checks, one per file, with tests on hosts that have the problem and hosts that do not.

mod aborted_for_memory;
mod accept_not_called;
mod accept_queue_full;
mod adv_win_scale_ignored;
mod autotuning_ceiling_low;
mod backlog_drops;
mod checksum_errors;
mod kernel_regression;
mod listen_overflows;
mod local_ports_used_up;
mod loss_options_off;
mod max_raised_in_vain;
mod memory_pressure;
mod needless_retransmissions;
mod no_route_back;
mod orphans_hold_data;
mod path_exceeds_ceiling;
mod receive_autotuning_off;
mod receive_queue_collapsed;
mod receive_queue_pruned;
mod retransmission_share;
mod send_queue_refuses;
mod set_buffers;
mod socket_backoff;
mod socket_close_wait;
mod socket_corked;
mod socket_pacing_rate_set;
mod socket_peer_window;
mod socket_peer_window_closed;
mod socket_receive_buffer_set;
mod socket_retransmissions;
mod socket_send_buffer_set;
mod socket_unread_data;
mod syn_cookies_sent;
mod syn_queue_full;
mod sysctl_order;
mod tcp_mem_unit;
mod window_scaling_off;
mod zero_window_probes_sent;
mod zero_windows_announced;

use super::Check;

/// Every check, in the order of lists: sockets, settings, counters.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    OF_SOCKETS_AND_SETTINGS.iter().chain(OF_COUNTERS).copied()
}

static OF_SOCKETS_AND_SETTINGS: &[&Check] = &[
    &socket_send_buffer_set::CHECK,
    &socket_receive_buffer_set::CHECK,
    &socket_peer_window::CHECK,
    &socket_peer_window_closed::CHECK,
    &socket_backoff::CHECK,
    &socket_retransmissions::CHECK,
    &socket_pacing_rate_set::CHECK,
    &socket_corked::CHECK,
    &socket_unread_data::CHECK,
    &socket_close_wait::CHECK,
    &accept_not_called::CHECK,
    &accept_queue_full::CHECK,
    &local_ports_used_up::CHECK,
    &orphans_hold_data::CHECK,
    &path_exceeds_ceiling::SEND,
    &path_exceeds_ceiling::RECEIVE,
    &window_scaling_off::CHECK,
    &receive_autotuning_off::CHECK,
    &autotuning_ceiling_low::CHECK,
    &sysctl_order::CHECK,
    &tcp_mem_unit::CHECK,
    &loss_options_off::CHECK,
    &max_raised_in_vain::CHECK,
    &adv_win_scale_ignored::CHECK,
    &kernel_regression::CHECK,
    &memory_pressure::NEAR,
];

/// Checks that need counters alone, so that they can judge any interval.
pub(super) static OF_COUNTERS: &[&Check] = &[
    &memory_pressure::CHECK,
    &aborted_for_memory::CHECK,
    &listen_overflows::CHECK,
    &syn_queue_full::CHECK,
    &no_route_back::CHECK,
    &syn_cookies_sent::CHECK,
    &backlog_drops::CHECK,
    &receive_queue_pruned::CHECK,
    &receive_queue_collapsed::CHECK,
    &zero_windows_announced::CHECK,
    &zero_window_probes_sent::CHECK,
    &retransmission_share::CHECK,
    &needless_retransmissions::CHECK,
    &send_queue_refuses::CHECK,
    &checksum_errors::CHECK,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tcpwhy_analysis::RULES;

    #[test]
    fn ids_are_unique_among_rules_too_and_in_kebab_case() {
        let all: Vec<_> = checks().map(|c| c.id).chain(RULES.iter().map(|r| r.id)).collect();
        let ids: BTreeSet<_> = all.iter().collect();
        assert_eq!(ids.len(), all.len());
        assert!(all.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    }
}
