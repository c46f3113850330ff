//! What each command may still do once it has opened what it needs.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::message::failure;

pub(crate) use tcpwhy_rights::{Calls, Capability, Confined, Files, Grant, User};

/// What libraries read while a capture is read: processors and control groups for the number of threads, the time zones, and,
/// if names are asked for, what the resolver of the C library needs.
const READ_BY_LIBRARIES: &[&str] = &[
    "/proc/self",
    "/proc/cpuinfo",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/usr/share/zoneinfo",
    "/etc/localtime",
];
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

/// To read these captures, again and again, and to write to what is open. `asks_names`: from a resolver.
pub(crate) fn reading<'a>(captures: impl IntoIterator<Item = &'a PathBuf>, asks_names: bool) -> Grant {
    let resolver = if asks_names { READ_BY_THE_RESOLVER } else { &[] };
    let libraries = READ_BY_LIBRARIES.iter().chain(resolver).map(PathBuf::from);
    Grant {
        files: Files::Only { read: captures.into_iter().cloned().chain(libraries).collect() },
        connects: asks_names,
        ..Grant::default()
    }
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
        connects: true,
        calls: Calls { looks_into_processes: true, asks_bpf: true, enters_namespaces: looks_into_all },
    }
}

/// To answer strangers on a socket that is open, from what comes through a pipe.
#[cfg(target_os = "linux")]
pub(crate) fn answering() -> Grant {
    Grant {
        user: User::Unprivileged,
        files: Files::Only { read: READ_BY_LIBRARIES.iter().map(PathBuf::from).collect() },
        ..Grant::default()
    }
}
