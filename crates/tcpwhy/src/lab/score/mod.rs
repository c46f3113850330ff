//! `tcpwhy lab score`: compares the reports about recordings with their known causes.

mod args;

use crate::exit::ExitStatus;
use crate::message;
use crate::message::failure;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tcpwhy_files::FileId;
use tcpwhy_lab::Recording;
use tcpwhy_proof::score::{LeftOut, Score, folders};
use tcpwhy_report::markup::MARK;
use tcpwhy_report::{Catalogue, Wording};

pub(crate) use self::args::ScoreArgs;
use super::permission::{PermissionArgs, Permitted};
use super::runner::{Rule, Runner};
use super::scratch::Scratch;
use crate::output::file;
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::{Result, bail};

/// Exit status when limits do not add up, or a recording could not be judged.
const EXIT_WRONG: u8 = 1;

/// Judges the recordings that `args` names.
pub(super) fn run(args: &ScoreArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let wording = Wording::new(&catalogue);
    let scratch;
    let policy = file::policy(Vec::new(), args.overwrite.overwrite, &[MARK]);
    if let Some(folder) = &args.markdown {
        Score::check_documents(folder, &policy)?;
    }
    let mut folders = folders(&args.dirs)?;
    let mut not_run = Vec::new();
    if let Some(random) = &args.random {
        scratch = Scratch::unless(args.out.as_deref())?;
        let inputs = args.dirs.iter().chain(&folders).flat_map(|folder| FileId::all_in(folder)).collect();
        let rule = Rule { inputs, is_overwriting: args.overwrite.overwrite };
        let runner = Runner::new(wording, args.output.quiet)?.replacing(rule);
        let (recorded, failed) = record_all(random, scratch.path(), &runner)?;
        if let Some(out) = &args.out {
            runner.say_written(out);
        }
        folders.extend(recorded);
        not_run = failed;
    }
    if folders.is_empty() {
        bail!(failure("no-recordings"));
    }
    let mut score = Score::of(&folders, &args.vantages(), args.flips, args.random.clone(), &message::words);
    score.add_failed(not_run);
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, &score)?;
        writeln!(out)?;
    } else {
        out.write_all(score.text(wording, args.verbose).as_bytes())?;
    }
    if let Some(folder) = &args.markdown {
        let written = score.write_documents(folder, &policy)?;
        if !args.output.quiet {
            file::say_written(wording, folder, written);
        }
    }
    Ok(if score.has_wrong() { ExitStatus::from(EXIT_WRONG) } else { ExitStatus::SUCCESS })
}

/// Runs the random transfers of `random` (`SEED:COUNT`), each into a folder in `out`. Existing recordings are
/// kept, so that a large set can be made in several sessions.
fn record_all(random: &str, out: &Path, runner: &Runner<'_>) -> Result<(Vec<PathBuf>, Vec<LeftOut>)> {
    let drawn = scenarios::scenarios(&[format!("random:{random}")])?;
    let permitted = drawn.into_iter().map(|named| named.permit(PermissionArgs::NOTHING, runner.wording));
    let scenarios: Vec<Permitted> = permitted.collect::<Result<_>>()?;
    let (mut folders, mut failed) = (Vec::new(), Vec::new());
    for (index, scenario) in scenarios.iter().enumerate() {
        let folder = out.join(&scenario.name);
        // A failed recording is made again.
        let is_kept = Recording::open(&folder).and_then(Recording::unbroken).is_ok();
        if !is_kept && let Err(error) = runner.record(scenario, &folder, [index + 1, scenarios.len()]) {
            failed.push(LeftOut { name: scenario.name.clone(), why: error.sentence() });
            continue;
        }
        folders.push(folder);
    }
    Ok((folders, failed))
}
