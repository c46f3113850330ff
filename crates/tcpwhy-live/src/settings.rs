//! The list of settings that tcpwhy reads from a host.
//!
//! It is a list of the settings to read, not of those to hide. `/proc/sys` contains keys (`tcp_fastopen_key`,
//! `netdev_rss_key`, `fib_multipath_hash_seed`, `stable_secret`), names and identities, and later kernels may
//! add others. The values are saved and sent to other people, so an unknown setting must not be read.

/// The settings of `/proc/sys/net` that affect TCP connections or help to diagnose them. Linux 3.10 and
/// later.
const NET: [(&str, &[&str]); 2] = [
    (
        "core",
        &[
            "busy_poll",
            "busy_read",
            "default_qdisc",
            "dev_weight",
            "dev_weight_rx_bias",
            "dev_weight_tx_bias",
            "flow_limit_cpu_bitmap",
            "flow_limit_table_len",
            "gro_normal_batch",
            "high_order_alloc_disable",
            "max_skb_frags",
            "mem_pcpu_rsv",
            "netdev_budget",
            "netdev_budget_usecs",
            "netdev_max_backlog",
            "netdev_tstamp_prequeue",
            "optmem_max",
            "rmem_default",
            "rmem_max",
            "rps_default_mask",
            "rps_sock_flow_entries",
            "skb_defer_max",
            "somaxconn",
            "tstamp_allow_data",
            "txrehash",
            "wmem_default",
            "wmem_max",
        ],
    ),
    (
        "ipv4",
        &[
            "ip_early_demux",
            "ip_forward",
            "ip_forward_use_pmtu",
            "ip_local_port_range",
            "ip_no_pmtu_disc",
            "tcp_abort_on_overflow",
            "tcp_adv_win_scale",
            "tcp_allowed_congestion_control",
            "tcp_app_win",
            "tcp_autocorking",
            "tcp_available_congestion_control",
            "tcp_available_ulp",
            "tcp_backlog_ack_defer",
            "tcp_base_mss",
            "tcp_challenge_ack_limit",
            "tcp_child_ehash_entries",
            "tcp_comp_sack_delay_ns",
            "tcp_comp_sack_nr",
            "tcp_comp_sack_rtt_percent",
            "tcp_comp_sack_slack_ns",
            "tcp_congestion_control",
            "tcp_dsack",
            "tcp_early_demux",
            "tcp_early_retrans",
            "tcp_ecn",
            "tcp_ecn_fallback",
            "tcp_ecn_option",
            "tcp_ecn_option_beacon",
            "tcp_ehash_entries",
            "tcp_fack",
            "tcp_fastopen",
            "tcp_fastopen_blackhole_timeout_sec",
            "tcp_fin_timeout",
            "tcp_frto",
            "tcp_fwmark_accept",
            "tcp_invalid_ratelimit",
            "tcp_keepalive_intvl",
            "tcp_keepalive_probes",
            "tcp_keepalive_time",
            "tcp_l3mdev_accept",
            "tcp_limit_output_bytes",
            "tcp_low_latency",
            "tcp_max_orphans",
            "tcp_max_reordering",
            "tcp_max_ssthresh",
            "tcp_max_syn_backlog",
            "tcp_max_tw_buckets",
            "tcp_mem",
            "tcp_migrate_req",
            "tcp_min_rtt_wlen",
            "tcp_min_snd_mss",
            "tcp_min_tso_segs",
            "tcp_moderate_rcvbuf",
            "tcp_mtu_probe_floor",
            "tcp_mtu_probing",
            "tcp_no_metrics_save",
            "tcp_no_ssthresh_metrics_save",
            "tcp_notsent_lowat",
            "tcp_orphan_retries",
            "tcp_pacing_ca_ratio",
            "tcp_pacing_ss_ratio",
            "tcp_pingpong_thresh",
            "tcp_plb_cong_thresh",
            "tcp_plb_enabled",
            "tcp_plb_idle_rehash_rounds",
            "tcp_plb_rehash_rounds",
            "tcp_plb_suspend_rto_sec",
            "tcp_probe_interval",
            "tcp_probe_threshold",
            "tcp_rcvbuf_low_rtt",
            "tcp_recovery",
            "tcp_reflect_tos",
            "tcp_reordering",
            "tcp_retrans_collapse",
            "tcp_retries1",
            "tcp_retries2",
            "tcp_rfc1337",
            "tcp_rmem",
            "tcp_rto_max_ms",
            "tcp_rto_min_us",
            "tcp_sack",
            "tcp_shrink_window",
            "tcp_slow_start_after_idle",
            "tcp_stdurg",
            "tcp_syn_linear_timeouts",
            "tcp_syn_retries",
            "tcp_synack_retries",
            "tcp_syncookies",
            "tcp_thin_dupack",
            "tcp_thin_linear_timeouts",
            "tcp_timestamps",
            "tcp_tso_rtt_log",
            "tcp_tso_win_divisor",
            "tcp_tw_recycle",
            "tcp_tw_reuse",
            "tcp_tw_reuse_delay",
            "tcp_window_scaling",
            "tcp_wmem",
            "tcp_workaround_signed_windows",
        ],
    ),
];

/// The kernel's release. The meaning and defaults of the settings depend on it.
pub(crate) const RELEASE: &str = "kernel.osrelease";

/// Groups of `/proc/sys/net`, each with its settings.
pub(crate) fn groups() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    NET.into_iter()
}

/// Whether tcpwhy reads and saves the setting `name` (`net.ipv4.tcp_rmem`). The list contains no key, secret
/// or host name.
pub fn is_setting_saved(name: &str) -> bool {
    let is_of_net = || {
        let (group, setting) = name.strip_prefix("net.")?.split_once('.')?;
        groups().find(|(of, _)| *of == group).map(|(_, settings)| settings.contains(&setting))
    };
    name == RELEASE || is_of_net() == Some(true)
}

/// Size in bytes up to which send buffers may grow: the third value of `net.ipv4.tcp_wmem` in a `sysctl -a`.
pub fn largest_send_buffer(settings: &str) -> Option<u64> {
    let value = |line: &str| {
        line.split_once('=')
            .filter(|(name, _)| name.trim() == "net.ipv4.tcp_wmem")
            .map(|(_, value)| value.split_whitespace().nth(2)?.parse().ok())
    };
    settings.lines().find_map(value)?
}

/// The lines of a `sysctl -a` whose settings may be saved.
pub(crate) fn saved_lines(text: &str) -> String {
    let is_saved = |line: &&str| line.split_once('=').is_some_and(|(name, _)| is_setting_saved(name.trim()));
    text.split_inclusive('\n').filter(is_saved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_send_buffers_grow_to() {
        assert_eq!(largest_send_buffer("a = 1\nnet.ipv4.tcp_wmem = 4096\t16384\t4194304\n"), Some(4_194_304));
        for unknown in ["", "net.ipv4.tcp_wmem = 4096", "net.ipv4.tcp_wmem_x = 1 2 3", "net.ipv4.tcp_wmem = 1 2 x"] {
            assert_eq!(largest_send_buffer(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn no_secrets() {
        for secret in [
            "net.ipv4.tcp_fastopen_key",
            "net.core.netdev_rss_key",
            "net.ipv4.fib_multipath_hash_seed",
            "net.ipv6.conf.all.stable_secret",
            "net.ipv4.conf.all.forwarding",
            "kernel.random.boot_id",
            "kernel.random.uuid",
            "kernel.hostname",
            "kernel.domainname",
            "kernel.core_pattern",
            "net.ipv4.tcp_something_new",
            "net.ipv4.",
            "tcp_rmem",
        ] {
            assert!(!is_setting_saved(secret), "{secret}");
        }
        for (group, settings) in groups() {
            assert!(settings.is_sorted(), "{group}");
            for word in ["key", "secret", "seed", "uuid", "host", "domain"] {
                assert!(!settings.iter().any(|setting| setting.contains(word)), "{group}: {word}");
            }
        }
        assert!(is_setting_saved("net.ipv4.tcp_rmem") && is_setting_saved("kernel.osrelease"));
    }

    #[test]
    fn lines() {
        let text =
            "net.ipv4.tcp_fastopen_key = 1-2-3-4\nnet.ipv4.tcp_sack = 1\nkernel.hostname=web1\nnet.core.rmem_max=2";
        assert_eq!(saved_lines(text), "net.ipv4.tcp_sack = 1\nnet.core.rmem_max=2");
    }
}
