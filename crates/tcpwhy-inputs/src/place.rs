use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::pattern::Pattern;

/// Inputs that one command-line argument names.
#[derive(Clone, Debug)]
pub struct Place(pub(crate) Kind);

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// The argument `-`.
    StandardInput,
    /// A file or a folder, which need not exist.
    Path(PathBuf),
    /// A pattern, and the argument.
    Pattern(Pattern, PathBuf),
    /// One member of an archive, by its name in a listing.
    Member { archive: PathBuf, member: String, typed: PathBuf },
}

impl Place {
    /// The inputs that `typed` names. An existing file takes precedence over a pattern and a member.
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

    /// The file or folder to read, including everything below.
    pub fn root(&self) -> Option<&Path> {
        match &self.0 {
            Kind::StandardInput => None,
            Kind::Path(path) => Some(path),
            Kind::Pattern(pattern, _) => Some(&pattern.root),
            Kind::Member { archive, .. } => Some(archive),
        }
    }

    /// Whether it is standard input.
    pub const fn is_standard_input(&self) -> bool {
        matches!(self.0, Kind::StandardInput)
    }

    /// Whether it may name several files, apart from members of archives.
    pub fn has_several(&self) -> bool {
        match &self.0 {
            Kind::Path(path) => path.is_dir(),
            Kind::Pattern(..) => true,
            Kind::StandardInput | Kind::Member { .. } => false,
        }
    }
}

/// The spelling of `path` in names and tables: without `.`, double `/` and final `/`. `..` and links stay,
/// because their meaning depends on the file system.
pub fn normal_form(path: &Path) -> PathBuf {
    let parts = || path.components().skip_while(|&part| part == Component::CurDir);
    // `./-` is a file, but `-` is standard input.
    let is_bare = parts().next().is_some_and(|first| !first.as_os_str().as_encoded_bytes().starts_with(b"-"));
    if is_bare { parts().collect() } else { path.components().collect() }
}

/// Splits `archive!member` if the archive is a file.
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
            // `..` after a link may lead elsewhere.
            ("a/../b", "a/../b"),
            ("./..", ".."),
            // Without `./`, these would be an option or standard input.
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
