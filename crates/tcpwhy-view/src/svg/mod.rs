//! Static pictures for tickets and blogs: one for each direction and chart, and one with all charts below each other.
//!
//! A picture stands alone: no script, no reference to anything outside. Its text is text.

mod areas;
mod panels;
mod picture;
mod plot;
mod requests;
mod shapes;
mod style;
mod subject;
mod theme;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_report::{Catalogue, Wording};

use crate::chart::Recording;
use crate::proof::{ProofChart, proof};
use panels::Panel;
use picture::Lead;
pub use style::{Style, Tops};
use subject::Subject;
pub use theme::Theme;

/// A chart of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chart {
    /// Bytes over time, under a lane for each kind of rare event.
    Sequence,
    /// Receive window and bytes in flight.
    Window,
    /// Round-trip times.
    RoundTrips,
    /// Rates.
    Throughput,
    /// The sending socket as its kernel saw it; nothing where no kernel did.
    Socket,
}

impl Chart {
    /// All, in the order in which they are drawn below each other, after the one that shows the cause.
    pub const ALL: [Self; 5] = [Self::Sequence, Self::Window, Self::RoundTrips, Self::Throughput, Self::Socket];

    /// Message id of the title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Sequence => "chart-sequence",
            Self::Window => "chart-window",
            Self::RoundTrips => "chart-rtt",
            Self::Throughput => "chart-throughput",
            Self::Socket => "chart-socket",
        }
    }

    /// The chart that shows the cause, where requests and answers have none of their own.
    const fn of_proof(chart: ProofChart) -> Self {
        match chart {
            ProofChart::Window => Self::Window,
            ProofChart::Sequence | ProofChart::Lanes => Self::Sequence,
            ProofChart::Rtt => Self::RoundTrips,
            ProofChart::Throughput => Self::Throughput,
        }
    }

    /// As the name of a file has it.
    const fn id(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Window => "window",
            Self::RoundTrips => "rtt",
            Self::Throughput => "throughput",
            Self::Socket => "socket",
        }
    }

    const fn panels(self) -> &'static [Panel] {
        match self {
            Self::Sequence => &[Panel::Lanes, Panel::Sequence],
            Self::Window => &[Panel::Window],
            Self::RoundTrips => &[Panel::RoundTrips],
            Self::Throughput => &[Panel::Throughput],
            Self::Socket => &[Panel::Socket],
        }
    }
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
    let most = connection.halves.iter().map(|h| h.segments).max().unwrap_or(0);
    let catalogue = Catalogue::new(style.language);
    let mut pictures = Vec::new();
    for half in connection.halves.iter().filter(|h| h.segments >= most.min(4) && h.segments * 100 >= most) {
        let mut draw = |name: &str, charts: &[Chart]| {
            let name = format!("c{}-{}-{name}.svg", connection.id, role(connection, half));
            pictures.push(Picture { name, content: picture(connection, half, recording, charts, style) });
        };
        let recording = &recording.halves[half.sender.index()];
        let lead = Chart::of_proof(proof(connection, half, recording, false, Wording::new(&catalogue)).chart);
        let mut all = Chart::ALL;
        all.sort_by_key(|&chart| chart != lead);
        draw("all", &all);
        let has_socket = !recording.socket.is_empty();
        for chart in Chart::ALL.into_iter().filter(|&chart| chart != Chart::Socket || has_socket) {
            draw(chart.id(), &[chart]);
        }
    }
    pictures
}

/// SVG of one direction: its limits, and `charts` below each other on the same axis of time.
pub fn picture(
    connection: &Connection,
    half: &HalfConnection,
    recording: &Recording,
    charts: &[Chart],
    style: Style,
) -> String {
    let catalogue = Catalogue::new(style.language);
    let recording = &recording.halves[half.sender.index()];
    let subject = Subject { connection, half, recording, wording: Wording::new(&catalogue), style };
    let proof = proof(connection, half, recording, false, subject.wording);
    let lead = proof.sentence.map(|sentence| Lead { panels: Chart::of_proof(proof.chart).panels(), sentence });
    let panels: Vec<Panel> = charts.iter().flat_map(|chart| chart.panels()).copied().collect();
    picture::draw(&subject, &panels, lead)
}

/// Where the axes of bytes end in a picture of this direction.
pub fn tops(connection: &Connection, half: &HalfConnection, recording: &Recording, style: Style) -> Tops {
    let catalogue = Catalogue::new(style.language);
    let recording = &recording.halves[half.sender.index()];
    panels::tops(&Subject { connection, half, recording, wording: Wording::new(&catalogue), style })
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
