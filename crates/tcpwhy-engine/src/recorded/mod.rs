//! The kernel's samples in a recording (`tcpwhy record`), compared with what its packets show.

mod replay;
mod series;
mod sockets;

pub use replay::Replay;
pub use sockets::RecordedSockets;
