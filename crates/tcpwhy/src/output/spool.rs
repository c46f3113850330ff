//! Text that is needed again in another order.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

/// Pieces of text: in memory as long as they are few, then in a temporary file, which has no name and goes with the process,
/// however that ends.
pub(super) struct Spool {
    blocks: Vec<Block>,
    /// Bytes in memory.
    held: usize,
    limit: usize,
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
    /// Memory of blocks that are in the file, for those to come: fresh memory is dear.
    spare: Vec<Vec<u8>>,
}

/// Pieces that stand together.
enum Block {
    Held(Vec<u8>),
    /// In the file, from there.
    Filed(u64),
}

/// Where a piece is: in which block, from where, how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    block: u32,
    at: u32,
    len: u32,
}

impl Spool {
    /// More than an ordinary report; what is beyond it need not be in memory.
    const IN_MEMORY: usize = 64 << 20;
    /// Blocks hold this much, or one piece: they never move, as text that grows would.
    const BLOCK: usize = 1 << 20;

    pub(super) fn new() -> Self {
        Self::with_limit(Self::IN_MEMORY)
    }

    fn with_limit(limit: usize) -> Self {
        Self { blocks: Vec::new(), held: 0, limit, file: None, filed: 0, spare: Vec::new() }
    }

    /// Adds a piece. Fails when there is no room for temporary files.
    pub(super) fn push(&mut self, text: &[u8]) -> io::Result<Piece> {
        if self.held + text.len() > self.limit {
            self.spill().map_err(|error| named(&error))?;
        }
        let has_room = |block: &Block| matches!(block, Block::Held(b) if b.capacity() - b.len() >= text.len());
        if !self.blocks.last().is_some_and(has_room) {
            let mut block = self.spare.pop().unwrap_or_default();
            block.reserve_exact(text.len().max(Self::BLOCK.min(self.limit)));
            self.blocks.push(Block::Held(block));
        }
        let block = self.blocks.len() - 1;
        let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "more text than fits a report");
        let fits = |n: usize| u32::try_from(n).map_err(|_| too_large());
        let Block::Held(last) = &mut self.blocks[block] else { return Err(too_large()) };
        let piece = Piece { block: fits(block)?, at: fits(last.len())?, len: fits(text.len())? };
        last.extend_from_slice(text);
        self.held += text.len();
        Ok(piece)
    }

    /// Reads a piece into `text`, in place of what that held.
    pub(super) fn read(&mut self, piece: Piece, text: &mut Vec<u8>) -> io::Result<()> {
        text.clear();
        let (at, len) = (piece.at as usize, piece.len as usize);
        match (&self.blocks[piece.block as usize], &mut self.file) {
            (Block::Held(block), _) => text.extend_from_slice(&block[at..at + len]),
            (Block::Filed(from), Some(file)) => {
                text.resize(len, 0);
                let read = file.seek(SeekFrom::Start(from + at as u64)).and_then(|_| file.read_exact(text));
                read.map_err(|error| named(&error))?;
            }
            // What is filed is in the file.
            (Block::Filed(_), None) => {}
        }
        Ok(())
    }

    /// Moves all blocks in memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        // Those before are in the file already.
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

fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", std::env::temp_dir().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_from_memory_and_file() {
        let mut spool = Spool::with_limit(100);
        let texts: Vec<Vec<u8>> = (0..50_u8).map(|i| vec![i; usize::from(i)]).collect();
        let pieces: Vec<Piece> = texts.iter().map(|t| spool.push(t).unwrap()).collect();
        assert!(spool.file.is_some() && spool.held <= 100 && spool.held > 0, "{} bytes held", spool.held);
        let mut read = Vec::new();
        for (piece, text) in pieces.iter().zip(&texts).rev() {
            spool.read(*piece, &mut read).unwrap();
            assert_eq!(&read, text);
        }
    }

    #[test]
    fn few_need_no_file() {
        let mut spool = Spool::new();
        spool.push(b"text").unwrap();
        assert!(spool.file.is_none());
    }
}
