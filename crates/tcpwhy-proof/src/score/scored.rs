//! The result of a score.

use serde::Serialize;

use super::judge::Judged;
use super::summary::Summary;

/// All judged captures. Its JSON has shares from 0 to 1, unless a key has another unit.
#[derive(Debug, Serialize)]
pub struct Score {
    /// The seed and number of random recordings, as typed: `7:120`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) random: Option<String>,
    /// Recordings that are no evidence, with the reason.
    pub(super) left_out: Vec<LeftOut>,
    /// Recordings that could not be read or explained, with the reason.
    pub(super) failed: Vec<LeftOut>,
    pub(super) summaries: Vec<Summary>,
    pub(super) runs: Vec<Judged>,
}

/// A recording that does not count.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// The reason: an id if it was left out, a message if it failed.
    pub why: String,
}
