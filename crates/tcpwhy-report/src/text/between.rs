//! Handshakes in two captures of the same connections, and data that only one of them has.

use std::net::IpAddr;

use anstyle::Style;
use tcpwhy_analysis::{Attempt, AttemptGroup, Attempts, BothHandshakes, Fate, SeenHandshake, SynOption, Unseen};
use tcpwhy_model::Endpoint;

use super::page::Page;
use super::palette::DIM;
use crate::kebab::kebab;
use crate::{Args, Wording};

/// The captures' names in sentences.
pub(super) const LETTERS: [&str; 2] = ["A", "B"];
/// Most groups of connections without data that are shown; the others are only counted.
const MOST: usize = 5;

/// Changes that a device between the captures made to the handshake between `ends` (client, server), one
/// sentence per line.
pub(super) fn changed_lines(wording: Wording<'_>, ends: [Endpoint; 2], openings: &BothHandshakes) -> Vec<String> {
    if !openings.is_changed() {
        return Vec::new();
    }
    let mut lines = conclusions(wording, ends.map(|end| end.address), openings);
    lines.extend([0, 1].into_iter().filter_map(|side| syn_line(wording, ends[side], openings, side)));
    lines
}

/// The line about an unchanged handshake, such as `SYN and SYN-ACK pass unchanged. Hop limits: SYN 64 at A
/// and 62 at B, SYN-ACK 62 at A and 64 at B.`
pub(super) fn unchanged_line(wording: Wording<'_>, openings: &BothHandshakes) -> Option<String> {
    if openings.is_changed() {
        return None;
    }
    let hops = [0, 1].map(|side| openings.0.map(|one| one.syns[side].map(|seen| seen.hop_limit)));
    let [[syn_a, syn_b], [answer_a, answer_b]] = hops;
    let args = [("syn_a", syn_a), ("syn_b", syn_b), ("answer_a", answer_a), ("answer_b", answer_b)]
        .into_iter()
        .try_fold(Args::new(), |args, (id, hop_limit)| Some(args.text(id, hop_limit?.to_string())))?;
    Some(wording.catalogue().text("compare-syn-unchanged", &args))
}

/// Effects of the changed options.
fn conclusions(wording: Wording<'_>, ends: [IpAddr; 2], openings: &BothHandshakes) -> Vec<String> {
    let catalogue = wording.catalogue();
    let unclamped = openings.unclamped_sender().map(|sender| {
        let args =
            Args::new().text("limited", ends[sender].to_string()).text("unlimited", ends[1 - sender].to_string());
        catalogue.text("compare-clamped-one-way", &args)
    });
    let changed = |option: SynOption| {
        let packets = match openings.changed(option) {
            [false, false] => return None,
            [true, false] => "SYN",
            [false, true] => "SYN-ACK",
            [true, true] => "SYN/SYN-ACK",
        };
        Some(catalogue.text(&format!("compare-changed-{}", kebab(option.id())), &Args::new().text("packets", packets)))
    };
    let is_told = unclamped.is_some();
    let rest = SynOption::ALL.into_iter().filter(|&option| !is_told || option != SynOption::Mss);
    unclamped.into_iter().chain(rest.filter_map(changed)).collect()
}

/// The line about a SYN: `SYN of 10.0.0.1:40000: MSS 1,460 at A and 1,240 at B, window scale 7, SACK
/// permitted, hop limit 64 at A and 62 at B.`
fn syn_line(wording: Wording<'_>, end: Endpoint, openings: &BothHandshakes, side: usize) -> Option<String> {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let [a, b] = openings.0.map(|opening: SeenHandshake| opening.syns[side]);
    let seen = [a?, b?];
    let mut facts: Vec<String> = Vec::new();
    let mut add = |id: &str, values: [Option<u32>; 2]| {
        let named = |value: u32| {
            let args = Args::new().text("value", units.count(value.into()));
            catalogue.text(&format!("compare-fact-{}", kebab(id)), &args)
        };
        facts.extend(match values {
            [None, None] => None,
            [Some(a), Some(b)] if a == b => Some(named(a)),
            [Some(a), Some(b)] => {
                let args = Args::new().text("fact", named(a)).text("value", units.count(b.into()));
                Some(catalogue.text("compare-fact-differs", &args))
            }
            [with, without] => {
                let at = usize::from(with.is_none());
                let args = Args::new()
                    .text("fact", named(with.or(without).unwrap_or_default()))
                    .text("with", LETTERS[at])
                    .text("without", LETTERS[1 - at]);
                Some(catalogue.text("compare-fact-only", &args))
            }
        });
    };
    for option in SynOption::ALL {
        add(option.id(), seen.map(|one| one.options.value(option)));
    }
    add("hop_limit", seen.map(|one| (one.hop_limit > 0).then_some(one.hop_limit.into())));
    if seen.iter().any(|one| one.count > 1) {
        add("count", seen.map(|one| Some(one.count)));
    }
    let id = if side == 0 { "compare-syn" } else { "compare-syn-ack" };
    let args = Args::new().text("end", end.to_string()).text("facts", facts.join(&catalogue.word("list-separator")));
    Some(catalogue.text(id, &args))
}

/// Data from `from` that only one capture has, as one sentence.
pub(super) fn unseen_line(wording: Wording<'_>, from: Endpoint, unseen: &Unseen) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let args = Args::new()
        .text("from", from.to_string())
        .text("near", LETTERS[unseen.seen_at])
        .text("far", LETTERS[1 - unseen.seen_at])
        .text("bytes", units.bytes(unseen.bytes))
        .text("smallest", units.count(unseen.smallest))
        .text("passed", units.count(unseen.largest_passed))
        .text("at", catalogue.zone().time_of_day(unseen.since))
        .number("segments", unseen.segments);
    let text = catalogue.text(if unseen.is_by_size() { "compare-unseen-size" } else { "compare-unseen" }, &args);
    if unseen.is_covered {
        return text;
    }
    [text, catalogue.text("compare-unseen-uncovered", &args)].join(&catalogue.word("sentence-separator"))
}

/// Connections without data that failed to get through, one line per group.
pub(super) fn attempt_lines(wording: Wording<'_>, attempts: &Attempts) -> Vec<(String, String)> {
    attempts.failed().iter().take(MOST).map(|group| (label(wording, group), sentence(wording, group))).collect()
}

/// Writes these lines on the page.
pub(super) fn write_attempts(page: &mut Page, wording: Wording<'_>, attempts: &Attempts) {
    let lines = attempt_lines(wording, attempts);
    if lines.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("compare-heading-attempts"));
    for (label, text) in &lines {
        page.hanging((label, Style::new()), text, 2, Style::new());
    }
    let more = attempts.failed().len().saturating_sub(MOST) as u64;
    if more > 0 {
        page.wrapped(&catalogue.text("compare-more-attempts", &Args::new().number("count", more)), 2, DIM);
    }
}

/// The label of a group: `10.0.0.2:80, 3 connections  `
fn label(wording: Wording<'_>, group: &AttemptGroup) -> String {
    let args = Args::new().text("server", group.example.ends[1].to_string()).number("count", group.count);
    wording.catalogue().text("compare-attempts", &args) + "  "
}

fn sentence(wording: Wording<'_>, group: &AttemptGroup) -> String {
    let catalogue = wording.catalogue();
    let Attempt { ends, openings, unseen } = &group.example;
    let near = group.fate.seen_at().unwrap_or_default();
    let count = |side: usize| {
        let seen = openings[near].and_then(|opening| opening.syns[side]);
        seen.map_or(0, |seen| u64::from(seen.count))
    };
    let args = Args::new()
        .text("client", ends[0].address.to_string())
        .text("server", ends[1].address.to_string())
        .text("near", LETTERS[near])
        .text("far", LETTERS[1 - near])
        .number("syns", count(0))
        .number("syn_acks", count(1));
    let mut sentences = vec![catalogue.text(&format!("compare-fate-{}", kebab(group.fate.id())), &args)];
    if matches!(group.fate, Fate::DataLost(_)) {
        let told =
            unseen.iter().zip(ends).filter_map(|(unseen, &from)| Some(unseen_line(wording, from, unseen.as_ref()?)));
        sentences.extend(told);
    }
    sentences.join(&catalogue.word("sentence-separator"))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use tcpwhy_analysis::{SynOptions, SynSeen};
    use tcpwhy_model::Timestamp;

    use super::*;
    use crate::{Catalogue, Language};

    fn end(host: u8, port: u16) -> Endpoint {
        Endpoint { address: [10, 0, 0, host].into(), port }
    }

    fn said(of: impl Fn(Wording<'_>) -> Vec<String>) -> Vec<String> {
        of(Wording::new(&Catalogue::new(Language::English)))
    }

    fn seen(mss: u16, window_scale: Option<u8>, hop_limit: u8, count: u32) -> SynSeen {
        let options = SynOptions { mss: NonZeroU16::new(mss), window_scale, has_sack: true, has_timestamps: false };
        SynSeen { first: Timestamp::from_nanos(0), count, options, hop_limit }
    }

    fn both(a: [SynSeen; 2], b: [SynSeen; 2]) -> BothHandshakes {
        BothHandshakes([a, b].map(|syns| SeenHandshake {
            syns: syns.map(Some),
            is_acknowledged: true,
            is_refused: false,
        }))
    }

    #[test]
    fn what_a_device_changed_in_the_handshake() {
        let ends = [end(1, 40_000), end(2, 80)];
        let changed = |openings: BothHandshakes| said(|wording| changed_lines(wording, ends, &openings));
        let server = seen(1460, Some(7), 0, 1);
        let clamped = both([seen(1460, Some(7), 64, 1), server], [seen(1240, None, 62, 3), server]);
        assert_eq!(
            changed(clamped),
            [
                "A device between A and B lowers the MSS for segments to 10.0.0.1, but not for segments to 10.0.0.2. Clamp the \
             MSS in both directions.",
                "A device between A and B changes the window scale in the SYN: the ends disagree about window sizes.",
                "SYN of 10.0.0.1:40000: MSS 1,460 at A and 1,240 at B, window scale 7 at A, not at B, SACK permitted, hop limit \
             64 at A and 62 at B, sent 1 times at A and 3 at B.",
                "SYN-ACK of 10.0.0.2:80: MSS 1,460, window scale 7, SACK permitted.",
            ]
        );
        let same = both([seen(1460, Some(7), 64, 1), server], [seen(1460, Some(7), 62, 1), server]);
        assert!(changed(same).is_empty());
        assert_eq!(
            said(|wording| unchanged_line(wording, &same).into_iter().collect()),
            [
                "The options of SYN and SYN-ACK pass unchanged. Hop limits: SYN 64 at A and 62 at B, SYN-ACK 0 at A and 0 at B."
            ]
        );
        assert!(said(|wording| unchanged_line(wording, &clamped).into_iter().collect()).is_empty());
    }

    #[test]
    fn data_that_one_capture_lacks() {
        let line = |smallest, is_covered| {
            let since = Timestamp::from_nanos(0);
            let unseen =
                Unseen { seen_at: 1, bytes: 2896, segments: 6, smallest, largest_passed: 149, since, is_covered };
            said(|wording| vec![unseen_line(wording, end(1, 40_000), &unseen)]).swap_remove(0)
        };
        let by_size = line(1448, true);
        assert!(by_size.contains("full-sized segments of 10.0.0.1:40000 (1,448 bytes and more) vanish between B and A. Those of up to 149 bytes pass."), "{by_size}");
        let any = line(100, false);
        assert!(any.contains("A never shows 2.90 kB that 10.0.0.1:40000 sent from "), "{any}");
        assert!(
            any.contains(
                "(6 segments, retransmissions included). A has no packet after that: its capture may have ended."
            ),
            "{any}"
        );
    }
}
