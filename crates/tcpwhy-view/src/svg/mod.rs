//! Static pictures for tickets and blogs: one per direction and chart, and one with all charts below each
//! other.
//!
//! A picture is self-contained: it has no script and no reference to anything outside. Text stays text.

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
    /// Bytes over time, below one lane per kind of rare event.
    Sequence,
    /// Receive window and bytes in flight.
    Window,
    /// Round-trip times.
    RoundTrips,
    /// Rates.
    Throughput,
    /// State of the sending socket according to its kernel; empty without the kernel's data.
    Socket,
}

impl Chart {
    /// All charts, in the order in which they are drawn below each other, after the one that shows the cause.
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

    /// The chart that shows the cause; the sequence replaces the lanes, which pictures do not have.
    const fn of_proof(chart: ProofChart) -> Self {
        match chart {
            ProofChart::Window => Self::Window,
            ProofChart::Sequence | ProofChart::Lanes => Self::Sequence,
            ProofChart::Rtt => Self::RoundTrips,
            ProofChart::Throughput => Self::Throughput,
        }
    }

    /// Part of the file name.
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

/// A picture as a file.
#[derive(Clone, Debug)]
pub struct Picture {
    /// File name: `c3-server-sequence.svg` is connection 3, data of the end that did not send the SYN.
    pub name: String,
    /// Content as SVG.
    pub content: String,
}

/// The pictures of a connection. A direction with hardly any data in comparison with the other one gets none.
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

/// SVG of one direction: its limits, and `charts` below each other on a common time axis.
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

/// Ends of the byte axes in a picture of this direction.
pub fn tops(connection: &Connection, half: &HalfConnection, recording: &Recording, style: Style) -> Tops {
    let catalogue = Catalogue::new(style.language);
    let recording = &recording.halves[half.sender.index()];
    panels::tops(&Subject { connection, half, recording, wording: Wording::new(&catalogue), style })
}

/// Role of the sender: `client` or `server` if the SYN was captured, otherwise `first` or `second`.
fn role(connection: &Connection, half: &HalfConnection) -> &'static str {
    match (connection.initiator, half.sender.index()) {
        (Some(initiator), _) if initiator == half.sender => "client",
        (Some(_), _) => "server",
        (None, 0) => "first",
        (None, _) => "second",
    }
}
