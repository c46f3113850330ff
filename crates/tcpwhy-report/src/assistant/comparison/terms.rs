//! Tests of each number of the answer about two captures: swapping before and after, or moving a boundary,
//! fails a test.

use tcpwhy_analysis::testing::{finding, half};
use tcpwhy_analysis::{Attempts, Connection, Role, Side};
use tcpwhy_model::{Cause, Limit, Severity, Span};

use super::super::testing::{SECOND, at, connection, end};
use super::*;
use crate::compare::{Change, Changes};
use crate::text::Overview;
use crate::{Catalogue, Language};

/// A download from `port` that a send buffer limited for `seconds`.
fn slow(port: u16, seconds: i64) -> Connection {
    let parts = [(seconds, Cause::plain(Limit::SendBuffer))];
    let findings = vec![finding("send-buffer-plateau", Severity::Critical, 1, None)];
    let mut half = half(Role::Server, Some(Severity::Critical), &parts, findings);
    half.sender = Side::B;
    let mut slow = connection(vec![half]);
    slow.endpoints[0] = end(1, port);
    slow.span = Span::new(at(0), at(seconds * SECOND));
    slow
}

fn pair(number: u64) -> ComparedPair {
    let [mut before, mut after] = [slow(40_000, 4), slow(40_000, 9)];
    (before.id, before.first_packet, after.id, after.first_packet) = (number, 11, number + 100, 22);
    (before.halves[0].bytes, after.halves[0].bytes) = (3000, 5000);
    after.halves[0].verdict.confidence = 0.5;
    after.halves[0].verdict.cause = None;
    ComparedPair { connections: [before, after], crossing: None, opening: None, unseen: [None; 2] }
}

fn change() -> ProblemChange {
    let problem = |connections: &[Connection]| Overview::of(connections).problems().first().cloned();
    let [mut before, mut after] = [slow(40_000, 4), slow(40_000, 9)];
    (before.id, before.first_packet, after.id, after.first_packet) = (1, 11, 2, 22);
    let other = Connection { first_packet: 99, ..slow(40_001, 9) };
    let problems = [problem(&[before]), problem(&[after, other])];
    ProblemChange { change: Change::Worse, problems, of_connections: [30, 40] }
}

fn comparison(mode: CompareMode, changes: usize, pairs: u64) -> Comparison {
    Comparison {
        mode,
        names: ["old".to_owned(), "new".to_owned()],
        pairs: (1..=pairs).map(pair).collect(),
        count: pairs,
        alike: 0,
        only: [0; 2],
        attempts: Attempts::default(),
        changes: Some(Changes { problems: vec![change(); changes], ..Changes::default() }),
    }
}

fn answer(changes: usize, pairs: u64, page: Page) -> CompareAnswer {
    let comparison = comparison(CompareMode::Captures, changes, pairs);
    CompareAnswer::new(Wording::new(&Catalogue::new(Language::English)), &comparison, page)
}

#[test]
fn before_comes_first() {
    let found = answer(1, 1, Page::FIRST);
    assert_eq!((&*found.before, &*found.after), ("old", "new"));
    let change = &found.changes[0];
    assert_eq!((&*change.change, change.connections, change.of_connections), ("worse", [1, 2], [30, 40]));
    assert_eq!(change.lost_s.map(|seconds| seconds.round() as i64), [4, 18]);
    let examples = change.examples.each_ref().map(|example| example.as_ref().map(|e| (e.connection, e.packet)));
    assert_eq!(examples, [Some((1, 11)), Some((2, 22))]);
    let pair = &found.pairs[0];
    assert_eq!((pair.connections, pair.packets, pair.bytes), ([1, 101], [11, 22], [3000, 5000]));
    assert_eq!(pair.seconds.map(|seconds| seconds.round() as i64), [4, 9]);
    assert_eq!((&*pair.limits[0], &*pair.limits[1]), ("send_buffer", "none"));
    assert_eq!(pair.confidence.map(|share| (share * 10.0).round() as i64), [9, 5]);
    assert_eq!((pair.verdicts.len(), pair.together.len()), (2, 0));
}

#[test]
fn a_problem_of_one_capture() {
    let mut change = change();
    (change.change, change.problems[0]) = (Change::New, None);
    let found = ChangeEntry::new(&change, Wording::new(&Catalogue::new(Language::English)));
    assert_eq!((found.connections, found.examples.each_ref().map(Option::is_some)), ([0, 2], [false, true]));
    assert_eq!(found.lost_s.map(|seconds| seconds.round() as i64), [0, 18]);
}

/// A page has ten changes, five pairs, and four changes in the sentences at its beginning.
#[test]
fn changes_come_in_pages() {
    let found = answer(12, 7, Page::FIRST);
    assert_eq!((found.matched, found.returned, found.next_change), (12, 10, Some(11)));
    assert_eq!((found.pairs_matched, found.pairs.len()), (7, 5));
    let last = answer(12, 0, Page { first: 11 });
    assert_eq!((last.returned, last.next_change), (2, None));
    assert_eq!((MOST_CHANGES, MOST_TOLD, MOST_PAIRS), (10, 4, 5));
}

#[test]
fn an_answer_is_shortened_from_its_end() {
    let mut found = answer(6, 4, Page::FIRST).damaged(vec![String::new(); 2]);
    found.answer = vec![String::new(); 3];
    let mut sizes = Vec::new();
    while found.shorten() {
        let size = (found.pairs.len(), found.changes.len(), found.answer.len(), found.damage.len());
        if sizes.last() != Some(&size) {
            sizes.push(size);
        }
        assert_eq!(found.returned, found.changes.len() as u64);
    }
    let expected = [
        (3, 6, 3, 2),
        (2, 6, 3, 2),
        (2, 5, 3, 2),
        (2, 4, 3, 2),
        (1, 4, 3, 2),
        (1, 3, 3, 2),
        (1, 2, 3, 2),
        (1, 1, 3, 2),
        (1, 1, 2, 2),
        (1, 1, 2, 1),
        (0, 1, 2, 1),
        (0, 0, 2, 1),
    ];
    assert_eq!(sizes, expected, "pairs, changes, sentences, damage");
}

/// The answer begins with changes, or with findings from both ends together.
#[test]
fn sentences_at_the_beginning() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let compared = |mode| {
        let comparison = comparison(mode, 6, 1);
        let sentences = CompareSentences::new(&comparison, wording);
        (CompareAnswer::new(wording, &comparison, Page::FIRST).answer, sentences)
    };
    let (captures, sentences) = compared(CompareMode::Captures);
    assert!(sentences.changes.len() > MOST_TOLD);
    let first = |sentences: &CompareSentences| [vec![sentences.sentence.clone()], sentences.heads.clone()].concat();
    assert_eq!(captures, [&first(&sentences)[..], &sentences.changes[..MOST_TOLD]].concat(), "four changes");
    let (ends, sentences) = compared(CompareMode::Ends);
    assert_eq!(ends, first(&sentences), "no changes, and nothing that both ends show");
}
