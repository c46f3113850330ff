//! The Parquet files of one part, made in memory: compressed, rows take some forty bytes each.

use std::io;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::{TableKind, Tables};

/// Rows that are collected before they are compressed: a row group. Readers skip and share out groups, and
/// memory is bounded by them.
const GROUP: usize = 1 << 14;

/// One part of all tables, being written.
pub struct Part {
    files: Vec<(TableKind, ArrowWriter<Vec<u8>>)>,
}

/// A finished part.
pub struct Encoded {
    /// The content of the file of each table; `captures` is last.
    pub files: Vec<(TableKind, Vec<u8>)>,
}

impl Part {
    /// One of `kinds`.
    ///
    /// # Errors
    /// None that is known: schemas of the contract can be written.
    pub fn new(kinds: &[TableKind]) -> io::Result<Self> {
        let level = ZstdLevel::try_new(1).map_err(io::Error::other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("tcpwhy ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let file = |kind: TableKind| {
            let writer = ArrowWriter::try_new(Vec::new(), kind.schema(), Some(properties.clone()));
            Ok((kind, writer.map_err(io::Error::other)?))
        };
        Ok(Self { files: kinds.iter().copied().map(file).collect::<io::Result<_>>()? })
    }

    /// Takes the rows of tables that have enough for a row group.
    ///
    /// # Errors
    /// None that is known: memory is written to.
    pub fn take_full(&mut self, tables: &mut Tables<'_>) -> io::Result<()> {
        self.take(tables, GROUP)
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.files.iter().map(|(_, file)| file.bytes_written() + file.in_progress_size()).sum()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes all rows that are left, and ends.
    ///
    /// # Errors
    /// None that is known.
    pub fn finish(mut self, tables: &mut Tables<'_>) -> io::Result<Encoded> {
        tables.end_part();
        self.take(tables, 1)?;
        let close =
            |(kind, file): (TableKind, ArrowWriter<Vec<u8>>)| Ok((kind, file.into_inner().map_err(io::Error::other)?));
        Ok(Encoded { files: self.files.into_iter().map(close).collect::<io::Result<_>>()? })
    }

    fn take(&mut self, tables: &mut Tables<'_>, least: usize) -> io::Result<()> {
        for (kind, file) in &mut self.files {
            if tables.rows(*kind) >= least {
                let batch = tables.take(*kind).map_err(io::Error::other)?;
                file.write(&batch).and_then(|()| file.flush()).map_err(io::Error::other)?;
            }
        }
        Ok(())
    }
}
