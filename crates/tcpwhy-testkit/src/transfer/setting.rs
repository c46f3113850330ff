//! Parts of a transfer that are not mere numbers.

/// Place of the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// The host that sends the data.
    Sender,
    /// The host that receives the data.
    Receiver,
    /// A point half way.
    Middle,
}

/// Behaviour of the sending application.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// It writes whenever the socket has room.
    Bulk,
    /// It writes a fixed number of bytes at a fixed interval.
    Paced {
        /// Bytes of a write.
        bytes: u64,
        /// Nanoseconds from one write to the next.
        every: i64,
    },
    /// It writes, then pauses for at least an interval, by a different time each turn. It works before it
    /// pauses, and timers of busy hosts are late.
    Loose {
        /// Bytes of a write.
        bytes: u64,
        /// Least nanoseconds from one write to the next.
        every: i64,
        /// Most nanoseconds by which the interval is longer.
        late: i64,
    },
    /// One large write, then paced ones.
    Waning {
        /// Bytes of the first write.
        first: u64,
        /// Bytes of each later write.
        bytes: u64,
        /// Nanoseconds from one write to the next.
        every: i64,
    },
    /// A burst, then a pause once all of it is acknowledged.
    Bursts {
        /// Bytes of a burst.
        bytes: u64,
        /// Length of the pause, nanoseconds.
        pause: i64,
    },
    /// It writes no more than the peer's application has granted. The peer grants more whenever it has read
    /// one grant's bytes: a window like those of SSH's channels (RFC 4254 §5.2) and HTTP/2's streams (RFC
    /// 9113 §5.2).
    Granted {
        /// Most bytes ahead of the peer's reading.
        window: u64,
        /// Bytes of one grant.
        step: u64,
    },
}

/// Behaviour of the receiving application.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// It reads at once.
    Fast,
    /// It reads at this many bytes per second.
    Rate(u64),
    /// It pauses whenever it has read a number of bytes.
    Pauses {
        /// Bytes between pauses.
        every: u64,
        /// Length of a pause, nanoseconds.
        nanos: i64,
    },
}

/// The receive buffer.
#[derive(Clone, Copy, Debug)]
pub enum ReceiveBuffer {
    /// Size set by the application, bytes.
    Fixed(u64),
    /// Autotuned size.
    Growing {
        /// First size, bytes.
        from: u64,
        /// Largest size, bytes.
        most: u64,
    },
}
