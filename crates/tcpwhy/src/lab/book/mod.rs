//! `tcpwhy lab book`: the case book, written from real runs.

mod index;
mod page;
mod picture;

use crate::exit::ExitStatus;
use std::path::Path;

use anyhow::{Context as _, Result};
use tcpwhy_files::Folder;
use tcpwhy_lab::Recording;
use tcpwhy_lab::scenario::{Expectation, Scenario};
use tcpwhy_report::{Catalogue, Language, Wording};

use super::args::BookArgs;
use super::documents::{file_name, write};
use super::permission::Permitted;
use super::runner::Runner;
use super::{results, target};

/// What writes the book again.
const COMMAND: &str = "tcpwhy lab book docs/cases";

/// Writes a page for each bundled scenario in each language, its picture, and the index.
pub(super) fn run(args: &BookArgs) -> Result<ExitStatus> {
    let named = if args.targets.is_empty() { target::bundled() } else { target::scenarios(&args.targets)? };
    let words = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&words);
    let permitted = named.into_iter().map(|named| named.permit(args.permission, wording));
    let scenarios: Vec<Permitted> = permitted.collect::<Result<_>>()?;
    Folder::open(&args.folder)?;
    let runner = Runner::new(wording, args.output.quiet)?;
    let mut recordings = Vec::new();
    for (index, scenario) in scenarios.iter().enumerate() {
        let recording = recorded(scenario, &args.recordings, runner, [index + 1, scenarios.len()])
            .with_context(|| scenario.name.clone())?;
        let run = results::explain(&recording, &words)?;
        let pictures = picture::write(&recording, run.views[0].said.as_deref(), &args.folder)?;
        recordings.push((recording, pictures));
    }
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        let mut entries = Vec::new();
        for (recording, pictures) in &recordings {
            let run = results::explain(recording, &catalogue)?;
            let name = file_name(&recording.scenario().name, language);
            write(&args.folder.join(&name), &page::page(wording, recording, &run, *pictures)?)?;
            entries.push((name, run));
        }
        let kernel = recordings.first().map(|(recording, _)| recording.truth().kernel.as_str()).unwrap_or_default();
        write(&args.folder.join(file_name("README", language)), &index::index(wording, kernel, &entries))?;
    }
    Ok(ExitStatus::SUCCESS)
}

/// The recording of this very scenario that is there, else a new one; one that is in doubt or broke is made again.
fn recorded(scenario: &Permitted, folder: &Path, runner: Runner<'_>, counts: [usize; 2]) -> Result<Recording> {
    let folder = folder.join(&scenario.name);
    let is_good = |kept: &Recording| is_same(kept.scenario(), scenario) && kept.truth().quality.doubts.is_empty();
    let retold =
        |recording: Recording| recording.retold(scenario.story.clone(), scenario.expect.clone()).unbroken().ok();
    let kept = Recording::open(&folder).ok().filter(is_good).and_then(retold);
    kept.map_or_else(|| runner.record(scenario, &folder, counts), Ok)
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
