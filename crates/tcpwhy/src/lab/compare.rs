//! `tcpwhy lab compare`.

use crate::exit::ExitStatus;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tcpwhy_files::FileId;
use tcpwhy_kernel::KernelVersion;
use tcpwhy_lab::Recording;
use tcpwhy_proof::article::{self, Article};
use tcpwhy_proof::results;
use tcpwhy_report::Wording;
use tcpwhy_report::dto::{LabDocument, Presentation};
use tcpwhy_report::markup::MARK;
use tcpwhy_report::text::lab_comparison;
use tcpwhy_sim::{Plan, World};

use super::args::CompareArgs;
use super::permission::Permitted;
use super::runner::{Rule, Runner};
use crate::output::file;
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::Result;

/// One of the two things to compare.
enum Given {
    Recording(Box<Recording>),
    Scenario(Box<Permitted>),
}

impl Given {
    /// The folder for its recording, if it has none yet.
    fn folder(&self, out: &Path) -> Option<PathBuf> {
        match self {
            Self::Recording(_) => None,
            Self::Scenario(scenario) => Some(out.join(&scenario.name)),
        }
    }
}

/// Runs two scenarios or reads their recordings, and prints both side by side.
pub(super) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.output.look.catalogue();
    let wording = Wording::new(&catalogue);
    let given = |word: &str| -> Result<Given> {
        Ok(match Path::new(word) {
            folder if folder.is_dir() => Given::Recording(Box::new(Recording::open(folder)?)),
            _ => Given::Scenario(Box::new(scenarios::scenario(word)?.permit(args.permission, wording)?)),
        })
    };
    // Both are checked before either is run.
    let (before, after) = (given(&args.before)?, given(&args.after)?);
    let mut inputs = scenarios::files([&args.before, &args.after]);
    inputs.extend([&args.before, &args.after].into_iter().flat_map(|word| FileId::all_in(Path::new(word))));
    let rule = Rule { inputs, is_overwriting: args.overwrite.overwrite };
    let runs: Vec<PathBuf> = [&before, &after].into_iter().filter_map(|given| given.folder(&args.out)).collect();
    rule.check(&runs)?;
    let policy = file::policy(rule.inputs.clone(), args.overwrite.overwrite, &[MARK]);
    if let Some(folder) = &args.html {
        article::check(folder, &policy)?;
    }
    let runner = Runner::new(wording, args.output.quiet)?.replacing(rule);
    let one = |number: usize, given: Given| -> Result<Recording> {
        let recording = match given {
            Given::Recording(recording) => *recording,
            Given::Scenario(scenario) => runner.record(&scenario, &args.out.join(&scenario.name), [number, 2])?,
        };
        Ok(recording)
    };
    let recordings = [one(1, before)?, one(2, after)?];
    let (before, after) =
        (results::explain(&recordings[0], &catalogue)?, results::explain(&recordings[1], &catalogue)?);
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
    runner.say_written(&args.out);
    if let Some(folder) = &args.html {
        let recordings = recordings.each_ref();
        let computed = recordings.map(computed);
        let written = Article { recordings, computed }.write(folder, &policy)?;
        if !args.output.quiet {
            file::say_written(wording, folder, written);
        }
    }
    Ok(ExitStatus::SUCCESS)
}

/// Seconds that the transfer takes in the simulator with the same kernel; `None` if it cannot simulate it.
fn computed(recording: &Recording) -> Option<f64> {
    let kernel: KernelVersion = recording.truth().kernel.parse().ok()?;
    let plan = Plan::of_scenario(recording.scenario(), kernel).ok()?;
    World::new(&plan).run().ok().map(|outcome| outcome.duration as f64 / 1e9)
}
