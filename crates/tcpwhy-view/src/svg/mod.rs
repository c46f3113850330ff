//! Static pictures for tickets and blogs: one for each direction and chart, and one with all charts below each other.
//!
//! A picture stands alone: no script, no reference to anything outside. Its text is text.

mod panels;
mod picture;
mod plot;
mod shapes;
mod theme;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_report::{Catalogue, Language, Wording};

use crate::chart::Recording;
use panels::Panel;
pub use theme::Theme;

/// How pictures look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Ground.
    pub theme: Theme,
    /// Words.
    pub language: Language,
    /// The stretch to show, seconds from the first packet; all of the direction if `None`.
    pub stretch: Option<(f64, f64)>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct Picture {
    /// File name: `c3-server-sequence.svg` is connection 3, data of the end that did not send the SYN.
    pub name: String,
    /// SVG.
    pub content: String,
}

/// The pictures of a connection. A direction that carried next to nothing beside the other gets none.
pub fn pictures(connection: &Connection, recording: &Recording, style: Style) -> Vec<Picture> {
    let catalogue = Catalogue::new(style.language);
    let wording = Wording::new(&catalogue);
    let most = connection.halves.iter().map(|h| h.segments).max().unwrap_or(0);
    let mut pictures = Vec::new();
    for half in connection.halves.iter().filter(|h| h.segments >= most.min(4) && h.segments * 100 >= most) {
        let subject =
            picture::Subject { connection, half, recording: &recording.halves[half.sender.index()], wording, style };
        let all = [Panel::Lanes, Panel::Sequence, Panel::Window, Panel::RoundTrips, Panel::Throughput];
        let sets: [(&str, &[Panel]); 5] = [
            ("all", &all),
            ("sequence", &all[..2]),
            ("window", &all[2..3]),
            ("rtt", &all[3..4]),
            ("throughput", &all[4..]),
        ];
        for (chart, panels) in sets {
            let name = format!("c{}-{}-{chart}.svg", connection.id, role(connection, half));
            pictures.push(Picture { name, content: picture::draw(&subject, panels) });
        }
    }
    pictures
}

/// Who sends: `client` and `server` where the SYN was seen.
fn role(connection: &Connection, half: &HalfConnection) -> &'static str {
    match (connection.initiator, half.sender.index()) {
        (Some(initiator), _) if initiator == half.sender => "client",
        (Some(_), _) => "server",
        (None, 0) => "first",
        (None, _) => "second",
    }
}
