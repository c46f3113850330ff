use std::io;
use std::mem;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use tcpwhy_analysis::Connection;
use tcpwhy_files::Written;
use tcpwhy_report::Wording;
use tcpwhy_table::parquet::{Directory, Part};
use tcpwhy_table::{Content, TableKind};

use super::{Rows, cannot};
use crate::explain_args::ExplainArgs;
use crate::output::{EndOfSource, FailedCapture, Sink, file};

/// A part of so many bytes is finished: half of what readers split files by (128 MiB,
/// `spark.sql.files.maxPartitionBytes`) is far away, and memory holds one.
const MOST_BYTES: usize = 32 << 20;
/// A part of so many bytes of captures is finished: a run that is ended loses no more work than that.
const MOST_INPUT: u64 = 1 << 30;

/// `--parquet`: parts of all tables in a folder.
pub(super) struct Parts<'a> {
    directory: Directory,
    kinds: Vec<TableKind>,
    rows: Rows<'a>,
    part: Part,
    /// Number of the part.
    number: u32,
    /// Whether it has a capture.
    has_captures: bool,
    /// Bytes of captures in it.
    input: u64,
    written: Written,
    /// Where, if that is to be said.
    said: Option<(&'a PathBuf, Wording<'a>)>,
    /// Whether parts of an earlier run are removed.
    is_whole: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        directory: Directory,
        first: u32,
        content: Content<'a>,
        kinds: Vec<TableKind>,
        args: &'a ExplainArgs,
    ) -> io::Result<Self> {
        Ok(Self {
            directory,
            part: Part::new(&kinds)?,
            kinds,
            rows: Rows::new(content),
            number: first,
            has_captures: false,
            input: 0,
            written: Written::default(),
            said: args.parquet.as_ref().filter(|_| !args.quiet).map(|path| (path, content.wording)),
            is_whole: !args.resume,
        })
    }

    /// Writes the part and begins another one.
    fn finish_part(&mut self) -> io::Result<()> {
        let part = mem::replace(&mut self.part, Part::new(&self.kinds)?);
        let encoded = part.finish(&mut self.rows.tables)?;
        self.written += self.directory.write(self.number, &encoded).map_err(cannot)?;
        self.number += 1;
        (self.has_captures, self.input) = (false, 0);
        Ok(())
    }
}

impl Sink for Parts<'_> {
    fn begin_source(&mut self, name: &str) {
        name.clone_into(&mut self.rows.capture);
    }

    fn has_row_of_failed(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.rows.failed(failed);
        self.has_captures = true;
        Ok(())
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.rows.tables.connection(&self.rows.capture, &connection);
        self.part.take_full(&mut self.rows.tables)
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.rows.end_of_source(&end);
        self.has_captures = true;
        self.input += end.input_bytes.unwrap_or(0);
        if self.part.len() >= MOST_BYTES || self.input >= MOST_INPUT {
            self.finish_part()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.has_captures {
            self.finish_part()?;
        }
        if self.is_whole {
            self.directory.remove_from(self.number).map_err(cannot)?;
        }
        if let Some((path, wording)) = self.said.filter(|_| self.written.files > 0) {
            file::say_written(wording, path, self.written);
        }
        Ok(())
    }
}

/// The beginning of the names of parts: as typed, or the same for the same captures. Sixteen digits of
/// SHA-256 distinguish the runs into one folder.
pub(super) fn stem(args: &ExplainArgs) -> String {
    if let Some(part) = &args.part {
        return part.clone();
    }
    let mut digest = Sha256::new();
    for file in &args.files {
        digest.update(file.as_os_str().as_encoded_bytes());
        digest.update([0]);
    }
    digest.update(format!("{:?} {:?}", args.recursive, args.shard));
    let begin = digest.finalize().first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(begin))
}
