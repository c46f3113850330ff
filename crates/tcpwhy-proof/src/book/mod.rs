//! The case book, written from real runs: a page a case in each language, with story, picture and verdict.

mod index;
mod page;
mod picture;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tcpwhy_files::Folder;
use tcpwhy_lab::Recording;
use tcpwhy_lab::scenario::{Expectation, Scenario};
use tcpwhy_report::{Catalogue, Language, Wording};

use self::picture::Pictures;
use crate::{ProofError, file_name, results};

/// What writes the book again.
const COMMAND: &str = "tcpwhy lab book docs/cases";

/// The cases told so far, and the folder of their pages.
#[derive(Debug)]
pub struct Book {
    folder: PathBuf,
    cases: Vec<(Recording, Pictures)>,
}

impl Book {
    /// An empty one in `folder`, which is made if it is not there.
    ///
    /// # Errors
    /// [`ProofError::Write`] if nothing can be written there.
    pub fn new(folder: &Path) -> Result<Self, ProofError> {
        Folder::open(folder)?;
        Ok(Self { folder: folder.to_owned(), cases: Vec::new() })
    }

    /// Adds a case, and draws its pictures.
    ///
    /// # Errors
    /// What keeps its capture from being explained and drawn, or its pictures from being written.
    pub fn add(&mut self, recording: Recording) -> Result<(), ProofError> {
        let run = results::explain(&recording, &Catalogue::new(Language::English))?;
        let pictures = picture::write(&recording, run.views[0].said.as_deref(), &self.folder)?;
        self.cases.push((recording, pictures));
        Ok(())
    }

    /// Writes the pages of all cases and the index, in each language.
    ///
    /// # Errors
    /// What keeps captures from being explained, or pages from being written.
    pub fn write(&self) -> Result<(), ProofError> {
        let save = |name: &str, text: &str| {
            tcpwhy_files::replace(&self.folder.join(name), |out| out.write_all(text.as_bytes()))
        };
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let wording = Wording::new(&catalogue);
            let mut entries = Vec::new();
            for (recording, pictures) in &self.cases {
                let run = results::explain(recording, &catalogue)?;
                let name = file_name(&recording.scenario().name, language);
                save(&name, &page::page(wording, recording, &run, *pictures)?)?;
                entries.push((name, run));
            }
            let kernel = self.cases.first().map(|(recording, _)| recording.truth().kernel.as_str()).unwrap_or_default();
            save(&file_name("README", language), &index::index(wording, kernel, &entries))?;
        }
        Ok(())
    }
}

/// The recording in `folder`, with its story and expectations as `scenario` has them now, if it is one of this very scenario, not
/// in doubt and not broken.
pub fn kept(scenario: &Scenario, folder: &Path) -> Option<Recording> {
    let recording = Recording::open(folder).ok()?;
    let is_good = is_same(recording.scenario(), scenario) && recording.truth().quality.doubts.is_empty();
    let retold = is_good.then(|| recording.retold(scenario.story.clone(), scenario.expect.clone()))?;
    retold.unbroken().ok()
}

/// Whether the same is imposed; a story may have been told better since. A recording keeps those counters that were expected
/// when it was made, so others want a new one.
fn is_same(recorded: &Scenario, now: &Scenario) -> bool {
    let imposed = |scenario: &Scenario| {
        let expect = Expectation { counters: scenario.expect.counters.clone(), ..now.expect.clone() };
        Scenario { story: now.story.clone(), expect, ..scenario.clone() }
    };
    imposed(recorded) == imposed(now)
}
