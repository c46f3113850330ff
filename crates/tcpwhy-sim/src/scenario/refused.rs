//! Parts of scenarios that are not simulated.

use std::fmt;

use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained, Message};

/// The oldest simulated kernel: since then, sent segments have departure times of their own (EDT).
pub(super) const OLDEST: (u16, u16) = (4, 20);

/// Reason why a scenario cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSimulated {
    /// It runs external programs.
    Programs,
    /// It uses accurate ECN (RFC 9768).
    AccurateEcn,
    /// The kernel is older than the oldest one with known rules.
    OldKernel,
    /// The congestion control is not simulated.
    CongestionControl(String),
    /// A setting that would change the transfer and is not simulated.
    Setting(String),
}

impl fmt::Display for NotSimulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Programs => f.write_str("the simulator cannot run other programs"),
            Self::AccurateEcn => f.write_str("the simulator does not support accurate ECN (tcp_ecn 3 or more)"),
            Self::OldKernel => write!(f, "the simulator does not support kernels before {}.{}", OLDEST.0, OLDEST.1),
            Self::CongestionControl(name) => write!(f, "the simulator does not support the congestion control {name}"),
            Self::Setting(setting) => write!(f, "the simulator does not support the setting {setting}"),
        }
    }
}

impl std::error::Error for NotSimulated {}

impl Explained for NotSimulated {
    fn message(&self) -> Message {
        match self {
            Self::Programs => Message::new("sim-programs"),
            Self::AccurateEcn => Message::new("sim-ecn"),
            Self::OldKernel => Message::new("sim-old-kernel").with("oldest", format!("{}.{}", OLDEST.0, OLDEST.1)),
            Self::CongestionControl(name) => Message::new("sim-congestion-control").with("name", quoted(name)),
            Self::Setting(setting) => Message::new("sim-setting").with("setting", quoted(setting)),
        }
    }
}
