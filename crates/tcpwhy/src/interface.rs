//! `tcpwhy -i INTERFACE`: what passes an interface, as the stream that `tcpdump -w -` would be. The first Ctrl-C ends it.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tcpwhy_capture::{PcapngWriter, Section};
use tcpwhy_files::{Folder, WriteError};
use tcpwhy_lab::rights::{self, Right};
use tcpwhy_live::recording::{ListWriter, RecordedEffort};
use tcpwhy_live::{Capturing, PacketCounts, PacketRing};
use tcpwhy_report::Wording;

use crate::expression::Expression;
use crate::live::Stop;
use crate::record::{PacketFilter, open_ring};

/// Bytes kept of each packet: all headers and TCP options, through IPv6 too.
const SNAPLEN: u32 = 128;
/// A stop is noticed at least so soon.
const PATIENCE: Duration = Duration::from_millis(100);

/// A capture that goes on until somebody ends it.
pub(crate) struct InterfaceStream {
    ring: PacketRing,
    packets: PacketFilter,
    writer: PcapngWriter<Vec<u8>>,
    /// What is to be read next.
    ready: Vec<u8>,
    /// How much of it was read.
    read: usize,
    kept: Option<File>,
    stop: Stop,
    /// When everything that passed until the stop has been handed over.
    ends: Option<Instant>,
    is_over: bool,
    was_cut: Arc<AtomicBool>,
}

impl InterfaceStream {
    /// Captures from now on. What is read is also written to `kept`, a new file. `was_cut` is set at the end: it would have gone
    /// on.
    pub(crate) fn open(
        interface: &str,
        filter: Option<Expression>,
        kept: Option<&Path>,
        was_cut: Arc<AtomicBool>,
        wording: Wording<'_>,
    ) -> Result<Self> {
        let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
        let ring = open_ring(interface, capturing, wording, "record-no-right-capture")?;
        // The file and the report may be anybody's.
        rights::keep_only(&[Right::AnyFile]).context("giving up rights")?;
        let kept = kept.map(begin).transpose()?;
        let application = concat!("tcpwhy ", env!("CARGO_PKG_VERSION"));
        let section = Section { system: "Linux", application, interface };
        let writer = PcapngWriter::with_section(Vec::new(), ring.link_type(), SNAPLEN, &section)?;
        Ok(Self {
            packets: PacketFilter::new(filter, ring.link_type()),
            ring,
            writer,
            ready: Vec::new(),
            read: 0,
            kept,
            stop: Stop::on_signals()?,
            ends: None,
            is_over: false,
            was_cut,
        })
    }

    /// Captures until there is something to read; false at the end.
    fn refill(&mut self) -> io::Result<bool> {
        loop {
            let written = std::mem::take(self.writer.get_mut());
            if !written.is_empty() {
                if let Some(kept) = &mut self.kept {
                    kept.write_all(&written)?;
                }
                (self.ready, self.read) = (written, 0);
                return Ok(true);
            }
            if self.is_over {
                return Ok(false);
            }
            let (packets, writer) = (&mut self.packets, &mut self.writer);
            let has_block = self.ring.take_block(|packet| {
                if packets.wants(packet) {
                    writer.packet(packet.time, packet.data, packet.original_len)?;
                }
                Ok(())
            })?;
            if has_block {
                continue;
            }
            if self.stop.is_asked() {
                // What passed before lies in a block that is handed over when it is old enough.
                let ends = *self.ends.get_or_insert_with(|| Instant::now() + 3 * PacketRing::patience());
                if Instant::now() >= ends {
                    self.finish()?;
                    continue;
                }
            }
            self.ring.wait(if self.ends.is_some() { PacketRing::patience() } else { PATIENCE })?;
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.is_over = true;
        self.was_cut.store(true, Ordering::Relaxed);
        let PacketCounts { packets, drops } = self.ring.counts()?;
        if drops > 0 {
            // As a recording tells it.
            let mut list = ListWriter::default();
            list.effort(&RecordedEffort { packets, drops, ..RecordedEffort::default() });
            self.writer.kernel_list(&list.take())?;
        }
        Ok(())
    }
}

impl Read for InterfaceStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read >= self.ready.len() && !self.refill()? {
            return Ok(0);
        }
        let left = self.ready.get(self.read..).unwrap_or_default();
        let len = left.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..len), left.get(..len)) {
            to.copy_from_slice(from);
        }
        self.read += len;
        Ok(len)
    }
}

/// A new file that grows.
fn begin(path: &Path) -> Result<File> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        bail!("{} is no name of a file", path.display())
    };
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !above.is_dir() {
        bail!("there is no folder {}", above.display());
    }
    match Folder::open(above)?.begin(name) {
        Ok(file) => Ok(file),
        Err(WriteError::Io { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{} is there already; name a new file", path.display())
        }
        Err(error) => Err(error.into()),
    }
}
