//! The code in the memory of a process: `/proc/PID/maps` (`proc_pid_maps(5)`).

use std::fs::File;
use std::io::Read as _;

/// Limit for the text that is read, bytes: about 20,000 mappings.
const MOST_BYTES: u64 = 2 << 20;

/// Identity of a file in the kernel: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FileId {
    device: (u32, u32),
    pub(super) inode: u64,
}

/// A mapping of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Offset of `start` in the file, bytes.
    pub(super) offset: u64,
    /// `None` for a mapping without a file.
    pub(super) file: Option<FileId>,
    /// The path as the process sees it; empty if there is none. `[vdso]` is the kernel's code.
    pub(super) path: Vec<u8>,
}

/// All code mappings of a process.
#[derive(Debug)]
pub(super) struct Maps(Vec<Mapping>);

impl Maps {
    /// Reads the mappings of `pid`; `None` if the process has ended or is unreadable.
    pub(super) fn of(pid: u32) -> Option<Self> {
        let mut text = Vec::new();
        File::open(format!("/proc/{pid}/maps")).ok()?.take(MOST_BYTES).read_to_end(&mut text).ok()?;
        Some(Self::parse(&text))
    }

    fn parse(text: &[u8]) -> Self {
        // The kernel prints mappings by address, but a search must not depend on it.
        let mut mappings: Vec<Mapping> = text.split(|&byte| byte == b'\n').filter_map(mapping).collect();
        mappings.sort_by_key(|mapping| mapping.start);
        Self(mappings)
    }

    /// The mapping that contains `address`.
    pub(super) fn at(&self, address: u64) -> Option<&Mapping> {
        let behind = self.0.partition_point(|mapping| mapping.start <= address);
        self.0.get(behind.checked_sub(1)?).filter(|mapping| address < mapping.end)
    }
}

/// Parses a line `START-END RIGHTS OFFSET MAJOR:MINOR INODE   PATH`; `None` if the mapping is not executable.
fn mapping(line: &[u8]) -> Option<Mapping> {
    let mut words = line.splitn(6, |&byte| byte == b' ');
    let mut word = || words.next().and_then(|word| std::str::from_utf8(word).ok());
    let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let (start, end) = word()?.split_once('-')?;
    if !word()?.contains('x') {
        return None;
    }
    let offset = hex(word()?)?;
    let (major, minor) = word()?.split_once(':')?;
    let device = (u32::from_str_radix(major, 16).ok()?, u32::from_str_radix(minor, 16).ok()?);
    let inode = word()?.parse().ok()?;
    let path = words.next().unwrap_or_default().trim_ascii_start();
    let path = path.strip_suffix(b" (deleted)").unwrap_or(path).to_vec();
    let file = (inode != 0).then_some(FileId { device, inode });
    Some(Mapping { start: hex(start)?, end: hex(end)?, offset, file, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"\
55e0a000-55e0c000 r--p 00000000 fe:01 131            /usr/bin/a b
55e0c000-55e10000 r-xp 00002000 fe:01 131            /usr/bin/a b
7f000000-7f001000 r-xp 00000000 00:00 0 
7f002000-7f003000 r-xp 00001000 fe:01 77             /tmp/x (deleted)
7fff0000-7fff2000 r-xp 00000000 00:00 0              [vdso]
nonsense
7g-1 r-xp 0 0:0 0
";

    #[test]
    fn code_is_found_by_its_address() {
        let maps = Maps::parse(TEXT);
        assert_eq!(maps.at(0x55e0_b000), None, "that is no code");
        let program = maps.at(0x55e0_ffff).unwrap();
        assert_eq!((program.offset, program.path.as_slice()), (0x2000, b"/usr/bin/a b".as_slice()));
        assert_eq!(program.file, Some(FileId { device: (0xfe, 1), inode: 131 }));
        assert_eq!(maps.at(0x55e1_0000), None);
        let made = maps.at(0x7f00_0000).unwrap();
        assert_eq!((made.file, made.path.len()), (None, 0));
        assert_eq!(maps.at(0x7f00_2000).unwrap().path, b"/tmp/x");
        assert_eq!(maps.at(0x7fff_1000).unwrap().path, b"[vdso]");
        assert_eq!((maps.at(0), maps.at(u64::MAX)), (None, None));
    }
}
