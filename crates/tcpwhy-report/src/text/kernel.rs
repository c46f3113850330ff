//! What the kernel said of a connection beside what packets say, where a recording has both.

use anstyle::Style;
use tcpwhy_analysis::live::{KernelHalf, KernelSocket};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Limit, LimitTimeline};

use super::page::Page;
use super::palette::{BOLD, DIM};
use crate::wording::ratio;
use crate::{Args, Wording};

/// More limits than this are a list, not a line.
const NAMED: usize = 4;

/// Writes it, if there is any.
pub(super) fn write(page: &mut Page, wording: Wording<'_>, connection: &Connection, half: &HalfConnection) {
    let Some(view) = &connection.kernel else { return };
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-kernel"));
    if let Some(both) = view.halves.iter().find(|both| both.sender == half.sender) {
        let args = Args::new()
            .text("kernel", shares(wording, &both.kernel))
            .text("packets", shares(wording, &both.packets))
            .text("share", wording.units().share(both.disagreement))
            .text("time", wording.units().seconds(both.kernel.span().seconds()));
        page.wrapped(&catalogue.text("kernel-says", &args), 2, Style::new());
        let (id, style) = judgement(both);
        page.wrapped(&catalogue.text(id, &args), 2, style);
    } else {
        page.wrapped(&catalogue.word("kernel-receiver"), 2, Style::new());
    }
    let sockets: Vec<_> = view.sockets.iter().map(|socket| whose(wording, connection, socket)).collect();
    page.wrapped(&sockets.join(&catalogue.word("fact-separator")), 2, DIM);
}

fn judgement(both: &KernelHalf) -> (&'static str, Style) {
    if both.disagrees() { ("kernel-disagrees", BOLD) } else { ("kernel-agrees", Style::new()) }
}

fn whose(wording: Wording<'_>, connection: &Connection, socket: &KernelSocket) -> String {
    let catalogue = wording.catalogue();
    let end = wording.end(connection, socket.side);
    let name = match &socket.process {
        Some(process) => format!("{}[{}]", process.name, process.pid),
        // Nobody, or nobody who could be seen.
        None => "-".to_owned(),
    };
    let args = Args::new().text("end", end).text("process", name).number("samples", socket.samples);
    catalogue.text("kernel-socket", &args)
}

/// Limits with their shares, the longest first.
fn shares(wording: Wording<'_>, timeline: &LimitTimeline) -> String {
    let catalogue = wording.catalogue();
    let total = timeline.span().nanos() as f64;
    let mut limits: Vec<(i64, Limit)> =
        Limit::ALL.into_iter().map(|limit| (timeline.nanos_of(limit), limit)).filter(|(nanos, _)| *nanos > 0).collect();
    limits.sort_by_key(|(nanos, _)| std::cmp::Reverse(*nanos));
    let part = |&(nanos, limit): &(i64, Limit)| {
        let args = Args::new()
            .text("limit", wording.limit(limit))
            .text("share", wording.units().share(ratio(nanos as f64, total)));
        catalogue.text("spent-part", &args)
    };
    limits.iter().take(NAMED).map(part).collect::<Vec<_>>().join(&catalogue.word("list-separator"))
}
