//! Storage for text that is read back in another order.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;

use crate::message::failure;

/// Pieces of text: in memory up to a limit, then in a temporary file without a name, which disappears with
/// the process.
pub(super) struct Spool {
    blocks: Vec<Block>,
    /// Bytes in memory.
    held: usize,
    limit: usize,
    file: SpoolFile,
    /// Bytes in the file.
    filed: u64,
    /// Memory of blocks that were moved to the file, for reuse: fresh memory is expensive.
    spare: Vec<Vec<u8>>,
}

/// A temporary file, opened before this process gives up its privileges, because it could not create one
/// later. An error matters only if the file is needed.
pub(crate) struct SpoolFile(io::Result<File>);

impl SpoolFile {
    /// Creates it in the folder for temporary files.
    pub(crate) fn open() -> Self {
        Self(tempfile::tempfile())
    }

    /// For output that keeps no text.
    pub(crate) fn unneeded() -> Self {
        Self(Err(io::ErrorKind::Unsupported.into()))
    }

    fn get(&self) -> io::Result<&File> {
        // The kernel's reason is kept with its number.
        let copy =
            |error: &io::Error| error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
        self.0.as_ref().map_err(copy)
    }
}

/// A block of adjacent pieces.
enum Block {
    Held(Vec<u8>),
    /// In the file, at this offset.
    Filed(u64),
}

/// Index of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockId(u32);

/// Place of a piece: block, offset and length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    block: BlockId,
    at: u32,
    len: u32,
}

impl Piece {
    /// The bytes `range` of a block.
    pub(super) fn new(block: BlockId, range: &Range<usize>) -> io::Result<Self> {
        let fits = |n: usize| u32::try_from(n).map_err(|_| too_large());
        Ok(Self { block, at: fits(range.start)?, len: fits(range.len())? })
    }

    fn range(self) -> Range<usize> {
        self.at as usize..self.at as usize + self.len as usize
    }
}

impl Spool {
    /// Bytes to keep in memory: more than an ordinary report.
    const IN_MEMORY: usize = 64 << 20;

    pub(super) fn new(file: SpoolFile) -> Self {
        Self::with_limit(Self::IN_MEMORY, file)
    }

    fn with_limit(limit: usize, file: SpoolFile) -> Self {
        Self { blocks: Vec::new(), held: 0, limit, file, filed: 0, spare: Vec::new() }
    }

    /// Empty memory to write a block into.
    pub(super) fn block(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes back unused memory.
    pub(super) fn give_back(&mut self, block: Vec<u8>) {
        self.spare.push(block);
    }

    /// Stores a block, whose pieces [`Piece::new`] names. Fails if there is no space for temporary files.
    pub(super) fn push(&mut self, block: Vec<u8>) -> io::Result<BlockId> {
        if self.held + block.len() > self.limit {
            self.spill().map_err(|error| named(&error))?;
        }
        let id = u32::try_from(self.blocks.len()).map_err(|_| too_large())?;
        self.held += block.len();
        self.blocks.push(Block::Held(block));
        Ok(BlockId(id))
    }

    /// A piece, if its block is in memory.
    pub(super) fn held(&self, piece: Piece) -> Option<&[u8]> {
        match &self.blocks[piece.block.0 as usize] {
            Block::Held(block) => Some(&block[piece.range()]),
            Block::Filed(_) => None,
        }
    }

    /// A piece, from memory or the file; `text` is the buffer for the file.
    pub(super) fn read<'a>(&'a self, piece: Piece, text: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match &self.blocks[piece.block.0 as usize] {
            Block::Held(block) => Ok(&block[piece.range()]),
            Block::Filed(from) => {
                let place = SeekFrom::Start(from + u64::from(piece.at));
                text.resize(piece.len as usize, 0);
                let read = |mut file: &File| file.seek(place).and_then(|_| file.read_exact(text));
                self.file.get().and_then(read).map_err(|error| named(&error))?;
                Ok(text)
            }
        }
    }

    /// Moves all blocks in memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let mut file = self.file.get()?;
        // Earlier blocks are in the file already.
        for block in self.blocks.iter_mut().rev().take_while(|b| matches!(b, Block::Held(_))) {
            if let Block::Held(text) = block {
                file.write_all(text)?;
                let from = self.filed;
                self.filed += text.len() as u64;
                let mut spare = std::mem::take(text);
                spare.clear();
                self.spare.push(spare);
                *block = Block::Filed(from);
            }
        }
        self.held = 0;
        Ok(())
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, failure("spool-too-large"))
}

fn named(error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        failure("spool").with("folder", std::env::temp_dir().display().to_string()).with("cause", error),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_from_memory_and_file() {
        let mut spool = Spool::with_limit(100, SpoolFile::open());
        let blocks: Vec<Vec<u8>> = (0..50_u8).map(|i| (0..i).collect()).collect();
        let mut pieces = Vec::new();
        for text in &blocks {
            let mut block = spool.block();
            assert!(block.is_empty(), "memory of a block in the file is given empty");
            block.extend_from_slice(text);
            let id = spool.push(block).unwrap();
            let halves = [0..text.len() / 2, text.len() / 2..text.len()];
            pieces.extend(halves.map(|half| (Piece::new(id, &half).unwrap(), &text[half])));
        }
        assert!(spool.filed > 0 && spool.held <= 100 && spool.held > 0, "{} bytes held", spool.held);
        for (piece, text) in pieces.into_iter().rev() {
            assert!(spool.held(piece).is_none_or(|held| held == text));
            assert_eq!(spool.read(piece, &mut Vec::new()).unwrap(), text);
        }
    }

    #[test]
    fn few_need_no_file() {
        let full = || SpoolFile(Err(io::ErrorKind::StorageFull.into()));
        let mut spool = Spool::new(full());
        let id = spool.push(b"text".to_vec()).unwrap();
        assert_eq!(spool.filed, 0);
        assert_eq!(spool.held(Piece::new(id, &(1..3)).unwrap()), Some(&b"ex"[..]));
        let error = Spool::with_limit(3, full()).push(b"text".to_vec()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
