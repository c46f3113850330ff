//! `tcpwhy lab score`: what is said of recordings whose cause is known.

mod args;
mod group;
mod judge;
mod page;
mod reliability;
mod summary;

use crate::exit::ExitStatus;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use tcpwhy_lab::Recording;
use tcpwhy_report::{Catalogue, Language, Wording};

pub(crate) use self::args::ScoreArgs;
use self::args::Vantage;
use self::judge::{Folder, Judged};
use self::page::Page;
use self::summary::Summary;
use super::permission::{PermissionArgs, Permitted};
use super::runner::Runner;
use super::scratch::Scratch;
use super::{documents, target};
use crate::standard_output::stdout;

/// Exit status when limits do not add up, or a recording could not be judged.
const EXIT_WRONG: u8 = 1;

/// All that was judged.
#[derive(Debug, Serialize)]
struct Score {
    /// What the recordings were drawn from, as typed: `7:120`.
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<String>,
    /// Recordings that prove nothing, and why.
    left_out: Vec<LeftOut>,
    /// Recordings that could not be read or explained, and why.
    failed: Vec<LeftOut>,
    summaries: Vec<Summary>,
    runs: Vec<Judged>,
}

#[derive(Debug, Serialize)]
struct LeftOut {
    name: String,
    why: String,
}

/// Judges the recordings that `args` names.
pub(super) fn run(args: &ScoreArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.output.words.language());
    let scratch;
    let mut folders = folders(&args.dirs)?;
    let mut not_run = Vec::new();
    if let Some(random) = &args.random {
        scratch = Scratch::unless(args.out.as_deref())?;
        let runner = Runner::new(Wording::new(&catalogue), args.output.quiet)?;
        let (recorded, failed) = record_all(random, scratch.path(), runner)?;
        folders.extend(recorded);
        not_run = failed;
    }
    if folders.is_empty() {
        bail!("no recordings: folders with truth.json, sender.pcapng and receiver.pcapng");
    }
    let mut score = score(&folders, args);
    score.failed.extend(not_run);
    let page = Page { wording: Wording::new(&catalogue), score: &score };
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, &score)?;
        writeln!(out)?;
    } else {
        out.write_all(page.text(args.verbose).as_bytes())?;
    }
    if let Some(folder) = &args.markdown {
        write_documents(folder, &score)?;
    }
    let has_wrong = !score.failed.is_empty() || score.runs.iter().any(|run| !run.is_sum_right);
    Ok(if has_wrong { ExitStatus::from(EXIT_WRONG) } else { ExitStatus::SUCCESS })
}

/// Runs the random transfers that `random` (`SEED:COUNT`) names, each into its folder in `out`; those that are there already are
/// not run again, so that many can be made in several goes.
fn record_all(random: &str, out: &Path, runner: Runner<'_>) -> Result<(Vec<PathBuf>, Vec<LeftOut>)> {
    let drawn = target::scenarios(&[format!("random:{random}")])?;
    let permitted = drawn.into_iter().map(|named| named.permit(PermissionArgs::NOTHING, runner.wording));
    let scenarios: Vec<Permitted> = permitted.collect::<Result<_>>()?;
    let (mut folders, mut failed) = (Vec::new(), Vec::new());
    for (index, scenario) in scenarios.iter().enumerate() {
        let folder = out.join(&scenario.name);
        // A transfer that broke is run again, as if nothing had been there.
        let is_kept = Recording::open(&folder).and_then(Recording::unbroken).is_ok();
        if !is_kept && let Err(error) = runner.record(scenario, &folder, [index + 1, scenarios.len()]) {
            failed.push(LeftOut { name: scenario.name.clone(), why: format!("{error:#}") });
            continue;
        }
        folders.push(folder);
    }
    Ok((folders, failed))
}

/// Recordings that `dirs` are or hold, in order of their names.
fn folders(dirs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for dir in dirs {
        if Folder::is_one(dir) {
            folders.push(dir.clone());
            continue;
        }
        let entries = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
        let paths: Vec<PathBuf> = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()
            .with_context(|| dir.display().to_string())?;
        folders.extend(paths.into_iter().filter(|path| Folder::is_one(path)));
    }
    folders.sort();
    Ok(folders)
}

fn score(folders: &[PathBuf], args: &ScoreArgs) -> Score {
    let (mut runs, mut left_out, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    let vantages = args.vantage.map_or(Vantage::ALL.to_vec(), |vantage| vec![vantage]);
    for path in folders {
        let lost = |error: anyhow::Error| LeftOut { name: path.display().to_string(), why: format!("{error:#}") };
        let folder = match Folder::open(path) {
            Ok(folder) => folder,
            Err(error) => {
                failed.push(lost(error));
                continue;
            }
        };
        if let Some(doubt) = folder.doubt() {
            left_out.push(LeftOut { name: folder.name.clone(), why: doubt.to_owned() });
            continue;
        }
        for &vantage in &vantages {
            // Recordings made elsewhere, and older ones, have the two ends only.
            if vantage == Vantage::Middle && args.vantage.is_none() && !folder.has_capture(vantage) {
                continue;
            }
            match folder.judge(vantage) {
                Ok(judged) => runs.push(judged),
                Err(error) => failed.push(lost(error)),
            }
        }
    }
    let summaries = vantages.iter().filter_map(|&vantage| Summary::of(&runs, vantage)).collect();
    Score { random: args.random.clone(), left_out, failed, summaries, runs }
}

/// `accuracy.md`, and `accuracy.LANG.md` for the other languages.
fn write_documents(folder: &Path, score: &Score) -> Result<()> {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let page = Page { wording: Wording::new(&catalogue), score };
        documents::write(&folder.join(documents::file_name("accuracy", language)), &page.markdown())?;
    }
    Ok(())
}
