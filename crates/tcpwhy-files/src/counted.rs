//! A file that counts what is written to it.

use std::fs::File;
use std::io::{self, Write};
use std::ops::AddAssign;

/// What is written to a file, a device or a FIFO.
#[derive(Debug)]
pub struct CountedFile {
    file: File,
    bytes: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// How many files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl AddAssign for Written {
    fn add_assign(&mut self, more: Self) {
        self.files += more.files;
        self.bytes += more.bytes;
    }
}

impl CountedFile {
    pub(crate) const fn new(file: File) -> Self {
        Self { file, bytes: 0 }
    }

    /// The file. What is written to it directly is not counted.
    pub const fn file(&self) -> &File {
        &self.file
    }

    pub(crate) const fn written(&self) -> Written {
        Written { files: 1, bytes: self.bytes }
    }
}

impl Write for CountedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.file.write(bytes)?;
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
