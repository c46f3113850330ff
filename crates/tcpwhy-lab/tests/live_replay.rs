//! Verdicts of `tcpwhy live`, with infrequent samples, about transfers with a known cause. The recordings are
//! the folders of the directory `TCPWHY_RECORDINGS`, each with `sender_series.csv.gz`, `scenario.json` and
//! `truth.json`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tcpwhy_lab::sampler::{Sample, read_series};
use tcpwhy_lab::truth::{SocketTraits, labels};
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{ByGroup, LimitGroup, Timestamp};
use tcpwhy_watch::LiveHost;

struct Recording {
    name: String,
    samples: Vec<Sample>,
    /// The group of the true limit in each sample.
    held: Vec<LimitGroup>,
    congestion_control: String,
    truth: ByGroup<f64>,
}

#[test]
#[ignore = "needs recordings: TCPWHY_RECORDINGS"]
fn sampled_now_and_then() {
    let directory = std::env::var("TCPWHY_RECORDINGS").expect("TCPWHY_RECORDINGS names a directory");
    let mut folders: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("truth.json").exists());
    folders.sort();
    let recordings: Vec<Recording> = folders.iter().map(|folder| read(folder)).collect();
    let score = |interval_ms: i64, least_s: f64| {
        let long = recordings.iter().filter(|r| seconds(r) >= least_s);
        let (mut all, mut worst, mut count, mut right, mut clear) = (0.0, (0.0, ""), 0, 0, 0);
        let mut stretches: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for recording in long {
            const PHASES: i64 = 10;
            let mut mean = 0.0;
            for phase in 0..PHASES {
                let said = replay(recording, interval_ms, interval_ms * phase / PHASES, &mut stretches);
                let differences = said.iter().zip(recording.truth).map(|(said, truth)| (said - truth).abs());
                let difference = differences.sum::<f64>() / 2.0;
                mean += difference / PHASES as f64;
                let mut sorted = recording.truth;
                sorted.sort_by(|a, b| b.total_cmp(a));
                if sorted[0] - sorted[1] >= 0.15 {
                    clear += 1;
                    right += u32::from(largest(&said) == largest(&recording.truth));
                }
            }
            all += mean;
            count += 1;
            if mean > worst.0 {
                worst = (mean, &recording.name);
            }
            if std::env::var_os("TCPWHY_VERBOSE").is_some() {
                println!(
                    "{interval_ms:5} ms  {mean:.3}  {} {:.2?} {:.2?}",
                    recording.name,
                    recording.truth,
                    replay(recording, interval_ms, 0, &mut BTreeMap::new())
                );
            }
        }
        let (mean, share) = (all / f64::from(count.max(1)), f64::from(right) / f64::from(clear.max(1)));
        println!(
            "{interval_ms:5} ms, {count} recordings of {least_s} s and more: TV mean {mean:.3}, worst {:.3} ({}), main limit {:.1} %",
            worst.0,
            worst.1,
            share * 100.0
        );
        for (said, [right, all]) in stretches {
            println!("          said with {said} %: right {:.1} % of {all:.0} s", right * 100.0 / all);
        }
        (mean, share)
    };
    // A transfer of less than 1 s has too few samples for shares.
    let ten = score(100, 1.0);
    let one = score(1000, 3.0);
    assert!(ten.0 <= 0.03 && ten.1 >= 0.98);
    assert!(one.0 <= 0.08 && one.1 >= 0.95);
}

fn seconds(recording: &Recording) -> f64 {
    let [first, last] = [recording.samples.first(), recording.samples.last()].map(|s| s.unwrap().time);
    last.since(first) as f64 / 1e9
}

fn largest(shares: &ByGroup<f64>) -> usize {
    (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap()
}

fn read(folder: &Path) -> Recording {
    let json = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap() };
    let scenario = json("scenario.json");
    let series = Command::new("gzip").arg("-dc").arg(folder.join("sender_series.csv.gz")).output().unwrap();
    let samples = read_series(series.stdout.as_slice()).unwrap();
    let congestion_control = scenario["cc"].as_str().unwrap().to_owned();
    let manner = SocketTraits {
        paces: congestion_control.starts_with("bbr"),
        nodelay: scenario["nodelay"].as_u64().unwrap() != 0,
        corked: false,
    };
    let mut truth = ByGroup::default();
    let held = labels(&samples, manner).into_iter().map(|held| held.unwrap().group());
    let held: Vec<LimitGroup> = held.collect();
    for (pair, &group) in samples.windows(2).zip(&held) {
        truth[group as usize] += pair[1].time.since(pair[0].time) as f64;
    }
    let all: f64 = truth.iter().sum();
    Recording {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        samples,
        held,
        congestion_control,
        truth: truth.map(|time| time / all),
    }
}

/// Shares of the groups, from a sample every `interval_ms` beginning at `phase_ms`, and the last one.
fn replay(
    recording: &Recording,
    interval_ms: i64,
    phase_ms: i64,
    stretches: &mut BTreeMap<u32, [f64; 2]>,
) -> ByGroup<f64> {
    let mut host = LiveHost::new();
    let start = recording.samples[0].time;
    let mut due = start.plus(phase_ms * 1_000_000);
    let last = recording.samples.len() - 1;
    for (index, sample) in recording.samples.iter().enumerate() {
        if sample.time >= due || index == last {
            host.observe(observed(recording, sample));
            while due <= sample.time {
                due = due.plus(interval_ms * 1_000_000);
            }
        }
    }
    let Some(connection) = host.connections().next() else { return ByGroup::default() };
    let limits = connection.limits();
    let shares = LimitGroup::nanos(&limits).map(|nanos| nanos as f64);
    for interval in limits.intervals() {
        let Some(said) = LimitGroup::of_cause(interval.cause) else { continue };
        let row = stretches.entry((interval.confidence * 20.0).round() as u32 * 5).or_default();
        row[1] += interval.span.nanos() as f64 / 1e9;
        row[0] += true_time(recording, interval.span.start(), interval.span.end(), said) / 1e9;
    }
    let all: f64 = shares.iter().sum();
    shares.map(|share| share / all.max(1.0))
}

/// Nanoseconds from `start` to `end` in which the true limit belonged to `group`.
fn true_time(recording: &Recording, start: Timestamp, end: Timestamp, group: LimitGroup) -> f64 {
    let first = recording.samples.partition_point(|s| s.time < start);
    let pairs = recording.samples[first..].windows(2).zip(&recording.held[first..]);
    let mine = pairs.take_while(|(pair, _)| pair[0].time < end).filter(|&(_, &held)| held == group);
    mine.map(|(pair, _)| pair[1].time.since(pair[0].time) as f64).sum()
}

fn observed(recording: &Recording, sample: &Sample) -> KernelSample {
    let state = &sample.socket;
    let mut socket = SocketSample {
        state: state.state.and_then(TcpState::from_number),
        send_queue: state.outq.unwrap_or_default(),
        receive_queue: state.inq.unwrap_or_default(),
        memory: state.memory,
        congestion_control: Some(recording.congestion_control.clone()),
        info: state.info,
        ..SocketSample::default()
    };
    socket.info.notsent_bytes = state.unsent.or(state.info.notsent_bytes);
    KernelSample { time: sample.time, key: SocketKey::default(), socket }
}
