//! The case book, written from real runs: one page per case in each language, with story, picture and
//! verdict.

pub(crate) mod charts;
mod index;
pub(crate) mod page;
pub(crate) mod picture;

use std::io::Write as _;
use std::path::Path;

use tcpwhy_files::{Folder, Policy, Written};
use tcpwhy_lab::Recording;
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_scenario::{Expectation, Scenario};

use self::picture::Pictures;
use crate::{ProofError, file_name, marked, results};

/// The cases so far, and the folder of their pages.
#[derive(Debug)]
pub struct Book {
    folder: Folder,
    policy: Policy,
    cases: Vec<(Recording, Pictures)>,
    written: Written,
}

impl Book {
    /// An empty book in `folder`, which is created if it is missing. `policy` lists the files there that may
    /// be replaced.
    ///
    /// # Errors
    /// [`ProofError::Write`] if nothing can be written there.
    pub fn new(folder: &Path, policy: Policy) -> Result<Self, ProofError> {
        Ok(Self { folder: Folder::open(folder)?, policy, cases: Vec::new(), written: Written::default() })
    }

    /// Fails if a page or picture of the scenario `name`, or the index, may not be replaced.
    ///
    /// # Errors
    /// [`ProofError::Write`].
    pub fn check(&self, name: &str) -> Result<(), ProofError> {
        let pages =
            Language::ALL.into_iter().flat_map(|language| [name, "README"].map(|name| file_name(name, language)));
        let pictures = picture::names(name);
        pages.chain(pictures).try_for_each(|file| self.folder.check(&file, &self.policy))?;
        Ok(())
    }

    /// Adds a case, and draws its pictures.
    ///
    /// # Errors
    /// What keeps its capture from being explained and drawn, or its pictures from being written.
    pub fn add(&mut self, recording: Recording) -> Result<(), ProofError> {
        let run = results::explain(&recording, &Catalogue::new(Language::English))?;
        let mut save = |name: &str, content: &str| {
            self.written += self.folder.replace(name, &self.policy, |out| out.write_all(content.as_bytes()))?;
            Ok(())
        };
        let pictures = picture::write(&recording, run.views[0].said.as_deref(), &mut save)?;
        self.cases.push((recording, pictures));
        Ok(())
    }

    /// Writes the pages of all cases and the index, in each language. Returns the total size, including
    /// pictures.
    ///
    /// # Errors
    /// What keeps captures from being explained, or pages from being written.
    pub fn write(self) -> Result<Written, ProofError> {
        let mut written = self.written;
        let mut save = |name: &str, text: &str| {
            written += self.folder.replace(name, &self.policy, |out| out.write_all(marked(text).as_bytes()))?;
            Ok::<(), ProofError>(())
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
        Ok(written)
    }
}

/// The recording in `folder`, with the current story and expectations of `scenario`. `None` if it belongs to
/// another scenario, is in doubt or is broken.
pub fn kept(scenario: &Scenario, folder: &Path) -> Option<Recording> {
    let recording = Recording::open(folder).ok()?;
    let is_good = is_same(recording.scenario(), scenario) && recording.truth().quality.doubts.is_empty();
    let retold = is_good.then(|| recording.retold(scenario.story.clone(), scenario.expect.clone()))?;
    retold.unbroken().ok()
}

/// Whether both scenarios set the same causes. The story may differ. A recording contains the counters that
/// were expected when it was made, so other counters need a new one.
fn is_same(recorded: &Scenario, now: &Scenario) -> bool {
    let imposed = |scenario: &Scenario| {
        let expect = Expectation { counters: scenario.expect.counters.clone(), ..now.expect.clone() };
        Scenario { story: now.story.clone(), expect, ..scenario.clone() }
    };
    imposed(recorded) == imposed(now)
}
