//! The kernel's data about a connection in comparison with the packets, if a recording has both.

use anstyle::Style;

use tcpwhy_analysis::{Connection, HalfConnection, KernelClocks, KernelHalf, KernelSocket, KernelWord, longest_first};
use tcpwhy_model::{Limit, LimitTimeline};

use super::look::pad;
use super::page::Page;
use super::palette::{BOLD, DIM};
use crate::ratio::ratio;
use crate::{Args, Wording};

/// Width of the label before the shares, columns.
const LABEL: usize = 10;
/// Most limits in one line: more of them would be a list.
const NAMED: usize = 4;

/// Writes the comparison, if there is one.
pub(super) fn write(page: &mut Page, wording: Wording<'_>, connection: &Connection, half: &HalfConnection) {
    let Some(view) = &connection.kernel else { return };
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-kernel"));
    if let Some(both) = view.halves.iter().find(|both| both.sender == half.sender) {
        let args = Args::new()
            .text("share", wording.units().share(both.disagreement))
            .text("time", wording.units().seconds(both.kernel.span().seconds()));
        let label = |id: &str| pad(&catalogue.word(id), LABEL);
        let mut line = |id: &str, text: &str| page.hanging((&label(id), DIM), text, 2, Style::new());
        line("kernel-label-packets", &shares(wording, &both.packets));
        line("kernel-label-samples", &shares(wording, &both.kernel));
        if let Some(clocks) = &both.clocks {
            line("kernel-label-clocks", &clock_shares(wording, clocks));
        }
        let (id, style) = judgement(both);
        page.wrapped(&catalogue.text(id, &args), 2, style);
        if let Some(clocks) = &both.clocks {
            for (id, is_so) in [
                ("kernel-clocks-miss-send-buffer", clocks.misses_send_buffer(&both.kernel)),
                ("kernel-clocks-miss-window", clocks.misses_window(&both.kernel)),
            ] {
                if is_so {
                    page.wrapped(&catalogue.word(id), 2, Style::new());
                }
            }
        }
    } else {
        page.wrapped(&catalogue.word("kernel-receiver"), 2, Style::new());
    }
    let sockets: Vec<_> = view.sockets.iter().map(|socket| whose(wording, connection, socket)).collect();
    page.wrapped(&sockets.join(&catalogue.word("fact-separator")), 2, DIM);
}

fn judgement(both: &KernelHalf) -> (&'static str, Style) {
    match both.word {
        KernelWord::Decides(_) => ("kernel-decides", BOLD),
        KernelWord::WatchedTooLittle(_) => ("kernel-too-little", BOLD),
        KernelWord::Agrees if both.disagrees() => ("kernel-disagrees", BOLD),
        KernelWord::Agrees => ("kernel-agrees", Style::new()),
    }
}

fn whose(wording: Wording<'_>, connection: &Connection, socket: &KernelSocket) -> String {
    let catalogue = wording.catalogue();
    let end = wording.end(connection, socket.side);
    let name = match &socket.process {
        Some(process) => format!("{}[{}]", process.name, process.pid),
        // No process has the socket open, or none could be seen.
        None => "-".to_owned(),
    };
    let args = Args::new().text("end", end).text("process", name).number("samples", socket.samples);
    catalogue.text("kernel-socket", &args)
}

/// The kernel's chronometers by their names in `ss -ti`, as shares of the time that the socket was watched.
fn clock_shares(wording: Wording<'_>, clocks: &KernelClocks) -> String {
    let share = |nanos: i64| wording.units().share(ratio(nanos as f64, clocks.watched as f64));
    let args = Args::new()
        .text("busy", share(clocks.busy))
        .text("window", share(clocks.receive_window))
        .text("buffer", share(clocks.send_buffer));
    wording.catalogue().text("kernel-clocks", &args)
}

/// Limits with their shares, longest first.
fn shares(wording: Wording<'_>, timeline: &LimitTimeline) -> String {
    let catalogue = wording.catalogue();
    let total = timeline.span().nanos() as f64;
    let limits = longest_first(&Limit::ALL.map(|limit| timeline.nanos_of(limit)));
    let part = |&(limit, nanos): &(Limit, i64)| {
        let args = Args::new()
            .text("limit", wording.limit(limit))
            .text("share", wording.units().share(ratio(nanos as f64, total)));
        catalogue.text("spent-part", &args)
    };
    limits.iter().take(NAMED).map(part).collect::<Vec<_>>().join(&catalogue.word("list-separator"))
}
