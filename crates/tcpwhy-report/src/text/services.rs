//! The services of a capture as a table.

use tcpwhy_analysis::{Service, Sketch};

use super::page::Page;
use super::palette::DIM;
use super::{Overview, Table};
use crate::{Args, Wording};

/// Most services that are shown; the others are only counted.
const MOST: usize = 10;
/// Indexes of the columns that are dropped first if there is little room.
const EXPENDABLE: [usize; 5] = [10, 9, 8, 5, 7];

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let services = overview.services.ranked();
    if services.len() < 2 && services.iter().all(|service| service.connections < 2) {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-services"));
    let titles = [
        "service",
        "connections",
        "failed",
        "reset",
        "bytes",
        "requests",
        "median",
        "p95",
        "server-time",
        "network-time",
        "client-time",
    ];
    let mut table = Table::new(titles.map(|title| catalogue.word(&format!("column-{title}"))).to_vec());
    for service in services.iter().take(MOST) {
        table.push(cells(wording, service));
    }
    for (row, line) in table.fitting(page.look(), &EXPENDABLE).iter().enumerate() {
        let line = page.look().shorten(line, page.look().width);
        let line = if row == 0 { page.styled(&line, DIM) } else { line };
        page.raw(&line);
    }
    let more = services.len().saturating_sub(MOST) as u64;
    if more > 0 {
        page.wrapped(&catalogue.text("services-more", &Args::new().number("count", more)), 2, DIM);
    }
    let wrong_clock: u64 = services.iter().map(|service| service.wrong_clock).sum();
    if wrong_clock > 0 {
        page.wrapped(&catalogue.text("services-wrong-clock", &Args::new().number("count", wrong_clock)), 2, DIM);
    }
}

fn cells(wording: Wording<'_>, service: &Service) -> Vec<String> {
    let units = wording.units();
    let nanos = |value: Option<u64>| {
        value.map_or_else(String::new, |value| units.nanos(i64::try_from(value).unwrap_or(i64::MAX)))
    };
    let at = |share: f64, sketch: &Sketch| nanos(sketch.quantile(share));
    let count = |count: u64| if count == 0 { String::new() } else { units.count(count) };
    let parts = &service.parts;
    // Exchanges with a wrong clock are counted, but not timed.
    let is_timed = service.exchange_times.quantile(0.5).is_some();
    let time = |time: i64| if is_timed { units.nanos(time) } else { String::new() };
    vec![
        service.server.to_string(),
        units.count(service.connections),
        count(service.failed()),
        count(service.resets.iter().sum()),
        units.bytes(service.bytes),
        count(service.exchanges),
        at(0.5, &service.exchange_times),
        at(0.95, &service.exchange_times),
        time(parts.of_server()),
        time(parts.round_trips.saturating_add(parts.transfers())),
        time(parts.client),
    ]
}

#[cfg(test)]
mod terms;
