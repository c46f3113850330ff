use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a part of a file without using the file's position, so several readers can share the file.
#[derive(Debug)]
pub struct ReadAt {
    file: Arc<File>,
    position: u64,
    end: u64,
}

impl ReadAt {
    /// Reads the bytes from `start` to `end`.
    pub const fn new(file: Arc<File>, start: u64, end: u64) -> Self {
        Self { file, position: start, end }
    }

    /// Reads the whole file, including data appended during the reading.
    pub const fn whole(file: Arc<File>) -> Self {
        Self::new(file, 0, u64::MAX)
    }
}

impl Read for ReadAt {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..wanted).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        let len = read_at(&self.file, buffer, self.position)?;
        self.position += len as u64;
        Ok(len)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, position)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    // This changes the file's own position, which nothing uses.
    std::os::windows::fs::FileExt::seek_read(file, buffer, position)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::thread;

    use super::*;

    #[test]
    fn readings_do_not_disturb_each_other() {
        let text: Vec<u8> = (0..1 << 20).map(|i: u32| (i % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&text).unwrap();
        let file = Arc::new(file);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut read = Vec::new();
                    ReadAt::whole(Arc::clone(&file)).read_to_end(&mut read).unwrap();
                    assert!(read == text);
                });
            }
        });
        let mut part = Vec::new();
        ReadAt::new(file, 10, 20).read_to_end(&mut part).unwrap();
        assert_eq!(part, &text[10..20]);
    }
}
