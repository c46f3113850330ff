//! Rights that are given up once they are not needed any more.
//!
//! Linux counts rights by thread: what is given up here is given up by the calling thread and by every thread and program that
//! it starts from then on. Nothing gets them back: neither the user 0 nor a set-user-ID file (`PR_SET_NO_NEW_PRIVS`).

use std::fs;
use std::io;
use std::path::Path;
use std::thread;

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

/// A right that a thread may still need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// To read and to write files whoever owns them, as root may (`CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH`).
    AnyFile,
    /// To read files whoever owns them, and to write none of others (`CAP_DAC_READ_SEARCH`).
    ReadAnyFile,
    /// To enter namespaces of others (`CAP_SYS_ADMIN`).
    EnterNamespaces,
    /// To look into other users' processes: which files they have open (`CAP_SYS_PTRACE`).
    OtherProcesses,
    /// To end processes of another user (`CAP_KILL`).
    EndProcesses,
    /// To ask BPF programs that are loaded (`CAP_BPF`, `CAP_PERFMON`): before Linux 5.19 every call takes them.
    Bpf,
    /// To go before ordinary threads (`CAP_SYS_NICE`).
    RealTime,
}

impl Right {
    const fn capabilities(self) -> CapabilitySet {
        match self {
            Self::AnyFile => CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::DAC_READ_SEARCH),
            Self::ReadAnyFile => CapabilitySet::DAC_READ_SEARCH,
            Self::EnterNamespaces => CapabilitySet::SYS_ADMIN,
            Self::OtherProcesses => CapabilitySet::SYS_PTRACE,
            Self::EndProcesses => CapabilitySet::KILL,
            Self::Bpf => CapabilitySet::BPF.union(CapabilitySet::PERFMON),
            Self::RealTime => CapabilitySet::SYS_NICE,
        }
    }
}

/// Gives up all rights of this thread but these, as far as it has them.
///
/// # Errors
/// If the kernel refuses, which it has no reason to.
pub fn keep_only(kept: &[Right]) -> io::Result<()> {
    let kept = kept.iter().fold(CapabilitySet::empty(), |all, right| all | right.capabilities());
    bound(kept);
    set_no_new_privs(true)?;
    // A kernel before 4.3 has no ambient set.
    let _ = clear_ambient_capability_set();
    let kept = kept & capabilities(None)?.permitted;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    Ok(set_capabilities(None, sets)?)
}

/// `kept`, and [`Right::AnyFile`] if files could not be written to `folder` with these alone.
pub fn enough_to_write(kept: &[Right], folder: Option<&Path>) -> Vec<Right> {
    let can_write = |folder: &Path| {
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        accessat(CWD, folder, wanted, AtFlags::EACCESS).is_ok()
    };
    let is_enough = folder.is_none_or(|folder| {
        // Rights are a thread's: this one tries it.
        thread::scope(|scope| scope.spawn(|| keep_only(kept).is_ok() && can_write(folder)).join().unwrap_or(false))
    });
    let more = (!is_enough).then_some(Right::AnyFile);
    kept.iter().copied().chain(more).collect()
}

/// Takes what could ever be had down to `kept`.
fn bound(kept: CapabilitySet) {
    // A newer kernel has more than the names known here; it says EINVAL behind its last one. Without CAP_SETPCAP nothing can be
    // taken from the bounding set, and without new privileges nothing can come of it either.
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if !kept.contains(one) {
            let _ = remove_capability_from_bounding_set(one);
        }
    }
}

/// Whether this process may do more than an ordinary user's: by its user or by capabilities of its own.
pub fn is_privileged() -> bool {
    rustix::process::geteuid().is_root() || capabilities(None).is_ok_and(|sets| !sets.permitted.is_empty())
}

/// `nobody` and `nogroup` of every distribution; also what the kernel shows for a user that a namespace does not know.
const NOBODY: u32 = 65_534;

/// Whose processes programs of others are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Whoever asked for the run.
    Own,
    /// A user who owns nothing: root's programs need not be root's.
    Nobody,
}

impl Identity {
    /// For programs of others: not root, where there is another user. A user namespace with one user in it has none, and whoever
    /// made that is not root outside of it.
    pub(crate) fn of_foreign() -> Self {
        let is_mapped = |file: &str| fs::read_to_string(file).is_ok_and(|text| maps(&text, NOBODY));
        let has_other = is_mapped("/proc/self/uid_map") && is_mapped("/proc/self/gid_map");
        if rustix::process::geteuid().is_root() && has_other { Self::Nobody } else { Self::Own }
    }

    /// Makes this thread that user's, with what it starts. Another user has no capabilities, and could have none.
    pub(crate) fn assume(self) -> io::Result<()> {
        if self == Self::Own {
            return Ok(());
        }
        let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        // The right to do this goes with the user.
        bound(CapabilitySet::empty());
        set_thread_groups(&[])?;
        set_thread_res_gid(gid, gid, gid)?;
        Ok(set_thread_res_uid(uid, uid, uid)?)
    }

    /// Gives `path` to that user.
    pub(crate) fn own(self, path: &std::path::Path) -> io::Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Nobody => std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)),
        }
    }
}

/// Whether a `uid_map` has `id` among those inside: lines of first inside, first outside, count (`user_namespaces(7)`).
fn maps(text: &str, id: u32) -> bool {
    text.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        matches!(numbers[..], [inside, _, count] if (inside..inside.saturating_add(count)).contains(&u64::from(id)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_known_in_a_namespace() {
        assert!(maps("         0          0 4294967295\n", NOBODY), "the first one");
        assert!(!maps("0 1000 1\n", NOBODY), "of one user");
        assert!(maps("0 1000 1\n1 100000 65536\n", NOBODY));
        assert!(!maps("", NOBODY) && !maps("x y z\n", NOBODY));
    }

    /// On a thread of its own, whose rights are not the others'.
    #[test]
    fn what_is_given_up_is_gone_for_programs_too() {
        let status = std::thread::spawn(|| {
            keep_only(&[Right::RealTime]).unwrap();
            let mine = fs::read_to_string("/proc/thread-self/status").unwrap();
            let program = std::process::Command::new("cat").arg("/proc/self/status").output().unwrap();
            (mine, String::from_utf8(program.stdout).unwrap())
        });
        let (mine, programs) = status.join().unwrap();
        let field = |status: &str, name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            u64::from_str_radix(line.rsplit('\t').next().unwrap(), 16).unwrap()
        };
        for status in [&mine, &programs] {
            assert_eq!(field(status, "NoNewPrivs:"), 1);
            for set in ["CapEff:", "CapPrm:"] {
                assert_eq!(field(status, set) & !CapabilitySet::SYS_NICE.bits(), 0, "{set} {status}");
            }
            if rustix::process::geteuid().is_root() {
                assert_eq!(field(status, "CapBnd:"), CapabilitySet::SYS_NICE.bits(), "{status}");
            }
        }
    }

    /// As root: a folder of another user's takes the right to any file, one's own does not.
    #[test]
    fn writing_takes_no_more_than_it_needs() {
        let kept = [Right::ReadAnyFile];
        let own = tempfile::tempdir().unwrap();
        assert_eq!(enough_to_write(&kept, Some(own.path())), kept);
        assert_eq!(enough_to_write(&kept, None), kept);
        if !rustix::process::geteuid().is_root() {
            return eprintln!("skipped: only root may give a folder away");
        }
        let foreign = tempfile::tempdir().unwrap();
        rustix::fs::chown(foreign.path(), Some(Uid::from_raw(NOBODY)), None).unwrap();
        assert_eq!(enough_to_write(&kept, Some(foreign.path())), [Right::ReadAnyFile, Right::AnyFile]);
        // And that is enough.
        let path = foreign.path().join("file");
        std::thread::spawn(move || {
            keep_only(&[Right::ReadAnyFile, Right::AnyFile]).unwrap();
            fs::write(path, "x").unwrap();
        })
        .join()
        .unwrap();
    }
}
