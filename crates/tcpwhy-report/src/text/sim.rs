//! The terminal output for simulated transfers.

use anstyle::Style;
use tcpwhy_model::LimitTotal;

use super::bars;
use super::look::Look;
use super::page::Page;
use super::palette::{BOLD, DIM};
use crate::sim::{SimEnd, SimPath, SimRun};
use crate::{Args, Wording};

/// One simulated transfer on one screen.
pub fn sim_run(wording: Wording<'_>, look: Look, run: &SimRun) -> String {
    let mut page = Page::new(look);
    let catalogue = wording.catalogue();
    let units = wording.units();
    let args = Args::new()
        .text("bytes", units.bytes(run.bytes))
        .text("time", units.seconds(run.seconds))
        .text("rate", units.bits_per_second(run.goodput()))
        .text("kernel", &run.kernel);
    page.wrapped(&format!("{}: {}", run.name, catalogue.text("sim-took", &args)), 0, BOLD);
    if !run.title.is_empty() {
        page.wrapped(&run.title, 0, DIM);
    }
    if !run.settings.is_empty() {
        let list: Vec<String> = run.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        page.wrapped(&catalogue.text("sim-settings", &Args::new().text("list", list.join(", "))), 0, Style::new());
    }
    if let Some(range) = run.range {
        let args = Args::new()
            .number("runs", range.runs)
            .number("stalled", range.stalled)
            .text("low", units.seconds(range.low_seconds))
            .text("high", units.seconds(range.high_seconds))
            .text("median", units.seconds(range.median_seconds));
        page.wrapped(&catalogue.text("sim-range", &args), 0, Style::new());
    }
    page.heading(&catalogue.word("sim-heading-held"));
    let total: u64 = run.limits.iter().map(|(_, nanos)| nanos).sum();
    let rows = run.limits.iter().map(|&(cause, nanos)| LimitTotal {
        cause,
        nanos: i64::try_from(nanos).unwrap_or(i64::MAX),
        confidence: 1.0,
    });
    bars::rows(&mut page, wording, rows.collect(), i64::try_from(total).unwrap_or(i64::MAX));
    page.gap();
    let [sender, receiver] = &run.ends;
    end(&mut page, wording, "sim-sender", sender);
    // A receiver that only acknowledges is left out.
    if receiver.data_segments > 1 {
        end(&mut page, wording, "sim-receiver", receiver);
    }
    let args =
        Args::new().text("send", units.bytes(sender.buffers[0])).text("receive", units.bytes(receiver.buffers[1]));
    page.wrapped(&catalogue.text("sim-buffers", &args), 0, Style::new());
    let [there, back] = &run.paths;
    path(&mut page, wording, "sim-there", there);
    path(&mut page, wording, "sim-back", back);
    page.into_text()
}

fn end(page: &mut Page, wording: Wording<'_>, id: &str, end: &SimEnd) {
    let args = Args::new()
        .number("segments", end.data_segments)
        .number("again", end.retransmitted)
        .number("timeouts", end.timeouts)
        .number("window", end.largest_window);
    page.wrapped(&wording.catalogue().text(id, &args), 0, Style::new());
}

fn path(page: &mut Page, wording: Wording<'_>, id: &str, path: &SimPath) {
    let args = Args::new().number("frames", path.frames).number("lost", path.lost).number("dropped", path.dropped);
    page.wrapped(&wording.catalogue().text(id, &args), 0, Style::new());
}
