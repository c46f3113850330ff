//! Names that clients use for their servers: the server name of TLS, the host of HTTP.

mod read;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use tcpwhy_model::{Endpoint, Segment, SeqNum, TcpFlags, Timestamp};

use self::read::{Said, read};
use crate::outcome::{Connection, ServerName};

/// Client and server.
type Flow = [Endpoint; 2];

/// Collects the names in the first bytes of clients whose SYN was captured.
///
/// Memory is bounded by limits of waiting connections, stored bytes and names. The oldest make room.
#[derive(Debug, Default)]
pub struct ServerNames {
    waiting: HashMap<Flow, Beginning>,
    /// Connections that wait, the oldest first; some of them no longer wait.
    order: VecDeque<(Flow, u64)>,
    serial: u64,
    /// Bytes of all beginnings.
    kept: usize,
    /// Names with the time of the client's SYN, the earliest first. Ports are reused, and the connection that
    /// opened first has mostly finished first.
    names: HashMap<Flow, VecDeque<(Timestamp, String)>>,
    named: usize,
}

/// Data of a client so far.
#[derive(Debug)]
struct Beginning {
    serial: u64,
    syn: Timestamp,
    /// Sequence number of its next byte.
    next: SeqNum,
    bytes: Vec<u8>,
}

impl ServerNames {
    /// Largest number of connections whose first bytes are awaited; a flood of SYNs has more.
    const MOST_WAITING: usize = 1 << 16;
    /// Largest number of bytes of one connection. A hello with post-quantum keys takes 2 kB, cookies in a
    /// request some more.
    const MOST_OF_ONE: usize = 8 << 10;
    const MOST_BYTES: usize = 8 << 20;
    const MOST_NAMES: usize = 1 << 18;

    /// Takes each segment in the order of the capture. Returns whether its payload has to be passed to
    /// [`Self::hear`].
    pub fn wants(&mut self, segment: &Segment) -> bool {
        if segment.undelivered().is_some() {
            return false;
        }
        let flow = [segment.source, segment.destination];
        if segment.flags.contains(TcpFlags::SYN) {
            if !segment.flags.contains(TcpFlags::ACK) {
                self.wait(flow, segment);
            }
            // With TCP Fast Open the SYN has data.
            return segment.payload_len > 0;
        }
        segment.payload_len > 0 && self.waiting.get(&flow).is_some_and(|beginning| beginning.next == segment.seq)
    }

    /// Takes the captured payload of a segment that was wanted.
    pub fn hear(&mut self, segment: &Segment, captured: &[u8]) {
        let flow = [segment.source, segment.destination];
        let Some(beginning) = self.waiting.get_mut(&flow) else { return };
        let captured = captured.get(..segment.payload_len as usize).unwrap_or(captured);
        let room = Self::MOST_OF_ONE - beginning.bytes.len();
        let taken = captured.get(..room).unwrap_or(captured);
        beginning.bytes.extend_from_slice(taken);
        beginning.next = beginning.next.plus(segment.payload_len);
        self.kept += taken.len();
        let is_whole = taken.len() == segment.payload_len as usize;
        let [_, server] = flow;
        match read(&beginning.bytes) {
            Said::NotYet if is_whole && self.kept <= Self::MOST_BYTES => return,
            // The server's own address is not a name.
            Said::Name(name) if name.trim_matches(['[', ']']).parse() != Ok(server.address) => {
                let syn = beginning.syn;
                self.keep(flow, syn, name);
            }
            Said::NotYet | Said::Nothing | Said::Name(_) => {}
        }
        self.forget(flow);
    }

    /// Removes and returns the name that the client of `connection` used for its server.
    pub fn take(&mut self, connection: &Connection) -> Option<ServerName> {
        let client = connection.initiator?;
        let flow = [connection.endpoints[client.index()], connection.endpoints[client.peer().index()]];
        let Entry::Occupied(mut names) = self.names.entry(flow) else { return None };
        let span = connection.span;
        let at = names.get().iter().position(|&(syn, _)| span.start() <= syn && syn <= span.end())?;
        let (_, name) = names.get_mut().remove(at)?;
        if names.get().is_empty() {
            names.remove();
        }
        self.named -= 1;
        Some(ServerName { server: client.peer(), name })
    }

    fn wait(&mut self, flow: Flow, syn: &Segment) {
        let next = syn.seq.plus(1);
        if let Some(known) = self.waiting.get(&flow) {
            if known.next == next {
                // A retransmitted SYN.
                return;
            }
            self.forget(flow);
        }
        self.serial += 1;
        let beginning = Beginning { serial: self.serial, syn: syn.timestamp, next, bytes: Vec::new() };
        self.waiting.insert(flow, beginning);
        self.order.push_back((flow, self.serial));
        while self.order.len() > Self::MOST_WAITING {
            let Some((oldest, serial)) = self.order.pop_front() else { return };
            if self.waiting.get(&oldest).is_some_and(|b| b.serial == serial) {
                self.forget(oldest);
            }
        }
    }

    fn forget(&mut self, flow: Flow) {
        if let Some(beginning) = self.waiting.remove(&flow) {
            self.kept -= beginning.bytes.len();
        }
    }

    fn keep(&mut self, flow: Flow, syn: Timestamp, name: String) {
        if self.named < Self::MOST_NAMES {
            self.named += 1;
            self.names.entry(flow).or_default().push_back((syn, name));
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::script;

    use super::read::tests::client_hello;
    use super::*;
    use crate::Analyzer;

    /// Returns the name that the client of the only connection used for its server. `sent` is the client's
    /// data from its first byte on.
    fn name_in(text: &str, sent: &[u8]) -> Option<String> {
        name_in_cut(text, sent, usize::MAX)
    }

    /// Returns the same as [`name_in`] for packets that were cut to `most` bytes of payload.
    fn name_in_cut(text: &str, sent: &[u8], most: usize) -> Option<String> {
        let (mut names, mut analyzer) = (ServerNames::default(), Analyzer::new());
        let segments = script(text).segments;
        let first = segments[0];
        for segment in &segments {
            if names.wants(segment) {
                let from = segment.seq.distance_from(first.seq).max(1) as usize - 1;
                let payload = &sent[from..from + segment.payload_len as usize];
                names.hear(segment, &payload[..payload.len().min(most)]);
            }
            analyzer.observe(segment);
        }
        let connection = analyzer.finish().remove(0);
        let known = names.take(&connection)?;
        assert_eq!(connection.endpoints[known.server.index()], first.destination);
        assert_eq!(names.take(&connection), None, "it is told once");
        assert_eq!((names.named, names.kept, names.waiting.len()), (0, 0, 0));
        Some(known.name)
    }

    const OPEN: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
        0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
        0.020 > . 1:1(0) ack 1";

    #[test]
    fn a_hello_in_pieces_with_a_repeat_and_a_port_that_is_used_again() {
        let hello = client_hello(b"db.example");
        let len = hello.len();
        let name = Some("db.example".to_owned());
        assert_eq!(name_in(&format!("{OPEN}\n0.021 > P. 1:{}({len}) ack 1", len + 1), &hello), name);
        let rest = len - 1000;
        let pieces = format!(
            "{OPEN}\n0.021 > . 1:1001(1000) ack 1
            0.250 > . 1:1001(1000) ack 1
            0.251 > P. 1001:{}({rest}) ack 1",
            len + 1
        );
        assert_eq!(name_in(&pieces, &hello), name);
        assert_eq!(name_in_cut(&pieces, &hello, 100), None);
        assert_eq!(name_in_cut(&pieces, &hello, 0), None);
    }

    #[test]
    fn what_is_not_a_clients_beginning_names_nobody() {
        let hello = client_hello(b"db.example");
        let len = hello.len();
        // Without a SYN, data that looks like a hello may be part of a file.
        assert_eq!(name_in(&format!("0.021 > P. 1:{}({len}) ack 1", len + 1), &hello), None);
        // The hello comes after other bytes.
        let late = [b"EHLO there\r\n".as_slice(), &hello].concat();
        let text = format!("{OPEN}\n0.021 > P. 1:13(12) ack 1\n0.030 > P. 13:{}({len}) ack 1", len + 13);
        assert_eq!(name_in(&text, &late), None);
        // The hello comes from the server.
        assert_eq!(name_in(&format!("{OPEN}\n0.021 < P. 1:{}({len}) ack 1", len + 1), &hello), None);
    }

    #[test]
    fn an_address_is_a_name_only_of_another_host() {
        let server = script(OPEN).segments[0].destination.address;
        let named = |host: &str| {
            let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
            let len = request.len();
            name_in(&format!("{OPEN}\n0.021 > P. 1:{}({len}) ack 1", len + 1), request.as_bytes())
        };
        assert_eq!(named(&format!("{server}:8080")), None);
        assert_eq!(named("192.0.2.99").as_deref(), Some("192.0.2.99"));
        assert_eq!(named("[2001:db8::1]").as_deref(), Some("[2001:db8::1]"));
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut names = ServerNames::default();
        let mut syn = script(OPEN).segments[0];
        for n in 0..3 * ServerNames::MOST_WAITING as u32 {
            syn.source.address = std::net::Ipv4Addr::from_bits(n).into();
            names.wants(&syn);
        }
        assert_eq!(names.waiting.len(), ServerNames::MOST_WAITING);
        // A request that never ends.
        syn.flags = TcpFlags::ACK;
        syn.seq = syn.seq.plus(1);
        syn.payload_len = 1000;
        let endless = [b"GET / HTTP/1.1\r\nA: ".as_slice(), &[b'a'; 981]].concat();
        for _ in 0..20 {
            if names.wants(&syn) {
                names.hear(&syn, &endless);
            }
            syn.seq = syn.seq.plus(1000);
            assert!(names.kept <= ServerNames::MOST_OF_ONE);
        }
        assert_eq!((names.kept, names.named), (0, 0));
    }
}
