//! The pictures of a case: the whole transfer, and a short stretch of it that shows steps, bursts and pauses.

use std::iter;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::{Plan, Source};
use tcpwhy_lab::Recording;
use tcpwhy_lab::sampler::Sample;
use tcpwhy_model::live::SocketPoint;
use tcpwhy_report::Language;
use tcpwhy_scenario::End;
use tcpwhy_view::chart::{self, Budget};
use tcpwhy_view::svg::{Chart, Style, Theme, Tops, picture};
use tcpwhy_view::{Gatherer, Wanted};

use super::charts::charts;
use crate::ProofError;

/// Pages with pictures are stored beside the sources, so they must be small. Numbers of rows of a table,
/// tried from the largest to the smallest.
const ROWS: [usize; 5] = [1024, 512, 256, 128, 64];
/// Limit for a picture, bytes.
const LARGEST: usize = 60_000;
/// What the second picture shows.
const ROUND_TRIPS: f64 = 8.0;
/// A silence is shown with as much of the transfer on each side.
const SILENCES: f64 = 3.0;
/// With fewer segments than this in it, a stretch shows a silence, not what surrounds it.
const LEAST_SEGMENTS: u64 = 4;
/// If that is more of the transfer than this, the first picture shows it already.
const MOST_OF_IT: f64 = 0.4;

/// Whether there is a second picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pictures {
    pub(super) has_detail: bool,
}

/// The pictures that the scenario `name` may have.
pub(super) fn names(name: &str) -> [String; 2] {
    [format!("{name}.svg"), format!("{name}-detail.svg")]
}

/// `NAME.svg`, and `NAME-detail.svg` where that shows more.
pub(super) fn write(
    recording: &Recording,
    said: Option<&(Connection, HalfConnection)>,
    save: &mut dyn FnMut(&str, &str) -> Result<(), ProofError>,
) -> Result<Pictures, ProofError> {
    let name = &recording.scenario().name;
    let (connection, half) = said.ok_or_else(|| ProofError::NoPicture(name.clone()))?;
    let charts = charts(recording.scenario());
    let style = |stretch| Style { theme: Theme::Light, language: Language::English, stretch, tops: Tops::OWN };
    let draw = |stretch| draw(recording, connection, half, &charts, style(stretch));
    let [whole, part] = names(name);
    save(&whole, &draw(None)?)?;
    let detail = detail(half, &recorded(recording, connection, Budget::LARGE, None)?, connection);
    if let Some(stretch) = detail {
        save(&part, &draw(Some(stretch))?)?;
    }
    Ok(Pictures { has_detail: detail.is_some() })
}

/// The stretch for the second picture, seconds from the connection's first packet. It is several round trips
/// from the middle on. If the transfer pauses there, it is the pause with its surroundings.
fn detail(half: &HalfConnection, recording: &chart::Recording, connection: &Connection) -> Option<(f64, f64)> {
    let length = ROUND_TRIPS * half.rtt?.0.median as f64 / 1e9;
    let total = half.span.seconds();
    if !(length > 0.0 && length < MOST_OF_IT * total) {
        return None;
    }
    let start = half.span.start().since(connection.span.start()) as f64 / 1e9;
    let of_half = &recording.halves[half.sender.index()];
    let sent: Vec<(f64, u64)> = of_half.segments.rows.iter().map(|s| (s.time as f64 / 1e9, s.count)).collect();
    stretch(&sent, (start, start + total), length)
}

/// `length` seconds of `whole` from its middle on, if data was sent in them. `sent` has the times of segments
/// and their numbers. Otherwise it is the pause there with the same length on both sides. If that would be
/// most of the transfer, it is the end of the pause at which more was sent.
fn stretch(sent: &[(f64, u64)], whole: (f64, f64), length: f64) -> Option<(f64, f64)> {
    let segments = |from: f64, to: f64| sent.iter().filter(|s| (from..=to).contains(&s.0)).map(|s| s.1).sum::<u64>();
    let (from, to) = whole;
    let middle = f64::midpoint(from, to);
    if segments(middle, middle + length) >= LEAST_SEGMENTS {
        return Some((middle, middle + length));
    }
    // The longest silence that reaches into the middle.
    let times: Vec<f64> = iter::once(from).chain(sent.iter().map(|s| s.0)).chain(iter::once(to)).collect();
    let around = middle - length..=middle + length;
    let silences = times.windows(2).map(|w| (w[0], w[1])).filter(|s| s.0 <= *around.end() && s.1 >= *around.start());
    let (begin, end) = silences.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
    let silence = end - begin;
    if silence * SILENCES < MOST_OF_IT * (to - from) {
        return Some(((begin - silence).max(from), (end + silence).min(to)));
    }
    let ends = [begin, end].map(|at| ((at - length / 2.0).max(from), (at + length / 2.0).min(to)));
    ends.into_iter().filter(|e| segments(e.0, e.1) > 0).max_by_key(|e| segments(e.0, e.1))
}

/// What a second look at the sender's capture of `recording` sees of `connection`.
pub(crate) fn recorded(
    recording: &Recording,
    connection: &Connection,
    budget: Budget,
    stretch: Option<(f64, f64)>,
) -> Result<chart::Recording, ProofError> {
    let capture = recording.capture(End::Sender);
    let nanos = |seconds: f64| (seconds * 1e9) as i64;
    let wanted =
        Wanted { stretch: stretch.map(|(from, to)| (nanos(from), nanos(to))), ..Wanted::whole(connection, budget) };
    let source = Source::Single(Box::new(CaptureReader::open(&capture)?));
    let mut gatherer = Gatherer::new(&[wanted]);
    let mut observe = |batch: &[_]| gatherer.observe_all(batch);
    let unread = |cause| ProofError::Look { path: capture.display().to_string(), cause };
    let failures = tcpwhy_engine::read(source, &Plan::default(), &mut |_, _| {}, &mut observe).map_err(unread)?;
    if let Some(failure) = failures.into_iter().next() {
        return Err(failure.into());
    }
    let mut seen = gatherer.finish().into_iter().flatten().next().ok_or(ProofError::Changed)?;
    let points = |end| recording.samples(end).map(|samples| points(&samples, budget.rows));
    // The sender of a lab's transfer sends most.
    let sender = connection.halves.iter().max_by_key(|half| half.bytes).map_or(0, |half| half.sender.index());
    let mut sockets = [points(End::Sender).map_err(unread)?, points(End::Receiver).map_err(unread)?];
    sockets.rotate_left(sender);
    seen.add_sockets(sockets);
    Ok(seen.recording)
}

/// The samples of a socket, in at most `most` points.
fn points(samples: &[Sample], most: usize) -> Vec<SocketPoint> {
    let mut points: Vec<_> = samples.iter().map(Sample::point).collect();
    while points.len() > most.max(1) {
        points = SocketPoint::halved(&points);
    }
    points
}

/// Limits and `charts` over time, with as many points as the size allows.
pub(crate) fn draw(
    recording: &Recording,
    connection: &Connection,
    half: &HalfConnection,
    charts: &[Chart],
    style: Style,
) -> Result<String, ProofError> {
    let mut smallest = String::new();
    for rows in ROWS {
        let budget = Budget { packets: 0, rows, marks: 4 * rows };
        smallest = picture(connection, half, &recorded(recording, connection, budget, style.stretch)?, charts, style);
        if smallest.len() <= LARGEST {
            break;
        }
    }
    Ok(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Segments every `step` seconds from `from` to `to`.
    fn steady(from: f64, to: f64, step: f64) -> Vec<(f64, u64)> {
        let steps = ((to - from) / step).round() as u32;
        (0..=steps).map(|i| (from + f64::from(i) * step, 1)).collect()
    }

    #[test]
    fn a_steady_transfer_is_shown_from_its_middle_on() {
        assert_eq!(stretch(&steady(0.0, 10.0, 0.01), (0.0, 10.0), 0.2), Some((5.0, 5.2)));
    }

    #[test]
    fn a_silence_is_shown_with_what_surrounds_it() {
        // A second of rest after each burst of a tenth.
        let bursts: Vec<_> = (0..10).flat_map(|i| steady(f64::from(i) + 0.3, f64::from(i) + 0.4, 0.01)).collect();
        let (from, to) = stretch(&bursts, (0.0, 10.0), 0.05).unwrap();
        assert!(to - from < 4.0, "{from} to {to}");
        let shown = bursts.iter().filter(|s| (from..=to).contains(&s.0)).count();
        assert!(shown >= 20, "{shown} segments from {from} to {to}");
    }

    #[test]
    fn of_a_silence_that_is_most_of_it_the_busier_end_is_shown() {
        let mut sent = steady(0.0, 0.3, 0.01);
        sent.extend(steady(9.0, 9.1, 0.05));
        let (from, to) = stretch(&sent, (0.0, 10.0), 0.2).unwrap();
        assert!(from < 0.3 && to > 0.3 && to - from < 0.21, "{from} to {to}");
        // As with a SYN that was lost: nothing before, all behind.
        let (from, to) = stretch(&steady(1.0, 1.2, 0.01), (0.0, 1.2), 0.1).unwrap();
        assert!(from < 1.0 && to > 1.0 && to - from < 0.11, "{from} to {to}");
    }

    #[test]
    fn of_nothing_nothing_is_shown() {
        assert_eq!(stretch(&[], (0.0, 10.0), 0.2), None);
    }
}
