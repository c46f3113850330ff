//! Tests of each condition of an end that returned.

use tcpwhy_testkit::{at, script};

use crate::Analyzer;
use crate::outcome::Ending;

use super::*;

/// A client that repeats its last data four times until 3.35 s without an answer.
fn silent() -> Connection {
    let text = "
         0.000 > S 0:0(0) win 65535 <mss 1460>
         0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
         0.020 > . 1:1(0) ack 1
         0.050 > P. 1:1001(1000) ack 1
         0.270 > P. 1:1001(1000) ack 1
         0.710 > P. 1:1001(1000) ack 1
         1.590 > P. 1:1001(1000) ack 1
         3.350 > P. 1:1001(1000) ack 1";
    let mut analyzer = Analyzer::new();
    script(text).segments.iter().for_each(|segment| analyzer.observe(segment));
    analyzer.finish().remove(0)
}

/// Returns the time that the peer of [`silent`] was away, if another connection was opened at `seconds`.
fn away(seconds: i64, change: impl Fn(&mut Connection)) -> Option<(f64, &'static str)> {
    let mut later = crate::problems::testing::connection(Vec::new());
    later.endpoints[1] = silent().endpoints[1];
    later.span = tcpwhy_model::Span::new(at(seconds * 1_000_000_000), at(seconds * 1_000_000_000));
    change(&mut later);
    let mut returning = Returning::default();
    returning.note(&later);
    let mut silent = silent();
    assert!(is_open(&silent) && !is_open(&later));
    returning.settle(std::iter::once(&mut silent));
    let finding = super::silence(&mut silent.halves[0])?;
    let is_told = finding.evidence.iter().any(|evidence| evidence.key == EvidenceKey::OutageUs);
    is_told.then(|| (finding.seconds.unwrap(), finding.fixes[0].id))
}

#[test]
fn who_answers_a_later_syn_was_away() {
    assert_eq!(away(10, |_| ()), Some((9.95, "find-restart")), "since the data that was repeated");
    assert_eq!(away(3, |_| ()), None, "it answered before the end");
    assert_eq!(away(10, |later| later.endpoints[1].port += 1), None, "another port answered");
    assert_eq!(away(10, |later| later.ending = Ending::Unanswered), None, "it did not answer");
    assert_eq!(away(10, |later| later.ending = Ending::Refused), None, "it refused");
    assert_eq!(away(10, |later| later.initiator = None), None, "no SYN");
}

#[test]
fn no_more_openings_are_kept() {
    let mut returning = Returning::default();
    for port in 0..=u16::try_from(MOST_OPENINGS).unwrap() {
        let mut opened = crate::problems::testing::connection(Vec::new());
        opened.endpoints[1].port = port;
        returning.note(&opened);
    }
    let answered = returning.answered.sorted();
    assert_eq!(answered.len(), MOST_OPENINGS);
    assert!(answered.first().is_some_and(|(end, _)| end.port == 0), "the lowest stay");
}
