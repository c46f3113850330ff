//! Segments that reach a client from an address without a connection, and connections of the same client
//! port. They show traffic that bypasses a NAT.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Span};

use crate::diagnosis::pair_facts::Stray;
use crate::outcome::{Connection, Ending};
use crate::thresholds::STRAY_PACKETS;

/// Number of client ports that are kept of each kind. The lowest in order stay, whatever the order of
/// connections.
const MOST: usize = 1000;

/// Folds finished connections, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strays {
    /// By the client's end: the sources of segments that it reset, and their times.
    strays: BTreeMap<(Endpoint, Endpoint), Span>,
    /// By the client's end: its servers, and their times.
    opened: BTreeMap<(Endpoint, Endpoint), Span>,
}

impl Strays {
    pub(crate) fn add(&mut self, connection: &Connection) {
        let kept = match (connection.initiator, connection.ending) {
            (Some(client), Ending::Reset(_)) => {
                let key = [client, client.peer()].map(|side| connection.endpoints[side.index()]);
                self.opened.insert(key.into(), connection.span);
                &mut self.opened
            }
            (None, Ending::Reset(side)) if connection.packets.iter().sum::<u64>() <= STRAY_PACKETS => {
                let is_heard_only = connection.halves.iter().all(|half| half.sender != side);
                let is_first = connection.endpoints[side.peer().index()] == connection.endpoints[0];
                if !is_heard_only || !is_first {
                    return;
                }
                let key = [side, side.peer()].map(|side| connection.endpoints[side.index()]);
                self.strays.insert(key.into(), connection.span);
                &mut self.strays
            }
            _ => return,
        };
        if kept.len() > MOST {
            kept.pop_last();
        }
    }

    /// Returns the stray segments while connections of `client` to `server` were open.
    pub(crate) fn of(&self, client: IpAddr, server: Endpoint) -> Option<Stray> {
        let mut found: Option<Stray> = None;
        for (&(mine, from), span) in &self.strays {
            let is_other = mine.address == client && from.address != server.address;
            let opened = self.opened.get(&(mine, server)).filter(|_| is_other);
            let is_during = opened.is_some_and(|open| open.start() <= span.start() && span.start() <= open.end());
            if is_during {
                found.get_or_insert(Stray { from, connections: 0 }).connections += 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod terms;
