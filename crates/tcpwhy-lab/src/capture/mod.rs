//! Capture of the packets on a device, written as pcapng.

mod frames;
mod shape;
mod tap;

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tcpwhy_capture::{PcapngWriter, Section};
use tcpwhy_live::{Capturing, Interface, PacketRing, SMALL_RING};

pub use self::shape::{begun, shaped};
pub use self::tap::tapped;
use crate::LabError;
use crate::namespace::Namespace;
use tcpwhy_scenario::End;

/// Bytes kept of each packet: all headers and TCP options, through IPv6 too.
const SNAPLEN: u32 = 128;
const LINKTYPE_ETHERNET: u16 = 1;
/// The lab recognises its own recordings by the program's name.
const ABOUT: Section<'_> =
    Section { system: "", application: "tcpwhy lab", interface: "", description: "", comment: "" };
/// Limit for a file, bytes; a run has three files. Without it, a scenario could fill a disk. It suffices for
/// a transfer of 10 GB in frames of 1500 bytes.
const LARGEST: u64 = 1 << 30;
/// Overhead of pcapng per packet, bytes.
const PER_PACKET: u64 = 32;

/// A capture that is not written to a file yet. The ring stores the packets until then.
pub struct Opened {
    end: End,
    ring: PacketRing,
}

impl Opened {
    /// Starts to capture `device` of `namespace`.
    ///
    /// # Errors
    /// Without the `CAP_NET_RAW` capability in the namespace.
    pub fn new(end: End, namespace: &Namespace, device: &str) -> Result<Self, LabError> {
        let open = || PacketRing::open(Interface::Named(device), Capturing::Everything(SNAPLEN), SMALL_RING);
        let ring = namespace.run(open).and_then(|ring| ring);
        Ok(Self { end, ring: ring.map_err(|error| failed(end, error))? })
    }
}

/// A running capture. Dropping it ends it.
pub struct Capture {
    end: End,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<(File, Captured)>>>,
}

/// Packet counts of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// Packets in the file.
    pub packets: u64,
    /// Packets that passed the device but are missing in the file.
    pub drops: u64,
}

impl Capture {
    /// Starts to write the packets into a file without a name in `folder`.
    ///
    /// # Errors
    /// If the file cannot be created or the thread cannot be started.
    pub fn start(opened: Opened, folder: &Path) -> Result<Self, LabError> {
        let Opened { end, ring } = opened;
        let failed = |error| failed(end, error);
        let file = tempfile::tempfile_in(folder).map_err(failed)?;
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new()
            .name(format!("capture {end}"))
            .spawn({
                let stop = Arc::clone(&stop);
                move || {
                    tcpwhy_rights::keep_only(&[])?;
                    record(ring, file, &stop)
                }
            })
            .map_err(failed)?;
        Ok(Self { end, stop, thread: Some(thread) })
    }

    /// Ends the capture after all packets so far are written. Returns the file, positioned at its beginning.
    pub fn stop(mut self) -> Result<(File, Captured), LabError> {
        self.stop.store(true, Ordering::Relaxed);
        let result = self.thread.take().map_or_else(
            || Err(io::Error::other("ended before")),
            |thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("its thread panicked"))),
        );
        result.map_err(|error| failed(self.end, error))
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Bytes that may still be written to a file.
struct Room(u64);

impl Room {
    /// Subtracts a packet with `len` captured bytes.
    fn take(&mut self, len: usize) -> io::Result<()> {
        let left = self.0.checked_sub(PER_PACKET + len as u64);
        self.0 = left.ok_or_else(|| {
            io::Error::other(format!("more than {} MB: a shorter transfer takes less", LARGEST / 1_000_000))
        })?;
        Ok(())
    }
}

/// A capture that `write` writes, in a file without a name in `folder`, positioned at its beginning.
fn written(
    folder: &Path,
    write: impl FnOnce(&mut PcapngWriter<BufWriter<&File>>) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = tempfile::tempfile_in(folder)?;
    let mut out = PcapngWriter::with_section(BufWriter::new(&file), LINKTYPE_ETHERNET, SNAPLEN, &ABOUT)?;
    write(&mut out)?;
    out.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

fn failed(end: End, error: io::Error) -> LabError {
    LabError::io(format!("capturing at the {end}"), error)
}

fn record(mut ring: PacketRing, file: File, stop: &AtomicBool) -> io::Result<(File, Captured)> {
    let mut out =
        PcapngWriter::with_section(BufWriter::with_capacity(1 << 18, file), LINKTYPE_ETHERNET, SNAPLEN, &ABOUT)?;
    let (mut written, mut room) = (0, Room(LARGEST));
    let mut ends_at = None;
    loop {
        let taken = ring.take_block(|packet| {
            written += 1;
            room.take(packet.data.len())?;
            out.packet(packet.time, packet.data, packet.original_len)
        })?;
        if taken {
            continue;
        }
        if stop.load(Ordering::Relaxed) {
            // The last packets are in a block that the kernel hands over when it is old enough.
            let end = *ends_at.get_or_insert_with(|| Instant::now() + 3 * PacketRing::patience());
            if Instant::now() >= end {
                break;
            }
        }
        ring.wait(Duration::from_millis(10))?;
    }
    let counts = ring.counts()?;
    let mut file = out.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?;
    file.seek(SeekFrom::Start(0))?;
    Ok((file, Captured { packets: written, drops: counts.drops.max(counts.packets.saturating_sub(written)) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_does_not_fill_the_disk() {
        let mut room = Room(2 * (PER_PACKET + 100));
        assert!(room.take(100).is_ok() && room.take(100).is_ok());
        let said = room.take(0).unwrap_err().to_string();
        assert_eq!(said, "more than 1073 MB: a shorter transfer takes less");
    }
}
