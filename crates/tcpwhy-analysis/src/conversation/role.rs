//! Role of a message within the connection.

/// Role of a message within the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// It requests something.
    Request,
    /// It contains the requested data.
    Answer,
    /// It continues an answer after a silence.
    Continued,
    /// The server sends it first, once the connection is open.
    Greeting,
    /// It contains unrequested data.
    Push,
    /// It confirms a push, and requests nothing.
    Acknowledgement,
    /// It controls the connection after an answer, and requests nothing: SETTINGS and PING of HTTP/2.
    Control,
    /// It keeps the connection alive, or shows that it works.
    Heartbeat,
    /// It announces the end of the connection.
    Goodbye,
    /// It may answer the previous request, or be unrequested.
    Unclear,
}
