//! Refuses system calls by a filter of seccomp(2).
//!
//! The filter lists refused calls, not allowed ones. C libraries and kernels use different calls for the same
//! purpose, and a call that is missing in a list of allowed ones breaks a program on an untested machine.
//! Calls newer than this file are refused as if the kernel did not have them (`ENOSYS`). Libraries then fall
//! back to older ones.
#![allow(unsafe_code, reason = "no library installs a filter that bounds the numbers of calls")]

use std::io;

use libc::c_long;

use super::filter::{Refusal, When, program};
use crate::{Calls, Files, Grant, Network};

/// The last call of Linux 6.18 (`file_setattr`, `scripts/syscall.tbl`). From 424 on the numbers are the same
/// for all architectures.
const LAST_KNOWN: u32 = 469;

/// Calls that change rights, run programs, or access other processes and the kernel.
const REFUSED: &[c_long] = &[
    // Start of programs, and access to the memory of others.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    unified::PROCESS_MADVISE,
    libc::SYS_unshare,
    // Signals to other processes, and objects shared with them.
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    unified::PIDFD_SEND_SIGNAL,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Observation of files, and changes of the current and root folder.
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_personality,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    // Calls that the kernel's threads make for a process pass no filter.
    unified::IO_URING_SETUP,
    unified::IO_URING_ENTER,
    unified::IO_URING_REGISTER,
    // Mounts and file systems of the machine.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    unified::OPEN_TREE,
    unified::MOVE_MOUNT,
    unified::FSOPEN,
    unified::FSCONFIG,
    unified::FSMOUNT,
    unified::FSPICK,
    unified::MOUNT_SETATTR,
    unified::QUOTACTL_FD,
    unified::OPEN_TREE_ATTR,
    // Owners and permissions by name: Landlock does not bound these, and user 0 owns most files.
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_utimensat,
    unified::FCHMODAT2,
    unified::SETXATTRAT,
    unified::REMOVEXATTRAT,
    unified::FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    // Configuration of the machine.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Numbers that all architectures share (`scripts/syscall.tbl` of Linux): headers of C libraries lack the
/// newest ones.
mod unified {
    use libc::c_long;

    pub(super) const IO_URING_SETUP: c_long = 425;
    pub(super) const IO_URING_ENTER: c_long = 426;
    pub(super) const IO_URING_REGISTER: c_long = 427;
    pub(super) const OPEN_TREE: c_long = 428;
    pub(super) const MOVE_MOUNT: c_long = 429;
    pub(super) const FSOPEN: c_long = 430;
    pub(super) const FSCONFIG: c_long = 431;
    pub(super) const FSMOUNT: c_long = 432;
    pub(super) const FSPICK: c_long = 433;
    pub(super) const PIDFD_SEND_SIGNAL: c_long = 424;
    pub(super) const CLONE3: c_long = 435;
    pub(super) const PIDFD_OPEN: c_long = 434;
    pub(super) const OPENAT2: c_long = 437;
    pub(super) const PIDFD_GETFD: c_long = 438;
    pub(super) const PROCESS_MADVISE: c_long = 440;
    pub(super) const MOUNT_SETATTR: c_long = 442;
    pub(super) const QUOTACTL_FD: c_long = 443;
    pub(super) const FCHMODAT2: c_long = 452;
    pub(super) const SETXATTRAT: c_long = 463;
    pub(super) const REMOVEXATTRAT: c_long = 466;
    pub(super) const OPEN_TREE_ATTR: c_long = 467;
    pub(super) const FILE_SETATTR: c_long = 469;
}

/// Calls that change permissions or owner of an open file: the input is an open file.
const OF_OPEN_FILES: &[c_long] = &[libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_fsetxattr, libc::SYS_fremovexattr];

/// Calls that create, move and remove files by name.
const CHANGES_BY_NAME: &[c_long] = &[
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    libc::SYS_renameat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
];

/// Flags of `open` for a file that may be changed.
const TO_WRITE: i32 = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;

/// Permissions that make a program run as its owner.
const SPECIAL: u32 = 0o7000;

/// Flags of `clone` for new namespaces, in which a process has all capabilities
/// (`include/uapi/linux/sched.h`).
const NEW_NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// Requests of `ioctl` that read settings, size and content of terminals and sockets. Other ones change files
/// lastingly (`FS_IOC_SETFLAGS`), type into terminals (`TIOCSTI`) or show a host's addresses (`SIOCGIFCONF`).
const ASKED: &[u32] = &[
    libc::TCGETS as u32,
    libc::TCSETS as u32,
    libc::TCSETSW as u32,
    libc::TCSETSF as u32,
    libc::TCGETS2 as u32,
    libc::TCSETS2 as u32,
    libc::TCSETSW2 as u32,
    libc::TCSETSF2 as u32,
    libc::TIOCGWINSZ as u32,
    libc::TIOCGPGRP as u32,
    libc::FIONREAD as u32,
    libc::FIONBIO as u32,
    libc::FIOCLEX as u32,
];

/// Commands that choose the signal and its receiver for an open file (`include/uapi/asm-generic/fcntl.h`).
const F_SETSIG: i32 = 10;
const F_SETOWN_EX: i32 = 15;

/// `PR_SET_PTRACER` (`include/uapi/linux/prctl.h`).
const PR_SET_PTRACER: u32 = 0x5961_6d61;

/// Size of `struct sockaddr_nl`: a useful address of another family is longer, except short paths.
const NETLINK_ADDRESS: u32 = 12;

/// Mask of a socket's type without its flags.
const OF_TYPES: u32 = 0xf;

impl Calls {
    /// Calls that are refused in addition to [`REFUSED`].
    fn refused(self) -> Vec<Refusal> {
        let mut refused = Vec::new();
        if !self.looks_into_processes {
            refused.extend([unified::PIDFD_OPEN, unified::PIDFD_GETFD].map(Refusal::of));
        }
        if !self.asks_bpf {
            refused.push(Refusal::of(libc::SYS_bpf));
        }
        let network = vec![libc::CLONE_NEWNET as u32];
        refused.push(if self.enters_namespaces {
            Refusal::if_argument(libc::SYS_setns, When::IsNone { argument: 1, mask: u32::MAX, allowed: network })
        } else {
            Refusal::of(libc::SYS_setns)
        });
        refused
    }
}

impl Network {
    /// Calls that would reach other peers.
    fn refused(self) -> Vec<Refusal> {
        let only = |call, argument, mask, value: i32| {
            Refusal::if_argument(call, When::IsNone { argument, mask, allowed: vec![value as u32] })
        };
        let mut refused = vec![
            // Datagram sockets of a pair may send to any other socket by its path.
            only(libc::SYS_socketpair, 0, u32::MAX, libc::AF_UNIX),
            only(libc::SYS_socketpair, 1, OF_TYPES, libc::SOCK_STREAM),
            // A packet socket could see more packets, or others.
            Refusal::if_argument(
                libc::SYS_setsockopt,
                When::IsOne { argument: 1, refused: vec![libc::SOL_PACKET as u32] },
            ),
            Refusal::of(libc::SYS_listen),
        ];
        // A listening socket can be shut down and then connect, or send its first data with the SYN (TCP Fast
        // Open).
        let fast_open =
            [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)].map(|(call, argument)| {
                Refusal::if_argument(call, When::HasAny { argument, bits: libc::MSG_FASTOPEN as u32 })
            });
        refused.extend(fast_open);
        refused.extend(self.refused_sockets());
        match self {
            // TCP Fast Open may not be turned on either.
            Self::NameServers => refused.push(Refusal::if_argument(
                libc::SYS_setsockopt,
                When::IsOne { argument: 1, refused: vec![libc::IPPROTO_TCP as u32] },
            )),
            Self::Kernel => {
                let netlink = vec![NETLINK_ADDRESS];
                let others = When::IsNone { argument: 2, mask: u32::MAX, allowed: netlink };
                refused.push(Refusal::if_argument(libc::SYS_connect, others));
            }
            Self::Nobody | Self::Callers => refused.push(Refusal::of(libc::SYS_connect)),
        }
        if self != Self::NameServers {
            refused.push(Refusal::if_argument(libc::SYS_sendto, When::IsGiven { argument: 4 }));
        }
        if self != Self::NameServers {
            refused.push(Refusal::of(libc::SYS_bind));
        }
        if self != Self::Callers {
            refused.extend([libc::SYS_accept, libc::SYS_accept4].map(Refusal::of));
        }
        refused
    }

    /// All kinds of sockets except those for the granted network.
    fn refused_sockets(self) -> Vec<Refusal> {
        let allowed: [(u32, u32, &[i32]); 3] = match self {
            Self::Kernel => [
                (0, u32::MAX, &[libc::AF_NETLINK]),
                (1, OF_TYPES, &[libc::SOCK_RAW]),
                (2, u32::MAX, &[libc::NETLINK_SOCK_DIAG]),
            ],
            Self::NameServers => [
                (0, u32::MAX, &[libc::AF_INET, libc::AF_INET6]),
                (1, OF_TYPES, &[libc::SOCK_DGRAM, libc::SOCK_STREAM]),
                (2, u32::MAX, &[libc::IPPROTO_IP, libc::IPPROTO_TCP, libc::IPPROTO_UDP]),
            ],
            Self::Nobody | Self::Callers => return vec![Refusal::of(libc::SYS_socket)],
        };
        let refusal = |(argument, mask, allowed): (u32, u32, &[i32])| {
            let allowed = allowed.iter().map(|&value| value as u32).collect();
            Refusal::if_argument(libc::SYS_socket, When::IsNone { argument, mask, allowed })
        };
        allowed.into_iter().map(refusal).collect()
    }
}

/// Calls that change how another process runs, and which argument names it; 0 is the caller.
const OF_A_PROCESS: [(c_long, u32); 9] = [
    (libc::SYS_prlimit64, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_migrate_pages, 0),
    (libc::SYS_move_pages, 0),
];

/// Calls that are refused for some of their arguments.
fn by_argument(calls: Calls) -> Vec<Refusal> {
    let own = std::process::id();
    let only = |call, argument, allowed: &[u32]| {
        Refusal::if_argument(call, When::IsNone { argument, mask: u32::MAX, allowed: allowed.to_vec() })
    };
    let none_of = |call, argument, refused: &[u32]| {
        Refusal::if_argument(call, When::IsOne { argument, refused: refused.to_vec() })
    };
    let of_files = [libc::F_SETOWN, F_SETOWN_EX, F_SETSIG, libc::F_SETLEASE, libc::F_NOTIFY].map(i32::cast_unsigned);
    let mut refused = vec![
        // A filter cannot read the arguments of `clone3`, because they are in memory.
        Refusal::if_argument(libc::SYS_clone, When::HasAny { argument: 0, bits: NEW_NAMESPACES as u32 }),
        Refusal::as_unknown(unified::CLONE3),
        // A program that aborts signals itself.
        only(libc::SYS_tgkill, 0, &[own]),
        only(libc::SYS_tkill, 0, &[own]),
        only(libc::SYS_ioctl, 1, ASKED),
        // The kernel signals the process that is registered as owner of an open file.
        none_of(libc::SYS_fcntl, 1, &of_files),
        Refusal::if_argument(
            libc::SYS_fcntl,
            When::IsWith { argument: 1, value: libc::F_SETFL as u32, other: 2, bits: libc::O_ASYNC as u32 },
        ),
        // A process could outlive the one that it serves, or let others access it.
        none_of(libc::SYS_prctl, 0, &[libc::PR_SET_PDEATHSIG as u32, libc::PR_SET_DUMPABLE as u32, PR_SET_PTRACER]),
        only(libc::SYS_setpriority, 0, &[PRIO_PROCESS]),
        only(libc::SYS_ioprio_set, 0, &[IOPRIO_WHO_PROCESS]),
    ];
    if !calls.starts_processes {
        let bits = libc::CLONE_THREAD as u32;
        refused.push(Refusal::if_argument(libc::SYS_clone, When::Lacks { argument: 0, bits }));
        // A process that starts others also ends them.
        refused.push(Refusal::of(libc::SYS_kill));
    }
    refused.extend(OF_A_PROCESS.map(|(call, argument)| only(call, argument, &[0, own])));
    refused
}

/// `PRIO_PROCESS` (`include/uapi/linux/resource.h`): its type differs between C libraries.
const PRIO_PROCESS: u32 = 0;
/// `IOPRIO_WHO_PROCESS` (`include/uapi/linux/ioprio.h`).
const IOPRIO_WHO_PROCESS: u32 = 1;

/// Calls that would change files where Landlock does not restrict them.
fn of_files(grant: &Grant) -> Vec<Refusal> {
    let with_any = |call, argument, bits| Refusal::if_argument(call, When::HasAny { argument, bits });
    let all = |calls: &[c_long]| calls.iter().copied().map(Refusal::of).collect::<Vec<_>>();
    // Files are sent only to the process that writes outputs, and by no other process.
    let messages = [libc::SYS_sendmsg, libc::SYS_sendmmsg].map(Refusal::of);
    match &grant.files {
        // A process that writes outputs sets their permissions, except those that run a program as its owner.
        Files::In { .. } => vec![
            with_any(libc::SYS_fchmod, 1, SPECIAL),
            with_any(libc::SYS_openat, 3, SPECIAL),
            with_any(libc::SYS_mknodat, 2, SPECIAL),
            #[cfg(target_arch = "x86_64")]
            with_any(libc::SYS_open, 2, SPECIAL),
            #[cfg(target_arch = "x86_64")]
            with_any(libc::SYS_creat, 1, SPECIAL),
            #[cfg(target_arch = "x86_64")]
            with_any(libc::SYS_mknod, 1, SPECIAL),
            // A filter cannot read the permissions that it sets, because they are in memory.
            Refusal::as_unknown(unified::OPENAT2),
        ],
        Files::Only { .. } => {
            let mut refused = all(OF_OPEN_FILES);
            if grant.network != Network::NameServers {
                refused.extend(messages);
            }
            refused
        }
        Files::Any => {
            let mut refused = all(OF_OPEN_FILES);
            refused.extend(messages);
            refused.extend(all(CHANGES_BY_NAME));
            refused.push(with_any(libc::SYS_openat, 2, TO_WRITE as u32));
            #[cfg(target_arch = "x86_64")]
            refused.push(with_any(libc::SYS_open, 1, TO_WRITE as u32));
            // A filter cannot read the flags, because they are in memory.
            refused.push(Refusal::as_unknown(unified::OPENAT2));
            refused
        }
    }
}

/// All calls that `grant` does not include.
fn refused(grant: &Grant) -> Vec<Refusal> {
    let mut refused: Vec<_> = REFUSED.iter().copied().map(Refusal::of).collect();
    refused.extend(grant.calls.refused());
    refused.extend(grant.network.refused());
    refused.extend(by_argument(grant.calls));
    refused.extend(of_files(grant));
    refused
}

/// `AUDIT_ARCH_…` of this processor (`include/uapi/linux/audit.h`).
const ARCHITECTURE: Option<u32> = if cfg!(target_arch = "x86_64") {
    Some(0xc000_003e)
} else if cfg!(target_arch = "aarch64") {
    Some(0xc000_00b7)
} else if cfg!(target_arch = "riscv64") {
    Some(0xc000_00f3)
} else {
    None
};

/// Refuses dangerous calls that `grant` does not include, to this thread and to all that it starts. Returns
/// whether the kernel enforces it: it may be built without filters, and the numbers of other architectures
/// are not known here.
pub(crate) fn bound(grant: &Grant) -> io::Result<bool> {
    let Some(architecture) = ARCHITECTURE else { return Ok(false) };
    let mut filter = program(architecture, LAST_KNOWN, &refused(grant));
    let len = u16::try_from(filter.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len, filter: filter.as_mut_ptr() };
    // SAFETY: `program` points to `len` instructions that live until the call returns; the kernel copies
    // them.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if result == 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        // The kernel has no seccomp, or no filters.
        error if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) => Ok(false),
        error => Err(error),
    }
}
