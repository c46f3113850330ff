//! The systemd units in the packages: both services drop the same privileges if neither needs them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of a unit that restrict nothing.
const OTHERS: [&str; 4] = ["Type", "ExecStart", "Restart", "Environment"];

/// Options in which the units differ, and the reason.
const DIFFERENT: [(&str, &str); 1] = [("MemoryMax", "an audit has all sockets in memory, an export a bounded table")];

fn unit(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging").join(format!("tcpwhy-{name}.service"))
}

/// The restrictions of a unit: options of `[Service]` with their values.
fn given_up(name: &str) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(unit(name)).unwrap();
    let section = text.split("\n[Service]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let mut options = BTreeMap::<_, Vec<_>>::new();
    for line in section.lines().filter(|line| !line.starts_with('#')) {
        let Some((key, value)) = line.split_once('=') else { continue };
        if !OTHERS.contains(&key) {
            options.entry(key.to_owned()).or_default().push(value.to_owned());
        }
    }
    options
}

#[test]
fn both_services_give_up_the_same() {
    let [audit, export] = ["audit", "export"].map(given_up);
    assert!(audit.len() > 15, "{audit:?}");
    for key in audit.keys().chain(export.keys()) {
        let is_different = DIFFERENT.iter().any(|(different, _)| different == key);
        assert!(audit.contains_key(key) && export.contains_key(key), "{key}: only one of them has it");
        assert_eq!(audit[key] != export[key], is_different, "{key}: {:?} {:?}", audit[key], export[key]);
    }
}

/// Exposure of a unit according to systemd, from 0 to 10; `None` if systemd is missing or cannot analyse a
/// file.
fn exposure(name: &str) -> Option<f64> {
    let output = Command::new("systemd-analyze").args(["security", "--offline=true"]).arg(unit(name)).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("Overall exposure level"))?;
    line.rsplit(": ").next()?.split(' ').next()?.parse().ok()
}

#[test]
fn systemd_regards_both_as_protected() {
    /// Upper limit of the range that systemd calls OK.
    const MOST: f64 = 2.5;
    for name in ["audit", "export"] {
        if let Some(exposure) = exposure(name) {
            assert!(exposure <= MOST, "{name}: {exposure}");
        }
    }
}
