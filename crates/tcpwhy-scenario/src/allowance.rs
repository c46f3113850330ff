//! The windows of a protocol ([`Credit`]) as both ends apply them.

use crate::Credit;

/// A stream's number from 1 on, or [`CONNECTION`], and the bytes of a frame or a grant.
pub type Tag = (u32, u64);

/// Number of the connection as a whole.
pub const CONNECTION: u32 = 0;

/// Bytes that the sender may still send.
#[derive(Clone, Debug)]
pub struct Allowance {
    streams: Vec<u64>,
    connection: Option<u64>,
    /// The stream that is next in the rotation.
    next: usize,
}

impl Allowance {
    /// Starts with full windows.
    pub fn new(credit: &Credit) -> Self {
        Self {
            streams: vec![credit.window.0; credit.streams as usize],
            connection: credit.connection_window.map(|window| window.0),
            next: 0,
        }
    }

    /// Returns the next stream that may send, and how much of `bytes`; `None` if none may.
    pub fn take(&mut self, bytes: u64) -> Option<Tag> {
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
        // There are at most 1000 streams.
        Some((found as u32 + 1, bytes))
    }

    /// Adds a grant of the receiver.
    pub fn grant(&mut self, (stream, bytes): Tag) {
        if stream == CONNECTION {
            self.connection = self.connection.map(|left| left + bytes);
        } else if let Some(left) = self.streams.get_mut(stream as usize - 1) {
            *left += bytes;
        }
    }
}

/// Bytes that the receiver has read and not granted again.
#[derive(Clone, Debug)]
pub struct Ungranted {
    /// Bytes of the connection, then of each stream.
    read: Vec<u64>,
    after: u64,
    connection_after: Option<u64>,
}

impl Ungranted {
    /// Starts without read bytes.
    pub fn new(credit: &Credit) -> Self {
        Self {
            read: vec![0; credit.streams as usize + 1],
            after: credit.granted_after(),
            connection_after: credit.connection_granted_after(),
        }
    }

    /// Counts bytes of a stream as read; returns the grants that are due, in order.
    pub fn read(&mut self, (stream, bytes): Tag) -> [Option<Tag>; 2] {
        [(CONNECTION, self.connection_after), (stream, Some(self.after))].map(|(number, after)| {
            let (read, after) = (self.read.get_mut(number as usize)?, after?);
            *read += bytes;
            (*read >= after).then(|| (number, std::mem::take(read)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bytes;

    fn credit(window: u64, connection_window: Option<u64>, streams: u32) -> Credit {
        let connection_window = connection_window.map(Bytes);
        Credit { window: Bytes(window), connection_window, after: None, grant: Bytes(13), header: Bytes(9), streams }
    }

    /// RFC 9113 §6.9.1.
    #[test]
    fn a_window_is_spent_to_its_last_byte_and_no_further() {
        let mut left = Allowance::new(&credit(65_535, None, 1));
        let frames: Vec<u64> = std::iter::from_fn(|| left.take(16_384)).map(|(_, bytes)| bytes).collect();
        assert_eq!(frames, [16_384, 16_384, 16_384, 16_383]);
        left.grant((1, 100));
        left.grant((CONNECTION, 100));
        assert_eq!((left.take(16_384), left.take(1)), (Some((1, 100)), None));
    }

    #[test]
    fn streams_take_turns_and_share_the_connections_window() {
        let mut left = Allowance::new(&credit(2000, Some(3500), 2));
        let frames: Vec<_> = std::iter::from_fn(|| left.take(1000)).collect();
        assert_eq!(frames, [(1, 1000), (2, 1000), (1, 1000), (2, 500)]);
        // Stream 2 has a window of 500 bytes left, the connection none.
        left.grant((1, 1000));
        assert_eq!(left.take(1000), None);
        left.grant((CONNECTION, 800));
        assert_eq!((left.take(1000), left.take(1000)), (Some((1, 800)), None));
    }

    #[test]
    fn half_of_a_window_is_granted_again() {
        let mut ungranted = Ungranted::new(&credit(1000, Some(1000), 1));
        assert_eq!(ungranted.read((1, 499)), [None, None]);
        assert_eq!(ungranted.read((1, 301)), [Some((CONNECTION, 800)), Some((1, 800))]);
        assert_eq!(ungranted.read((1, 1)), [None, None]);
    }
}
