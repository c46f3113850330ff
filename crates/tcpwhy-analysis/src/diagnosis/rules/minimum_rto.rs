//! The repair of losses waited for a sender whose minimum retransmission timeout is far above that of Linux.
//!
//! RFC 6298 §2.4 requires at least one second, and some stacks still wait that long. Windows waits 300 ms
//! (`MinRto`), Linux 200 ms (`rto_min` of a route, `net.ipv4.tcp_rto_min_us`). A minimum is visible if round
//! trips are short and vary little: their computed timeout (§2.3) is then far below the actual wait.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::prediction::without_seconds;
use crate::diagnosis::{Detect, Rule};
use crate::facts::half::timers::FirstTimeouts;
use crate::outcome::Vantage;

pub(super) static RULE: Rule = Rule {
    id: "minimum-rto",
    limits: &[Limit::LossRecovery],
    severity: Severity::Warning,
    detect: Detect::Half(detect),
};

/// Equally long timeouts without another explanation.
const CONFIDENCE: f64 = 0.85;
/// A single timeout may be chance.
const CONFIDENCE_OF_ONE: f64 = 0.65;

/// Minimum share of the time, and minimum seconds, for which a change of a setting is worthwhile.
const LEAST_SHARE: f64 = 0.05;
const LEAST_SECONDS: f64 = 0.05;

/// Minimum timeout of Linux, nanoseconds (`TCP_RTO_MIN`), in addition to the round trip.
const OF_LINUX: i64 = 200_000_000;
/// Minimum timeout of RFC 6298, nanoseconds, less a tick of Windows' clock (15.6 ms).
const OF_RFC: i64 = 1_000_000_000 - 16_000_000;
/// Ratio, as numerator and denominator, by which a wait must exceed its possible explanations. Timers may be
/// late by 1/8, and round trips at the sender may differ from those at the capture by as much.
const ABOVE: [i64; 2] = [5, 4];
/// Factor on the difference between the smallest and largest round trip that the timeout may add to the
/// smallest. Smoothing as in RFC 6298 §2.3 gives a factor of 2.7 after five of the larger round trips.
const VARIATION: i64 = 3;
/// Factor on the first round trip that gives the initial timeout (RFC 6298 §2.2).
const OF_FIRST: i64 = 3;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let rtt = facts.half.rtt.as_ref()?;
    let [median, min, max] = [rtt.median, rtt.min, rtt.max].map(|nanos| nanos as i64);
    let first = facts.signs?.first_timeouts;
    let is_known = is_of_rfc(first.least);
    let is_one = first.alike == 1;
    // Away from the sender, retransmissions may have been lost before the capture point while the timer
    // doubled.
    let is_shown = is_known || !is_one && facts.half.vantage == Vantage::Sender;
    if first.alike <= first.longer || !is_shown {
        return None;
    }
    // Round trips of the sender include delayed ACKs.
    let longest = max.max(facts.half.longest_ack.nanos());
    let of_linux = OF_LINUX + median;
    let is_above = |nanos: i64| first.least * ABOVE[1] >= nanos * ABOVE[0];
    if !is_above(accounted(min, longest)) || !is_above(OF_FIRST * median) || !is_above(of_linux) {
        return None;
    }
    let seconds = beyond(&first, of_linux).min(facts.seconds_of_detail(Detail::Rto));
    if facts.share(seconds) < LEAST_SHARE || seconds < LEAST_SECONDS {
        return None;
    }
    let mut finding = note(&RULE, if is_one { CONFIDENCE_OF_ONE } else { CONFIDENCE });
    finding.severity = facts.severity_of_note(seconds);
    finding.seconds = Some(seconds);
    finding.evidence.push(inferred(EvidenceKey::MinimumRtoUs, (first.least / 1000) as u64));
    finding.evidence.push(inferred(EvidenceKey::TimeoutCount, first.alike));
    finding.evidence.extend(facts.typical_rtt_evidence());
    finding.fixes = vec![tcpwhy_advice::lower_minimum_rto()];
    finding.prediction = Some(without_seconds(facts.seconds(), seconds, Limit::LossRecovery));
    Some(finding)
}

/// Maximum timeout that round trips between `min` and `longest` explain, nanoseconds.
const fn accounted(min: i64, longest: i64) -> i64 {
    min + VARIATION * (longest - min)
}

/// Whether a timeout of `nanos` is the minimum of RFC 6298.
fn is_of_rfc(nanos: i64) -> bool {
    (OF_RFC..=OF_RFC + OF_RFC / 8).contains(&nanos)
}

/// Seconds by which these timeouts exceeded those of Linux.
fn beyond(first: &FirstTimeouts, of_linux: i64) -> f64 {
    (first.nanos - i64::from(first.alike) * of_linux) as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use tcpwhy_model::{Distribution, Segment};
    use tcpwhy_testkit::script;

    use super::super::testing::{findings, fires, fixes, is_silent, number, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::facts::half::grains::Longest;
    use crate::facts::half::signs::Signs;
    use crate::infer::summary::Summary;

    /// A sender of messages of 100 bytes over 6 ms.
    struct Talk {
        text: String,
        /// Current time, microseconds.
        now: u64,
        next: u32,
        rtt: u64,
    }

    impl Talk {
        fn new() -> Self {
            let text = "0.000 > S 0:0(0) win 65535 <mss 1460,sackOK>
                0.006 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK>
                0.006 > . 1:1(0) ack 1\n";
            Self { text: text.to_owned(), now: 10_000, next: 1, rtt: 6_000 }
        }

        fn line(&mut self, way: char, what: &str) {
            let _ = writeln!(self.text, "{}.{:06} {way} {what}", self.now / 1_000_000, self.now % 1_000_000);
        }

        /// Sends one message, which is retransmitted after each of these milliseconds until it arrives.
        fn say(&mut self, waits: &[u64]) {
            let (from, to) = (self.next, self.next + 100);
            let message = format!("P. {from}:{to}(100) ack 1 win 65535");
            self.line('>', &message);
            for wait in waits {
                self.now += wait * 1000;
                self.line('>', &message);
            }
            self.now += self.rtt;
            self.line('<', &format!(". 1:1(0) ack {to} win 65535"));
            self.now += 4_000;
            self.next = to;
        }

        /// Sends ten messages that arrive.
        fn say_ten(mut self) -> Self {
            (0..10).for_each(|_| self.say(&[]));
            self
        }

        fn segments(self) -> Vec<Segment> {
            script(&self.text).segments
        }
    }

    /// Ten messages that arrive, then for each element one that is retransmitted after these milliseconds,
    /// and ten more.
    fn talk(all: &[&[u64]]) -> Talk {
        all.iter().fold(Talk::new().say_ten(), |mut talk, waits| {
            talk.say(waits);
            talk.say_ten()
        })
    }

    #[test]
    fn one_timeout_as_rfc_6298_asks_for() {
        let finding = fires(RULE.id, &talk(&[&[1000]]).segments());
        assert!((number(&finding, "minimum_rto_us") - 1e6).abs() < 1e3, "{finding:?}");
        assert!(finding.seconds.is_some_and(|seconds| (seconds - 0.794).abs() < 0.01), "{finding:?}");
        assert_eq!(fixes(&finding), ["lower-minimum-rto"]);
        let stays = finding.prediction.unwrap().seconds.value;
        assert!((0.2..0.6).contains(&stays), "{stays}");
    }

    /// `OF_RFC`, `TIMER_LATE`: waits that are, or are not, a minimum.
    #[test]
    fn timeouts_above_linux() {
        let all: [(&[&[u64]], bool); 10] = [
            (&[&[1000], &[1010]], true),
            (&[&[300], &[310]], true),
            // The minimum of Linux, with the tick of a slow clock, and shorter ones.
            (&[&[206], &[210]], false),
            (&[&[250], &[257]], false),
            (&[&[60], &[60]], false),
            // Single timeouts; only the one of a known minimum counts.
            (&[&[600]], false),
            (&[&[983]], false),
            (&[&[984]], true),
            // Waits of varying length show no minimum.
            (&[&[400], &[700], &[1100]], false),
            // Most of these waits are the minimum.
            (&[&[400], &[410], &[900]], true),
        ];
        for (waits, expected) in all {
            let found = findings(RULE.id, &talk(waits).segments());
            assert_eq!(!found.is_empty(), expected, "{waits:?}: {found:?}");
        }
    }

    /// Linux doubles 200 ms. The second timeout of a message does not count. Neither does the first of the
    /// next one, unless a round trip was measured in between (RFC 6298 §5.7).
    #[test]
    fn doubled_timeouts_show_no_minimum() {
        is_silent(RULE.id, &talk(&[&[206, 412, 824], &[206, 412, 824]]).segments());
        let mut doubled = Talk::new().say_ten();
        for wait in [206, 412, 412] {
            doubled.say(&[wait]);
        }
        is_silent(RULE.id, &doubled.say_ten().segments());
        let finding = fires(RULE.id, &talk(&[&[1000, 2000, 4000]]).segments());
        assert!((number(&finding, "minimum_rto_us") - 1e6).abs() < 1e3, "{finding:?}");
        assert!(
            finding.seconds.is_some_and(|seconds| (seconds - 0.794).abs() < 0.01),
            "what later ones cost is not known"
        );
    }

    /// Before any data was acknowledged, Linux waits for a second as well if the handshake gave no round trip
    /// (SYN cookies, a retransmitted SYN).
    #[test]
    fn the_first_message_shows_no_minimum() {
        let mut first = Talk::new();
        first.say(&[1000]);
        is_silent(RULE.id, &first.say_ten().segments());
    }

    /// If round trips vary, they explain the timeout.
    #[test]
    fn round_trips_that_account_for_the_timeout() {
        for (rtts, expected) in [
            ([6_000, 60_000], true),
            // 6 ms, plus three times 264 ms.
            ([6_000, 259_000], true),
            ([6_000, 271_000], false),
        ] {
            let mut talk = Talk::new();
            let messages = |talk: &mut Talk| {
                for rtt in rtts.repeat(5) {
                    talk.rtt = rtt;
                    talk.say(&[]);
                }
            };
            messages(&mut talk);
            for _ in 0..2 {
                talk.say(&[1000]);
                messages(&mut talk);
            }
            let found = findings(RULE.id, &talk.segments());
            assert_eq!(!found.is_empty(), expected, "{rtts:?}: {found:?}");
        }
    }

    /// A direction with ten seconds of timeouts over 20 ms. `alike` of them took `least` nanoseconds,
    /// `longer` took more.
    fn seen(vantage: Vantage, least: i64, alike: u32, longer: u32) -> Option<Finding> {
        let nanos = least * i64::from(alike);
        let timeouts = FirstTimeouts { least, alike, longer, nanos, ..FirstTimeouts::default() };
        let signs = Signs::of_timeouts(timeouts);
        let cause = Detail::Rto.into();
        let half = Summary { vantage, ..summed_up(timeline(&[(10_000_000_000, cause)])) };
        with_facts_of(&half, cause, |facts| detect(&HalfFacts { signs: Some(&signs), ..*facts }))
    }

    /// Away from the sender a retransmission may be missing: two timeouts of Linux look like one of 600 ms.
    #[test]
    fn away_from_the_sender_only_a_known_minimum_shows() {
        for (vantage, millis, expected) in [
            (Vantage::Sender, 600, true),
            (Vantage::Middle, 600, false),
            (Vantage::Receiver, 600, false),
            (Vantage::Receiver, 983, false),
            (Vantage::Receiver, 984, true),
            (Vantage::Receiver, 1107, true),
            (Vantage::Receiver, 1108, false),
        ] {
            let found = seen(vantage, millis * 1_000_000, 3, 0);
            assert_eq!(found.is_some(), expected, "{vantage:?}, {millis} ms");
        }
    }

    /// `ABOVE`: a quarter above Linux's 220 ms, for most of the timeouts.
    #[test]
    fn most_timeouts_are_a_quarter_above_linux() {
        let at_sender = |millis: i64, alike, longer| seen(Vantage::Sender, millis * 1_000_000, alike, longer).is_some();
        assert_eq!([274, 275].map(|millis| at_sender(millis, 30, 0)), [false, true]);
        assert_eq!([2, 3].map(|longer| at_sender(600, 3, longer)), [true, false]);
        assert!(!at_sender(600, 1, 0) && at_sender(1000, 1, 0) && !at_sender(0, 0, 0));
    }

    /// `OF_FIRST` and `VARIATION`: timeouts up to a quarter above those that round trips explain are not a
    /// minimum.
    #[test]
    fn what_round_trips_explain_is_no_minimum() {
        let found = |millis: [u64; 3], longest_ack: i64| {
            let [min, median, max] = millis.map(|millis| millis * 1_000_000);
            let least = 1_000_000_000;
            let timeouts = FirstTimeouts { least, alike: 5, nanos: 5 * least, ..FirstTimeouts::default() };
            let signs = Signs::of_timeouts(timeouts);
            let rtt = Some(Distribution { min, median, p95: max, max });
            let cause = Detail::Rto.into();
            let half = Summary {
                rtt,
                longest_ack: Longest::of(longest_ack),
                ..summed_up(timeline(&[(10_000_000_000, cause)]))
            };
            with_facts_of(&half, cause, |facts| detect(&HalfFacts { signs: Some(&signs), ..*facts })).is_some()
        };
        for (what, millis, longest_ack, expected) in [
            ("three of the usual one", [20, 266, 266], 0, true),
            ("more", [20, 267, 267], 0, false),
            ("three differences", [20, 20, 280], 0, true),
            ("more", [20, 20, 281], 0, false),
            ("ACKs that are as late", [20, 20, 20], 279_999_999, true),
            ("later ones", [20, 20, 20], 280_000_000, false),
        ] {
            assert_eq!(found(millis, longest_ack), expected, "{what}");
        }
    }

    /// The cost must justify a change of a setting.
    #[test]
    fn little_of_a_long_time() {
        let mut long = talk(&[&[1000]]);
        long.now += 60_000_000;
        is_silent(RULE.id, &long.say_ten().segments());
    }
}
