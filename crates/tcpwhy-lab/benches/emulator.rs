//! Measures the emulator on this machine, as Markdown tables: error of the round trip, achieved rates, the
//! highest rate, and CPU time. For comparison, it measures veth and tbf too. It needs the same as `tcpwhy
//! lab`, and about 2 minutes.
//!
//! `bench/emulator.sh` runs it.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that fails says so")]

mod traffic;

use std::time::Duration;

use tcpwhy_lab::cell::Supervisor;
use tcpwhy_lab::{Emulator, EmulatorReport, Ends, LabError, cell};
use tcpwhy_scenario::{BitRate, Bytes, LinkKind, Nanos};
use traffic::{Stream, ping, stream};

/// Longer than the whole benchmark takes.
const LIMIT: Duration = Duration::from_secs(170);
const PINGS: usize = 100;
const MBITS: [u64; 4] = [10, 100, 500, 1000];
/// A rate at which the interfaces are not the limit.
const FAST: BitRate = BitRate(100_000_000_000);

fn main() -> Result<(), LabError> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    match wanted.first().map(String::as_str) {
        Some("cell") => cell::main(|_: &Vec<String>| Vec::new(), |wanted, _| measure(&wanted)),
        // `cargo test --benches` only checks that it starts.
        Some("--test") => return Ok(()),
        _ => {}
    }
    let wanted: Vec<String> = wanted.into_iter().filter(|argument| !argument.starts_with('-')).collect();
    let tables: String = Supervisor::spawn(&["cell"], &wanted)?.wait(LIMIT, |(): ()| ())?;
    println!("{}\n\n{tables}", traffic::machine());
    Ok(())
}

type Table = fn() -> Result<String, LabError>;

/// Runs the tables with these names, or all of them if the list is empty.
fn measure(wanted: &[String]) -> Result<String, LabError> {
    let tables: [(&str, Table); 5] =
        [("ping", pings), ("rate", rates), ("most", most), ("single", single), ("veth", veth)];
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    let tables: Result<Vec<String>, LabError> =
        tables.into_iter().filter(|(name, _)| is_wanted(name)).map(|(_, table)| table()).collect();
    Ok(tables?.join("\n"))
}

/// Appends to a string with `write!`, which cannot fail.
macro_rules! append {
    ($to:ident, $($words:tt)*) => { std::fmt::Write::write_fmt(&mut $to, format_args!($($words)*)).unwrap() };
}

fn pings() -> Result<String, LabError> {
    let mut table = String::from("| round trip asked | error of ping: median µs | p99 µs |\n|---|---|---|\n");
    for rtt_ms in [1, 20, 100] {
        let path = Path { rtt_ms, ..Path::default() };
        let (_, all) = path.run(|ends| ping(ends, if rtt_ms > 50 { PINGS / 2 } else { PINGS }))?;
        let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize] - rtt_ms as f64 * 1000.0;
        append!(table, "| {rtt_ms} ms | {:.0} | {:.0} |\n", at(0.5), at(0.99));
    }
    Ok(table)
}

fn rates() -> Result<String, LabError> {
    let mut table = String::from(
        "| emulator, 20 ms | on the wire, Mbit/s | error | relay, % of a core | late: median / p99 / max µs |\n|---|---|---|---|---|\n",
    );
    for mbit in MBITS {
        let path = Path { rtt_ms: 20, mbit: Some(mbit), ..Path::default() };
        let (report, done) = path.run(|ends| stream(ends, 6.0))?;
        let cpu = report.cpu_s / report.duration_s * 100.0;
        append!(table, "| {mbit} Mbit/s | {} | {cpu:.0} | {} |\n", held(&done, mbit), late(&report));
    }
    Ok(table)
}

fn most() -> Result<String, LabError> {
    let mut table = String::from(
        "| emulator, one cubic stream, no rate | Gbit/s of payload | relay, core-seconds a Gbit | late: median / p99 / max µs |\n|---|---|---|---|\n",
    );
    for rtt_ms in [0, 20, 200] {
        let path = Path { rtt_ms, nic: FAST, ..Path::default() };
        let (report, done) = path.run(|ends| stream(ends, 4.0))?;
        append!(table, "| {rtt_ms} ms | {} | {} |\n", gbit(&done, &report), late(&report));
    }
    Ok(table)
}

fn single() -> Result<String, LabError> {
    let mut table = String::from(
        "| emulator, offloads off | Gbit/s of payload | relay, core-seconds a Gbit | late: median / p99 / max µs |\n|---|---|---|---|\n",
    );
    let path = Path { nic: FAST, is_single: true, ..Path::default() };
    let (report, done) = path.run(|ends| stream(ends, 4.0))?;
    append!(table, "| 0 ms | {} | {} |\n", gbit(&done, &report), late(&report));
    Ok(table)
}

fn veth() -> Result<String, LabError> {
    let mut table = String::from("| veth without the emulator | on the wire, Mbit/s | error |\n|---|---|---|\n");
    for mbit in MBITS {
        let path = Path { mbit: Some(mbit), kind: LinkKind::Netem, ..Path::default() };
        let (_, done) = path.run(|ends| stream(ends, 4.0))?;
        append!(table, "| tbf, {mbit} Mbit/s | {} |\n", held(&done, mbit));
    }
    let alone = Path { nic: FAST, kind: LinkKind::Netem, ..Path::default() };
    let (_, done) = alone.run(|ends| stream(ends, 4.0))?;
    append!(table, "| alone | {:.0} | |\n", done.on_wire_bps() / 1e6);
    let (_, all) = alone.run(|ends| ping(ends, PINGS))?;
    append!(table, "\nping over veth alone: median {:.0} µs, p99 {:.0} µs\n", all[all.len() / 2], all[all.len() - 2]);
    Ok(table)
}

fn held(done: &Stream, mbit: u64) -> String {
    let held = done.on_wire_bps() / 1e6;
    format!("{held:.2} | {:+.3} %", (held / mbit as f64 - 1.0) * 100.0)
}

fn gbit(done: &Stream, report: &EmulatorReport) -> String {
    let passed = report.forward.counts.delivered_bytes as f64 * 8e-9;
    format!("{:.2} | {:.3}", done.payload_bps / 1e9, report.cpu_s / passed)
}

fn late(report: &EmulatorReport) -> String {
    let lateness = report.lateness;
    format!("{} / {} / {}", lateness.p50_ns / 1000, lateness.p99_ns / 1000, lateness.max_ns / 1000)
}

/// The path that a table measures.
struct Path {
    rtt_ms: u64,
    mbit: Option<u64>,
    nic: BitRate,
    kind: LinkKind,
    is_single: bool,
}

impl Default for Path {
    fn default() -> Self {
        Self { rtt_ms: 0, mbit: None, nic: BitRate(2_500_000_000), kind: LinkKind::Emulator, is_single: false }
    }
}

impl Path {
    fn run<T>(&self, work: impl FnOnce(&Ends) -> T) -> Result<(EmulatorReport, T), LabError> {
        let mut scenario = traffic::scenario();
        scenario.deadline = Nanos::from_secs(20);
        scenario.link.kind = self.kind;
        scenario.link.rtt = Nanos(self.rtt_ms * 1_000_000);
        scenario.link.rate = self.mbit.map(|mbit| BitRate(mbit * 1_000_000));
        // Twice the product of rate and round trip, with which cubic keeps the link full.
        scenario.link.queue = self.mbit.map(|mbit| Bytes((mbit * 250 * self.rtt_ms).max(100_000)));
        for end in [&mut scenario.sender, &mut scenario.receiver] {
            end.nic = self.nic;
            end.offload = !self.is_single;
            // The largest possible windows, so that the link is the limit.
            end.sysctl.insert("net.ipv4.tcp_rmem".into(), "4096 131072 134217728".into());
            end.sysctl.insert("net.ipv4.tcp_wmem".into(), "4096 131072 134217728".into());
        }
        let ends = Ends::new(&scenario)?;
        let emulator = Emulator::start(&ends, &scenario)?;
        let done = work(&ends);
        Ok((emulator.stop()?, done))
    }
}
