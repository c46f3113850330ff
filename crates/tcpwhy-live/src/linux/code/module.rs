//! The parts of an ELF file about its code: names of functions, and the rules to unwind them (`.eh_frame`).

use std::fs::File;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};

use object::read::ReadCache;
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{Endianness, Object as _, ObjectSection as _, SymbolKind};

use super::maps::Mapping;
use super::name::readable;

/// Limit for the tables that are read, bytes.
const MOST_TABLE: u64 = 12 << 20;
/// Limit for the symbols that are read.
const MOST_SYMBOLS: usize = 400_000;
/// Limit for a name, bytes. Longer names are those of C++ and Rust with types in them.
const MOST_NAME: usize = 1000;

/// A part of a file that is loaded at an address.
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

/// A file that contains code.
#[derive(Debug)]
pub(super) struct Module {
    segments: Vec<Segment>,
    /// `.eh_frame_hdr` and `.eh_frame`.
    pub(super) frames: Option<[Section; 2]>,
    /// Addresses of `.text` and `.got`, to which the frame tables may refer.
    pub(super) bases: [Option<u64>; 2],
    /// Begin, length, and position and length of the name in `names`; ordered by address.
    functions: Vec<(u64, u64, u32, u32)>,
    names: Vec<u8>,
}

impl Module {
    /// Opens the file of a `mapping` of the process; `None` if it is unreadable, was replaced, or is not an
    /// ELF file.
    pub(super) fn open(pid: u32, mapping: &Mapping) -> Option<Self> {
        let path = std::str::from_utf8(&mapping.path).ok()?;
        // The path is that of the process's own root. Opening must not block if a pipe is at the path.
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
        // Debug symbols (`.symtab`) include all of the dynamic symbols.
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

    /// Approximate memory use, bytes.
    pub(super) fn size(&self) -> usize {
        let frames = self.frames.iter().flatten().map(|section| section.bytes.len()).sum::<usize>();
        frames + self.names.len() + size_of_val(self.functions.as_slice())
    }

    /// Converts an address in memory to an address of the file's tables. The file's bytes from `offset` on
    /// begin at `start` in memory.
    pub(super) fn address(&self, start: u64, offset: u64, address: u64) -> Option<u64> {
        let at = address.checked_sub(start)?.checked_add(offset)?;
        let holds = |segment: &&Segment| at.checked_sub(segment.offset).is_some_and(|into| into < segment.size);
        let segment = self.segments.iter().find(holds)?;
        segment.address.checked_add(at - segment.offset)
    }

    /// The function at an address of the file's tables, and the offset of the address in it.
    pub(super) fn function(&self, address: u64) -> Option<(String, u64)> {
        let behind = self.functions.partition_point(|function| function.0 <= address);
        let (begin, size, at, length) = *self.functions.get(behind.checked_sub(1)?)?;
        // Functions in assembler may have no length; they extend to the next function.
        if size > 0 && address - begin >= size {
            return None;
        }
        let name = self.names.get(at as usize..at as usize + length as usize)?;
        Some((readable(name), address - begin))
    }
}
