//! Captures whose rows exist already.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::directory::part_of;
use crate::TableKind;

/// Columns to read.
const READ: [&str; 2] = ["capture", "input_bytes"];

/// Names of captures, with the lengths of their inputs in bytes if known.
pub type Known = BTreeMap<String, Option<u64>>;

/// The captures with rows in the folder of tables `path`, except those in parts of `stem`. Empty if the
/// folder does not exist.
///
/// # Errors
/// If a file of `captures` cannot be read or is not such a table.
pub fn known_captures(path: &Path, stem: Option<&str>) -> io::Result<Known> {
    let folder = path.join(TableKind::Captures.name());
    let entries = match folder.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Known::new()),
        entries => entries?,
    };
    let mut known = Known::new();
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        // A symbolic link may point anywhere, and a FIFO would block.
        if !entry.file_type()?.is_file() {
            continue;
        }
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        if stem.is_some_and(|stem| part_of(&name, stem).is_some()) {
            continue;
        }
        if path.extension().is_some_and(|extension| extension == "parquet") {
            add(&path, &mut known)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        }
    }
    Ok(known)
}

fn add(path: &Path, known: &mut Known) -> io::Result<()> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(io::Error::other)?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), READ);
    let reader = builder.with_projection(mask).build().map_err(io::Error::other)?;
    for batch in reader {
        let batch = batch.map_err(io::Error::other)?;
        let [names, lengths] = READ.map(|name| batch.column_by_name(name));
        let names = names.and_then(|names| names.as_string_opt::<i32>());
        let lengths = lengths.and_then(|lengths| lengths.as_primitive_opt::<Int64Type>());
        let (Some(names), Some(lengths)) = (names, lengths) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a table of captures"));
        };
        for (name, length) in names.iter().zip(lengths) {
            if let Some(name) = name {
                known.insert(name.to_owned(), length.and_then(|length| u64::try_from(length).ok()));
            }
        }
    }
    Ok(())
}
