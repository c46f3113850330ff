//! The charts between the limits and the axis.

mod frame;
mod lanes;
mod round_trips;
mod sequence;
mod socket;
mod throughput;
mod window;

pub(super) use frame::Frame;

use super::plot::Scale;
use super::style::Tops;
use super::subject::{LEFT, RIGHT, Subject, WIDTH};

/// A chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    /// One line of ticks per kind of marked event, so that none hides another.
    Lanes,
    /// Bytes over time.
    Sequence,
    /// Window and bytes in flight.
    Window,
    /// Round-trip times.
    RoundTrips,
    /// Rates.
    Throughput,
    /// The sending socket.
    Socket,
}

/// Height of a panel in pixels; 0 if it has nothing to show.
pub(super) fn height(subject: &Subject<'_>, panel: Panel, time: Scale) -> f64 {
    match panel {
        Panel::Lanes => lanes::height(subject, time),
        Panel::Sequence => 340.0,
        Panel::RoundTrips if subject.recording.round_trips.rows.is_empty() && subject.half.rtt.is_none() => 0.0,
        Panel::Socket if subject.recording.socket.is_empty() => 0.0,
        Panel::Window | Panel::Socket => 230.0,
        Panel::RoundTrips | Panel::Throughput => 150.0,
    }
}

/// Ends of the byte axes in the stretch that is shown.
pub(super) fn tops(subject: &Subject<'_>) -> Tops {
    let (from, to) = subject.stretch();
    let time = Scale::new(from, to, LEFT, WIDTH - RIGHT);
    Tops { sequence: Some(sequence::Heights::of(subject, time).top()), window: Some(window::top(subject, time)) }
}

/// Draws a panel.
pub(super) fn draw(out: &mut String, subject: &Subject<'_>, panel: Panel, frame: Frame) {
    match panel {
        Panel::Lanes => lanes::draw(out, subject, frame),
        Panel::Sequence => sequence::draw(out, subject, frame),
        Panel::Window => window::draw(out, subject, frame),
        Panel::RoundTrips => round_trips::draw(out, subject, frame),
        Panel::Throughput => throughput::draw(out, subject, frame),
        Panel::Socket => socket::draw(out, subject, frame),
    }
}
