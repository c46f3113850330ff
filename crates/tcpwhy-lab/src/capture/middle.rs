//! The capture half way: what a tap in the middle of the path would have seen.
//!
//! The emulated path has no device between its ends, but what arrives at one end passed the middle half of that direction's
//! propagation delay before: behind the bottleneck and whatever drops, before the rest of the way. So the frames that arrived at
//! either end, earlier by that much, are what passed there, with the kernel's own times and no load on the run.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom};
use std::path::Path;

use tcpwhy_capture::PcapngWriter;
use tcpwhy_model::Timestamp;

use super::{ABOUT, LINKTYPE_ETHERNET, SNAPLEN};
use crate::LabError;
use crate::scenario::{End, Flow, Scenario};

/// What a pcapng file of [`PcapngWriter`] has as enhanced packet blocks.
const ENHANCED_PACKET: u32 = 6;
/// Type, two lengths.
const BLOCK_FRAME: usize = 12;
/// Interface, two halves of the time, two lengths.
const PACKET_HEADER: usize = 20;
/// Source address of an Ethernet frame.
const SOURCE: std::ops::Range<usize> = 6..12;

/// Writes the capture of the middle into a file without a name in `folder`, from those of the sender and the receiver, which are
/// at their beginnings before and after. All three are at their beginnings then. `addresses` are the Ethernet addresses of the two
/// ends.
pub(crate) fn middle(
    captures: [&mut File; 2],
    addresses: [[u8; 6]; 2],
    scenario: &Scenario,
    folder: &Path,
) -> Result<File, LabError> {
    let half = |flow| (scenario.link.direction(flow).delay.unwrap_or_default().0 / 2).cast_signed();
    // What arrives at the sender came back, and the other way round.
    let earlier = [half(Flow::Back), half(Flow::Forward)];
    let write = || -> io::Result<File> {
        let mut file = tempfile::tempfile_in(folder)?;
        let mut out = PcapngWriter::with_section(BufWriter::new(&file), LINKTYPE_ETHERNET, SNAPLEN, &ABOUT)?;
        let [sender, receiver] = captures;
        let mut arrivals = [
            Arrivals::new(sender, addresses[End::Receiver.index()], earlier[0]),
            Arrivals::new(receiver, addresses[End::Sender.index()], earlier[1]),
        ];
        let mut next = [arrivals[0].next()?, arrivals[1].next()?];
        loop {
            let first = match &next {
                [Some(a), Some(b)] => usize::from(b.nanos < a.nanos),
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [None, None] => break,
            };
            if let Some(frame) = next[first].take() {
                out.packet(Timestamp::from_nanos(frame.nanos), &frame.bytes, frame.original_len)?;
            }
            next[first] = arrivals[first].next()?;
        }
        out.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    };
    write().map_err(|error| LabError::io("the capture of the middle", error))
}

struct Frame {
    /// When it passed the middle, since the epoch.
    nanos: i64,
    bytes: Vec<u8>,
    original_len: u32,
}

/// The frames of a capture that came from one address.
struct Arrivals<'a> {
    file: BufReader<&'a mut File>,
    from: [u8; 6],
    earlier: i64,
}

impl<'a> Arrivals<'a> {
    fn new(file: &'a mut File, from: [u8; 6], earlier: i64) -> Self {
        Self { file: BufReader::new(file), from, earlier }
    }

    fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let Some((kind, body)) = self.block()? else {
                self.file.seek(SeekFrom::Start(0))?;
                return Ok(None);
            };
            let (Some(header), Some(rest)) = (body.get(..PACKET_HEADER), body.get(PACKET_HEADER..)) else { continue };
            let field = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
            let bytes = rest.get(..field(12) as usize).unwrap_or(rest);
            if kind != ENHANCED_PACKET || bytes.get(SOURCE) != Some(&self.from[..]) {
                continue;
            }
            let nanos = (u64::from(field(4)) << 32 | u64::from(field(8))).cast_signed();
            let bytes = bytes.to_vec();
            return Ok(Some(Frame { nanos: nanos - self.earlier, bytes, original_len: field(16) }));
        }
    }

    /// The next block's type and body.
    fn block(&mut self) -> io::Result<Option<(u32, Vec<u8>)>> {
        let mut head = [0; 8];
        match self.file.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let [kind, length] = [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let mut body = vec![0; (length as usize).saturating_sub(BLOCK_FRAME)];
        self.file.read_exact(&mut body)?;
        self.file.seek_relative(4)?;
        Ok(Some((kind, body)))
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_capture::CaptureReader;

    use super::*;

    const TEXT: &str = "expect.verdict = []\nlink.rtt = \"40ms\"\nwork.stream.phases = [{ bytes = \"1MB\" }]";

    /// A frame from `from` that says when it was sent, seen at these times.
    fn capture(frames: &[(i64, u8)]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        let mut out = PcapngWriter::new(&file, LINKTYPE_ETHERNET, SNAPLEN).unwrap();
        for &(millis, from) in frames {
            let mut bytes = [0; 61];
            bytes[11] = from;
            out.packet(Timestamp::from_nanos(millis * 1_000_000), &bytes, 1514).unwrap();
        }
        file.rewind().unwrap();
        file
    }

    #[test]
    fn what_arrives_passed_the_middle_half_of_the_way_before() {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        // Sent at 100 and 101 ms, of which the second was lost; answered at 120 ms.
        let mut sender = capture(&[(100, 1), (101, 1), (140, 2)]);
        let mut receiver = capture(&[(120, 1), (120, 2)]);
        let folder = tempfile::tempdir().unwrap();
        let addresses = [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 2]];
        for _ in 0..2 {
            let mut file = middle([&mut sender, &mut receiver], addresses, &scenario, folder.path()).unwrap();
            let mut arrivals = Arrivals { file: BufReader::new(&mut file), from: [0; 6], earlier: 0 };
            let mut seen = Vec::new();
            while let Some((kind, body)) = arrivals.block().unwrap() {
                if kind == ENHANCED_PACKET {
                    let field = |at: usize| u32::from_le_bytes(body[at..at + 4].try_into().unwrap());
                    seen.push((field(8) / 1_000_000, body[PACKET_HEADER + 11], field(16)));
                }
            }
            assert_eq!(seen, [(110, 1, 1514), (130, 2, 1514)]);
        }
    }

    #[test]
    fn others_can_read_it() {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        let (mut sender, mut receiver) = (capture(&[(140, 2)]), capture(&[(120, 1)]));
        let addresses = [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 2]];
        let folder = tempfile::tempdir().unwrap();
        let file = middle([&mut sender, &mut receiver], addresses, &scenario, folder.path()).unwrap();
        let mut reader = CaptureReader::from_read(file, "middle").unwrap();
        while reader.read_batch(&mut Vec::new(), 10) {}
        assert_eq!(reader.summary().packets, 2);
    }
}
