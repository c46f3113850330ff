//! `tcpwhy lab book`: the case book, written from real runs.

use crate::exit::ExitStatus;

use tcpwhy_proof::book::{Book, kept};
use tcpwhy_report::markup::MARK;
use tcpwhy_report::{Catalogue, Code, Wording};

use super::args::BookArgs;
use super::permission::Permitted;
use super::runner::{Rule, Runner};
use crate::output::file;
use crate::scenarios;
use crate::wrong::{Context as _, Result};

/// Writes a page for each bundled scenario in each language, its picture, and the index.
pub(super) fn run(args: &BookArgs) -> Result<ExitStatus> {
    let named = if args.targets.is_empty() { scenarios::bundled() } else { scenarios::scenarios(&args.targets)? };
    let words = Catalogue::new(args.output.words.language()).with_code(Code::Suggested);
    let wording = Wording::new(&words);
    let permitted = named.into_iter().map(|named| named.permit(args.permission, wording));
    let scenarios: Vec<Permitted> = permitted.collect::<Result<_>>()?;
    let inputs = scenarios::files(&args.targets);
    let policy = file::policy(inputs.clone(), args.overwrite.overwrite, &[MARK]);
    let mut book = Book::new(&args.folder, policy)?;
    scenarios.iter().try_for_each(|scenario| book.check(&scenario.name))?;
    let rule = Rule { inputs, is_overwriting: args.overwrite.overwrite };
    rule.check(&scenarios.iter().map(|scenario| args.recordings.join(&scenario.name)).collect::<Vec<_>>())?;
    let runner = Runner::new(wording, args.output.quiet)?.replacing(rule);
    for (index, scenario) in scenarios.iter().enumerate() {
        // A recording that failed or has a doubt is recorded again.
        let folder = args.recordings.join(&scenario.name);
        let run = || runner.record(scenario, &folder, [index + 1, scenarios.len()]);
        let recording = kept(scenario, &folder).map_or_else(run, Ok).with_context(|| scenario.name.clone())?;
        book.add(recording)?;
    }
    let written = book.write()?;
    runner.say_written(&args.recordings);
    if !args.output.quiet {
        file::say_written(wording, &args.folder, written);
    }
    Ok(ExitStatus::SUCCESS)
}
