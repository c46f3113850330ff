//! The pictures of a case: the whole transfer, and some round trips out of its middle, where steps and bursts are seen.

use std::path::Path;

use anyhow::{Result, anyhow};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_lab::Recording;
use tcpwhy_lab::scenario::End;
use tcpwhy_report::Language;
use tcpwhy_view::Wanted;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::svg::{Style, Theme, pictures};

use crate::inputs::Inputs;
use crate::lab::documents;
use crate::second_look;

/// Pages with pictures are kept beside the sources: small ones. Rows of a table, from the most that are tried to the least.
const ROWS: [usize; 5] = [1024, 512, 256, 128, 64];
/// Bytes of a picture.
const LARGEST: usize = 60_000;
/// What the second picture shows.
const ROUND_TRIPS: f64 = 8.0;
/// If that is more of the transfer than this, the first picture shows it already.
const MOST_OF_IT: f64 = 0.4;

/// Whether there is a second picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pictures {
    pub(super) has_detail: bool,
}

/// `NAME.svg`, and `NAME-detail.svg` where that shows more.
pub(super) fn write(
    recording: &Recording,
    said: Option<&(Connection, HalfConnection)>,
    folder: &Path,
) -> Result<Pictures> {
    let name = &recording.scenario().name;
    let (connection, half) = said.ok_or_else(|| anyhow!("{name}: nothing to draw"))?;
    let inputs = Inputs::once(&[recording.capture(End::Sender)], false, None);
    let draw = |stretch| draw(&inputs, connection, half, stretch);
    let save = |file: String, content: String| documents::write(&folder.join(file), &content);
    save(format!("{name}.svg"), draw(None)?)?;
    let detail = middle(connection, half);
    if let Some(stretch) = detail {
        save(format!("{name}-detail.svg"), draw(Some(stretch))?)?;
    }
    Ok(Pictures { has_detail: detail.is_some() })
}

/// Some round trips from the middle on, seconds from the connection's first packet.
fn middle(connection: &Connection, half: &HalfConnection) -> Option<(f64, f64)> {
    let length = ROUND_TRIPS * half.rtt?.0.median as f64 / 1e9;
    let total = half.span.seconds();
    if !(length > 0.0 && length < MOST_OF_IT * total) {
        return None;
    }
    let from = half.span.start().since(connection.span.start()) as f64 / 1e9 + total / 2.0;
    Some((from, from + length))
}

/// Limits and sequence numbers over time, in the light theme, with as many points as the size allows.
fn draw(
    inputs: &Inputs,
    connection: &Connection,
    half: &HalfConnection,
    stretch: Option<(f64, f64)>,
) -> Result<String> {
    let style = Style { theme: Theme::Light, language: Language::English, stretch };
    let role = match connection.initiator {
        Some(initiator) if initiator == half.sender => "client",
        Some(_) => "server",
        None if half.sender.index() == 0 => "first",
        None => "second",
    };
    let mut smallest = None;
    for rows in ROWS {
        let budget = Budget { packets: 0, rows, marks: 4 * rows };
        let nanos = |seconds: f64| (seconds * 1e9) as i64;
        let wanted =
            Wanted { stretch: stretch.map(|(from, to)| (nanos(from), nanos(to))), ..Wanted::whole(connection, budget) };
        let recorded = second_look::gather(inputs, &[(0, wanted)], false, true)?.into_iter().flatten().next();
        let recorded = recorded.ok_or_else(|| anyhow!("the capture has changed while it was read"))?;
        let drawn = pictures(connection, &recorded.recording, style);
        let of_half = drawn.into_iter().find(|picture| picture.name.ends_with(&format!("-{role}-sequence.svg")));
        let content = of_half.ok_or_else(|| anyhow!("nothing to draw"))?.content;
        if content.len() <= LARGEST {
            return Ok(content);
        }
        smallest = Some(content);
    }
    Ok(smallest.unwrap_or_default())
}
