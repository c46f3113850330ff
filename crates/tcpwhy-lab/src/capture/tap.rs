//! The capture of a tap in the middle of the path, computed from the captures of both ends.
//!
//! The emulated path has no device between its ends. A frame that arrives at an end passed each place on the
//! path earlier, by a part of that direction's propagation delay. By then it had passed the bottleneck and
//! everything that drops frames. So the capture contains the arrivals at both ends, with earlier times. It
//! has the kernel's own timestamps and adds no load to the run.

use std::fs::File;
use std::io;
use std::path::Path;

use tcpwhy_model::Timestamp;

use super::frames::{Frame, Frames};
use super::written;
use crate::LabError;
use crate::interface::MACS;
use tcpwhy_scenario::{End, Flow, Nanos, Scenario, Tap};

/// Source address of an Ethernet frame.
const SOURCE: std::ops::Range<usize> = 6..12;

/// Writes the capture of a tap into a file without a name in `folder`, from the captures of the sender and
/// the receiver. Without a `tap`, the place is half way. All files are positioned at their beginnings before
/// and after.
///
/// # Errors
/// The error that prevented reading or writing.
pub fn tapped(
    captures: [&mut File; 2],
    scenario: &Scenario,
    tap: Option<Tap>,
    folder: &Path,
) -> Result<File, LabError> {
    // Frames that arrive at the sender belong to the direction back, and those at the receiver to the forward
    // direction.
    let earlier = [Flow::Back, Flow::Forward].map(|flow| before_arrival(scenario, tap, flow));
    merged(captures, MACS, earlier, folder).map_err(|error| LabError::io("the capture of the middle", error))
}

/// Time from a frame's passing of the tap to its arrival, nanoseconds.
fn before_arrival(scenario: &Scenario, tap: Option<Tap>, flow: Flow) -> i64 {
    let whole = scenario.link.direction(flow).delay.unwrap_or_default().0;
    let arrives_at = if flow == Flow::Back { End::Sender } else { End::Receiver };
    let left = match tap {
        None => whole / 2,
        Some(Tap { from, delay: Nanos(near) }) if from == arrives_at => near.min(whole),
        Some(Tap { delay: Nanos(near), .. }) => whole.saturating_sub(near),
    };
    left.cast_signed()
}

/// The frames that arrived at the two ends with these Ethernet addresses, in order of time. Their times are
/// earlier by `earlier`, nanoseconds.
fn merged(captures: [&mut File; 2], addresses: [[u8; 6]; 2], earlier: [i64; 2], folder: &Path) -> io::Result<File> {
    let [sender, receiver] = captures;
    let mut arrivals = [
        Arrivals { frames: Frames::new(sender), from: addresses[End::Receiver.index()], earlier: earlier[0] },
        Arrivals { frames: Frames::new(receiver), from: addresses[End::Sender.index()], earlier: earlier[1] },
    ];
    written(folder, |out| {
        let mut next = [arrivals[0].next()?, arrivals[1].next()?];
        loop {
            let first = match &next {
                [Some(a), Some(b)] => usize::from(b.nanos < a.nanos),
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [None, None] => return Ok(()),
            };
            if let Some(frame) = next[first].take() {
                out.packet(Timestamp::from_nanos(frame.nanos), &frame.bytes, frame.original_len)?;
            }
            next[first] = arrivals[first].next()?;
        }
    })
}

/// The frames of a capture that came from one address.
struct Arrivals<'a> {
    frames: Frames<'a>,
    from: [u8; 6],
    earlier: i64,
}

impl Arrivals<'_> {
    fn next(&mut self) -> io::Result<Option<Frame>> {
        while let Some(frame) = self.frames.next()? {
            if frame.bytes.get(SOURCE) == Some(&self.from[..]) {
                return Ok(Some(Frame { nanos: frame.nanos - self.earlier, ..frame }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek as _;

    use tcpwhy_capture::{CaptureReader, PcapngWriter};

    use super::*;
    use crate::capture::{LINKTYPE_ETHERNET, SNAPLEN};

    const TEXT: &str = "expect.verdict = []\nlink.rtt = \"40ms\"\nwork.stream.phases = [{ bytes = \"1MB\" }]";

    /// A capture with a frame from the sender (0) or the receiver (1) at each of these times.
    fn capture(frames: &[(i64, usize)]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        let mut out = PcapngWriter::new(&file, LINKTYPE_ETHERNET, SNAPLEN).unwrap();
        for &(millis, from) in frames {
            let mut bytes = [0; 61];
            bytes[SOURCE].copy_from_slice(&MACS[from]);
            out.packet(Timestamp::from_nanos(millis * 1_000_000), &bytes, 1514).unwrap();
        }
        file.rewind().unwrap();
        file
    }

    /// Two frames are sent at 100 and 101 ms, the second is lost, and the answer comes at 120 ms.
    #[track_caller]
    fn check(tap: Option<Tap>, expected: [(i64, usize); 2]) {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        let mut sender = capture(&[(100, 0), (101, 0), (140, 1)]);
        let mut receiver = capture(&[(120, 0), (120, 1)]);
        let folder = tempfile::tempdir().unwrap();
        // The second pass checks that the captures are at their beginnings again.
        for _ in 0..2 {
            let mut file = tapped([&mut sender, &mut receiver], &scenario, tap, folder.path()).unwrap();
            let mut frames = Frames::new(&mut file);
            for (millis, from) in expected {
                let frame = frames.next().unwrap().unwrap();
                assert_eq!((frame.nanos / 1_000_000, &frame.bytes[SOURCE]), (millis, &MACS[from][..]));
                assert_eq!((frame.bytes.len(), frame.original_len), (61, 1514));
            }
            assert!(frames.next().unwrap().is_none());
        }
    }

    #[test]
    fn what_arrives_passed_the_middle_half_of_the_way_before() {
        check(None, [(110, 0), (130, 1)]);
    }

    #[test]
    fn a_tap_near_an_end_is_as_far_from_it_in_both_directions() {
        let near = |from, millis: u64| Some(Tap { from, delay: Nanos(millis * 1_000_000) });
        check(near(End::Sender, 3), [(103, 0), (137, 1)]);
        check(near(End::Receiver, 3), [(117, 0), (123, 1)]);
        check(near(End::Sender, 500), [(120, 1), (120, 0)]);
    }

    #[test]
    fn others_can_read_it() {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        let (mut sender, mut receiver) = (capture(&[(140, 1)]), capture(&[(120, 0)]));
        let folder = tempfile::tempdir().unwrap();
        let file = tapped([&mut sender, &mut receiver], &scenario, None, folder.path()).unwrap();
        let mut reader = CaptureReader::from_read(file, "middle").unwrap();
        while reader.read_batch(&mut Vec::new(), 10) {}
        assert_eq!(reader.summary().packets, 2);
    }
}
