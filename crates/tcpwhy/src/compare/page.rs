//! `tcpwhy compare --html`: both captures on one page, on one axis of time.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tcpwhy_model::CaptureSummary;
use tcpwhy_report::Wording;
use tcpwhy_report::compare::Comparison;
use tcpwhy_report::markup::MARK;
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::page;

use super::CompareArgs;
use crate::inputs::Inputs;
use crate::output::charts;
use crate::output::file;

/// Where the page goes.
pub(super) struct Output {
    path: PathBuf,
    to: file::Output,
}

impl Output {
    /// `None` where no page is asked for. Fails if it may not be written.
    pub(super) fn prepare(args: &CompareArgs, captures: &[PathBuf]) -> Result<Option<Self>> {
        let Some(path) = args.html.as_deref() else { return Ok(None) };
        let policy = file::policy(file::read_from(captures), args.overwrite.overwrite, &[MARK]);
        Ok(Some(Self { path: path.to_owned(), to: file::Output::prepare(path, &policy)? }))
    }

    /// From here on another process writes it.
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
        let (survey, comparison) = survey(comparison, summaries);
        let view = View::new(survey, wording.catalogue().language(), None, false).comparing(&comparison);
        let charts = charts::charts(&view, inputs, args.quiet)?;
        let written = self.to.write(page::page(&view, &charts).as_bytes())?;
        if let Some(written) = written.filter(|_| !args.quiet) {
            file::say_written(wording, Path::new(&self.path), written);
        }
        Ok(())
    }
}

/// The connections that are compared, those of the second capture numbered after those of the first; and the comparison
/// under these numbers.
fn survey(comparison: &Comparison, summaries: [Vec<CaptureSummary>; 2]) -> (Survey, Comparison) {
    let mut comparison = comparison.clone();
    let first = |side: usize| comparison.pairs.iter().map(move |pair| pair.connections[side].id);
    let after = first(0).max().map_or(0, |last| last + 1);
    for pair in &mut comparison.pairs {
        pair.connections[1].id += after;
    }
    let mut survey = Survey::new();
    for (side, captures) in summaries.into_iter().enumerate() {
        for pair in &comparison.pairs {
            survey.add(pair.connections[side].clone());
        }
        survey.end_of_source(captures, &|connection| connection.id);
    }
    (survey, comparison)
}
