//! Measures the part of the time that gets another label when a threshold of the classifier is a third lower
//! or higher.
//!
//! `cargo run --example thresholds --features sensitivity -- [FILE…]` prints the table of thresholds,
//! tab-separated, with two sums over the captures for each: for a third lower and a third higher. The sums
//! are shares of the time left open by gaps between sends, and each direction of 100 kB or more counts
//! equally. The first line has the number of directions. `tools/thresholds.py` sums up and prints the result.

use std::path::Path;

use tcpwhy_analysis::sensitivity::{TABLE, Way, try_moved};
use tcpwhy_analysis::{Analyzer, HalfConnection};
use tcpwhy_capture::{CaptureError, CaptureReader};
use tcpwhy_model::Segment;

/// Directions with less data seldom have one limit for long.
const LEAST_BYTES: u64 = 100_000;

fn main() {
    let mut sums = vec![[0.0_f64; 2]; TABLE.len()];
    let mut directions = 0;
    for path in std::env::args().skip(1) {
        let segments = match read(Path::new(&path)) {
            Ok(segments) => segments,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let before = directions_of(&segments);
        if before.is_empty() {
            continue;
        }
        directions += before.len();
        for (index, sum) in sums.iter_mut().enumerate() {
            for (way, sum) in [Way::Down, Way::Up].into_iter().zip(sum) {
                try_moved(Some((index, way)));
                let after = directions_of(&segments);
                *sum += before.iter().zip(&after).map(|(a, b)| changed(a, b)).sum::<f64>();
            }
        }
        try_moved(None);
    }
    println!("{directions}");
    for (row, [down, up]) in TABLE.iter().zip(sums) {
        let [was_down, was_up] = row.moves;
        let texts = [row.name, row.value, row.unit, row.meaning.trim(), row.source].join("\t");
        println!("{texts}\t{was_down}\t{was_up}\t{down}\t{up}");
    }
}

fn read(path: &Path) -> Result<Vec<Segment>, CaptureError> {
    let mut reader = CaptureReader::open(path)?;
    let mut all = Vec::new();
    while reader.read_batch(&mut all, 1024) {}
    Ok(all)
}

fn directions_of(segments: &[Segment]) -> Vec<HalfConnection> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    let halves = analyzer.finish().into_iter().flat_map(|c| c.halves);
    halves.filter(|h| h.bytes >= LEAST_BYTES).collect()
}

/// Returns the share of the time that the ledger leaves open and that has another cause in `after`.
fn changed(before: &HalfConnection, after: &HalfConnection) -> f64 {
    let (mut open, mut changed) = (0, 0);
    let mut others = after.limits.intervals().iter().peekable();
    for interval in before.limits.intervals() {
        if interval.why.is_none_or(|why| !why.reason.is_of_classifier()) {
            continue;
        }
        open += interval.span.nanos();
        let (start, end) = (interval.span.start(), interval.span.end());
        while let Some(other) = others.peek() {
            if other.cause != interval.cause {
                changed += other.span.end().min(end).since(other.span.start().max(start)).max(0);
            }
            if other.span.end() >= end {
                break;
            }
            others.next();
        }
    }
    if open > 0 { changed as f64 / open as f64 } else { 0.0 }
}
