//! Tables as folders of Parquet files.

use std::io;
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use tcpwhy_files::WriteError;
use tcpwhy_table::TableKind;
use tcpwhy_table::parquet::{Directory, Part};

use crate::analyse::Content;
use crate::errors::os_error;
use crate::tables::Extent;

/// Writes all tables of `content` into `folder`, as the part that `stem` names.
pub(crate) fn write(
    py: Python<'_>,
    content: &Content,
    folder: &Path,
    stem: Option<&str>,
    extent: Extent,
) -> PyResult<()> {
    let stem = stem.map_or_else(|| stem_of(&content.names), str::to_owned);
    py.detach(|| try_write(content, folder, &stem, extent)).map_err(|error| match error {
        Unwritten::Folder(WriteError::Io { path, error }) => os_error(&error, Some(&path)),
        Unwritten::Folder(error) => PyOSError::new_err(error.to_string()),
        Unwritten::Rows(error) => os_error(&error, None),
    })
}

/// Why there are no files.
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
    let mut rows = extent.fill(content);
    let part = Part::new(&TableKind::ALL)?.finish(&mut rows)?;
    let folder = Directory::open(folder, &TableKind::ALL, stem)?;
    folder.write(0, &part)?;
    // A report is one part.
    folder.remove_from(1)?;
    Ok(())
}

/// A name for the part that the same captures always get, so that writing them again replaces it: FNV-1a of
/// their names.
fn stem_of(names: &[String]) -> String {
    /// Draft of the IETF on FNV, of 64 bits.
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    let hash = bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}
