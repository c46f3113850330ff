use std::io;

use tcpwhy_model::{Explained, Message, MessageValue};

/// A program in the kernel, named by its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Evaluates the state at each segment that arrives.
    Segments,
    /// Evaluates the state when a connection opens or closes.
    States,
    /// Writes the collected statistics.
    Telling,
    /// Evaluates the state at each write, and notes when a writer began to wait.
    Writes,
    /// Sees the end of each write, and so how long writers waited.
    WriteEnds,
    /// Sees the processes of sockets that only receive.
    Reads,
    /// Sees retransmissions and their reason.
    Retransmissions,
    /// Sees when memory is used up.
    Memory,
    /// Sees receive queues that are collapsed or pruned.
    Pruning,
    /// Sees the buffers that applications set.
    Settings,
}

impl Part {
    /// All parts, the indispensable ones first.
    pub const ALL: [Self; 10] = [
        Self::Segments,
        Self::States,
        Self::Telling,
        // This precedes the program that counts waiting writers, because it ends their waits.
        Self::WriteEnds,
        Self::Writes,
        Self::Reads,
        Self::Retransmissions,
        Self::Memory,
        Self::Pruning,
        Self::Settings,
    ];

    /// Stable kebab-case id, as in the catalogues.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Segments => "segments",
            Self::States => "states",
            Self::Telling => "telling",
            Self::Writes => "writes",
            Self::WriteEnds => "write-ends",
            Self::Reads => "reads",
            Self::Retransmissions => "retransmissions",
            Self::Memory => "memory",
            Self::Pruning => "pruning",
            Self::Settings => "settings",
        }
    }

    /// Whether there are no statistics without it.
    pub const fn is_indispensable(self) -> bool {
        matches!(self, Self::Segments | Self::States | Self::Telling)
    }

    /// First kernel with its hook, or the first kernel on which the statistics were tried if that is later.
    pub const fn since(self) -> &'static str {
        match self {
            Self::Writes => "6.16",
            Self::WriteEnds => "6.3",
            _ => "6.1",
        }
    }
}

/// Reason why the kernel collects no statistics for this process.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Not Linux on x86-64 or aarch64.
    #[error("BPF programs run on Linux on x86-64 and aarch64 only")]
    Platform,
    /// The kernel does not describe its types.
    #[error("the kernel does not describe its types (no /sys/kernel/btf/vmlinux): {0}")]
    NoBtf(String),
    /// BPF is not permitted.
    #[error("BPF is not allowed: {0}")]
    NoRight(io::Error),
    /// The kernel rejects an indispensable program.
    #[error("kernel statistics are known to work on Linux {} and later; this kernel refuses the program {part:?}: {reason}", part.since())]
    Program {
        /// The rejected program.
        part: Part,
        /// The kernel's reason.
        reason: String,
    },
    /// Something else failed.
    #[error("{0}")]
    Other(String),
}

impl Refused {
    /// Stable kebab-case id, as in the catalogues.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::NoBtf(_) => "no-btf",
            Self::NoRight(_) => "no-right",
            Self::Program { .. } => "program",
            Self::Other(_) => "other",
        }
    }
}

impl Explained for Refused {
    fn message(&self) -> Message {
        match self {
            Self::Platform => Message::new("bpf-platform"),
            Self::NoBtf(why) => Message::new("bpf-no-types").with("why", why.as_str()),
            Self::NoRight(cause) => Message::new("bpf-no-right").with("cause", cause),
            Self::Program { part, reason } => Message::new("bpf-program")
                .with("since", part.since())
                .with("program", format!("{part:?}"))
                .with("why", reason.as_str()),
            Self::Other(why) => Message::new("other").with("what", MessageValue::reread(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_refused_learns_which_kernels_take_it() {
        let refused = Refused::Program { part: Part::Segments, reason: "Invalid argument".to_owned() };
        let text = refused.to_string();
        assert!(text.contains("Linux 6.1 and later") && text.ends_with("Invalid argument"), "{text}");
    }
}
