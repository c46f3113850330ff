//! Writes the benchmark's captures. The same seed always gives the same bytes.
//!
//! `tcpwhy-bench-generate KIND FILE`, where KIND is `mixed`, `single`, `many-packets`, `syns`, `short`,
//! `short-open` or one of
//! [`hostile::KINDS`].

mod hostile;
mod sim;
mod wire;

use sim::{App, CLIENT, Connection, MSS, Plan, Rng, SERVER};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use wire::{Address, Options, Pcap, SYN, Tcp};

const SEED: u64 = 0x7463_7077_6879;
/// 2025-01-01 00:00:00 UTC.
const EPOCH_NS: u64 = 1_735_689_600_000_000_000;
const SECOND: f64 = 1e9;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--hostile"] {
        hostile::KINDS.iter().for_each(|kind| println!("{kind}"));
        return ExitCode::SUCCESS;
    }
    let (kind, path, limit) = match args.as_slice() {
        [kind, path] => (kind, path, None),
        [kind, path, limit] if limit.parse::<u64>().is_ok() => (kind, path, limit.parse().ok()),
        _ => return usage(),
    };
    match generate(kind, path, limit) {
        Ok(packets) => {
            eprintln!("{path}: {packets} packets");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    let hostile = hostile::KINDS.join("|");
    eprintln!("usage: tcpwhy-bench-generate KIND FILE [PACKETS]");
    eprintln!("       KIND: alike|mixed|requests|single|many-packets|syns|short|short-open|{hostile}");
    eprintln!("       PACKETS: the most of alike, mixed, requests, single and many-packets, a tenth of it in connections of short");
    eprintln!("       tcpwhy-bench-generate --hostile      prints the kinds that are made to be dear");
    ExitCode::from(2)
}

fn generate(kind: &str, path: &str, limit: Option<u64>) -> io::Result<u64> {
    let mut rng = Rng(SEED);
    let plans = match kind {
        "alike" => alike(&mut rng, limit),
        "mixed" => mixed(&mut rng, 5_000),
        "requests" => requests(&mut rng, 500),
        "single" => vec![single()],
        "many-packets" => long(&mut rng, 100),
        _ => Vec::new(),
    };
    let connections = limit.map_or(1_000_000, |packets| packets / 10);
    let limit = limit.unwrap_or(match kind {
        "alike" | "mixed" | "requests" => 1_000_000,
        "many-packets" => 10_000_000,
        _ => u64::MAX,
    });
    let mut out = Pcap::new(BufWriter::with_capacity(1 << 20, File::create(path)?))?;
    match kind {
        "alike" | "mixed" | "requests" | "single" | "many-packets" => run(plans, limit, &mut out)?,
        "syns" => syns(&mut rng, 1_000_000, &mut out)?,
        "short" => hostile::short(connections, 70, &mut rng, &mut out)?,
        "short-open" => hostile::short(connections, 0, &mut rng, &mut out)?,
        _ => hostile::write(kind, 400_000, &mut rng, &mut out)?,
    }
    out.finish()
}

fn run<W: Write>(plans: Vec<Plan>, limit: u64, out: &mut Pcap<W>) -> io::Result<()> {
    let mut connections: Vec<Connection> = plans.into_iter().map(Connection::new).collect();
    let mut due: BinaryHeap<Reverse<(u64, usize)>> =
        connections.iter().enumerate().filter_map(|(at, c)| Some(Reverse((c.next_event()?, at)))).collect();
    while let Some(Reverse((now, at))) = due.pop() {
        if out.packets() >= limit {
            break;
        }
        connections[at].step(now, out)?;
        if let Some(next) = connections[at].next_event() {
            due.push(Reverse((next, at)));
        }
    }
    Ok(())
}

/// Thousands of connections of every kind within 1 minute, before a few that never end.
fn mixed(rng: &mut Rng, count: usize) -> Vec<Plan> {
    let endless = 10;
    (0..count)
        .map(|index| {
            let start = EPOCH_NS + (rng.unit() * 60.0 * SECOND) as u64;
            let mut plan = plan(rng, index, start);
            if index < endless {
                plan.app = App::Bulk { sender: SERVER, bytes: u64::MAX / 4 };
                plan.bytes_per_sec = 250_000;
                plan.slow_start_threshold = 50_000;
                plan.start_ns = EPOCH_NS + index as u64 * 1_000_000;
                return plan;
            }
            plan.app = match rng.below(100) {
                0..45 => turns(rng, 40.0),
                45..75 => App::Bulk { sender: SERVER, bytes: rng.spread(2e3, 1.5e6) as u64 },
                75..90 => App::Bulk { sender: CLIENT, bytes: rng.spread(2e3, 8e5) as u64 },
                _ => App::Paced {
                    left: rng.spread(20.0, 200.0) as u32,
                    chunk: rng.spread(100.0, 6000.0) as u64,
                    every_ns: rng.spread(5e6, 100e6) as u64,
                },
            };
            plan
        })
        .collect()
}

/// Downloads of equal size, as a load test or a crawler makes them. Each has 205 packets, or 25 with a limit,
/// so that the number of connections stays and that of packets falls.
fn alike(rng: &mut Rng, limit: Option<u64>) -> Vec<Plan> {
    let (count, bytes) = limit.map_or((4_900, 200_000), |packets| (packets as usize / 25, 20_000));
    (0..count)
        .map(|index| {
            let start = EPOCH_NS + (rng.unit() * 60.0 * SECOND) as u64;
            let mut plan = plan(rng, index, start);
            plan.app = App::Bulk { sender: SERVER, bytes: bytes + rng.below(bytes / 50) };
            plan
        })
        .collect()
}

/// Connections that stay open for many requests.
fn requests(rng: &mut Rng, count: usize) -> Vec<Plan> {
    (0..count)
        .map(|index| {
            let start = EPOCH_NS + (rng.unit() * 10.0 * SECOND) as u64;
            Plan { app: turns(rng, 400.0), ..plan(rng, index, start) }
        })
        .collect()
}

/// 2 GB at up to 1 Gbit/s: slow start that overruns the queue, then rare random losses.
fn single() -> Plan {
    Plan {
        start_ns: EPOCH_NS,
        addresses: addresses(0, false),
        app: App::Bulk { sender: SERVER, bytes: 2_000_000_000 },
        rtt_ns: 20_000_000,
        bytes_per_sec: 125_000_000,
        queue_ns: 15_000_000,
        loss: 2e-5,
        receive_window: 8 << 20,
        slow_start_threshold: 6_000_000,
        growth: 10,
        syn_ack_lost: false,
        closes: true,
        seed: SEED,
    }
}

fn long(rng: &mut Rng, count: usize) -> Vec<Plan> {
    (0..count)
        .map(|index| {
            let start = EPOCH_NS + (rng.unit() * 2.0 * SECOND) as u64;
            let mut plan = plan(rng, index, start);
            plan.app = match rng.below(10) {
                0 => App::Turns {
                    left: 1 << 30,
                    request: 400,
                    response: 200_000,
                    service_ns: 500_000,
                    think_ns: 2_000_000,
                },
                1..4 => App::Bulk { sender: CLIENT, bytes: u64::MAX / 4 },
                _ => App::Bulk { sender: SERVER, bytes: u64::MAX / 4 },
            };
            plan
        })
        .collect()
}

fn turns(rng: &mut Rng, most: f64) -> App {
    App::Turns {
        left: 2 * rng.spread(1.0, most) as u32,
        request: rng.spread(80.0, 1500.0) as u64,
        response: rng.spread(200.0, 40_000.0) as u64,
        service_ns: rng.spread(2e5, 5e7) as u64,
        think_ns: rng.spread(1e6, 1e9) as u64,
    }
}

fn plan(rng: &mut Rng, index: usize, start_ns: u64) -> Plan {
    let v6 = rng.below(20) == 0;
    let lossy = rng.below(10) == 0;
    let small_window = rng.below(20) == 0;
    let rtt_ns = rng.spread(4e5, 2e8);
    let bytes_per_sec = rng.spread(6e5, 2.5e7);
    let queue_ns = rng.spread(1e7, 1e8);
    let overruns = rng.below(10) == 0;
    let fits = bytes_per_sec * (rtt_ns + queue_ns / 2.0) / SECOND;
    Plan {
        start_ns,
        addresses: addresses(index, v6),
        app: App::Bulk { sender: SERVER, bytes: MSS },
        rtt_ns: rtt_ns as u64,
        bytes_per_sec: bytes_per_sec as u64,
        queue_ns: queue_ns as u64,
        loss: if lossy { rng.spread(0.001, 0.03) } else { 0.0 },
        receive_window: if small_window { 16_384 } else { 3 << 20 },
        slow_start_threshold: if overruns { u64::MAX } else { fits as u64 },
        growth: 1,
        syn_ack_lost: rng.below(200) == 0,
        closes: rng.below(100) < 95,
        seed: rng.next(),
    }
}

/// Client and server in the documentation and benchmark ranges, with ports that no dissector uses.
fn addresses(index: usize, v6: bool) -> [Address; 2] {
    let host = |head: [u8; 4], last: [u8; 2], v4: [u8; 2]| {
        let mut bytes = [0; 16];
        if v6 {
            bytes[..4].copy_from_slice(&head);
        } else {
            bytes[12..14].copy_from_slice(&v4);
        }
        bytes[14..].copy_from_slice(&last);
        bytes
    };
    let client = (index % 3_000 + 1) as u16;
    let port = 32_768 + (index * 7 % 28_000) as u16;
    [
        Address { v6, bytes: host([0x20, 1, 0xd, 0xb8], client.to_be_bytes(), [198, 18]), port },
        Address { v6, bytes: host([0x20, 1, 0xd, 0xb8], [0x80, 1], [198, 19]), port: 7_100 + (index % 4) as u16 },
    ]
}

/// Connections of one packet each, as left by a scan or a flood.
fn syns<W: Write>(rng: &mut Rng, count: u64, out: &mut Pcap<W>) -> io::Result<()> {
    let mut now = EPOCH_NS;
    for index in 0..count {
        now += rng.below(100_000);
        let mut addresses = addresses(0, false);
        addresses[CLIENT].bytes[14..].copy_from_slice(&((index >> 5) as u16).to_be_bytes());
        addresses[CLIENT].port = 20_000 + (index & 31) as u16 * 1_021 + rng.below(1_000) as u16;
        let options = Options { syn: Some((1460, 7)), tsval: rng.next() as u32, ..Options::default() };
        let tcp = Tcp { seq: rng.next() as u32, ack: 0, flags: SYN, window: 64_240, payload: 0, options };
        out.write(now, &addresses[CLIENT], &addresses[SERVER], &tcp)?;
    }
    Ok(())
}
