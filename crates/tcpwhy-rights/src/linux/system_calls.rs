//! Which system calls are refused: a filter of seccomp(2).
//!
//! A list of what is refused rather than of what is allowed: C libraries and kernels differ in what they call for the same, and a
//! call that is missing in a list of allowed ones breaks a program on a machine that nobody tested. Calls that are newer than
//! this file are refused too, as if the kernel had none (`ENOSYS`), so that libraries fall back to older ones.
#![allow(unsafe_code, reason = "no library installs a filter that bounds the numbers of calls")]

use std::io;

use libc::{BPF_ABS, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, c_long, sock_filter};

use crate::Calls;

/// The last call of Linux 6.18 (`file_setattr`, `scripts/syscall.tbl`). From 424 on all processors have the same numbers.
const LAST_KNOWN: u32 = 469;

/// Calls that change who may do what, run programs, or reach into other processes and the kernel.
const REFUSED: &[c_long] = &[
    // Programs, and the memory of others.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    unified::PROCESS_MADVISE,
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

impl Calls {
    /// Those that are refused beside [`REFUSED`].
    fn refused(self) -> impl Iterator<Item = c_long> {
        let processes =
            [unified::PIDFD_OPEN, unified::PIDFD_GETFD].into_iter().filter(move |_| !self.looks_into_processes);
        let bpf = [libc::SYS_bpf].into_iter().filter(move |_| !self.asks_bpf);
        let namespaces = [libc::SYS_setns, libc::SYS_unshare].into_iter().filter(move |_| !self.enters_namespaces);
        processes.chain(bpf).chain(namespaces)
    }
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

/// Refuses dangerous calls to this thread and to what it starts, all but `calls`. Returns whether the kernel does so: it may be
/// built without filters, and of other processors the numbers are not known here.
pub(crate) fn bound(calls: Calls) -> io::Result<bool> {
    let Some(architecture) = ARCHITECTURE else { return Ok(false) };
    let mut filter = program(architecture, calls);
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

/// Where `struct seccomp_data` has the number of the call and the processor, bytes.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;

fn program(architecture: u32, calls: Calls) -> Vec<sock_filter> {
    let load = |at| statement(BPF_LD | BPF_W | BPF_ABS, at);
    let give = |action| statement(BPF_RET | BPF_K, action);
    let refuse = |error: i32| give(libc::SECCOMP_RET_ERRNO | error as u32);
    let mut program = vec![
        load(ARCHITECTURE_AT),
        // Numbers of another processor (32-bit programs' on a 64-bit one) would mean other calls.
        jump(BPF_JEQ, architecture, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_AT),
        // x32's numbers, too, are beyond.
        jump(BPF_JGT, LAST_KNOWN, 0, 1),
        refuse(libc::ENOSYS),
    ];
    for number in REFUSED.iter().copied().chain(calls.refused()) {
        program.push(jump(BPF_JEQ, number as u32, 0, 1));
        program.push(refuse(libc::EPERM));
    }
    program.push(give(libc::SECCOMP_RET_ALLOW));
    program
}

const fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Passes over `jt` instructions if the comparison with `k` holds, else over `jf`.
const fn jump(comparison: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | comparison | BPF_K) as u16, jt, jf, k }
}
