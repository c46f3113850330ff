//! The two ends of a transfer.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use tcpwhy_model::foreign::is_hidden;

use super::{BitRate, Bytes};
use crate::ends::path as setting_path;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Sends the data in question.
    Sender,
    /// Receives it.
    Receiver,
}

impl End {
    /// Both, the sender first.
    pub const BOTH: [Self; 2] = [Self::Sender, Self::Receiver];

    /// The one across the link.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Sender => Self::Receiver,
            Self::Receiver => Self::Sender,
        }
    }

    /// 0 for the sender, 1 for the receiver.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        })
    }
}

/// One end: its socket, its kernel's settings, its interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndSpec {
    /// `SO_SNDBUF` as the program asks for it, before the kernel doubles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sndbuf: Option<Bytes>,
    /// `SO_RCVBUF`, likewise; set before the connection is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rcvbuf: Option<Bytes>,
    /// `TCP_NODELAY`.
    pub nodelay: bool,
    /// `TCP_CONGESTION`; a run fails if the socket did not get it.
    pub congestion_control: String,
    /// Settings of the namespace, by their names (`net.ipv4.tcp_wmem`), over the lab's own defaults. Those that are the whole
    /// machine's (`net.core.rmem_max`, `net.core.wmem_max`, `net.ipv4.tcp_mem`) are set for the run and restored after it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sysctl: BTreeMap<String, String>,
    /// Segmentation offload: off makes the kernel itself cut segments.
    pub offload: bool,
    /// Rate of the interface itself, before the link.
    pub nic: BitRate,
}

/// `TCP_CA_NAME_MAX`, with the 0 at its end.
const LONGEST_NAME: usize = 16;

impl EndSpec {
    pub(super) fn check(&self) -> Result<(), String> {
        let is_int = |size: Bytes| i32::try_from(size.0).is_ok();
        if ![self.sndbuf, self.rcvbuf].into_iter().flatten().all(is_int) {
            return Err(format!("sndbuf and rcvbuf are at most {} bytes: the kernel takes an int", i32::MAX));
        }
        let name = &self.congestion_control;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() >= LONGEST_NAME || !name.bytes().all(is_word) {
            return Err(format!("no congestion control is called {name:?}"));
        }
        for (name, value) in &self.sysctl {
            if setting_path(name).is_none() {
                return Err(format!("no setting of the network is called {name:?}"));
            }
            if value.contains(|c| c != '\t' && is_hidden(c)) {
                return Err(format!("the value of {name} is more than a line"));
            }
        }
        Ok(())
    }
}

impl Default for EndSpec {
    fn default() -> Self {
        Self {
            sndbuf: None,
            rcvbuf: None,
            nodelay: false,
            congestion_control: "cubic".to_owned(),
            sysctl: BTreeMap::new(),
            offload: true,
            nic: BitRate(2_500_000_000),
        }
    }
}
