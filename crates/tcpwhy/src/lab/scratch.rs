//! Where recordings go that nobody keeps.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// The end of its input comes with the end of this process, however that ends; what the last run still writes then is
/// removed too.
const REMOVER: &str = r#"trap '' INT TERM HUP QUIT; cat >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$1"; [ -e "$1" ] || exit 0; sleep 0.1; done"#;

/// A folder for recordings.
#[derive(Debug)]
pub(super) enum Scratch<'a> {
    /// One that the user named, which stays.
    Named(&'a Path),
    /// One that goes with this process.
    Temporary(Temporary),
}

impl<'a> Scratch<'a> {
    /// `named`, else a temporary one.
    pub(super) fn unless(named: Option<&'a Path>) -> Result<Self> {
        named.map_or_else(|| Temporary::new().map(Self::Temporary), |path| Ok(Self::Named(path)))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Temporary(temporary) => temporary.folder.path(),
        }
    }
}

/// Goes when it is dropped, and also if this process is killed: a process of its own waits for that.
#[derive(Debug)]
pub(super) struct Temporary {
    remover: Child,
    folder: TempDir,
}

impl Temporary {
    fn new() -> Result<Self> {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("tcpwhy-").permissions(private).tempdir();
        let folder = folder.context("a folder for the recordings")?;
        let mut remover = Command::new("sh");
        remover.args(["-c", REMOVER, "sh"]).arg(folder.path()).current_dir("/").process_group(0);
        remover.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let remover = remover.spawn().context("starting what removes the recordings")?;
        Ok(Self { remover, folder })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.remover.stdin.take());
        // If it could not, the folder's own drop will try.
        let _ = self.remover.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_with_all_that_is_in_it() {
        let scratch = Scratch::unless(None).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        std::fs::create_dir(path.join("run")).unwrap();
        std::fs::write(path.join("run/truth.json"), "").unwrap();
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
