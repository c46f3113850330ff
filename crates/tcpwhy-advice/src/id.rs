//! The ids of all fixes, for whoever names one without its lines: a scenario of the lab says which fix
//! removes its cause.

use std::fmt;

use tcpwhy_model::Fix;

/// The id of a fix that this crate gives: `remove-so-sndbuf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixId(&'static str);

/// All ids, sorted.
const IDS: [&str; 68] = [
    "accept-sooner",
    "capture-at-one-place",
    "capture-at-receiver",
    "capture-at-sender",
    "capture-both-directions",
    "capture-from-syn",
    "check-firewall",
    "check-listener",
    "check-receive-buffer",
    "check-send-buffer",
    "close-connection",
    "coalesce-writes",
    "disable-hystart",
    "disable-idle-restart",
    "disable-offload-note",
    "enable-client-timestamps",
    "enable-loss-probes",
    "enable-receive-autotuning",
    "enable-sack",
    "enable-window-scaling",
    "enlarge-reads",
    "find-hanging-request",
    "find-marking-queue",
    "find-reset",
    "find-stalls",
    "fix-checksums",
    "fix-loss",
    "fix-mtu",
    "fix-queue-aqm",
    "forget-metrics",
    "keep-alive-every",
    "keep-window-open",
    "larger-snaplen-buffer",
    "let-kernel-choose-port",
    "limit-retries",
    "look-for-peer",
    "move-closer",
    "mss-clamp",
    "pipeline-requests",
    "profile-application",
    "profile-receiver",
    "quickack",
    "raise-backlog",
    "raise-capacity",
    "raise-initcwnd",
    "raise-initrwnd",
    "raise-max-pacing-rate",
    "raise-mss",
    "raise-peer-window",
    "raise-so-rcvbuf",
    "raise-so-sndbuf",
    "raise-tcp-rmem",
    "raise-tcp-wmem",
    "read-faster",
    "remove-so-rcvbuf",
    "remove-so-sndbuf",
    "resume-tls-sessions",
    "retire-idle-connections",
    "reuse-connection",
    "sample-socket",
    "set-tcp-nodelay",
    "shape-below-policer",
    "stop-reordering",
    "track-liberally",
    "uncork",
    "update-receiver-kernel",
    "use-bbr",
    "write-more-ahead",
];

impl FixId {
    /// The one that is written like this.
    pub fn from_id(id: &str) -> Option<Self> {
        IDS.binary_search(&id).ok().and_then(|place| IDS.get(place)).copied().map(Self)
    }

    /// As it is written.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// Whether it is the id of `fix`.
    pub fn is_of(self, fix: &Fix) -> bool {
        self.0 == fix.id
    }
}

impl fmt::Display for FixId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function that gives a fix has its id in the list, and the list has no other.
    #[test]
    fn every_function_has_its_id() {
        let sources = [
            include_str!("application.rs"),
            include_str!("buffers.rs"),
            include_str!("capture.rs"),
            include_str!("network.rs"),
        ];
        let mut ids = Vec::new();
        for source in sources {
            for function in source.split("\npub fn ").skip(1) {
                let (head, body) = function.split_once('{').unwrap();
                assert!(head.contains("-> Fix"), "{head}");
                // The first text of a function is its id.
                ids.push(body.split('"').nth(1).unwrap().to_owned());
            }
        }
        ids.sort_unstable();
        assert_eq!(ids, IDS);
    }

    /// Every fix, with its numbers at both ends of what callers may give.
    fn all() -> Vec<Fix> {
        use crate::*;
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
            find_marking_queue(),
            find_reset(),
            find_stalls(),
            fix_checksums(),
            fix_loss(),
            fix_mtu(),
            fix_queue_aqm(),
            forget_metrics(),
            keep_window_open(),
            let_kernel_choose_port(),
            limit_retries(),
            look_for_peer(),
            move_closer(),
            mss_clamp(),
            offload_is_normal(),
            pipeline_requests(),
            profile_application(),
            profile_receiver(),
            quickack(),
            raise_backlog(),
            raise_capacity(),
            raise_initcwnd(),
            raise_initrwnd(),
            raise_mss(),
            read_faster(),
            remove_so_rcvbuf(),
            remove_so_sndbuf(),
            resume_tls_sessions(),
            reuse_connection(),
            sample_socket(),
            set_tcp_nodelay(),
            raise_max_pacing_rate(),
            uncork(),
            stop_reordering(),
            track_liberally(),
            update_receiver_kernel(),
            use_bbr(),
            write_more_ahead(),
        ];
        for bytes in [0, 1 << 20, u64::from(u32::MAX)] {
            all.extend([WindowedProtocol::Ssh, WindowedProtocol::Unknown].map(|p| raise_peer_window(bytes, p)));
            all.extend([raise_so_rcvbuf, raise_so_sndbuf, raise_tcp_rmem, raise_tcp_wmem].map(|raise| raise(bytes)));
        }
        for seconds in [0, 30, i64::MAX] {
            all.extend([keep_alive_every(seconds), retire_idle_connections(seconds)]);
        }
        all.push(shape_below_policer(1e7));
        all
    }

    /// More lines than this hide the one that somebody needs.
    const MOST_LINES: usize = 14;

    /// A fix is short, has no line twice, and a remark is behind the sign of a comment.
    #[test]
    fn lines_can_be_read_and_copied() {
        let mut ids: Vec<&str> = all().iter().map(|fix| fix.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids, IDS, "not all fixes are looked at");
        for fix in all() {
            assert!((1..=MOST_LINES).contains(&fix.lines.len()), "{}: {} lines", fix.id, fix.lines.len());
            let mut codes: Vec<&str> = fix.lines.iter().map(|line| line.code.trim_end()).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), fix.lines.len(), "{}: a line twice", fix.id);
            for line in &fix.lines {
                let has_sign = ["# ", "// ", "/* ", "-- "].iter().any(|sign| line.code.ends_with(sign));
                assert_eq!(has_sign, line.remark.is_some(), "{}: {}", fix.id, line.code);
            }
        }
    }

    /// `HikariCP` replaces a `maxLifetime` below 30 s by its default, 30 minutes (its README).
    #[test]
    fn no_line_with_a_number_that_is_refused() {
        let has_hikari = |seconds| {
            crate::retire_idle_connections(seconds).lines.iter().any(|line| line.code.contains("setMaxLifetime"))
        };
        assert!(!has_hikari(29) && has_hikari(30));
    }

    #[test]
    fn an_id_is_that_of_its_fix_only() {
        let id = FixId::from_id("raise-tcp-wmem").unwrap();
        assert!(id.is_of(&crate::raise_tcp_wmem(1)) && !id.is_of(&crate::raise_tcp_rmem(1)));
        assert_eq!(FixId::from_id("raise"), None);
    }
}
