//! What captures and samples tell of programs that keep no log.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Segment, SeqNum, TcpFlags, Timestamp};

use super::log::Log;
use crate::sampler::Sample;
use crate::scenario::End;

/// The log of a program of others at `end`, from the capture and the samples taken there. The server, with `port`, is the
/// sender; of several connections the one that carried the most is meant.
pub(crate) fn log(end: End, port: u16, capture: &File, samples: &[Sample]) -> io::Result<Log> {
    // The file has no name; this is how it is opened anew, at its beginning.
    let path = PathBuf::from(format!("/proc/self/fd/{}", capture.as_raw_fd()));
    let mut reader = CaptureReader::open(&path).map_err(io::Error::other)?;
    let mut connections: HashMap<u16, Passed> = HashMap::new();
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, 4096) {
        for segment in segments.drain(..) {
            let is_data = segment.source.port == port;
            let client = if is_data { segment.destination.port } else { segment.source.port };
            connections.entry(client).or_default().observe(&segment, is_data);
        }
    }
    let Some(passed) = connections.into_values().filter(|passed| passed.bytes > 0).max_by_key(|passed| passed.bytes)
    else {
        let why = format!(
            "no data of the server on port {port} was seen: `work.application.port` must be where it sends from, and `client.run` must \
             ask for something"
        );
        return Ok(Log { failure: Some(why), ..Log::default() });
    };
    Ok(passed.log(end, port, samples))
}

/// One connection, as it passed the interface.
#[derive(Debug, Default)]
struct Passed {
    opened: Option<Timestamp>,
    connected: Option<Timestamp>,
    /// The server's next new byte.
    next: Option<SeqNum>,
    first_data: Option<Timestamp>,
    /// Newest data, repeats too, until all of it was acknowledged.
    last_data: Option<Timestamp>,
    /// Payload bytes of the server, without repeats.
    bytes: u64,
    all_acked: Option<Timestamp>,
    /// Highest byte of the server that was acknowledged.
    acked: Option<SeqNum>,
    /// Whether the server (else the client) reset the connection before all was acknowledged.
    reset_by_server: Option<bool>,
}

impl Passed {
    fn observe(&mut self, segment: &Segment, is_data: bool) {
        let time = segment.timestamp;
        if segment.flags.contains(TcpFlags::RST) && self.all_acked.is_none() {
            self.reset_by_server = self.reset_by_server.or(Some(is_data));
        }
        if segment.flags.contains(TcpFlags::SYN) {
            if is_data {
                self.next = Some(segment.seq.plus(1));
                self.connected = self.connected.or(Some(time));
            } else {
                self.opened = self.opened.or(Some(time));
            }
            return;
        }
        let Some(next) = self.next else { return };
        if is_data && segment.payload_len > 0 {
            let end = segment.seq.plus(segment.payload_len);
            if let new @ 1.. = end.distance_from(next) {
                self.bytes += u64::from(new.unsigned_abs());
                self.next = Some(end);
                self.all_acked = None;
            }
            if self.all_acked.is_none() {
                self.first_data = self.first_data.or(Some(time));
                self.last_data = Some(time);
            }
        } else if !is_data && self.bytes > 0 {
            if self.acked.is_none_or(|acked| segment.ack.distance_from(acked) > 0) {
                self.acked = Some(segment.ack);
            }
            if segment.ack.distance_from(next) >= 0 {
                self.all_acked = self.all_acked.or(Some(time));
            }
        }
    }

    /// What happened instead of its end, and what to change.
    fn failure(&self, port: u16) -> Option<String> {
        let waiting = match (self.acked, self.next) {
            (Some(acked), Some(next)) => u64::try_from(next.distance_from(acked)).unwrap_or(0),
            _ => self.bytes,
        };
        let so_far = format!("{waiting} of its {} bytes were not acknowledged", self.bytes);
        let meant = "if that is meant, say `expect.breaks = true`";
        match (self.reset_by_server, self.all_acked) {
            (None, Some(_)) => None,
            (Some(true), _) => Some(format!(
                "the server reset its connection on port {port} ({so_far}): it ended or closed with unread data; let `server.run` \
                 stay until the client has all, or {meant}"
            )),
            (Some(false), _) => Some(format!(
                "the client reset its connection to port {port} ({so_far}): it closed before it had read all; let `client.run` read to \
                 the end of the data, or {meant}"
            )),
            (None, None) => Some(format!(
                "the client's script ended while the server still sent ({so_far}): let `client.run` wait for its programs (no & \
                 at their end) and read to the end of the data, or {meant}"
            )),
        }
    }

    fn log(self, end: End, port: u16, samples: &[Sample]) -> Log {
        let failure = self.failure(port);
        let is_complete = failure.is_none();
        let mut log = Log {
            opened: self.opened,
            connected: self.connected,
            first_io: self.first_data,
            last_io: self.last_data,
            last_state: samples.last().map(|sample| sample.socket),
            failure,
            ..Log::default()
        };
        match end {
            End::Sender => (log.sent, log.all_acked) = (self.bytes, self.all_acked),
            End::Receiver => (log.received, log.eof) = (self.bytes, self.last_data.filter(|_| is_complete)),
        }
        log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_and_what_to_change() {
        let seq = |n| Some(SeqNum(n));
        let sent = || Passed { bytes: 10_000, next: seq(10_001), acked: seq(4_001), ..Passed::default() };
        let done = Passed { all_acked: Some(Timestamp::from_nanos(1)), ..sent() };
        assert_eq!(done.failure(80), None);
        for (passed, words) in [
            (sent(), ["6000 of its 10000 bytes", "client.run", "script ended"]),
            (Passed { reset_by_server: Some(false), ..sent() }, ["client reset", "client.run", "port 80"]),
            (Passed { reset_by_server: Some(true), ..sent() }, ["server reset", "server.run", "expect.breaks"]),
        ] {
            let said = passed.failure(80).unwrap();
            assert!(words.iter().all(|word| said.contains(word)) && !said.contains('\n'), "{said}");
        }
    }
}
