//! What a transfer is made of, besides numbers.

/// Where the capture is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// At the host that sends the data.
    Sender,
    /// At the host that receives it.
    Receiver,
    /// Half way.
    Middle,
}

/// How the sending application writes.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// Whenever the socket takes more.
    Bulk,
    /// So many bytes every so many nanoseconds.
    Paced {
        /// Bytes of a write.
        bytes: u64,
        /// Nanoseconds from one to the next.
        every: i64,
    },
    /// So many bytes, then a rest of that or longer, differently each time: it works before it rests, and timers of busy hosts are late.
    Loose {
        /// Bytes of a write.
        bytes: u64,
        /// Nanoseconds from one to the next, at least.
        every: i64,
        /// Nanoseconds, by which it is longer at most.
        late: i64,
    },
    /// Much at once, then paced.
    Waning {
        /// Bytes of the first write.
        first: u64,
        /// Bytes of each that follows.
        bytes: u64,
        /// Nanoseconds from one to the next.
        every: i64,
    },
    /// So many bytes, then a pause once all is acknowledged.
    Bursts {
        /// Bytes of a burst.
        bytes: u64,
        /// Nanoseconds.
        pause: i64,
    },
    /// No more than the peer's application has granted, which grants more whenever it has read so much: a window of their own, as
    /// those of SSH's channels (RFC 4254 §5.2) and HTTP/2's streams (RFC 9113 §5.2).
    Granted {
        /// Bytes that it may be ahead of the peer's reading.
        window: u64,
        /// Bytes of one grant.
        step: u64,
    },
}

/// How the receiving application reads.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// At once.
    Fast,
    /// So many bytes a second.
    Rate(u64),
    /// Nothing for so many nanoseconds whenever it has read so many bytes.
    Pauses {
        /// Bytes between pauses.
        every: u64,
        /// Nanoseconds.
        nanos: i64,
    },
}

/// The room that the receiver has.
#[derive(Clone, Copy, Debug)]
pub enum ReceiveBuffer {
    /// Set by the application.
    Fixed(u64),
    /// Autotuned.
    Growing {
        /// First size.
        from: u64,
        /// Ceiling.
        most: u64,
    },
}
