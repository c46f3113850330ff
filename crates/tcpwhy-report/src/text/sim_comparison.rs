//! The terminal output for a transfer on a kernel and in the simulator.

use anstyle::Style;
use tcpwhy_model::{Limit, LimitGroup};

use super::look::Look;
use super::page::Page;
use super::palette::{BOLD, DIM, FIX};
use super::{AnswerLabel, AnswerLine, Table};
use crate::sim_comparison::{OrderDifference, SentPacket, SimComparison, TimeAgreement};
use crate::{Args, Wording};

/// One transfer on one screen.
pub fn sim_comparison(wording: Wording<'_>, look: Look, compared: &SimComparison) -> String {
    let mut page = Page::new(look);
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let [kernel, simulated] = compared.seconds;
    let args = Args::new()
        .text("name", &compared.name)
        .text("kernel", units.seconds(kernel))
        .text("simulated", units.seconds(simulated))
        .text("difference", difference(compared.error()));
    page.wrapped(&catalogue.text("sim-compare-head", &args), 0, BOLD);
    if !compared.title.is_empty() {
        page.wrapped(&compared.title, 0, DIM);
    }
    let args = Args::new()
        .text("bytes", units.bytes(compared.bytes))
        .text("kernel", &compared.kernel)
        .text("rules", &compared.rules);
    page.wrapped(&catalogue.text("sim-compare-kernels", &args), 0, Style::new());
    if !compared.settings.is_empty() {
        let list: Vec<String> = compared.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        page.wrapped(&catalogue.text("sim-settings", &Args::new().text("list", list.join(", "))), 0, Style::new());
    }
    if let Some(range) = compared.range {
        let args = Args::new()
            .number("runs", range.runs)
            .text("low", units.seconds(range.low_seconds))
            .text("high", units.seconds(range.high_seconds));
        page.wrapped(&catalogue.text("sim-compare-range", &args), 0, Style::new());
    }
    for why in &compared.doubts {
        page.wrapped(&catalogue.text("sim-compare-doubt", &Args::new().text("why", why)), 0, FIX);
    }
    page.gap();
    for (index, line) in table(wording, look, compared).fitting(look, &[3]).into_iter().enumerate() {
        let line = if index == 0 { page.styled(&line, BOLD) } else { line };
        page.raw(&line);
    }
    page.heading(&catalogue.word("sim-compare-explained"));
    for (id, lines) in ["sim-compare-kernel", "sim-compare-simulated"].into_iter().zip(&compared.explained) {
        page.wrapped(&catalogue.word(id), 2, BOLD);
        explained(&mut page, lines);
    }
    page.heading(&catalogue.word("sim-compare-apart"));
    page.wrapped(&order(wording, compared.order), 2, Style::new());
    if let Some(times) = compared.times {
        page.wrapped(&agreement(wording, times), 2, Style::new());
    }
    page.into_text()
}

/// A relative difference: `+1.2%`.
fn difference(share: f64) -> String {
    format!("{:+.1}%", tenth(share * 100.0))
}

/// Rounds to one decimal; a zero has no sign.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

fn table(wording: Wording<'_>, look: Look, compared: &SimComparison) -> Table {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let word = |id: &str| catalogue.word(id);
    let cells = |texts: [String; 4]| texts.map(|text| look.signs(&text).into_owned()).to_vec();
    let heading =
        [String::new(), word("sim-compare-kernel"), word("sim-compare-simulated"), word("sim-compare-difference")];
    let mut table = Table::new(cells(heading));
    let [kernel, simulated] = compared.seconds;
    let seconds = [word("sim-compare-time"), units.seconds(kernel), units.seconds(simulated)];
    let [a, b, c] = seconds;
    table.push(cells([a, b, c, difference(compared.error())]));
    if let [Some(kernel), Some(simulated)] = &compared.shares {
        for group in LimitGroup::ALL {
            let [kernel, simulated] = [kernel, simulated].map(|shares| shares[group as usize]);
            let points = tenth((simulated - kernel) * 100.0);
            let args = Args::new().text("points", format!("{points:+.1}"));
            table.push(cells([
                group_name(wording, group),
                units.share(kernel),
                units.share(simulated),
                catalogue.text("sim-compare-points", &args),
            ]));
        }
    }
    for (id, [kernel, simulated]) in &compared.counters {
        let more = i128::from(*simulated) - i128::from(*kernel);
        table.push(cells([
            word(&format!("sim-compare-{}", id.replace('_', "-"))),
            units.count(*kernel),
            units.count(*simulated),
            if more == 0 { "0".to_owned() } else { format!("{more:+}") },
        ]));
    }
    table
}

fn group_name(wording: Wording<'_>, group: LimitGroup) -> String {
    match group {
        LimitGroup::Network => wording.catalogue().word("sim-compare-network"),
        LimitGroup::SendBuffer => wording.limit(Limit::SendBuffer),
        LimitGroup::ReceiveWindow => wording.limit(Limit::ReceiveWindow),
        LimitGroup::Application => wording.limit(Limit::Application),
    }
}

fn explained(page: &mut Page, lines: &[AnswerLine]) {
    for line in lines.iter().filter(|line| line.kind != AnswerLabel::Head) {
        page.hanging((&format!("{:<3} ", line.label), FIX), &line.text, 4, Style::new());
    }
}

fn order(wording: Wording<'_>, order: Option<OrderDifference>) -> String {
    let catalogue = wording.catalogue();
    let Some(OrderDifference { number, packets }) = order else { return catalogue.word("sim-compare-same-order") };
    let units = wording.units();
    let said = |packet: Option<SentPacket>| match packet {
        None => catalogue.word("sim-compare-no-packet"),
        Some(packet) => {
            let args = Args::new()
                .text("bytes", units.bytes(packet.bytes))
                .text("offset", units.count(packet.offset))
                .text("time", units.seconds(packet.seconds));
            catalogue.text("sim-compare-packet", &args)
        }
    };
    let [kernel, simulated] = packets.map(said);
    let args = Args::new().text("number", units.count(number)).text("kernel", kernel).text("simulated", simulated);
    catalogue.text("sim-compare-order", &args)
}

fn agreement(wording: Wording<'_>, times: TimeAgreement) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let args = Args::new().text("within", units.seconds(times.within));
    match times.first {
        None => catalogue.text("sim-compare-same-times", &args),
        Some((offset, [kernel, simulated])) => {
            let args = args
                .text("offset", units.count(offset))
                .text("kernel", units.seconds(kernel))
                .text("simulated", units.seconds(simulated));
            catalogue.text("sim-compare-times", &args)
        }
    }
}
