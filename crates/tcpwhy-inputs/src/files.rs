use std::path::PathBuf;

use crate::error::InputError;
use crate::found::{Failed, Origin, PassedOver};
use crate::listing::text;
use crate::place::{Kind, Place};
use crate::shard::Shard;
use crate::walk::{Depth, Walk, Walked};

/// Paths of all files that the arguments name, for readers that open them more than once.
#[derive(Debug, Default)]
pub struct Files {
    /// Files in the order of a [`Listing`](crate::Listing). `-` is standard input.
    pub files: Vec<(PathBuf, Origin)>,
    /// Unreadable folders, patterns without a match, and members of archives.
    pub failed: Vec<Failed>,
    /// Counts of skipped entries. Files that are not captures are not detected yet.
    pub passed_over: PassedOver,
}

impl Files {
    /// The files that `places` name. No file is opened.
    pub fn of(places: Vec<Place>, depth: Depth, shard: Option<Shard>) -> Self {
        let mut all = Self::default();
        for place in places {
            match place.0 {
                Kind::StandardInput => all.files.push(("-".into(), Origin::Named)),
                Kind::Path(path) if path.is_dir() => {
                    all.add(Walk::of_folder(&path, depth), shard);
                }
                Kind::Path(path) => {
                    let name = path.file_name().map(|name| text(name.as_ref())).unwrap_or_default();
                    if shard.is_none_or(|shard| shard.has(&name)) {
                        all.files.push((path, Origin::Named));
                    }
                }
                Kind::Pattern(pattern, typed) => {
                    if !all.add(Walk::of_pattern(pattern, depth), shard) {
                        let pattern = text(&typed);
                        all.fail(pattern.clone(), Origin::Named, InputError::NoMatch { pattern });
                    }
                }
                Kind::Member { typed, .. } => {
                    let path = text(&typed);
                    all.fail(path.clone(), Origin::Named, InputError::ReadOnce { path });
                }
            }
        }
        all
    }

    /// Adds the files of this part. Returns whether there were any files at all.
    fn add(&mut self, mut walk: Walk, shard: Option<Shard>) -> bool {
        let mut is_any = false;
        while let Some(Walked { path, relative, failure }) = walk.next(&mut self.passed_over) {
            is_any = true;
            if shard.is_some_and(|shard| !shard.has(&relative)) {
                continue;
            }
            match failure {
                None => self.files.push((path, Origin::Found)),
                Some(cause) => {
                    let path = text(&path);
                    self.fail(path.clone(), Origin::Found, InputError::Folder { path, cause });
                }
            }
        }
        is_any
    }

    fn fail(&mut self, name: String, origin: Origin, error: InputError) {
        self.failed.push(Failed { name, origin, error });
    }
}
