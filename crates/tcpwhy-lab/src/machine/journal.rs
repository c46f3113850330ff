//! The journal: the settings that were changed, with the values to restore.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use serde::{Deserialize, Serialize};

use tcpwhy_scenario::sysctl::{is_machine_wide, path};

/// The settings that a run changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// Id of the boot in which they were changed. Another boot starts with the machine's own values.
    pub(super) boot: String,
    /// In the order in which they were set.
    pub(super) settings: Vec<Entry>,
}

/// A setting that a run changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// `net.core.wmem_max`
    pub(super) name: String,
    /// Its value before.
    pub(super) before: String,
    /// The value that the run has set, as the kernel shows it.
    pub(super) set: String,
}

impl Journal {
    /// A journal of the current boot.
    pub(super) fn new(settings: Vec<Entry>) -> Self {
        Self { boot: boot(), settings }
    }
}

/// The id of the current boot; empty if the kernel does not provide it.
pub(super) fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// A value of several numbers, separated by single spaces.
pub(super) fn normal(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a setting.
pub(super) fn read(name: &str) -> io::Result<String> {
    fs::read_to_string(file(name)?).map(|text| normal(&text))
}

/// Opens the setting for writing, which does not change it yet.
pub(super) fn open(name: &str) -> io::Result<File> {
    OpenOptions::new().write(true).open(file(name)?)
}

/// Writes the setting.
pub(super) fn write(name: &str, value: &str) -> io::Result<()> {
    open(name)?.write_all(value.as_bytes())
}

/// The file of a setting. Only settings that runs may change are accepted, whatever a journal contains.
fn file(name: &str) -> io::Result<String> {
    path(name).filter(|_| is_machine_wide(name)).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}
