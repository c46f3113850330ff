//! Speed of the simulation of a bulk transfer relative to real time, on one core: `cargo bench -p
//! tcpwhy-sim`.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a tool for who develops this")]

use std::time::Instant;

use tcpwhy_kernel::KernelVersion;
use tcpwhy_scenario::Scenario;
use tcpwhy_sim::{Plan, World};

const SCENARIOS: [(&str, &str, &str); 5] = [
    ("100 Mbit/s, 20 ms", "rate = \"100mbit\"\nrtt = \"20ms\"\nqueue = \"500kB\"", "125MB"),
    ("1 Gbit/s, 20 ms", "rate = \"1gbit\"\nrtt = \"20ms\"\nqueue = \"5MB\"", "1250MB"),
    ("1 Gbit/s, 0.1 % loss", "rate = \"1gbit\"\nrtt = \"20ms\"\nqueue = \"5MB\"\nforward.loss = \"0.1%\"", "300MB"),
    ("10 Gbit/s, 20 ms", "rate = \"10gbit\"\nrtt = \"20ms\"\nqueue = \"50MB\"", "5000MB"),
    ("10 Gbit/s, 0.1 % loss", "rate = \"10gbit\"\nrtt = \"20ms\"\nqueue = \"50MB\"\nforward.loss = \"0.1%\"", "500MB"),
];
const HOSTS: &str = "nic = \"40gbit\"\n[ENDS.sysctl]\n\"net.ipv4.tcp_rmem\" = \"4096 131072 67108864\"\n\
    \"net.ipv4.tcp_wmem\" = \"4096 16384 67108864\"";
/// Number of runs, of which the fastest counts.
const REPEATS: u32 = 3;

fn main() {
    for (name, link, bytes) in SCENARIOS {
        let ends = ["sender", "receiver"].map(|end| format!("[{end}]\n{}\n", HOSTS.replace("ENDS", end))).concat();
        let text = format!(
            "deadline = \"3600s\"\n{ends}[link]\n{link}\n[work.stream]\nopener = \"sender\"\n\
            phases = [{{ bytes = \"{bytes}\", write = {{ size = \"128KiB\" }} }}]\n"
        );
        let scenario = Scenario::from_toml("speed", &text).expect("it is one");
        let plan = Plan::of_scenario(&scenario, KernelVersion::series(6, 18)).expect("it can be simulated");
        let mut best = f64::INFINITY;
        let mut outcome = None;
        for _ in 0..REPEATS {
            let begin = Instant::now();
            outcome = Some(World::new(&plan).run().expect("it ends"));
            best = best.min(begin.elapsed().as_secs_f64());
        }
        let outcome = outcome.expect("it ran");
        let seconds = outcome.duration as f64 / 1e9;
        let frames = (outcome.links[0].frames + outcome.links[1].frames) as f64;
        println!(
            "{name:22} {seconds:7.2} s simulated in {best:6.3} s: {:5.0} x real time, {:5.2} M frames/s",
            seconds / best,
            frames / best / 1e6
        );
    }
}
