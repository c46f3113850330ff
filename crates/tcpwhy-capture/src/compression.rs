use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use crate::growth::{Growth, bounded};

/// Compressed bytes per read.
const BUFFER: usize = 128 << 10;

/// Maximum memory of a zstd frame, as a power of two: 128 MiB, the limit of the `zstd` program without
/// `--long` or `--memory`. RFC 8878 §3.1.1.1.2 allows terabytes. A gzip member never needs more than 32 KiB.
const MAX_WINDOW_LOG: u32 = 27;

/// Compression format of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    /// gzip (RFC 1952), one or more members.
    Gzip,
    /// Zstandard (RFC 8878), one or more frames.
    Zstd,
}

/// The bytes of `source`, decompressed if they begin like gzip or zstd, up to the limit of `growth`.
///
/// # Errors
/// If the first bytes cannot be read, or if there is no memory for a decompressor.
pub fn decompressed(mut source: impl Read + Send + 'static, growth: &Growth) -> io::Result<Box<dyn Read + Send>> {
    /// Length of the longest magic number.
    const MAGIC: u64 = 4;
    let mut begin = Vec::new();
    source.by_ref().take(MAGIC).read_to_end(&mut begin)?;
    let compression = Compression::detect(&begin);
    let whole = Cursor::new(begin).chain(source);
    match compression {
        Some(compression) => compression.decoder(whole, growth),
        None => Ok(Box::new(whole)),
    }
}

/// Whether a file that begins with these bytes is compressed by gzip or zstd.
pub fn is_compressed(begin: &[u8]) -> bool {
    Compression::detect(begin).is_some()
}

impl Compression {
    /// Detects the format by the magic number (RFC 1952, section 2.3.1; RFC 8878, section 3.1).
    pub(crate) fn detect(begin: &[u8]) -> Option<Self> {
        match *begin {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    pub(crate) fn decoder(
        self,
        compressed: impl Read + Send + 'static,
        growth: &Growth,
    ) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Gzip => Box::new(bounded(compressed, growth, |compressed| {
                Ok(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, compressed)))
            })?),
            Self::Zstd => Box::new(bounded(compressed, growth, |compressed| {
                let mut decoder =
                    zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(BUFFER, compressed))?;
                decoder.window_log_max(MAX_WINDOW_LOG)?;
                Ok(decoder)
            })?),
        })
    }
}
