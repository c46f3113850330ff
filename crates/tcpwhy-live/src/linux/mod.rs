//! Reader of the live kernel.

mod code;
mod elsewhere;
mod locks;
mod namespaces;
mod packet_filter;
mod packet_ring;
mod processes;
mod sock_diag;
mod socket_info;
mod sockmaps;
mod threads;
mod time_wait;

pub use code::CodeFinder;
pub use locks::locks_of;
pub use namespaces::{ClosedNamespace, HiddenProcesses, Namespace, OtherNamespaces, WhyClosed};
pub use packet_filter::Capturing;
pub use packet_ring::{Interface, Packet, PacketCounts, PacketRing, SMALL_RING};
pub use processes::{Processes, cgroup_of};
pub use sock_diag::{SockDiag, tcp_sockets};
pub(crate) use socket_info::tcp_info;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tcpwhy_model::foreign::is_hidden;
use tcpwhy_model::host::{Bond, Counters, Gap, HostObservation, PortUse, SockStat};

use crate::saved::is_lock_unknown;
use crate::settings::{self, RELEASE};
use crate::{LiveError, proc_net, saved_extras};

/// Reads the state of this host. Data that is missing or unreadable is listed as a gap.
///
/// # Errors
///
/// None on Linux: an unreadable host has only gaps.
pub fn observe() -> Result<HostObservation, LiveError> {
    let mut gaps = Vec::new();
    let mut sockets = sock_diag::tcp_sockets().ok();
    match &mut sockets {
        None => gaps.push(Gap::Sockets),
        Some(sockets) => {
            if !processes::assign(sockets) {
                gaps.push(Gap::Processes);
            }
            locks::read(sockets);
            if sockets.iter().any(is_lock_unknown) {
                gaps.push(Gap::Locks);
            }
            // At least as many sockets are in other namespaces, so this view misses half of the host or more.
            if elsewhere::has_more_elsewhere(sockets.len()) {
                gaps.push(Gap::Namespaces);
            }
        }
    }
    let threads = sockets.as_deref().map(threads::of_full_listeners).unwrap_or_default();
    let counters = counters();
    let sockstat = ["/proc/net/sockstat", "/proc/net/sockstat6"].iter().filter_map(|p| text(p)).collect::<String>();
    let sockstat = (!sockstat.is_empty()).then(|| proc_net::parse_sockstat(&sockstat));
    let host = HostObservation {
        kernel_release: text("/proc/sys/kernel/osrelease").map(|t| t.trim().to_owned()),
        uptime: text("/proc/uptime").and_then(|t| proc_net::parse_uptime(&t)),
        page_size: Some(rustix::param::page_size() as u64),
        memory: text("/proc/meminfo").and_then(|t| proc_net::parse_memory(&t)),
        is_initial_namespace: Some(Path::new("/proc/sys/net/ipv4/tcp_mem").exists()),
        counters,
        recent: None,
        sockstat,
        tcp_protocol: text("/proc/net/protocols").and_then(|t| proc_net::parse_tcp_protocol(&t)),
        time_wait: sockstat.map(time_wait).unwrap_or_default(),
        threads,
        bonds: bonds(),
        has_sockmap: sockmaps::has_any(),
        sockets,
        gaps,
    };
    Ok(with_gaps(host))
}

/// Share of the range for outgoing connections. With fewer ports in `TIME-WAIT` none can run out, and
/// counting them costs time.
const MANY_IN_TIME_WAIT: f64 = 0.5;

fn time_wait(stat: SockStat) -> Vec<PortUse> {
    let range = text("/proc/sys/net/ipv4/ip_local_port_range");
    let Some((first, last)) = range.as_deref().and_then(proc_net::parse_port_range) else { return vec![] };
    let are_many = stat.time_wait.is_some_and(|count| count as f64 >= MANY_IN_TIME_WAIT * f64::from(last - first + 1));
    // A kernel that cannot dump these sockets gives an empty list.
    if are_many { time_wait::time_wait(first, last).unwrap_or_default() } else { vec![] }
}

fn with_gaps(mut host: HostObservation) -> HostObservation {
    for (gap, is_missing) in [
        (Gap::Counters, host.counters.is_none()),
        (Gap::SockStat, host.sockstat.is_none()),
        (Gap::Uptime, host.uptime.is_none()),
        (Gap::Kernel, host.kernel_release.is_none()),
    ] {
        if is_missing {
            host.gaps.push(gap);
        }
    }
    host
}

/// The bonds of this thread's network namespace (`bond_create_proc_dir`); `None` if `/proc` is unreadable.
fn bonds() -> Option<Vec<Bond>> {
    let folder = Path::new("/proc/thread-self/net");
    fs::read_dir(folder).ok()?;
    // The folder is missing if the bonding module is not loaded.
    let files = fs::read_dir(folder.join("bonding")).into_iter().flatten().flatten();
    let bond = |file: fs::DirEntry| {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        saved_extras::kernels_bond(&file.file_name().to_string_lossy(), &text)
    };
    Some(files.map(bond).collect())
}

/// The counters of this thread's network namespace; `None` if they are unreadable.
pub fn counters() -> Option<Counters> {
    let mut counters = Counters::default();
    for name in ["netstat", "snmp"] {
        // `/proc/net` shows the namespace of the process's first thread. Before Linux 3.17 it is the only
        // file.
        let own = text(&format!("/proc/thread-self/net/{name}"));
        counters.extend(proc_net::parse_counters(&own.or_else(|| text(&format!("/proc/net/{name}")))?));
    }
    // The file is missing on a host without IPv6.
    counters.extend(proc_net::parse_counters(&text("/proc/thread-self/net/snmp6").unwrap_or_default()));
    Some(counters)
}

/// The settings that matter to TCP connections and the kernel's release, in the form of `sysctl -a`. They are
/// the settings that [may be saved](crate::is_setting_saved). Unreadable settings, and those that this kernel
/// lacks, are left out.
///
/// # Errors
///
/// If `/proc/sys/net` is missing.
pub fn sysctl_text() -> Result<String, LiveError> {
    let mut out = String::new();
    if let Some(release) = text("/proc/sys/kernel/osrelease") {
        let _ = writeln!(out, "{RELEASE} = {}", release.trim());
    }
    for (group, names) in settings::groups() {
        let folder = Path::new("/proc/sys/net").join(group);
        fs::metadata(&folder).map_err(|error| LiveError::Read { path: folder.clone(), error })?;
        for name in names {
            let Ok(value) = fs::read_to_string(folder.join(name)) else { continue };
            let value = value.trim();
            // Each value must stay on its own line, with no character that a reader could take for its end.
            if !value.contains(|c| c != '\t' && is_hidden(c)) {
                let _ = writeln!(out, "net.{group}.{name} = {value}");
            }
        }
    }
    Ok(out)
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}
