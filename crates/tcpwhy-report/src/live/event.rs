//! Live events, one line each.

use tcpwhy_model::live::{Happening, KernelEvent, Process, Pruning, Repair, WindowSide};

use super::{Line, Piece, Tone};
use crate::clock::Zone;
use crate::text::Look;
use crate::{Args, Wording};

/// The sentence about `event` with the place in the code, without its time, process and connection.
pub(crate) fn event_text(event: &KernelEvent, wording: Wording<'_>) -> String {
    let what = what(event, wording);
    match event.place() {
        Some(place) => {
            let args = Args::new().text("what", what).text("place", place.to_string());
            wording.catalogue().text("live-event-at", &args)
        }
        None => what,
    }
}

fn what(event: &KernelEvent, wording: Wording<'_>) -> String {
    let (words, units) = (wording.catalogue(), wording.units());
    let bytes = |bytes: i64| units.bytes(u64::try_from(bytes).unwrap_or_default());
    let side = |side: WindowSide| if side == WindowSide::Own { "own" } else { "peer" };
    match event.what {
        Happening::BlockedWrite { waited, .. } => {
            words.text("live-event-blocked-write", &Args::new().text("time", units.nanos(waited)))
        }
        Happening::BufferSet { option, asked } => {
            words.text("live-event-buffer-set", &Args::new().text("option", option.name()).text("size", bytes(asked)))
        }
        Happening::Failed(kind) => words.text("live-event-failed", &Args::new().text("how", wording.outcome(kind))),
        Happening::Retransmitted { segments, reason } => {
            let id = match reason {
                Repair::Fast => "live-event-retransmitted-fast",
                Repair::Timeout => "live-event-retransmitted-rto",
                Repair::Probe => "live-event-retransmitted-tlp",
            };
            words.text(id, &Args::new().number("count", segments))
        }
        Happening::WindowClosed(of) => words.word(&format!("live-event-window-closed-{}", side(of))),
        Happening::WindowOpened { side: of, closed } => {
            let id = format!("live-event-window-opened-{}", side(of));
            words.text(&id, &Args::new().text("time", units.nanos(closed)))
        }
        Happening::ReceivePruned { how, count } => {
            let id = match how {
                Pruning::Collapsed => "live-event-pruned-collapsed",
                Pruning::OutOfOrderDropped => "live-event-pruned-out-of-order",
                Pruning::ArrivingDropped => "live-event-pruned-arriving",
            };
            let what = words.text(id, &Args::new().number("count", count));
            // A counter does not show which connection it concerns.
            if event.key.is_some() { what } else { words.text("live-event-somewhere", &Args::new().text("what", what)) }
        }
        Happening::MemoryExceeded { receives } => {
            words.word(if receives { "live-event-memory-receive" } else { "live-event-memory-send" })
        }
    }
}

/// The line about `event`: time, process, connection, sentence.
pub fn event_line(event: &KernelEvent, zone: &Zone, wording: Wording<'_>, look: Look) -> Line {
    let time = zone.time_of_day(event.time);
    let nobody = || wording.catalogue().word("live-nobody-known");
    let name = event.process.as_ref().map_or_else(nobody, |Process { name, pid, .. }| format!("{name}[{pid}]"));
    let ends = event.ends.as_ref().map(|[local, peer]| match peer.port {
        Some(0) => local.to_string(),
        _ => format!("{local} → {peer}"),
    });
    let is_grave =
        matches!(event.what, Happening::MemoryExceeded { .. } | Happening::ReceivePruned { .. } | Happening::Failed(_));
    let tone = if is_grave { Tone::Warning } else { Tone::Plain };
    let who = ends.map_or_else(|| name.clone(), |ends| format!("{name}  {ends}"));
    vec![
        Piece::new(look, &format!("{time}  "), Tone::Dim),
        Piece::new(look, &format!("{who}  "), Tone::Bold),
        Piece::new(look, &event_text(event, wording), tone),
    ]
}
