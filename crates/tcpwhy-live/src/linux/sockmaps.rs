//! Search for BPF maps of sockets that a process has open: `/proc/PID/fd/N` is a link to
//! `anon_inode:bpf-map`, and `/proc/PID/fdinfo/N` contains its type (`bpf_map_show_fdinfo`).

use std::fs;
use std::path::Path;

use super::processes::{each_open, pids};

/// `BPF_MAP_TYPE_SOCKMAP` and `BPF_MAP_TYPE_SOCKHASH` (`include/uapi/linux/bpf.h`).
const SOCKET_MAPS: [u32; 2] = [15, 18];

/// Whether any process has one; `None` if none was found but some processes are unreadable.
pub(super) fn has_any() -> Option<bool> {
    let mut could_see_all = true;
    for pid in pids(&mut could_see_all) {
        let process = Path::new("/proc").join(pid.to_string());
        let mut has_one = false;
        let looked = each_open(&process, |fd, target| {
            has_one = target == b"anon_inode:bpf-map" && is_of_sockets(&process, fd);
            !has_one
        });
        if has_one {
            return Some(true);
        }
        could_see_all &= looked.is_some() || !process.exists();
    }
    could_see_all.then_some(false)
}

fn is_of_sockets(process: &Path, fd: u32) -> bool {
    let info = fs::read_to_string(process.join("fdinfo").join(fd.to_string())).unwrap_or_default();
    map_type(&info).is_some_and(|kind| SOCKET_MAPS.contains(&kind))
}

/// The number after `map_type:`.
fn map_type(info: &str) -> Option<u32> {
    info.lines().find_map(|line| line.strip_prefix("map_type:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is that of Linux 6.12.
    #[test]
    fn the_type_of_a_map() {
        let info = "pos:\t0\nflags:\t02000002\nmnt_id:\t15\nino:\t1056\nmap_type:\t18\nkey_size:\t4\nvalue_size:\t8\n";
        assert_eq!(map_type(info), Some(18));
        assert_eq!(map_type("pos:\t0\n"), None);
    }
}
