//! Relays: connections that are passed on as other connections, and the slower leg.

use anstyle::Style;
use tcpwhy_analysis::{LegPlace, Relay};

use super::Overview;
use super::page::Page;
use super::palette::DIM;
use crate::{Args, Wording};

/// Most relays that are shown; the others are only counted.
const MOST: usize = 3;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let relays = overview.legs.relays();
    for relay in relays.iter().take(MOST) {
        page.wrapped(&relay_text(wording, relay), 2, Style::new());
    }
    let more = relays.len().saturating_sub(MOST) as u64;
    if more > 0 {
        page.wrapped(&wording.catalogue().text("legs-more", &Args::new().number("count", more)), 2, DIM);
    }
}

/// The sentence about a relay: `10.0.0.1 → 10.0.0.2:8080 is relayed as 10.0.0.2 → 10.0.0.3:80 (4 pairs). The
/// leg … is the slower one: send buffer.`
pub(crate) fn relay_text(wording: Wording<'_>, relay: &Relay) -> String {
    let catalogue = wording.catalogue();
    let clients = relay.client.map_or_else(|| catalogue.word("legs-clients"), |client| client.to_string());
    let outer = format!("{clients} → {}", relay.outer);
    let inner = format!("{} → {}", relay.from, relay.inner);
    let args = Args::new().text("outer", &*outer).text("inner", &*inner).number("count", relay.pairs);
    let text = catalogue.text("legs-relay", &args);
    let Some((leg, cause)) = relay.slower else { return text };
    let slower = match leg {
        LegPlace::Outer => outer,
        LegPlace::Inner => inner,
    };
    let args = Args::new().text("leg", slower).text("cause", wording.cause(cause));
    format!("{text}{}", catalogue.text("legs-slower", &args))
}
