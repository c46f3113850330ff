use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::pattern::Pattern;

/// What one word of the command line stands for.
#[derive(Clone, Debug)]
pub struct Place(pub(crate) Kind);

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `-`.
    StandardInput,
    /// A file or a folder, if there is one.
    Path(PathBuf),
    /// Several files.
    Pattern(Pattern, PathBuf),
    /// One member of an archive, as listings name it.
    Member { archive: PathBuf, member: String, typed: PathBuf },
}

impl Place {
    /// What `typed` stands for. The name of a file that is there always stands for that file.
    pub fn of(typed: &Path) -> Self {
        if typed == Path::new("-") {
            return Self(Kind::StandardInput);
        }
        let typed = &normal_form(typed);
        if fs::symlink_metadata(typed).is_ok() {
            return Self(Kind::Path(typed.to_owned()));
        }
        if let Some((archive, member)) = member_of(typed) {
            return Self(Kind::Member { archive, member, typed: typed.to_owned() });
        }
        match Pattern::of(typed) {
            Some(pattern) => Self(Kind::Pattern(pattern, typed.to_owned())),
            None => Self(Kind::Path(typed.to_owned())),
        }
    }

    /// The file or folder to read, with all that is below it.
    pub fn root(&self) -> Option<&Path> {
        match &self.0 {
            Kind::StandardInput => None,
            Kind::Path(path) => Some(path),
            Kind::Pattern(pattern, _) => Some(&pattern.root),
            Kind::Member { archive, .. } => Some(archive),
        }
    }

    /// Whether it stands for standard input.
    pub const fn is_standard_input(&self) -> bool {
        matches!(self.0, Kind::StandardInput)
    }

    /// Whether it may stand for several files, besides those in archives.
    pub fn has_several(&self) -> bool {
        match &self.0 {
            Kind::Path(path) => path.is_dir(),
            Kind::Pattern(..) => true,
            Kind::StandardInput | Kind::Member { .. } => false,
        }
    }
}

/// The one spelling of `path` that names and tables have: without `.`, doubled `/` and `/` at the end. `..`
/// and links stay, since what they mean depends on the file system.
pub fn normal_form(path: &Path) -> PathBuf {
    let parts = || path.components().skip_while(|&part| part == Component::CurDir);
    // `./-` is a file, and `-` standard input.
    let is_bare = parts().next().is_some_and(|first| !first.as_os_str().as_encoded_bytes().starts_with(b"-"));
    if is_bare { parts().collect() } else { path.components().collect() }
}

/// `archive!member`, where the archive is a file.
fn member_of(typed: &Path) -> Option<(PathBuf, String)> {
    let text = typed.to_str()?;
    text.match_indices('!').find_map(|(at, mark)| {
        let archive = Path::new(text.get(..at)?);
        let member = text.get(at + mark.len()..)?;
        (archive.is_file() && !member.is_empty()).then(|| (archive.to_owned(), member.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_spelling() {
        for (typed, one) in [
            ("./a", "a"),
            ("././a/./b//c/", "a/b/c"),
            ("a/", "a"),
            ("/a//b/.", "/a/b"),
            (".", "."),
            ("./", "."),
            // Links decide what is above them.
            ("a/../b", "a/../b"),
            ("./..", ".."),
            // Options and standard input begin so.
            ("./-", "./-"),
            ("./-r/a", "./-r/a"),
            ("", ""),
        ] {
            assert_eq!(normal_form(Path::new(typed)), Path::new(one), "{typed}");
            assert_eq!(normal_form(Path::new(one)).as_os_str(), Path::new(one).as_os_str(), "{one}");
            assert_eq!(normal_form(Path::new(typed)).as_os_str(), one, "{typed}");
        }
    }
}
