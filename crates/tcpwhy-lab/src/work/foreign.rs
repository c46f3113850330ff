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
        return Ok(Log { failure: Some("no data was seen".to_owned()), ..Log::default() });
    };
    Ok(passed.log(end, samples))
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
    was_reset: bool,
}

impl Passed {
    fn observe(&mut self, segment: &Segment, is_data: bool) {
        let time = segment.timestamp;
        self.was_reset |= segment.flags.contains(TcpFlags::RST) && self.all_acked.is_none();
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
        } else if !is_data && self.bytes > 0 && segment.ack.distance_from(next) >= 0 {
            self.all_acked = self.all_acked.or(Some(time));
        }
    }

    fn log(self, end: End, samples: &[Sample]) -> Log {
        let is_complete = self.all_acked.is_some() && !self.was_reset;
        let mut log = Log {
            opened: self.opened,
            connected: self.connected,
            first_io: self.first_data,
            last_io: self.last_data,
            last_state: samples.last().map(|sample| sample.socket),
            failure: (!is_complete).then(|| "not all data was acknowledged".to_owned()),
            ..Log::default()
        };
        match end {
            End::Sender => (log.sent, log.all_acked) = (self.bytes, self.all_acked),
            End::Receiver => (log.received, log.eof) = (self.bytes, self.last_data.filter(|_| is_complete)),
        }
        log
    }
}
