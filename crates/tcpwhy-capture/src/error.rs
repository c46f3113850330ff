use std::borrow::Cow;
use std::io;

use crate::detect::{ArchiveFormat, FileKind};
use tcpwhy_model::foreign::visible;
use tcpwhy_model::{Explained, Message, MessageValue};

/// Reason why a capture could not be opened or read. Each prints as one line that names the input, whatever
/// its name is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The operating system did not open the file.
    #[error("cannot open {path}: {cause}", path = named(path))]
    Open {
        /// Name of the input.
        path: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// Reading failed.
    #[error("cannot read {path} beyond byte {offset} (after packet {packets}): {cause}", path = named(path))]
    Read {
        /// Name of the input.
        path: String,
        /// Bytes of the (uncompressed) capture read before.
        offset: u64,
        /// Packets read before.
        packets: u64,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// The input is empty.
    #[error("not a capture file: {path} is empty", path = named(path))]
    Empty {
        /// Name of the input.
        path: String,
    },
    /// The input does not begin like a capture.
    #[error("not a capture file: {path} (neither pcap nor pcapng; begins with {begin})", path = named(path))]
    Unknown {
        /// Name of the input.
        path: String,
        /// Its first bytes in hexadecimal.
        begin: String,
    },
    /// The input has another format, perhaps that of an unsupported capture.
    #[error("not a pcap or pcapng file: {path} looks like {format}", path = named(path))]
    OtherFormat {
        /// Name of the input.
        path: String,
        /// The detected format.
        format: FileKind,
    },
    /// The input ends within its file header.
    #[error("not a readable capture file: {path} ends within its file header, after {len} bytes", path = named(path))]
    TruncatedHeader {
        /// Name of the input.
        path: String,
        /// Its length in bytes, uncompressed.
        len: u64,
    },
    /// The file header has an unknown version of the format.
    #[error("not a readable capture file: {path} is {format} version {major}.{minor}", path = named(path))]
    Version {
        /// Name of the input.
        path: String,
        /// `pcap` or `pcapng`.
        format: &'static str,
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// The file header is inconsistent.
    #[error("not a readable capture file: {path} has a corrupt file header", path = named(path))]
    CorruptHeader {
        /// Name of the input.
        path: String,
    },
    /// The input is compressed, and its beginning cannot be decompressed.
    #[error("cannot decompress {path}: {cause}", path = named(path))]
    Compression {
        /// Name of the input.
        path: String,
        /// Error of the decompressor.
        cause: io::Error,
    },
}

impl CaptureError {
    /// The archive format of the input, if it is an archive.
    pub fn archive(&self) -> Option<ArchiveFormat> {
        match self {
            Self::OtherFormat { format, .. } => format.archive(),
            _ => None,
        }
    }

    /// Whether the input is another kind of file, because it does not begin like a capture.
    pub const fn is_other_file(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::OtherFormat { .. })
    }
}

/// Name of an input in messages. `-` is the usual argument for standard input, not a file name.
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
