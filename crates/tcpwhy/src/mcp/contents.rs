//! What the folders contain: captures and saved hosts, each known by its content.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};

use tcpwhy_capture::{begins_like_capture, is_compressed};
use tcpwhy_live::SavedHost;

use super::folders::Folders;
use super::work::Work;

/// Files that are opened for a list.
const MOST_OPENED: usize = 20_000;
/// Bytes that show whether a text belongs to a saved host.
const HEAD: u64 = 16 << 10;
/// Bytes that show whether a file is a capture. A compressed one may have many parts that contain nothing.
const BEGIN: u64 = 1 << 20;

/// What a client may ask about.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The captures, in order.
    pub(super) captures: Vec<PathBuf>,
    /// Folders with texts of a saved host, or the text itself if it is in no subfolder.
    pub(super) hosts: BTreeSet<PathBuf>,
    /// Files that were not opened, because there are too many.
    pub(super) unopened: u64,
}

impl Contents {
    /// Opens every file of `folders` for its first bytes.
    pub(super) fn of(folders: &Folders, work: &Work) -> Self {
        let mut all = Self::default();
        let names = folders.names();
        all.unopened = names.len().saturating_sub(MOST_OPENED) as u64;
        for name in names.into_iter().take(MOST_OPENED) {
            if work.is_stopped() {
                break;
            }
            // A file that cannot be opened now cannot be asked about.
            let Some(file) = folders.listed(&name) else { continue };
            match head_of_text(&file) {
                Some(text) => all.hosts.extend(host_of(&name, &text)),
                None => all.captures.extend(begins_like_capture(file.take(BEGIN)).then_some(name)),
            }
        }
        all
    }
}

/// The beginning of a file that contains text; `None` for anything else.
fn head_of_text(mut file: &File) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let read = file.take(HEAD).read_to_end(&mut head);
    file.rewind().ok()?;
    read.ok()?;
    let is_text = !head.is_empty() && !head.contains(&0) && !is_compressed(&head);
    is_text.then_some(head)
}

/// The name for `audit` if this is a text of a saved host: its folder, or itself.
fn host_of(name: &Path, text: &[u8]) -> Option<PathBuf> {
    SavedHost::from_files([(name, text)])?;
    let folder = name.parent().filter(|folder| *folder != OsStr::new(""));
    Some(folder.unwrap_or(name).to_owned())
}
