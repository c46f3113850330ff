//! Reader and writer of the output of `ss -tinmpeO`.
//!
//! The reference is `misc/ss.c` of iproute2 from 3.x to 6.x. Details may be on the same line (`-O`) or on the
//! next, columns may be missing, and numbers have old and new forms. Unknown words are kept as they are, and
//! no input is an error.

mod address;
mod print;
mod scan;
mod users;
mod words;

use tcpwhy_model::host::{SocketSample, TcpState};

pub use print::write_sockets;

use scan::tokens;

/// Limit for the sockets read from one text; further sockets are ignored. A socket needs about 100 times the
/// memory of the shortest line that names one, so a hostile file could exhaust the memory. This limit bounds
/// it at about 600 MB.
pub const MOST_SOCKETS: usize = 1 << 19;

/// Parses the TCP sockets in output of `ss`, at most [`MOST_SOCKETS`]. Sockets of other protocols, and lines
/// that belong to no socket, are left out.
pub fn parse_sockets(text: &str) -> Vec<SocketSample> {
    let mut sockets = Vec::new();
    // `None`: the next lines belong to a socket of another protocol, or to no socket.
    let mut current: Option<SocketSample> = None;
    for line in text.lines() {
        let line = line.trim_end();
        if let Some(start) = start_of_record(line) {
            sockets.extend(current.take());
            if sockets.len() >= MOST_SOCKETS {
                break;
            }
            current = start.map(|(socket, rest)| {
                let mut socket = *socket;
                words::read(&mut socket, rest);
                socket
            });
        } else if let Some(socket) = &mut current {
            words::read(socket, line);
        }
    }
    sockets.extend(current);
    sockets
}

/// Whether `text` looks like the output of `ss -t`.
pub fn looks_like_ss(text: &str) -> bool {
    text.lines().take(40).any(|line| {
        (line.contains("Recv-Q") && line.contains("Send-Q")) || matches!(start_of_record(line), Some(Some(_)))
    })
}

/// The columns of a line that begins a socket, and the text after them. The inner `None` is a socket of
/// another protocol or a heading. The outer `None` is a line that continues the socket before it.
#[allow(clippy::option_option, reason = "three cases, named above")]
fn start_of_record(line: &str) -> Option<Option<(Box<SocketSample>, &str)>> {
    let mut words = tokens(line);
    let mut word = words.next()?;
    let mut is_tcp = true;
    if matches!(word, "State" | "Netid" | "Recv-Q") {
        return Some(None);
    }
    if is_netid(word) {
        is_tcp = word == "tcp";
        word = words.next()?;
    }
    let state = TcpState::from_id(word);
    if state.is_some() {
        word = words.next()?;
    }
    let receive_queue = word.parse().ok()?;
    let send_queue = words.next()?.parse().ok()?;
    let local = words.next()?;
    let peer = words.next()?;
    if !is_tcp {
        return Some(None);
    }
    let (local, peer) = (address::parse(local)?, address::parse(peer)?);
    let socket = SocketSample { state, receive_queue, send_queue, local, peer, ..SocketSample::default() };
    Some(Some((Box::new(socket), words.rest())))
}

/// Whether a word is a value of the first column, `Netid` (`-t` alone omits it).
fn is_netid(word: &str) -> bool {
    matches!(
        word,
        "tcp"
            | "udp"
            | "raw"
            | "mptcp"
            | "sctp"
            | "dccp"
            | "u_str"
            | "u_dgr"
            | "u_seq"
            | "nl"
            | "p_raw"
            | "p_dgr"
            | "icmp6"
            | "v_str"
            | "v_dgr"
            | "tipc"
            | "xdp"
            | "ti_st"
            | "ti_dg"
            | "ti_rd"
            | "ti_sq"
            | "???"
    )
}
