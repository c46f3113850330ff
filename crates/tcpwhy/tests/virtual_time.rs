//! Compares simulated transfers with the same ones on Linux in virtual time (7.2 by default), where only the
//! kernel's rules take time. Durations are seconds and were measured once, because the kernel repeats them to
//! the nanosecond.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use serde_json::{Value, json};
use support::tcpwhy;

/// A scenario with the fields of `src/sim/score/grid.rs`.
fn scenario(path: [u64; 3], cc: &str, [write, bytes]: [u64; 2], more: &Value) -> Value {
    let [rate, delay, limit] = path;
    let mut all = json!({ "rate": rate, "delay": delay, "limit": limit, "cc": cc, "write": write, "bytes": bytes });
    let fields = all.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    all
}

/// Output of `tcpwhy sim score` about transfers with measured times, in order.
fn scored(cases: impl IntoIterator<Item = (Value, f64, Value)>) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    for (n, (scenario, measured, without)) in cases.into_iter().enumerate() {
        let truth = json!({ "scenario": scenario, "duration_s": measured, "without_s": without, "causes": [] });
        std::fs::write(folder.path().join(format!("{n:03}.truth.json")), truth.to_string()).unwrap();
    }
    let output = tcpwhy().args(["sim", "score", "--json"]).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let score: Value = serde_json::from_slice(&output.stdout).unwrap();
    score["transfers"].as_array().unwrap().clone()
}

#[test]
fn durations_are_those_of_a_kernel() {
    let free = |path, cc, sizes| scenario(path, cc, sizes, &json!({}));
    let cases = [
        ("slow start", 0.4914, free([300, 10, 1_500], "cubic", [200_000, 12_000_000])),
        ("Reno and a long path", 3.7034, free([50, 100, 833], "reno", [65_536, 12_000_000])),
        ("a queue of 20 bursts", 6.0066, free([8, 50, 20], "cubic", [1_448, 3_000_000])),
        ("round trips by stamps only", 5.2868, free([8, 50, 20], "cubic", [8_192, 3_000_000])),
        ("many losses at 50 Mbit/s", 2.2128, free([50, 10, 25], "reno", [4_096, 12_000_000])),
        ("a queue of 20 bursts, Reno", 3.2072, free([8, 10, 20], "reno", [16_384, 3_000_000])),
        (
            "a rest after each write",
            4.4749,
            scenario([100, 1, 20], "cubic", [8_192, 12_000_000], &json!({ "rest": 0.003 })),
        ),
        (
            "Nagle waits for delayed ACKs",
            10.0781,
            scenario([100, 50, 250], "cubic", [65_536, 12_000_000], &json!({ "rest": 0.052, "sndbuf": 62_500 })),
        ),
        (
            "a receive buffer of 9 kB",
            1.9627,
            scenario([300, 1, 20], "cubic", [4_096, 12_000_000], &json!({ "rcvbuf": 9_375 })),
        ),
        ("of 31 kB", 5.7725, scenario([50, 10, 250], "reno", [65_536, 12_000_000], &json!({ "rcvbuf": 31_250 }))),
        (
            "of 625 kB",
            4.0726,
            scenario([100, 100, 1_666], "cubic", [16_384, 12_000_000], &json!({ "rcvbuf": 625_000 })),
        ),
        (
            "of 4 kB, and a small send buffer",
            3.7252,
            scenario([8, 1, 20], "cubic", [200_000, 3_000_000], &json!({ "rcvbuf": 4_096, "wmem": 8_192 })),
        ),
        (
            "a send buffer of 38 kB",
            2.1474,
            scenario([300, 10, 500], "cubic", [65_536, 12_000_000], &json!({ "sndbuf": 37_500 })),
        ),
        ("of one write", 3.9376, scenario([100, 1, 50], "cubic", [8_192, 12_000_000], &json!({ "sndbuf": 4_096 }))),
        (
            "of one write, which takes several for a while",
            6.7478,
            scenario([80, 10, 400], "reno", [8_192, 3_000_000], &json!({ "sndbuf": 4_096 })),
        ),
        ("of three segments", 5.1781, scenario([50, 1, 20], "reno", [1_448, 12_000_000], &json!({ "sndbuf": 4_096 }))),
        (
            "tcp_wmem of 188 kB",
            1.8570,
            scenario([3_000, 10, 15_000], "cubic", [200_000, 12_000_000], &json!({ "wmem": 187_500 })),
        ),
        (
            "losses of a send buffer that took too much to be cut",
            5.5654,
            scenario([8, 50, 200], "cubic", [65_536, 3_000_000], &json!({ "wmem": 50_000 })),
        ),
        (
            "a slow reader",
            1.1555,
            scenario([300, 5, 250], "cubic", [16_384, 12_000_000], &json!({ "reader": 11_250_000 })),
        ),
        (
            "a slow reader far away",
            3.9551,
            scenario([300, 50, 750], "cubic", [65_536, 12_000_000], &json!({ "reader": 3_750_000 })),
        ),
    ];
    near(&cases, 0.03);
}

/// Asserts that each simulated duration is within `share` of the measured one.
#[track_caller]
fn near(cases: &[(&str, f64, Value)], share: f64) {
    let scored = scored(cases.iter().map(|(_, measured, scenario)| (scenario.clone(), *measured, json!({}))));
    let all = cases.iter().zip(scored);
    let wrong: Vec<_> = all.filter(|(_, one)| one["error"].as_f64().is_none_or(|error| error.abs() > share)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Without SACK each repair takes a round trip, and without timestamps no needless one is detected and
/// undone.
#[test]
fn connections_without_options_lose_what_a_kernel_loses() {
    let off = |names: &[&str]| {
        let sysctls: Vec<_> = names.iter().map(|name| format!("net.ipv4.tcp_{name}=0")).collect();
        json!({ "sysctls": sysctls })
    };
    let (path, sizes) = ([50, 1, 25], [16_384, 12_000_000]);
    let cases = [
        ("no SACK", 3.0172, scenario(path, "reno", sizes, &off(&["sack"]))),
        ("neither", 7.7770, scenario(path, "reno", sizes, &off(&["sack", "timestamps"]))),
        ("no stamps", 3.1171, scenario([20, 1, 10], "cubic", [65_536, 7_500_000], &off(&["timestamps"]))),
    ];
    near(&cases, 0.03);
}

/// Debian's Linux 6.1.176 and 6.12.117 in virtual time, where buffers need more memory.
#[test]
fn durations_follow_the_version() {
    let of = |kernel: &str, overhead: u64| json!({ "kernel": kernel, "overhead": overhead });
    let (old, newer) = (of("6.1.176", 1_280), of("6.12.117", 960));
    let cases = [
        ("6.1, Reno and losses", 1.1978, scenario([100, 10, 50], "reno", [16_384, 12_000_000], &old)),
        ("6.12, the same", 1.1531, scenario([100, 10, 50], "reno", [16_384, 12_000_000], &newer)),
        ("6.1, CUBIC and losses", 3.2412, scenario([20, 10, 33], "cubic", [200_000, 7_500_000], &old)),
        ("6.12, the same", 3.2212, scenario([20, 10, 33], "cubic", [200_000, 7_500_000], &newer)),
        ("6.1, BBR", 4.3755, scenario([8, 100, 133], "bbr", [4_096, 3_000_000], &old)),
    ];
    near(&cases, 0.03);
}

/// Ten times the rate, with a larger queue.
#[test]
fn a_faster_path_is_a_cause_like_others() {
    let slow = scenario([8, 10, 20], "reno", [16_384, 3_000_000], &json!({}));
    let scored = scored([(slow, 3.2072, json!({ "rate": 0.4333, "loss": null }))]);
    assert_eq!(scored.len(), 2, "null is a run that did not finish");
    assert_eq!(scored[1]["without"], "rate");
    let error = scored[1]["error"].as_f64().unwrap();
    assert!(error.abs() < 0.03, "{error}");
}

/// If the lost packets are unknown, the range of the seeds counts.
#[test]
fn drawn_losses_give_a_range() {
    let lossy = scenario([100, 10, 200], "cubic", [65_536, 12_000_000], &json!({ "loss": 0.5 }));
    let scored = &scored([(lossy, 5.0, json!({}))])[0];
    let [low, high] = ["low_s", "high_s"].map(|key| scored[key].as_f64().unwrap());
    assert!(scored["has_drawn_losses"].as_bool().unwrap() && low < high, "{scored}");
}
