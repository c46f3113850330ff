//! Tests of the sentence of each problem: every limit and detail, either sender, one connection and many, in
//! each language.

use tcpwhy_analysis::testing::{connection, half, problem};
use tcpwhy_analysis::{Connection, Failure, HalfConnection, Kind, ProblemKey, Role, Services, Side, Slow, Target};
use tcpwhy_model::{Cause, Detail, Endpoint, Family, Limit};

use super::*;
use crate::{Catalogue, Language};

/// Most words of a sentence, from the product's rules of wording.
const MOST_WORDS: usize = 25;

fn server() -> Endpoint {
    Endpoint { address: [10, 0, 0, 2].into(), port: 80 }
}

/// A connection to [`server`] whose data `sender` sends.
fn sent_by(sender: Side) -> Connection {
    connection(vec![HalfConnection { sender, ..half(Role::Unknown, None, &[], Vec::new()) }])
}

/// `count` connections to [`server`].
fn services(count: u64) -> Services {
    let mut services = Services::default();
    (0..count).for_each(|_| services.add(&sent_by(Side::A)));
    services
}

/// Each limit and detail with its family, and each family with mixed details.
fn causes() -> impl Iterator<Item = (Option<Cause>, Family)> {
    let plain = Limit::ALL.map(Cause::plain);
    let forms = Detail::ALL.map(Cause::from);
    // A handshake without retransmissions has no family; the family given here has no effect on its words.
    let of_cause = plain.into_iter().chain(forms).map(|cause| (Some(cause), cause.family().unwrap_or(Family::Path)));
    of_cause.chain(Family::ALL.map(|family| (None, family)))
}

/// Number of connections that a problem concerns, and of all connections.
const COUNTS: [(u64, u64); 4] = [(1, 1), (1, 20), (3, 20), (20, 20)];

fn texts(language: Language, kind: Kind, cause: Option<Cause>, (count, all): (u64, u64), sender: Side) -> Vec<String> {
    let catalogue = Catalogue::new(language);
    let key = ProblemKey { target: Target::Service(server()), kind };
    problem_text(Wording::new(&catalogue), &services(all), &problem(key, cause, count, &sent_by(sender)))
}

/// Checks that `text` is a complete sentence, without ids or unfilled places, and not a title.
#[track_caller]
fn is_sentence(text: &str, of: &dyn std::fmt::Debug) {
    assert!(!text.contains(['⟨', '⟩', '_', '{', '}']) || text.contains("TCP_CORK"), "{of:?}: {text}");
    assert!(text.ends_with(['.', '。']) && text.contains("10.0.0.2:80"), "{of:?}: {text}");
    assert!(!text.starts_with("10.0.0.2:80:") && !text.starts_with("10.0.0.2:80："), "{of:?}: a title: {text}");
    assert!(text.split(' ').count() <= MOST_WORDS, "{of:?}: {text}");
}

#[test]
fn each_cause_is_a_sentence() {
    let mut sentences = 0;
    for language in Language::ALL {
        for (cause, family) in causes() {
            for (counts, sender) in COUNTS.into_iter().flat_map(|counts| [(counts, Side::A), (counts, Side::B)]) {
                for slow in [Slow::Answers(family), Slow::Requests(family)] {
                    let all = texts(language, Kind::Slow(slow), cause, counts, sender);
                    for text in &all {
                        is_sentence(text, &(language, cause, family, counts, sender));
                        assert!(text.contains("1.00"), "{cause:?}: {text}");
                        sentences += 1;
                    }
                    // The second wording is shorter and claims the same; the third equals the first.
                    assert!(all.len() == 1 || all[1].len() < all[0].len() && all[2] == all[0], "{all:?}");
                }
            }
        }
    }
    assert!(sentences > 2_000, "{sentences}");
}

#[test]
fn other_problems_are_sentences() {
    let failures = Failure::ALL.map(Kind::Failed);
    let slow = [Slow::Server, Slow::RoundTrips].map(Kind::Slow);
    for language in Language::ALL {
        for (kind, counts) in failures.into_iter().chain(slow).flat_map(|kind| COUNTS.map(|counts| (kind, counts))) {
            for text in texts(language, kind, None, counts, Side::B) {
                is_sentence(&text, &(language, kind, counts));
            }
        }
    }
}

/// Some limits are at the sender of the data, others at its receiver.
#[test]
fn a_sentence_names_the_end_that_limits() {
    let names_client = |cause: Cause, sender: Side| {
        let family = cause.family().unwrap();
        let text = texts(Language::English, Kind::Slow(Slow::Answers(family)), Some(cause), (3, 20), sender);
        ["client's", "client "].iter().any(|name| text[0].contains(name))
    };
    let plain = Cause::plain;
    for (at_sender, causes) in [
        (true, vec![plain(Limit::SendBuffer), plain(Limit::CongestionWindow), plain(Limit::Application)]),
        (true, [Detail::Nagle, Detail::Cork, Detail::PacedWrites, Detail::DelayExit].map(Cause::from).to_vec()),
        (true, [Detail::PostLoss, Detail::PostMark, Detail::Paced, Detail::Other].map(Cause::from).to_vec()),
        (false, vec![plain(Limit::ReceiveWindow), Detail::PeerWindow.into(), Detail::ZeroWindow.into()]),
        (false, [Detail::SlowReader, Detail::SmallBuffer, Detail::Capped].map(Cause::from).to_vec()),
    ] {
        for cause in causes {
            // End A is the client.
            let expected = if at_sender { [true, false] } else { [false, true] };
            assert_eq!([Side::A, Side::B].map(|sender| names_client(cause, sender)), expected, "{cause:?}");
        }
    }
}

#[test]
fn one_connection_and_many() {
    let of = |cause: Detail, counts, sender| {
        let cause = Cause::from(cause);
        let kind = Kind::Slow(Slow::Answers(cause.family().unwrap()));
        texts(Language::English, kind, Some(cause), counts, sender)
    };
    let [only, all, some] = [(1, 1), (6, 6), (3, 20)].map(|counts| of(Detail::Rto, counts, Side::A));
    assert_eq!(only, ["Retransmission timeouts cost 1.00 s on the connection to 10.0.0.2:80."]);
    assert_eq!(all[0], "Retransmission timeouts cost 1.00 s on all 6 connections to 10.0.0.2:80.");
    assert_eq!(some[0], "Retransmission timeouts cost 1.00 s on 3 of 20 connections to 10.0.0.2:80.");
    assert_eq!(some[1], "Retransmission timeouts cost 1.00 s on 3 of 20 to 10.0.0.2:80.");
    let slow = of(Detail::SlowReader, (1, 20), Side::A);
    assert_eq!(slow[0], "10.0.0.2:80 read too slowly on 1 of 20 connections: 1.00 s lost.");
}

#[test]
fn mixed_forms_are_named_by_what_they_share() {
    let text = texts(Language::English, Kind::Slow(Slow::Answers(Family::Loss)), None, (3, 20), Side::A);
    assert_eq!(text[0], "Packet loss cost 1.00 s on 3 of 20 connections to 10.0.0.2:80.");
}
