//! Logs of foreign programs, from captures and samples.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Segment, SeqNum, TcpFlags, Timestamp};

use super::log::Log;
use crate::sampler::Sample;
use tcpwhy_scenario::{End, Service};

/// The log of a foreign program at `end`, from the capture and the samples taken there. If `service` has
/// several connections, it is the one with the most data from the sender.
pub(crate) fn log(end: End, service: Service, capture: &File, samples: &[Sample]) -> io::Result<Log> {
    // The file has no name, so it is opened again by its descriptor, at its beginning.
    let path = PathBuf::from(format!("/proc/self/fd/{}", capture.as_raw_fd()));
    let mut reader = CaptureReader::open(&path).map_err(io::Error::other)?;
    let mut connections: HashMap<u16, Vec<Passed>> = HashMap::new();
    let mut segments = Vec::new();
    while reader.read_batch(&mut segments, 4096) {
        for segment in segments.drain(..) {
            let is_of_server = segment.source.port == service.port;
            let client = if is_of_server { segment.destination.port } else { segment.source.port };
            let by = if is_of_server { service.end } else { service.end.other() };
            let of_port = connections.entry(client).or_default();
            if of_port.last().is_none_or(|last| last.is_over_at(&segment)) {
                of_port.push(Passed::default());
            }
            if let Some(passed) = of_port.last_mut() {
                passed.observe(&segment, by);
            }
        }
    }
    let all = connections.into_values().flatten();
    let Some(passed) = all.filter(|passed| passed.bytes > 0).max_by_key(|passed| passed.bytes) else {
        let why = nothing_seen(service);
        return Ok(Log { failure: Some(why), ..Log::default() });
    };
    Ok(passed.log(end, service, samples))
}

fn nothing_seen(Service { end, port }: Service) -> String {
    match end {
        End::Sender => format!(
            "no data of the server on port {port} was seen: `work.application.port` must be where it sends from, and \
             `client.run` must ask for something"
        ),
        End::Receiver => format!(
            "no data to the server on port {port} was seen: `work.application.port` must be where it listens, and \
             `client.run` must send something"
        ),
    }
}

/// The error if the client's script ended before all data had arrived; `server` is the server's end.
const fn unfinished(server: End) -> &'static str {
    match server {
        End::Sender => {
            "the client's script ended while the server still sent ({so_far}): let `client.run` wait for its programs (no & \
             at their end) and read to the end of the data"
        }
        End::Receiver => {
            "the client's script ended while its data was still on the way ({so_far}): let `client.run` wait for its \
             programs (no & at their end) and for the server's answer"
        }
    }
}

/// The error if `by` reset the connection; `server` is the server's end.
fn reset(by: End, server: End) -> &'static str {
    match (server, by) {
        (End::Sender, End::Sender) => {
            "the server reset its connection on port {port} ({so_far}): it ended or closed with unread data; let \
             `server.run` stay until the client has all"
        }
        (End::Sender, End::Receiver) => {
            "the client reset its connection to port {port} ({so_far}): it closed before it had read all; let \
             `client.run` read to the end of the data"
        }
        (End::Receiver, End::Sender) => {
            "the client reset its connection to port {port} ({so_far}): it ended or closed with unread data; let \
             `client.run` read the server's answer"
        }
        (End::Receiver, End::Receiver) => {
            "the server reset its connection on port {port} ({so_far}): it closed before it had read all; let \
             `server.run` read to the end of the data"
        }
    }
}

/// One connection as it passed the interface.
#[derive(Debug, Default)]
struct Passed {
    opened: Option<Timestamp>,
    connected: Option<Timestamp>,
    /// The next new byte that the sender will send.
    next: Option<SeqNum>,
    first_data: Option<Timestamp>,
    /// Time of the newest data, retransmissions included, until all of it was acknowledged.
    last_data: Option<Timestamp>,
    /// Payload bytes of the sender, without retransmissions.
    bytes: u64,
    all_acked: Option<Timestamp>,
    /// Highest byte of the sender that was acknowledged.
    acked: Option<SeqNum>,
    /// The end that reset the connection before everything was acknowledged.
    reset_by: Option<End>,
}

impl Passed {
    /// Whether `segment` opens another connection from the same port.
    const fn is_over_at(&self, segment: &Segment) -> bool {
        let is_first = segment.flags.contains(TcpFlags::SYN) && !segment.flags.contains(TcpFlags::ACK);
        is_first && self.connected.is_some()
    }

    /// Records a segment that `by` sent.
    fn observe(&mut self, segment: &Segment, by: End) {
        let time = segment.timestamp;
        let is_data = by == End::Sender;
        // An earlier reset answers a segment of an older connection.
        let is_open = self.connected.is_some();
        if segment.flags.contains(TcpFlags::RST) && is_open && self.all_acked.is_none() {
            self.reset_by = self.reset_by.or(Some(by));
        }
        if segment.flags.contains(TcpFlags::SYN) {
            if is_data {
                self.next = Some(segment.seq.plus(1));
            }
            let first = if segment.flags.contains(TcpFlags::ACK) { &mut self.connected } else { &mut self.opened };
            first.get_or_insert(time);
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

    /// The failure of the connection and the remedy.
    fn failure(&self, Service { end, port }: Service) -> Option<String> {
        let waiting = match (self.acked, self.next) {
            (Some(acked), Some(next)) => u64::try_from(next.distance_from(acked)).unwrap_or(0),
            _ => self.bytes,
        };
        let so_far = format!("{waiting} of its {} bytes were not acknowledged", self.bytes);
        let meant = "if that is meant, say `expect.breaks = true`";
        let what = match (self.reset_by, self.all_acked) {
            (None, Some(_)) => return None,
            (None, None) => unfinished(end).replace("{so_far}", &so_far),
            (Some(by), _) => reset(by, end).replace("{port}", &port.to_string()).replace("{so_far}", &so_far),
        };
        Some(format!("{what}, or {meant}"))
    }

    fn log(self, end: End, service: Service, samples: &[Sample]) -> Log {
        let failure = self.failure(service);
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

    /// The client sends 3000 bytes and the server 50; the exchange is analysed as an upload and as a
    /// download.
    #[test]
    fn the_data_in_question_is_the_senders() {
        let script = tcpwhy_testkit::script(
            "0.000 > S 0:0(0) <mss 1460>
             0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.011 > . 1:1(0) ack 1 win 512
             0.012 > P. 1:1001(1000) ack 1 win 512
             0.013 > P. 1001:3001(2000) ack 1 win 512
             0.025 < P. 1:51(50) ack 3001 win 512
             0.026 > . 3001:3001(0) ack 51 win 512",
        );
        let client = script.segments[0].source;
        let seen = |sender_is_client: bool| {
            let mut passed = Passed::default();
            for segment in &script.segments {
                let is_sender = (segment.source == client) == sender_is_client;
                passed.observe(segment, if is_sender { End::Sender } else { End::Receiver });
            }
            let after = |time: Option<Timestamp>| time.unwrap().since(script.segments[0].timestamp) / 1_000_000;
            let times = [passed.opened, passed.connected, passed.first_data, passed.all_acked];
            (passed.bytes, times.map(after))
        };
        assert_eq!(seen(true), (3000, [0, 10, 12, 25]));
        assert_eq!(seen(false), (50, [0, 10, 25, 26]));
    }

    /// The server still has the first connection when the second SYN from the same port arrives.
    #[test]
    fn a_port_is_used_again() {
        let script = tcpwhy_testkit::script(
            "0.000 > S 0:0(0) <mss 1460>
             0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460>
             0.011 > . 1:1(0) ack 1 win 512
             0.500 > S 90000:90000(0) <mss 1460>
             0.510 < . 1:1(0) ack 1 win 512
             0.511 > R 1:1(0) win 0
             0.512 > S 90000:90000(0) <mss 1460>
             0.522 < S. 70000:70000(0) ack 90001 win 65535 <mss 1460>",
        );
        let client = script.segments[0].source;
        let mut all: Vec<Passed> = Vec::new();
        for segment in &script.segments {
            if all.last().is_none_or(|last| last.is_over_at(segment)) {
                all.push(Passed::default());
            }
            let by = if segment.source == client { End::Receiver } else { End::Sender };
            all.last_mut().unwrap().observe(segment, by);
        }
        let [old, new] = all.as_slice() else { panic!("{all:?}") };
        let after = |time: Option<Timestamp>| time.unwrap().since(script.segments[0].timestamp) / 1_000_000;
        assert_eq!([old.connected, new.opened, new.connected].map(after), [10, 500, 522]);
        assert_eq!(new.reset_by, None);
    }

    #[test]
    fn what_happened_and_what_to_change() {
        let seq = |n| Some(SeqNum(n));
        let sent = || Passed { bytes: 10_000, next: seq(10_001), acked: seq(4_001), ..Passed::default() };
        let service = |end| Service { end, port: 80 };
        let done = Passed { all_acked: Some(Timestamp::from_nanos(1)), ..sent() };
        let reset = |by| Passed { reset_by: Some(by), ..sent() };
        assert_eq!(done.failure(service(End::Sender)), None);
        for (server, passed, words) in [
            (End::Sender, sent(), ["6000 of its 10000 bytes", "while the server still sent", "script ended"]),
            (End::Sender, reset(End::Receiver), ["client reset", "client.run", "port 80"]),
            (End::Sender, reset(End::Sender), ["server reset", "server.run", "expect.breaks"]),
            (End::Receiver, sent(), ["6000 of its 10000 bytes", "its data was still on the way", "script ended"]),
            (End::Receiver, reset(End::Sender), ["client reset", "client.run", "port 80"]),
            (End::Receiver, reset(End::Receiver), ["server reset", "server.run", "expect.breaks"]),
        ] {
            let said = passed.failure(service(server)).unwrap();
            assert!(words.iter().all(|word| said.contains(word)) && !said.contains('\n'), "{said}");
        }
    }
}
