//! What one client, or many, may take of this server.

use std::time::Duration;

/// Connections at once. A browser opens six for a page; the rest is for pages in other tabs and for strangers, the oldest of whom
/// goes when somebody else comes. Times [`HEAD_BYTES`] it bounds what strangers can make it keep.
pub(crate) const CONNECTIONS: usize = 128;

/// Open files that the program needs besides connections and captures: standard streams, event queue, listener, temporary files.
pub(crate) const OWN_FILES: usize = 24;

/// Bytes of a request line and its headers, and of all that is read ahead. Browsers send one or two thousand, and besides the
/// cookies of every other server on this host: cookies know no ports.
pub(crate) const HEAD_BYTES: usize = 32 << 10;

/// Headers of a request: browsers send about twenty.
pub(crate) const HEADERS: usize = 100;

/// Bytes of the path and query that are asked for. The longest that the page asks for has about 120.
pub(crate) const TARGET_BYTES: usize = 1024;

/// Bytes of an answer that are handed to the connection at a time, so that what it has taken shows that its client reads.
pub(crate) const PIECE_BYTES: usize = 32 << 10;

/// From a connection's first moment until a request on it is one to be answered (with `serve`: has named the token), and until a
/// later request is complete: also how long a connection may rest. Browsers open another when they need one.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);

/// For a client to take the next [`PIECE_BYTES`]: a path that needs longer carries less than a modem did.
pub(crate) const STALL_TIME: Duration = Duration::from_secs(15);

/// The same while somebody else waits for room: one that takes nothing makes way.
pub(crate) const CROWDED_STALL_TIME: Duration = Duration::from_secs(1);

/// For a client to take all of an answer while somebody else waits for room, and nobody stalls: Prometheus gives up after so long.
pub(crate) const CROWDED_ANSWER_TIME: Duration = Duration::from_secs(10);

/// How often room is looked for while somebody waits for it.
pub(crate) const ROOM_PAUSE: Duration = Duration::from_millis(50);

/// For a client to take all of an answer: reports are made to stay under 10 MB, which is 130 kbit/s.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(600);

/// For reading a capture again: 200 GB at the 230 MB/s of a disk.
pub(crate) const READING_TIME: Duration = Duration::from_secs(900);

/// Requests that wait for their turn to read the captures: a page asks for one stretch at a time.
pub(crate) const READINGS_WAITING: usize = 16;

/// How often the time of a connection is looked at.
pub(crate) const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Rest after the system could not accept a connection: trying at once again would only keep the processor busy.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// For what is being read to stop when the program ends.
pub(crate) const END_TIME: Duration = Duration::from_secs(1);
