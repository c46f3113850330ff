//! Flow control of a protocol above TCP, at both of its ends.
//!
//! No bytes are simulated, only how many there are. So who sends a frame or a grant also hands over what it
//! says, as a [`Tag`] in order.

use tcpwhy_scenario::Credit;

/// A stream's number, or [`CONNECTION`], and a count of bytes: what a frame or a grant says.
pub(crate) type Tag = (u32, u64);

/// Number of the connection as a whole.
const CONNECTION: u32 = 0;

/// The sender's side.
#[derive(Clone, Debug)]
pub(crate) struct Spender {
    streams: Vec<u64>,
    connection: Option<u64>,
    /// The stream whose turn it is.
    next: usize,
    /// Bytes in front of a frame's data.
    pub(crate) header: u64,
    /// Bytes of a grant.
    grant: u64,
    /// Bytes of the next grant that have come.
    pending: u64,
}

impl Spender {
    pub(crate) fn new(credit: &Credit) -> Self {
        Self {
            streams: vec![credit.window.0; credit.streams as usize],
            connection: credit.connection_window.map(|window| window.0),
            next: 0,
            header: credit.header.0,
            grant: credit.grant.0,
            pending: 0,
        }
    }

    /// The frame that may be sent next, of at most `bytes`; `None`: no stream may send.
    pub(crate) fn take(&mut self, bytes: u64) -> Option<Tag> {
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
        Some((u32::try_from(found).unwrap_or(u32::MAX - 1) + 1, bytes))
    }

    /// So many bytes were read: how many grants are whole by them.
    pub(crate) const fn read(&mut self, bytes: u64) -> u64 {
        self.pending += bytes;
        let whole = self.pending / self.grant;
        self.pending %= self.grant;
        whole
    }

    pub(crate) fn grant(&mut self, (stream, bytes): Tag) {
        if stream == CONNECTION {
            self.connection = self.connection.map(|left| left + bytes);
        } else if let Some(left) = self.streams.get_mut(stream as usize - 1) {
            *left += bytes;
        }
    }
}

/// The receiver's side.
#[derive(Clone, Debug)]
pub(crate) struct Granter {
    /// Read since the last grant: of the connection, then of each stream.
    read: Vec<u64>,
    after: u64,
    connection_after: Option<u64>,
    header: u64,
    /// Bytes of a grant.
    pub(crate) grant: u64,
    /// Bytes that are left of the header of the next frame.
    header_left: u64,
    /// The frame that is being read, and what is left of it.
    frame: Tag,
}

impl Granter {
    pub(crate) fn new(credit: &Credit) -> Self {
        Self {
            read: vec![0; credit.streams as usize + 1],
            after: credit.granted_after(),
            connection_after: credit.connection_granted_after(),
            header: credit.header.0,
            grant: credit.grant.0,
            header_left: credit.header.0,
            frame: (CONNECTION, 0),
        }
    }

    /// Bytes that are left of a header, before any data comes.
    pub(crate) const fn header_left(&self) -> u64 {
        if self.frame.1 > 0 { 0 } else { self.header_left }
    }

    /// So many bytes of a header were read; whether it is whole.
    pub(crate) const fn read_header(&mut self, bytes: u64) -> bool {
        self.header_left -= bytes;
        self.header_left == 0
    }

    /// A frame begins.
    pub(crate) const fn begin(&mut self, frame: Tag) {
        self.frame = frame;
        self.header_left = self.header;
    }

    /// Bytes that are left of the frame.
    pub(crate) const fn left(&self) -> u64 {
        self.frame.1
    }

    /// So many bytes of the frame were read: the grants that are due.
    pub(crate) fn read(&mut self, bytes: u64) -> [Option<Tag>; 2] {
        let (stream, left) = &mut self.frame;
        let stream = *stream;
        *left -= bytes;
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
    use tcpwhy_scenario::Bytes;

    fn credit(window: u64, connection_window: Option<u64>, streams: u32) -> Credit {
        let connection_window = connection_window.map(Bytes);
        Credit { window: Bytes(window), connection_window, after: None, grant: Bytes(13), header: Bytes(9), streams }
    }

    /// RFC 9113 §6.9.1: a window is spent to its last byte.
    #[test]
    fn a_window_is_spent_and_no_more() {
        let mut spender = Spender::new(&credit(65_535, None, 1));
        let frames: Vec<_> = std::iter::from_fn(|| spender.take(16_384)).map(|(_, bytes)| bytes).collect();
        assert_eq!(frames, [16_384, 16_384, 16_384, 16_383]);
        assert_eq!((spender.read(12), spender.read(15)), (0, 2));
        spender.grant((1, 100));
        assert_eq!((spender.take(16_384), spender.take(1)), (Some((1, 100)), None));
    }

    #[test]
    fn streams_take_turns_and_share_a_window() {
        let mut spender = Spender::new(&credit(2000, Some(3500), 2));
        let frames: Vec<_> = std::iter::from_fn(|| spender.take(1000)).collect();
        assert_eq!(frames, [(1, 1000), (2, 1000), (1, 1000), (2, 500)]);
        spender.grant((1, 1000));
        assert_eq!(spender.take(1000), None, "the connection has nothing left");
        spender.grant((CONNECTION, 800));
        assert_eq!(spender.take(1000), Some((1, 800)));
    }

    #[test]
    fn half_of_a_window_is_granted_again() {
        let mut granter = Granter::new(&credit(1000, Some(1000), 1));
        assert_eq!(granter.header_left(), 9);
        assert!(!granter.read_header(8) && granter.read_header(1));
        granter.begin((1, 800));
        assert_eq!((granter.header_left(), granter.read(499)), (0, [None, None]));
        assert_eq!(granter.read(301), [Some((CONNECTION, 800)), Some((1, 800))]);
        assert_eq!((granter.left(), granter.header_left()), (0, 9));
    }
}
