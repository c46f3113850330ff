//! Which system calls are refused: a filter of seccomp(2).
//!
//! A list of what is refused rather than of what is allowed: C libraries and kernels differ in what they call for the same, and a
//! call that is missing in a list of allowed ones breaks a program on a machine that nobody tested. Calls that are newer than
//! this file are refused too, as if the kernel had none (`ENOSYS`), so that libraries fall back to older ones.
#![allow(unsafe_code, reason = "no library installs a filter that bounds the numbers of calls")]

use std::io;

use libc::c_long;

use super::filter::{Refusal, When, program};
use crate::{Calls, Files, Grant, Network};

/// The last call of Linux 6.18 (`file_setattr`, `scripts/syscall.tbl`). From 424 on all processors have the same numbers.
const LAST_KNOWN: u32 = 469;

/// Calls that change who may do what, run programs, or reach into other processes and the kernel.
const REFUSED: &[c_long] = &[
    // Programs, and the memory of others.
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
    // Signals to others, and what is shared with them.
    libc::SYS_kill,
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
    libc::SYS_personality,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    // Calls that are made in the kernel's threads pass no filter.
    unified::IO_URING_SETUP,
    unified::IO_URING_ENTER,
    unified::IO_URING_REGISTER,
    // What the machine's files are.
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
    // The machine.
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

/// Numbers that all processors share (`scripts/syscall.tbl` of Linux): the C libraries' headers lack the newest ones.
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

/// To take the permissions of an open file from others, or to give it to them: an input is open.
const OF_OPEN_FILES: &[c_long] = &[libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_fsetxattr, libc::SYS_fremovexattr];

/// New namespaces, of which a process has all capabilities, as arguments of `clone`
/// (`include/uapi/linux/sched.h`).
const NEW_NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// `TIOCLINUX` (`include/uapi/asm-generic/ioctls.h`): pastes into a console.
const TIOCLINUX: i64 = 0x541c;
/// Who is signalled about an open file (`include/uapi/asm-generic/sockios.h`, `fcntl.h`).
const FIOSETOWN: i64 = 0x8901;
const SIOCSPGRP: i64 = 0x8902;
const F_SETSIG: i64 = 10;
const F_SETOWN_EX: i64 = 15;

/// What a socket's type may have besides.
const OF_TYPES: u32 = 0xf;

impl Calls {
    /// Those that are refused beside [`REFUSED`].
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
    /// What would reach others.
    fn refused(self) -> Vec<Refusal> {
        // What listens can be shut down, and connect then, or send the first data with its SYN (TCP Fast
        // Open).
        let fast_open =
            [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)].map(|(call, argument)| {
                Refusal::if_argument(call, When::HasAny { argument, bits: libc::MSG_FASTOPEN as u32 })
            });
        // Datagram sockets of a pair may send to any other one by its path.
        let pairs = When::IsNone { argument: 1, mask: OF_TYPES, allowed: vec![libc::SOCK_STREAM as u32] };
        let mut refused = vec![Refusal::if_argument(libc::SYS_socketpair, pairs)];
        refused.extend(fast_open);
        let speaks = matches!(self, Self::Kernel | Self::NameServers);
        if speaks {
            refused.extend(self.refused_sockets());
        } else {
            refused.extend([libc::SYS_socket, libc::SYS_connect].map(Refusal::of));
            refused.push(Refusal::if_argument(libc::SYS_sendto, When::IsGiven { argument: 4 }));
        }
        refused.push(Refusal::of(libc::SYS_listen));
        if self != Self::NameServers {
            refused.push(Refusal::of(libc::SYS_bind));
        }
        if self != Self::Callers {
            refused.extend([libc::SYS_accept, libc::SYS_accept4].map(Refusal::of));
        }
        refused
    }

    /// All sockets but those that are spoken by.
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
fn by_argument() -> Vec<Refusal> {
    let own = std::process::id();
    let only = |call, argument, allowed: &[u32]| {
        Refusal::if_argument(call, When::IsNone { argument, mask: u32::MAX, allowed: allowed.to_vec() })
    };
    let none_of = |call, refused: &[i64]| {
        let refused = refused.iter().map(|&value| value as u32).collect();
        Refusal::if_argument(call, When::IsOne { argument: 1, refused })
    };
    let mut refused = vec![
        // Threads alone are started. A filter cannot read what `clone3` is asked for: that is in memory.
        Refusal::if_argument(libc::SYS_clone, When::HasAny { argument: 0, bits: NEW_NAMESPACES as u32 }),
        Refusal::if_argument(libc::SYS_clone, When::Lacks { argument: 0, bits: libc::CLONE_THREAD as u32 }),
        Refusal::as_unknown(unified::CLONE3),
        // A program that gives up signals itself.
        only(libc::SYS_tgkill, 0, &[own]),
        only(libc::SYS_tkill, 0, &[own]),
        // Who opened the terminal could type into it, and the kernel signals whoever an open file is said to
        // be of.
        none_of(libc::SYS_ioctl, &[libc::TIOCSTI as i64, TIOCLINUX, FIOSETOWN, SIOCSPGRP]),
        none_of(libc::SYS_fcntl, &[libc::F_SETOWN.into(), F_SETOWN_EX, F_SETSIG]),
    ];
    refused.extend(OF_A_PROCESS.map(|(call, argument)| only(call, argument, &[0, own])));
    refused
}

/// All that `grant` does not have.
fn refused(grant: &Grant) -> Vec<Refusal> {
    let mut refused: Vec<_> = REFUSED.iter().copied().map(Refusal::of).collect();
    refused.extend(grant.calls.refused());
    refused.extend(grant.network.refused());
    refused.extend(by_argument());
    // Who writes outputs gives them their permissions.
    if !matches!(grant.files, Files::In { .. }) {
        refused.extend(OF_OPEN_FILES.iter().copied().map(Refusal::of));
    }
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

/// Refuses dangerous calls to this thread and to what it starts, all that `grant` does not have. Returns
/// whether the kernel does so: it may be built without filters, and of other processors the numbers are not
/// known here.
pub(crate) fn bound(grant: &Grant) -> io::Result<bool> {
    let Some(architecture) = ARCHITECTURE else { return Ok(false) };
    let mut filter = program(architecture, LAST_KNOWN, &refused(grant));
    let len = u16::try_from(filter.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len, filter: filter.as_mut_ptr() };
    // SAFETY: `program` points to `len` instructions that live until the call returns; the kernel copies them.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if result == 0 {
        return Ok(true);
    }
    match io::Error::last_os_error() {
        // Kernels without seccomp, or without filters.
        error if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) => Ok(false),
        error => Err(error),
    }
}
