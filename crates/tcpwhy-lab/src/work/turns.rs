//! Requests and responses.

use std::io;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use super::activity::Doing;
use super::connection::Connection;
use super::ending::leave;
use tcpwhy_scenario::{Bytes, End, Turns};

/// Runs all requests and responses as `end`, then ends the connection.
pub(super) fn take(turns: &Turns, end: End, connection: &mut Connection<'_>) -> io::Result<()> {
    connection.begin_phase();
    let mut buffer = vec![MaybeUninit::uninit(); 256 * 1024];
    let block = vec![0; largest(&turns.request).max(largest(&turns.response)) as usize];
    if end == turns.client() {
        ask(turns, connection, &block, &mut buffer)?;
    } else {
        for turn in 0..turns.count {
            connection.recv_exactly(turns.request_bytes(), &mut buffer)?;
            if turn >= turns.answered() {
                break;
            }
            connection.rest(turns.service.into());
            send(connection, &turns.response, &block)?;
        }
    }
    leave(turns.ending, turns.client(), connection)
}

/// Sends all requests, with at most `ahead` of them outstanding.
fn ask(turns: &Turns, connection: &mut Connection<'_>, block: &[u8], buffer: &mut [MaybeUninit<u8>]) -> io::Result<()> {
    let start = Instant::now();
    let mut asked = 0;
    for answered in 0..turns.count {
        while asked < turns.count && asked - answered < turns.ahead {
            match turns.every {
                Some(every) => connection.sleep_until(start + asked * Duration::from(every)),
                None => connection.rest(turns.think.into()),
            }
            send(connection, &turns.request, block)?;
            asked += 1;
        }
        if answered >= turns.answered() {
            break;
        }
        // A program with one request at a time waits for its answer. A program with several waits until it
        // may send the next request.
        let is_held = turns.ahead > 1 && asked < turns.count;
        let doing = if is_held { Doing::PeerWindow } else { Doing::Recv };
        connection.recv_exactly_while(doing, turns.response_bytes(), buffer)?;
    }
    Ok(())
}

fn send(connection: &mut Connection<'_>, parts: &[Bytes], block: &[u8]) -> io::Result<()> {
    parts.iter().try_for_each(|part| connection.send(&block[..part.0 as usize]))
}

fn largest(parts: &[Bytes]) -> u64 {
    parts.iter().map(|part| part.0).max().unwrap_or_default()
}
