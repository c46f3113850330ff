//! Runs `tcpwhy sim`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use expect_test::expect_file;
use serde_json::Value;
use support::tcpwhy;

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn sim(args: &[&str]) -> Run {
    let output = tcpwhy().arg("sim").args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(args: &[&str]) -> Value {
    let run = sim(&[&["run"], args, &["--json"]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let schema = tcpwhy().args(["schema", "sim"]).output().unwrap().stdout;
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

fn seconds(args: &[&str]) -> f64 {
    json(args)["runs"][0]["duration_s"].as_f64().unwrap()
}

#[test]
fn reads_well() {
    let run = ["run", "sndbuf-16k", "--set", "sender.sndbuf=auto", "--set", "path.rtt=100ms", "--seeds", "5"];
    expect_file!["golden/sim-run.txt"].assert_eq(&sim(&run).out);
    expect_file!["golden/sim-run-zh.txt"].assert_eq(&sim(&["run", "sndbuf-16k", "--lang", "zh-CN"]).out);
}

/// The same arguments give the same output, for every number of threads.
#[test]
fn it_is_the_same_each_time() {
    let args = ["run", "loss-burst", "sndbuf-64k-ipv6", "--seeds", "7", "--json"];
    let [one, other] = [sim(&args), sim(&args)];
    assert_eq!((one.code, one.err.as_str()), (0, ""));
    assert_eq!(one.out, other.out);
}

#[test]
fn what_is_set_holds() {
    let base = seconds(&["sndbuf-16k"]);
    assert!(seconds(&["sndbuf-16k", "--set", "sender.sndbuf=auto"]) < base / 5.0);
    assert!(seconds(&["sndbuf-16k", "--set", "path.rtt=40ms"]) > 1.8 * base);
    assert!(seconds(&["sndbuf-16k", "--set", "work.stream.phases.0.bytes=12MB"]) > 1.9 * base);
    let document = json(&["sndbuf-16k", "--set", "kernel=6.1", "--set", "seed=5"]);
    let run = &document["runs"][0];
    assert_eq!((run["kernel"].as_str(), run["seed"].as_u64()), (Some("6.1"), Some(5)));
}

#[test]
fn a_range_holds_the_run() {
    let document = json(&["sndbuf-64k-ipv6", "--seeds", "6"]);
    let run = &document["runs"][0];
    let [low, median, high] = ["low_s", "median_s", "high_s"].map(|key| run["range"][key].as_f64().unwrap());
    let own = run["duration_s"].as_f64().unwrap();
    assert!(low <= own && own <= high && low <= median && median <= high, "{run}");
    assert_eq!(run["range"]["runs"], 6);
}

#[test]
fn what_cannot_be_simulated_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("a.pcapng").display().to_string();
    for (args, part) in [
        (&["run", "sndbuf-16k", "--set", "sender.sndbf=auto"][..], "nodelay, offload"),
        (&["run", "sndbuf-16k", "--set", "sender.sndbuf"], "KEY=VALUE"),
        (&["run", "sndbuf-16k", "--set", "path.rtt=fast"], "path.rtt"),
        (&["run", "sndbuf-16k", "--set", "kernel=new"], "kernel version"),
        (&["run", "sndbuf-16k", "--set", "sender.congestion_control=vegas"], "vegas"),
        (&["run", "sndbuf-16k", "--set", "deadline=1s"], "deadline"),
        (&["run", "sndbuf-17k"], "sndbuf-16k"),
        (&["run", "sndbuf-16k", "sndbuf-64k-ipv6", "--pcapng", &capture], "one capture"),
    ] {
        let run = sim(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(part), "{args:?}: {}", run.err);
    }
}

/// `explain` finds the limit of the simulated socket at both ends, and reports that the packets are
/// simulated.
#[test]
fn a_capture_of_it_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    for end in ["sender", "receiver"] {
        let capture = folder.path().join(format!("{end}.pcapng"));
        let capture = capture.to_str().unwrap();
        for _ in 0..2 {
            // A capture of the simulator is replaced without `--overwrite`.
            let run = sim(&["run", "sndbuf-64k-ipv6", "--pcapng", capture, "--at", end, "-q"]);
            assert_eq!((run.code, run.err.as_str()), (0, ""));
        }
        let output = tcpwhy().args(["--json", capture]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("Simulated by tcpwhy"), "{said}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let halves = document["connections"][0]["halves"].as_array().unwrap();
        let half = halves.iter().max_by_key(|half| half["bytes"].as_u64()).unwrap();
        assert_eq!(half["verdict"]["limit"], "send_buffer", "{end}");
        assert_eq!(document["captures"][0]["anomalies"][0]["kind"], "simulated");
    }
}

/// A folder with `files`.
fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// A run of 22 MB at 100 Mbit/s and 20 ms on Linux 6.18, with a send buffer of 64 KiB and without it.
const RUN: [(&str, &str); 3] = [
    (
        "slow/scenario.json",
        r#"{ "bytes": 22000000, "rtt_ms": 20, "rate_mbit": 100, "queue_bytes": 500000, "seed": 1, "sndbuf": 131072,
            "rcvbuf": null, "cc": "cubic", "writer": "fast:{bytes}:131072", "reader": "fast:262144", "connect": "snd",
            "nic_mbit": 2500, "kernel": "6.18" }"#,
    ),
    (
        "slow/truth.json",
        r#"{ "duration_s": 2.480, "label": "sndbuf", "sampled_pct": { "sndbuf": 80.0, "cwnd": 20.0 },
            "total_retrans": 0, "total_rto": 0, "link_queue_drops": 0 }"#,
    ),
    ("slow/counterfactual.json", r#"{ "duration_s": { "none": 2.480, "sndbuf": 1.966, "moon": 1.0 } }"#),
];

#[test]
fn transfers_of_a_kernel_are_scored() {
    let folder = folder_of(&RUN);
    let dir = folder.path().to_str().unwrap();
    let run = sim(&["score", dir, "--json", "--seeds", "3"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let score: Value = serde_json::from_str(&run.out).unwrap();
    let transfers = score["transfers"].as_array().unwrap();
    let causes: Vec<_> = transfers.iter().map(|one| one["without"].as_str().unwrap()).collect();
    assert_eq!(causes, ["none", "moon", "sndbuf"]);
    assert!(transfers[1]["refused"].as_str().unwrap().contains("moon"), "{transfers:?}");
    for one in [&transfers[0], &transfers[2]] {
        assert!(one["error"].as_f64().unwrap().abs() < 0.05, "{one}");
        assert!(one["low_s"].as_f64().unwrap() <= one["high_s"].as_f64().unwrap(), "{one}");
    }
    assert!(transfers[0]["causes_distance"].as_f64().unwrap() < 0.25, "{transfers:?}");
    let summary = &score["summary"];
    let counts = ["within_10_percent", "transfers"].map(|key| summary["all"][key].as_u64().unwrap());
    assert_eq!((counts, summary["refused"].as_u64()), ([2, 2], Some(1)));
    // The folder of a single run is accepted too.
    let one = sim(&["score", folder.path().join("slow").to_str().unwrap()]);
    let last = one.out.lines().last().unwrap();
    assert!(last.starts_with("All: 2 of 2 within 10%"), "{}", one.out);
    assert!(one.out.contains("Without sndbuf: 1 of 1") && one.out.contains("moon"), "{}", one.out);
}

#[test]
fn recordings_of_the_lab_are_scored() {
    let scenario = "link = { rtt = \"20ms\", rate = \"100mbit\", queue = \"500kB\" }\n\
        [work.stream]\nopener = \"sender\"\nphases = [{ bytes = \"22MB\", write = { size = \"128KiB\" } }]\n";
    let truth = r#"{ "duration_s": 1.964, "kernel": "6.18.44", "sampled_pct": { "cwnd": 100.0 }, "total_retrans": 0,
        "total_rto": 0, "quality": { "emulator": null } }"#;
    let folder = folder_of(&[("one/scenario.toml", scenario), ("one/truth.json", truth)]);
    let run = sim(&["score", folder.path().to_str().unwrap(), "-v"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("kernel 1.96 s") && run.out.contains("All: 1 of 1 within 10%"), "{}", run.out);
}

#[test]
fn what_cannot_be_scored_is_one_line() {
    let empty = tempfile::tempdir().unwrap();
    let broken = folder_of(&[("a/scenario.json", "{"), ("a/truth.json", "{}")]);
    let lacking = folder_of(&[("a/scenario.json", "{}"), ("a/truth.json", "{}")]);
    for (folder, part) in [(&empty, "no transfers"), (&broken, "scenario.json"), (&lacking, "missing field")] {
        let run = sim(&["score", folder.path().to_str().unwrap()]);
        assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
        assert!(run.err.contains(part), "{}", run.err);
    }
    assert_eq!(sim(&["score", "/nonexistent"]).code, 2);
}
