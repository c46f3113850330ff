//! Packet captures to TCP segments: pcap and pcapng, plain, gzip or zstd, from files and streams.
//!
//! [`CaptureReader`] turns bytes into [`Segment`](tcpwhy_model::Segment)s, [`MergedReader`] puts several captures in order
//! of time, [`PcapngWriter`] writes one. [`decode_frame`] and [`parse_options`] are the decoders on their own.
//!
//! **Invariant:** only opening and reading can fail ([`CaptureError`]). Whatever a readable file holds, damage is noted in
//! [`CaptureSummary::anomalies`] and reading goes on or ends; nothing panics.
//!
//! **Invariant:** memory does not grow with the capture: input is buffered a piece or a record at a time, and a record has a largest size.
//!
//! **Invariant:** payload is never kept; a segment carries lengths only. Who wants to see some of it has to ask ([`PayloadHearer`]).

mod bytes;
mod compression;
mod detect;
mod endian;
mod error;
mod file;
mod frame;
mod icmp;
mod ip;
mod kernel_block;
mod link;
mod merge;
mod meter;
mod options;
mod payload;
mod pcap;
mod pcapng;
mod reader;
mod resolution;
mod source;
mod summary;
mod tally;
mod tcp;
mod tunnel;
mod write;

pub use detect::FileKind;
pub use error::CaptureError;
pub use frame::decode_frame;
pub use kernel_block::KernelHearer;
pub use merge::MergedReader;
pub use options::parse_options;
pub use payload::PayloadHearer;
pub use reader::{AnnotatedCopy, COPY_MARK, CaptureReader};
pub use summary::{CaptureFormat, CaptureSummary};
pub use write::{PcapngWriter, Section};
