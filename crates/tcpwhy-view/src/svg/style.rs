//! The appearance of pictures.

use tcpwhy_report::Language;

use super::theme::Theme;

/// The appearance of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Colours of the picture.
    pub theme: Theme,
    /// Language of the words.
    pub language: Language,
    /// Stretch to show, in seconds from the first packet; the whole direction if `None`.
    pub stretch: Option<(f64, f64)>,
    /// Ends of the byte axes.
    pub tops: Tops,
}

/// Ends of the byte axes, for pictures next to each other; without one, the data decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tops {
    /// End of the axis of the sequence, bytes of the stream.
    pub sequence: Option<u64>,
    /// End of the axis of window and bytes in flight.
    pub window: Option<u64>,
}

impl Tops {
    /// Ends that follow from the data of each picture.
    pub const OWN: Self = Self { sequence: None, window: None };

    /// The higher one of both ends for each axis.
    #[must_use]
    pub fn higher(self, other: Self) -> Self {
        Self { sequence: self.sequence.max(other.sequence), window: self.window.max(other.window) }
    }
}
