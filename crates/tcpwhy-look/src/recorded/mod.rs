//! What a kernel said of its sockets in a recording (`tcpwhy record`), beside what its packets say.

mod replay;
mod testimony;

pub use replay::Replay;
pub use testimony::Testimony;
