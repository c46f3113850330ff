//! A file that was asked for by name: what may be replaced, and what is said of it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tcpwhy_files::{FileId, Policy, Replace, Target, WriteError, Written};
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::{Args, Wording};

use crate::inputs::is_stdin;
use crate::message;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// Opened anew, a file that standard output goes to would be written over from its beginning, or replaced.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// What may be replaced: with `--overwrite` everything but `inputs`, else only files that have one of
/// `marks`.
pub(crate) fn policy(inputs: Vec<FileId>, is_overwriting: bool, marks: &[&str]) -> Policy {
    let marks = || marks.iter().map(|mark| mark.as_bytes().to_vec()).collect();
    Policy { inputs, replace: if is_overwriting { Replace::Anything } else { Replace::Marked(marks()) } }
}

/// The same for files that somebody edits once they are written: even ours are replaced only with
/// `--overwrite`.
#[cfg(target_os = "linux")]
pub(crate) fn policy_for_edited(inputs: Vec<FileId>, is_overwriting: bool) -> Policy {
    Policy { inputs, replace: if is_overwriting { Replace::Anything } else { Replace::Nothing } }
}

/// The files among `paths`; `-` is standard input, which may be one too.
pub(crate) fn read_from<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<FileId> {
    paths.into_iter().filter_map(|path| if is_stdin(path) { standard_input() } else { FileId::of(path) }).collect()
}

#[cfg(unix)]
fn standard_input() -> Option<FileId> {
    FileId::of_open(io::stdin())
}

#[cfg(not(unix))]
fn standard_input() -> Option<FileId> {
    None
}

/// Whether standard output goes to one of `inputs`: `>>` does not cut the file.
#[cfg(unix)]
fn prints_into(inputs: &[FileId]) -> bool {
    FileId::of_open(io::stdout()).is_some_and(|file| inputs.contains(&file))
}

#[cfg(not(unix))]
fn prints_into(_: &[FileId]) -> bool {
    false
}

/// Where something is written to that may be standard output.
#[derive(Debug)]
pub(crate) enum Output {
    /// `-`, or another name for it.
    Standard,
    /// A file, a device or a FIFO.
    Named(Target),
}

impl Output {
    /// Finds the place that `path` names, and fails if `policy` forbids to write there: before anything is
    /// read.
    pub(crate) fn prepare(path: &Path, policy: &Policy) -> Result<Self, WriteError> {
        if path != Path::new("-") && !is_standard_output(path) {
            return Ok(Self::Named(Target::prepare(path, policy)?));
        }
        if prints_into(&policy.inputs) {
            return Err(WriteError::IsInput { path: path.to_owned() });
        }
        Ok(Self::Standard)
    }

    /// From here on another process writes the file, and this one may give up its rights.
    pub(crate) fn hand_over(self) -> Result<Self, WriteError> {
        match self {
            Self::Standard => Ok(self),
            Self::Named(target) => Ok(Self::Named(target.hand_over()?)),
        }
    }

    /// Writes `content`. A file is the old one or the whole new one, whatever happens; of standard output
    /// nothing is to be said.
    pub(crate) fn write(&self, content: &[u8]) -> Result<Option<Written>> {
        match self {
            Self::Standard => {
                write_out(content)?;
                Ok(None)
            }
            Self::Named(target) => Ok(Some(target.replace(|out| out.write_all(content))?)),
        }
    }
}

/// Says what was written where, and how large it is: the only place that does.
pub(crate) fn say_written(wording: Wording<'_>, path: &Path, written: Written) {
    let id = if written.files == 1 { "wrote" } else { "wrote-files" };
    say_written_as(wording, id, Args::new().number("count", written.files), path, written.bytes);
}

/// The same with more words, of message `id`.
pub(crate) fn say_written_as(wording: Wording<'_>, id: &str, args: Args, path: &Path, bytes: u64) {
    let args = args.text("path", visible_path(path)).text("size", wording.units().bytes(bytes));
    message::say(wording.catalogue().text(id, &args));
}

/// The folder that the file `path` is in.
#[cfg(target_os = "linux")]
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether `path` is another name for standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    STANDARD_OUTPUT.iter().any(|name| path == Path::new(name))
}

/// Writes `content` to standard output.
pub(crate) fn write_out(content: &[u8]) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(content)?;
    out.flush()
}
