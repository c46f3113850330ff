//! `tcpwhy sim score`: compares simulated transfers with the same ones on a real kernel.

mod case;
mod grid;
mod lab;
mod page;
mod runs;
mod scored;

use std::fs;
use std::io::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tcpwhy_report::{Catalogue, Wording};

pub(super) use self::case::{Case, Counts};
#[cfg(target_os = "linux")]
pub(super) use self::lab::case_of as recorded;
use self::scored::{Score, Scored};
use super::args::ScoreArgs;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Result, bail};

/// Simulates the transfers in the folders of `args` and prints the errors.
pub(super) fn run(args: &ScoreArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.words.language());
    let wording = Wording::new(&catalogue);
    let mut all = Vec::new();
    for folder in &args.dirs {
        all.extend(cases(folder)?);
    }
    if all.is_empty() {
        bail!(failure("sim-no-truth"));
    }
    let score = Score::new(simulated(&all, args.seeds));
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, &score)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", page::text(wording, &score, args.verbose))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// The transfers in `folder`, which is one run or contains several.
fn cases(folder: &Path) -> Result<Vec<Case>> {
    if let Some(own) = of_run(folder)? {
        return Ok(own);
    }
    let listed = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = listed.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        all.extend(of_run(&path)?.unwrap_or_default());
    }
    Ok(all)
}

/// The transfers of one run; `None` if `path` is not a run.
fn of_run(path: &Path) -> Result<Option<Vec<Case>>> {
    if grid::is_one(path) {
        return grid::cases(path).map(Some);
    }
    if !path.is_dir() {
        return Ok(None);
    }
    match runs::cases(path)? {
        Some(cases) => Ok(Some(cases)),
        None => lab::cases(path),
    }
}

/// Simulates all cases, each with `seeds` runs, on all processors.
fn simulated(cases: &[Case], seeds: u64) -> Vec<Scored> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((at, case)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            cases.get(at).map(|case| (at, case))
        } {
            let scored = Scored::new(case, seeds);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, scored));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, scored)| scored).collect()
}
