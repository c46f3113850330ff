//! Requests and answers of one connection.

use anstyle::Style;
use tcpwhy_analysis::{Connection, Exchange, Exchanges, Pattern, Sketch};
use tcpwhy_model::Limit;

use super::page::Page;
use crate::{Args, Wording};

/// Limits of the transfers that are named.
const NAMED: usize = 3;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, connection: &Connection) {
    let lines = exchanges_text(wording, connection);
    if lines.is_empty() {
        return;
    }
    page.heading(&wording.catalogue().word("heading-exchanges"));
    for line in lines {
        page.wrapped(&line, 2, Style::new());
    }
}

/// Who took the time of the requests of `connection`, the most important first.
pub(crate) fn exchanges_text(wording: Wording<'_>, connection: &Connection) -> Vec<String> {
    let exchanges = connection.exchanges.as_deref();
    exchanges.map_or_else(Vec::new, |exchanges| Lines { wording, exchanges }.all())
}

#[derive(Clone, Copy)]
struct Lines<'a> {
    wording: Wording<'a>,
    exchanges: &'a Exchanges,
}

impl Lines<'_> {
    fn all(self) -> Vec<String> {
        let catalogue = self.wording.catalogue();
        match self.exchanges.pattern {
            Pattern::RequestResponse if self.exchanges.count > 0 => {
                let first = [Some(self.parts()), self.limits()].into_iter().flatten();
                let spread = first.chain(self.ranges()).chain(self.spread());
                spread.chain(self.slowest()).chain(self.opening()).collect()
            }
            Pattern::RequestResponse => self.opening(),
            Pattern::Overlapping => self.bursts().into_iter().chain(self.opening()).collect(),
            Pattern::Interactive => vec![catalogue.word("exchanges-interactive")],
            Pattern::LongPoll => vec![catalogue.word("exchanges-long-poll")],
            Pattern::Unasked => Vec::new(),
        }
    }

    fn nanos(self, nanos: i64) -> String {
        self.wording.units().nanos(nanos)
    }

    fn parts(self) -> String {
        let catalogue = self.wording.catalogue();
        let parts = &self.exchanges.parts;
        let parts = [
            ("client", parts.client),
            ("server", parts.of_server()),
            ("round-trips", parts.round_trips),
            ("transfer", parts.transfers()),
        ];
        let parts = parts.into_iter().filter(|part| part.1 > 0).map(|(name, nanos)| {
            catalogue.text(&format!("exchanges-part-{name}"), &Args::new().text("time", self.nanos(nanos)))
        });
        let parts: Vec<_> = parts.collect();
        let list = parts.join(&catalogue.word("list-separator"));
        catalogue.text("exchanges-parts", &Args::new().number("count", self.exchanges.count).text("parts", list))
    }

    /// What limited the transfers.
    fn limits(self) -> Option<String> {
        let catalogue = self.wording.catalogue();
        let limiting = self.exchanges.limits.iter().filter(|(cause, _)| cause.limit != Limit::Application);
        let named = limiting.take(NAMED).map(|&(cause, nanos)| {
            let args = Args::new().text("limit", self.wording.cause(cause)).text("time", self.nanos(nanos));
            catalogue.text("exchanges-limit", &args)
        });
        let named: Vec<_> = named.collect();
        let list = named.join(&catalogue.word("list-separator"));
        (!named.is_empty()).then(|| catalogue.text("exchanges-limits", &Args::new().text("limits", list)))
    }

    /// How much of the times may be the path's, where that is a good part of all.
    fn ranges(self) -> Vec<String> {
        let parts = &self.exchanges.parts;
        let range = |id: &str, [low, high]: [i64; 2]| {
            let args = Args::new().text("low", self.nanos(low)).text("high", self.nanos(high));
            self.wording.catalogue().text(id, &args)
        };
        let server = parts.server_range().map(|ends| range("exchanges-range", ends));
        let client = parts.client_range().map(|ends| range("exchanges-range-client", ends));
        server.into_iter().chain(client).collect()
    }

    fn spread(self) -> Vec<String> {
        if self.exchanges.count < 2 {
            return Vec::new();
        }
        let spread = |id: &str, sketch: &Sketch| {
            let spread = sketch.distribution()?;
            let nanos = |value: u64| self.nanos(i64::try_from(value).unwrap_or(i64::MAX));
            let args = Args::new()
                .text("median", nanos(spread.median))
                .text("p95", nanos(spread.p95))
                .text("max", nanos(spread.max));
            Some(self.wording.catalogue().text(id, &args))
        };
        let times = spread("exchanges-spread", &self.exchanges.times);
        times.into_iter().chain(spread("exchanges-spread-server", &self.exchanges.responses)).collect()
    }

    fn slowest(self) -> Option<String> {
        let slowest = self.exchanges.slowest.first().filter(|_| self.exchanges.count > 1)?;
        Some(slowest_line(self.wording, slowest))
    }

    fn opening(self) -> Vec<String> {
        let opening = self.exchanges.opening;
        let line =
            |id: &str, nanos: i64| self.wording.catalogue().text(id, &Args::new().text("time", self.nanos(nanos)));
        let greeting = opening.greeting.map(|nanos| line("exchanges-opening-greeting", nanos));
        let tls = (opening.tls_turns > 0).then(|| line("exchanges-opening-tls", opening.tls_nanos));
        greeting.into_iter().chain(tls).collect()
    }

    fn bursts(self) -> Option<String> {
        let responses = self.exchanges.responses.distribution().filter(|_| self.exchanges.count > 0)?;
        let nanos = |value: u64| self.nanos(i64::try_from(value).unwrap_or(i64::MAX));
        let args = Args::new()
            .number("count", self.exchanges.count)
            .text("low", nanos(responses.min))
            .text("high", nanos(responses.max));
        Some(self.wording.catalogue().text("exchanges-overlapping", &args))
    }
}

fn slowest_line(wording: Wording<'_>, exchange: &Exchange) -> String {
    let units = wording.units();
    let transfer = exchange.request.nanos().saturating_add(exchange.answer.nanos());
    let args = Args::new()
        .text("time", units.nanos(exchange.nanos()))
        .text("packet", exchange.request_packet.to_string())
        .text("server", units.nanos(exchange.response))
        .text("transfer", units.nanos(transfer))
        .text("bytes", units.bytes(exchange.request_bytes.saturating_add(exchange.answer_bytes)));
    match exchange.limits.first() {
        Some(&(cause, nanos)) => {
            let args = args.text("limit", wording.cause(cause)).text("limited", units.nanos(nanos));
            wording.catalogue().text("exchanges-slowest-limit", &args)
        }
        None => wording.catalogue().text("exchanges-slowest", &args),
    }
}
