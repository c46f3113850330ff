//! The permissions that each command keeps after it has opened its files and sockets.

use std::path::PathBuf;

use crate::message::failure;
use crate::wrong::{Context as _, Result};

pub(crate) use tcpwhy_rights::{Calls, Capability, Confined, Files, Grant, Network, User};

/// Files that libraries read during a pass: processors and control groups for the number of threads, and the
/// time zones.
const READ_BY_LIBRARIES: &[&str] = &[
    "/proc/self",
    "/proc/cpuinfo",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/usr/share/zoneinfo",
    "/etc/localtime",
];
/// Files that the C library's resolver reads.
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

/// Permits reading these captures any number of times, and writing to open files. Root becomes an ordinary
/// user if that user can open every capture. It does not for a folder, whose contents are unknown.
pub(crate) fn reading<'a>(captures: impl IntoIterator<Item = &'a PathBuf>) -> Grant {
    let mut read: Vec<PathBuf> = captures.into_iter().cloned().collect();
    let are_files = read.iter().all(|path| !path.is_dir());
    read.extend(READ_BY_LIBRARIES.iter().map(PathBuf::from));
    let user = if are_files { User::UnprivilegedIfItReads } else { User::Same };
    Grant { user, files: Files::Only { read }, ..Grant::default() }
}

/// Also permits serving on an open listening socket.
pub(crate) fn serving<'a>(captures: impl IntoIterator<Item = &'a PathBuf>) -> Grant {
    Grant { network: Network::Callers, ..reading(captures) }
}

/// Permits reading packets from an open ring and passing them on.
#[cfg(target_os = "linux")]
pub(crate) fn capturing() -> Grant {
    Grant {
        user: User::Unprivileged,
        files: Files::Only { read: READ_BY_LIBRARIES.iter().map(PathBuf::from).collect() },
        ..Grant::default()
    }
}

/// Permits queries to name servers.
#[cfg(target_os = "linux")]
pub(crate) fn resolving() -> Grant {
    let read = READ_BY_LIBRARIES.iter().chain(READ_BY_THE_RESOLVER).map(PathBuf::from).collect();
    Grant { user: User::Unprivileged, files: Files::Only { read }, network: Network::NameServers, ..Grant::default() }
}

/// Gives up all permissions except these. Call it once everything is open and while the process has one
/// thread.
pub(crate) fn confine(grant: &Grant) -> Result<()> {
    confine_and_tell(grant)?;
    Ok(())
}

/// The same; returns the restrictions that the kernel enforces.
pub(crate) fn confine_and_tell(grant: &Grant) -> Result<Confined> {
    grant.confine().context(failure("giving-up-rights"))
}

/// Gives up the remaining capabilities, because no socket or process is read any more.
pub(crate) fn give_up_the_rest() -> Result<()> {
    #[cfg(target_os = "linux")]
    tcpwhy_rights::keep_only(&[]).context(failure("giving-up-rights"))?;
    Ok(())
}

/// Permits one scan of other users' sockets and processes.
pub(crate) fn auditing() -> Grant {
    Grant { calls: Calls { looks_into_processes: true, ..Calls::default() }, ..watching(false) }
}

/// Permits starting processes that watch this host, each of which gives up more.
#[cfg(target_os = "linux")]
pub(crate) fn starting_watchers() -> Grant {
    let watching = watching(false);
    let capabilities = [&watching.capabilities[..], &[Capability::Bpf]].concat();
    Grant { capabilities, calls: Calls { starts_processes: true, ..watching.calls }, ..watching }
}

/// Permits scanning other users' sockets and processes for the whole run. With `looks_into_all`, it includes
/// network namespaces that are created later.
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

/// Permits serving unauthenticated clients on an open socket, with data from a pipe.
#[cfg(target_os = "linux")]
pub(crate) fn answering() -> Grant {
    Grant {
        user: User::Unprivileged,
        files: Files::Only { read: READ_BY_LIBRARIES.iter().map(PathBuf::from).collect() },
        network: Network::Callers,
        ..Grant::default()
    }
}
