//! What each command may still do once it has opened what it needs.

use std::path::PathBuf;

use crate::message::failure;
use crate::wrong::{Context as _, Result};

pub(crate) use tcpwhy_rights::{Calls, Capability, Confined, Files, Grant, Network, User};

/// What libraries read while a capture is read: processors and control groups for the number of threads, and
/// the time zones.
const READ_BY_LIBRARIES: &[&str] = &[
    "/proc/self",
    "/proc/cpuinfo",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/usr/share/zoneinfo",
    "/etc/localtime",
];
/// What the C library's resolver of names needs.
#[cfg(target_os = "linux")]
const READ_BY_THE_RESOLVER: &[&str] = &[
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/ld.so.cache",
    "/run/systemd/resolve",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
];

/// To read these captures, again and again, and to write to what is open. Root becomes an ordinary user where
/// each capture is one file that this user can open; of a folder nobody knows before what is in it.
pub(crate) fn reading<'a>(captures: impl IntoIterator<Item = &'a PathBuf>) -> Grant {
    let mut read: Vec<PathBuf> = captures.into_iter().cloned().collect();
    let are_files = read.iter().all(|path| !path.is_dir());
    read.extend(READ_BY_LIBRARIES.iter().map(PathBuf::from));
    let user = if are_files { User::UnprivilegedIfItReads } else { User::Same };
    Grant { user, files: Files::Only { read }, ..Grant::default() }
}

/// The same, and to answer on a socket that listens.
pub(crate) fn serving<'a>(captures: impl IntoIterator<Item = &'a PathBuf>) -> Grant {
    Grant { network: Network::Callers, ..reading(captures) }
}

/// To take packets from a ring that is open, and to pass them on.
#[cfg(target_os = "linux")]
pub(crate) fn capturing() -> Grant {
    Grant {
        user: User::Unprivileged,
        files: Files::Only { read: READ_BY_LIBRARIES.iter().map(PathBuf::from).collect() },
        ..Grant::default()
    }
}

/// To ask the servers of names.
#[cfg(target_os = "linux")]
pub(crate) fn resolving() -> Grant {
    let read = READ_BY_LIBRARIES.iter().chain(READ_BY_THE_RESOLVER).map(PathBuf::from).collect();
    Grant { user: User::Unprivileged, files: Files::Only { read }, network: Network::NameServers, ..Grant::default() }
}

/// Gives up all rights but these. To be called once everything is open, and while the process has one thread.
pub(crate) fn confine(grant: &Grant) -> Result<()> {
    confine_and_tell(grant)?;
    Ok(())
}

/// The same, with what the kernel enforces of it.
pub(crate) fn confine_and_tell(grant: &Grant) -> Result<Confined> {
    grant.confine().context(failure("giving-up-rights"))
}

/// Gives up the capabilities that are left: nobody is looked at any more.
pub(crate) fn give_up_the_rest() -> Result<()> {
    #[cfg(target_os = "linux")]
    tcpwhy_rights::keep_only(&[]).context(failure("giving-up-rights"))?;
    Ok(())
}

/// To look once at other users' sockets and processes.
pub(crate) fn auditing() -> Grant {
    Grant { calls: Calls { looks_into_processes: true, ..Calls::default() }, ..watching(false) }
}

/// To start processes that look at this host, each of which gives up more.
#[cfg(target_os = "linux")]
pub(crate) fn starting_watchers() -> Grant {
    let watching = watching(false);
    let capabilities = [&watching.capabilities[..], &[Capability::Bpf]].concat();
    Grant { capabilities, calls: Calls { starts_processes: true, ..watching.calls }, ..watching }
}

/// To look at other users' sockets and processes as long as it runs, also in network namespaces that are made later if
/// `looks_into_all`.
pub(crate) fn watching(looks_into_all: bool) -> Grant {
    let mut capabilities = vec![Capability::OtherProcesses, Capability::ReadAnyFile];
    if looks_into_all {
        capabilities.push(Capability::EnterNamespaces);
    }
    Grant {
        user: User::Unprivileged,
        capabilities,
        files: Files::Any,
        network: Network::Kernel,
        has_screen: true,
        calls: Calls {
            looks_into_processes: true,
            asks_bpf: true,
            enters_namespaces: looks_into_all,
            starts_processes: false,
        },
    }
}

/// To answer strangers on a socket that is open, from what comes through a pipe.
#[cfg(target_os = "linux")]
pub(crate) fn answering() -> Grant {
    Grant {
        user: User::Unprivileged,
        files: Files::Only { read: READ_BY_LIBRARIES.iter().map(PathBuf::from).collect() },
        network: Network::Callers,
        ..Grant::default()
    }
}
