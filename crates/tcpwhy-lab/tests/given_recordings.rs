//! Compares the classification of samples with recordings from another source and their classification. They
//! are the folders of the directory `TCPWHY_RECORDINGS`, each with `sender_series.csv.gz`, `scenario.json`
//! and `truth.json`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tcpwhy_lab::sampler::read_series;
use tcpwhy_lab::truth::{Held, SocketTraits, held};

#[test]
#[ignore = "needs recordings: TCPWHY_RECORDINGS"]
fn classified_as_they_were() {
    let directory = std::env::var("TCPWHY_RECORDINGS").expect("TCPWHY_RECORDINGS names a directory");
    let mut differences: Vec<(f64, String)> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("truth.json").exists())
        .map(|folder| (difference(&folder), folder.file_name().unwrap().to_string_lossy().into_owned()))
        .collect();
    differences.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (difference, name) in differences.iter().take(8) {
        println!("{difference:6.2} {name}");
    }
    let mean = differences.iter().map(|(difference, _)| difference).sum::<f64>() / differences.len() as f64;
    let median = differences[differences.len() / 2].0;
    println!("{} recordings: mean difference {mean:.2} % of the time, median {median:.2} %", differences.len());
    // Those recordings count the wait for the repair of a lost tail as application time; tcpwhy counts it as
    // loss.
    assert!(mean < 2.0 && median < 0.5);
}

/// Half the L1 distance of the shares, percent of the time.
fn difference(folder: &Path) -> f64 {
    let json = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap() };
    let (scenario, truth) = (json("scenario.json"), json("truth.json"));
    let theirs: BTreeMap<String, f64> = serde_json::from_value(truth["sampled_pct"].clone()).unwrap();
    let theirs: BTreeMap<Held, f64> =
        theirs.into_iter().map(|(name, share)| (Held::from_id(&name).unwrap(), share)).collect();
    let manner = SocketTraits {
        paces: scenario["cc"].as_str().unwrap().starts_with("bbr"),
        nodelay: scenario["nodelay"].as_u64().unwrap() != 0,
        corked: false,
    };
    let series = Command::new("gzip").arg("-dc").arg(folder.join("sender_series.csv.gz")).output().unwrap();
    let samples = read_series(series.stdout.as_slice()).unwrap();
    let mut ours: BTreeMap<Held, f64> = BTreeMap::new();
    for sample in &samples {
        *ours.entry(held(sample, manner).unwrap()).or_default() += 100.0 / samples.len() as f64;
    }
    let all: BTreeSet<&Held> = theirs.keys().chain(ours.keys()).collect();
    let of = |shares: &BTreeMap<Held, f64>, held| shares.get(held).copied().unwrap_or_default();
    all.into_iter().map(|held| (of(&theirs, held) - of(&ours, held)).abs()).sum::<f64>() / 2.0
}
