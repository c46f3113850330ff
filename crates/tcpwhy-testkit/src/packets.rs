use std::net::{IpAddr, Ipv4Addr};

use tcpwhy_model::{Endpoint, IpHeader, Segment, SeqNum, TcpFlags, TcpOptions, Timestamp, WindowField};

/// Time at which scripts and models begin.
pub const START: Timestamp = Timestamp::from_nanos(1_700_000_000_000_000_000);

/// The end that sends the SYN: `>` in scripts.
pub const CLIENT: Endpoint = Endpoint { address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), port: 40_000 };

/// The other end: `<` in scripts.
pub const SERVER: Endpoint = Endpoint { address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2)), port: 80 };

/// Initial sequence numbers of client and server; the first one wraps soon.
pub(crate) const ISN: [u32; 2] = [0xffff_f000, 0x1234_5678];

/// `nanos` after [`START`].
pub const fn at(nanos: i64) -> Timestamp {
    START.plus(nanos)
}

/// Control bits as tcpdump writes them: `S`, `S.`, `.`, `P.`, `F.`, `R` …
///
/// # Panics
/// On any other letter.
pub fn flags(letters: &str) -> TcpFlags {
    letters.chars().fold(TcpFlags::default(), |all, letter| {
        all.union(match letter {
            'F' => TcpFlags::FIN,
            'S' => TcpFlags::SYN,
            'R' => TcpFlags::RST,
            'P' => TcpFlags::PSH,
            '.' => TcpFlags::ACK,
            'U' => TcpFlags::URG,
            'E' => TcpFlags::ECE,
            'W' => TcpFlags::CWR,
            other => panic!("no TCP flag is written {other:?}"),
        })
    })
}

/// A segment without payload and options; `is_client` sends it.
pub(crate) fn bare(nanos: i64, is_client: bool, letters: &str) -> Segment {
    let (source, destination) = if is_client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    Segment {
        number: 0,
        timestamp: at(nanos),
        source,
        destination,
        seq: SeqNum(0),
        ack: SeqNum(0),
        flags: flags(letters),
        window: WindowField(0xffff),
        payload_len: 0,
        options: TcpOptions::default(),
        ip: IpHeader::default(),
    }
}

/// Sorts packets by time and numbers them from 1.
pub(crate) fn in_order(mut segments: Vec<Segment>) -> Vec<Segment> {
    segments.sort_by_key(|s| s.timestamp);
    for (i, s) in segments.iter_mut().enumerate() {
        s.number = i as u64 + 1;
    }
    segments
}
