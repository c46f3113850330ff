//! Settings of the whole machine, for the time of a run.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::ends::path;
use crate::{LabError, Scenario};

/// Settings that are not a namespace's own.
const MACHINE_WIDE: [&str; 3] = ["net.core.rmem_max", "net.core.wmem_max", "net.ipv4.tcp_mem"];

/// What the guardian runs: the end of its input comes with the end of this process, however that ends.
const GUARDIAN: &str = r#"trap '' INT TERM HUP; cat >/dev/null; while [ $# -gt 1 ]; do echo "$2" >"$1"; shift 2; done"#;

/// Whether a setting is not a namespace's own.
pub(crate) fn is_machine_wide(name: &str) -> bool {
    MACHINE_WIDE.contains(&name)
}

/// Settings that get their old values back when this is dropped, and also if this process is killed: a process of its own waits
/// for that.
#[derive(Debug)]
pub struct MachineSettings {
    guardian: Option<Child>,
}

impl MachineSettings {
    /// Sets what the scenario wants of the machine; most want nothing. To be called outside of the cell, whose namespaces do
    /// not show these settings.
    ///
    /// # Errors
    /// If this user may not set them, or another run has done so.
    pub fn set(scenario: &Scenario) -> Result<Self, LabError> {
        let wanted = scenario.machine_wide();
        let Some((first, _)) = wanted.first_key_value() else { return Ok(Self { guardian: None }) };
        let not_ours = |name: &str| LabError::Machine(name.to_owned());
        // Whichever they are, one run at a time. The guardian has the lock as its output, and keeps it until it has restored.
        let lock = File::open("/proc/sys/net/core/rmem_max").map_err(|_| not_ours(first))?;
        match rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(LabError::MachineBusy((*first).to_owned())),
            result => result.map_err(|error| LabError::io("locking the machine's settings", error))?,
        }
        let mut guardian = Command::new("sh");
        guardian.args(["-c", GUARDIAN, "sh"]).stdin(Stdio::piped()).stdout(lock).process_group(0);
        for name in wanted.keys() {
            let path = path(name).ok_or_else(|| not_ours(name))?;
            let before = fs::read_to_string(&path).map_err(|_| not_ours(name))?;
            // Whether it may be written shows before anything has been changed.
            fs::write(&path, &before).map_err(|_| not_ours(name))?;
            guardian.args([&path, before.trim()]);
        }
        let guardian = guardian.spawn().map_err(|error| LabError::io("starting a guardian of settings", error))?;
        let this = Self { guardian: Some(guardian) };
        for (name, value) in wanted {
            let failed = |source: io::Error| LabError::Setting { name: name.into(), value: value.into(), source };
            fs::write(path(name).ok_or_else(|| not_ours(name))?, value).map_err(failed)?;
        }
        Ok(this)
    }
}

impl Drop for MachineSettings {
    fn drop(&mut self) {
        if let Some(guardian) = &mut self.guardian {
            drop(guardian.stdin.take());
            // It ends by itself; whether it was waited for changes nothing.
            let _ = guardian.wait();
        }
    }
}
