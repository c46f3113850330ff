//! Reader of the frames in a capture of [`PcapngWriter`](tcpwhy_capture::PcapngWriter), byte for byte.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};

/// Type of the enhanced packet blocks in which `PcapngWriter` writes frames.
const ENHANCED_PACKET: u32 = 6;
/// Size of a block's type and its two lengths, bytes.
const BLOCK_FRAME: usize = 12;
/// Size of the interface, two halves of the time, and two lengths, bytes.
const PACKET_HEADER: usize = 20;

/// A captured frame.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Time of the frame, nanoseconds since the epoch.
    pub(super) nanos: i64,
    pub(super) bytes: Vec<u8>,
    pub(super) original_len: u32,
}

/// Reader of a capture from its beginning.
pub(super) struct Frames<'a>(BufReader<&'a mut File>);

impl<'a> Frames<'a> {
    /// Starts at the beginning of `file`, and positions it there again after the last frame.
    pub(super) fn new(file: &'a mut File) -> Self {
        Self(BufReader::new(file))
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let Some((kind, body)) = self.block()? else {
                self.0.seek(SeekFrom::Start(0))?;
                return Ok(None);
            };
            let (Some(header), Some(rest)) = (body.get(..PACKET_HEADER), body.get(PACKET_HEADER..)) else { continue };
            if kind != ENHANCED_PACKET {
                continue;
            }
            let field = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
            let bytes = rest.get(..field(12) as usize).unwrap_or(rest).to_vec();
            let nanos = (u64::from(field(4)) << 32 | u64::from(field(8))).cast_signed();
            return Ok(Some(Frame { nanos, bytes, original_len: field(16) }));
        }
    }

    /// Type and body of the next block.
    fn block(&mut self) -> io::Result<Option<(u32, Vec<u8>)>> {
        let mut head = [0; 8];
        match self.0.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let [kind, length] = [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let mut body = vec![0; (length as usize).saturating_sub(BLOCK_FRAME)];
        self.0.read_exact(&mut body)?;
        self.0.seek_relative(4)?;
        Ok(Some((kind, body)))
    }
}
