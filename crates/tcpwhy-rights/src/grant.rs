//! The need of a command, as data.

#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

/// Rights that a process keeps. The default only allows it to compute, and to read and write open files.
#[derive(Clone, Debug, Default)]
pub struct Grant {
    /// User as which the process continues.
    pub user: User,
    /// Capabilities that it keeps, if it has them.
    pub capabilities: Vec<Capability>,
    /// Files that it may still open.
    pub files: Files,
    /// Network peers to which it may open connections; open sockets need no grant.
    pub network: Network,
    /// Whether it shows a screen: the terminal of this process may be opened.
    pub has_screen: bool,
    /// System calls that it may make besides those that every program makes.
    pub calls: Calls,
}

/// User as which a process continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum User {
    /// The user that started it.
    #[default]
    Same,
    /// An unprivileged user instead of root: the caller of sudo, else `nobody`. Any other user stays. User 0
    /// owns the files of the machine, so without a change of user it could still write to `/etc`.
    Unprivileged,
    /// The same if that user can still open all of [`Files::Only`], with at most [`Capability::ReadAnyFile`].
    /// Otherwise root stays, for example on network file systems, and in containers without that capability.
    UnprivilegedIfItReads,
}

/// Peers to which a process may speak with new sockets or sockets passed to it. New Unix sockets are never
/// allowed, because root may use those of every service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// No peers: it may not create or connect a socket, nor accept a connection.
    #[default]
    Nobody,
    /// Peers that connect to a socket that already listens.
    Callers,
    /// The kernel, about its sockets (`sock_diag(7)`).
    Kernel,
    /// Name servers, by UDP and TCP.
    NameServers,
}

/// A capability of Linux (capabilities(7)), named after its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Reads and writes files of every owner, as root may (`CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH`).
    AnyFile,
    /// Reads files of every owner, but does not write those of others (`CAP_DAC_READ_SEARCH`).
    ReadAnyFile,
    /// Changes the owner of files (`CAP_CHOWN`).
    GiveFiles,
    /// Enters namespaces of other processes (`CAP_SYS_ADMIN`).
    EnterNamespaces,
    /// Reads which files other users' processes have open (`CAP_SYS_PTRACE`). It equals root, because it
    /// allows writing to the memory of a process of root.
    OtherProcesses,
    /// Ends processes of another user (`CAP_KILL`).
    EndProcesses,
    /// Queries loaded BPF programs (`CAP_BPF`, `CAP_PERFMON`): before Linux 5.19 every call needs them.
    Bpf,
    /// Runs server programs as root in a container. They become other users, change owners of files, change
    /// their root folder and listen on any port. They see and configure their own network namespace.
    ///
    /// `CAP_CHOWN`, `CAP_FOWNER`, `CAP_FSETID`, `CAP_DAC_OVERRIDE`, `CAP_SETUID`, `CAP_SETGID`, `CAP_KILL`,
    /// `CAP_SYS_CHROOT`, `CAP_AUDIT_WRITE`, `CAP_NET_BIND_SERVICE`, `CAP_NET_ADMIN`, `CAP_NET_RAW`.
    ServeAsRoot,
    /// Runs with a higher priority than ordinary threads (`CAP_SYS_NICE`).
    RealTime,
}

/// Files that a process may still open by name. Open files stay open.
#[derive(Clone, Debug)]
pub enum Files {
    /// Reads every file that its user and its capabilities allow, and writes none. This works without
    /// Landlock, which forbids reading the state of processes outside of it (`hook_ptrace_access_check`,
    /// `security/landlock/task.c`).
    Any,
    /// Reads only these files, and the contents of these folders (Landlock, Linux 5.13 and later; it binds
    /// user 0 too).
    Only {
        /// Files and folders. Missing ones are skipped.
        read: Vec<PathBuf>,
    },
    #[cfg(unix)]
    /// Reads, writes, creates and removes files only in this folder and its subfolders.
    In {
        /// The open folder, so that a changed path does not lead to another one.
        folder: Arc<OwnedFd>,
        /// Folders in which empty folders may be removed: those that were created on the path.
        above: Vec<Arc<OwnedFd>>,
    },
}

impl Default for Files {
    fn default() -> Self {
        Self::Only { read: Vec::new() }
    }
}

/// System calls that access other processes. All other dangerous ones (`execve`, `ptrace`,
/// `process_vm_readv`, `mount`, …) are always refused with `EPERM`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// `pidfd_open`, `pidfd_getfd`: to read the buffers that other programs have set.
    pub looks_into_processes: bool,
    /// `bpf`: to query loaded programs.
    pub asks_bpf: bool,
    /// `setns` for network namespaces.
    pub enters_namespaces: bool,
    /// `clone` for processes like itself, and `kill`.
    pub starts_processes: bool,
}

/// Parts of a [`Grant`] that the kernel enforces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confined {
    /// Whether files are restricted: false if the kernel has no Landlock, or if the grant does not restrict
    /// them.
    pub files: bool,
    /// Whether system calls are restricted: false if the kernel or the processor has no filter for them.
    pub calls: bool,
}
