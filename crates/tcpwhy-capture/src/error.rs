use std::borrow::Cow;
use std::io;

use crate::detect::{ArchiveFormat, FileKind};
use tcpwhy_model::foreign::visible;
use tcpwhy_model::{Explained, Message, MessageValue};

/// Why a capture could not be opened or read on. Each prints as one line that names the input, whatever its name is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The operating system would not open it.
    #[error("cannot open {path}: {cause}", path = named(path))]
    Open {
        /// What was to be opened.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The operating system stopped reading it.
    #[error("cannot read {path} beyond byte {offset} (after packet {packets}): {cause}", path = named(path))]
    Read {
        /// What was read.
        path: String,
        /// Bytes of the (uncompressed) capture read before.
        offset: u64,
        /// Packets read before.
        packets: u64,
        /// What the operating system said.
        cause: io::Error,
    },
    /// It holds no bytes at all.
    #[error("not a capture file: {path} is empty", path = named(path))]
    Empty {
        /// What was opened.
        path: String,
    },
    /// It begins with nothing that a capture begins with.
    #[error("not a capture file: {path} (neither pcap nor pcapng; begins with {begin})", path = named(path))]
    Unknown {
        /// What was opened.
        path: String,
        /// Its first bytes in hexadecimal.
        begin: String,
    },
    /// It is something else, or a capture in a format that is not read.
    #[error("not a pcap or pcapng file: {path} looks like {format}", path = named(path))]
    OtherFormat {
        /// What was opened.
        path: String,
        /// What it looks like, with its article.
        format: FileKind,
    },
    /// It ends within the header of the file.
    #[error("not a readable capture file: {path} ends within its file header, after {len} bytes", path = named(path))]
    TruncatedHeader {
        /// What was opened.
        path: String,
        /// Its length in bytes, uncompressed.
        len: u64,
    },
    /// Its header names a version of the format that is not known.
    #[error("not a readable capture file: {path} is {format} version {major}.{minor}", path = named(path))]
    Version {
        /// What was opened.
        path: String,
        /// `pcap` or `pcapng`.
        format: &'static str,
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// Its header contradicts itself.
    #[error("not a readable capture file: {path} has a corrupt file header", path = named(path))]
    CorruptHeader {
        /// What was opened.
        path: String,
    },
    /// It is compressed, and the very beginning cannot be decompressed.
    #[error("cannot decompress {path}: {cause}", path = named(path))]
    Compression {
        /// What was opened.
        path: String,
        /// What the decompressor said.
        cause: io::Error,
    },
}

impl CaptureError {
    /// The format of the archive that the input is, if it is one.
    pub fn archive(&self) -> Option<ArchiveFormat> {
        match self {
            Self::OtherFormat { format, .. } => format.archive(),
            _ => None,
        }
    }

    /// Whether the input is some other file: it does not begin like a capture.
    pub const fn is_other_file(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::OtherFormat { .. })
    }
}

/// How messages call an input: `-` is what everybody types for standard input, and no name.
fn named(path: &str) -> Cow<'_, str> {
    if path == "-" { Cow::Borrowed("standard input") } else { visible(path) }
}

impl Explained for CaptureError {
    fn message(&self) -> Message {
        let say = |id, path: &str| {
            let path: MessageValue =
                if path == "-" { Message::new("standard-input").into() } else { visible(path).into_owned().into() };
            Message::new(id).with("path", path)
        };
        match self {
            Self::Open { path, cause } => say("capture-open", path).with("cause", cause),
            Self::Read { path, offset, packets, cause } => {
                say("capture-read", path).with("offset", *offset).with("packets", *packets).with("cause", cause)
            }
            Self::Empty { path } => say("capture-empty", path),
            Self::Unknown { path, begin } => say("capture-unknown", path).with("begin", begin.as_str()),
            Self::OtherFormat { path, format } => say("capture-other-format", path).with("format", format.message()),
            Self::TruncatedHeader { path, len } => say("capture-truncated", path).with("len", *len),
            Self::Version { path, format, major, minor } => say("capture-version", path)
                .with("format", format.to_string())
                .with("version", format!("{major}.{minor}")),
            Self::CorruptHeader { path } => say("capture-corrupt", path),
            Self::Compression { path, cause } => say("capture-compression", path).with("cause", cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_has_a_name() {
        let empty = |path: &str| CaptureError::Empty { path: path.to_owned() }.to_string();
        assert_eq!(empty("-"), "not a capture file: standard input is empty");
        assert_eq!(empty("a-b.pcap"), "not a capture file: a-b.pcap is empty");
    }
}
