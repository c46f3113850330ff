//! What the run needs no longer, once its namespaces, devices and sockets are there.
#![allow(
    unsafe_code,
    reason = "mount_setattr and FD_CLOEXEC of a descriptor by number have no safe wrapper in rustix or nix"
)]

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use crate::LabError;
use crate::rights::{self, Right};

/// `MOUNT_ATTR_RDONLY` of `linux/mount.h`.
const READ_ONLY: u64 = 1;

/// `struct mount_attr` of `linux/mount.h`.
#[derive(Default)]
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Makes everything that this process sees of the machine's files read-only, but `writable`, and gives up this thread's rights:
/// what is left is to wait, to end programs and to write what came of the run.
pub(super) fn seal(writable: &[PathBuf]) -> Result<(), LabError> {
    let failed = |what: &str, error: io::Error| LabError::io(what, error);
    read_only(writable).map_err(|error| failed("mounting read-only", error))?;
    rights::keep_only(&[Right::AnyFile, Right::EndProcesses]).map_err(|error| failed("giving up rights", error))?;
    // Programs of the same user could write into this process otherwise, or into its pipe.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| failed("giving up rights", error.into()))
}

/// A kernel before 5.12, or a container that forbids it, leaves it at what users and permissions allow.
fn read_only(writable: &[PathBuf]) -> io::Result<()> {
    // A mount that had been read-only before the run stays so.
    let was_writable = |path: &&PathBuf| {
        use rustix::fs::{StatVfsMountFlags, statvfs};
        statvfs(path.as_path()).is_ok_and(|stat| !stat.f_flag.contains(StatVfsMountFlags::RDONLY))
    };
    let writable: Vec<&PathBuf> = writable.iter().filter(was_writable).collect();
    let all = MountAttributes { set: READ_ONLY, ..MountAttributes::default() };
    match set_attributes(Path::new("/"), libc::AT_RECURSIVE as u32, &all) {
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => return Ok(()),
        result => result?,
    }
    let one = MountAttributes { clear: READ_ONLY, ..MountAttributes::default() };
    writable.into_iter().try_for_each(|path| set_attributes(path, 0, &one))
}

fn set_attributes(path: &Path, flags: u32, attributes: &MountAttributes) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: a string that ends with 0 and a struct of the size that is given; both outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            std::ptr::from_ref(attributes),
            size_of::<MountAttributes>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Lets no file that whoever started this had open reach programs: those know none but their standard streams.
pub(super) fn close_others_on_exec() -> io::Result<()> {
    let numbers: Vec<RawFd> = fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&number| number > libc::STDERR_FILENO)
        .collect();
    for number in numbers {
        // SAFETY: FD_CLOEXEC changes nothing for this process; a number that is none of a file any more is refused.
        let _ = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    Ok(())
}
