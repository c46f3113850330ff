//! `--write`: the file that a capture of an interface is kept in.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where what is captured is kept.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux captures"))]
pub(crate) struct Keep<'a> {
    pub(crate) path: &'a Path,
    /// A file that is there.
    pub(crate) replaces: bool,
    /// Counts what is written.
    pub(crate) bytes: Arc<AtomicU64>,
}
