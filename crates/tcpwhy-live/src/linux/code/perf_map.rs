//! Names of code that a program compiles while it runs: `/tmp/perf-PID.map`. Node (`--perf-basic-prof`),
//! Python (`-X perf`) and Java (`-XX:+DumpPerfMapAtExit`, perf-map-agent) write this file. Any user can write
//! such a file, so it must be a regular file of the process's own user, and its names are untrusted text.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::name::readable;

/// Limit for a file, bytes; the rest is not read.
const MOST_BYTES: u64 = 64 << 20;
/// Limit for a line, bytes. A longer line is not a name, so the reading stops.
const MOST_LINE: u64 = 4096;
/// Shortest interval between two reads of the same file, which finds code compiled since the first.
const AGAIN_AFTER: Duration = Duration::from_secs(5);
/// Limit for the names in memory. Beyond it they are dropped and read again.
const MOST_NAMES: usize = 4096;

/// The names found in these files.
#[derive(Debug, Default)]
pub(super) struct PerfMaps {
    /// The function and the offset in it, bytes, by process and address.
    known: HashMap<(u32, u64), Option<(String, u64)>>,
    read: HashMap<u32, Instant>,
}

impl PerfMaps {
    /// The functions at `addresses` of process `pid`, for code that is in no file.
    pub(super) fn functions(&mut self, pid: u32, addresses: &[u64]) -> Vec<Option<(String, u64)>> {
        let is_unknown = |address: &&u64| self.known.get(&(pid, **address)).is_none_or(Option::is_none);
        let wanted: Vec<u64> = addresses.iter().filter(is_unknown).copied().collect();
        let is_due = self.read.get(&pid).is_none_or(|read| read.elapsed() >= AGAIN_AFTER);
        if !wanted.is_empty() && is_due {
            if self.known.len() > MOST_NAMES {
                self.known.clear();
                self.read.clear();
            }
            self.read.insert(pid, Instant::now());
            let found = open(pid).map(|file| find(BufReader::new(file), &wanted)).unwrap_or_default();
            self.known.extend(wanted.iter().map(|&address| ((pid, address), found.get(&address).cloned())));
        }
        addresses.iter().map(|&address| self.known.get(&(pid, address)).cloned().flatten()).collect()
    }
}

/// Opens the file of `pid`, with the `/tmp` and the PID that the process itself sees. `None` if no file is
/// certain to belong to the process.
fn open(pid: u32) -> Option<File> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    // `NSpid` lists the PID of the innermost namespace last. The second number of `Uid` is the effective
    // user.
    let own_pid: u32 = field("NSpid")?.split_whitespace().last()?.parse().ok()?;
    let user: u32 = field("Uid")?.split_whitespace().nth(1)?.parse().ok()?;
    // A link could lead out of the process's root.
    let folder = format!("/proc/{pid}/root/tmp");
    let folder =
        openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(openat(folder.ok()?, format!("perf-{own_pid}.map"), flags, Mode::empty()).ok()?);
    let about = file.metadata().ok()?;
    (about.is_file() && about.uid() == user && about.len() <= MOST_BYTES).then_some(file)
}

/// Finds the functions at these addresses. A line is `START LENGTH NAME` with hexadecimal numbers. The last
/// matching line is the newest code, so it is used.
fn find(text: impl BufRead, wanted: &[u64]) -> HashMap<u64, (String, u64)> {
    let mut found = HashMap::new();
    let mut text = text.take(MOST_BYTES);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut text).take(MOST_LINE).read_until(b'\n', &mut line) {
            Ok(1..) if line.last() == Some(&b'\n') => {}
            _ => return found,
        }
        let mut words = line.trim_ascii_end().splitn(3, |&byte| byte == b' ');
        let (start, length, name) = (words.next().and_then(number), words.next().and_then(number), words.next());
        let (Some(start), Some(length), Some(name)) = (start, length, name) else { continue };
        for &address in wanted {
            if let Some(offset) = address.checked_sub(start).filter(|&offset| offset < length) {
                found.insert(address, (readable(name), offset));
            }
        }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(digits).ok()?.trim_start_matches("0x"), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_code_at_an_address_has_the_name() {
        let text = b"7f00 10 old\n7f00 20 LazyCompile:*write /app/a b.js:1\nzz 1 x\n7f40 8\n7f40 8 py::f:/app/x.py\n0x9000 10 z";
        let found = find(&text[..], &[0x7f05, 0x7f1f, 0x7f20, 0x7f41, 0x9001]);
        let name = |address: u64| found.get(&address).map(|(name, offset)| (name.as_str(), *offset));
        assert_eq!(name(0x7f05), Some(("LazyCompile:*write /app/a b.js:1", 5)));
        assert_eq!(name(0x7f1f), Some(("LazyCompile:*write /app/a b.js:1", 0x1f)));
        assert_eq!(name(0x7f41), Some(("py::f:/app/x.py", 1)));
        assert_eq!([name(0x7f20), name(0x9001)], [None, None], "behind the end, and in a line without one");
    }

    #[test]
    fn hostile_text_ends() {
        for text in
            [&b""[..], b"\n\n\n", b"1 ffffffffffffffff \x1b[2J\xff\n", &vec![b'1'; 100_000], b"ffffffffffffffff 2 x\n"]
        {
            for (_, (name, _)) in find(text, &[0, 1, u64::MAX]) {
                assert!(!name.contains('\x1b'), "{name:?}");
            }
        }
    }

    /// Links, pipes and files of another user are not read.
    #[test]
    fn only_a_plain_file_of_the_own_user_is_read() {
        let pid = std::process::id();
        let path = format!("/tmp/perf-{pid}.map");
        let read = || open(pid).is_some();
        let _ = fs::remove_file(&path);
        assert!(!read());
        std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
        assert!(!read(), "a link");
        fs::remove_file(&path).unwrap();
        rustix::fs::mknodat(CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert!(!read(), "a pipe");
        fs::remove_file(&path).unwrap();
        fs::write(&path, "7f00 10 f\n").unwrap();
        assert!(read());
        let mut maps = PerfMaps::default();
        assert_eq!(maps.functions(pid, &[0x7f01, 0x8000]), [Some(("f".to_owned(), 1)), None]);
        if std::os::unix::fs::chown(&path, Some(65_534), None).is_ok() {
            assert!(!read(), "a file of somebody else");
        }
        File::create(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(!read(), "too large");
        fs::remove_file(&path).unwrap();
    }
}
