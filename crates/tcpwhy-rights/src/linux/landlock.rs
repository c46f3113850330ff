//! Which files may be opened, and whether others may be connected to: Landlock.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use rustix::fs::{FileType, fstat};

/// The newest version whose rights are asked for; an older kernel enforces those that it knows.
const NEWEST: ABI = ABI::V6;

/// What is thrown away, and the terminal of this process, which a screen opens.
const NOTHING: &str = "/dev/null";
const TERMINAL: &str = "/dev/tty";

/// Whether the kernel has Landlock and it is turned on.
pub fn is_available() -> bool {
    // Rules that nobody enforces can be made on every kernel: only a kernel with Landlock gives a descriptor for them.
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::ReadFile)
        .and_then(Ruleset::create)
        .is_ok()
}

/// From now on only `read`, and what is below, may be opened, and only to read. `connects`: TCP connections
/// may still be opened; `has_screen`: so may the terminal. Returns whether the kernel enforces it.
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
            // Pipes and sockets without a name can have no rule, and need none: the kernel lets them be opened.
            let _ = (&mut rules).add_rule(PathBeneath::new(open, access));
        }
        Ok(rules)
    })
}

/// From now on only files in `folder`, and in those below, may be opened, made and removed, and in `above` empty folders removed. Returns whether the kernel enforces it.
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
