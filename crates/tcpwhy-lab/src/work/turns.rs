//! Requests and responses.

use std::io;
use std::mem::MaybeUninit;

use super::connection::Connection;
use crate::scenario::{Bytes, End, Turns};

impl Turns {
    /// The end that asks; it opens the connection.
    pub fn client(&self) -> End {
        if self.sender_asks { End::Sender } else { End::Receiver }
    }

    /// What the sender sends in all, in payload bytes.
    pub fn bytes(&self) -> u64 {
        let turn = if self.sender_asks { &self.request } else { &self.response };
        sum(turn).saturating_mul(u64::from(self.count))
    }
}

/// Does all turns as `end`, then ends the sender's direction.
pub(super) fn take(turns: &Turns, end: End, connection: &mut Connection<'_>) -> io::Result<()> {
    connection.begin_phase();
    let mut buffer = vec![MaybeUninit::uninit(); 256 * 1024];
    let block = vec![0; largest(&turns.request).max(largest(&turns.response)) as usize];
    for _ in 0..turns.count {
        if end == turns.client() {
            connection.rest(turns.think.into());
            send(connection, &turns.request, &block)?;
            connection.recv_exactly(sum(&turns.response), &mut buffer)?;
        } else {
            connection.recv_exactly(sum(&turns.request), &mut buffer)?;
            connection.rest(turns.service.into());
            send(connection, &turns.response, &block)?;
        }
    }
    match end {
        End::Sender => connection.finish_sending(),
        End::Receiver => connection.finish_receiving(),
    }
}

fn send(connection: &mut Connection<'_>, parts: &[Bytes], block: &[u8]) -> io::Result<()> {
    parts.iter().try_for_each(|part| connection.send(&block[..part.0 as usize]))
}

fn sum(parts: &[Bytes]) -> u64 {
    parts.iter().map(|part| part.0).sum()
}

fn largest(parts: &[Bytes]) -> u64 {
    parts.iter().map(|part| part.0).max().unwrap_or_default()
}
