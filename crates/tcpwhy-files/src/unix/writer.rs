//! A process that puts files in place for another one, which has given up all rights to write.
//!
//! A process that parses data from strangers asks for an open file, writes to it, and asks to have it put in
//! place. The process that does this never sees a byte of the data. It may only write to one folder, under
//! names and by a policy that were fixed before.
//!
//! A question is a byte and a name. An answer is a byte, a number of four bytes, and an open file if one was
//! asked for.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{Access, AtFlags, accessat, fchown};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use rustix::process::{Gid, Uid};
use tcpwhy_rights::{Capability, Child, Files, Grant, Identity, caller, close_all_but, try_with};

use crate::WriteError;

/// A request of the process that gave up its rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Requests a file for output, which will get this name.
    Replace(OsString),
    /// Puts the file in place, because it is complete.
    Place,
    /// Requests a new file that grows under this name.
    Begin(OsString),
    /// Removes the file with this name.
    Remove(OsString),
    /// Keeps everything that was begun.
    Keep,
}

/// The connection to the process, which ends when this is dropped, or with this process.
#[derive(Debug)]
pub(super) struct Writer(OwnedFd);

/// Longest question, a byte and a name, in bytes.
const LONGEST: usize = 1 + 4096;
const ANSWER: usize = 5;

impl Writer {
    /// Starts a process that runs `serve`, and ends when that returns. It may only write to `folder`, and
    /// remove the folders that were created for it. `above` has each of these as a name and its parent.
    /// `is_protected` returns whether the existing file is not writable without a capability. The process
    /// keeps only these open files: its standard error, `folder`, those above and `kept`. `serve` gets `None`
    /// if the process could not be confined. Call it while this process has only one thread.
    pub(super) fn start(
        folder: BorrowedFd<'_>,
        above: &[(OwnedFd, OsString)],
        kept: &[BorrowedFd<'_>],
        is_protected: &dyn Fn() -> bool,
        serve: impl FnOnce(Option<&Line>),
    ) -> io::Result<Self> {
        let (own, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        if Child::start()?.is_none() {
            drop(own);
            let above_it = above.iter().map(|(folder, _)| folder.as_fd());
            let needed: Vec<_> =
                [other.as_fd(), folder].into_iter().chain(above_it).chain(kept.iter().copied()).collect();
            // The process has no use for the input, its copy or a packet socket.
            if close_all_but(&needed).is_err() {
                end();
            }
            let line = Line(other);
            serve(confine(folder, above, is_protected).is_ok().then_some(&line));
            end();
        }
        Ok(Self(own))
    }

    /// Sends a request whose answer contains no file.
    pub(super) fn ask(&self, question: &Question, path: &Path) -> Result<(), WriteError> {
        self.exchange(question, path).map(drop)
    }

    /// Sends a request for an open file.
    pub(super) fn ask_for_file(&self, question: &Question, path: &Path) -> Result<File, WriteError> {
        let file = self.exchange(question, path)?;
        file.map(File::from).ok_or_else(|| WriteError::io(path, Errno::BADMSG))
    }

    fn exchange(&self, question: &Question, path: &Path) -> Result<Option<OwnedFd>, WriteError> {
        let (number, name) = match question {
            Question::Replace(name) => (0, name.as_bytes()),
            Question::Place => (1, &[][..]),
            Question::Begin(name) => (2, name.as_bytes()),
            Question::Remove(name) => (3, name.as_bytes()),
            Question::Keep => (4, &[][..]),
        };
        let failed = |error: io::Error| match error.kind() {
            // A broken pipe here is not the end of a reader of printed output: the file could not be written.
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => WriteError::io(path, ended()),
            _ => WriteError::io(path, error),
        };
        send(&self.0, &[&[number], name].concat(), None).map_err(failed)?;
        let mut answer = [0; ANSWER];
        let (len, file) = receive(&self.0, &mut answer).map_err(failed)?;
        if len != ANSWER {
            return Err(failed(ended()));
        }
        let [kind, number @ ..] = answer;
        let number = u32::from_ne_bytes(number);
        let path = path.to_owned();
        match kind {
            0 => Ok(file),
            2 => Err(WriteError::IsInput { path }),
            3 => Err(WriteError::NotOurs { path }),
            4 => Err(WriteError::Exists { path }),
            5 => Err(WriteError::ForeignFifo { path, owner: number }),
            _ => Err(WriteError::io(&path, io::Error::from_raw_os_error(number.cast_signed()))),
        }
    }
}

fn ended() -> io::Error {
    io::Error::other("the process that writes it has ended")
}

/// The end of the connection in the process that writes.
pub(super) struct Line(OwnedFd);

impl Line {
    /// The next question; `None` if the connection is closed, or the question is invalid.
    pub(super) fn next(&self) -> Option<Question> {
        let mut question = [0; LONGEST];
        let (len, _) = receive(&self.0, &mut question).ok()?;
        let (&number, name) = question.get(..len)?.split_first()?;
        let name = OsString::from_vec(name.to_vec());
        Some(match number {
            0 => Question::Replace(name),
            1 => Question::Place,
            2 => Question::Begin(name),
            3 => Question::Remove(name),
            4 => Question::Keep,
            _ => return None,
        })
    }

    /// Sends an answer.
    pub(super) fn answer(&self, result: Result<Option<&File>, &WriteError>) -> io::Result<()> {
        let (kind, number, file) = match result {
            Ok(file) => (0, 0, file),
            Err(WriteError::IsInput { .. }) => (2, 0, None),
            Err(WriteError::NotOurs { .. }) => (3, 0, None),
            Err(WriteError::Exists { .. }) => (4, 0, None),
            Err(WriteError::ForeignFifo { owner, .. }) => (5, *owner, None),
            Err(error) => {
                let code = error.io_error().and_then(io::Error::raw_os_error).unwrap_or(libc::EIO);
                (1, code.cast_unsigned(), None)
            }
        };
        let mut answer = [kind; ANSWER];
        answer[1..].copy_from_slice(&number.to_ne_bytes());
        send(&self.0, &answer, file.map(std::os::fd::AsFd::as_fd))
    }
}

/// Gives `file` to the caller of sudo, if this process works on behalf of one. The file must have its name
/// already. With `fs.protected_hardlinks`, the kernel forbids links to files of other users that this process
/// may not write.
pub(super) fn give_to_caller(file: &File) -> io::Result<()> {
    if let Some(Identity::Other { uid, gid }) = caller() {
        fchown(file, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))?;
    }
    Ok(())
}

/// The error for a name that was not agreed on.
pub(super) fn refused(path: &Path) -> WriteError {
    WriteError::io(path, Errno::PERM)
}

/// Confines this process, so that it can only write to this folder.
fn confine(folder: BorrowedFd<'_>, above: &[(OwnedFd, OsString)], is_protected: &dyn Fn() -> bool) -> io::Result<()> {
    let mut capabilities = Vec::new();
    let may_write =
        || accessat(folder, ".", Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_ok() && !is_protected();
    if !try_with(&capabilities, may_write)? {
        capabilities.push(Capability::AnyFile);
    }
    if caller().is_some() {
        capabilities.push(Capability::GiveFiles);
    }
    let above = above.iter().map(|(folder, _)| folder.try_clone().map(Arc::new)).collect::<io::Result<_>>()?;
    let files = Files::In { folder: folder.try_clone_to_owned()?.into(), above };
    Grant { capabilities, files, ..Grant::default() }.confine().map(drop)
}

#[expect(
    unsafe_code,
    reason = "_exit has no safe wrapper: what the parent has not written yet is the parent's to write"
)]
fn end() -> ! {
    // SAFETY: has no preconditions.
    unsafe { libc::_exit(0) }
}

fn send(line: &OwnedFd, bytes: &[u8], file: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let Some(file) = file else {
        // A request never contains a file.
        rustix::io::retry_on_intr(|| rustix::net::send(line, bytes, SendFlags::NOSIGNAL))?;
        return Ok(());
    };
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let files = [file];
    beside.push(SendAncillaryMessage::ScmRights(&files));
    rustix::io::retry_on_intr(|| sendmsg(line, &[IoSlice::new(bytes)], &mut beside, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives bytes, and an open file if one was sent. Zero bytes: the other end is closed.
fn receive(line: &OwnedFd, bytes: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let mut slices = [IoSliceMut::new(bytes)];
    let received =
        rustix::io::retry_on_intr(|| recvmsg(line.as_fd(), &mut slices, &mut beside, RecvFlags::CMSG_CLOEXEC))?;
    let files = beside.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    let file = files.last();
    Ok((received.bytes, file))
}
