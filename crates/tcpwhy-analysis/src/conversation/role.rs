//! What a message is to the connection.

/// What a message is to the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// It asks for something.
    Request,
    /// It brings what was asked for.
    Answer,
    /// It goes on with an answer after a silence.
    Continued,
    /// The server speaks first, once the connection is open.
    Greeting,
    /// It says something that nobody had asked for.
    Push,
    /// It confirms a push, and asks for nothing.
    Acknowledgement,
    /// It steers the connection after an answer, and asks for nothing: SETTINGS and PING of HTTP/2.
    Control,
    /// It keeps the connection, or shows that it works.
    Heartbeat,
    /// It says that the connection is about to end.
    Goodbye,
    /// It may answer the request before it, or be news.
    Unclear,
}
