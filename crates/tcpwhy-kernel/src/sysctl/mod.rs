//! Settings of a host, as `sysctl -a` prints them.

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

/// Whether a setting was read from the host or is what its kernel starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingOrigin {
    /// It was read or given.
    Known,
    /// It was not: the kernel's default.
    Default,
}

/// A setting with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: SettingOrigin,
}

impl<T> Setting<T> {
    /// The same origin, another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: f(self.value), origin: self.origin }
    }
}

/// What is known of a host's sysctls. Those that are not known are absent, never 0.
///
/// `Display` writes `sysctl -a`'s form, which [`Sysctls::parse`] reads back to the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sysctls {
    values: BTreeMap<Sysctl, SysctlValue>,
}

impl Sysctls {
    /// Nothing known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the output of `sysctl -a` or a `sysctl.conf`; later lines win. Lines on sysctls that do not matter here are
    /// passed over; of those that cannot be read the first for each sysctl comes back beside what could.
    pub fn parse(text: &str) -> (Self, Vec<SysctlError>) {
        let mut sysctls = Self::new();
        let mut errors = Vec::new();
        for line in text.lines() {
            match parse::line(line) {
                Ok(Some((sysctl, value))) => sysctls.set(sysctl, value),
                Ok(None) => {}
                // One is enough to say so, however long the text is.
                Err(error) if errors.iter().any(|known: &SysctlError| known.sysctl() == error.sysctl()) => {}
                Err(error) => errors.push(error),
            }
        }
        (sysctls, errors)
    }

    /// Reads one `name=value` as typed; here an unknown name is an error.
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

    /// All values of `other` over the ones here.
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

    /// The number, else `version`'s default, if it has one that does not depend on the machine.
    pub(crate) fn number_or_default(&self, sysctl: Sysctl, version: KernelVersion) -> Option<Setting<i64>> {
        let known = self.number(sysctl).map(|value| Setting { value, origin: SettingOrigin::Known });
        known.or_else(|| match defaults::of(sysctl, version)? {
            SysctlValue::Number(value) => Some(Setting { value, origin: SettingOrigin::Default }),
            SysctlValue::Triple(_) | SysctlValue::Words(_) => None,
        })
    }

    /// The three numbers, else `version`'s default, if it has one that does not depend on the machine.
    pub fn triple_or_default(&self, sysctl: Sysctl, version: KernelVersion) -> Option<Setting<[u64; 3]>> {
        let known = self.triple(sysctl).map(|value| Setting { value, origin: SettingOrigin::Known });
        known.or_else(|| match defaults::of(sysctl, version)? {
            SysctlValue::Triple(value) => Some(Setting { value, origin: SettingOrigin::Default }),
            SysctlValue::Number(_) | SysctlValue::Words(_) => None,
        })
    }

    /// What `version` starts with, as far as it does not depend on the machine.
    pub fn defaults(version: KernelVersion) -> Self {
        let values = Sysctl::ALL.iter().filter_map(|&sysctl| Some((sysctl, defaults::of(sysctl, version)?))).collect();
        Self { values }
    }

    /// Those that are known.
    pub fn iter(&self) -> impl Iterator<Item = (Sysctl, &SysctlValue)> {
        self.values.iter().map(|(sysctl, value)| (*sysctl, value))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl fmt::Display for Sysctls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(sysctl, value)| writeln!(f, "{} = {value}", sysctl.name()))
    }
}
