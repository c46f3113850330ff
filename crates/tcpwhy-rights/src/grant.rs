//! The need of a command, as data.

#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

/// What a process may still do. The default is nothing but to compute, and to read and write what is open.
#[derive(Clone, Debug, Default)]
pub struct Grant {
    /// As which user it goes on.
    pub user: User,
    /// Capabilities that it keeps, as far as it has them.
    pub capabilities: Vec<Capability>,
    /// Which files it may still open.
    pub files: Files,
    /// Whom it may speak to. What is open already needs nothing.
    pub network: Network,
    /// It shows a screen: the terminal of this process may be opened.
    pub has_screen: bool,
    /// Which system calls it may make beside those that every program makes.
    pub calls: Calls,
}

/// As which user a process goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum User {
    /// The one that started it.
    #[default]
    Same,
    /// Not root: the caller of sudo, else `nobody`. Any other user stays. User 0 owns the files of the
    /// machine, so giving up its capabilities alone would leave it `/etc`.
    Unprivileged,
    /// The same where that user can still open all of [`Files::Only`], by [`Capability::ReadAnyFile`] at
    /// most. Root stays where it cannot: of a network file system, and in containers without that capability.
    UnprivilegedIfItReads,
}

/// Whom a process may speak to by sockets that it makes or that others gave it. Unix sockets are made by
/// nobody: root may use those of every service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nobody: it makes no socket, connects none, and accepts nothing.
    #[default]
    Nobody,
    /// Whoever connects to a socket that listens already.
    Callers,
    /// The kernel, about its sockets (`sock_diag(7)`).
    Kernel,
    /// Servers of names, by UDP and TCP.
    NameServers,
}

/// A capability of Linux (capabilities(7)), named after what it is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// To read and to write files whoever owns them, as root may (`CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH`).
    AnyFile,
    /// To read files whoever owns them, and to write none of others (`CAP_DAC_READ_SEARCH`).
    ReadAnyFile,
    /// To give files to another user (`CAP_CHOWN`).
    GiveFiles,
    /// To enter namespaces of others (`CAP_SYS_ADMIN`).
    EnterNamespaces,
    /// To look into other users' processes: which files they have open (`CAP_SYS_PTRACE`). It equals root:
    /// whoever has it can write into the memory of a process of root.
    OtherProcesses,
    /// To end processes of another user (`CAP_KILL`).
    EndProcesses,
    /// To ask BPF programs that are loaded (`CAP_BPF`, `CAP_PERFMON`): before Linux 5.19 every call needs
    /// them.
    Bpf,
    /// To serve strangers as programs of root do in a container. They become other users, give files away,
    /// change their root folder and listen on any port. They see and configure their own network namespace.
    ///
    /// `CAP_CHOWN`, `CAP_FOWNER`, `CAP_FSETID`, `CAP_DAC_OVERRIDE`, `CAP_SETUID`, `CAP_SETGID`, `CAP_KILL`,
    /// `CAP_SYS_CHROOT`, `CAP_AUDIT_WRITE`, `CAP_NET_BIND_SERVICE`, `CAP_NET_ADMIN`, `CAP_NET_RAW`.
    ServeAsRoot,
    /// To go before ordinary threads (`CAP_SYS_NICE`).
    RealTime,
}

/// Which files a process may still open by name. What is open stays open.
#[derive(Clone, Debug)]
pub enum Files {
    /// To read those that its user and its capabilities allow, and to write none. It goes without Landlock,
    /// which forbids to look into processes outside of it (`hook_ptrace_access_check`,
    /// `security/landlock/task.c`).
    Any,
    /// Only to read these, and what is below them (Landlock, Linux 5.13 and later; it binds user 0 too).
    Only {
        /// Files and folders. What is missing is left out.
        read: Vec<PathBuf>,
    },
    #[cfg(unix)]
    /// Only to read, to write, to make and to remove files in this folder, and in those below.
    In {
        /// Open, so that it is this one whatever its path leads to.
        folder: Arc<OwnedFd>,
        /// Folders in which empty folders may be removed: those that were made on the way.
        above: Vec<Arc<OwnedFd>>,
    },
}

impl Default for Files {
    fn default() -> Self {
        Self::Only { read: Vec::new() }
    }
}

/// System calls that look at others. All other dangerous ones (`execve`, `ptrace`, `process_vm_readv`,
/// `mount`, …) are refused to everybody with `EPERM`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// `pidfd_open`, `pidfd_getfd`: the buffers that other programs have set.
    pub looks_into_processes: bool,
    /// `bpf`: to ask loaded programs.
    pub asks_bpf: bool,
    /// `setns` of network namespaces.
    pub enters_namespaces: bool,
    /// `clone` of processes like itself, and `kill`.
    pub starts_processes: bool,
}

/// What the kernel enforces of a [`Grant`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confined {
    /// Files are bounded: false where the kernel has no Landlock, or where nobody asked for it.
    pub files: bool,
    /// System calls are bounded: false where the kernel or the processor has no filter for them.
    pub calls: bool,
}
