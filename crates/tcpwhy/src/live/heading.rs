//! The text above and below the connections, in the list and on the screen: how the host is watched, and the
//! gaps.

use tcpwhy_report::{Args, Wording};

use crate::watching::{Accounts, Blind, Watch};

/// The heading: host, source of the data, CPU use, and the numbers of all and of active sockets.
pub(super) fn head(wording: Wording<'_>, watch: &Watch, [sockets, active]: [u64; 2]) -> String {
    let catalogue = wording.catalogue();
    let (effort, [name, kernel]) = (watch.effort(), watch.names());
    let unknown = || catalogue.word("unknown");
    let cpu = effort.cpu.as_secs_f64() / effort.time.as_secs_f64().max(0.001);
    let args = Args::new()
        .text("host", name.unwrap_or_else(unknown))
        .text("kernel", kernel.unwrap_or_else(unknown))
        .text("mode", mode(wording, watch))
        .text("rate", wording.units().count(effort.rate.round() as u64))
        .text("cpu", wording.units().share(cpu))
        .number("sockets", sockets)
        .number("active", active);
    catalogue.text("live-head", &args)
}

/// The source of the data, with the reason if only samples are taken.
fn mode(wording: Wording<'_>, watch: &Watch) -> String {
    let words = wording.catalogue();
    match watch.why_sampled() {
        None => words.word("live-mode-bpf"),
        Some(why) => words.text("live-mode-samples", &Args::new().text("why", words.word(&why.word()))),
    }
}

/// The sentence about a gap in the observation.
pub(super) fn gap(wording: Wording<'_>, watch: &Watch, blind: Blind) -> String {
    let units = wording.units();
    let args = Args::new()
        .number("lost", watch.accounts().map_or(0, Accounts::lost_events))
        .number("lost_ends", watch.accounts().map_or(0, Accounts::lost_ends))
        .number("old", watch.events.left_out())
        .text("cpu", units.share(watch.budget()))
        .text("time", units.rough_seconds(watch.plan().dump_every.as_secs_f64()));
    wording.catalogue().text(&format!("live-gap-{}", blind.id()), &args)
}
