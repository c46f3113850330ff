//! Messages with open files between processes of one user, one line of JSON each.

use std::io::{self, IoSlice, IoSliceMut, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Limit for the files with one message: the three standard streams.
const MOST_FILES: usize = 3;
/// Longest message, bytes: as long as the longest command line of usual systems (`ARG_MAX` with a stack of
/// 8 MiB).
const LONGEST: usize = 2 << 20;
/// Size of one read, bytes.
const PIECE: usize = 16_384;

/// One side of a connection.
#[derive(Debug)]
pub(super) struct Channel {
    stream: UnixStream,
    rest: Vec<u8>,
    files: Vec<OwnedFd>,
}

impl Channel {
    pub(super) const fn new(stream: UnixStream) -> Self {
        Self { stream, rest: Vec::new(), files: Vec::new() }
    }

    /// Sends a message with these files.
    pub(super) fn send<M: Serialize>(&self, message: &M, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(files)) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // `NOSIGNAL`, because a closed peer must be an error and not end this process.
        let sent = sendmsg(&self.stream, &[IoSlice::new(&line)], &mut ancillary, SendFlags::NOSIGNAL)?;
        (&self.stream).write_all(&line[sent..])
    }

    /// Waits for the next message; `None` at the end of the connection.
    pub(super) fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            if self.rest.len() > LONGEST {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if !self.read_more()? {
                return Ok(None);
            }
        }
    }

    fn read_more(&mut self) -> io::Result<bool> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut piece = [0; PIECE];
        let into = &mut [IoSliceMut::new(&mut piece)];
        let came = match recvmsg(&self.stream, into, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Ok(came) => came,
            Err(rustix::io::Errno::INTR) => return Ok(true),
            // The other side ended before it had read all that was sent to it.
            Err(rustix::io::Errno::CONNRESET) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                self.files.extend(files);
            }
        }
        self.rest.extend_from_slice(&piece[..came.bytes]);
        Ok(came.bytes > 0)
    }

    /// Takes the files that arrived with messages so far.
    pub(super) fn take_files(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.files)
    }

    /// Whether a complete message has been received but not taken yet.
    pub(super) fn has_message(&self) -> bool {
        self.rest.contains(&b'\n')
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read as _, Seek as _};

    use super::*;

    #[test]
    fn messages_come_in_order_with_their_files() {
        let (here, there) = UnixStream::pair().unwrap();
        let (here, mut there) = (Channel::new(here), Channel::new(there));
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"inside").unwrap();
        here.send(&"a".repeat(100_000), &[file.as_fd()]).unwrap();
        here.send(&2, &[]).unwrap();
        drop(here);
        assert_eq!(there.receive::<String>().unwrap().unwrap().len(), 100_000);
        let mut files = there.take_files();
        assert_eq!(files.len(), 1);
        let mut file = File::from(files.remove(0));
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        assert_eq!(there.receive::<u8>().unwrap(), Some(2));
        assert_eq!(there.receive::<u8>().unwrap(), None);
    }

    #[test]
    fn a_message_without_an_end_is_refused() {
        let (here, there) = UnixStream::pair().unwrap();
        let writing = std::thread::spawn(move || {
            let _ = (&here).write_all(&vec![b'x'; LONGEST + 2 * PIECE]);
        });
        let refused = Channel::new(there).receive::<u8>().unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
        writing.join().unwrap();
    }
}
