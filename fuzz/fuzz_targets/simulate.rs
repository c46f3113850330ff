//! Random scenarios with random settings on random kernels: refused in one line or simulated, with the same
//! result each time, within bounds.
//!
//! The first byte selects the kernel. The second selects the form of the rest: the text of a scenario, or
//! seed and number of a random one. Settings follow after a line `---`, one `KEY=VALUE` per line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_kernel::KernelVersion;
use tcpwhy_scenario::{Nanos, Scenario, Stream, Work, random, random_talk};
use tcpwhy_sim::{Plan, World};

/// Releases from the oldest that can be simulated.
const VERSIONS: [(u16, u16); 12] =
    [(4, 20), (5, 4), (5, 10), (5, 15), (6, 1), (6, 6), (6, 8), (6, 12), (6, 16), (6, 18), (6, 19), (7, 3)];
/// Setting for the time that kernels wait for a peer that does not answer.
const RETRIES: &str = "net.ipv4.tcp_retries2";
/// Ends the scenario's text.
const SEPARATOR: &str = "\n---\n";
/// Each setting parses the scenario again, so there are few.
const MOST_SETTINGS: usize = 8;
/// Most bytes of a stream's phase, and most simulated time: a run stays short in real time.
const MOST_BYTES: u64 = 100_000;
const LONGEST_STREAM: Nanos = Nanos::from_secs(60);
const LONGEST: Nanos = Nanos::from_secs(1);
/// Most phases of a stream.
const MOST_PHASES: usize = 8;

fn shorten(scenario: &mut Scenario) {
    match &mut scenario.work {
        Work::Stream(Stream { phases, .. }) => {
            phases.truncate(MOST_PHASES);
            for phase in phases.iter_mut() {
                phase.bytes.0 = phase.bytes.0.min(MOST_BYTES);
            }
            scenario.deadline = scenario.deadline.min(LONGEST_STREAM);
        }
        Work::Turns(_) | Work::Talk(_) | Work::Application(_) => scenario.deadline = scenario.deadline.min(LONGEST),
    }
}

/// The scenario given by `bytes`, before its settings.
fn scenario(kind: u8, bytes: &[u8], text: &str) -> Option<Scenario> {
    if kind.is_multiple_of(2) {
        return Scenario::from_toml("fuzz", text).ok();
    }
    let (seed, rest) = bytes.split_first_chunk()?;
    let (index, _) = rest.split_first_chunk()?;
    let draw = if kind % 4 == 1 { random } else { random_talk };
    Some(draw(u64::from_le_bytes(*seed), u32::from_le_bytes(*index)))
}

fuzz_target!(|bytes: &[u8]| {
    let [version, kind, rest @ ..] = bytes else { return };
    let (major, minor) = VERSIONS[usize::from(*version) % VERSIONS.len()];
    let text = String::from_utf8_lossy(rest);
    let (text, settings) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
    let Some(mut scenario) = scenario(*kind, rest, text) else { return };
    for line in settings.lines().take(MOST_SETTINGS) {
        if let Some((key, value)) = line.split_once('=')
            && let Ok(changed) = scenario.with(key, value)
        {
            scenario = changed;
        }
    }
    shorten(&mut scenario);
    let plan = match Plan::of_scenario(&scenario, KernelVersion::series(major, minor)) {
        Ok(plan) => plan,
        Err(why) => {
            assert!(!why.to_string().contains('\n'), "{why}");
            return;
        }
    };
    let outcome = World::new(&plan).run();
    let mut last = 0;
    let watched = World::new(&plan).run_watched(&mut |packet| {
        let frame = packet.frame(plan.opener, scenario.ip_version == 6);
        assert!(frame.headers.len() <= frame.len as usize && packet.time >= last);
        last = packet.time;
    });
    assert_eq!(outcome, watched, "the same plan, the same outcome");
    let Ok(outcome) = outcome else { return };
    assert!(outcome.duration <= plan.deadline);
    for link in &outcome.links {
        assert!(link.delivered + link.drops.total() <= link.frames + link.duplicated);
    }
    if let Work::Stream(stream @ Stream { credit: None, ending: None, .. }) = &scenario.work {
        // Kernels give up a connection after 15 minutes, unless configured to do so earlier.
        let is_patient = [&scenario.sender, &scenario.receiver].iter().all(|end| !end.sysctl.contains_key(RETRIES));
        assert!(outcome.received <= stream.bytes() && (outcome.received == stream.bytes() || !is_patient));
    }
});
