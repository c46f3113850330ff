//! Attempted system calls, and the processes that may succeed.

use std::ffi::c_long;
use std::fs;
use std::path::{Path, PathBuf};

use super::processes::Role::{self, Answers, Looks, Resolves, Serves, Starts, Watches, Writes};

/// Paths in the attempted calls.
pub(super) struct Stage {
    /// An existing file.
    pub(super) victim: PathBuf,
    /// A file that does not exist.
    pub(super) new: PathBuf,
}

/// Content of [`Stage::victim`].
const UNTOUCHED: &str = "x";

impl Stage {
    pub(super) fn set_up(folder: &Path) -> Self {
        let victim = folder.join("victim");
        fs::write(&victim, UNTOUCHED).unwrap();
        Self { victim, new: folder.join("new") }
    }

    pub(super) fn is_untouched(&self) -> bool {
        !self.new.exists() && fs::read_to_string(&self.victim).unwrap() == UNTOUCHED
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Number(i64),
    Victim,
    New,
    /// Port 9 on this machine.
    Address,
}

use Argument::{Address, New, Number, Victim};

#[derive(Debug)]
pub(super) struct Call {
    pub(super) number: c_long,
    pub(super) arguments: &'static [Argument],
    /// Whether the call returns a file descriptor.
    pub(super) opens: bool,
}

/// Whether a process may carry out a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum May {
    Not,
    Yes,
    /// If its user and its capabilities permit it.
    AsItsUser,
}

pub(super) struct Attack {
    /// Names of the system calls in the documents.
    pub(super) code: &'static [&'static str],
    /// Their purpose, in English and in Chinese.
    pub(super) what: [&'static str; 2],
    pub(super) calls: &'static [Call],
    allowed: &'static [Role],
    as_user: &'static [Role],
    /// Whether only Landlock refuses it.
    pub(super) needs_landlock: bool,
    /// Whether an unconfined process is refused too.
    pub(super) is_refused_anyway: bool,
}

impl Attack {
    pub(super) fn may(&self, role: Role) -> May {
        if self.allowed.contains(&role) {
            May::Yes
        } else if self.as_user.contains(&role) {
            May::AsItsUser
        } else {
            May::Not
        }
    }
}

const fn call(number: c_long, arguments: &'static [Argument]) -> Call {
    Call { number, arguments, opens: false }
}

const fn open(number: c_long, arguments: &'static [Argument]) -> Call {
    Call { number, arguments, opens: true }
}

const fn socket(arguments: &'static [Argument]) -> Call {
    open(libc::SYS_socket, arguments)
}

/// An attack that no role may carry out, unless the builder functions change that.
const fn attack(code: &'static [&'static str], what: [&'static str; 2], calls: &'static [Call]) -> Attack {
    Attack { code, what, calls, allowed: &[], as_user: &[], needs_landlock: false, is_refused_anyway: false }
}

const NONE: Argument = Number(-1);
/// An invalid address.
const NOWHERE: Argument = Number(1);
const ZERO: Argument = Number(0);
/// A process id above `PID_MAX_LIMIT` (4,194,304), so it does not exist.
const NOBODY: Argument = Number(9_999_999);

const INET: Argument = Number(libc::AF_INET as i64);
const INET6: Argument = Number(libc::AF_INET6 as i64);
const UNIX: Argument = Number(libc::AF_UNIX as i64);
const STREAM: Argument = Number(libc::SOCK_STREAM as i64);
const DATAGRAM: Argument = Number(libc::SOCK_DGRAM as i64);
const RAW: Argument = Number(libc::SOCK_RAW as i64);
const FAST_OPEN: Argument = Number(libc::MSG_FASTOPEN as i64);

/// The kernel always refuses these flags in combination (`copy_process`, `kernel/fork.c`), so nothing starts
/// if the filter lets the call pass.
const IMPOSSIBLE: i64 = libc::CLONE_SIGHAND as i64;
const NEW_USER: Argument = Number(libc::CLONE_NEWUSER as i64 | IMPOSSIBLE);
const NEW_NETWORK: Argument = Number(libc::CLONE_NEWNET as i64 | libc::CLONE_THREAD as i64);
const NEW_MOUNTS: Argument = Number(libc::CLONE_NEWNS as i64 | libc::CLONE_THREAD as i64);

const LOOKERS: &[Role] = &[Looks, Starts, Watches];

/// The attacks, in the order of the documents.
pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        allowed: &[Resolves],
        ..attack(
            &["socket(AF_INET, …)"],
            ["speak TCP or UDP to somebody", "用 TCP 或 UDP 联系他人"],
            &[
                socket(&[INET, STREAM, ZERO]),
                socket(&[INET6, STREAM, ZERO]),
                socket(&[INET, DATAGRAM, ZERO]),
                socket(&[INET6, DATAGRAM, ZERO]),
            ],
        )
    },
    attack(
        &["socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP)"],
        ["speak Multipath TCP, SCTP or raw IP", "使用 Multipath TCP、SCTP 或原始 IP"],
        &[
            socket(&[INET, STREAM, Number(libc::IPPROTO_MPTCP as i64)]),
            socket(&[INET6, STREAM, Number(libc::IPPROTO_MPTCP as i64)]),
            socket(&[INET, STREAM, Number(libc::IPPROTO_SCTP as i64)]),
            socket(&[INET, RAW, ZERO]),
        ],
    ),
    attack(
        &["sendto(…, MSG_FASTOPEN)"],
        ["send with the first packet (TCP Fast Open)", "随首个报文发送数据（TCP Fast Open）"],
        &[
            call(libc::SYS_sendto, &[NONE, NOWHERE, ZERO, FAST_OPEN, Address, Number(16)]),
            call(libc::SYS_sendmsg, &[NONE, NOWHERE, FAST_OPEN]),
            call(libc::SYS_sendmmsg, &[NONE, NOWHERE, ZERO, FAST_OPEN]),
        ],
    ),
    Attack {
        allowed: &[Resolves],
        ..attack(
            &["connect", "sendto"],
            ["connect a socket that is open", "连接已打开的套接字"],
            &[
                call(libc::SYS_connect, &[NONE, Address, Number(16)]),
                call(libc::SYS_sendto, &[NONE, NOWHERE, ZERO, ZERO, Address, Number(16)]),
            ],
        )
    },
    Attack {
        allowed: &[Resolves, Writes],
        ..attack(
            &["sendmsg"],
            ["send open files, or to an address in memory", "发送已打开的文件，或发往内存中的地址"],
            &[
                call(libc::SYS_sendmsg, &[NONE, NOWHERE, ZERO]),
                call(libc::SYS_sendmmsg, &[NONE, NOWHERE, Number(1), ZERO]),
            ],
        )
    },
    Attack {
        allowed: &[Serves, Answers],
        ..attack(
            &["accept"],
            ["answer a connection", "应答连接"],
            &[call(libc::SYS_accept, &[NONE, ZERO, ZERO]), call(libc::SYS_accept4, &[NONE, ZERO, ZERO, ZERO])],
        )
    },
    attack(&["listen"], ["listen", "监听"], &[call(libc::SYS_listen, &[NONE, ZERO])]),
    attack(
        &["socket(AF_UNIX, …)"],
        ["use services of this machine (docker.sock)", "使用本机服务（docker.sock）"],
        &[
            socket(&[UNIX, STREAM, ZERO]),
            socket(&[UNIX, DATAGRAM, ZERO]),
            call(libc::SYS_socketpair, &[UNIX, DATAGRAM, ZERO, NOWHERE]),
            call(libc::SYS_socketpair, &[INET, STREAM, ZERO, NOWHERE]),
        ],
    ),
    Attack {
        allowed: LOOKERS,
        ..attack(
            &["socket(AF_NETLINK, …, NETLINK_SOCK_DIAG)"],
            ["ask the kernel for its sockets", "向内核查询套接字"],
            &[socket(&[Number(libc::AF_NETLINK as i64), RAW, Number(libc::NETLINK_SOCK_DIAG as i64)])],
        )
    },
    attack(
        &["socket(AF_NETLINK, …)", "socket(AF_PACKET, …)"],
        ["ask it for more, or see packets", "查询其他内容或抓取报文"],
        &[
            socket(&[Number(libc::AF_NETLINK as i64), RAW, Number(libc::NETLINK_ROUTE as i64)]),
            socket(&[Number(libc::AF_ALG as i64), Number(libc::SOCK_SEQPACKET as i64), ZERO]),
            socket(&[Number(libc::AF_PACKET as i64), Number(0xf), ZERO]),
            socket(&[Number(libc::AF_VSOCK as i64), STREAM, ZERO]),
        ],
    ),
    attack(
        &["clone(CLONE_NEWUSER)", "clone3", "unshare"],
        ["make namespaces of its own", "创建自己的命名空间"],
        &[
            call(libc::SYS_clone, &[NEW_USER, ZERO, ZERO, ZERO, ZERO]),
            call(libc::SYS_clone, &[NEW_NETWORK, ZERO, ZERO, ZERO, ZERO]),
            call(libc::SYS_clone, &[NEW_MOUNTS, ZERO, ZERO, ZERO, ZERO]),
            call(libc::SYS_clone3, &[NOWHERE, ZERO]),
            call(libc::SYS_unshare, &[Number(1)]),
        ],
    ),
    attack(&["setns"], ["enter those of others", "进入他人的命名空间"], &[call(libc::SYS_setns, &[NONE, ZERO])]),
    Attack {
        allowed: &[Starts],
        ..attack(
            &["clone"],
            ["start processes", "启动进程"],
            &[call(libc::SYS_clone, &[Number(IMPOSSIBLE), ZERO, ZERO, ZERO, ZERO])],
        )
    },
    attack(
        &["execve"],
        ["start programs", "启动程序"],
        &[call(libc::SYS_execve, &[NOWHERE, ZERO, ZERO]), call(libc::SYS_execveat, &[NONE, NOWHERE, ZERO, ZERO, ZERO])],
    ),
    Attack {
        allowed: LOOKERS,
        ..attack(
            &["pidfd_open", "pidfd_getfd"],
            ["take open files of others", "取得他人已打开的文件"],
            &[call(libc::SYS_pidfd_open, &[NONE, ZERO]), call(libc::SYS_pidfd_getfd, &[NONE, NONE, ZERO])],
        )
    },
    attack(
        &["ptrace", "process_vm_writev"],
        ["change other processes", "修改其他进程"],
        &[
            // Request number of `PTRACE_SEIZE`.
            call(libc::SYS_ptrace, &[Number(0x4206), NOBODY, ZERO, ZERO]),
            call(libc::SYS_process_vm_readv, &[NOBODY, ZERO, ZERO, ZERO, ZERO, ZERO]),
            call(libc::SYS_process_vm_writev, &[NOBODY, ZERO, ZERO, ZERO, ZERO, ZERO]),
            call(libc::SYS_tkill, &[NOBODY, ZERO]),
            call(libc::SYS_tgkill, &[NOBODY, NOBODY, ZERO]),
            call(libc::SYS_fcntl, &[NONE, Number(libc::F_SETOWN as i64), NOBODY]),
            call(libc::SYS_prlimit64, &[NOBODY, ZERO, ZERO, ZERO]),
            call(libc::SYS_fcntl, &[NONE, Number(libc::F_SETFL as i64), Number(libc::O_ASYNC as i64)]),
            call(libc::SYS_fcntl, &[NONE, Number(libc::F_SETLEASE as i64), ZERO]),
            call(libc::SYS_ioctl, &[NONE, Number(libc::FIOASYNC as i64), NOWHERE]),
            call(libc::SYS_sched_setaffinity, &[NOBODY, ZERO, ZERO]),
            call(libc::SYS_setpriority, &[ZERO, NOBODY, ZERO]),
            call(libc::SYS_setpriority, &[Number(libc::PRIO_USER as i64), NOBODY, ZERO]),
            call(libc::SYS_ioprio_set, &[Number(3), NOBODY, ZERO]),
            call(libc::SYS_prctl, &[Number(libc::PR_SET_PDEATHSIG as i64), Number(999)]),
        ],
    ),
    Attack {
        allowed: &[Starts],
        ..attack(&["kill"], ["signal other processes", "向其他进程发送信号"], &[call(libc::SYS_kill, &[NOBODY, ZERO])])
    },
    Attack {
        as_user: &[Starts, Watches],
        is_refused_anyway: true,
        ..attack(&["bpf"], ["ask BPF programs", "查询 BPF 程序"], &[call(libc::SYS_bpf, &[NONE, ZERO, ZERO])])
    },
    Attack {
        is_refused_anyway: true,
        ..attack(
            &["io_uring_setup", "perf_event_open", "userfaultfd", "keyctl"],
            ["use what no filter sees, or the kernel's inside", "使用过滤器看不到的功能或内核内部功能"],
            &[
                call(libc::SYS_io_uring_setup, &[ZERO, NOWHERE]),
                call(libc::SYS_perf_event_open, &[NOWHERE, ZERO, NONE, NONE, ZERO]),
                call(libc::SYS_userfaultfd, &[NONE]),
                call(libc::SYS_keyctl, &[NONE, ZERO, ZERO, ZERO, ZERO]),
                call(libc::SYS_init_module, &[NOWHERE, ZERO, NOWHERE]),
            ],
        )
    },
    attack(
        &["shmget", "msgget", "mq_open"],
        ["share memory and messages with others", "与他人共享内存和消息"],
        &[
            call(libc::SYS_shmget, &[ZERO, ZERO, ZERO]),
            call(libc::SYS_msgget, &[Number(0x7c9_77c9), ZERO]),
            call(libc::SYS_msgctl, &[NONE, ZERO, ZERO]),
            call(libc::SYS_semget, &[Number(0x7c9_77c9), ZERO, ZERO]),
            call(libc::SYS_mq_open, &[NOWHERE, ZERO, ZERO, ZERO]),
        ],
    ),
    Attack {
        is_refused_anyway: true,
        ..attack(
            &["mount", "chroot"],
            ["change what the machine's files are", "改变本机的文件布局"],
            &[call(libc::SYS_mount, &[NOWHERE, NOWHERE, NOWHERE, ZERO, ZERO]), call(libc::SYS_chroot, &[NOWHERE])],
        )
    },
    Attack {
        needs_landlock: true,
        as_user: LOOKERS,
        ..attack(
            &["open(O_RDONLY)"],
            ["read a file that is no input", "读取不是输入的文件"],
            &[open(libc::SYS_open, &[Victim, Number(libc::O_RDONLY as i64)])],
        )
    },
    Attack {
        needs_landlock: true,
        ..attack(
            &["open(O_WRONLY)", "unlink", "mkdir"],
            ["write, make or remove a file outside of the output's folder", "写入、创建或删除输出目录以外的文件"],
            &[
                open(libc::SYS_open, &[Victim, Number(libc::O_WRONLY as i64)]),
                open(libc::SYS_open, &[New, Number(libc::O_WRONLY as i64 | libc::O_CREAT as i64), Number(0o600)]),
                open(libc::SYS_openat, &[NONE, Victim, Number(libc::O_RDWR as i64)]),
                call(libc::SYS_mkdir, &[New, Number(0o700)]),
                call(libc::SYS_rename, &[Victim, New]),
            ],
        )
    },
    attack(
        &["chmod", "chown", "setxattr"],
        ["change permissions and owners by name", "按名称更改权限和所有者"],
        &[
            call(libc::SYS_chmod, &[NOWHERE, ZERO]),
            call(libc::SYS_fchmodat, &[NONE, NOWHERE, ZERO]),
            call(libc::SYS_chown, &[NOWHERE, ZERO, ZERO]),
            call(libc::SYS_setxattr, &[NOWHERE, NOWHERE, ZERO, ZERO, ZERO]),
            call(libc::SYS_utimensat, &[NONE, NOWHERE, ZERO, ZERO]),
        ],
    ),
    Attack {
        allowed: &[Writes],
        ..attack(
            &["fchmod", "fchown"],
            ["change those of open files", "更改已打开文件的权限和所有者"],
            &[call(libc::SYS_fchmod, &[NONE, ZERO]), call(libc::SYS_fchown, &[NONE, ZERO, ZERO])],
        )
    },
    attack(
        &["fchmod(04755)"],
        ["let others run a file as its owner", "让他人以所有者身份运行文件"],
        &[call(libc::SYS_fchmod, &[NONE, Number(0o4755)])],
    ),
    attack(
        &["ioctl"],
        [
            "type into the terminal, change flags of an input, or ask for the host's addresses",
            "向终端输入、更改输入文件的标志或查询本机地址",
        ],
        &[
            call(libc::SYS_ioctl, &[NONE, Number(libc::TIOCSTI as i64), NOWHERE]),
            call(libc::SYS_ioctl, &[NONE, Number(libc::FS_IOC_SETFLAGS as i64), NOWHERE]),
            call(libc::SYS_ioctl, &[NONE, Number(libc::SIOCGIFCONF as i64), NOWHERE]),
        ],
    ),
    attack(
        &["setsockopt(SOL_PACKET, …)"],
        ["see other packets", "查看其他报文"],
        &[call(libc::SYS_setsockopt, &[NONE, Number(libc::SOL_PACKET as i64), Number(1), NOWHERE, ZERO])],
    ),
    attack(
        &["inotify_init1", "fanotify_init"],
        ["watch what others do to files", "监视他人对文件的操作"],
        &[call(libc::SYS_inotify_init1, &[NONE]), call(libc::SYS_fanotify_init, &[NONE, NONE])],
    ),
];
