//! Restricts with Landlock which files may be opened, and whether TCP connections may be made.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use rustix::fs::{FileType, fstat};

/// The newest version whose rights are requested; an older kernel enforces those that it knows.
const NEWEST: ABI = ABI::V6;

/// The null device, and the terminal of this process, which a screen opens.
const NOTHING: &str = "/dev/null";
const TERMINAL: &str = "/dev/tty";

/// Whether the kernel has Landlock and it is turned on.
pub fn is_available() -> bool {
    // A rule set that is not enforced can be created on every kernel. Only a kernel with Landlock returns a
    // descriptor for it.
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::ReadFile)
        .and_then(Ruleset::create)
        .is_ok()
}

/// Allows from now on only to open `read`, and files below, and only to read. With `connects` TCP connections
/// may still be opened; with `has_screen` also the terminal. Returns whether the kernel enforces it.
pub(crate) fn only(read: &[PathBuf], connects: bool, has_screen: bool) -> io::Result<bool> {
    let readable: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    let own = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let own_devices =
        [NOTHING].into_iter().chain(has_screen.then_some(TERMINAL)).map(|device| (Path::new(device), own));
    let all = read.iter().map(|path| (&**path, readable)).chain(own_devices);
    enforce(connects, |mut rules| {
        for (path, access) in all {
            let Ok(open) = PathFd::new(path) else { continue };
            let is_folder = fstat(&open).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
            let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
            // Pipes and unnamed sockets can have no rule, and need none: the kernel allows opening them.
            let _ = (&mut rules).add_rule(PathBeneath::new(open, access));
        }
        Ok(rules)
    })
}

/// Allows from now on only to open, create and remove files in `folder` and its subfolders, and to remove
/// empty folders in `above`. Returns whether the kernel enforces it.
pub(crate) fn only_in(folder: &OwnedFd, above: &[Arc<OwnedFd>]) -> io::Result<bool> {
    let access = AccessFs::ReadFile
        | AccessFs::ReadDir
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::RemoveFile;
    let emptied = above.iter().map(|folder| Ok(PathBeneath::new(folder.as_fd(), AccessFs::RemoveDir)));
    enforce(false, |rules| rules.add_rule(PathBeneath::new(folder, access))?.add_rules(emptied))
}

fn enforce(
    connects: bool,
    rules: impl FnOnce(RulesetCreated) -> Result<RulesetCreated, RulesetError>,
) -> io::Result<bool> {
    let begun = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let mut bounded = begun.handle_access(AccessFs::from_all(NEWEST));
    if !connects {
        bounded = bounded.and_then(|bounded| bounded.handle_access(AccessNet::from_all(NEWEST)));
    }
    let status = bounded
        .and_then(|bounded| bounded.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .and_then(rules)
        .and_then(RulesetCreated::restrict_self)
        .map_err(io::Error::other)?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
