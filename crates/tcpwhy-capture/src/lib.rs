//! Converts packet captures to TCP segments: pcap and pcapng, plain, gzip or zstd, from files and streams.
//!
//! - [`CaptureReader`] converts bytes to [`Segment`](tcpwhy_model::Segment)s; [`MergedReader`] merges several
//!   captures by time.
//! - [`PcapngWriter`] writes a capture, [`AnnotatedCopy`] copies one and adds comments.
//! - [`decode_frame`] and [`parse_options`] are the decoders alone.
//!
//! ```
//! let mut capture = tcpwhy_capture::CaptureReader::open("../../samples/send-buffer.pcap.gz".as_ref())?;
//! let mut segments = Vec::new();
//! while capture.read_batch(&mut segments, 4096) {}
//! assert!(!segments.is_empty() && capture.summary().anomalies.is_empty());
//! # Ok::<(), tcpwhy_capture::CaptureError>(())
//! ```
//!
//! **Promises:**
//! - Only opening and reading fail ([`CaptureError`]). Damage is counted in [`CaptureSummary::anomalies`] and
//!   never causes a panic.
//! - Memory does not grow with the capture. The reader buffers one piece or one record, and records have a
//!   maximum size.
//! - Compressed input may expand to 256 MiB, and beyond that by a factor of 1000. Then reading stops
//!   ([`Growth`]).
//! - Payload is never kept: a segment has lengths only. [`PayloadHearer`] receives parts of it on request.
//! - UDP and other protocols are counted by flow and time ([`CaptureReader::take_traffic`]). No other data of
//!   them is kept.

mod bytes;
mod checksum;
mod comment;
mod compression;
mod datagram;
mod detect;
mod endian;
mod error;
mod file;
mod frame;
mod growth;
mod icmp;
mod ip;
mod kernel_block;
mod layer;
mod link;
mod merge;
mod meter;
mod network;
mod options;
mod payload;
mod pcap;
mod pcapng;
mod reader;
mod resolution;
mod source;
mod tally;
mod tcp;
mod tunnel;
mod write;

pub use comment::COPY_MARK;
pub use compression::{decompressed, is_compressed};
pub use detect::{ArchiveFormat, FileKind};
pub use error::CaptureError;
pub use frame::decode_frame;
pub use growth::{Growth, Overgrown, bounded};
pub use kernel_block::KernelHearer;
pub use merge::MergedReader;
pub use options::parse_options;
pub use payload::PayloadHearer;
pub use pcapng::SIMULATED;
pub use reader::{AnnotatedCopy, CaptureReader, ContentHash, begins_like_capture};
pub use tcpwhy_model::{CaptureFormat, CaptureSummary};
pub use write::{PcapngWriter, Section};
