//! `tcpwhy -i INTERFACE`: what passes an interface, as the stream that `tcpdump -w -` would be. The first Ctrl-C ends it.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use tcpwhy_capture::PcapngWriter;
use tcpwhy_live::recording::{ListWriter, RecordedEffort};
use tcpwhy_live::{Capturing, PacketCounts, PacketRing};
use tcpwhy_report::Wording;

use crate::output::Keep;
use crate::predicate::Expression;
use crate::record::{Ending, Heading, PacketFilter, Place, begin_pcapng, open_ring};
use crate::watching::Stop;

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
    kept: Option<(File, Arc<AtomicU64>)>,
    stop: Stop,
    /// It was asked to end.
    ending: Option<Ending>,
    is_over: bool,
    was_cut: Arc<AtomicBool>,
}

impl InterfaceStream {
    /// Captures from now on. What is read is also written to `kept`. `was_cut` is set at the end: it would have gone
    /// on.
    pub(crate) fn open(
        interface: &str,
        filter: Option<Expression>,
        kept: Option<Keep<'_>>,
        was_cut: Arc<AtomicBool>,
        wording: Wording<'_>,
    ) -> Result<Self> {
        let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
        let ring = open_ring(interface, capturing, wording, "record-no-right-capture")?;
        let kept = kept.map(|keep| Ok::<_, anyhow::Error>((begin(&keep)?, keep.bytes))).transpose()?;
        let heading = Heading {
            link_type: ring.link_type(),
            snaplen: SNAPLEN,
            interface: interface.to_owned(),
            system: "Linux".to_owned(),
        };
        let writer = begin_pcapng(Vec::new(), &heading)?;
        Ok(Self {
            packets: PacketFilter::new(filter, ring.link_type()),
            ring,
            writer,
            ready: Vec::new(),
            read: 0,
            kept,
            stop: Stop::on_signals()?,
            ending: None,
            is_over: false,
            was_cut,
        })
    }

    /// Captures until there is something to read; false at the end.
    fn refill(&mut self) -> io::Result<bool> {
        loop {
            let written = std::mem::take(self.writer.get_mut());
            if !written.is_empty() {
                if let Some((kept, bytes)) = &mut self.kept {
                    kept.write_all(&written)?;
                    bytes.fetch_add(written.len() as u64, Ordering::Relaxed);
                }
                (self.ready, self.read) = (written, 0);
                return Ok(true);
            }
            if self.is_over {
                return Ok(false);
            }
            // Whether there is a block or not: on a busy line there always is.
            if self.ending.is_none() && self.stop.is_asked() {
                self.ending = Some(Ending::begin(Instant::now()));
            }
            let (packets, writer) = (&mut self.packets, &mut self.writer);
            let has_block = self.ring.take_block(|packet| {
                if packets.wants(packet) {
                    writer.packet(packet.time, packet.data, packet.original_len)?;
                }
                Ok(())
            })?;
            if self.ending.as_mut().is_some_and(|ending| ending.is_over(has_block, Instant::now())) {
                self.finish()?;
            } else if !has_block {
                self.ring.wait(if self.ending.is_some() { PacketRing::patience() } else { PATIENCE })?;
            }
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

/// A new file that grows, or what is no file.
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
