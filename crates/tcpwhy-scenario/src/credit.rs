//! Flow control of a protocol above TCP.

use serde::{Deserialize, Serialize};
use tcpwhy_model::Message;

use super::Bytes;
use super::refusal::{Checked, Refusal};

/// A protocol's own flow control, as in HTTP/2, gRPC and SSH: the sender may send so many bytes beyond those
/// that the receiver has granted, in frames of `write.size`. The receiver grants with small messages on the
/// same connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Credit {
    /// Bytes of data that may be sent on each stream beyond what was granted. HTTP/2 begins with 65,535,
    /// OpenSSH with 2 MiB.
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 1GiB")))]
    pub window: Bytes,
    /// The same for all streams together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1B to 1GiB")))]
    pub connection_window: Option<Bytes>,
    /// The receiver grants a stream again when it has read so many bytes of it: half of the window unless
    /// said otherwise. The connection's window is granted again at the same share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1B to the window")))]
    pub after: Option<Bytes>,
    /// Bytes of a message that grants: 13 in HTTP/2 (`WINDOW_UPDATE`), 35 in a TLS record.
    #[serde(default = "window_update")]
    #[cfg_attr(test, schemars(extend("x-range" = "8B to 64KiB")))]
    pub grant: Bytes,
    /// Bytes in front of each frame's data. They count against no window.
    #[serde(default = "frame_header")]
    #[cfg_attr(test, schemars(extend("x-range" = "8B to 64KiB")))]
    pub header: Bytes,
    /// Streams on the connection, written round robin, one frame each.
    #[serde(default = "one")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 to 1000")))]
    pub streams: u32,
}

/// A frame header of 9 bytes and an increment of 4 (RFC 9113 §6.9).
const fn window_update() -> Bytes {
    Bytes(13)
}

/// RFC 9113 §4.1.
const fn frame_header() -> Bytes {
    Bytes(9)
}

const fn one() -> u32 {
    1
}

/// As far as anybody would set it; the lab's programs count in 64 bits.
const LARGEST_WINDOW: Bytes = Bytes(1 << 30);
/// Headers and grants have a stream's number and a count of bytes in them.
const SMALLEST_MESSAGE: Bytes = Bytes(8);
const LARGEST_MESSAGE: Bytes = Bytes(64 << 10);
const MOST_STREAMS: u32 = 1000;

impl Credit {
    pub(super) fn check(&self) -> Checked {
        let largest_grant = self.window;
        let within = |key: &str, size: Option<Bytes>, least: Bytes, most: Bytes| match size {
            Some(size) if !(least..=most).contains(&size) => {
                let why = Message::new("scenario-credit")
                    .with("least", least.to_string())
                    .with("most", most.to_string())
                    .with("size", size.to_string());
                Err(Refusal::of(key, why))
            }
            _ => Ok(()),
        };
        within("window", Some(self.window), Bytes(1), LARGEST_WINDOW)?;
        within("connection_window", self.connection_window, Bytes(1), LARGEST_WINDOW)?;
        within("after", self.after, Bytes(1), largest_grant)?;
        within("grant", Some(self.grant), SMALLEST_MESSAGE, LARGEST_MESSAGE)?;
        within("header", Some(self.header), SMALLEST_MESSAGE, LARGEST_MESSAGE)?;
        if !(1..=MOST_STREAMS).contains(&self.streams) {
            return Err(Refusal::of("streams", Message::new("scenario-streams").with("most", MOST_STREAMS)));
        }
        Ok(())
    }

    /// Bytes read of a stream after which its receiver grants as many.
    pub fn granted_after(&self) -> u64 {
        self.after.map_or((self.window.0 / 2).max(1), |after| after.0)
    }

    /// The same of all streams together, where they share a window.
    pub fn connection_granted_after(&self) -> Option<u64> {
        let window = u128::from(self.connection_window?.0);
        let share = window * u128::from(self.granted_after()) / u128::from(self.window.0);
        // Invariant: no more than the window, since a stream's `after` is no more than its own.
        Some((share as u64).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use crate::Work;

    fn read(credit: &str) -> Result<Scenario, Message> {
        Scenario::from_toml("test", &format!("[work.stream]\nphases = [{{ bytes = \"1MB\" }}]\ncredit = {credit}\n"))
    }

    fn credit(credit: &str) -> Credit {
        let Work::Stream(stream) = read(credit).unwrap().work else { unreachable!() };
        stream.credit.unwrap()
    }

    #[test]
    fn half_of_each_window_is_granted_again() {
        let http = credit("{ window = \"65535B\" }");
        assert_eq!((http.grant, http.header, http.streams), (Bytes(13), Bytes(9), 1));
        assert_eq!((http.granted_after(), http.connection_granted_after()), (32_767, None));
        let shared = credit("{ window = \"64KiB\", after = \"16KiB\", connection_window = \"1MiB\", streams = 3 }");
        assert_eq!((shared.granted_after(), shared.connection_granted_after()), (16 << 10, Some(256 << 10)));
    }

    #[test]
    fn windows_that_could_not_work_are_refused() {
        for wrong in [
            "{ window = \"0B\" }",
            "{ window = \"2GiB\" }",
            "{ window = \"10B\", after = \"11B\" }",
            "{ window = \"10B\", after = \"0B\" }",
            "{ window = \"10B\", grant = \"7B\" }",
            "{ window = \"10B\", header = \"7B\" }",
            "{ window = \"10B\", streams = 0 }",
            "{ window = \"10B\", streams = 1001 }",
            "{ window = \"10B\", connection_window = \"0B\" }",
            "{ streams = 1 }",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("{ window = \"10B\", after = \"10B\", grant = \"8B\", header = \"8B\", streams = 1000 }").is_ok());
    }
}
