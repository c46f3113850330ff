//! `tcpwhy lab compare`.

use crate::exit::ExitStatus;
use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use tcpwhy_lab::Recording;
use tcpwhy_proof::results;
use tcpwhy_report::Wording;
use tcpwhy_report::dto::{LabDocument, Presentation};
use tcpwhy_report::text::lab_comparison;

use super::args::CompareArgs;
use super::permission::Permitted;
use super::runner::Runner;
use super::target;
use crate::standard_output::stdout;

/// What is compared.
enum Given {
    Recording(Box<Recording>),
    Scenario(Box<Permitted>),
}

/// Runs two scenarios, or takes what was recorded, and shows them side by side.
pub(super) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.output.look.catalogue();
    let wording = Wording::new(&catalogue);
    let runner = Runner::new(wording, args.output.quiet)?;
    let given = |word: &str| -> Result<Given> {
        Ok(match Path::new(word) {
            folder if folder.is_dir() => Given::Recording(Box::new(Recording::open(folder)?)),
            _ => Given::Scenario(Box::new(target::scenario(word)?.permit(args.permission, wording)?)),
        })
    };
    let one = |number: usize, given: Given| -> Result<_> {
        let recording = match given {
            Given::Recording(recording) => *recording,
            Given::Scenario(scenario) => runner.record(&scenario, &args.out.join(&scenario.name), [number, 2])?,
        };
        Ok(results::explain(&recording, &catalogue)?)
    };
    // Nothing is run for one of two that cannot be compared.
    let (before, after) = (given(&args.before)?, given(&args.after)?);
    let (before, after) = (one(1, before)?, one(2, after)?);
    let mut out = stdout();
    if args.json {
        let presentation = Presentation::new(wording);
        let document = LabDocument::new(&[before, after], &[], Vec::new(), presentation);
        tcpwhy_report::json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)?;
    } else {
        let look = args.output.look.look();
        write!(out, "{}", lab_comparison(wording, look, [&before, &after]))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}
