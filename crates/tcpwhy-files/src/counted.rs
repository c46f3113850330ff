//! A file that counts the bytes written to it.

use std::fs::File;
use std::io::{self, Write};
use std::ops::AddAssign;

/// A file, a device or a FIFO, with the number of bytes written to it.
#[derive(Debug)]
pub struct CountedFile {
    file: File,
    bytes: u64,
}

/// The amount that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of files.
    pub files: u64,
    /// Number of bytes in all files.
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

    /// The file. Bytes written to it directly are not counted.
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
