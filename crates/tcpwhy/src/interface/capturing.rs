//! The capturing process: it reads packets from the kernel's ring and passes the matching ones on.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use tcpwhy_capture::PcapngWriter;
use tcpwhy_live::recording::{ListWriter, RecordedEffort};
use tcpwhy_live::{Capturing, PacketCounts, PacketRing};
use tcpwhy_report::Wording;
use tcpwhy_rights::Child;

use crate::exit::ExitStatus;
use crate::message::{self, failure};
use crate::predicate::Expression;
use crate::record::{Ending, Heading, PacketFilter, begin_pcapng, open_ring};
use crate::rights;
use crate::wrong::{Context as _, Result};

/// Bytes kept of each packet: all headers and TCP options, through IPv6 too.
const SNAPLEN: u32 = 128;
/// Longest delay until a stop is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Starts the process. The returned stream delivers packets; the process ends when the other half of the
/// stream is closed.
pub(super) fn start(interface: &str, filter: Option<Expression>, wording: Wording<'_>) -> Result<UnixStream> {
    // A missing capability is reported before the process starts.
    let capturing = Capturing::TcpHeaders { snaplen: SNAPLEN };
    let ring = open_ring(interface, capturing, wording, "record-no-right-capture")?;
    let (packets, own) = UnixStream::pair()?;
    if Child::start().context(failure("starting-process"))?.is_none() {
        drop(packets);
        let result = rights::confine(&rights::capturing()).and_then(|()| pass_on(ring, interface, filter, own));
        if let Err(error) = result {
            message::say(error.sentence());
        }
        ExitStatus::SUCCESS.leave();
    }
    Ok(packets)
}

fn pass_on(mut ring: PacketRing, interface: &str, filter: Option<Expression>, mut to: UnixStream) -> Result<()> {
    let heading = Heading {
        link_type: ring.link_type(),
        snaplen: SNAPLEN,
        interface: interface.to_owned(),
        system: "Linux".to_owned(),
    };
    let mut writer = begin_pcapng(Vec::new(), &heading)?;
    let mut wanted = PacketFilter::new(filter, ring.link_type());
    let mut ending: Option<Ending> = None;
    loop {
        let written = std::mem::take(writer.get_mut());
        if to.write_all(&written).is_err() {
            // The reader has ended.
            return Ok(());
        }
        if ending.is_none() && is_asked_to_end(&mut to)? {
            ending = Some(Ending::begin(Instant::now()));
        }
        let has_block = ring.take_block(|packet| {
            if wanted.wants(packet) {
                writer.packet(packet.time, packet.data, packet.original_len)?;
            }
            Ok(())
        })?;
        if ending.as_mut().is_some_and(|ending| ending.is_over(has_block, Instant::now())) {
            return finish(&ring, &mut writer, &mut to);
        }
        if !has_block {
            ring.wait(if ending.is_some() { PacketRing::patience() } else { PATIENCE })?;
        }
    }
}

/// Whether the other half of the stream is closed.
fn is_asked_to_end(to: &mut UnixStream) -> io::Result<bool> {
    to.set_nonblocking(true)?;
    let asked = to.read(&mut [0]);
    to.set_nonblocking(false)?;
    match asked {
        Ok(bytes) => Ok(bytes == 0),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes how many packets the kernel dropped, as a recording does.
fn finish(ring: &PacketRing, writer: &mut PcapngWriter<Vec<u8>>, to: &mut UnixStream) -> Result<()> {
    let PacketCounts { packets, drops } = ring.counts()?;
    if drops > 0 {
        let mut list = ListWriter::default();
        list.effort(&RecordedEffort { packets, drops, ..RecordedEffort::default() });
        writer.kernel_list(&list.take())?;
    }
    // The reader may have ended before the remaining data.
    let _ = to.write_all(&std::mem::take(writer.get_mut()));
    Ok(())
}
