//! The ids of all fixes, for code that names a fix without its lines: a scenario of the lab names the fix
//! that removes its cause.

use std::fmt;

use tcpwhy_model::Fix;

/// The id of a fix of this crate, such as `remove-so-sndbuf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixId(&'static str);

/// All ids, sorted.
const IDS: [&str; 83] = [
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
    "check-silent-host",
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
    "find-host-drops",
    "find-marking-queue",
    "find-reset",
    "find-restart",
    "find-stalls",
    "find-syn-ack",
    "fix-ack-loss",
    "fix-checksums",
    "fix-loss",
    "fix-mtu",
    "fix-queue-aqm",
    "forget-metrics",
    "keep-alive-every",
    "keep-window-open",
    "larger-snaplen-buffer",
    "lengthen-queue",
    "let-kernel-choose-port",
    "limit-neighbours",
    "limit-retries",
    "look-for-peer",
    "lower-minimum-rto",
    "move-closer",
    "mss-clamp",
    "outlast-pool",
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
    "read-before-close",
    "read-faster",
    "read-while-writing",
    "remove-both-buffers",
    "remove-receive-buffers",
    "remove-so-rcvbuf",
    "remove-so-sndbuf",
    "resume-tls-sessions",
    "retire-idle-connections",
    "reuse-connection",
    "sample-socket",
    "set-tcp-nodelay",
    "set-tcp-nodelay-at-both-ends",
    "shape-below-policer",
    "shape-uploads",
    "stop-reordering",
    "track-liberally",
    "uncork",
    "update-receiver-kernel",
    "use-bbr",
    "write-more-ahead",
];

impl FixId {
    /// Returns the id with this text; `None` if there is none.
    pub fn from_id(id: &str) -> Option<Self> {
        IDS.binary_search(&id).ok().and_then(|place| IDS.get(place)).copied().map(Self)
    }

    /// Returns the text of the id.
    pub const fn id(self) -> &'static str {
        self.0
    }

    /// Whether this is the id of `fix`.
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
    use tcpwhy_kernel::Sysctl;

    use super::*;
    use crate::testing::every_fix;

    /// Each function that returns a fix has its id in the list, and the list has no other.
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
                // The first string of a function is its id.
                ids.push(body.split('"').nth(1).unwrap().to_owned());
            }
        }
        ids.sort_unstable();
        assert_eq!(ids, IDS);
    }

    /// With more lines than this, readers do not find the one that they need.
    const MOST_LINES: usize = 14;

    /// A fix is short, has no line twice, and each remark is behind a comment sign.
    #[test]
    fn lines_can_be_read_and_copied() {
        let mut ids: Vec<&str> = every_fix().iter().map(|fix| fix.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids, IDS, "not all fixes are looked at");
        for fix in every_fix() {
            assert!((1..=MOST_LINES).contains(&fix.lines.len()), "{}: {} lines", fix.id, fix.lines.len());
            let mut codes: Vec<String> =
                fix.lines.iter().map(|line| line.code.unfilled().trim_end().to_owned()).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), fix.lines.len(), "{}: a line twice", fix.id);
            for line in &fix.lines {
                let has_sign = ["# ", "// ", "/* ", "-- "].iter().any(|sign| line.code.unfilled().ends_with(sign));
                assert_eq!(has_sign, line.remark.is_some(), "{}: {:?}", fix.id, line.code);
            }
        }
    }

    /// Sysctls of times, attempts, switches and modes that fixes set. None of them limits connections. A new
    /// name belongs here or to the limits ([`Sysctl::is_limit`]).
    const NO_LIMITS: [&str; 18] = [
        "net.core.default_qdisc",
        "net.ipv4.fib_multipath_hash_policy",
        "net.ipv4.tcp_congestion_control",
        "net.ipv4.tcp_dsack",
        "net.ipv4.tcp_early_retrans",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_moderate_rcvbuf",
        "net.ipv4.tcp_mtu_probing",
        "net.ipv4.tcp_no_metrics_save",
        "net.ipv4.tcp_no_ssthresh_metrics_save",
        "net.ipv4.tcp_recovery",
        "net.ipv4.tcp_retries2",
        "net.ipv4.tcp_rto_min_us",
        "net.ipv4.tcp_sack",
        "net.ipv4.tcp_shrink_window",
        "net.ipv4.tcp_slow_start_after_idle",
        "net.ipv4.tcp_timestamps",
        "net.ipv4.tcp_window_scaling",
    ];

    /// No fix lowers a limit of the host that its lines are copied to, whatever the kernel and the
    /// connection's needs.
    #[test]
    fn no_limit_is_set_below_a_default() {
        let mut seen = std::collections::BTreeSet::new();
        for (fix, line) in every_fix().iter().flat_map(|fix| fix.lines.iter().map(move |line| (fix, line))) {
            let code = line.code.unfilled();
            let Some(assignments) = code.strip_prefix("sysctl -w ") else {
                assert!(!code.contains("sysctl -w") && !code.contains("/proc/sys"), "{code}");
                continue;
            };
            let assignments = assignments.split('#').next().unwrap().trim();
            // A value of several numbers is alone on its line.
            let assignments =
                if assignments.contains('\'') { vec![assignments] } else { assignments.split_whitespace().collect() };
            for assignment in assignments {
                let (name, value) = assignment.split_once('=').unwrap();
                seen.insert(name.to_owned());
                let limit = Sysctl::from_name(name).filter(|sysctl| sysctl.is_limit());
                let Some(limit) = limit else {
                    let is_known = NO_LIMITS.contains(&name) || name.starts_with("net.netfilter.");
                    assert!(is_known, "{}: {name} is not known", fix.id);
                    continue;
                };
                let numbers = |text: &str| -> Vec<u64> {
                    text.trim_matches('\'').split_whitespace().map(|number| number.parse().unwrap()).collect()
                };
                let floor = numbers(&limit.largest_default().unwrap().to_string());
                let printed = numbers(value);
                assert_eq!(printed.len(), floor.len(), "{}: {assignment}", fix.id);
                assert!(printed.iter().zip(&floor).all(|(p, f)| p >= f), "{}: {assignment}", fix.id);
                assert!(printed.iter().all(|&p| i32::try_from(p).is_ok()), "{}: {assignment}", fix.id);
                // The condition names a number that the line's value reaches.
                let remark = line.remark.as_ref().unwrap();
                let needed = remark.values.iter().find(|(name, _)| *name == "needed").unwrap().1.parse().unwrap();
                assert!(printed.iter().any(|&p| p >= needed), "{}: {assignment}, {needed}", fix.id);
            }
        }
        let limits = ["rmem_max", "somaxconn", "wmem_max"].map(|name| format!("net.core.{name}"));
        let limits = limits.into_iter().chain(["tcp_rmem", "tcp_wmem"].map(|name| format!("net.ipv4.{name}")));
        assert!(limits.into_iter().all(|name| seen.contains(&name)), "{seen:?}");
        assert!(NO_LIMITS.iter().all(|&name| seen.contains(name)), "{seen:?}");
    }

    /// A line has the number that the connection needs, and the number that no kernel's default exceeds.
    #[test]
    fn a_small_need_is_the_condition_and_not_the_value() {
        let line = |fix: Fix| {
            let line = fix.lines.into_iter().find(|line| line.code.unfilled().starts_with("sysctl -w")).unwrap();
            (line.code.unfilled().trim_end_matches("  # ").to_owned(), line.remark.unwrap().values)
        };
        for (fix, code, needed) in [
            (crate::raise_tcp_wmem(1), "net.ipv4.tcp_wmem='4096 16384 4194304'", 65_536),
            (crate::raise_tcp_wmem(8 << 20), "net.ipv4.tcp_wmem='4096 16384 8388608'", 8 << 20),
            (crate::raise_tcp_rmem(1), "net.ipv4.tcp_rmem='4096 131072 33554432'", 65_536),
            (crate::raise_so_sndbuf(500_000), "net.core.wmem_max=4194304", 524_288),
            (crate::raise_so_rcvbuf(5 << 20), "net.core.rmem_max=5242880", 5 << 20),
            (crate::update_receiver_kernel(), "net.ipv4.tcp_rmem='4096 196608 33554432'", 196_608),
        ] {
            assert_eq!(line(fix), (format!("sysctl -w {code}"), vec![("needed", needed.to_string())]));
        }
    }

    /// `HikariCP` replaces a `maxLifetime` below 30 s by its default, 30 minutes (its README).
    #[test]
    fn no_line_with_a_number_that_is_refused() {
        let has_hikari = |seconds| {
            crate::retire_idle_connections(seconds)
                .lines
                .iter()
                .any(|line| line.code.unfilled().contains("setMaxLifetime"))
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
