//! `tcpwhy compare --html`: both captures on one page with a common time axis.

use std::path::{Path, PathBuf};

use tcpwhy_model::CaptureSummary;
use tcpwhy_report::Wording;
use tcpwhy_report::compare::Comparison;
use tcpwhy_report::markup::MARK;
use tcpwhy_view::data::View;
use tcpwhy_view::page;

use super::CompareArgs;
use crate::inputs::Inputs;
use crate::output::charts;
use crate::output::file;
use crate::wrong::Result;

/// The destination of the page.
pub(super) struct Output {
    path: PathBuf,
    to: file::Output,
}

impl Output {
    /// Prepares the page; `None` if none is requested. Fails if it may not be written.
    pub(super) fn prepare(args: &CompareArgs, captures: &[PathBuf]) -> Result<Option<Self>> {
        let Some(path) = args.html.as_deref() else { return Ok(None) };
        let policy = file::policy(file::read_from(captures), args.overwrite.overwrite, &[MARK]);
        Ok(Some(Self { path: path.to_owned(), to: file::Output::prepare(path, &policy)? }))
    }

    /// Starts the separate process that writes the page.
    pub(super) fn hand_over(self) -> Result<Self> {
        Ok(Self { to: self.to.hand_over()?, ..self })
    }

    /// Writes the page of `comparison`.
    pub(super) fn write(
        &self,
        args: &CompareArgs,
        inputs: &Inputs,
        comparison: &Comparison,
        summaries: [Vec<CaptureSummary>; 2],
        wording: Wording<'_>,
    ) -> Result<()> {
        let view = View::of_comparison(comparison.clone(), summaries, wording.catalogue().language(), false);
        let charts = charts::charts(&view, inputs, args.quiet)?;
        let written = self.to.write(page::page(&view, &charts).as_bytes())?;
        if let Some(written) = written.filter(|_| !args.quiet) {
            file::say_written(wording, Path::new(&self.path), written);
        }
        Ok(())
    }
}
