//! Limits on the resources that clients can use.

use std::time::Duration;

/// Connections at the same time. A browser opens six per page. The others are for more tabs and for
/// unauthenticated clients, the oldest of which is closed for a new one. Multiplied by [`HEAD_BYTES`], this
/// bounds the memory that those clients can occupy.
pub(crate) const CONNECTIONS: usize = 128;

/// Open files that the program needs besides connections and captures: standard streams, event queue,
/// listener and temporary files.
pub(crate) const OWN_FILES: usize = 24;

/// Bytes of a request line and its headers, and of the read buffer. Browsers send one or two thousand, plus
/// the cookies of every other server on this host, because cookies ignore ports.
pub(crate) const HEAD_BYTES: usize = 32 << 10;

/// Headers of a request: browsers send about twenty.
pub(crate) const HEADERS: usize = 100;

/// Longest path and query, bytes. The longest that the page requests has about 120.
pub(crate) const TARGET_BYTES: usize = 1024;

/// Bytes of a response that are given to the connection at a time. Each piece that it accepts shows that the
/// client reads.
pub(crate) const PIECE_BYTES: usize = 32 << 10;

/// Time from the start of a connection until a valid request (with `serve`: one with the token), and until a
/// later request is complete. It is also the longest idle time: browsers reconnect when they need to.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);

/// Time for a client to read the next [`PIECE_BYTES`]: less than 17 kbit/s is slower than a modem.
pub(crate) const STALL_TIME: Duration = Duration::from_secs(15);

/// The same while another client waits: a stalled connection is closed to make room.
pub(crate) const CROWDED_STALL_TIME: Duration = Duration::from_secs(1);

/// Time for a client to read a whole response while another waits and no connection stalls: the default
/// scrape timeout of Prometheus.
pub(crate) const CROWDED_ANSWER_TIME: Duration = Duration::from_secs(10);

/// Interval between checks for a free connection while a client waits.
pub(crate) const ROOM_PAUSE: Duration = Duration::from_millis(50);

/// Time for a client to read a whole response: reports are meant to stay below 10 MB, which is 130 kbit/s.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(600);

/// Time for a second pass over a capture: 200 GB at a disk's 230 MB/s.
pub(crate) const READING_TIME: Duration = Duration::from_secs(900);

/// Requests that may wait to read the captures: a page requests one time range at a time.
pub(crate) const READINGS_WAITING: usize = 16;

/// Interval between checks of a connection's deadline.
pub(crate) const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Pause after a failed `accept`: an immediate retry would only use the processor.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Time for a running read to stop when the program ends.
pub(crate) const END_TIME: Duration = Duration::from_secs(1);
