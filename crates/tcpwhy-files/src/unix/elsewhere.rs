//! Files that another process writes for this one.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::Mode;

use super::aside::Spot;
use super::single::{begin, over, remove};
use super::writer::{Line, Question, Writer, give_to_caller, refused};
use crate::{CountedFile, Names, Policy, WriteError, Written};

/// Writes as [`over`] does, through a process that has the rights for it.
pub(super) fn over_elsewhere(
    writer: &Writer,
    name: &OsStr,
    path: &Path,
    write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
) -> Result<Written, WriteError> {
    let mut file = CountedFile::new(writer.ask_for_file(&Question::Replace(name.to_owned()), path)?);
    write(&mut file).map_err(|error| WriteError::io(path, error))?;
    writer.ask(&Question::Place, path)?;
    Ok(file.written())
}

/// Work of the process that writes for another one: it does only what was agreed on.
pub(super) fn serve(
    line: &Line,
    folder: &OwnedFd,
    above: &Path,
    names: &Names,
    policy: &Policy,
    most: Mode,
) -> io::Result<()> {
    let mut next = line.next();
    while let Some(question) = next.take() {
        let (Question::Replace(name) | Question::Begin(name) | Question::Remove(name)) = &question else {
            line.answer(Err(&refused(above)))?;
            next = line.next();
            continue;
        };
        let path = above.join(name);
        let spot = Spot { folder: folder.as_fd(), name, path: &path };
        if !names.include(name) {
            line.answer(Err(&refused(&path)))?;
        } else if matches!(question, Question::Replace(_)) {
            let mut instead = None;
            let mut written = None;
            let result = over(spot, policy, most, |file| {
                written = Some(file.file().try_clone()?);
                line.answer(Ok(Some(file.file())))?;
                match line.next() {
                    Some(Question::Place) => Ok(()),
                    other => {
                        instead = other;
                        Err(io::ErrorKind::Interrupted.into())
                    }
                }
            });
            if instead.is_some() {
                // The caller gave this file up.
                next = instead;
                continue;
            }
            let given = result.and_then(|_| {
                written.map_or(Ok(()), |file| give_to_caller(&file)).map_err(|error| WriteError::io(&path, error))
            });
            line.answer(given.as_ref().map(|()| None))?;
        } else if matches!(question, Question::Begin(_)) {
            let begun = begin(spot).and_then(|file| {
                give_to_caller(&file).map_err(|error| WriteError::io(&path, error))?;
                Ok(file)
            });
            line.answer(begun.as_ref().map(Some))?;
        } else {
            let removed = remove(spot);
            line.answer(removed.as_ref().map(|()| None))?;
        }
        next = line.next();
    }
    Ok(())
}
