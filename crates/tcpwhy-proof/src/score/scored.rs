//! What was judged.

use serde::Serialize;

use super::judge::Judged;
use super::summary::Summary;

/// All that was judged. Its JSON has shares from 0 to 1 but where a key says otherwise.
#[derive(Debug, Serialize)]
pub struct Score {
    /// What the recordings were drawn from, as typed: `7:120`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) random: Option<String>,
    /// Recordings that prove nothing, and why.
    pub(super) left_out: Vec<LeftOut>,
    /// Recordings that could not be read or explained, and why.
    pub(super) failed: Vec<LeftOut>,
    pub(super) summaries: Vec<Summary>,
    pub(super) runs: Vec<Judged>,
}

/// A recording that does not count.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// What it is called.
    pub name: String,
    /// Why: an id if it was left out, a message if it failed.
    pub why: String,
}
