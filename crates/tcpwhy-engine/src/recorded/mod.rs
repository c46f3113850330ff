//! The kernel's samples in a recording (`tcpwhy record`), compared with its packets.

mod replay;
mod series;
mod sockets;

pub use replay::Replay;
pub use sockets::RecordedSockets;
