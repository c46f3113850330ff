use std::io::{self, Read};
use std::sync::Arc;

/// Access to the captures: in a browser the files that were dropped on the page.
pub trait Disk: Send + Sync {
    /// Reads up to `buffer.len()` bytes of file `file`, counted from 0, at `offset`; 0 at its end.
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Called between two reads with the numbers of packets and connections that a request has seen so far.
    fn reached(&self, packets: u64, connections: u64) {
        let _ = (packets, connections);
    }
}

/// A reader of one file, from its beginning.
pub(crate) struct Reading {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) file: usize,
    pub(crate) offset: u64,
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.disk.read(self.file, self.offset, buffer)?;
        self.offset += len as u64;
        Ok(len)
    }
}
