//! The first line of a comparison: one sentence that compares.

use tcpwhy_analysis::comparison::{
    BothEnds, Contrast, Counted, Held, Incomparable, Measure, Overall, Reason, Speed, Trust, Turn,
};
use tcpwhy_analysis::{Failure, HalfConnection, Role, Vantage};
use tcpwhy_model::{Cause, Detail, Family};

use super::between::LETTERS;
use super::sides::change_text;
use crate::compare::{Change, CompareMode, ComparedPair, Comparison};
use crate::kebab::kebab;
use crate::{Args, Wording};

/// The sentence about all of `comparison`; `None` if only connections without data match.
pub(crate) fn compare_sentence(wording: Wording<'_>, comparison: &Comparison) -> Option<String> {
    match &comparison.changes {
        Some(changes) if comparison.mode == CompareMode::Captures || comparison.pairs.is_empty() => {
            Some(overall(wording, Overall::new(changes, [comparison.count - comparison.alike, comparison.count])))
        }
        _ => pair_sentence(wording, comparison, comparison.pairs.first()?),
    }
}

/// The sentence about one pair of connections of `comparison`.
pub(super) fn pair_sentence(wording: Wording<'_>, comparison: &Comparison, pair: &ComparedPair) -> Option<String> {
    let halves = pair.halves()?;
    if comparison.mode == CompareMode::Ends {
        return Some(ends(wording, &BothEnds::new(halves, pair.crossing.as_ref()), comparison.count));
    }
    let contrast = Contrast::new(pair.connections.each_ref(), halves);
    // Two connections of one capture have no order of before and after.
    let is_sequence = comparison.names[0] != comparison.names[1];
    Some(contrast_sentence(wording, &contrast, halves, is_sequence))
}

fn contrast_sentence(
    wording: Wording<'_>,
    contrast: &Contrast,
    halves: [&HalfConnection; 2],
    is_sequence: bool,
) -> String {
    match contrast {
        Contrast::Incomparable(reason) => incomparable(wording, *reason),
        Contrast::Failed(failures) => failed(wording, *failures, halves),
        Contrast::Speed(speed) => faster(wording, speed, is_sequence),
    }
}

fn incomparable(wording: Wording<'_>, reason: Incomparable) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let of = |side: usize| Args::new().text("letter", LETTERS[side]).text("other", LETTERS[1 - side]);
    match reason {
        Incomparable::Directions([first, _]) => {
            let id = if first == Role::Client { "contrast-directions-client" } else { "contrast-directions-server" };
            catalogue.word(id)
        }
        Incomparable::Clock(side) => catalogue.text("contrast-clock", &of(side)),
        Incomparable::LittleData(side, bytes) => {
            catalogue.text("contrast-little", &of(side).text("bytes", units.bytes(bytes)))
        }
        Incomparable::Kinds(side, count) => {
            catalogue.text("contrast-kinds", &of(side).text("count", units.count(count)))
        }
        Incomparable::Paced(side) => catalogue.text("contrast-paced", &of(side)),
    }
}

fn failed(wording: Wording<'_>, failures: [Option<Failure>; 2], halves: [&HalfConnection; 2]) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let what = |failure: Failure| catalogue.word(&format!("sides-failed-{}", kebab(failure.id())));
    let one = |side: usize, failure: Failure| {
        let half = halves[1 - side];
        let args = Args::new()
            .text("letter", LETTERS[side])
            .text("other", LETTERS[1 - side])
            .text("what", what(failure))
            .text("bytes", units.bytes(half.bytes))
            .text("time", units.seconds(half.span.seconds()));
        catalogue.text("contrast-failed", &args)
    };
    match failures {
        [Some(a), Some(b)] if a == b => catalogue.text("contrast-failed-alike", &Args::new().text("what", what(a))),
        [Some(a), Some(b)] => {
            catalogue.text("contrast-failed-both", &Args::new().text("a", what(a)).text("b", what(b)))
        }
        [Some(failure), None] => one(0, failure),
        [None, Some(failure)] => one(1, failure),
        [None, None] => String::new(),
    }
}

fn faster(wording: Wording<'_>, speed: &Speed, is_sequence: bool) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let [a, b] = speed.values.map(|value| match speed.measure {
        Measure::Rates => units.bits_per_second(value),
        Measure::Times | Measure::Requests => units.seconds(value),
    });
    let who = match speed.faster {
        None => "equal",
        Some((0, _)) => "first",
        Some(_) if is_sequence => "second",
        Some(_) => "other",
    };
    let what = if speed.measure == Measure::Requests { "requests" } else { "transfer" };
    let args = Args::new()
        .text("times", speed.faster.map_or_else(String::new, |(_, times)| units.times(times)))
        .text("a", a)
        .text("b", b)
        .text("why", why(wording, speed, who == "second"));
    catalogue.text(&format!("contrast-{who}-{what}"), &args)
}

/// The limits of both. `is_better`: the second one is faster, and it is the later one.
fn why(wording: Wording<'_>, speed: &Speed, is_better: bool) -> String {
    let catalogue = wording.catalogue();
    let [a, b] = speed.held.map(|held| limit(wording, held));
    let each = |side: usize| {
        let names = [&a, &b];
        let args = Args::new()
            .text("letter", LETTERS[side])
            .text("limit", names[side].clone())
            .text("rest", LETTERS[1 - side])
            .text("other", names[1 - side].clone());
        let is_free = speed.held[1 - side] == Held::Nothing;
        catalogue.text(if is_free { "contrast-only" } else { "contrast-each" }, &args)
    };
    let progress = |id: &str| {
        let args = Args::new().text("limit", a.clone()).text("next", b.clone());
        catalogue.text(id, &args)
    };
    // The slower one is what the reader asks about.
    let slower = speed.faster.map_or(0, |(faster, _)| 1 - faster);
    match speed.turn {
        Turn::Neither => catalogue.word("contrast-neither"),
        Turn::Same => {
            let args = Args::new().text("limit", a.clone());
            let same = catalogue.text("contrast-same", &args);
            match speed.reason {
                None => same,
                Some(reason) => {
                    let args = Args::new().text("same", same).text("reason", number(wording, reason));
                    catalogue.text("contrast-same-reason", &args)
                }
            }
        }
        Turn::Gone { is_lossless: true } if is_better => progress("contrast-gone-loss"),
        Turn::Gone { .. } if is_better => progress("contrast-gone"),
        Turn::Other { is_lossless: true } if is_better => progress("contrast-next-loss"),
        Turn::Other { .. } if is_better => progress("contrast-next"),
        Turn::New if is_better => progress("contrast-now"),
        Turn::Gone { .. } => each(0),
        Turn::New => each(1),
        Turn::Other { .. } => each(slower),
    }
}

/// The number that explains the difference.
fn number(wording: Wording<'_>, reason: Reason) -> String {
    let units = wording.units();
    let (id, [a, b]) = match reason {
        Reason::RoundTrip(nanos) => ("round-trip", nanos.map(|nanos| units.nanos(nanos as i64))),
        Reason::Flight(bytes) => ("flight", bytes.map(|bytes| units.bytes(bytes))),
        Reason::Window(bytes) => ("window", bytes.map(|bytes| units.bytes(bytes))),
        Reason::Retransmitted(shares) => ("retransmitted", shares.map(|share| units.share(share))),
    };
    wording.catalogue().text(&format!("contrast-reason-{id}"), &Args::new().text("a", a).text("b", b))
}

/// The limit of a connection, as the subject of a sentence.
fn limit(wording: Wording<'_>, held: Held) -> String {
    let id = match held {
        Held::Nothing => "nothing",
        Held::Party(party) => return wording.catalogue().word(&format!("contrast-party-{}", kebab(party.id()))),
        Held::Cause(cause) => limit_id(cause),
    };
    wording.catalogue().word(&format!("contrast-limit-{}", kebab(id)))
}

fn limit_id(cause: Cause) -> &'static str {
    match (cause.family(), cause.detail) {
        (_, Some(detail @ Detail::Policer)) | (Some(Family::Application), Some(detail)) => detail.id(),
        (Some(family), _) => family.id(),
        (None, _) => cause.limit.id(),
    }
}

fn ends(wording: Wording<'_>, both: &BothEnds, count: u64) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let place = |place: Vantage| {
        catalogue.word(match place {
            Vantage::Sender => "contrast-place-sender",
            Vantage::Receiver => "contrast-place-receiver",
            Vantage::Middle => "contrast-place-middle",
            Vantage::Unknown => "contrast-place-unknown",
        })
    };
    let args =
        Args::new().text("a", place(both.places[0])).text("b", place(both.places[1])).text("count", units.count(count));
    let seen = catalogue.text(if count > 1 { "contrast-ends-many" } else { "contrast-ends" }, &args);
    let [a, b] = both.held.map(|held| limit(wording, held));
    let trust = match both.trust {
        Trust::Both if both.held[0] == Held::Nothing => catalogue.word("contrast-trust-nothing"),
        Trust::Both => catalogue.text("contrast-trust-both", &Args::new().text("limit", a)),
        Trust::Neither => catalogue.text("contrast-trust-neither", &Args::new().text("a", a).text("b", b)),
        Trust::One(side) => {
            let is_sender = both.places[side] == Vantage::Sender && both.places[1 - side] != Vantage::Sender;
            let [right, wrong] = if side == 0 { [a, b] } else { [b, a] };
            let args = Args::new()
                .text("letter", LETTERS[side])
                .text("other", LETTERS[1 - side])
                .text("limit", right)
                .text("wrong", wrong);
            catalogue.text(if is_sender { "contrast-trust-sender" } else { "contrast-trust-one" }, &args)
        }
    };
    let lost = both.lost.map(|[lost, all]| {
        if lost == 0 {
            catalogue.word("contrast-lost-nothing")
        } else {
            let share = units.share(crate::ratio::ratio(lost as f64, all as f64));
            let args = Args::new().text("lost", units.bytes(lost)).text("all", units.bytes(all)).text("share", share);
            catalogue.text("contrast-lost", &args)
        }
    });
    let sentences: Vec<_> = [seen, trust].into_iter().chain(lost).collect();
    sentences.join(&catalogue.word("sentence-separator"))
}

fn overall(wording: Wording<'_>, overall: Overall<'_>) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    match overall {
        Overall::Worse(counted) | Overall::Better(counted) => problems(wording, &counted),
        Overall::Requests(pair, values) => {
            let (server, [a, b]) = (pair.services[1].server.to_string(), values);
            let id = if b < a { "contrast-service-second" } else { "contrast-service-first" };
            let args = Args::new()
                .text("server", server)
                .text("times", units.times(a.max(b) / a.min(b)))
                .text("a", units.seconds(a))
                .text("b", units.seconds(b));
            catalogue.text(id, &args)
        }
        Overall::Pairs([differing, all]) => {
            let args = Args::new().text("n", units.count(differing)).text("all", units.count(all));
            catalogue.text("contrast-pairs", &args)
        }
        Overall::NothingShared => catalogue.word("contrast-nothing-shared"),
        Overall::Alike => catalogue.word("contrast-alike"),
    }
}

fn problems(wording: Wording<'_>, counted: &Counted<'_>) -> String {
    let catalogue = wording.catalogue();
    let id = match counted.first.change {
        Change::New => "contrast-problem-new",
        Change::Worse => "contrast-problem-worse",
        Change::Gone => "contrast-problem-gone",
        _ => "contrast-problem-better",
    };
    let first = catalogue.text(id, &Args::new().text("problem", change_text(wording, counted.first)));
    if counted.worse + counted.better < 2 {
        return first;
    }
    let args = Args::new().number("worse", counted.worse).number("better", counted.better);
    [first, catalogue.text("contrast-problem-counts", &args)].join(&catalogue.word("sentence-separator"))
}

#[cfg(test)]
mod tests;
