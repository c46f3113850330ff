//! Measures how often verdicts are right that depend on a single chosen threshold, and how often the others,
//! on random transfers.
//!
//! `cargo run --example flips --features sensitivity -- SECONDS [SEED]` draws random transfers of the test
//! model, from `SEED` on, until the seconds are over. For both classes it prints the number of verdicts, the
//! number of right ones, and the mean of their confidence. Then it prints for each threshold the right and
//! wrong verdicts among those that it flips. `infer/calibration/flipped.rs` has the result.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tcpwhy_analysis::Analyzer;
use tcpwhy_analysis::sensitivity::examine;

/// Shorter transfers seldom have one limit for long.
const LEAST_BYTES: u64 = 60_000;
/// Each transfer is analysed about a hundred times, so longer ones would leave time for only a few.
const MOST_BYTES: u64 = 600_000;
/// A transfer has one right answer if one limit applied for this part of its time.
const FOREMOST_SHARE: f64 = 0.5;

#[derive(Default)]
struct Class {
    count: u32,
    right: u32,
    confidence: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let seconds = Duration::from_secs(arguments.next().expect("SECONDS"));
    let first = arguments.next().unwrap_or(0);
    let begin = Instant::now();
    // One class for verdicts that some threshold flips, and one for the others.
    let mut classes = [Class::default(), Class::default()];
    let mut by_number = BTreeMap::<&str, [u32; 2]>::new();
    for seed in first.. {
        if begin.elapsed() >= seconds {
            break;
        }
        let transfer = tcpwhy_testkit::random(seed);
        if !(LEAST_BYTES..=MOST_BYTES).contains(&transfer.bytes) {
            continue;
        }
        let run = transfer.tell();
        let Some(truth) = run.foremost().filter(|&truth| run.share(truth) >= FOREMOST_SHARE) else { continue };
        let mut analyzer = Analyzer::new();
        for segment in &run.segments {
            analyzer.observe(segment);
        }
        let Some(connection) = analyzer.finish().into_iter().next() else { continue };
        let halves = connection.halves.iter().enumerate();
        let Some((index, half)) = halves.max_by_key(|(_, half)| half.bytes) else { continue };
        let Some(cause) = half.verdict.cause else { continue };
        let Some(examined) = examine(&run.segments, connection.first_packet) else { continue };
        let flips = &examined[index].flips;
        let is_right = cause.limit == truth;
        let class = &mut classes[usize::from(!flips.is_empty())];
        class.count += 1;
        class.right += u32::from(is_right);
        class.confidence += half.verdict.confidence;
        for flip in flips {
            by_number.entry(flip.threshold).or_default()[usize::from(!is_right)] += 1;
        }
    }
    for (name, Class { count, right, confidence }) in ["held", "flipped"].into_iter().zip(&classes) {
        println!("{name}\t{count}\t{right}\t{:.3}", confidence / f64::from(*count));
    }
    for (number, [right, wrong]) in by_number {
        println!("{number}\t{right}\t{wrong}");
    }
}
