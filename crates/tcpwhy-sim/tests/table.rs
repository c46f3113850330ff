//! Throughput by send buffer, round trip and loss: a table whose changes are visible in a commit.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::fmt::Write as _;

use expect_test::expect_file;
use tcpwhy_kernel::KernelVersion;
use tcpwhy_scenario::Scenario;
use tcpwhy_sim::{Plan, World};

const ROUND_TRIPS: [&str; 4] = ["1ms", "10ms", "40ms", "150ms"];
const BUFFERS: [&str; 5] = ["16KiB", "64KiB", "256KiB", "1MiB", "auto"];
const LOSSES: [&str; 3] = ["0%", "0.1%", "1%"];
/// Payload of each transfer, bytes.
const BYTES: f64 = 8e6;
/// Deadline, nanoseconds.
const LONGEST: u64 = 3_600_000_000_000;

/// Rate of a transfer, Mbit/s.
fn rate(round_trip: &str, buffer: &str, loss: &str) -> f64 {
    let sender = if buffer == "auto" { String::new() } else { format!("sender = {{ sndbuf = \"{buffer}\" }}\n") };
    let text = format!(
        "{sender}[link]\nrtt = \"{round_trip}\"\nrate = \"1gbit\"\nqueue = \"1MB\"\nforward = {{ loss = \"{loss}\" }}\n\
         [work.stream]\nphases = [{{ bytes = \"8MB\" }}]\n"
    );
    let scenario = Scenario::from_toml("table", &text).unwrap();
    let plan = Plan::of_scenario(&scenario, KernelVersion::series(6, 18)).unwrap();
    let plan = Plan { deadline: LONGEST, ..plan };
    let outcome = World::new(&plan).run().unwrap();
    BYTES * 8.0 / (outcome.duration as f64 / 1e9) / 1e6
}

/// `UPDATE_EXPECT=1` rewrites the table.
#[test]
fn rates_are_those_of_the_table() {
    let mut table = String::from("Mbit/s of 8 MB over 1 Gbit/s, CUBIC, Linux 6.18; SO_SNDBUF by column\n");
    for loss in LOSSES {
        let _ = write!(table, "\n{:14}", format!("loss {loss}"));
        for buffer in BUFFERS {
            let _ = write!(table, "{buffer:>10}");
        }
        table.push('\n');
        for round_trip in ROUND_TRIPS {
            let _ = write!(table, "{:14}", format!("  RTT {round_trip}"));
            for buffer in BUFFERS {
                let _ = write!(table, "{:10.2}", rate(round_trip, buffer, loss));
            }
            table.push('\n');
        }
    }
    expect_file!["golden/rates.txt"].assert_eq(&table);
}
