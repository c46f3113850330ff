//! Simulates transfers whose duration on a real kernel is known, and says how far off it is: `truth RUNS`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a tool for who develops this: it says what it cannot read")]

use std::fs;

use serde_json::Value;
use tcpwhy_kernel::{Device, KernelVersion, Link};
use tcpwhy_scenario::{BitRate, Bytes, Change, DirectionSpec, End, Flow, LinkSpec, Nanos, Share, Waits, splitmix};
use tcpwhy_sim::{Algorithm, EndPlan, HostProfile, HostRules, Pace, Plan, SocketOptions, Step, Stretch, World};

fn number(run: &Value, key: &str) -> f64 {
    run[key].as_f64().unwrap_or(0.0)
}

fn millis(text: &str) -> u64 {
    (text.parse::<f64>().unwrap_or(0.0) * 1e6) as u64
}

fn writes(bytes: u64, size: u64, steps: &mut Vec<Step>) {
    let mut left = bytes;
    while left > 0 {
        let now = left.min(size);
        steps.push(Step::Write(now));
        left -= now;
    }
}

fn writer(text: &str, bytes: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in text.replace("{bytes}", &bytes.to_string()).split(';') {
        let words: Vec<&str> = part.split(':').collect();
        let at = |n: usize| words.get(n).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        match words[0] {
            "fast" => writes(at(1), at(2), &mut steps),
            "think" => {
                let mut left = at(1);
                while left > 0 {
                    let now = left.min(at(2));
                    steps.push(Step::Write(now));
                    left -= now;
                    if left > 0 {
                        steps.push(Step::Rest(millis(words[3])));
                    }
                }
            }
            "rate" => {
                steps.push(Step::Mark);
                let (mut written, mut tick) = (0, 1);
                while written < at(1) {
                    let due = (u128::from(tick * millis(words[3])) * u128::from(at(2)) / 1_000_000_000) as u64;
                    let due = due.min(at(1));
                    steps.push(Step::Write(due - written));
                    written = due;
                    if written < at(1) {
                        steps.push(Step::RestUntil(tick * millis(words[3])));
                    }
                    tick += 1;
                }
            }
            "rr" => {
                for _ in 0..at(1) {
                    for size in words[2].split('+') {
                        steps.push(Step::Write(size.parse().unwrap()));
                    }
                    steps.push(Step::Read { bytes: at(3), size: 1 << 18 });
                }
            }
            "sleep" => steps.push(Step::Rest(millis(words[1]))),
            other => panic!("{other}"),
        }
    }
    steps.push(Step::Finish);
    steps
}

/// The same where each write waits in `poll()`.
fn polling(steps: Vec<Step>) -> Vec<Step> {
    let send = |bytes| Step::Send(Stretch { bytes, size: bytes, pace: Pace::Free, waits: Waits::Poll });
    steps.into_iter().map(|step| if let Step::Write(bytes) = step { send(bytes) } else { step }).collect()
}

fn reader(text: &str, turns: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in text.split(';') {
        let words: Vec<&str> = part.split(':').collect();
        let at = |n: usize| words.get(n).and_then(|word| word.parse::<u64>().ok());
        let all = u64::MAX / 4;
        match words[0] {
            "fast" => steps.push(Step::Read { bytes: at(2).unwrap_or(all), size: at(1).unwrap() }),
            "rate" => {
                steps.push(Step::ReadAtRate {
                    rate: at(1).unwrap(),
                    size: at(2).unwrap(),
                    bytes: at(3).unwrap_or(all),
                });
            }
            "pause" => steps.push(Step::ReadInPortions {
                portion: at(1).unwrap(),
                rest: millis(words[2]),
                size: at(3).unwrap(),
                bytes: all,
            }),
            "rr" => {
                for _ in 0..turns {
                    steps.push(Step::Read { bytes: at(1).unwrap(), size: 1 << 18 });
                    steps.push(Step::Write(at(2).unwrap()));
                }
            }
            "sleep" => steps.push(Step::Rest(millis(words[1]))),
            other => panic!("{other}"),
        }
    }
    steps.push(Step::ReadAll { size: 1 << 18 });
    steps
}

fn effect(spec: &mut DirectionSpec, key: &str, value: &str) {
    let float = || value.parse::<f64>().unwrap();
    match key {
        "loss" => spec.loss = Some(Share(float())),
        "dup" => spec.duplicate = Some(Share(float())),
        "jitter_us" => spec.jitter = Some(Nanos((float() * 1e3) as u64)),
        "reorder" => spec.reorder = Some(Share(float())),
        "reorder_us" => spec.reorder_by = Some(Nanos((float() * 1e3) as u64)),
        "drop_nth" => spec.lose_syns = Some(1),
        "drop_nth_data" => spec.lose_data = value.split('+').map(|n| n.parse().unwrap()).collect(),
        other => panic!("{other}"),
    }
}

/// Which frames the runs' emulator lost: frame n of a direction by the n-th number of its seed. The sender's
/// first frames are its SYN, as often as that is lost and once more, and an ACK; data follows. Returns how many
/// SYNs were lost, and which frames with data.
fn lost(seed: u64, loss: f64) -> (u64, Vec<u64>) {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d;
    let mut unit = || {
        state = state.wrapping_add(splitmix::GAMMA);
        (splitmix::mix(state) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let is_lost: Vec<bool> = (0..200_000).map(|_| unit() < loss).collect();
    let syns = is_lost.iter().take_while(|&&lost| lost).count();
    let data = is_lost.iter().skip(syns + 2).zip(1..).filter_map(|(&lost, n)| lost.then_some(n)).collect();
    (syns as u64, data)
}

fn plan(run: &Value, without: &str) -> Option<Plan> {
    let bytes = run["bytes"].as_u64().unwrap();
    let algorithm = match run["cc"].as_str().unwrap() {
        "cubic" => Algorithm::Cubic,
        "reno" => Algorithm::Reno,
        "bbr" => Algorithm::Bbr,
        _ => return None,
    };
    let (rate, rtt) = (number(run, "rate_mbit"), number(run, "rtt_ms"));
    let rate = if without == "rate" { 2000.0 } else { rate };
    // A run without its rate has the queue of the faster path.
    let queue = run["queue_bytes"].as_u64().filter(|_| without != "queue" && without != "rate");
    let queue = queue.unwrap_or((rate * 1e6 / 8.0 * rtt / 1e3).max(524_288.0) as u64);
    let mut path = LinkSpec { rtt: Nanos((rtt * 1e6) as u64), ..LinkSpec::default() };
    path.forward.rate = Some(BitRate((rate * 1e6) as u64));
    path.forward.queue = Some(Bytes(queue));
    if without != "loss" {
        path.back.loss = Some(number(run, "back_loss")).filter(|loss| *loss > 0.0).map(Share);
        if number(run, "loss") > 0.0 {
            let (syns, data) = lost(run["seed"].as_u64().unwrap(), number(run, "loss"));
            path.forward.lose_syns = Some(syns).filter(|&syns| syns > 0);
            path.forward.lose_data = data;
        }
        for words in run["link"].as_array().unwrap() {
            let (at, what) = words.as_str().unwrap().split_once('=').unwrap();
            if at == "at" {
                let parts: Vec<&str> = what.split(':').collect();
                let mut to = DirectionSpec::default();
                effect(&mut to, parts[1].split_once('.').unwrap().1, parts[2]);
                let at = Nanos((parts[0].parse::<f64>().unwrap() * 1e9) as u64);
                path.changes.push(Change { at, flow: Flow::Forward, to });
                continue;
            }
            let (end, key) = at.split_once('.').unwrap();
            for (name, spec) in [("ab", &mut path.forward), ("ba", &mut path.back)] {
                if end == name || end == "both" {
                    effect(spec, key, what);
                }
            }
        }
    }
    let version = KernelVersion::series(6, 18);
    let host = |key: &str| {
        let mut host = HostRules { algorithm, ..HostRules::defaults(version) };
        let _ = host.sysctls.assign("net.ipv4.tcp_rmem=4096 131072 33554432");
        let _ = host.sysctls.assign("net.ipv4.tcp_wmem=4096 16384 4194304");
        let _ = host.sysctls.assign("net.core.rmem_max=4194304");
        let _ = host.sysctls.assign("net.core.wmem_max=4194304");
        for (name, value) in run["sysctl"].as_object().unwrap().iter().chain(run[key].as_object().unwrap()) {
            if name == "tcp_slow_start_after_idle" {
                host.has_slow_start_after_idle = value.as_i64() != Some(0);
            } else if let Some(text) = value.as_str()
                && without != if name == "tcp_wmem" { "sndbuf" } else { "rcvbuf" }
            {
                let _ = host.sysctls.assign(&format!("net.ipv4.{name}={text}"));
            }
        }
        host
    };
    let profile = HostProfile {
        nic: (number(run, "nic_mbit") * 1e6) as u64,
        merges: run["gro"].as_u64() == Some(1),
        ..HostProfile::LAB
    };
    let has_nodelay = run["nodelay"].as_u64() == Some(1) || without == "nodelay";
    let sndbuf = run["sndbuf"].as_u64().filter(|_| without != "sndbuf");
    let rcvbuf = run["rcvbuf"].as_u64().filter(|_| without != "rcvbuf");
    let text = run["writer"].as_str().unwrap();
    let turns = text.strip_prefix("rr:").and_then(|rest| rest.split(':').next()?.parse().ok()).unwrap_or(0);
    Some(Plan {
        ends: [
            EndPlan {
                host: host("sysctl_snd"),
                options: SocketOptions { sndbuf, rcvbuf: None, has_nodelay },
                profile,
                steps: if run["poll"].as_u64() == Some(1) { polling(writer(text, bytes)) } else { writer(text, bytes) },
            },
            EndPlan {
                host: host("sysctl_rcv"),
                options: SocketOptions { sndbuf: None, rcvbuf, has_nodelay },
                profile,
                steps: reader(run["reader"].as_str().unwrap(), turns),
            },
        ],
        opener: if run["connect"] == "snd" { End::Sender } else { End::Receiver },
        path,
        link: Link { skb_overhead: Some(832), ..Link::new(run["mtu"].as_u64().unwrap() as u32, Device::Nic) },
        seed: run["seed"].as_u64().unwrap(),
        deadline: 300_000_000_000,
    })
}

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let wanted = std::env::args().nth(2);
    let mut errors = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let read = |name: &str| serde_json::from_str::<Value>(&fs::read_to_string(path.join(name)).unwrap()).unwrap();
        let (run, truth) = (read("scenario.json"), read("counterfactual.json"));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted)) {
            continue;
        }
        for without in ["none", "sndbuf", "rcvbuf", "loss", "rate", "nodelay"] {
            let Some(real) = truth["duration_s"][without].as_f64() else { continue };
            let Some(plan) = plan(&run, without) else { continue };
            match World::new(&plan).run() {
                Ok(outcome) => {
                    let simulated = outcome.duration as f64 / 1e9;
                    let error = simulated / real - 1.0;
                    if without == "none" {
                        errors.push(error.abs());
                    }
                    println!(
                        "{:+7.1} %  {name:28} {without:8} {simulated:.3} s, truth {real:.3} s, {} again, {} timeouts, {} lost, {} dropped, {}",
                        100.0 * error,
                        outcome.sockets[0].retransmitted,
                        outcome.sockets[0].timeouts,
                        outcome.links[0].drops.imposed(),
                        outcome.links[0].drops.queue,
                        outcome
                            .held
                            .all()
                            .iter()
                            .take(3)
                            .map(|(limit, time)| format!(
                                "{limit} {:.0} %",
                                *time as f64 * 100.0 / outcome.duration as f64
                            ))
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                }
                Err(error) => println!("  ?      {name:28} {without:8} {error}, truth {real:.3} s"),
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    let within = |bound: f64| errors.iter().filter(|error| **error <= bound).count();
    println!(
        "{} runs: median {:.1} %, {} within 10 %, {} within 25 %",
        errors.len(),
        100.0 * errors[errors.len() / 2],
        within(0.1),
        within(0.25)
    );
}
