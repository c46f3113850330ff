//! Temporary folders for recordings.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tcpwhy_model::foreign::visible;

use crate::message::failure;
use crate::wrong::{Context as _, Result, bail};

/// Creates and prints the folder itself, so that no folder exists without a process to remove it. Its input
/// ends with the parent process, even if that is killed. Files that the last run writes after that are
/// removed, too.
const REMOVER: &str = r#"trap '' INT TERM HUP QUIT PIPE
folder=$(mktemp -d "$1/tcpwhy-XXXXXXXX" 2>/dev/null) || exit 1
printf '%s' "$folder"
exec >/dev/null 2>&1
cat
for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$folder"; [ -e "$folder" ] || exit 0; sleep 0.1; done"#;

/// A folder for recordings.
#[derive(Debug)]
pub(crate) enum Scratch<'a> {
    /// A folder that the user named, which stays.
    Named(&'a Path),
    /// A folder that is removed at the end of this process.
    Temporary(Temporary),
}

impl<'a> Scratch<'a> {
    /// `named`, by default a temporary folder.
    pub(crate) fn unless(named: Option<&'a Path>) -> Result<Self> {
        named.map_or_else(|| Temporary::new().map(Self::Temporary), |path| Ok(Self::Named(path)))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Temporary(temporary) => &temporary.folder,
        }
    }
}

/// A folder that is removed on drop. A separate process removes it even if this one is killed.
#[derive(Debug)]
pub(crate) struct Temporary {
    remover: Child,
    folder: PathBuf,
}

impl Temporary {
    fn new() -> Result<Self> {
        let place = std::path::absolute(std::env::temp_dir()).context(failure("temporary-folder"))?;
        let mut remover = Command::new("sh");
        remover.args(["-c", REMOVER, "sh"]).arg(&place).current_dir("/").process_group(0);
        remover.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut remover = remover.spawn().context(failure("starting-remover"))?;
        let mut path = Vec::new();
        if let Some(mut said) = remover.stdout.take() {
            said.read_to_end(&mut path).context(failure("recordings-folder"))?;
        }
        if path.is_empty() {
            bail!(failure("no-recordings-folder").with("folder", visible(&place.to_string_lossy()).into_owned()));
        }
        Ok(Self { remover, folder: OsString::from_vec(path).into() })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.remover.stdin.take());
        let _ = self.remover.wait();
        // In case the process could not remove it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn goes_with_all_that_is_in_it() {
        let scratch = Scratch::unless(None).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        fs::create_dir(path.join("run")).unwrap();
        fs::write(path.join("run/truth.json"), "").unwrap();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn a_named_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        drop(Scratch::unless(Some(folder.path())).unwrap());
        assert!(folder.path().exists());
    }
}
