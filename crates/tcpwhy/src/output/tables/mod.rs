//! `--parquet` and `--arrow`: the results as tables.

mod parts;
mod rows;
mod stream;

use serde_json::json;
use tcpwhy_report::Wording;
use tcpwhy_table::{Column, Content, SCHEMA, TableKind, parquet};

use self::parts::Parts;
use self::stream::Stream;
use super::Sink;
use crate::explain_args::{ExplainArgs, WordsChoice};
use crate::many::{HaveRows, absolute_form};
use crate::message::{Failure, failure};
use crate::wrong::{Foreign as _, Result, bail};

/// Destinations of tables that are known before anything is read.
pub(crate) enum Destination {
    /// The folder of `--parquet`.
    Folder {
        directory: parquet::Directory,
        /// The number of its first part.
        first: u32,
        /// Captures that are skipped because they have rows already.
        have_rows: HaveRows,
        /// Captures with rows in parts of another name.
        elsewhere: HaveRows,
    },
    /// One table to standard output.
    Stream(TableKind),
}

impl Destination {
    /// The requested destination; `None` without tables. Fails if it cannot be written.
    pub(crate) fn prepare(args: &ExplainArgs) -> Result<Option<Self>> {
        if args.arrow {
            return table_of(args).map(|kind| Some(Self::Stream(kind)));
        }
        let Some(path) = &args.parquet else { return Ok(None) };
        if let Some(refusal) = parquet::refusal(path) {
            bail!(Failure::from(refusal));
        }
        let stem = parts::stem(args);
        let (have_rows, elsewhere) = if args.resume {
            (in_one_form(parquet::known_captures(path, None)?), HaveRows::new())
        } else {
            // Unreadable files of others in the folder are no reason to fail.
            (HaveRows::new(), in_one_form(parquet::known_captures(path, Some(&stem)).unwrap_or_default()))
        };
        let directory = parquet::Directory::open(path, &kinds(args), &stem)?;
        // Finished parts of an earlier run are kept.
        let first = if args.resume { directory.next_part() } else { 0 };
        Ok(Some(Self::Folder { directory, first, have_rows, elsewhere }))
    }

    /// Starts the processes that write the files.
    pub(crate) fn hand_over(self) -> Result<Self> {
        Ok(match self {
            Self::Folder { directory, first, have_rows, elsewhere } => {
                Self::Folder { directory: directory.hand_over()?, first, have_rows, elsewhere }
            }
            stream @ Self::Stream(_) => stream,
        })
    }

    /// The skipped captures, with the lengths of their inputs.
    pub(crate) fn have_rows(&self) -> HaveRows {
        match self {
            Self::Folder { have_rows, .. } => have_rows.clone(),
            Self::Stream(_) => HaveRows::new(),
        }
    }

    /// The sink for connections.
    pub(crate) fn sink<'a>(self, args: &'a ExplainArgs, wording: Wording<'a>) -> Result<Box<dyn Sink + 'a>> {
        let content =
            Content { wording, has_words: args.words == Some(WordsChoice::All), has_intervals: args.timeline };
        Ok(match self {
            Self::Folder { directory, first, elsewhere, .. } => {
                Box::new(Parts::new((directory, first), elsewhere, content, kinds(args), args)?)
            }
            Self::Stream(kind) => Box::new(Stream::new(kind, content)?),
        })
    }
}

/// Converts names to their absolute form: earlier versions wrote them as on the command line.
fn in_one_form(known: HaveRows) -> HaveRows {
    known.into_iter().map(|(name, len)| (absolute_form(name), len)).collect()
}

/// The columns of all tables, as JSON.
pub(crate) fn columns() -> Result<String> {
    let column = |column: Column| {
        json!({
            "name": column.name,
            "type": column.data_type.to_string(),
            "nullable": column.is_nullable,
            "about": column.about,
        })
    };
    let table = |kind: TableKind| {
        let columns: Vec<_> = kind.columns().into_iter().map(column).collect();
        json!({ "name": kind.name(), "about": kind.about(), "columns": columns })
    };
    let all = json!({ "schema": SCHEMA, "tables": TableKind::ALL.map(table) });
    Ok(format!("{}\n", serde_json::to_string_pretty(&all).foreign()?))
}

/// The tables of a folder.
fn kinds(args: &ExplainArgs) -> Vec<TableKind> {
    TableKind::ALL.into_iter().filter(|&kind| kind != TableKind::Intervals || args.timeline).collect()
}

/// The table of `--table`.
fn table_of(args: &ExplainArgs) -> Result<TableKind> {
    let Some(name) = &args.table else { return Ok(TableKind::Connections) };
    match TableKind::of_name(name) {
        None => {
            let names = TableKind::ALL.map(TableKind::name).join(", ");
            bail!(failure("table-unknown").with("name", tcpwhy_model::foreign::quoted(name)).with("names", names))
        }
        Some(TableKind::Intervals) if !args.timeline => bail!(failure("table-needs-timeline")),
        Some(kind) => Ok(kind),
    }
}
