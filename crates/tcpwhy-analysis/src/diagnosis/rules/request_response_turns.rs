//! Both sides send small messages in turn, so round trips and not bytes take the time.
//!
//! Every turn costs at least a round trip, independent of windows and path. Only fewer turns or a shorter
//! path help. If each turn carries a block (SFTP, SMB, iSCSI, a fetch from a queue), more or larger blocks at
//! a time help.

use tcpwhy_advice::WindowedProtocol;
use tcpwhy_model::{Basis, Detail, Estimate, EvidenceKey, Finding, Fix, FixPlace, Limit, Prediction, Rate, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::{ConnectionFacts, HalfFacts};
use crate::diagnosis::finding::note;
use crate::diagnosis::prediction::{claim, fastest_over};
use crate::diagnosis::{Detect, OfRequests, Rule, severity};
use crate::exchanges::Exchanges;
use crate::outcome::{Role, Side};

pub(super) static RULE: Rule = Rule {
    id: "request-response-turns",
    limits: &[Limit::Application, Limit::TailRtt],
    severity: Severity::Warning,
    detect: Detect::Requests(OfRequests { exchanges: Some(of_exchanges), half: Some(of_half) }),
};

/// The turns were counted. Whether they depend on each other is unknown.
const CONFIDENCE: f64 = 0.9;

/// Minimum number of turns. Fewer are not a pattern.
const LEAST_TURNS: u32 = 10;
/// Maximum bytes per turn without blocks, in segments: a first window carries them.
const MOST_SEGMENTS_A_TURN: u64 = 10;

/// Minimum share of the time for which a change is worthwhile.
const LEAST_SHARE: f64 = 0.33;
/// Minimum share of the time for blocks. With less, the connection is a bulk transfer in pieces.
const LEAST_SHARE_OF_BLOCKS: f64 = 0.5;
/// Share of the round trips that batches of ten requests save, and batches of two.
const SAVED_BY_TEN: f64 = 0.9;
const SAVED_BY_TWO: f64 = 0.5;

/// Factor by which a window should grow, as in `HalfFacts::wanted_window`.
const WANTED_TIMES: u64 = 4;

/// Minimum round trip, seconds, for which another location helps: that of about 500 km of fibre and back (5
/// µs/km, ITU-T G.114).
const DISTANT_SECONDS: f64 = 0.005;

/// Seconds of propagation that the turns cost: a round trip each.
fn cost(facts: &HalfFacts<'_>) -> f64 {
    facts.rtt_seconds().map_or(0.0, |rtt| rtt * f64::from(facts.half.turns))
}

/// Whether turns of a round trip each took a third of the time.
pub(super) fn holds(facts: &HalfFacts<'_>) -> bool {
    let waiting = facts.seconds_of(Limit::TailRtt) + facts.seconds_of_detail(Detail::PeerTurn);
    facts.half.turns >= LEAST_TURNS
        && facts.half.counts.bytes.max(facts.peer_bytes) / u64::from(facts.half.turns)
            <= MOST_SEGMENTS_A_TURN * facts.half.mss
        && facts.share(cost(facts).min(waiting)) >= LEAST_SHARE
}

/// The finding about consecutive requests that take a round trip each.
fn of_exchanges(facts: &ConnectionFacts<'_>, exchanges: &Exchanges) -> Option<Finding> {
    let parts = &exchanges.parts;
    let [all, cost] = [parts.all(), parts.round_trips].map(|nanos| nanos as f64 / 1e9);
    let bytes = exchanges.request_bytes.max(exchanges.answer_bytes);
    let mss = facts.halves.iter().filter_map(|half| half.mss).max()?;
    let turn = bytes.checked_div(exchanges.count)?;
    let is_block = turn > MOST_SEGMENTS_A_TURN * mss;
    let least = if is_block { LEAST_SHARE_OF_BLOCKS } else { LEAST_SHARE };
    if exchanges.count < u64::from(LEAST_TURNS) || cost < least * all {
        return None;
    }
    let rtt = cost / exchanges.count as f64;
    let mut finding = note(&RULE, exchanges.known.confidence());
    finding.severity = severity::of_part(all, facts.bytes.iter().sum(), cost, None).min(RULE.severity);
    finding.seconds = Some(cost);
    finding.evidence.push(exact(EvidenceKey::RequestCount, exchanges.count));
    finding.evidence.push(inferred(EvidenceKey::RoundTripsUs, parts.round_trips / 1000));
    finding.evidence.push(inferred(EvidenceKey::RttUs, (rtt * 1e6) as u64));
    let (key, pipeline) = if is_block {
        (EvidenceKey::BlockBytes, tcpwhy_advice::pipeline_requests(tcpwhy_advice::Pipelined::Blocks))
    } else {
        (EvidenceKey::TurnBytes, tcpwhy_advice::pipeline_requests(tcpwhy_advice::Pipelined::Requests))
    };
    finding.evidence.push(inferred(key, turn));
    finding.fixes = fixes(rtt, pipeline);
    if let Some(allowed) = facts.asked_or_allowed[exchanges.client.peer().index()].filter(|_| is_block) {
        finding.fixes.insert(1, raise_window(allowed));
    }
    finding.prediction = Some(in_batches(facts, exchanges, mss));
    Some(finding)
}

/// Fix for the case that the messages between the blocks allow blocks and do not request them.
fn raise_window(allowed: u64) -> Fix {
    let wanted = allowed.saturating_mul(WANTED_TIMES);
    // The end that requests blocks receives them.
    let place = FixPlace::SendingApplication;
    Fix { place, ..tcpwhy_advice::raise_peer_window(wanted, WindowedProtocol::Unknown) }.as_rival()
}

/// Predicted duration with ten requests per turn; at best all requests in one turn, at worst two per turn.
/// The best case takes one round trip, plus the time that the path needs for the bytes.
fn in_batches(facts: &ConnectionFacts<'_>, exchanges: &Exchanges, mss: u64) -> Prediction {
    let parts = &exchanges.parts;
    let [all, cost, transfers] = [parts.all(), parts.round_trips, parts.transfers()].map(|nanos| nanos as f64 / 1e9);
    let rtt = cost / exchanges.count as f64;
    let fastest = |side: Side, bytes: u64| {
        let half = facts.halves.iter().find(|half| half.sender == side);
        let rate = half.and_then(|half| half.path_rate).map(Rate::bytes_per_sec);
        fastest_over(bytes as f64, mss as f64, rtt, rate)
    };
    let client = exchanges.client;
    let path = fastest(client, exchanges.request_bytes).max(fastest(client.peer(), exchanges.answer_bytes));
    // Measured transfers are part of the remaining time.
    let least = (all - cost - transfers + (rtt + transfers).max(path)).min(all);
    let saved = |part: f64| (all - cost * part).max(least);
    let seconds = Estimate { value: saved(SAVED_BY_TEN), low: least, high: saved(SAVED_BY_TWO), basis: Basis::Assumed };
    Prediction::by_formula(seconds, claim(seconds, false, false), Limit::Application, "application")
}

/// Fixes that save round trips of `rtt` seconds, `pipeline` first.
fn fixes(rtt: f64, pipeline: Fix) -> Vec<Fix> {
    let move_closer = (rtt >= DISTANT_SECONDS).then(tcpwhy_advice::move_closer);
    [Some(pipeline), move_closer, Some(tcpwhy_advice::reuse_connection())].into_iter().flatten().collect()
}

fn of_half(facts: &HalfFacts<'_>) -> Option<Finding> {
    if !holds(facts) {
        return None;
    }
    let cost = cost(facts).min(facts.seconds());
    let total = facts.seconds();
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(cost);
    finding.evidence.push(inferred(EvidenceKey::TurnCount, facts.half.turns));
    finding.evidence.extend(facts.typical_rtt_evidence_with_base());
    finding.evidence.push(inferred(EvidenceKey::TurnBytes, facts.half.counts.bytes / u64::from(facts.half.turns)));
    finding.evidence.push(inferred(EvidenceKey::RoundTripsUs, (cost * 1e6) as u64));
    let mut pipeline = tcpwhy_advice::pipeline_requests(tcpwhy_advice::Pipelined::Requests);
    // The end that starts the exchanges sends the requests.
    if facts.exchange_role == Role::Server {
        pipeline.place = FixPlace::ReceivingApplication;
    }
    finding.fixes = fixes(facts.rtt_seconds().unwrap_or_default(), pipeline);
    // Ten requests per turn; at best all in one turn, at worst two per turn.
    let seconds = Estimate {
        value: total - cost * SAVED_BY_TEN,
        low: total - cost * (1.0 - 1.0 / f64::from(facts.half.turns)),
        high: total - cost * SAVED_BY_TWO,
        basis: Basis::Assumed,
    };
    finding.prediction =
        Some(Prediction::by_formula(seconds, claim(seconds, false, false), Limit::Application, "application"));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    #[test]
    fn a_hundred_small_requests() {
        let finding = fires(RULE.id, &Turns::default().run());
        assert!((number(&finding, "request_count") - 100.0).abs() < 0.1, "{finding:?}");
        assert!((19_000.0..21_000.0).contains(&number(&finding, "rtt_us")), "{finding:?}");
        assert!((1.9e6..2.1e6).contains(&number(&finding, "round_trips_us")), "{finding:?}");
        assert!(finding.prediction.is_some_and(|p| p.seconds.value < 0.5));
    }

    /// At best, all requests go in one round trip, and their bytes take the time that the path needs. 50 kB
    /// from a window of ten segments take three round trips.
    #[test]
    fn no_more_than_the_path_gives() {
        let seconds = |turns: &Turns| fires(RULE.id, &turns.run()).prediction.unwrap().seconds;
        let small = seconds(&Turns::default());
        assert!((0.059..0.07).contains(&small.low), "{small:?}");
        assert!((0.19..0.22).contains(&small.value) && (0.99..1.02).contains(&small.high), "{small:?}");
        let large = seconds(&Turns { answer: 10_000, ..Turns::default() });
        assert!(large.low > 2.0 * small.low, "{large:?}");
        assert!(large.low <= large.value && large.value <= large.high, "{large:?}");
    }

    /// `LEAST_SHARE`: if the client pauses for as long, fewer turns save little.
    #[test]
    fn a_client_that_pauses_as_well() {
        fires(RULE.id, &Turns { rest: ms(39), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { rest: ms(42), ..Turns::default() }.run());
    }

    /// `LEAST_TURNS`; a finding about so little time is a note.
    #[test]
    fn few_turns_and_short_ones() {
        is_silent(RULE.id, &Turns { count: 9, ..Turns::default() }.run());
        assert_eq!(fires(RULE.id, &Turns { count: 10, ..Turns::default() }.run()).severity, Severity::Warning);
        let short = fires(RULE.id, &Turns { count: 10, rtt: ms(4), ..Turns::default() }.run());
        assert_eq!(short.severity, Severity::Info);
    }

    /// A server that is near cannot be moved closer.
    #[test]
    fn distance_is_for_those_who_are_far() {
        assert!(fixes(&fires(RULE.id, &Turns::default().run())).contains(&"move-closer"));
        let near = fires(RULE.id, &Turns { rtt: ms(1), ..Turns::default() }.run());
        assert!(!fixes(&near).contains(&"move-closer"), "{near:?}");
    }

    /// `MOST_SEGMENTS_A_TURN` and `LEAST_SHARE_OF_BLOCKS`: turns of more than ten segments are blocks, and
    /// round trips take half of the time.
    #[test]
    fn blocks_that_wait_for_each_other() {
        let blocks = |request: u32, answer: u32| Turns { request, answer, rtt: ms(80), ..Turns::default() };
        for turns in [blocks(65_536, 100), blocks(48, 65_536)] {
            let finding = fires(RULE.id, &turns.run());
            assert!((number(&finding, "block_bytes") - 65_536.0).abs() < 1.0, "{finding:?}");
            assert_eq!(fixes(&finding)[0], "pipeline-requests");
        }
        // A request as short as this may be a window update of a protocol above TCP.
        let rival = |turns: Turns| fires(RULE.id, &turns.run()).fixes.get(1).is_some_and(|fix| fix.is_rival);
        assert_eq!([70, 71].map(|request| rival(blocks(request, 65_536))), [true, false]);
        assert!(!rival(blocks(65_536, 100)));
        let small = fires(RULE.id, &blocks(48, 14_480).run());
        assert!((number(&small, "turn_bytes") - 14_480.0).abs() < 1.0, "{small:?}");
    }

    #[test]
    fn turns_that_pay_for_something_else() {
        is_silent(RULE.id, &Turns { think: ms(200), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { answer: 100_000, rest: ms(25), ..Turns::default() }.run());
        is_silent(RULE.id, &Turns { count: 5, ..Turns::default() }.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
