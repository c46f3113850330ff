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
}
