//! Requests and responses.

use std::io;
use std::mem::MaybeUninit;

use super::connection::Connection;
use crate::scenario::{Bytes, End, Turns};

/// Does all turns as `end`, then ends the sender's direction.
pub(super) fn take(turns: &Turns, end: End, connection: &mut Connection<'_>) -> io::Result<()> {
    connection.begin_phase();
    let mut buffer = vec![MaybeUninit::uninit(); 256 * 1024];
    let block = vec![0; largest(&turns.request).max(largest(&turns.response)) as usize];
    for _ in 0..turns.count {
        if end == turns.client() {
            connection.rest(turns.think.into());
            send(connection, &turns.request, &block)?;
            connection.recv_exactly(turns.response_bytes(), &mut buffer)?;
        } else {
            connection.recv_exactly(turns.request_bytes(), &mut buffer)?;
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

fn largest(parts: &[Bytes]) -> u64 {
    parts.iter().map(|part| part.0).max().unwrap_or_default()
}
