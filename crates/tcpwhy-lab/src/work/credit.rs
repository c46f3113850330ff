//! Flow control of a protocol above TCP, for both of its ends.
//!
//! A frame is a header and its data. Headers and grants begin with the number of a stream, from 1 on, and a
//! count of bytes. Number 0 is the connection as a whole. Both numbers have 32 bits, big-endian.

use std::io;

use super::activity::Doing;
use super::connection::{Connection, closed_early};
use tcpwhy_scenario::{Allowance, CONNECTION, Credit, Tag, Ungranted};

/// Size of a [`Tag`], bytes.
const TAG: usize = 8;

fn tag((stream, bytes): Tag) -> [u8; TAG] {
    // Invariant: windows and frames are at most 1 GiB.
    ((u64::from(stream) << 32) | (bytes & u64::from(u32::MAX))).to_be_bytes()
}

fn read_tag(bytes: &[u8]) -> io::Result<Tag> {
    let tag = bytes.first_chunk().map(|&tag| u64::from_be_bytes(tag)).ok_or_else(closed_early)?;
    // A value of 32 bits fits after the shift.
    Ok(((tag >> 32) as u32, tag & u64::from(u32::MAX)))
}

/// The sender's side.
#[derive(Debug)]
pub(super) struct Spender {
    allowance: Allowance,
    /// A frame: header and data.
    frame: Vec<u8>,
    header: usize,
    /// Size of a grant message, bytes.
    grant: usize,
    /// Bytes of the next grants that have arrived so far.
    pending: Vec<u8>,
}

impl Spender {
    pub(super) fn new(credit: &Credit) -> Self {
        let header = credit.header.0 as usize;
        let allowance = Allowance::new(credit);
        Self { allowance, frame: vec![0; header], header, grant: credit.grant.0 as usize, pending: Vec::new() }
    }

    /// Sends a frame with at most `bytes` of data by `send`, as soon as the peer allows it. Returns its bytes
    /// of data.
    pub(super) fn send(
        &mut self,
        bytes: u64,
        connection: &mut Connection<'_>,
        send: impl FnOnce(&mut Connection<'_>, &[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        while connection.is_readable()? {
            self.read_grants(connection)?;
        }
        let frame @ (_, bytes) = loop {
            if let Some(taken) = self.allowance.take(bytes) {
                break taken;
            }
            self.read_grants(connection)?;
        };
        let whole = self.header + bytes as usize;
        if self.frame.len() < whole {
            self.frame.resize(whole, 0);
        }
        self.frame[..TAG].copy_from_slice(&tag(frame));
        send(connection, &self.frame[..whole])?;
        Ok(bytes)
    }

    /// Reads grants once, and waits until some arrive.
    fn read_grants(&mut self, connection: &mut Connection<'_>) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let got = connection.read(Doing::PeerWindow, &mut buffer)?;
        if got == 0 {
            return Err(closed_early());
        }
        self.pending.extend_from_slice(&buffer[..got]);
        let whole = self.pending.len() / self.grant * self.grant;
        for grant in self.pending[..whole].chunks(self.grant) {
            self.allowance.grant(read_tag(grant)?);
        }
        self.pending.drain(..whole);
        Ok(())
    }
}

/// The receiver's side.
#[derive(Debug)]
pub(super) struct Granter {
    ungranted: Ungranted,
    header: Vec<u8>,
    grant: Vec<u8>,
    /// The stream of the current frame, and its remaining bytes.
    frame: Tag,
}

impl Granter {
    pub(super) fn new(credit: &Credit) -> Self {
        Self {
            ungranted: Ungranted::new(credit),
            header: vec![0; credit.header.0 as usize],
            grant: vec![0; credit.grant.0 as usize],
            frame: (CONNECTION, 0),
        }
    }

    /// Remaining data bytes of the current frame; reads the header of the next frame if there are none.
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

    /// Sends the grants that are due after `bytes` of the frame were read.
    pub(super) fn read(&mut self, bytes: u64, connection: &mut Connection<'_>) -> io::Result<()> {
        let (stream, left) = &mut self.frame;
        *left -= bytes;
        for due in self.ungranted.read((*stream, bytes)).into_iter().flatten() {
            self.grant[..TAG].copy_from_slice(&tag(due));
            connection.send(&self.grant)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_reads_back() {
        assert_eq!(read_tag(&tag((7, 65_535))).unwrap(), (7, 65_535));
        assert_eq!(read_tag(&tag((1000, 1 << 30))).unwrap(), (1000, 1 << 30));
        assert!(read_tag(&[0; 7]).is_err());
    }
}
