//! TCP sockets of network namespaces other than the own one, as of containers.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::processes::pids;

/// Namespaces that are counted at most, so that a host with thousands of containers is read in bounded time.
const MOST_NAMESPACES: usize = 1000;

/// Fewer sockets than these are not half of any host.
const LEAST: usize = 10;

/// Whether other network namespaces have as many TCP sockets as the own one with `own`, or more.
pub(super) fn has_more_elsewhere(own: usize) -> bool {
    let enough = own.max(LEAST);
    sockets_elsewhere(enough) >= enough
}

/// How many TCP sockets the namespaces of all processes have that can be looked into, besides the own one;
/// `enough` ends the count.
fn sockets_elsewhere(enough: usize) -> usize {
    let mut known = BTreeSet::from_iter(namespace_of(Path::new("/proc/thread-self")));
    let mut count = 0;
    // Processes of other users are a gap of their own.
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

/// Lines of a table of `/proc/PID/net`, `most` at most.
fn lines_below_header(table: &Path, most: usize) -> usize {
    let Ok(file) = File::open(table) else { return 0 };
    BufReader::new(file).lines().map_while(Result::ok).skip(1).take(most).count()
}
