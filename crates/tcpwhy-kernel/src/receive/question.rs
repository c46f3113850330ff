//! Input for the receive limits of a connection.

use tcpwhy_model::ByteCount;

use crate::{BufferRequest, KernelVersion, Link, Sysctls};

/// Input for the receive limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveQuestion<'a> {
    /// The receiver's kernel.
    pub version: KernelVersion,
    /// The receiver's settings.
    pub sysctls: &'a Sysctls,
    /// Request of its program; `None` leaves autotuning on.
    pub request: Option<BufferRequest>,
    /// `TCP_WINDOW_CLAMP` that its program sets before SYN or SYN-ACK; `None` leaves the window to the
    /// buffer.
    pub window_clamp: Option<ByteCount>,
    /// The link.
    pub link: Link,
}
