//! Named output files: the policy for replacing, and the message after writing.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tcpwhy_files::{FileId, Policy, Replace, Target, WriteError, Written};
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::{Args, Wording};

use crate::inputs::is_stdin;
use crate::message;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// Names of standard output, which must not be opened by name: that would overwrite or replace a file behind
/// it.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The policy for replacing: with `--overwrite` any file but `inputs`, otherwise only files that contain one
/// of `marks`.
pub(crate) fn policy(inputs: Vec<FileId>, is_overwriting: bool, marks: &[&str]) -> Policy {
    let marks = || marks.iter().map(|mark| mark.as_bytes().to_vec()).collect();
    Policy { inputs, replace: if is_overwriting { Replace::Anything } else { Replace::Marked(marks()) } }
}

/// The policy for files that users edit: even those of tcpwhy are replaced only with `--overwrite`.
#[cfg(target_os = "linux")]
pub(crate) fn policy_for_edited(inputs: Vec<FileId>, is_overwriting: bool) -> Policy {
    Policy { inputs, replace: if is_overwriting { Replace::Anything } else { Replace::Nothing } }
}

/// The files among `paths`; `-` is standard input, which may be a file, too.
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

/// Whether standard output goes to one of `inputs`: `>>` does not truncate the file, so reading would find
/// the output.
#[cfg(unix)]
fn prints_into(inputs: &[FileId]) -> bool {
    FileId::of_open(io::stdout()).is_some_and(|file| inputs.contains(&file))
}

#[cfg(not(unix))]
fn prints_into(_: &[FileId]) -> bool {
    false
}

/// An output that may be standard output.
#[derive(Debug)]
pub(crate) enum Output {
    /// `-`, or another name for it.
    Standard,
    /// A file, a device or a FIFO.
    Named(Target),
}

impl Output {
    /// Finds the place of `path`, and fails if `policy` forbids writing there, before anything is read.
    pub(crate) fn prepare(path: &Path, policy: &Policy) -> Result<Self, WriteError> {
        if path != Path::new("-") && !is_standard_output(path) {
            return Ok(Self::Named(Target::prepare(path, policy)?));
        }
        if prints_into(&policy.inputs) {
            return Err(WriteError::IsInput { path: path.to_owned() });
        }
        Ok(Self::Standard)
    }

    /// Starts a separate process that writes the file, so that this one can give up its privileges.
    pub(crate) fn hand_over(self) -> Result<Self, WriteError> {
        match self {
            Self::Standard => Ok(self),
            Self::Named(target) => Ok(Self::Named(target.hand_over()?)),
        }
    }

    /// Writes `content`. A file is replaced completely or not at all, also after an error. For standard
    /// output it returns `None`, because no message follows.
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

/// Prints the path and size of a written output, for all outputs.
pub(crate) fn say_written(wording: Wording<'_>, path: &Path, written: Written) {
    let id = if written.files == 1 { "wrote" } else { "wrote-files" };
    say_written_as(wording, id, Args::new().number("count", written.files), path, written.bytes);
}

/// The same with message `id` and its arguments.
pub(crate) fn say_written_as(wording: Wording<'_>, id: &str, args: Args, path: &Path, bytes: u64) {
    let args = args.text("path", visible_path(path)).text("size", wording.units().bytes(bytes));
    message::say(wording.catalogue().text(id, &args));
}

/// The folder of the file `path`.
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
