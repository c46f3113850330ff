//! How pictures look.

use tcpwhy_report::Language;

use super::theme::Theme;

/// How pictures look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Ground.
    pub theme: Theme,
    /// Words.
    pub language: Language,
    /// The stretch to show, seconds from the first packet; all of the direction if `None`.
    pub stretch: Option<(f64, f64)>,
    /// Where the axes of bytes end.
    pub tops: Tops,
}

/// Ends of the axes of bytes, for pictures side by side; what the data needs where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tops {
    /// End of the axis of the sequence, bytes of the stream.
    pub sequence: Option<u64>,
    /// End of the axis of window and bytes in flight.
    pub window: Option<u64>,
}

impl Tops {
    /// As far as the data of each picture goes.
    pub const OWN: Self = Self { sequence: None, window: None };

    /// The higher of both ends of each axis.
    #[must_use]
    pub fn higher(self, other: Self) -> Self {
        Self { sequence: self.sequence.max(other.sequence), window: self.window.max(other.window) }
    }
}
