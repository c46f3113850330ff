//! What was changed, so that it can be set back.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use serde::{Deserialize, Serialize};

use tcpwhy_scenario::sysctl::{is_machine_wide, path};

/// The settings that a run changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// Of the boot in which they were changed: another one has the machine's own values again.
    pub(super) boot: String,
    /// In the order in which they are set.
    pub(super) settings: Vec<Entry>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// `net.core.wmem_max`
    pub(super) name: String,
    /// Its value before.
    pub(super) before: String,
    /// What the run has set, as the kernel shows it.
    pub(super) set: String,
}

impl Journal {
    /// Of the boot that is.
    pub(super) fn new(settings: Vec<Entry>) -> Self {
        Self { boot: boot(), settings }
    }
}

/// The name of this boot; empty where the kernel does not tell.
pub(super) fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// A value of several numbers with one space between them.
pub(super) fn normal(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a setting.
pub(super) fn read(name: &str) -> io::Result<String> {
    fs::read_to_string(file(name)?).map(|text| normal(&text))
}

/// Opens it for being set, which changes nothing yet.
pub(super) fn open(name: &str) -> io::Result<File> {
    OpenOptions::new().write(true).open(file(name)?)
}

/// Sets it.
pub(super) fn write(name: &str, value: &str) -> io::Result<()> {
    open(name)?.write_all(value.as_bytes())
}

/// Nothing but the settings that runs may change, whatever a journal says.
fn file(name: &str) -> io::Result<String> {
    path(name).filter(|_| is_machine_wide(name)).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}
