//! Flow control of a protocol above TCP, as both of its ends do it.
//!
//! A frame is a header and its data. Headers and grants begin with the number of a stream, from 1 on, and a
//! count of bytes; number 0 is the connection as a whole. Both numbers have 32 bits, big-endian.

use std::io;

use super::activity::Doing;
use super::connection::{Connection, closed_early};
use tcpwhy_scenario::Credit;

/// A stream's number and a count of bytes.
const TAG: usize = 8;

/// Number of the connection as a whole.
const CONNECTION: u32 = 0;

fn tag(stream: u32, bytes: u64) -> [u8; TAG] {
    // Invariant: windows and frames are at most 1 GiB.
    ((u64::from(stream) << 32) | (bytes & u64::from(u32::MAX))).to_be_bytes()
}

fn read_tag(bytes: &[u8]) -> io::Result<(u32, u64)> {
    let tag = bytes.first_chunk().map(|&tag| u64::from_be_bytes(tag)).ok_or_else(closed_early)?;
    // The upper half fits.
    Ok(((tag >> 32) as u32, tag & u64::from(u32::MAX)))
}

/// What the sender may still send.
#[derive(Debug)]
struct Allowance {
    streams: Vec<u64>,
    connection: Option<u64>,
    /// The stream whose turn it is.
    next: usize,
}

impl Allowance {
    fn new(credit: &Credit) -> Self {
        Self {
            streams: vec![credit.window.0; credit.streams as usize],
            connection: credit.connection_window.map(|window| window.0),
            next: 0,
        }
    }

    /// The next stream that may send, and how much of `bytes`; `None`: none may.
    fn take(&mut self, bytes: u64) -> Option<(u32, u64)> {
        let most = self.connection.unwrap_or(u64::MAX).min(bytes);
        let count = self.streams.len();
        let found = (0..count).map(|step| (self.next + step) % count).find(|&index| self.streams[index] > 0)?;
        let bytes = most.min(self.streams[found]);
        if bytes == 0 {
            return None;
        }
        self.streams[found] -= bytes;
        self.connection = self.connection.map(|left| left - bytes);
        self.next = (found + 1) % count;
        Some((found as u32 + 1, bytes))
    }

    fn grant(&mut self, stream: u32, bytes: u64) {
        if stream == CONNECTION {
            self.connection = self.connection.map(|left| left + bytes);
        } else if let Some(left) = self.streams.get_mut(stream as usize - 1) {
            *left += bytes;
        }
    }
}

/// The sender's side.
#[derive(Debug)]
pub(super) struct Spender {
    allowance: Allowance,
    /// A frame: header and data.
    frame: Vec<u8>,
    header: usize,
    /// Bytes of a message that grants.
    grant: usize,
    /// What has come of the next ones.
    pending: Vec<u8>,
}

impl Spender {
    pub(super) fn new(credit: &Credit) -> Self {
        let header = credit.header.0 as usize;
        let allowance = Allowance::new(credit);
        Self { allowance, frame: vec![0; header], header, grant: credit.grant.0 as usize, pending: Vec::new() }
    }

    /// Sends a frame of at most `bytes` by `send`, as soon as the peer allows one. Returns its bytes of data.
    pub(super) fn send(
        &mut self,
        bytes: u64,
        connection: &mut Connection<'_>,
        send: impl FnOnce(&mut Connection<'_>, &[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        while connection.is_readable()? {
            self.read_grants(connection)?;
        }
        let (stream, bytes) = loop {
            if let Some(taken) = self.allowance.take(bytes) {
                break taken;
            }
            self.read_grants(connection)?;
        };
        let whole = self.header + bytes as usize;
        if self.frame.len() < whole {
            self.frame.resize(whole, 0);
        }
        self.frame[..TAG].copy_from_slice(&tag(stream, bytes));
        send(connection, &self.frame[..whole])?;
        Ok(bytes)
    }

    /// One read, which waits until there is something.
    fn read_grants(&mut self, connection: &mut Connection<'_>) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let got = connection.read(Doing::PeerWindow, &mut buffer)?;
        if got == 0 {
            return Err(closed_early());
        }
        self.pending.extend_from_slice(&buffer[..got]);
        let whole = self.pending.len() / self.grant * self.grant;
        for grant in self.pending[..whole].chunks(self.grant) {
            let (stream, bytes) = read_tag(grant)?;
            self.allowance.grant(stream, bytes);
        }
        self.pending.drain(..whole);
        Ok(())
    }
}

/// The receiver's side.
#[derive(Debug)]
pub(super) struct Granter {
    /// Read since the last grant: of the connection, then of each stream.
    read: Vec<u64>,
    after: u64,
    connection_after: Option<u64>,
    header: Vec<u8>,
    grant: Vec<u8>,
    /// The stream of the frame that is being read, and what is left of it.
    frame: (u32, u64),
}

impl Granter {
    pub(super) fn new(credit: &Credit) -> Self {
        Self {
            read: vec![0; credit.streams as usize + 1],
            after: credit.granted_after(),
            connection_after: credit.connection_granted_after(),
            header: vec![0; credit.header.0 as usize],
            grant: vec![0; credit.grant.0 as usize],
            frame: (CONNECTION, 0),
        }
    }

    /// Bytes of data that come next, after the header of their frame was read.
    pub(super) fn next(&mut self, connection: &mut Connection<'_>) -> io::Result<u64> {
        while self.frame.1 == 0 {
            let mut got = 0;
            while got < self.header.len() {
                match connection.read(Doing::Recv, &mut self.header[got..])? {
                    0 => return Err(closed_early()),
                    more => got += more,
                }
            }
            self.frame = read_tag(&self.header)?;
        }
        Ok(self.frame.1)
    }

    /// Grants what is due after so many bytes of the frame were read.
    pub(super) fn read(&mut self, bytes: u64, connection: &mut Connection<'_>) -> io::Result<()> {
        let (stream, left) = &mut self.frame;
        let stream = *stream;
        *left -= bytes;
        for (number, after) in [(CONNECTION, self.connection_after), (stream, Some(self.after))] {
            let (Some(read), Some(after)) = (self.read.get_mut(number as usize), after) else { continue };
            *read += bytes;
            if *read >= after {
                self.grant[..TAG].copy_from_slice(&tag(number, std::mem::take(read)));
                connection.send(&self.grant)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tcpwhy_scenario::Bytes;

    fn credit(window: u64, connection_window: Option<u64>, streams: u32) -> Credit {
        Credit {
            window: Bytes(window),
            connection_window: connection_window.map(Bytes),
            after: None,
            grant: Bytes(13),
            header: Bytes(9),
            streams,
        }
    }

    #[test]
    fn a_tag_reads_back() {
        assert_eq!(read_tag(&tag(7, 65_535)).unwrap(), (7, 65_535));
        assert_eq!(read_tag(&tag(1000, 1 << 30)).unwrap(), (1000, 1 << 30));
        assert!(read_tag(&[0; 7]).is_err());
    }

    #[test]
    fn a_window_is_spent_to_its_last_byte_and_no_further() {
        let mut left = Allowance::new(&credit(65_535, None, 1));
        let frames: Vec<u64> = std::iter::from_fn(|| left.take(16_384)).map(|(_, bytes)| bytes).collect();
        assert_eq!(frames, [16_384, 16_384, 16_384, 16_383]);
        left.grant(1, 100);
        left.grant(CONNECTION, 100);
        assert_eq!((left.take(16_384), left.take(1)), (Some((1, 100)), None));
    }

    #[test]
    fn streams_take_turns_and_share_the_connections_window() {
        let mut left = Allowance::new(&credit(2000, Some(3500), 2));
        let frames: Vec<_> = std::iter::from_fn(|| left.take(1000)).collect();
        assert_eq!(frames, [(1, 1000), (2, 1000), (1, 1000), (2, 500)]);
        // Stream 2 has 500 bytes left, the connection none.
        left.grant(1, 1000);
        assert_eq!(left.take(1000), None);
        left.grant(CONNECTION, 800);
        assert_eq!((left.take(1000), left.take(1000)), (Some((1, 800)), None));
    }
}
