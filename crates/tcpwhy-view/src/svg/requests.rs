//! The bar of the requests' time: client, network by limit, server.

use tcpwhy_report::palette::Swatch;
use tcpwhy_report::{Args, NetworkPart, RequestBar};

use super::areas::letter;
use super::plot::text_width;
use super::shapes::{rect, text};
use super::subject::{LEFT, RIGHT, Subject, WIDTH};
use super::theme;

const HEIGHT: f64 = 16.0;
/// Smallest width of a part with a letter, pixels.
const LETTERED: f64 = 14.0;

/// A part of the bar: its fill, letter, words and share.
struct Part {
    fill: (&'static str, String),
    limit: Option<Swatch>,
    words: String,
    share: f64,
}

/// Limits of the bar in addition to those of the picture.
pub(super) fn swatches(subject: &Subject<'_>) -> Vec<Swatch> {
    let bar = RequestBar::of(subject.connection);
    bar.iter().flat_map(|bar| &bar.network).filter_map(|part| swatch(part.0)).collect()
}

const fn swatch(part: NetworkPart) -> Option<Swatch> {
    match part {
        NetworkPart::Limited(swatch) => Some(swatch),
        NetworkPart::RoundTrips | NetworkPart::Rest => None,
    }
}

/// Draws the bar with its legend; returns the top of the next part.
pub(super) fn draw(out: &mut String, subject: &Subject<'_>, top: f64) -> f64 {
    let Some(bar) = RequestBar::of(subject.connection) else { return top };
    text(out, LEFT - 8.0, top + 12.0, "e s f-ink", &subject.word("chart-requests"));
    let parts = parts(subject, &bar);
    let mut x = LEFT;
    for part in &parts {
        let width = part.share * (WIDTH - RIGHT - LEFT);
        rect(out, [x, top, width, HEIGHT], (part.fill.0, &part.fill.1));
        out.push('\n');
        if let Some(limit) = part.limit.filter(|_| width >= LETTERED) {
            letter(out, limit, x + width / 2.0, top + HEIGHT / 2.0);
        }
        x += width;
    }
    let (mut x, mut y) = (LEFT, top + HEIGHT + 16.0);
    for part in &parts {
        let width = text_width(&part.words) + 36.0;
        if x + width > WIDTH - RIGHT && x > LEFT {
            (x, y) = (LEFT, y + 20.0);
        }
        rect(out, [x, y - 11.0, 16.0, 14.0], (part.fill.0, &part.fill.1));
        out.push('\n');
        if let Some(limit) = part.limit {
            letter(out, limit, x + 8.0, y - 4.0);
        }
        text(out, x + 22.0, y, "f-ink", &part.words);
        x += width;
    }
    y + 18.0
}

fn parts(subject: &Subject<'_>, bar: &RequestBar) -> Vec<Part> {
    let units = subject.wording.units();
    let total = bar.total() as f64;
    let part = |fill: (&'static str, String), limit: Option<Swatch>, words: String, nanos: i64| Part {
        fill,
        limit,
        words,
        share: nanos as f64 / total,
    };
    let named =
        |name: &str, nanos: i64| subject.wording.catalogue().text(name, &Args::new().text("time", units.nanos(nanos)));
    let class = |class: &str| ("class", format!("f-{class}"));
    let mut parts = vec![part(class("unused"), None, named("exchanges-part-client", bar.client), bar.client)];
    for &(of, nanos) in &bar.network {
        parts.push(match of {
            NetworkPart::RoundTrips => part(class("probe"), None, named("exchanges-part-round-trips", nanos), nanos),
            NetworkPart::Rest => part(class("sack"), None, named("exchanges-part-transfer", nanos), nanos),
            NetworkPart::Limited(swatch) => {
                let fill = ("fill", format!("url(#p-{})", theme::class(swatch)));
                part(fill, Some(swatch), format!("{} {}", subject.wording.swatch(swatch), units.nanos(nanos)), nanos)
            }
        });
    }
    parts.push(part(class("ack"), None, named("exchanges-part-server", bar.server), bar.server));
    parts.retain(|part| part.share > 0.0);
    parts
}
