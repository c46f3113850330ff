//! Runs `tcpwhy predict`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use expect_test::expect_file;
use serde_json::Value;
use support::tcpwhy;

/// A bundled capture from a real kernel.
fn sample(name: &str) -> String {
    format!("{}/../../samples/{name}.pcap.gz", env!("CARGO_MANIFEST_DIR"))
}

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn predict(args: &[&str]) -> Run {
    let output = tcpwhy().arg("predict").args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(args: &[&str]) -> Value {
    let run = predict(&[args, &["--json"]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let schema = tcpwhy().args(["schema", "predict"]).output().unwrap().stdout;
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

/// Predicted seconds of the last change.
fn then(args: &[&str]) -> f64 {
    let document = json(args);
    document["predictions"].as_array().unwrap().last().unwrap()["seconds"]["value"].as_f64().unwrap()
}

#[test]
fn reads_well() {
    let file = sample("send-buffer");
    let all = ["--fix", "remove-so-sndbuf", "--fix", "use-bbr", "--set", "path.rtt=100ms"];
    expect_file!["golden/predict.txt"].assert_eq(&predict(&[&[&*file], &all[..]].concat()).out);
    expect_file!["golden/predict-zh.txt"].assert_eq(&predict(&[&file, "--lang", "zh-CN"]).out);
}

/// `samples/make.py` captured the transfer over a path of 20 ms and 100 Mbit/s, with `SO_SNDBUF` of 16 KiB.
#[test]
fn changes_bring_what_they_must() {
    let file = sample("send-buffer");
    let document = json(&[&file]);
    let now = document["duration_s"].as_f64().unwrap();
    assert!(document["fit"]["closeness"].as_f64().unwrap() > 0.9, "{document}");
    assert_eq!(document["predictions"][0]["fix"], "remove-so-sndbuf");
    let fixed = then(&[&file]);
    assert!(fixed < now / 5.0, "{fixed} s of {now} s");
    // A full buffer is sent once per round trip, so twice the round trip takes twice the time.
    assert!((then(&[&file, "--set", "path.rtt=40ms"]) / now - 2.0).abs() < 0.2);
    // The path is not the limit, so a faster one saves only the serialization time of each window.
    let faster_line = then(&[&file, "--set", "path.rate=1gbit"]);
    assert!((0.75..1.0).contains(&(faster_line / now)), "{faster_line} s of {now} s");
    let [one, other] = [predict(&[&file]), predict(&[&file])];
    assert_eq!(one.out, other.out);
}

/// `explain` and `predict` predict the same.
#[test]
fn explain_has_the_same_prediction() {
    let file = sample("send-buffer");
    let output = tcpwhy().args(["--json", &file]).output().unwrap().stdout;
    let document: Value = serde_json::from_slice(&output).unwrap();
    let halves = document["connections"][0]["halves"].as_array().unwrap();
    let findings = halves.iter().flat_map(|half| half["findings"].as_array().unwrap());
    let mut predictions = findings.map(|finding| &finding["prediction"]).filter(|one| one["method"] == "simulated");
    let explained = predictions.next().unwrap()["seconds"]["value"].as_f64().unwrap();
    assert!((explained / then(&[&file]) - 1.0).abs() < 0.05, "{explained}");
}

/// The written transfer is explained like any other, and marked as simulated.
#[test]
fn the_changed_transfer_can_be_captured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("then.pcapng");
    let file = sample("send-buffer");
    let run = predict(&[&file, "--pcapng", path.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    let output = tcpwhy().args(["--json", path.to_str().unwrap()]).output().unwrap().stdout;
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert!(document.to_string().contains("simulated"));
    let halves = document["connections"][0]["halves"].as_array().unwrap();
    let most = halves.iter().max_by_key(|half| half["bytes"].as_u64()).unwrap();
    assert_ne!(most["verdict"]["limit"], "send_buffer", "{most}");
}

/// Each refusal prints one line and nothing else.
#[test]
fn what_cannot_be_predicted_is_one_line() {
    let file = sample("send-buffer");
    for (args, said) in [
        (&[&*file, "--fix", "buy-a-faster-one"][..], "buy-a-faster-one"),
        (&[&*file, "--set", "path.speed=1"][..], "link.speed"),
        (&[&*file, "-c", "7"][..], "7"),
        (&["there-is-none.pcap"][..], "there-is-none.pcap"),
    ] {
        let run = predict(args);
        assert!(run.code == 2 && run.err.contains(said) && run.err.lines().count() == 1, "{args:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}
