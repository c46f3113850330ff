//! Conformance tests with scripts in the language of packetdrill. A peer's packets and a program's calls go
//! into one socket, and its segments must match the script.
//!
//! `tests/scripts` has scripts of our own. With `PACKETDRILL_SCRIPTS`, the folder `gtests/net/tcp` of
//! packetdrill's own repository, its scripts run as well (`cargo test -p tcpwhy-sim public_scripts --
//! --ignored --nocapture`).

mod check;
mod drive;
mod script;

use std::path::{Path, PathBuf};

use crate::time::MILLISECOND;
use drive::Driver;

/// Values of `CONFIG_HZ` in distributions. Scripts do not name the one they were written for.
const TICKS_A_SECOND: [u64; 3] = [1_000, 250, 100];

/// Result of one script. A kernel's timers fire up to 64 ticks late, depending on the time since boot
/// (`kernel/time/timer.c`). So a script passes if it passes in one of several cases, like a test with
/// retries.
fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let script = script::parse(&text)?;
    let mut result = Ok(());
    for (ticks_a_second, phase) in TICKS_A_SECOND.into_iter().flat_map(|ticks| (0..8).map(move |phase| (ticks, phase)))
    {
        result = Driver::new(&script, ticks_a_second, 8 * phase * MILLISECOND)?.run(&script);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// All scripts under `folder`, sorted.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(scripts(&path));
        } else if path.extension().is_some_and(|extension| extension == "pkt") {
            all.push(path);
        }
    }
    all.sort();
    all
}

#[test]
fn own_scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let all = scripts(&folder);
    assert!(all.len() >= 10, "{all:?}");
    let failed: Vec<_> =
        all.iter().filter_map(|path| run(path).err().map(|why| format!("{}: {why}", path.display()))).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Topics of packetdrill's scripts that use only simulated features.
const CORE: [&str; 12] = [
    "cubic",
    "cwnd_moderation",
    "eor",
    "fast_recovery",
    "fast_retransmit",
    "limited_transmit",
    "mss",
    "nagle",
    "notsent_lowat",
    "sack",
    "slow_start",
    "ts_recent",
];

/// The scripts have the license GPL-2.0 and are not part of this repository.
#[test]
#[ignore = "PACKETDRILL_SCRIPTS has to name a folder with scripts"]
fn public_scripts() {
    let folder = std::env::var_os("PACKETDRILL_SCRIPTS").unwrap();
    let mut core = [0, 0];
    let mut failed = Vec::new();
    for path in scripts(Path::new(&folder)) {
        let result = run(&path);
        let is_core = path.components().any(|part| CORE.iter().any(|topic| part.as_os_str() == *topic));
        core[0] += usize::from(is_core);
        core[1] += usize::from(is_core && result.is_ok());
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let mark = if is_core { "core " } else { "" };
        match result {
            Ok(()) => println!("ok     {mark}{name}"),
            Err(why) => failed.push(format!("failed {mark}{name}: {why}")),
        }
    }
    println!("{}", failed.join("\n"));
    let [count, passed] = core;
    println!("{passed} of {count} core scripts");
    assert!(count > 0 && passed * 8 >= count * 7, "{passed} of {count} core scripts pass");
}
