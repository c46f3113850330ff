//! Each end delayed small writes until the other's ACK. A change at one end leaves the waits of the other.
//!
//! Both programs write each message in pieces, with Nagle's algorithm on (RFC 1122 §4.2.3.4). Each kernel
//! delays the ACK that the other one waits for (§4.2.3.2). The findings of both directions show the gain of
//! each end's change alone.

use tcpwhy_model::{EvidenceKey, Finding, Limit};

use super::nagle_delayed_ack;
use crate::diagnosis::each_end::EachEnd;
use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Side;

pub(super) static RULE: Rule = Rule {
    id: "nagle-both-ends",
    limits: &[Limit::AckDelay],
    severity: nagle_delayed_ack::RULE.severity,
    detect: Detect::Connection(detect),
};

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let ends = EachEnd::of(facts.halves, nagle_delayed_ack::RULE.id, Limit::AckDelay)?;
    let held = [ends.main, ends.other].map(|(_, finding)| finding.number(EvidenceKey::TurnCount));
    let evidence = vec![inferred(EvidenceKey::TurnCount, held.into_iter().flatten().sum::<u64>())];
    let client = facts.asker.unwrap_or(Side::A);
    Some(ends.finding(&RULE, client, evidence, tcpwhy_advice::set_tcp_nodelay_at_both_ends()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_model::Segment;
    use tcpwhy_testkit::script;

    use super::super::testing::{connections, fires, fixes, is_silent, number};
    use super::*;

    /// A message exchange over 1 ms, captured at the client or at the server.
    struct Talk {
        text: String,
        at_client: bool,
        next: [u32; 2],
    }

    impl Talk {
        /// Adds the packet `what`, which leaves its sender at this microsecond.
        fn line(&mut self, at: u64, from_client: bool, what: &str) {
            let seen = if from_client == self.at_client { at } else { at + 500 };
            let way = if from_client { '>' } else { '<' };
            let _ = writeln!(self.text, "{}.{:06} {way} {what}", seen / 1_000_000, seen % 1_000_000);
        }

        /// Sends `bytes` from one end.
        fn say(&mut self, at: u64, end: usize, bytes: u32) {
            let (from, to, peer) = (self.next[end], self.next[end] + bytes, self.next[1 - end]);
            self.line(at, end == 0, &format!("P. {from}:{to}({bytes}) ack {peer}"));
            self.next[end] = to;
        }

        /// Acknowledges all received data at one end.
        fn acknowledge(&mut self, at: u64, end: usize) {
            let (own, peer) = (self.next[end], self.next[1 - end]);
            self.line(at, end == 0, &format!(". {own}:{own}(0) ack {peer}"));
        }
    }

    /// Requests and answers in two pieces each. Ends in `is_held` delay the second piece until the ACK of the
    /// first, 40 ms after its arrival.
    fn talk(count: u32, is_held: [bool; 2], at_client: bool) -> Vec<Segment> {
        let mut talk = Talk { text: String::new(), at_client, next: [1, 1] };
        talk.line(0, true, "S 0:0(0) win 65535 <mss 1460>");
        talk.line(500, false, "S. 0:0(0) ack 1 win 65535 <mss 1460>");
        talk.acknowledge(1_000, 0);
        let mut at = 2_000;
        for _ in 0..count {
            for (end, is_held) in is_held.into_iter().enumerate() {
                talk.say(at, end, 20);
                if is_held {
                    talk.acknowledge(at + 40_500, 1 - end);
                    at += 41_020;
                    talk.say(at, end, 20);
                }
                // The peer's program answers at once.
                at += 520;
            }
        }
        talk.line(at, true, &format!("F. {}:{}(0) ack {}", talk.next[0], talk.next[0], talk.next[1]));
        script(&talk.text).segments
    }

    #[test]
    fn both_ends_keep_small_writes_back() {
        for at_client in [true, false] {
            let all = talk(50, [true, true], at_client);
            let finding = fires(RULE.id, &all);
            assert_eq!(fixes(&finding), ["set-tcp-nodelay-at-both-ends"]);
            assert!(number(&finding, "turn_count") >= 97.0, "{finding:?}");
            let total = connections(&all)[0].halves[0].span.seconds();
            assert!(finding.seconds.is_some_and(|seconds| seconds > 0.9 * total), "{finding:?}");
            let both = finding.prediction.as_ref().map(|all| all.seconds.value);
            assert!(both.is_some_and(|seconds| seconds < 0.1 * total), "{both:?} of {total}");
            for alone in ["client_alone_us", "server_alone_us"] {
                let alone = number(&finding, alone) / 1e6;
                assert!((0.4 * total..0.6 * total).contains(&alone), "{alone} of {total}");
            }
        }
    }

    #[test]
    fn one_end_keeps_them_back() {
        for is_held in [[true, false], [false, true], [false, false]] {
            for at_client in [true, false] {
                is_silent(RULE.id, &talk(50, is_held, at_client));
            }
        }
    }
}
