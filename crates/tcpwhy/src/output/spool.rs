//! Text that is needed again in another order.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

/// Pieces of text one after the other: in memory as long as they are few, then in a temporary file, which has no name and
/// goes with the process, however that ends.
pub(super) struct Spool {
    /// What is not in the file.
    recent: Vec<u8>,
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
    limit: usize,
}

/// Where a piece is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    at: u64,
    len: usize,
}

impl Spool {
    /// More than an ordinary report; what is beyond it need not be in memory.
    const IN_MEMORY: usize = 64 << 20;

    pub(super) fn new() -> Self {
        Self::with_limit(Self::IN_MEMORY)
    }

    fn with_limit(limit: usize) -> Self {
        Self { recent: Vec::new(), file: None, filed: 0, limit }
    }

    /// Adds a piece. Fails when there is no room for temporary files.
    pub(super) fn push(&mut self, text: &[u8]) -> io::Result<Piece> {
        if self.recent.len() + text.len() > self.limit {
            self.spill().map_err(|error| named(&error))?;
        }
        let piece = Piece { at: self.filed + self.recent.len() as u64, len: text.len() };
        self.recent.extend_from_slice(text);
        Ok(piece)
    }

    /// Reads a piece into `text`, in place of what that held.
    pub(super) fn read(&mut self, piece: Piece, text: &mut Vec<u8>) -> io::Result<()> {
        text.clear();
        if let Some(at) = piece.at.checked_sub(self.filed) {
            text.extend_from_slice(&self.recent[at as usize..at as usize + piece.len]);
            return Ok(());
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        text.resize(piece.len, 0);
        let read = file.seek(SeekFrom::Start(piece.at)).and_then(|_| file.read_exact(text));
        read.map_err(|error| named(&error))
    }

    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.recent)?;
        self.filed += self.recent.len() as u64;
        self.recent.clear();
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
        assert!(spool.file.is_some() && spool.recent.len() <= 100 && !spool.recent.is_empty());
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
