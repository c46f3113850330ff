//! Flow control of a protocol above TCP, at both of its ends.
//!
//! No bytes are simulated, only how many there are. So who sends a frame or a grant also hands over what it
//! says, as a [`Tag`] in order.

use tcpwhy_scenario::{Allowance, CONNECTION, Credit, Tag, Ungranted};

/// The sender's side.
#[derive(Clone, Debug)]
pub(crate) struct Spender {
    allowance: Allowance,
    /// Bytes in front of a frame's data.
    pub(crate) header: u64,
    /// Bytes of a grant.
    grant: u64,
    /// Bytes of the next grant that have come.
    pending: u64,
}

impl Spender {
    pub(crate) fn new(credit: &Credit) -> Self {
        Self { allowance: Allowance::new(credit), header: credit.header.0, grant: credit.grant.0, pending: 0 }
    }

    /// The frame that may be sent next, of at most `bytes`; `None`: no stream may send.
    pub(crate) fn take(&mut self, bytes: u64) -> Option<Tag> {
        self.allowance.take(bytes)
    }

    /// So many bytes were read: how many grants are whole by them.
    pub(crate) const fn read(&mut self, bytes: u64) -> u64 {
        self.pending += bytes;
        let whole = self.pending / self.grant;
        self.pending %= self.grant;
        whole
    }

    pub(crate) fn grant(&mut self, grant: Tag) {
        self.allowance.grant(grant);
    }
}

/// The receiver's side.
#[derive(Clone, Debug)]
pub(crate) struct Granter {
    ungranted: Ungranted,
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
            ungranted: Ungranted::new(credit),
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
        *left -= bytes;
        self.ungranted.read((*stream, bytes))
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
