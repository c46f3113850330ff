//! Local ports that are in `TIME-WAIT`, so no connection uses them and they are not free yet.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;

use tcpwhy_model::host::{PortUse, SocketAddress, TcpState};

use super::sock_diag::{SockDiag, Wanted};

/// Time that a port stays in `TIME-WAIT` (`TCP_TIMEWAIT_LEN`), ms.
const TIME_WAIT_MS: u64 = 60_000;
/// Shortest time from the end of a connection to the reuse of its port (`tcp_tw_reuse_delay`, a constant
/// before Linux 6.14), ms.
const REUSE_DELAY_MS: u64 = 1000;
/// Limit for the destinations that are returned: a shortage of ports concerns few destinations.
const MOST_DESTINATIONS: usize = 100;

/// Counts the local ports between `first` and `last` in `TIME-WAIT` per destination, the largest number
/// first.
pub(super) fn time_wait(first: u16, last: u16) -> io::Result<Vec<PortUse>> {
    let mut by_destination: HashMap<(Option<IpAddr>, SocketAddress), (u64, u64)> = HashMap::new();
    let states = 1_u32 << TcpState::TimeWait.number();
    let wanted = Wanted { states, details: &[], filter: &ports_between(first, last) };
    SockDiag::open()?.dump_of(&wanted, |socket, _| {
        // Older kernels may ignore the filter.
        if socket.state != Some(TcpState::TimeWait) || !socket.local.port.is_some_and(|p| (first..=last).contains(&p)) {
            return;
        }
        let rest = socket.timer.and_then(|t| t.expires);
        let (ports, fresh) = by_destination.entry((socket.local.address, socket.peer)).or_default();
        *ports += 1;
        *fresh += u64::from(rest.is_some_and(|ms| ms > TIME_WAIT_MS - REUSE_DELAY_MS));
    })?;
    let mut uses: Vec<_> = by_destination
        .into_iter()
        .map(|((local, peer), (ports, fresh))| PortUse { local, peer, ports, fresh })
        .collect();
    uses.sort_by(|a, b| b.ports.cmp(&a.ports).then_with(|| (a.local, &a.peer).cmp(&(b.local, &b.peer))));
    uses.truncate(MOST_DESTINATIONS);
    Ok(uses)
}

/// Bytecode of `inet_diag_bc_run` that accepts local ports from `first` to `last`. Each operation has a
/// `code` and two jumps, `yes` and `no`. A jump to 4 bytes after the end rejects the socket.
fn ports_between(first: u16, last: u16) -> Vec<u8> {
    const S_GE: u8 = 2;
    const S_LE: u8 = 3;
    let operation = |code: u8, yes: u8, no: u16| [&[code, yes][..], &no.to_ne_bytes()].concat();
    [operation(S_GE, 8, 20), operation(0, 0, first), operation(S_LE, 8, 12), operation(0, 0, last)].concat()
}
