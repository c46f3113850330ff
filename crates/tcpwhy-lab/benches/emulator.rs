//! What the emulator does on this machine, as a Markdown table: error of the round trip, rates held, the highest rate, its
//! processor time; beside a veth pair and tbf without it. Needs the rights of `tcpwhy lab`; takes about a minute.
//!
//! `bench/emulator.sh` runs it.

mod traffic;

use tcpwhy_lab::scenario::{BitRate, Bytes, Nanos};
use tcpwhy_lab::{Emulator, EmulatorReport, Ends, LabError, Scenario};
use traffic::{Stream, ping, stream};

fn main() -> Result<(), LabError> {
    // `cargo test --benches` only asks whether it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    println!("{}\n", traffic::machine());
    if is_wanted("ping") {
        println!("| round trip | error, median µs | p99 µs | max µs |\n|---|---|---|---|");
        for rtt in [1, 20, 100] {
            let (_, mut errors) = emulated(rtt, None, 2_500_000_000, |ends| ping(ends, rtt))?;
            errors.sort_unstable();
            let at = |share: f64| errors[((errors.len() - 1) as f64 * share) as usize];
            println!("| {rtt} ms | {} | {} | {} |", at(0.5), at(0.99), at(1.0));
        }
        println!();
    }
    if is_wanted("rate") {
        println!(
            "| rate asked, 20 ms | on the wire, Mbit/s | error % | relay, % of a core | late p50 / p99 / max µs |"
        );
        println!("|---|---|---|---|---|");
        for mbit in [10, 100, 500, 1000] {
            let rate = BitRate(mbit * 1_000_000);
            let (report, done) = emulated(20, Some(rate), 2_500_000_000, |ends| stream(ends, 5.0))?;
            let held = done.on_wire_bps() / 1e6;
            let error = (held / mbit as f64 - 1.0) * 100.0;
            println!("| {mbit} Mbit/s | {held:.2} | {error:+.3} | {} |", cost(&report, &done));
        }
        println!();
    }
    if is_wanted("most") {
        println!("| one cubic stream, no limit | Gbit/s of payload | relay, s per Gbit | late p50 / p99 / max µs |");
        println!("|---|---|---|---|");
        for rtt in [0, 1, 20, 200] {
            let (report, done) = emulated(rtt, None, 40_000_000_000, |ends| stream(ends, 3.0))?;
            let gbit = report.forward.counts.delivered_bytes as f64 * 8e-9;
            let each = report.cpu_s / gbit;
            println!("| emulator, {rtt} ms | {:.2} | {each:.4} | {} |", done.payload_bps / 1e9, late(&report));
        }
    }
    Ok(())
}

fn cost(report: &EmulatorReport, _: &Stream) -> String {
    format!("{:.1} | {}", report.cpu_s / report.duration_s * 100.0, late(report))
}

fn late(report: &EmulatorReport) -> String {
    let lateness = report.lateness;
    format!("{} / {} / {}", lateness.p50_ns / 1000, lateness.p99_ns / 1000, lateness.max_ns / 1000)
}

/// Runs `work` between two ends behind the emulator.
fn emulated<T>(
    rtt_ms: u64,
    rate: Option<BitRate>,
    nic: u64,
    work: impl FnOnce(&Ends) -> T,
) -> Result<(EmulatorReport, T), LabError> {
    let mut scenario = traffic::scenario();
    scenario.link.rtt = Nanos(rtt_ms * 1_000_000);
    scenario.link.rate = rate;
    scenario.sender.nic = BitRate(nic);
    scenario.receiver.nic = BitRate(nic);
    for end in [&mut scenario.sender, &mut scenario.receiver] {
        // The largest windows that a socket may ask for: the link is to be the limit.
        end.sysctl.insert("net.ipv4.tcp_rmem".into(), "4096 131072 134217728".into());
        end.sysctl.insert("net.ipv4.tcp_wmem".into(), "4096 131072 134217728".into());
    }
    if let Some(rate) = rate {
        // A round trip and a half: cubic keeps it filled.
        scenario.link.queue = Some(Bytes((rate.0 / 8 / 1000 * rtt_ms * 3 / 2).max(64_000)));
    }
    let ends = Ends::new(&scenario)?;
    let emulator = Emulator::start(&ends, &scenario)?;
    let done = work(&ends);
    Ok((emulator.stop()?, done))
}

const _: fn() -> Scenario = traffic::scenario;
