//! `tcpwhy -i INTERFACE`: the packets of an interface as a stream, like `tcpdump -w -`. The first Ctrl-C ends
//! it.
//!
//! A separate process captures: with a packet socket, an attacker could send any frames. The process that
//! analyses packets has none.

mod capturing;

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tcpwhy_report::Wording;

use crate::message::failure;
use crate::output::Keep;
use crate::predicate::Expression;
use crate::record::Place;
use crate::watching::Stop;
use crate::wrong::{Result, Wrong};

/// Longest delay until a stop signal is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// A capture that continues until the user stops it.
pub(crate) struct InterfaceStream {
    packets: UnixStream,
    kept: Option<(File, Arc<AtomicU64>)>,
    stop: Stop,
    /// Whether the capturing process was asked to end.
    is_ending: bool,
    was_cut: Arc<AtomicBool>,
}

impl InterfaceStream {
    /// Starts the capture. The packets are also written to `kept`. `was_cut` is set if the user stops it.
    /// Call it while the process has one thread.
    pub(crate) fn open(
        interface: &str,
        filter: Option<Expression>,
        kept: Option<Keep<'_>>,
        was_cut: Arc<AtomicBool>,
        wording: Wording<'_>,
    ) -> Result<Self> {
        let packets = capturing::start(interface, filter, wording)?;
        packets.set_read_timeout(Some(PATIENCE))?;
        let kept = kept.map(|keep| Ok::<_, Wrong>((begin(&keep)?, keep.bytes))).transpose()?;
        Ok(Self { packets, kept, stop: Stop::on_signals()?, is_ending: false, was_cut })
    }

    /// Forwards a stop signal to the capturing process.
    fn pass_stop_on(&mut self) -> io::Result<()> {
        if !self.is_ending && self.stop.is_asked() {
            self.is_ending = true;
            self.packets.shutdown(Shutdown::Write)?;
        }
        Ok(())
    }
}

impl Read for InterfaceStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // Checked before every read, because on a busy interface there are always packets.
            self.pass_stop_on()?;
            match self.packets.read(buffer) {
                Ok(0) if self.is_ending => {
                    self.was_cut.store(true, Ordering::Relaxed);
                    return Ok(0);
                }
                Ok(0) => return Err(io::Error::other(failure("capturing-ended"))),
                Ok(len) => {
                    if let (Some((kept, bytes)), Some(new)) = (&mut self.kept, buffer.get(..len)) {
                        kept.write_all(new)?;
                        bytes.fetch_add(len as u64, Ordering::Relaxed);
                    }
                    return Ok(len);
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Creates the file to keep, or opens a device or FIFO.
fn begin(keep: &Keep<'_>) -> Result<File> {
    let place = Place::at(keep.path)?.hand_over()?;
    if let Some(file) = place.open_special()? {
        return Ok(file);
    }
    if keep.replaces {
        place.remove(place.name())?;
    }
    place.begin(place.name())
}
