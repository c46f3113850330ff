//! The two ends of a transfer.

use std::collections::BTreeMap;
use std::fmt;
use tcpwhy_model::Message;
use tcpwhy_model::foreign::quoted;

use serde::{Deserialize, Serialize};
use tcpwhy_model::foreign::is_hidden;

use super::link::check_rate;
use super::refusal::{Checked, Refusal};
use super::{BitRate, Bytes, Nanos};
use crate::sysctl::path as setting_path;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EndSpec {
    /// `SO_SNDBUF` as the program asks for it, before the kernel doubles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0B to 2147483647B")))]
    pub sndbuf: Option<Bytes>,
    /// `SO_RCVBUF`, likewise; set before the connection is opened unless `late_buffers` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0B to 2147483647B")))]
    pub rcvbuf: Option<Bytes>,
    /// Set both buffers after `connect()` or `accept()`, too late for the window scale.
    pub late_buffers: bool,
    /// `TCP_NODELAY`.
    pub nodelay: bool,
    /// Probes after so much rest, and as often again: `SO_KEEPALIVE` with `TCP_KEEPIDLE` and `TCP_KEEPINTVL`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1s to 32767s, whole seconds")))]
    pub keep_alive: Option<Nanos>,
    /// `TCP_CONGESTION`; a run fails if the socket did not get it.
    pub congestion_control: String,
    /// Who chooses it: the program by `TCP_CONGESTION`, or the host, whose default programs get that set
    /// nothing.
    pub congestion_control_by: Chooser,
    /// Settings of the namespace, by their names (`net.ipv4.tcp_wmem`), over the lab's own defaults. Those that are the whole
    /// machine's (`net.core.rmem_max`, `net.core.wmem_max`, `net.ipv4.tcp_mem`) are set for the run and restored after it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sysctl: BTreeMap<String, String>,
    /// Initial congestion window in segments, by the route (`initcwnd`); the kernel's is 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 to 65535")))]
    pub initcwnd: Option<u32>,
    /// Minimum retransmission timeout, by the route (`rto_min`); the kernel's is 200 ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1ms to 120s, whole milliseconds")))]
    pub rto_min: Option<Nanos>,
    /// Segmentation offload: off makes the kernel itself cut segments.
    pub offload: bool,
    /// Rate of the interface itself, before the link.
    #[cfg_attr(test, schemars(extend("x-range" = "8kbit to 100gbit")))]
    pub nic: BitRate,
}

/// Who chooses the congestion control of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Chooser {
    /// The program sets `TCP_CONGESTION`.
    #[default]
    Program,
    /// The program sets nothing and gets the host's default.
    Host,
}

/// What a route may ask for; the kernel cuts off more.
const INITCWND: std::ops::RangeInclusive<u32> = 1..=65_535;

/// `ip route` takes milliseconds, and no timeout is longer than `TCP_RTO_MAX`.
const RTO_MIN: std::ops::RangeInclusive<Nanos> = Nanos(1_000_000)..=Nanos::from_secs(120);

/// The kernel counts seconds, up to `MAX_TCP_KEEPIDLE`.
const KEEP_ALIVE: std::ops::RangeInclusive<Nanos> = Nanos::from_secs(1)..=Nanos::from_secs(32_767);
/// `TCP_CA_NAME_MAX`, with the 0 at its end.
const LONGEST_NAME: usize = 16;

impl EndSpec {
    pub(super) fn check(&self) -> Checked {
        for (key, size) in [("sndbuf", self.sndbuf), ("rcvbuf", self.rcvbuf)] {
            if size.is_some_and(|size| i32::try_from(size.0).is_err()) {
                return Err(Refusal::of(key, Message::new("scenario-buffer").with("most", i32::MAX)));
            }
        }
        if let Some(rest) =
            self.keep_alive.filter(|rest| !KEEP_ALIVE.contains(rest) || !rest.0.is_multiple_of(KEEP_ALIVE.start().0))
        {
            let why = Message::new("scenario-keep-alive")
                .with("least", KEEP_ALIVE.start().to_string())
                .with("most", KEEP_ALIVE.end().to_string())
                .with("rest", rest.to_string());
            return Err(Refusal::of("keep_alive", why));
        }
        check_rate("nic", Some(self.nic))?;
        if self.initcwnd.is_some_and(|segments| !INITCWND.contains(&segments)) {
            let why = Message::new("scenario-initcwnd").with("least", *INITCWND.start()).with("most", *INITCWND.end());
            return Err(Refusal::of("initcwnd", why));
        }
        if let Some(minimum) =
            self.rto_min.filter(|minimum| !RTO_MIN.contains(minimum) || !minimum.0.is_multiple_of(RTO_MIN.start().0))
        {
            let why = Message::new("scenario-rto-min")
                .with("least", RTO_MIN.start().to_string())
                .with("most", RTO_MIN.end().to_string())
                .with("minimum", minimum.to_string());
            return Err(Refusal::of("rto_min", why));
        }
        let name = &self.congestion_control;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() >= LONGEST_NAME || !name.bytes().all(is_word) {
            return Err(Refusal::of(
                "congestion_control",
                Message::new("scenario-congestion-control").with("name", quoted(name)),
            ));
        }
        for (name, value) in &self.sysctl {
            if setting_path(name).is_none() {
                return Err(Refusal::of("sysctl", Message::new("scenario-sysctl").with("name", quoted(name))));
            }
            if value.contains(|c| c != '\t' && is_hidden(c)) {
                return Err(Refusal::of(name, Message::new("scenario-sysctl-value")).within("sysctl"));
            }
        }
        Ok(())
    }

    /// What its route asks for, as `ip route` takes it. A child namespace may not have every congestion
    /// control as its default, but a route may ask for it: so programs that do not choose one get it too.
    pub fn route_metrics(&self) -> String {
        let initcwnd = self.initcwnd.map_or_else(String::new, |segments| format!(" initcwnd {segments}"));
        let millis = |minimum: Nanos| minimum.0 / RTO_MIN.start().0;
        let rto_min = self.rto_min.map_or_else(String::new, |minimum| format!(" rto_min {}ms", millis(minimum)));
        format!("congctl {}{initcwnd}{rto_min}", self.congestion_control)
    }
}

impl Default for EndSpec {
    fn default() -> Self {
        Self {
            sndbuf: None,
            rcvbuf: None,
            late_buffers: false,
            nodelay: false,
            keep_alive: None,
            congestion_control: "cubic".to_owned(),
            congestion_control_by: Chooser::Program,
            sysctl: BTreeMap::new(),
            initcwnd: None,
            rto_min: None,
            offload: true,
            nic: BitRate(2_500_000_000),
        }
    }
}
