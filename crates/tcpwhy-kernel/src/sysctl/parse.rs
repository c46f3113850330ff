use std::fmt;
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained, Message};

use super::{Sysctl, SysctlShape, SysctlValue};

/// Error of a line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SysctlError {
    /// The line is not `name=value`.
    NoAssignment(String),
    /// The name is not a sysctl known here.
    UnknownName(String),
    /// The value does not fit the sysctl.
    BadValue {
        /// The sysctl.
        sysctl: Sysctl,
        /// The unreadable value.
        value: String,
    },
}

impl SysctlError {
    /// The sysctl of the error; `None` if none was named.
    pub const fn sysctl(&self) -> Option<Sysctl> {
        match self {
            Self::NoAssignment(_) | Self::UnknownName(_) => None,
            Self::BadValue { sysctl, .. } => Some(*sysctl),
        }
    }

    /// The same error without the text of the line, for readers who must not see it.
    #[must_use]
    pub fn without_value(self) -> Self {
        let hidden = || "…".to_owned();
        match self {
            Self::NoAssignment(_) => Self::NoAssignment(hidden()),
            Self::UnknownName(_) => Self::UnknownName(hidden()),
            Self::BadValue { sysctl, .. } => Self::BadValue { sysctl, value: hidden() },
        }
    }
}

impl fmt::Display for SysctlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAssignment(text) => {
                write!(f, "expected NAME=VALUE such as net.core.wmem_max=16777216, not {}", quoted(text))
            }
            Self::UnknownName(name) => write!(f, "{} is not a sysctl that matters to TCP buffers", quoted(name)),
            Self::BadValue { sysctl, value } => {
                let (wanted, example) = match sysctl.shape() {
                    SysctlShape::Number => ("a number", ""),
                    SysctlShape::Triple => ("three numbers", ", such as \"4096 16384 4194304\""),
                    SysctlShape::Words => ("a name", ""),
                };
                write!(f, "expected {wanted} for {}{example}, not {}", sysctl.name(), quoted(value))
            }
        }
    }
}

impl std::error::Error for SysctlError {}

/// The beginning of an untrusted text, at most 60 characters.
fn excerpt(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Parses one line of `sysctl -a` or `sysctl.conf`; `None` if it does not set a known sysctl.
pub(super) fn line(text: &str) -> Result<Option<(Sysctl, SysctlValue)>, SysctlError> {
    let text = text.trim().trim_start_matches('-');
    if text.starts_with(['#', ';']) {
        return Ok(None);
    }
    let Some((name, content)) = text.split_once('=') else { return Ok(None) };
    let Some(sysctl) = Sysctl::from_name(name) else { return Ok(None) };
    value(sysctl, content).map(|value| Some((sysctl, value)))
}

/// Parses one `name=value` that a user typed.
pub(super) fn assignment(text: &str) -> Result<(Sysctl, SysctlValue), SysctlError> {
    let (name, content) = text.split_once('=').ok_or_else(|| SysctlError::NoAssignment(excerpt(text)))?;
    let sysctl = Sysctl::from_name(name).ok_or_else(|| SysctlError::UnknownName(excerpt(name.trim())))?;
    Ok((sysctl, value(sysctl, content)?))
}

/// Parses a value in the format of `/proc/sys`, perhaps in quotes.
pub(super) fn value(sysctl: Sysctl, text: &str) -> Result<SysctlValue, SysctlError> {
    let bad = || SysctlError::BadValue { sysctl, value: excerpt(text.trim()) };
    let mut words = text.trim().trim_matches(['"', '\'']).split_ascii_whitespace();
    match sysctl.shape() {
        SysctlShape::Number => {
            let number = words.next().and_then(|word| word.parse().ok()).ok_or_else(bad)?;
            words.next().is_none().then_some(SysctlValue::Number(number)).ok_or_else(bad)
        }
        SysctlShape::Triple => {
            let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or_else(bad);
            let triple = [number()?, number()?, number()?];
            words.next().is_none().then_some(SysctlValue::Triple(triple)).ok_or_else(bad)
        }
        SysctlShape::Words => {
            let words: Vec<_> = words.collect();
            (!words.is_empty()).then(|| SysctlValue::Words(words.join(" "))).ok_or_else(bad)
        }
    }
}

impl Explained for SysctlError {
    fn message(&self) -> Message {
        match self {
            Self::NoAssignment(text) => Message::new("sysctl-no-assignment").with("text", quoted(text)),
            Self::UnknownName(name) => Message::new("sysctl-unknown").with("name", quoted(name)),
            Self::BadValue { sysctl, value } => Message::new(match sysctl.shape() {
                SysctlShape::Number => "sysctl-wrong-number",
                SysctlShape::Triple => "sysctl-wrong-triple",
                SysctlShape::Words => "sysctl-wrong-word",
            })
            .with("name", sysctl.name())
            .with("value", quoted(value)),
        }
    }
}
