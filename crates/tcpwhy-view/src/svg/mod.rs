//! Static pictures.

use tcpwhy_analysis::Connection;
use tcpwhy_report::Language;

use crate::chart::Recording;

/// Ground of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the reader's system prefers.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// How pictures look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Ground.
    pub theme: Theme,
    /// Words.
    pub language: Language,
}

/// One file.
#[derive(Clone, Debug)]
pub struct Picture {
    /// File name.
    pub name: String,
    /// SVG.
    pub content: String,
}

/// The pictures of a connection.
pub fn pictures(_connection: &Connection, _recording: &Recording, _style: Style) -> Vec<Picture> {
    Vec::new()
}
