use tcpwhy_model::live::RecordingGaps;

use crate::{Args, Wording};

/// One line per kind of gap in a recording.
pub fn recording_gap_lines(gaps: &RecordingGaps, wording: Wording<'_>) -> Vec<String> {
    let catalogue = wording.catalogue();
    let mut lines = Vec::new();
    if gaps.drops > 0 {
        let share = gaps.drops as f64 / gaps.packets.max(1) as f64;
        let args = Args::new().number("drops", gaps.drops).text("share", wording.units().share(share));
        lines.push(catalogue.text("record-was-dropped", &args));
    }
    for (id, count) in [("record-left-out", gaps.left_out), ("record-unknown", gaps.unreadable)] {
        if count > 0 {
            lines.push(catalogue.text(id, &Args::new().number("count", count)));
        }
    }
    lines
}
