//! Small receive buffers at both ends: a change at one end leaves the other direction as slow.
//!
//! Programs at both ends often get the size from one option (`socket options` of Samba, a common library). If
//! a connection moves much data both ways, each direction waits for its own receiver's buffer. The findings
//! of both directions show the gain of each end's change alone.

use tcpwhy_model::{EvidenceKey, Finding, Limit};

use super::receive_window_small_buffer;
use crate::diagnosis::each_end::EachEnd;
use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Side;

pub(super) static RULE: Rule = Rule {
    id: "receive-buffers-both-ends",
    limits: &[Limit::ReceiveWindow],
    severity: receive_window_small_buffer::RULE.severity,
    detect: Detect::Connection(detect),
};

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let ends = EachEnd::of(facts.halves, receive_window_small_buffer::RULE.id, Limit::ReceiveWindow)?;
    let windows = [ends.main, ends.other].map(|(_, finding)| finding.number(EvidenceKey::WindowBytes));
    let evidence = vec![exact(EvidenceKey::WindowBytes, windows.into_iter().flatten().max()?)];
    let client = facts.asker.unwrap_or(Side::A);
    Some(ends.finding(&RULE, client, evidence, tcpwhy_advice::remove_receive_buffers()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    const ROUNDS: u32 = 50;

    /// The client sends 50 windows of data, then the server as many, over 20 ms. The ends offer windows of
    /// `client` and `server` segments of 1,000 bytes.
    fn put_and_get(client: u32, server: u32) -> Vec<Segment> {
        let mut text = format!(
            "0.000 > S 0:0(0) win {0} <mss 1000>\n 0.020 < S. 0:0(0) ack 1 win {1} <mss 1000>\n \
             0.020 > . 1:1(0) ack 1 win {0}\n",
            client * 1000,
            server * 1000
        );
        let (mut now, mut next) = (21_000, [1, 1]);
        for (way, back, window, own) in [('>', '<', server, client), ('<', '>', client, server)] {
            let from = usize::from(way == '<');
            for _ in 0..ROUNDS {
                let rounds = window.min(10);
                for _ in 0..rounds {
                    let (start, end) = (next[from], next[from] + 1000);
                    let (at, ack) = (seconds(now), next[1 - from]);
                    let _ = writeln!(text, "{at} {way} . {start}:{end}(1000) ack {ack} win {}", own * 1000);
                    next[from] = end;
                }
                now += if from == 0 { 20_000 } else { 10 };
                let (at, start, ack) = (seconds(now), next[1 - from], next[from]);
                let _ = writeln!(text, "{at} {back} . {start}:{start}(0) ack {ack} win {}", window * 1000);
                now += if from == 0 { 10 } else { 20_000 };
            }
        }
        script(&text).segments
    }

    fn seconds(micros: u32) -> String {
        format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
    }

    #[test]
    fn both_directions_behind_small_windows() {
        let finding = fires(RULE.id, &put_and_get(6, 6));
        assert_eq!(fixes(&finding), ["remove-receive-buffers"]);
        assert!((number(&finding, "window_bytes") - 6_000.0).abs() < 1.0, "{finding:?}");
        assert!(finding.seconds.is_some_and(|seconds| (1.5..2.1).contains(&seconds)), "{finding:?}");
        let alone = ["client_alone_us", "server_alone_us"].map(|key| number(&finding, key) / 1e6);
        let both = finding.prediction.unwrap().least_claimed();
        assert!(alone.into_iter().all(|alone| alone > both + 0.5), "{alone:?} against {both}");
    }

    /// If one of the windows leaves room, its direction has no part in this finding.
    #[test]
    fn one_of_them() {
        for (client, server) in [(60, 6), (6, 60)] {
            is_silent(RULE.id, &put_and_get(client, server));
        }
    }
}
