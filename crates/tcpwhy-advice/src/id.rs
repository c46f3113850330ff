//! The ids of all fixes, for whoever names one without its lines: a scenario of the lab says which fix
//! removes its cause.

use std::fmt;

use tcpwhy_model::Fix;

/// The id of a fix that this crate gives: `remove-so-sndbuf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixId(&'static str);

/// All ids, sorted.
const IDS: [&str; 66] = [
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

    #[test]
    fn an_id_is_that_of_its_fix_only() {
        let id = FixId::from_id("raise-tcp-wmem").unwrap();
        assert!(id.is_of(&crate::raise_tcp_wmem(1)) && !id.is_of(&crate::raise_tcp_rmem(1)));
        assert_eq!(FixId::from_id("raise"), None);
    }
}
