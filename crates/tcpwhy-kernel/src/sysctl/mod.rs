//! Settings of a host, in the form of `sysctl -a`.

mod advised;
mod defaults;
mod known;
mod parse;
mod value;

use std::collections::BTreeMap;
use std::fmt;

pub use defaults::tcp_mem as default_tcp_mem;
pub use known::{Sysctl, SysctlScope, SysctlShape, SysctlUnit};
pub use parse::SysctlError;
pub use value::SysctlValue;

use crate::KernelVersion;

/// Source of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingOrigin {
    /// Read from the host, or given by the user.
    Known,
    /// The kernel's default, because the setting was not read.
    Default,
}

/// A setting with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Source of the value.
    pub origin: SettingOrigin,
}

impl<T> Setting<T> {
    /// The setting with another value and the same source.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: f(self.value), origin: self.origin }
    }
}

/// Known sysctls of a host. Unknown ones are absent, never 0.
///
/// `Display` writes the format of `sysctl -a`, which [`Sysctls::parse`] reads back unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sysctls {
    values: BTreeMap<Sysctl, SysctlValue>,
}

impl Sysctls {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the output of `sysctl -a` or a `sysctl.conf`; later lines win. Lines about other sysctls are
    /// skipped. The errors contain the first unreadable line of each sysctl.
    pub fn parse(text: &str) -> (Self, Vec<SysctlError>) {
        let mut sysctls = Self::new();
        let mut errors = Vec::new();
        for line in text.lines() {
            match parse::line(line) {
                Ok(Some((sysctl, value))) => sysctls.set(sysctl, value),
                Ok(None) => {}
                // One error per sysctl is enough, however long the text is.
                Err(error) if errors.iter().any(|known: &SysctlError| known.sysctl() == error.sysctl()) => {}
                Err(error) => errors.push(error),
            }
        }
        (sysctls, errors)
    }

    /// Reads one `name=value` that a user typed. An unknown name is an error.
    pub fn assign(&mut self, assignment: &str) -> Result<Sysctl, SysctlError> {
        let (sysctl, value) = parse::assignment(assignment)?;
        self.set(sysctl, value);
        Ok(sysctl)
    }

    /// Reads the content of the sysctl's file under `/proc/sys`.
    pub fn assign_value(&mut self, sysctl: Sysctl, text: &str) -> Result<(), SysctlError> {
        let value = parse::value(sysctl, text)?;
        self.set(sysctl, value);
        Ok(())
    }

    /// Sets a value.
    pub fn set(&mut self, sysctl: Sysctl, value: SysctlValue) {
        self.values.insert(sysctl, value);
    }

    /// Adds all values of `other`, replacing existing ones.
    pub fn merge(&mut self, other: Self) {
        self.values.extend(other.values);
    }

    /// The value, if known.
    pub fn value(&self, sysctl: Sysctl) -> Option<&SysctlValue> {
        self.values.get(&sysctl)
    }

    /// The value of a [`SysctlShape::Number`], if known.
    pub fn number(&self, sysctl: Sysctl) -> Option<i64> {
        match self.value(sysctl)? {
            SysctlValue::Number(number) => Some(*number),
            SysctlValue::Triple(_) | SysctlValue::Words(_) => None,
        }
    }

    /// The values of a [`SysctlShape::Triple`], if known.
    pub fn triple(&self, sysctl: Sysctl) -> Option<[u64; 3]> {
        match self.value(sysctl)? {
            SysctlValue::Triple(triple) => Some(*triple),
            SysctlValue::Number(_) | SysctlValue::Words(_) => None,
        }
    }

    /// The names of a [`SysctlShape::Words`], if known.
    pub fn words(&self, sysctl: Sysctl) -> Option<&str> {
        match self.value(sysctl)? {
            SysctlValue::Words(words) => Some(words),
            SysctlValue::Number(_) | SysctlValue::Triple(_) => None,
        }
    }

    /// The number, otherwise the default of `version` if it does not depend on the machine.
    pub(crate) fn number_or_default(&self, sysctl: Sysctl, version: KernelVersion) -> Option<Setting<i64>> {
        let known = self.number(sysctl).map(|value| Setting { value, origin: SettingOrigin::Known });
        known.or_else(|| match defaults::of(sysctl, version)? {
            SysctlValue::Number(value) => Some(Setting { value, origin: SettingOrigin::Default }),
            SysctlValue::Triple(_) | SysctlValue::Words(_) => None,
        })
    }

    /// The three numbers, otherwise the default of `version` if it does not depend on the machine.
    pub fn triple_or_default(&self, sysctl: Sysctl, version: KernelVersion) -> Option<Setting<[u64; 3]>> {
        let known = self.triple(sysctl).map(|value| Setting { value, origin: SettingOrigin::Known });
        known.or_else(|| match defaults::of(sysctl, version)? {
            SysctlValue::Triple(value) => Some(Setting { value, origin: SettingOrigin::Default }),
            SysctlValue::Number(_) | SysctlValue::Words(_) => None,
        })
    }

    /// Defaults of `version` that do not depend on the machine.
    pub fn defaults(version: KernelVersion) -> Self {
        let values = Sysctl::ALL.iter().filter_map(|&sysctl| Some((sysctl, defaults::of(sysctl, version)?))).collect();
        Self { values }
    }

    /// Known sysctls with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Sysctl, &SysctlValue)> {
        self.values.iter().map(|(sysctl, value)| (*sysctl, value))
    }

    /// Whether no sysctl is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl fmt::Display for Sysctls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(sysctl, value)| writeln!(f, "{} = {value}", sysctl.name()))
    }
}
