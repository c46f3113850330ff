//! `tcpwhy live FILE`: replays the socket data of a recording.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_capture::{CaptureError, CaptureReader};
use tcpwhy_engine::recorded::Replay;
use tcpwhy_model::foreign::visible_name;
use tcpwhy_report::{Args, Wording};

use super::args::LiveArgs;
use super::print::{Printer, keep_most_lost};
use super::screen::{self, Past};
use crate::exit::ExitStatus;
use crate::message;
use crate::rights::{self, Grant};
use crate::standard_output::{check_open, stdout};
use crate::watching::Watch;
use crate::wrong::{Result, Wrong};

/// Packets that are skipped per read.
const BATCH: usize = 4096;

/// Prints a recording as if its host were watched now.
pub(super) fn run(args: &LiveArgs, recording: &Path, wording: Wording<'_>) -> Result<ExitStatus> {
    check_open()?;
    rights::confine(&Grant { has_screen: true, ..rights::reading([&recording.to_owned()]) })?;
    let mut reader = match CaptureReader::open(recording) {
        // The file is readable but not a capture.
        Err(
            error @ (CaptureError::Empty { .. }
            | CaptureError::Unknown { .. }
            | CaptureError::OtherFormat { .. }
            | CaptureError::TruncatedHeader { .. }
            | CaptureError::Version { .. }
            | CaptureError::CorruptHeader { .. }),
        ) => {
            let args = Args::new().text("file", visible_name(recording.as_os_str())).text("why", error.to_string());
            return Err(Wrong::said(wording.catalogue().text("record-is-no-capture", &args)));
        }
        opened => opened?,
    };
    let lists = Arc::<Mutex<Vec<Vec<u8>>>>::default();
    reader.hear_kernel({
        let lists = Arc::clone(&lists);
        Box::new(move |list| lists.lock().unwrap_or_else(PoisonError::into_inner).push(list.to_vec()))
    });
    let mut replay = if args.jsonl { Replay::with_intervals() } else { Replay::default() };
    let mut watch = Watch::of_the_past();
    let mut printer = Printer::new(args, wording);
    // The same choice as for this host: the screen on a terminal, else the list.
    let has_screen = !(args.once || args.json || args.jsonl) && stdout().is_terminal();
    let mut ended = Vec::new();
    let mut packets = Vec::new();
    let mut has_more = true;
    while has_more {
        has_more = reader.read_batch(&mut packets, BATCH);
        packets.clear();
        for list in std::mem::take(&mut *lists.lock().unwrap_or_else(PoisonError::into_inner)) {
            replay.take(&list);
            std::mem::swap(&mut replay.host, &mut watch.host);
            watch.recall(&replay.of, &replay.effort);
            if args.jsonl {
                printer.stream(&mut watch)?;
            } else if has_screen {
                ended.extend(watch.host.take_ended());
                keep_most_lost(&mut ended);
            } else {
                printer.keep_ended(&mut watch);
            }
            std::mem::swap(&mut replay.host, &mut watch.host);
        }
    }
    let catalogue = wording.catalogue();
    if !replay.has_begun {
        let args = Args::new().text("file", visible_name(recording.as_os_str()));
        return Err(Wrong::said(catalogue.text("record-is-none", &args)));
    }
    if replay.unreadable + replay.unknown > 0 {
        message::say(
            catalogue.text("record-unknown", &Args::new().number("count", replay.unreadable + replay.unknown)),
        );
    }
    std::mem::swap(&mut replay.host, &mut watch.host);
    watch.host.finish();
    if has_screen {
        ended.extend(watch.host.take_ended());
        let last =
            watch.host.connections().chain(ended.iter().map(|c| &**c)).map(|connection| connection.seen()[1]).max();
        let past = Past { ended, until: last.unwrap_or(watch.began_at()) };
        screen::run(args, wording, &mut watch, None, Some(&past))?;
    } else if args.json || args.jsonl {
        printer.finish(&mut watch)?;
    } else {
        printer.list(&mut watch)?;
    }
    let error = reader.into_error();
    if let Some(error) = &error {
        message::say(message::words(error));
    }
    Ok(printer.gate_result().exit_status(error.is_some()))
}
