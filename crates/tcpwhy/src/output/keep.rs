//! `--write`: the file for packets captured from an interface.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Destination of captured packets.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux captures"))]
pub(crate) struct Keep<'a> {
    pub(crate) path: &'a Path,
    /// Whether an existing file may be replaced.
    pub(crate) replaces: bool,
    /// Number of bytes written.
    pub(crate) bytes: Arc<AtomicU64>,
}
