//! Number of TCP sockets in other network namespaces, such as those of containers.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::processes::pids;

/// Limit for the namespaces that are counted, so that a host with thousands of containers is read in bounded
/// time.
const MOST_NAMESPACES: usize = 1000;

/// Fewer sockets elsewhere than this do not matter on any host.
const LEAST: usize = 10;

/// Whether other network namespaces have at least as many TCP sockets as this namespace, which has `own`.
pub(super) fn has_more_elsewhere(own: usize) -> bool {
    let enough = own.max(LEAST);
    sockets_elsewhere(enough) >= enough
}

/// Counts the TCP sockets in the namespaces of all readable processes, except this namespace. It stops at
/// `enough`, which suffices for the comparison.
fn sockets_elsewhere(enough: usize) -> usize {
    let mut known = BTreeSet::from_iter(namespace_of(Path::new("/proc/thread-self")));
    let mut count = 0;
    // Unreadable processes of other users are reported as another gap.
    for pid in pids(&mut true) {
        let process = Path::new("/proc").join(pid.to_string());
        if count >= enough || known.len() > MOST_NAMESPACES {
            break;
        }
        if namespace_of(&process).is_some_and(|namespace| known.insert(namespace)) {
            let tables = ["tcp", "tcp6"].map(|table| process.join("net").join(table));
            count += tables.iter().map(|table| lines_below_header(table, enough)).sum::<usize>();
        }
    }
    count
}

/// Inode of the network namespace that a process is in.
fn namespace_of(process: &Path) -> Option<u64> {
    fs::metadata(process.join("ns/net")).ok().map(|file| file.ino())
}

/// Number of lines in a table of `/proc/PID/net` after its header, at most `most`.
fn lines_below_header(table: &Path, most: usize) -> usize {
    let Ok(file) = File::open(table) else { return 0 };
    BufReader::new(file).lines().map_while(Result::ok).skip(1).take(most).count()
}
