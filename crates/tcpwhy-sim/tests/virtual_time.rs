//! Simulated transfers beside the same ones on Linux 7.2 in virtual time, where nothing but the kernel's rules
//! takes time: durations in seconds, measured once, to the nanosecond the same each time.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[path = "../examples/grid/plan.rs"]
mod plan;

use serde_json::{Value, json};
use tcpwhy_sim::World;

/// Fields as in `examples/grid/plan.rs`.
fn scenario(path: [u64; 3], cc: &str, [write, bytes]: [u64; 2], more: &Value) -> Value {
    let [rate, delay, limit] = path;
    let mut all = json!({ "rate": rate, "delay": delay, "limit": limit, "cc": cc, "write": write, "bytes": bytes });
    let fields = all.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    all
}

fn simulated(scenario: &Value, without: Option<&str>) -> f64 {
    let outcome = World::new(&plan::plan(scenario, without, 1).unwrap()).run().unwrap();
    outcome.duration as f64 / 1e9
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
    let mut wrong = Vec::new();
    for (what, measured, scenario) in cases {
        let simulated = simulated(&scenario, None);
        if (simulated / measured - 1.0).abs() > 0.03 {
            wrong.push(format!("{what}: {simulated:.4} s, not {measured:.4} s"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Ten times the rate, and a queue for it.
#[test]
fn a_faster_path_is_a_cause_like_others() {
    let slow = scenario([8, 10, 20], "reno", [16_384, 3_000_000], &json!({}));
    let error = simulated(&slow, Some("rate")) / 0.4333 - 1.0;
    assert!(error.abs() < 0.03, "{error}");
}
