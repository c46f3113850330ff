//! Two runs of the lab as a folder to publish. It has both pictures on equal axes, the settings, and the
//! published, computed and measured values.

mod files;
mod page;
mod settings;

use std::io::Write as _;
use std::path::Path;

use tcpwhy_files::{Folder, Policy, Written};
use tcpwhy_lab::Recording;
use tcpwhy_report::lab::LabRun;
use tcpwhy_report::markup::MARK;
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::svg::{Chart, Style, Theme, Tops, tops};

use crate::book::charts::charts;
use crate::book::picture::{draw, recorded};
use crate::{ProofError, results};

use self::files::{SIDES, names, page_name, picture_name, scenario_name};

/// Free space after the end of the longer run, as a share of its time.
const ROOM: f64 = 0.01;

/// Two runs for comparison.
#[derive(Debug)]
pub struct Article<'a> {
    /// The recordings before and after the change.
    pub recordings: [&'a Recording; 2],
    /// Duration of each in the simulator, seconds; `None` if the simulator cannot run it.
    pub computed: [Option<f64>; 2],
}

/// Fails if a file of an article in `folder` may not be replaced.
///
/// # Errors
/// [`ProofError::Write`].
pub fn check(folder: &Path, policy: &Policy) -> Result<(), ProofError> {
    let folder = Folder::open(folder)?;
    names().try_for_each(|name| folder.check(&name, policy))?;
    Ok(())
}

impl Article<'_> {
    /// Writes page and pictures in each language, and both scenarios, to `folder`.
    ///
    /// # Errors
    /// An error of explaining or drawing the captures, or of writing the files.
    pub fn write(&self, folder: &Path, policy: &Policy) -> Result<Written, ProofError> {
        let folder = Folder::open(folder)?;
        let mut written = Written::default();
        let mut save = |name: &str, content: &str| {
            written += folder.replace(name, policy, |out| out.write_all(content.as_bytes()))?;
            Ok::<(), ProofError>(())
        };
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let [before, after] = self.recordings;
            let runs = [results::explain(before, &catalogue)?, results::explain(after, &catalogue)?];
            for (side, content) in SIDES.into_iter().zip(self.pictures(&runs, language)?) {
                save(&picture_name(side, language), &content)?;
            }
            let page = page::page(Wording::new(&catalogue), self.recordings, self.computed, &runs);
            save(&page_name(language), &page)?;
        }
        for (side, recording) in SIDES.into_iter().zip(self.recordings) {
            // The mark identifies files that tcpwhy may replace.
            let text = recording.scenario().to_toml().map(|text| format!("# {MARK}\n{text}"));
            let text = text.map_err(|why| not_shown(recording, why.to_string()))?;
            save(&scenario_name(side), &text)?;
        }
        Ok(written)
    }

    /// Both pictures with the same charts on equal axes.
    fn pictures(&self, runs: &[LabRun; 2], language: Language) -> Result<[String; 2], ProofError> {
        let wanted = self.recordings.map(|recording| charts(recording.scenario()));
        let charts: Vec<Chart> =
            Chart::ALL.into_iter().filter(|chart| wanted.iter().flatten().any(|c| c == chart)).collect();
        let ends = runs.each_ref().map(|run| {
            let (connection, half) = run.views[0].said.as_deref()?;
            Some(half.span.end().since(connection.span.start()) as f64 / 1e9)
        });
        let last = ends.into_iter().flatten().fold(0.0, f64::max);
        let mut style =
            Style { theme: Theme::Light, language, stretch: Some((0.0, last * (1.0 + ROOM))), tops: Tops::OWN };
        let said = |side: usize| {
            let recording = self.recordings[side];
            let said = runs[side].views[0].said.as_deref();
            let (connection, half) = said.ok_or_else(|| ProofError::NoPicture(recording.scenario().name.clone()))?;
            Ok::<_, ProofError>((recording, connection, half))
        };
        let mut common = Tops::OWN;
        for side in 0..SIDES.len() {
            let (recording, connection, half) = said(side)?;
            let seen = recorded(recording, connection, Budget::LARGE, style.stretch)?;
            common = common.higher(tops(connection, half, &seen, style));
        }
        style.tops = common;
        let drawn = |side: usize| {
            let (recording, connection, half) = said(side)?;
            draw(recording, connection, half, &charts, style)
        };
        Ok([drawn(0)?, drawn(1)?])
    }
}

fn not_shown(recording: &Recording, why: String) -> ProofError {
    ProofError::NotShown { path: recording.folder().display().to_string(), why }
}

#[cfg(test)]
mod tests;
