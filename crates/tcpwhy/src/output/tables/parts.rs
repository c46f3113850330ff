use std::fmt::Debug;
use std::io;
use std::mem;
use std::path::PathBuf;

use tcpwhy_analysis::Connection;
use tcpwhy_files::Written;
use tcpwhy_inputs::PassedOver;
use tcpwhy_model::foreign::visible_path;
use tcpwhy_report::{Args, Wording};
use tcpwhy_table::parquet::{Directory, Part, stem_of};
use tcpwhy_table::{Content, TableKind};

use super::rows::{Rows, cannot};
use crate::explain_args::ExplainArgs;
use crate::many::{HaveRows, absolute_form};
use crate::message;
use crate::output::{EndOfSource, FailedCapture, Sink, file};

/// Bytes at which a part is finished. It stays well below half of the size by which readers split files (128
/// MiB, `spark.sql.files.maxPartitionBytes`), and memory holds one part.
const MOST_BYTES: usize = 32 << 20;
/// Bytes of captures after which a part is finished: an interrupted run loses no more work than that.
const MOST_INPUT: u64 = 1 << 30;
/// Captures after which a part is finished, because unreadable ones count no bytes.
const MOST_CAPTURES: u32 = 100_000;

/// `--parquet`: parts of all tables in a folder.
pub(super) struct Parts<'a> {
    directory: Directory,
    kinds: Vec<TableKind>,
    rows: Rows<'a>,
    part: Part,
    /// Number of the part.
    number: u32,
    /// Captures in it.
    captures: u32,
    /// Bytes of captures in it.
    input: u64,
    written: Written,
    /// The folder for the final message; `None` if it is not printed.
    said: Option<(&'a PathBuf, Wording<'a>)>,
    /// Whether this run replaces the parts of an earlier one.
    is_whole: bool,
    /// Captures with rows in parts of another name. `doubled` counts those that were read again.
    elsewhere: HaveRows,
    doubled: u64,
    passed_over: PassedOver,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        (directory, first): (Directory, u32),
        elsewhere: HaveRows,
        content: Content<'a>,
        kinds: Vec<TableKind>,
        args: &'a ExplainArgs,
    ) -> io::Result<Self> {
        Ok(Self {
            directory,
            part: Part::new(&kinds)?,
            rows: Rows::new(content, &kinds),
            kinds,
            number: first,
            captures: 0,
            input: 0,
            written: Written::default(),
            said: args.parquet.as_ref().filter(|_| !args.quiet).map(|path| (path, content.wording)),
            is_whole: !args.resume,
            elsewhere,
            doubled: 0,
            passed_over: PassedOver::default(),
        })
    }

    /// Ends a capture of this many bytes, which has all of its rows.
    fn end_capture(&mut self, bytes: u64) -> io::Result<()> {
        self.part.take_full(&mut self.rows.tables)?;
        self.captures += 1;
        self.input = self.input.saturating_add(bytes);
        if self.captures >= MOST_CAPTURES || self.part.len() >= MOST_BYTES || self.input >= MOST_INPUT {
            self.finish_part()?;
        }
        Ok(())
    }

    /// Writes the part and begins the next one.
    fn finish_part(&mut self) -> io::Result<()> {
        if self.written.files == 0 {
            // Parts of an earlier run may contain the same captures, so they are removed before the first new
            // part is written.
            let earlier =
                if self.is_whole { self.directory.forget_earlier() } else { self.directory.remove_incomplete() };
            earlier.map_err(cannot)?;
        }
        let part = mem::replace(&mut self.part, Part::new(&self.kinds)?);
        let encoded = part.finish(&mut self.rows.tables)?;
        self.written += self.directory.write(self.number, &encoded).map_err(cannot)?;
        self.number += 1;
        (self.captures, self.input) = (0, 0);
        Ok(())
    }
}

impl Sink for Parts<'_> {
    fn begin_source(&mut self, name: &str) {
        name.clone_into(&mut self.rows.capture);
        self.doubled += u64::from(self.elsewhere.contains_key(&absolute_form(name.to_owned())));
    }

    fn passed_over(&mut self, passed_over: PassedOver) {
        self.passed_over = passed_over;
    }

    fn has_row_of_failed(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.rows.failed(failed);
        self.end_capture(0)
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.rows.tables.connection(&self.rows.capture, &connection);
        self.part.take_full(&mut self.rows.tables)
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.rows.end_of_source(&end);
        self.end_capture(end.input_bytes.unwrap_or(0))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.captures > 0 {
            self.finish_part()?;
        }
        if self.is_whole {
            self.directory.remove_from(self.number).map_err(cannot)?;
        }
        if let Some((path, wording)) = self.said.filter(|_| self.written.files > 0) {
            let catalogue = wording.catalogue();
            let passed_over = self.passed_over.total() - self.passed_over.folders;
            if passed_over > 0 {
                message::say(catalogue.text("collection-passed-over", &Args::new().number("count", passed_over)));
            }
            if self.doubled > 0 {
                let args = Args::new().number("count", self.doubled).text("path", visible_path(path));
                message::say(catalogue.text("tables-doubled", &args));
            }
            file::say_written(wording, path, self.written);
        }
        Ok(())
    }
}

/// The prefix of the parts' names: the given one, or one derived from the captures so that it is
/// reproducible.
pub(super) fn stem(args: &ExplainArgs) -> String {
    let of_captures = || {
        let paths = args.files.iter().map(PathBuf::as_path);
        stem_of(paths, args.recursive, args.shard.as_ref().map(|shard| shard as &dyn Debug))
    };
    args.part.clone().unwrap_or_else(of_captures)
}
