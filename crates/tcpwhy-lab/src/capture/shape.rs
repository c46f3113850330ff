//! Captures with the defects of real ones: begun late, ended early, with clock steps, or with duplicate
//! packets.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use tcpwhy_model::Timestamp;

use super::frames::{Frame, Frames};
use super::written;
use crate::LabError;
use tcpwhy_path::frame::header_checksum;
use tcpwhy_scenario::splitmix::{GAMMA, mix};
use tcpwhy_scenario::{CaptureSpec, ClockSetting, Copies, Share};

/// Offset of the IPv4 header after the Ethernet header, bytes.
const IP: usize = 14;
const TTL: usize = IP + 8;
const CHECKSUM: Range<usize> = IP + 10..IP + 12;
/// Source address of an Ethernet frame.
const SOURCE: Range<usize> = 6..12;
/// Source address of a router that forwards packets on the same link.
const ROUTER: [u8; 6] = [2, 0, 0, 0, 0, 0x0c];

/// Time of the first frame in two captures; `None` if there is none. Both files are positioned at their
/// beginnings before and after.
///
/// # Errors
/// The error that prevented reading one of them.
pub fn begun(captures: [&mut File; 2]) -> Result<Option<Timestamp>, LabError> {
    let mut first = None;
    for capture in captures {
        let begun = first_frame(capture).map_err(|error| LabError::io("the beginning of a capture", error))?;
        first = [first, begun].into_iter().flatten().min();
    }
    Ok(first)
}

fn first_frame(capture: &mut File) -> io::Result<Option<Timestamp>> {
    let frame = Frames::new(capture).next()?;
    io::Seek::rewind(capture)?;
    Ok(frame.map(|frame| Timestamp::from_nanos(frame.nanos)))
}

/// Writes the part of a capture that `spec` selects into a file without a name in `folder`. The transfer
/// began at `begun`, and `seed` decides which packets are duplicated. Both files are positioned at their
/// beginnings before and after.
///
/// # Errors
/// The error that prevented reading or writing.
pub fn shaped(
    capture: &mut File,
    spec: &CaptureSpec,
    begun: Timestamp,
    seed: u64,
    folder: &Path,
) -> Result<File, LabError> {
    let mut frames = Frames::new(capture);
    let shaped = written(folder, |out| {
        let mut copying = Copying { copies: spec.copies, seed, number: 0, coming: VecDeque::new() };
        let mut put = |frame: &Frame| {
            let time = by_that_clock(spec, begun, frame.nanos);
            out.packet(Timestamp::from_nanos(time), &frame.bytes, frame.original_len)
        };
        while let Some(frame) = frames.next()? {
            copying.due(frame.nanos).try_for_each(|copy| put(&copy))?;
            if is_captured(spec, begun, frame.nanos) {
                put(&frame)?;
                copying.see(&frame);
            }
        }
        copying.due(i64::MAX).try_for_each(|copy| put(&copy))
    });
    shaped.map_err(|error| LabError::io("a capture", error))
}

fn is_captured(spec: &CaptureSpec, begun: Timestamp, nanos: i64) -> bool {
    let since = nanos - begun.as_nanos();
    spec.begin.is_none_or(|begin| since >= begin.0.cast_signed())
        && spec.end.is_none_or(|end| since < end.0.cast_signed())
}

/// The time on a clock with the steps so far.
fn by_that_clock(spec: &CaptureSpec, begun: Timestamp, nanos: i64) -> i64 {
    let since = nanos - begun.as_nanos();
    let set = spec.steps.iter().filter(|step| since >= step.at.0.cast_signed());
    nanos
        + set
            .map(|step| match step.set {
                ClockSetting::Forward => step.by.0.cast_signed(),
                ClockSetting::Back => -step.by.0.cast_signed(),
            })
            .sum::<i64>()
}

/// Duplicates on their way to the capture point.
struct Copying {
    copies: Option<Copies>,
    seed: u64,
    number: u64,
    /// Duplicates in order of time.
    coming: VecDeque<Frame>,
}

impl Copying {
    /// Schedules a duplicate for a packet that passes, if it is selected.
    fn see(&mut self, frame: &Frame) {
        let Some(copies) = self.copies else { return };
        self.number += 1;
        if hits(self.seed, self.number, copies.share)
            && let Some(copy) = copied(frame, copies)
        {
            self.coming.push_back(copy);
        }
    }

    /// The duplicates that are due at `now`.
    fn due(&mut self, now: i64) -> impl Iterator<Item = Frame> + '_ {
        std::iter::from_fn(move || {
            self.coming.front().filter(|copy| copy.nanos <= now)?;
            self.coming.pop_front()
        })
    }
}

/// The duplicate of an IPv4 frame; `None` for anything else.
fn copied(frame: &Frame, copies: Copies) -> Option<Frame> {
    let is_four = frame.bytes.get(12..IP) == Some(&[0x08, 0x00]) && frame.bytes.len() >= IP + 20;
    if !is_four {
        return None;
    }
    let mut copy = Frame { nanos: frame.nanos + copies.after.0.cast_signed(), ..frame.clone() };
    if copies.hops > 0 {
        copy.bytes[SOURCE].copy_from_slice(&ROUTER);
        copy.bytes[TTL] = copy.bytes[TTL].saturating_sub(copies.hops);
        let header = IP..IP + usize::from(copy.bytes[IP] & 15) * 4;
        copy.bytes[CHECKSUM].fill(0);
        let checksum = header_checksum(copy.bytes.get(header)?);
        copy.bytes[CHECKSUM].copy_from_slice(&checksum);
    }
    Some(copy)
}

/// Whether the packet with this number is duplicated.
fn hits(seed: u64, number: u64, share: Share) -> bool {
    let drawn = mix(mix(seed).wrapping_add(number.wrapping_mul(GAMMA)));
    ((drawn >> 11) as f64) < share.0 * (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use tcpwhy_capture::PcapngWriter;

    use super::*;
    use crate::capture::{LINKTYPE_ETHERNET, SNAPLEN};
    use tcpwhy_scenario::{ClockStep, Nanos};

    const MS: i64 = 1_000_000;

    /// A capture with one IPv4 frame with a valid checksum at each of these times, in milliseconds.
    fn capture(millis: impl IntoIterator<Item = i64>) -> File {
        let mut file = tempfile::tempfile().unwrap();
        let mut out = PcapngWriter::new(&file, LINKTYPE_ETHERNET, SNAPLEN).unwrap();
        for (ident, millis) in (1..).zip(millis) {
            let mut bytes = [0; 60];
            bytes[12] = 8;
            bytes[IP] = 0x45;
            bytes[IP + 4] = ident;
            bytes[TTL] = 64;
            let checksum = header_checksum(&bytes[IP..IP + 20]);
            bytes[CHECKSUM].copy_from_slice(&checksum);
            out.packet(Timestamp::from_nanos(millis * MS), &bytes, 60).unwrap();
        }
        io::Seek::rewind(&mut file).unwrap();
        file
    }

    fn frames(capture: &mut File, spec: &CaptureSpec) -> Vec<Frame> {
        let folder = tempfile::tempdir().unwrap();
        let mut file = shaped(capture, spec, Timestamp::from_nanos(100 * MS), 1, folder.path()).unwrap();
        let mut reader = Frames::new(&mut file);
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    fn times(spec: &CaptureSpec) -> Vec<i64> {
        let mut capture = capture(100..110);
        frames(&mut capture, spec).iter().map(|frame| frame.nanos / MS).collect()
    }

    fn millis(millis: u64) -> Nanos {
        Nanos(millis * 1_000_000)
    }

    #[test]
    fn a_capture_begins_late_and_ends_early() {
        let spec = CaptureSpec { begin: Some(millis(3)), end: Some(millis(6)), ..CaptureSpec::default() };
        assert_eq!(times(&spec), [103, 104, 105]);
        assert_eq!(times(&CaptureSpec::default()), (100..110).collect::<Vec<_>>());
    }

    #[test]
    fn a_clock_is_set_more_than_once() {
        let step = |at, set, by| ClockStep { at: millis(at), set, by: millis(by) };
        let steps = vec![step(2, ClockSetting::Forward, 1000), step(5, ClockSetting::Back, 1010)];
        let spec = CaptureSpec { steps, ..CaptureSpec::default() };
        let expected = [100, 101, 1102, 1103, 1104, 95, 96, 97, 98, 99];
        assert_eq!(times(&spec), expected);
    }

    /// Each frame is there twice, in order of time, with the same IP identification, a TTL of one less and a
    /// valid checksum.
    #[test]
    fn a_copy_has_the_same_number_and_one_hop_less() {
        let mut capture = capture([100, 101, 105]);
        let copies = Copies { share: Share(1.0), after: millis(2), hops: 1 };
        let seen = frames(&mut capture, &CaptureSpec { copies: Some(copies), ..CaptureSpec::default() });
        let known: Vec<_> =
            seen.iter().map(|frame| (frame.nanos / MS, frame.bytes[IP + 4], frame.bytes[TTL])).collect();
        assert_eq!(known, [(100, 1, 64), (101, 2, 64), (102, 1, 63), (103, 2, 63), (105, 3, 64), (107, 3, 63)]);
        for frame in &seen {
            // RFC 791: the sum of all words including the checksum is all ones.
            let words =
                frame.bytes[IP..IP + 20].chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
            let sum: u32 = words.sum();
            assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff, "TTL {}", frame.bytes[TTL]);
        }
    }

    #[test]
    fn a_mirror_port_leaves_packets_as_they_are() {
        let mut capture = capture([100]);
        let copies = Copies { hops: 0, ..Copies::default() };
        let seen = frames(&mut capture, &CaptureSpec { copies: Some(copies), ..CaptureSpec::default() });
        assert_eq!((seen.len(), &seen[0].bytes), (2, &seen[1].bytes));
    }

    #[test]
    fn what_is_not_captured_has_no_copy() {
        let mut capture = capture(100..110);
        let copies = Copies { after: millis(2), ..Copies::default() };
        let spec = CaptureSpec {
            begin: Some(millis(3)),
            end: Some(millis(5)),
            copies: Some(copies),
            ..CaptureSpec::default()
        };
        let seen: Vec<_> = frames(&mut capture, &spec).iter().map(|frame| frame.nanos / MS).collect();
        assert_eq!(seen, [103, 104, 105, 106]);
    }

    #[test]
    fn a_share_of_the_packets_is_copied() {
        let mut capture = capture(100..200);
        let copies = Copies { share: Share(0.3), ..Copies::default() };
        let seen = frames(&mut capture, &CaptureSpec { copies: Some(copies), ..CaptureSpec::default() });
        assert!((115..145).contains(&seen.len()), "{}", seen.len());
    }

    #[test]
    fn a_transfer_begins_with_the_first_frame_of_either_end() {
        let (mut one, mut other, mut none) = (capture([105]), capture([103, 104]), capture([]));
        for _ in 0..2 {
            assert_eq!(begun([&mut one, &mut other]).unwrap(), Some(Timestamp::from_nanos(103 * MS)));
        }
        assert_eq!(begun([&mut none, &mut one]).unwrap(), Some(Timestamp::from_nanos(105 * MS)));
    }
}
