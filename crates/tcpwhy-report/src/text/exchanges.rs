//! Requests and answers of one connection.

use anstyle::Style;
use tcpwhy_analysis::{Connection, Exchange, Exchanges, Pattern, Sketch};
use tcpwhy_model::Limit;
use unicode_width::UnicodeWidthStr as _;

use super::bars;
use super::look::pad;
use super::page::Page;
use super::palette::foreground;
use crate::palette::Swatch;
use crate::ratio::ratio;
use crate::{Args, NetworkPart, RequestBar, Wording};

/// Most limits of the transfers that are named.
const NAMED: usize = 3;
/// Longer bars show nothing more.
const MAX_BAR: usize = 60;
/// Fewest cells in which three bars are readable.
const LEAST_BAR: usize = 12;
/// Length of the bar in Markdown, cells.
const TEXT_BAR: usize = 30;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, connection: &Connection) {
    let lines = exchanges_text(wording, connection);
    if lines.is_empty() {
        return;
    }
    page.heading(&wording.catalogue().word("heading-exchanges"));
    if let Some(bar) = RequestBar::of(connection) {
        write_bar(page, wording, &bar);
    }
    for line in lines {
        page.wrapped(&line, 2, Style::new());
    }
}

/// Writes the time of client, network and server on one line or, if there is no room, on one line each. The
/// network's bar has the colours of its limits.
fn write_bar(page: &mut Page, wording: Wording<'_>, bar: &RequestBar) {
    let look = page.look();
    let total = bar.total() as f64;
    let network = bar.network.iter().map(|&(part, nanos)| (nanos, style_of(part))).collect();
    let all = [
        ("client", vec![(bar.client, foreground(Swatch::Idle))]),
        ("network", network),
        ("server", vec![(bar.server, foreground(Swatch::Think))]),
    ];
    let mut parts = Vec::new();
    for (name, colours) in all {
        let nanos: i64 = colours.iter().map(|colour| colour.0).sum();
        if nanos > 0 {
            let label = part_label(wording, name, nanos);
            parts.push((look.signs(&label).into_owned(), ratio(nanos as f64, total), colours));
        }
    }
    // Columns: 2 of indentation, a space on each side of a bar, and one more cell per bar because of
    // rounding.
    let labels: usize = parts.iter().map(|part| part.0.width() + 3).sum();
    let room = look.width.saturating_sub(2 + labels).min(MAX_BAR);
    let is_one_line = room >= LEAST_BAR;
    let widest = parts.iter().map(|part| part.0.width()).max().unwrap_or_default();
    let room = if is_one_line { room } else { look.width.saturating_sub(2 + widest + 2).clamp(1, MAX_BAR) };
    let mut lines: Vec<String> = Vec::new();
    for (label, share, colours) in parts {
        let cells = coloured(page, &bars::bar(share, room, look.has_unicode), &colours);
        if is_one_line {
            lines.push(format!("{label} {cells}"));
        } else {
            page.raw(&format!("  {} {cells}", pad(&label, widest)));
        }
    }
    if is_one_line {
        page.raw(&format!("  {}", lines.join(" ")));
    }
}

/// The cells of a bar, each in the colour of its largest part.
fn coloured(page: &Page, bar: &str, colours: &[(i64, Style)]) -> String {
    let cells: Vec<char> = bar.chars().collect();
    let total: i64 = colours.iter().map(|colour| colour.0).sum();
    let mut out = String::new();
    let (mut first, mut nanos) = (0, 0);
    for &(own, style) in colours {
        nanos += own;
        let end = (ratio(nanos as f64, total as f64) * cells.len() as f64).round() as usize;
        let run: String = cells[first..end.min(cells.len())].iter().collect();
        out.push_str(&page.styled(&run, style));
        first = end.min(cells.len());
    }
    out
}

fn style_of(part: NetworkPart) -> Style {
    match part {
        NetworkPart::RoundTrips | NetworkPart::Rest => foreground(Swatch::Path),
        NetworkPart::Limited(swatch) => foreground(swatch),
    }
}

fn part_label(wording: Wording<'_>, name: &str, nanos: i64) -> String {
    let args = Args::new().text("time", wording.units().nanos(nanos));
    wording.catalogue().text(&format!("exchanges-part-{name}"), &args)
}

/// The bar of [`write_bar`] without colours, for a code span: `client 2.39 s ██████ network 819 ms ██`.
pub(crate) fn request_bar_text(wording: Wording<'_>, connection: &Connection) -> Option<String> {
    let bar = RequestBar::of(connection)?;
    let total = bar.total() as f64;
    let all = [("client", bar.client), ("network", bar.network_nanos()), ("server", bar.server)];
    let parts = all.into_iter().filter(|part| part.1 > 0).map(|(name, nanos)| {
        let cells = bars::bar(ratio(nanos as f64, total), TEXT_BAR, true);
        format!("{} {cells}", part_label(wording, name, nanos))
    });
    Some(parts.collect::<Vec<_>>().join(" "))
}

/// Lines about the party that took the time of the requests of `connection`, most important first.
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

    /// The limits of the transfers.
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

    /// The range of times that may belong to the path instead, if it is a considerable part.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Look;
    use crate::{Catalogue, Language};

    const MS: i64 = 1_000_000;

    fn drawn(look: Look, language: Language, bar: &RequestBar) -> String {
        let catalogue = Catalogue::new(language);
        let mut page = Page::new(look);
        write_bar(&mut page, Wording::new(&catalogue), bar);
        page.into_text()
    }

    fn bar() -> RequestBar {
        let network = vec![
            (NetworkPart::RoundTrips, 600 * MS),
            (NetworkPart::Limited(Swatch::ReceiveWindow), 300 * MS),
            (NetworkPart::Rest, 100 * MS),
        ];
        RequestBar { client: 2000 * MS, network, server: 1000 * MS }
    }

    #[test]
    fn one_line_has_all_three_in_proportion() {
        let look = Look { width: 80, has_color: false, has_unicode: true };
        let line = drawn(look, Language::English, &bar());
        assert!(line.starts_with("  client 2.00 s ██") && line.contains("network 1.00 s █"), "{line}");
        assert!(line.contains("server 1.00 s █") && line.lines().count() == 1, "{line}");
        assert!(line.trim_end().width() <= 80, "{line}");
        let cells = |name: &str| line.split(name).nth(1).unwrap().chars().filter(|&c| c == '█').count();
        assert_eq!(cells("network") - cells("server"), cells("server"), "equal times have equal bars: {line}");
    }

    #[test]
    fn narrow_terminals_have_a_line_each_and_others_ascii() {
        let look = Look { width: 40, has_color: false, has_unicode: false };
        let text = drawn(look, Language::English, &bar());
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.is_ascii() && text.lines().all(|line| line.width() <= 40 && line.contains('#')), "{text}");
    }

    #[test]
    fn who_took_no_time_has_no_part() {
        let look = Look { width: 80, has_color: false, has_unicode: true };
        let text = drawn(look, Language::SimplifiedChinese, &RequestBar { client: 0, ..bar() });
        assert!(!text.contains("客户端") && text.contains("网络 1.00 秒"), "{text}");
    }

    #[test]
    fn the_network_has_the_colours_of_its_limits() {
        let look = Look { width: 80, has_color: true, has_unicode: true };
        let text = drawn(look, Language::English, &bar());
        let window = foreground(Swatch::ReceiveWindow).to_string();
        assert!(text.contains(&format!("{window}█")), "{text:?}");
    }
}
