//! A capture of a simulated transfer.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tcpwhy_capture::{PcapngWriter, SIMULATED, Section};
use tcpwhy_files::FileId;
use tcpwhy_model::Timestamp;
use tcpwhy_report::Wording;
use tcpwhy_scenario::End;
use tcpwhy_sim::{Outcome, Packet, Plan, Stalled, World};

use super::args::EndChoice;
use crate::output::file::{self, Output};
use crate::standard_output::stdout;
use crate::wrong::Result;

const LINKTYPE_ETHERNET: u16 = 1;
/// Marks a simulated capture, which may be replaced without `--overwrite`.
const COMMENT: &str = "tcpwhy: simulated, no packet of this capture was ever sent";
/// Time of its start, nanoseconds since the epoch: 2000-01-01 00:00 UTC. A fixed time makes the file
/// reproducible.
const BEGIN: i64 = 946_684_800_000_000_000;

/// The destination of a capture, and the end where it is taken.
pub(crate) struct Capture<'a> {
    path: &'a PathBuf,
    output: Output,
    place: End,
    is_quiet: bool,
}

impl<'a> Capture<'a> {
    /// Fails if `path` may not be written, before anything is simulated.
    pub(crate) fn prepare(
        path: &'a PathBuf,
        inputs: Vec<FileId>,
        overwrites: bool,
        at: EndChoice,
        is_quiet: bool,
    ) -> Result<Self> {
        let policy = file::policy(inputs, overwrites, &[COMMENT]);
        Ok(Self { path, output: Output::prepare(path, &policy)?, place: at.into(), is_quiet })
    }

    /// Starts a separate process that writes the file, so that this one can give up its privileges.
    pub(crate) fn hand_over(self) -> Result<Self> {
        Ok(Self { output: self.output.hand_over()?, ..self })
    }

    /// Simulates `plan` and writes its packets.
    pub(crate) fn write(&self, plan: &Plan, wording: Wording<'_>) -> Result<Result<Outcome, Stalled>> {
        let mut result = Err(Stalled::Nothing);
        let mut write = |out: &mut dyn Write| {
            result = write_packets(plan, self.place, out)?;
            Ok(())
        };
        match &self.output {
            Output::Standard => write(&mut stdout())?,
            Output::Named(target) => {
                let written = target.replace(|out| write(out))?;
                if !self.is_quiet {
                    file::say_written(wording, self.path, written);
                }
            }
        }
        Ok(result)
    }
}

/// Simulates `plan` and writes the packets at `place` as a capture.
pub(super) fn write_packets(plan: &Plan, place: End, out: &mut dyn Write) -> io::Result<Result<Outcome, Stalled>> {
    let about = Section {
        application: "tcpwhy sim",
        interface: &place.to_string(),
        description: SIMULATED,
        comment: COMMENT,
        ..Section::default()
    };
    let out = BufWriter::with_capacity(1 << 18, out);
    let mut writer = PcapngWriter::with_section(out, LINKTYPE_ETHERNET, 0, &about)?;
    let mut written = Ok(());
    let result = World::new(plan).run_watched(&mut |packet: &Packet| {
        if packet.place == place && written.is_ok() {
            let frame = packet.frame(plan.opener, plan.link.is_ipv6);
            let time = BEGIN.saturating_add(i64::try_from(packet.time).unwrap_or(i64::MAX));
            written = writer.packet(Timestamp::from_nanos(time), &frame.headers, frame.len);
        }
    });
    written?;
    writer.flush()?;
    Ok(result)
}
