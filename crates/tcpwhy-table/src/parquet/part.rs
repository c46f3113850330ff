//! Encodes the Parquet files of one part in memory. A compressed row needs about 40 bytes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::{TableKind, Tables};

/// Rows per row group, which are collected before compression. The number bounds memory, and readers skip and
/// distribute whole groups.
const GROUP: usize = 1 << 14;

/// Groups that may wait for the compressing thread.
const WAITING: usize = 4;

/// A part of all tables that is being written. A separate thread compresses the rows.
pub struct Part {
    kinds: Vec<TableKind>,
    /// Groups of rows, each with the index of its table.
    groups: SyncSender<(usize, RecordBatch)>,
    encoder: JoinHandle<io::Result<Encoded>>,
    len: Arc<AtomicUsize>,
}

/// A finished part.
pub struct Encoded {
    /// Content of each table's file; `captures` is last.
    pub files: Vec<(TableKind, Vec<u8>)>,
}

impl Part {
    /// Begins a part with the tables `kinds`.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn new(kinds: &[TableKind]) -> io::Result<Self> {
        let file = |&kind: &TableKind| {
            let writer = ArrowWriter::try_new(Vec::new(), kind.schema(), Some(properties(kind)?));
            Ok((kind, writer.map_err(io::Error::other)?))
        };
        let files = kinds.iter().map(file).collect::<io::Result<_>>()?;
        let (groups, to_encode) = sync_channel(WAITING);
        let len = Arc::<AtomicUsize>::default();
        let encode = {
            let len = Arc::clone(&len);
            move || encode(files, &to_encode, &len)
        };
        let encoder = thread::Builder::new().name("parquet".to_owned()).spawn(encode)?;
        Ok(Self { kinds: kinds.to_vec(), groups, encoder, len })
    }

    /// Takes the rows of tables that have enough for a row group.
    ///
    /// # Errors
    /// No known error, because the files are in memory.
    pub fn take_full(&mut self, tables: &mut Tables<'_>) -> io::Result<()> {
        self.take(tables, GROUP)
    }

    /// Compressed bytes so far.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Whether nothing was compressed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes all remaining rows, and finishes the part.
    ///
    /// # Errors
    /// No known error, because the files are in memory.
    pub fn finish(mut self, tables: &mut Tables<'_>) -> io::Result<Encoded> {
        tables.end_part();
        self.take(tables, 1)?;
        drop(self.groups);
        self.encoder.join().map_err(|_| io::Error::other("the thread that writes Parquet has failed"))?
    }

    fn take(&mut self, tables: &mut Tables<'_>, least: usize) -> io::Result<()> {
        for (place, &kind) in self.kinds.iter().enumerate() {
            if tables.rows(kind) >= least {
                let batch = tables.take(kind).map_err(io::Error::other)?;
                // If the thread has ended, `finish` returns its error.
                let _ = self.groups.send((place, batch));
            }
        }
        Ok(())
    }
}

/// Encodings for the columns of `kind`, limited to those that all readers including Spark support.
fn properties(kind: TableKind) -> io::Result<WriterProperties> {
    let level = ZstdLevel::try_new(1).map_err(io::Error::other)?;
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("tcpwhy ", env!("CARGO_PKG_VERSION")).to_owned());
    for column in kind.columns() {
        let path = ColumnPath::from(column.name);
        properties = match column.data_type {
            // Packet numbers and times increase, so a delta encoding is smaller than a dictionary.
            DataType::Int64 | DataType::Timestamp(..) => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            // Values rarely repeat, so a dictionary would be larger.
            DataType::Float64 => properties.set_column_dictionary_enabled(path, false),
            _ => properties,
        };
    }
    Ok(properties.build())
}

fn encode(
    mut files: Vec<(TableKind, ArrowWriter<Vec<u8>>)>,
    groups: &Receiver<(usize, RecordBatch)>,
    len: &AtomicUsize,
) -> io::Result<Encoded> {
    for (place, batch) in groups {
        if let Some((_, file)) = files.get_mut(place) {
            file.write(&batch).and_then(|()| file.flush()).map_err(io::Error::other)?;
        }
        len.store(files.iter().map(|(_, file)| file.bytes_written()).sum(), Ordering::Relaxed);
    }
    let close =
        |(kind, file): (TableKind, ArrowWriter<Vec<u8>>)| Ok((kind, file.into_inner().map_err(io::Error::other)?));
    Ok(Encoded { files: files.into_iter().map(close).collect::<io::Result<_>>()? })
}
