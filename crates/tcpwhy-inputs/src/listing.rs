use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::vec;

use tcpwhy_capture::{ArchiveFormat, CaptureError, CaptureReader, Growth, Overgrown, decompressed};
use tcpwhy_model::foreign::{decode, visible};

use crate::archive::{Broken, Content, Member, Other, is_hidden, without_dot};
use crate::error::InputError;
use crate::found::{Failed, Found, FoundCapture, Origin, PassedOver};
use crate::member_names::MemberNames;
use crate::members::{Archive, Members, Only, members_of};
use crate::open;
use crate::pattern::Pattern;
use crate::place::{Kind, Place};
use crate::replay::Replay;
use crate::shard::Shard;
use crate::tar::{Check, Tar};
use crate::walk::{Depth, Walk, Walked};

/// Opens standard input when it is its turn.
type OpenInput<'a> = Box<dyn FnMut() -> io::Result<Box<dyn Read + Send>> + Send + 'a>;
/// Maps a name to the name for all output.
type Rename<'a> = Box<dyn Fn(&str) -> String + Send + 'a>;

/// Captures that the arguments name, opened one after the other.
pub struct Listing<'a> {
    places: vec::IntoIter<Place>,
    depth: Depth,
    shard: Option<Shard>,
    rename: Rename<'a>,
    open_input: OpenInput<'a>,
    check: Option<Arc<Check>>,
    /// Limit for the unpacked size of compressed files, in bytes; `None` for the default limit.
    most_unpacked: Option<u64>,
    walk: Option<Walking>,
    archive: Option<Archive>,
    passed_over: PassedOver,
}

/// The folder or pattern that is being searched.
struct Walking {
    files: Walk,
    /// The pattern, until a file matches it.
    unmatched: Option<String>,
}

/// Names of an input. The relative one determines its shard.
struct Name {
    path: String,
    relative: String,
    origin: Origin,
}

impl<'a> Listing<'a> {
    /// Lists the captures of `places`, in folders down to `depth`. Standard input is empty.
    pub fn new(places: Vec<Place>, depth: Depth) -> Self {
        Self {
            places: places.into_iter(),
            depth,
            shard: None,
            rename: Box::new(str::to_owned),
            open_input: Box::new(|| Ok(Box::new(io::empty()))),
            check: None,
            most_unpacked: None,
            walk: None,
            archive: None,
            passed_over: PassedOver::default(),
        }
    }

    /// Lists only one shard of the captures. Standard input belongs to every shard.
    #[must_use]
    pub const fn with_shard(mut self, shard: Option<Shard>) -> Self {
        self.shard = shard;
        self
    }

    /// Maps all shown names with `rename`.
    #[must_use]
    pub fn with_names(mut self, rename: impl Fn(&str) -> String + Send + 'a) -> Self {
        self.rename = Box::new(rename);
        self
    }

    /// Uses the stream from `open` as standard input.
    #[must_use]
    pub fn with_standard_input(mut self, open: impl FnMut() -> io::Result<Box<dyn Read + Send>> + Send + 'a) -> Self {
        self.open_input = Box::new(open);
        self
    }

    /// Calls `check` before each read of a tar archive, because skipping long members takes time. Its error
    /// ends the archive.
    #[must_use]
    pub fn with_check(mut self, check: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Self {
        self.check = Some(Arc::new(check));
        self
    }

    /// Sets the limit for the unpacked size of each file: `bytes`, if that is more than 1000 times its size.
    #[must_use]
    pub const fn with_most_unpacked(mut self, bytes: Option<u64>) -> Self {
        self.most_unpacked = bytes;
        self
    }

    /// Counts of skipped entries so far.
    pub const fn passed_over(&self) -> PassedOver {
        self.passed_over
    }

    /// Whether opening the next capture may block, as for a pipe.
    pub fn may_wait(&self) -> bool {
        self.walk.is_none()
            && self.archive.is_none()
            && self.places.as_slice().first().is_some_and(|place| match &place.0 {
                Kind::StandardInput => true,
                Kind::Path(path) => path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()),
                Kind::Pattern(..) | Kind::Member { .. } => false,
            })
    }

    /// Opens the next capture. The reader of one that [is in place](FoundCapture::is_in_place) ends then.
    #[expect(clippy::should_implement_trait, reason = "what it gives may have to be used up before the next")]
    pub fn next(&mut self) -> Option<Found> {
        loop {
            let found = if self.archive.is_some() {
                self.next_member()
            } else if self.walk.is_some() {
                self.next_file()
            } else {
                let place = self.places.next()?;
                self.begin(place)
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn begin(&mut self, place: Place) -> Option<Found> {
        match place.0 {
            Kind::StandardInput => {
                let name = Name { path: "-".to_owned(), relative: "-".to_owned(), origin: Origin::Named };
                match (self.open_input)() {
                    Ok(stream) => self.open_stream(stream, name, true),
                    Err(cause) => Some(self.cannot_open(&name, cause)),
                }
            }
            Kind::Path(path) if path.is_dir() => {
                self.walk = Some(Walking { files: Walk::of_folder(&path, self.depth), unmatched: None });
                None
            }
            Kind::Path(path) => self.begin_file(&path),
            Kind::Pattern(pattern, typed) => {
                self.walk = Some(self.walk_of(pattern, &typed));
                None
            }
            Kind::Member { archive, member, typed } => {
                let typed = text(&typed);
                let found = self.begin_file(&archive);
                match &mut self.archive {
                    Some(archive) => {
                        let member = member.strip_prefix("./").map(str::to_owned).unwrap_or(member);
                        archive.only = Some(Only { member, typed, is_found: false });
                        None
                    }
                    None => found,
                }
            }
        }
    }

    fn walk_of(&self, pattern: Pattern, typed: &Path) -> Walking {
        Walking { files: Walk::of_pattern(pattern, self.depth), unmatched: Some(text(typed)) }
    }

    /// Opens a file that the user named.
    fn begin_file(&mut self, path: &Path) -> Option<Found> {
        let relative = path.file_name().map_or_else(|| text(path), |name| text(Path::new(name)));
        let name = Name { path: text(path), relative, origin: Origin::Named };
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.is_file(), file)));
        match opened {
            Ok((true, file)) => self.open_file(file, name),
            Ok((false, stream)) => self.open_stream(Box::new(stream), name, false),
            Err(cause) => self.in_part(&name).then(|| self.cannot_open(&name, cause)),
        }
    }

    fn next_file(&mut self) -> Option<Found> {
        let walking = self.walk.as_mut()?;
        let Some(Walked { path, relative, failure }) = walking.files.next(&mut self.passed_over) else {
            let pattern = self.walk.take()?.unmatched?;
            let name = Name { path: pattern.clone(), relative: pattern.clone(), origin: Origin::Named };
            let pattern = (self.rename)(&pattern);
            return self.in_part(&name).then(|| self.failed(&name, InputError::NoMatch { pattern }));
        };
        walking.unmatched = None;
        let name = Name { path: text(&path), relative, origin: Origin::Found };
        if let Some(cause) = failure {
            let path = (self.rename)(&name.path);
            return self.in_part(&name).then(|| self.failed(&name, InputError::Folder { path, cause }));
        }
        match open::regular(&path) {
            Ok(Some(file)) => self.open_file(file, name),
            Ok(None) => {
                self.passed_over.special += 1;
                None
            }
            Err(cause) => self.in_part(&name).then(|| self.cannot_open(&name, cause)),
        }
    }

    /// Opens a regular file: a capture, an archive or any other file.
    fn open_file(&mut self, file: File, name: Name) -> Option<Found> {
        let again = match file.try_clone() {
            Ok(again) => again,
            Err(cause) => return Some(self.cannot_open(&name, cause)),
        };
        let error = match CaptureReader::from_file(file, &(self.rename)(&name.path)) {
            Ok(mut reader) => {
                self.set_growth(&mut reader);
                return self.capture(reader, name, false);
            }
            Err(error) => error,
        };
        let Some(format) = error.archive() else { return self.no_capture(error, &name) };
        match members_of(again, format, &self.growth()) {
            Ok(Some(members)) => {
                self.enter(members, name);
                None
            }
            Ok(None) => self.no_capture(error, &name),
            Err(broken) => self.in_part(&name).then(|| self.broken(&name, broken)),
        }
    }

    /// Opens an input that can be read only once.
    fn open_stream(&mut self, stream: Box<dyn Read + Send>, name: Name, is_standard_input: bool) -> Option<Found> {
        let replay = Replay::new(stream);
        let shown = (self.rename)(&name.path);
        let error = match CaptureReader::from_read(replay.clone(), &shown) {
            Ok(mut reader) => {
                replay.forget();
                self.set_growth(&mut reader);
                let Name { origin, .. } = name;
                let capture = FoundCapture { name: shown, origin, reader, is_in_place: true, is_standard_input };
                return Some(Found::Capture(Box::new(capture)));
            }
            Err(error) => error,
        };
        match error.archive() {
            Some(ArchiveFormat::Tar) => {
                let growth = self.growth();
                match decompressed(replay.rewound(), &growth) {
                    Ok(stream) => {
                        self.enter(Members::Tar(Tar::new(stream, &growth)), name);
                        None
                    }
                    Err(cause) => Some(self.cannot_open(&name, cause)),
                }
            }
            Some(ArchiveFormat::Zip) => Some(self.failed(&name, InputError::ZipStream { path: shown })),
            None => Some(self.failed(&name, error.into())),
        }
    }

    fn growth(&self) -> Growth {
        self.most_unpacked.map_or_else(Growth::default, Growth::of)
    }

    /// Sets the limit of a capture that is not a member of an archive.
    fn set_growth(&self, reader: &mut CaptureReader) {
        if let Some(bytes) = self.most_unpacked {
            reader.may_grow(bytes);
        }
    }

    fn enter(&mut self, members: Members, Name { path, relative, origin }: Name) {
        let members = match (members, &self.check) {
            (Members::Tar(tar), Some(check)) => Members::Tar(tar.with_check(Arc::clone(check))),
            (members, _) => members,
        };
        self.archive = Some(Archive { members, names: MemberNames::default(), path, relative, origin, only: None });
    }

    fn next_member(&mut self) -> Option<Found> {
        let archive = self.archive.as_mut()?;
        let member = match archive.next() {
            Ok(Some(member)) => member,
            Ok(None) => return self.end_archive(),
            Err(broken) => {
                let Archive { path, relative, origin, .. } = self.archive.take()?;
                let name = Name { path, relative, origin };
                return self.in_part(&name).then(|| self.broken(&name, broken));
            }
        };
        let Member { name: foreign, content } = member;
        let typed = decode(without_dot(&foreign));
        let is_other = matches!(content, Content::Other(_));
        // Only files need distinct names, because only they can have rows.
        let shown = visible(&typed);
        let distinct = if is_other { shown.into_owned() } else { archive.names.distinct(&shown) };
        let mut name = Name {
            path: format!("{}!{distinct}", archive.path),
            // Without the number of a duplicate, so that the shard of a member does not depend on other
            // members.
            relative: format!("{}!{typed}", archive.relative),
            origin: Origin::Found,
        };
        if let Some(only) = &mut archive.only {
            if is_other || ![&*typed, &*visible(&typed), &*distinct].contains(&only.member.as_str()) {
                return None;
            }
            only.is_found = true;
            name.origin = Origin::Named;
        } else if is_hidden(&foreign) {
            self.passed_over.hidden += 1;
            return None;
        }
        self.open_member(content, name)
    }

    /// Ends the archive, and reports the wanted member if it was not found.
    fn end_archive(&mut self) -> Option<Found> {
        let only = self.archive.take()?.only.filter(|only| !only.is_found)?;
        let name = Name { path: only.typed.clone(), relative: only.typed, origin: Origin::Named };
        Some(self.failed(&name, InputError::NoMember { path: (self.rename)(&name.path) }))
    }

    fn open_member(&mut self, content: Content, name: Name) -> Option<Found> {
        let shown = (self.rename)(&name.path);
        let (reader, len, growth) = match content {
            Content::File { reader, len, growth } => (reader, len, growth),
            Content::Other(other) => {
                match other {
                    Other::Folder => {}
                    Other::Link => self.passed_over.links += 1,
                    Other::Special => self.passed_over.special += 1,
                }
                return None;
            }
            Content::Unreadable(unreadable) => {
                return self.in_part(&name).then(|| self.failed(&name, unreadable.of(shown)));
            }
        };
        let is_in_place = Tar::reads_in_place(len) && self.archive.as_ref().is_some_and(Archive::is_tar);
        match CaptureReader::from_member(reader, len, &shown, growth) {
            Ok(reader) => self.capture(reader, name, is_in_place),
            Err(error) => self.no_capture(error, &name),
        }
    }

    fn capture(&self, reader: CaptureReader, name: Name, is_in_place: bool) -> Option<Found> {
        let is_wanted = self.in_part(&name);
        let Name { path, origin, .. } = name;
        let name = (self.rename)(&path);
        is_wanted.then(|| {
            Found::Capture(Box::new(FoundCapture { name, origin, reader, is_in_place, is_standard_input: false }))
        })
    }

    /// Skips a found file that is not a capture. Reports an error if the user named it or if it begins like a
    /// capture.
    fn no_capture(&mut self, error: CaptureError, name: &Name) -> Option<Found> {
        // The relative name has no number after its extension.
        if name.origin.passes_over(&error, &name.relative) {
            self.passed_over.others += 1;
            return None;
        }
        if name.origin == Origin::Found && error.archive().is_some() {
            self.passed_over.archives += 1;
            return None;
        }
        self.in_part(name).then(|| self.failed(name, error.into()))
    }

    fn in_part(&self, name: &Name) -> bool {
        self.shard.is_none_or(|shard| shard.has(&name.relative))
    }

    fn cannot_open(&self, name: &Name, cause: io::Error) -> Found {
        let path = (self.rename)(&name.path);
        self.failed(name, CaptureError::Open { path, cause }.into())
    }

    fn broken(&self, name: &Name, broken: Broken) -> Found {
        let path = (self.rename)(&name.path);
        let error = match broken {
            Broken::Ends => InputError::ArchiveEnds { path },
            Broken::Corrupt => InputError::ArchiveCorrupt { path },
            Broken::Overlaps(member) => InputError::Overlaps { path: (self.rename)(&member_path(&name.path, &member)) },
            Broken::Failed(cause) if Overgrown::is(&cause) => InputError::Growth { path },
            Broken::Failed(cause) => InputError::Archive { path, cause },
        };
        self.failed(name, error)
    }

    fn failed(&self, name: &Name, error: InputError) -> Found {
        Found::Failed(Failed { name: (self.rename)(&name.path), origin: name.origin, error })
    }
}

fn member_path(archive: &str, member: &[u8]) -> String {
    format!("{archive}!{}", visible(&decode(without_dot(member))))
}

pub(crate) fn text(path: &Path) -> String {
    decode(path.as_os_str().as_encoded_bytes()).into_owned()
}
