//! `--write`: the file to which packets of an interface are saved.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The destination of the captured packets.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux captures"))]
pub(crate) struct Keep<'a> {
    pub(crate) path: &'a Path,
    /// Whether an existing file is replaced.
    pub(crate) replaces: bool,
    /// Counts the bytes written.
    pub(crate) bytes: Arc<AtomicU64>,
}
