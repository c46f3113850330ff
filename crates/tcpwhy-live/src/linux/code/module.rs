//! What an ELF file says of its code: names of functions, and how to leave them (`.eh_frame`).

use std::fs::File;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};

use object::read::ReadCache;
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, SymbolKind};

use super::maps::Mapping;
use super::name::readable;

/// Larger tables are not read.
const MOST_TABLE: u64 = 12 << 20;
/// More symbols are not looked at.
const MOST_SYMBOLS: usize = 400_000;
/// Longer names are cut: those of C++ and Rust hold types, and mean nothing without their end.
const MOST_NAME: usize = 1000;

/// Bytes of a file, as far as they are loaded at an address.
#[derive(Clone, Copy, Debug)]
struct Segment {
    offset: u64,
    size: u64,
    address: u64,
}

/// A section with its address.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) address: u64,
    pub(super) bytes: Vec<u8>,
}

/// A file of code.
#[derive(Debug)]
pub(super) struct Module {
    segments: Vec<Segment>,
    /// `.eh_frame_hdr` and `.eh_frame`.
    pub(super) frames: Option<[Section; 2]>,
    /// Addresses of `.text` and `.got`, which those may refer to.
    pub(super) bases: [Option<u64>; 2],
    /// By address: begin, length, and where its name is.
    functions: Vec<(u64, u64, u32, u32)>,
    names: Vec<u8>,
}

impl Module {
    /// The file behind `mapping` of the process; `None` if it may not be read, is another one by now, or is no ELF file.
    pub(super) fn open(pid: u32, mapping: &Mapping) -> Option<Self> {
        let path = std::str::from_utf8(&mapping.path).ok()?;
        // As the process sees it. A pipe that lies there must not be waited for.
        let file = File::options()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(format!("/proc/{pid}/root{path}"))
            .ok()?;
        let about = file.metadata().ok()?;
        if !about.is_file() || Some(about.ino()) != mapping.file.map(|id| id.inode) {
            return None;
        }
        Self::read(file)
    }

    fn read(file: File) -> Option<Self> {
        let cache = ReadCache::new(file);
        let elf = ElfFile64::<Endianness, _>::parse(&cache).ok()?;
        let endian = elf.endian();
        let headers = elf.elf_header().program_headers(endian, &cache).ok()?;
        let segments = headers.iter().filter(|header| header.p_type(endian) == object::elf::PT_LOAD);
        let segments = segments.map(|header| Segment {
            offset: header.p_offset(endian),
            size: header.p_filesz(endian),
            address: header.p_vaddr(endian),
        });
        let section = |name: &str| {
            let section = elf.section_by_name(name).filter(|section| section.size() <= MOST_TABLE)?;
            Some(Section { address: section.address(), bytes: section.data().ok()?.to_vec() })
        };
        let frames = section(".eh_frame_hdr").zip(section(".eh_frame")).map(|(index, frames)| [index, frames]);
        let bases = [".text", ".got"].map(|name| elf.section_by_name(name).map(|section| section.address()));
        let mut module = Self { segments: segments.collect(), frames, bases, functions: Vec::new(), names: Vec::new() };
        // Those for debugging have all of those for linking.
        let is_small = |name: &str| elf.section_by_name(name).is_none_or(|section| section.size() <= MOST_TABLE);
        if is_small(".symtab") && is_small(".strtab") {
            module.take_functions(elf.symbols());
        }
        if module.functions.is_empty() && is_small(".dynsym") && is_small(".dynstr") {
            module.take_functions(elf.dynamic_symbols());
        }
        module.functions.sort_unstable();
        Some(module)
    }

    fn take_functions<'a>(&mut self, symbols: impl Iterator<Item = impl object::ObjectSymbol<'a>>) {
        for symbol in symbols.take(MOST_SYMBOLS) {
            if symbol.kind() != SymbolKind::Text || symbol.is_undefined() {
                continue;
            }
            let Ok(name) = symbol.name_bytes() else { continue };
            let name = &name[..name.len().min(MOST_NAME)];
            let Ok(at) = u32::try_from(self.names.len()) else { break };
            self.names.extend(name);
            self.functions.push((symbol.address(), symbol.size(), at, name.len() as u32));
            if self.names.len() as u64 > MOST_TABLE {
                break;
            }
        }
    }

    /// Bytes that it takes, about.
    pub(super) fn size(&self) -> usize {
        let frames = self.frames.iter().flatten().map(|section| section.bytes.len()).sum::<usize>();
        frames + self.names.len() + size_of_val(self.functions.as_slice())
    }

    /// The address in the file's tables of what is at `address` in memory, where the file from `offset` on begins at `start`.
    pub(super) fn address(&self, start: u64, offset: u64, address: u64) -> Option<u64> {
        let at = address.checked_sub(start)?.checked_add(offset)?;
        let holds = |segment: &&Segment| at.checked_sub(segment.offset).is_some_and(|into| into < segment.size);
        let segment = self.segments.iter().find(holds)?;
        segment.address.checked_add(at - segment.offset)
    }

    /// The function at an address of the file's tables, and how far into it that is.
    pub(super) fn function(&self, address: u64) -> Option<(String, u64)> {
        let behind = self.functions.partition_point(|function| function.0 <= address);
        let (begin, size, at, length) = *self.functions.get(behind.checked_sub(1)?)?;
        // What has no length, written by hand, goes on to the next.
        if size > 0 && address - begin >= size {
            return None;
        }
        let name = self.names.get(at as usize..at as usize + length as usize)?;
        Some((readable(name), address - begin))
    }
}
