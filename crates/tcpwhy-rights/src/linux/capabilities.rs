//! Capabilities and users.
//!
//! In Linux they belong to threads. The calling thread gives up rights for itself and for every thread and
//! program that it starts from then on.

use std::fs;
use std::io;
use std::path::Path;

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_keep_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use crate::Capability;

impl Capability {
    const fn bits(self) -> CapabilitySet {
        match self {
            Self::AnyFile => CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::DAC_READ_SEARCH),
            Self::ReadAnyFile => CapabilitySet::DAC_READ_SEARCH,
            Self::GiveFiles => CapabilitySet::CHOWN,
            Self::EnterNamespaces => CapabilitySet::SYS_ADMIN,
            Self::OtherProcesses => CapabilitySet::SYS_PTRACE,
            Self::EndProcesses => CapabilitySet::KILL,
            Self::Bpf => CapabilitySet::BPF.union(CapabilitySet::PERFMON),
            Self::ServeAsRoot => CapabilitySet::CHOWN
                .union(CapabilitySet::FOWNER)
                .union(CapabilitySet::FSETID)
                .union(CapabilitySet::DAC_OVERRIDE)
                .union(CapabilitySet::SETUID)
                .union(CapabilitySet::SETGID)
                .union(CapabilitySet::KILL)
                .union(CapabilitySet::SYS_CHROOT)
                .union(CapabilitySet::AUDIT_WRITE)
                .union(CapabilitySet::NET_BIND_SERVICE)
                .union(CapabilitySet::NET_ADMIN)
                .union(CapabilitySet::NET_RAW),
            Self::RealTime => CapabilitySet::SYS_NICE,
        }
    }
}

fn union(kept: &[Capability]) -> CapabilitySet {
    kept.iter().fold(CapabilitySet::empty(), |all, one| all | one.bits())
}

/// Gives up all capabilities of this thread except `kept`, of which it keeps those that it has.
///
/// # Errors
/// Fails if the kernel refuses, for which it has no known reason.
pub fn keep_only(kept: &[Capability]) -> io::Result<()> {
    let kept = union(kept);
    bound(kept);
    set_no_new_privs(true)?;
    // A kernel before 4.3 has no ambient set.
    let _ = clear_ambient_capability_set();
    let kept = kept & capabilities(None)?.permitted;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    Ok(set_capabilities(None, sets)?)
}

/// Does the same, and makes a thread of root one of an unprivileged user: the caller of sudo, else `nobody`.
/// The kernel then also keeps other processes of that user from accessing this one (`PR_SET_DUMPABLE`,
/// prctl(2)).
///
/// # Errors
/// Fails if the kernel refuses. If root may not change users (a user namespace of one user, no
/// `CAP_SETUID`), it stays root without the other capabilities.
pub(crate) fn leave_root(kept: &[Capability]) -> io::Result<()> {
    // The bounding set must be reduced while the thread has the right to do so.
    bound(union(kept));
    let able = CapabilitySet::SETUID | CapabilitySet::SETGID;
    if geteuid().is_root() && capabilities(None)?.effective.contains(able) {
        let identity = caller().unwrap_or(Identity::Other { uid: NOBODY, gid: NOBODY });
        if identity.is_mapped() {
            set_keep_capabilities(true)?;
            identity.change_user()?;
            set_keep_capabilities(false)?;
        }
    }
    keep_only(kept)
}

/// The ordinary user who called sudo, if this is root for one.
pub fn caller() -> Option<Identity> {
    let id = |name: &str| digits(&std::env::var(name).ok()?)?.parse().ok().filter(|&id| id != ROOT && id != u32::MAX);
    let (uid, gid) = (id("SUDO_UID")?, id("SUDO_GID")?);
    geteuid().is_root().then_some(Identity::Other { uid, gid })
}

/// `text`, if it is a number as sudo writes it.
fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

/// Runs `works` with only `kept` of the capabilities of this thread.
///
/// # Errors
/// Fails if the kernel refuses to change the effective capabilities.
pub fn try_with<T>(kept: &[Capability], works: impl FnOnce() -> T) -> io::Result<T> {
    let before = capabilities(None)?;
    set_capabilities(None, CapabilitySets { effective: union(kept) & before.permitted, ..before })?;
    let result = works();
    set_capabilities(None, before)?;
    Ok(result)
}

/// Reduces the bounding set, which limits later capabilities, to `kept`.
fn bound(kept: CapabilitySet) {
    // A newer kernel has more capabilities than are named here, so all bits are tried; beyond the last one
    // the kernel returns EINVAL. Without CAP_SETPCAP the bounding set cannot be reduced, but without new
    // privileges it has no effect either.
    for bit in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if !kept.contains(one) {
            let _ = remove_capability_from_bounding_set(one);
        }
    }
}

/// Whether this process has more rights than an ordinary user's, by its user or by its own capabilities.
pub fn is_privileged() -> bool {
    geteuid().is_root() || capabilities(None).is_ok_and(|sets| !sets.permitted.is_empty())
}

const ROOT: u32 = 0;
/// `nobody` and `nogroup` of every distribution; the kernel also shows this id for a user that a namespace
/// does not know.
const NOBODY: u32 = 65_534;

/// User of foreign programs, and of threads that access other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The user that started this process.
    Own,
    /// Another user.
    Other {
        /// User.
        uid: u32,
        /// Group, the only one.
        gid: u32,
    },
}

impl Identity {
    /// User for foreign programs: not root, if there is another user. A user namespace with a single user has
    /// none, and its creator is not root outside of it.
    pub fn of_foreign() -> Self {
        let nobody = Self::Other { uid: NOBODY, gid: NOBODY };
        if geteuid().is_root() && nobody.is_mapped() { nobody } else { Self::Own }
    }

    /// Whether this user namespace has such a user.
    fn is_mapped(self) -> bool {
        let Self::Other { uid, gid } = self else { return true };
        let is_mapped = |file: &str, id| fs::read_to_string(file).is_ok_and(|text| maps(&text, id));
        is_mapped("/proc/self/uid_map", uid) && is_mapped("/proc/self/gid_map", gid)
    }

    /// Changes this thread, and processes that it starts, to that user. Another user has no capabilities, and
    /// cannot gain any.
    ///
    /// # Errors
    /// Fails if the kernel refuses.
    pub fn assume(self) -> io::Result<()> {
        if self == Self::Own {
            return Ok(());
        }
        // The change of user removes the capability for this, so this comes first.
        bound(CapabilitySet::empty());
        self.change_user()
    }

    fn change_user(self) -> io::Result<()> {
        let Self::Other { uid, gid } = self else { return Ok(()) };
        let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
        set_thread_groups(&[])?;
        set_thread_res_gid(gid, gid, gid)?;
        Ok(set_thread_res_uid(uid, uid, uid)?)
    }

    /// Makes that user the owner of `path`.
    ///
    /// # Errors
    /// Fails if the kernel refuses.
    pub fn own(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Other { uid, gid } => std::os::unix::fs::chown(path, Some(uid), Some(gid)),
        }
    }
}

/// Whether a `uid_map` contains `id` as an inside id. Its lines are: first inside, first outside, count
/// (`user_namespaces(7)`).
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

    /// Uses a thread of its own, whose rights are separate.
    #[test]
    fn what_is_given_up_is_gone_for_programs_too() {
        let status = std::thread::spawn(|| {
            keep_only(&[Capability::RealTime]).unwrap();
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
            if geteuid().is_root() {
                assert_eq!(field(status, "CapBnd:"), CapabilitySet::SYS_NICE.bits(), "{status}");
            }
        }
    }
}
