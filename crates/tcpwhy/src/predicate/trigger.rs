//! `--when`: the condition that ends a recording.

use std::fmt;
use std::str::FromStr;
use tcpwhy_model::foreign::quoted;

use tcpwhy_model::{Cause, Timestamp, typed};
use tcpwhy_watch::LiveConnection;

use super::subject::Watched;
use super::{Condition, Predicate};
use crate::message::{Failure, failure};

/// A limit that has applied to a connection for this long.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trigger {
    limit: Cause,
    seconds: f64,
}

impl FromStr for Trigger {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [condition, "for", time] = words[..] else {
            return Err(failure("trigger-expected"));
        };
        let id = condition
            .strip_prefix("limit=")
            .ok_or_else(|| failure("trigger-unknown").with("condition", quoted(condition)))?;
        let limit = id.to_lowercase().replace('-', "_").parse::<Cause>()?;
        let seconds = typed::round_trip_seconds(time)?;
        // The history of a connection is too coarse for shorter times, and reaches back 1 hour.
        if (0.5..=3600.0).contains(&seconds) {
            Ok(Self { limit, seconds })
        } else {
            Err(failure("trigger-time").with("time", quoted(time)))
        }
    }
}

/// The text as typed.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "limit={} for {}s", self.limit, self.seconds)
    }
}

impl Trigger {
    /// Whether it applies to `connection` now.
    pub(crate) fn holds(&self, connection: &LiveConnection, now: Timestamp) -> bool {
        let lasting = Predicate::from(Condition::Lasting(self.limit, self.seconds));
        lasting.holds(&Watched { connection, limit: connection.limit_now(), now })
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, SocketKey};
    use tcpwhy_watch::LiveHost;

    use super::*;

    #[test]
    fn conditions() {
        for text in ["limit=send_buffer for 5s", "limit=receive_window/slow_reader for 0.5s"] {
            assert_eq!(text.parse::<Trigger>().unwrap().to_string(), text);
        }
        let spelt: Trigger = "limit=send-buffer  for 1500ms".parse().unwrap();
        assert_eq!(spelt.to_string(), "limit=send_buffer for 1.5s");
        for bad in [
            "",
            "send_buffer for 5s",
            "limit=bogus for 5s",
            "limit=send_buffer",
            "limit=send_buffer for 9h",
            "limit=send_buffer for 1ms",
            "limit=send_buffer for x",
        ] {
            assert!(bad.parse::<Trigger>().is_err(), "{bad}");
        }
    }

    #[test]
    fn only_after_so_long() {
        let trigger: Trigger = "limit=send_buffer for 2s".parse().unwrap();
        let key = SocketKey { namespace: 1, cookie: 2 };
        let mut host = LiveHost::new();
        let mut first = None;
        for tenth in 0..60 {
            let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
            let info = &mut socket.info;
            (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(10));
            (info.snd_wnd, info.notsent_bytes, info.rtt) = (Some(1_000_000), Some(0), Some(20_000));
            info.bytes_acked = Some(10_000 * tenth as u64);
            if tenth >= 10 {
                socket.send_queue = 10_000;
                (socket.memory.send_queued, socket.memory.send_buffer) = (Some(30_000), Some(32_000));
            }
            let time = Timestamp::from_nanos(tenth * 100_000_000);
            host.observe(KernelSample { time, key, socket });
            if first.is_none() && trigger.holds(host.connection(key).unwrap(), time) {
                first = Some(tenth);
            }
        }
        // The limit begins at 0.95 s, midway between two scans. 90 % of 2 s are 1.8 s, and the history has
        // cells of 0.1 s.
        assert!(first.is_some_and(|tenth| (27..=31).contains(&tenth)), "{first:?}");
    }
}
