//! Readiness of each fix: declared in the fix, and checked here for all fixes together.

use std::collections::BTreeMap;

use tcpwhy_model::{Endpoint, FixEnds, Readiness};

use crate::testing::every_fix;

fn ends() -> FixEnds {
    let end = |last, port| Endpoint { address: [192, 0, 2, last].into(), port };
    FixEnds { sender: end(1, 40_000), receiver: end(7, 443), is_sender_server: false }
}

/// Words in a line that changes a host. A fix that only measures changes nothing.
const CHANGING: [&str; 10] = [
    "sysctl -w",
    "ip route change",
    "ip link set",
    "tc qdisc replace",
    "iptables -A",
    "iptables -I",
    "add rule",
    "ip tcp_metrics delete",
    "power_save off",
    "netsh interface tcp set",
];

/// Readers see these at once: the fixes that are ready, and the needs of the others.
#[test]
fn each_fix_is_as_ready_as_it_says() {
    let mut by_readiness: BTreeMap<Readiness, Vec<&str>> = BTreeMap::new();
    for fix in every_fix() {
        let readiness = fix.readiness(Some(&ends()));
        let ids = by_readiness.entry(readiness).or_default();
        if !ids.contains(&fix.id) {
            ids.push(fix.id);
        }
        let codes: Vec<_> = fix.lines.iter().map(|line| line.code.unfilled().into_owned()).collect();
        if readiness == Readiness::Measure {
            let changing = codes.iter().find(|code| CHANGING.iter().any(|words| code.contains(words)));
            assert_eq!(changing, None, "{} changes something", fix.id);
        }
        if readiness == Readiness::Ready {
            assert_eq!(fix.missing(Some(&ends())), [""; 0], "{}", fix.id);
            assert!(codes.iter().any(|code| !code.starts_with("ss ")), "{}: nothing changes", fix.id);
        }
    }
    let placeholders: Vec<_> = by_readiness.remove(&Readiness::Placeholders).unwrap();
    assert_eq!(placeholders, ["fix-mtu", "fix-queue-aqm", "shape-uploads", "raise-peer-window"]);
    let conditional: Vec<_> = by_readiness.remove(&Readiness::Conditional).unwrap();
    assert_eq!(
        conditional,
        [
            "disable-hystart",
            "enable-loss-probes",
            "enlarge-reads",
            "fix-checksums",
            "limit-neighbours",
            "keep-window-open",
            "lengthen-queue",
            "move-closer",
            "pipeline-requests",
            "raise-capacity",
            "raise-initcwnd",
            "raise-initrwnd",
            "raise-mss",
            "read-before-close",
            "raise-max-pacing-rate",
            "stop-reordering",
            "track-liberally",
            "update-receiver-kernel",
            "use-bbr",
            "write-more-ahead",
            "raise-so-rcvbuf",
            "raise-so-sndbuf",
            "outlast-pool",
        ]
    );
    assert_eq!(by_readiness[&Readiness::Measure].len(), 25, "{by_readiness:?}");
}

/// Placeholders for values, in any fix.
const PLACEHOLDERS: [&str; 13] =
    ["HOST", "PORT", "PEER", "SENDER", "RECEIVER", "SERVER", "GATEWAY", "PID", "DEV", "BYTES", "RATE", "FILE", "BOND"];

/// After a connection filled a line, only the placeholders that the fix names remain.
#[test]
fn a_connection_fills_all_that_it_knows() {
    for fix in every_fix() {
        for line in &fix.lines {
            let code = line.code.filled(Some(&ends()), fix.place);
            let missing: Vec<_> = line.code.missing(Some(&ends())).collect();
            assert!(!code.contains("dev …") && !code.contains("via …"), "{}: {code}", fix.id);
            let is_word = |c: char| c.is_ascii_alphanumeric() || "_$=".contains(c);
            for word in code.split(|c| !is_word(c)).filter(|word| PLACEHOLDERS.contains(word)) {
                assert!(missing.contains(&word), "{}: {word} in {code}", fix.id);
            }
        }
        assert!(fix.missing(Some(&ends())).len() <= fix.missing(None).len(), "{}", fix.id);
    }
}

/// A line that uses `DEV` or `PID` comes after a line that sets it.
#[test]
fn variables_are_set_before_they_are_read() {
    for fix in every_fix() {
        for name in ["DEV", "PID"] {
            let (reads, sets) = (format!("${name}"), format!("{name}=$("));
            let at = |words: &str| fix.lines.iter().position(|line| line.code.unfilled().contains(words));
            let Some(read) = at(&reads) else { continue };
            assert!(at(&sets).is_some_and(|set| set < read), "{}: {reads}", fix.id);
        }
    }
}
