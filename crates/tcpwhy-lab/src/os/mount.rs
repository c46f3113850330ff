//! Attributes of mounts.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

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

/// The mounts that a change affects in addition to the mount itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// All mounts below it.
    Included,
    /// No other mount.
    Left,
}

/// Makes the mount of `path` read-only or writable, in this mount namespace only. `mount_setattr(2)`, Linux
/// 5.12 or later.
pub(crate) fn set_read_only(path: &Path, is_read_only: bool, below: Below) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let flags = match below {
        Below::Included => libc::AT_RECURSIVE,
        Below::Left => 0,
    };
    let [set, clear] = if is_read_only { [READ_ONLY, 0] } else { [0, READ_ONLY] };
    let attributes = MountAttributes { set, clear, ..MountAttributes::default() };
    // SAFETY: a string that ends with 0 and a struct of the given size; both outlive the call, which reads
    // them.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            std::ptr::from_ref(&attributes),
            size_of::<MountAttributes>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
