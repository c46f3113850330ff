//! The scenarios that are part of the program: `scenarios/*.toml`.

use super::Scenario;

/// Names and texts, in the order in which they are listed and run: scenarios to compare are next to each
/// other.
macro_rules! scenarios {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../scenarios/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = scenarios![
    "sndbuf-16k",
    "sndbuf-16k-packets",
    "sndbuf-16k-nagle",
    "sndbuf-256k-clamped",
    "sndbuf-auto",
    "rcvbuf-8k-rtt40",
    "rcvbuf-8k-rtt40-fixed",
    "rcvbuf-8k-rtt0.1",
    "reader-stalls",
    "zero-window-long",
    "zero-window-blackhole",
    "both-ends-write",
    "peer-dies",
    "idle-timeout",
    "idle-close-race",
    "rmem-4k-lan",
    "rmem-4k-rtt100",
    "wmem-4k-lan",
    "wmem-4k-rtt100",
    "wmem-4k-rtt100-fixed",
    "lan-default",
    "rtt100-default",
    "loss1-lan",
    "loss20-cubic",
    "loss20-bbr",
    "minimum-rto",
    "bdp-100k",
    "bdp-200k",
    "bdp-700k",
    "sql-13mb-rtt5",
    "sql-13mb-rtt5-rcvbuf",
    "sql-13mb-rtt1",
    "rcvbuf-set-crossdc",
    "rcvbuf-unset-crossdc",
    "window-halved",
    "app-writes-8k",
    "app-writes-8k-64k",
    "app-writes-8k-256k",
    "app-writes-8k-auto",
    "nagle-delack",
    "nagle-delack-nodelay",
    "nagle-both-ends",
    "nagle-both-ends-nodelay",
    "collapse-spike",
    "tcp-mem-pressure",
    "slow-start-short",
    "bufferbloat",
    "bbr-deep-queue",
    "bbr-default",
    "neighbour-tcp",
    "neighbour-udp",
    "policer",
    "app-paced",
    "request-response",
    "connection-per-request",
    "syn-lost",
    "port-reused",
    "accept-queue",
    "reordering",
    "ecn",
    "mss-clamped",
    "mtu-black-hole",
    "keep-alives",
    "heartbeats",
    "goodbye-after-silence",
    "reset-by-receiver",
    "reset-by-sender",
    "request-unanswered",
    "websocket-feed",
    "long-poll",
    "subscription",
    "http2-calls",
    "chat",
    "ack-loss",
    "loss-burst",
    "loss-burst-fixed",
    "merged-losses",
    "slow-line",
    "no-sack",
    "no-window-scale",
    "no-window-scale-fixed",
    "rmem-capped",
    "rmem-capped-fixed",
    "slow-reader",
    "slow-reader-fixed",
    "idle-restart",
    "rate-drop",
    "phases",
    "sndbuf-64k-ipv6",
    "http2-window",
    "http2-window-4m",
    "http2-window-whole",
    "grpc-streams",
    "ssh-channel-window",
    "sftp-blocks",
    "sftp-nagle",
    "redis-pipeline",
    "fetch-size",
    "forwarder-sndbuf",
    "writer-rests",
    "capture-begins-late",
    "capture-ends-early",
    "clock-steps",
    "routed-copies",
    "tap-near-sender",
    "nginx-sndbuf-16k",
    "nginx-sndbuf-default",
    "python-http-server",
    "mariadb-13mb",
    "nginx-h2-window",
    "nginx-h2-upload",
    "nginx-h2-upload-4m",
    "haproxy-sndbuf",
    "socat-sndbuf",
    "samba-sndbuf-8k",
    "sftp-two-requests",
    "redis-server-pipeline",
];

/// All of them, in order.
pub fn all() -> impl Iterator<Item = Scenario> {
    // Every one reads (tested).
    FILES.iter().filter_map(|(name, text)| Scenario::from_toml(name, text).ok())
}

/// Their names, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The one called `name`.
pub fn get(name: &str) -> Option<Scenario> {
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Scenario::from_toml(name, text).ok()
}

/// The file of the one called `name`.
pub fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use tcpwhy_model::Limit;

    use super::*;
    use crate::{Bytes, End, Expected, ExpectedFix, Words, Work};

    #[test]
    fn the_list_is_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
            .collect();
        let listed: BTreeSet<String> = names().map(str::to_owned).collect();
        assert_eq!(files, listed);
        assert_eq!(listed.len(), FILES.len(), "a name stands twice");
    }

    #[test]
    fn all_read_and_write_back() {
        for (name, text) in FILES {
            let scenario = Scenario::from_toml(name, text).unwrap();
            assert_eq!(&scenario.name, name);
            let written = scenario.to_toml().unwrap();
            assert_eq!(Scenario::from_toml(name, &written), Ok(scenario), "{written}");
        }
    }

    #[test]
    fn stories_are_complete_in_both_languages() {
        let is_han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for scenario in all() {
            let Words { title, text } = &scenario.story.en;
            assert!(!title.is_empty() && text.len() > 100 && !is_han(text), "{}: English", scenario.name);
            let Words { title, text } = &scenario.story.zh_cn;
            assert!(is_han(title) && is_han(text) && text.chars().count() > 50, "{}: Chinese", scenario.name);
            assert!(!scenario.story.source.is_empty(), "{}: source", scenario.name);
            assert!(scenario.story.en.title.chars().count() <= 100, "{}: one line", scenario.name);
        }
    }

    /// Something may be said of either end, and not everything: the buffer of one end at least is the wrong answer.
    #[test]
    fn expectations_can_fail() {
        for scenario in all() {
            for end in End::BOTH {
                let allows = |limit| {
                    scenario
                        .expect
                        .verdicts(end)
                        .any(|said| matches!(said, Expected::Cause(cause) if cause.limit == limit))
                };
                assert!(scenario.expect.verdicts(end).next().is_some(), "{}: nothing at the {end}", scenario.name);
                assert!(
                    !(allows(Limit::SendBuffer) && allows(Limit::ReceiveWindow)),
                    "{}: anything at the {end}",
                    scenario.name
                );
            }
        }
    }

    #[test]
    fn ratios_speak_of_scenarios_that_are_there() {
        for scenario in all() {
            for ratio in &scenario.expect.ratio {
                assert!(
                    names().any(|name| name == ratio.to && name != scenario.name),
                    "{}: {}",
                    scenario.name,
                    ratio.to
                );
                assert!(ratio.at_most.is_none_or(|most| most > ratio.at_least), "{}: {}", scenario.name, ratio.to);
            }
        }
    }

    /// A fixed scenario proves the fix: it differs in nothing else but the amount of data.
    #[test]
    fn a_fixed_scenario_differs_in_one_place() {
        let work = |scenario: &Scenario| {
            let mut work = scenario.work.clone();
            match &mut work {
                Work::Stream(stream) => stream.phases.iter_mut().for_each(|phase| phase.bytes = Bytes(0)),
                Work::Turns(turns) => turns.count = 0,
                Work::Talk(_) | Work::Application(_) => {}
            }
            work
        };
        let both_ends: [ExpectedFix; 1] = ["set-tcp-nodelay-at-both-ends".parse().unwrap()];
        let mut pairs = 0;
        for broken in all().filter(|scenario| scenario.expect.fixed.is_some()) {
            let fixed = get(broken.expect.fixed.as_deref().unwrap()).unwrap();
            // A fix for both ends changes both.
            let ends = [broken.sender != fixed.sender, broken.receiver != fixed.receiver];
            let is_of_both = broken.expect.fix.as_deref() == Some(&both_ends[..]);
            let ends = if is_of_both { [ends == [true, true], ends[0] != ends[1]] } else { ends };
            let differs = [
                broken.link != fixed.link,
                ends[0],
                ends[1],
                work(&broken) != work(&fixed),
                (broken.ip_version, broken.mtu) != (fixed.ip_version, fixed.mtu),
            ];
            assert_eq!(differs.iter().filter(|differs| **differs).count(), 1, "{}: {differs:?}", broken.name);
            let ratio = broken.expect.ratio.iter().find(|ratio| ratio.to == fixed.name).unwrap();
            assert!(ratio.at_least > 1.2, "{}: the fix brings nothing", broken.name);
            assert_ne!(broken.expect.fix, fixed.expect.fix, "{}", broken.name);
            pairs += 1;
        }
        assert!(pairs >= 10, "{pairs}");
    }

    #[test]
    fn other_names_in_stories_are_scenarios() {
        for scenario in all() {
            for words in [&scenario.story.en, &scenario.story.zh_cn] {
                for name in words.text.split('`').skip(1).step_by(2) {
                    let families = FILES.iter().filter_map(|(known, _)| known.split('-').next());
                    let is_like_a_name =
                        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
                            && name.contains('-')
                            && families.into_iter().any(|family| name.starts_with(&format!("{family}-")));
                    assert!(!is_like_a_name || get(name).is_some(), "{}: {name}", scenario.name);
                }
            }
        }
    }
}
