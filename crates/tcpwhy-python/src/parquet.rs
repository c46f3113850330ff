//! Tables as folders of Parquet files.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tcpwhy_files::WriteError;
use tcpwhy_model::Message;
use tcpwhy_table::TableKind;
use tcpwhy_table::parquet::{Directory, Part, refusal, stem_of};

use crate::analyse::Content;
use crate::errors::{os_error, raised};
use crate::language::Words;
use crate::tables::Extent;

/// Writes all tables of `content` into `folder`, as the part that `stem` names.
pub(crate) fn write(
    py: Python<'_>,
    content: &Content,
    folder: &Path,
    stem: Option<&str>,
    extent: Extent,
) -> PyResult<()> {
    if let Some(refusal) = refusal(folder) {
        return Err(raised::<PyValueError>(content.words, &refusal));
    }
    let stem = match stem {
        Some(part) => named(part, content.words)?,
        None if content.is_named => stem_of(content.names.iter().map(Path::new), false, None),
        None if content.names.len() > 1 => {
            return Err(raised::<PyValueError>(content.words, &Message::new("python-part-of-merged")));
        }
        None => {
            return Err(raised::<PyValueError>(content.words, &Message::new("python-no-name")));
        }
    };
    py.detach(|| try_write(content, folder, &stem, extent)).map_err(|error| match error {
        Unwritten::Folder(WriteError::Io { path, error }) => os_error(&error, Some(&path)),
        Unwritten::Folder(error) => PyOSError::new_err(error.to_string()),
        Unwritten::Rows(error) => os_error(&error, None),
    })
}

/// Reason why no files were written.
enum Unwritten {
    Folder(WriteError),
    Rows(io::Error),
}

impl From<WriteError> for Unwritten {
    fn from(error: WriteError) -> Self {
        Self::Folder(error)
    }
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Rows(error)
    }
}

fn try_write(content: &Content, folder: &Path, stem: &str, extent: Extent) -> Result<(), Unwritten> {
    let mut rows = extent.fill(content, &TableKind::ALL);
    let part = Part::new(&TableKind::ALL)?.finish(&mut rows)?;
    let folder = Directory::open(folder, &TableKind::ALL, stem)?;
    folder.write(0, &part)?;
    // A report has one part only, so files of further parts are removed.
    folder.remove_from(1)?;
    Ok(())
}

/// The name of a part, from which its file names are derived.
fn named(part: &str, words: Words) -> PyResult<String> {
    // Same limit as `--part` of the program.
    const MOST: usize = 100;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.=".contains(&byte);
    let is_name =
        !part.is_empty() && part.len() <= MOST && !part.starts_with(['.', '-', '_']) && part.bytes().all(is_plain);
    let wrong = || raised::<PyValueError>(words, &Message::new("python-part"));
    is_name.then(|| part.to_owned()).ok_or_else(wrong)
}
