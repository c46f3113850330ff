//! All fixes, for tests of their output.

use tcpwhy_model::Fix;

#[allow(clippy::wildcard_imports, reason = "all that the crate gives")]
use crate::*;

/// Returns every fix, with its numbers at both ends of the range of callers, and sizes from one byte to a
/// gigabyte.
pub fn every_fix() -> Vec<Fix> {
    let place = tcpwhy_model::FixPlace::SendingHost;
    let mut all = vec![
        accept_sooner(),
        capture_at_one_place(),
        capture_at_receiver(),
        capture_at_sender(),
        capture_both_directions(),
        capture_from_syn(),
        capture_without_drops(),
        check_firewall(),
        check_listener(),
        check_receive_buffer(),
        check_send_buffer(),
        check_silent_host(),
        close_connection(),
        coalesce_writes(),
        disable_hystart(),
        disable_idle_restart(),
        enable_client_timestamps(),
        enable_loss_probes(),
        enable_receive_autotuning(),
        enable_sack(place),
        enable_window_scaling(),
        enlarge_reads(),
        find_hanging_request(),
        find_host_drops(),
        find_marking_queue(),
        find_reset(),
        find_restart(),
        find_stalls(),
        find_syn_ack(),
        fix_ack_loss(),
        fix_checksums(),
        fix_loss(),
        fix_mtu(),
        fix_queue_aqm(),
        limit_neighbours(),
        forget_metrics(),
        keep_window_open(),
        lengthen_queue(),
        let_kernel_choose_port(),
        limit_retries(),
        look_for_peer(),
        lower_minimum_rto(),
        move_closer(),
        mss_clamp(),
        offload_is_normal(),
        pipeline_requests(Pipelined::Requests),
        pipeline_requests(Pipelined::Blocks),
        profile_application(),
        profile_receiver(),
        quickack(),
        raise_backlog(),
        raise_capacity(),
        raise_initcwnd(),
        raise_initrwnd(),
        raise_mss(),
        read_faster(),
        read_before_close(),
        read_while_writing(),
        remove_both_buffers(),
        remove_receive_buffers(),
        shape_uploads(),
        remove_so_rcvbuf(),
        remove_so_sndbuf(),
        resume_tls_sessions(),
        reuse_connection(),
        sample_socket(),
        set_tcp_nodelay(),
        set_tcp_nodelay_at_both_ends(),
        raise_max_pacing_rate(),
        uncork(),
        stop_reordering(),
        track_liberally(),
        update_receiver_kernel(),
        use_bbr(),
        write_more_ahead(),
    ];
    for bytes in (0..=30).map(|shift| 1 << shift).chain([0, u64::from(u32::MAX)]) {
        all.extend([WindowedProtocol::Ssh, WindowedProtocol::Unknown].map(|p| raise_peer_window(bytes, p)));
        all.extend([raise_so_rcvbuf, raise_so_sndbuf, raise_tcp_rmem, raise_tcp_wmem].map(|raise| raise(bytes)));
    }
    for seconds in [0, 30, i64::MAX] {
        all.extend([keep_alive_every(seconds), retire_idle_connections(seconds), outlast_pool(seconds)]);
    }
    all.push(shape_below_policer(1e7));
    all
}
