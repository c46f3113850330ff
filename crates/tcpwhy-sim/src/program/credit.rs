//! Flow control of a protocol above TCP, at both ends.
//!
//! The simulation counts bytes without contents. So the sender of a frame or a grant passes its content to
//! the peer separately, as a [`Tag`] in order.

use tcpwhy_scenario::{Allowance, CONNECTION, Credit, Tag, Ungranted};

/// The sender's side.
#[derive(Clone, Debug)]
pub(crate) struct Spender {
    allowance: Allowance,
    /// Bytes of header before the data of a frame.
    pub(crate) header: u64,
    /// Bytes of a grant.
    grant: u64,
    /// Received bytes of the next grant.
    pending: u64,
}

impl Spender {
    pub(crate) fn new(credit: &Credit) -> Self {
        Self { allowance: Allowance::new(credit), header: credit.header.0, grant: credit.grant.0, pending: 0 }
    }

    /// The frame that may be sent next, with at most `bytes`; `None` if no stream may send.
    pub(crate) fn take(&mut self, bytes: u64) -> Option<Tag> {
        self.allowance.take(bytes)
    }

    /// Counts read bytes. Returns the number of grants that they complete.
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
    /// Remaining bytes of the next frame's header.
    header_left: u64,
    /// The frame being read, with its remaining bytes.
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

    /// Remaining bytes of a header, before any data.
    pub(crate) const fn header_left(&self) -> u64 {
        if self.frame.1 > 0 { 0 } else { self.header_left }
    }

    /// Counts read bytes of a header. Returns whether it is complete.
    pub(crate) const fn read_header(&mut self, bytes: u64) -> bool {
        self.header_left -= bytes;
        self.header_left == 0
    }

    /// Begins a frame.
    pub(crate) const fn begin(&mut self, frame: Tag) {
        self.frame = frame;
        self.header_left = self.header;
    }

    /// Remaining bytes of the frame.
    pub(crate) const fn left(&self) -> u64 {
        self.frame.1
    }

    /// Counts read bytes of the frame. Returns the due grants.
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

    /// RFC 9113 §6.9.1: a window can be used up to its last byte.
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
