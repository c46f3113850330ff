//! `tcpwhy lab run`.

use crate::exit::{EXIT_ERROR, ExitStatus};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tcpwhy_files::Written;
use tcpwhy_lab::Recording;
use tcpwhy_proof::results;
use tcpwhy_report::dto::{LabDocument, LabFailure, Presentation};
use tcpwhy_report::lab::LabRun;
use tcpwhy_report::markup::MARK;
use tcpwhy_report::text::{lab_ratios, lab_run, lab_summary};
use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::{End, LinkKind};

use super::args::RunArgs;
use super::permission::Permitted;
use super::runner::{Rule, Runner};
use crate::message::{self, failure};
use crate::output::file::{self, Output};
use crate::scenarios::{self, Named};
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Result, Wrong};

/// Exit status if a result differs from the expectation.
const EXIT_UNEXPECTED: u8 = 1;

/// Runs scenarios and prints the result of each.
pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let catalogue = args.output.look.catalogue();
    let wording = Wording::new(&catalogue);
    let permit = |mut named: Named| {
        named.scenario.seed = args.seed.unwrap_or(named.scenario.seed);
        if args.netem {
            named.scenario.link.kind = LinkKind::Netem;
        }
        named.permit(args.permission, wording)
    };
    // All permissions are checked before the first run, so that a long list does not fail halfway.
    let scenarios: Vec<Permitted> =
        scenarios::scenarios(&args.targets)?.into_iter().map(permit).collect::<Result<_>>()?;
    let look = args.output.look.look();
    let jobs: Vec<(&Permitted, PathBuf)> = scenarios.iter().flat_map(|scenario| folders(args, scenario)).collect();
    let rule = Rule { inputs: scenarios::files(&args.targets), is_overwriting: args.overwrite.overwrite };
    rule.check(jobs.iter().map(|(_, folder)| folder))?;
    if args.html {
        check_pages(jobs.iter().map(|(_, folder)| folder), &rule)?;
    }
    let runner = Runner::new(wording, args.output.quiet)?.replacing(rule);
    let mut runs: Vec<LabRun> = Vec::new();
    let mut failed = Vec::new();
    let mut last = None;
    for (index, (scenario, folder)) in jobs.iter().enumerate() {
        match runner.record(scenario, folder, [index + 1, jobs.len()]) {
            Ok(recording) => {
                let run = results::explain(&recording, &catalogue)?;
                if !args.json {
                    let mut out = stdout();
                    write!(out, "{}", lab_run(wording, look, &run))?;
                    out.flush()?;
                }
                if args.html {
                    runner.add_written(pages(args, &recording)?);
                }
                runs.push(run);
                last = Some(recording);
            }
            // With a single run, its error is the result of the command.
            Err(error) if jobs.len() == 1 => return Err(error.context(scenario.name.clone())),
            Err(error) => {
                let words = Args::new().text("name", &scenario.name).text("why", error.sentence());
                message::say(catalogue.text("lab-failed", &words));
                failed.push(LabFailure { scenario: scenario.name.clone(), error: error.sentence() });
            }
        }
    }
    let ratios = results::ratios(scenarios.iter().map(|scenario| &**scenario), &runs);
    let has_failed = !failed.is_empty();
    let mut out = stdout();
    if args.json {
        let presentation = Presentation::new(wording);
        let document = LabDocument::new(&runs, &ratios, failed, presentation);
        tcpwhy_report::json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)?;
    } else {
        repeats(&mut out, wording, &scenarios, &runs)?;
        if let (1, Some(recording)) = (jobs.len(), &last) {
            write!(out, "\n{}", results::report(&recording.capture(End::Sender), wording, look)?)?;
            let words = Args::new().text("folder", recording.folder().display().to_string());
            writeln!(out, "\n{}", catalogue.text("lab-recording", &words))?;
        } else {
            let table = lab_ratios(wording, look, &ratios);
            let gap = if table.is_empty() { "" } else { "\n" };
            write!(out, "{gap}{table}\n{}", lab_summary(wording, look, &runs, failed.len(), &ratios))?;
        }
    }
    out.flush()?;
    runner.say_written(match &jobs[..] {
        [(_, folder)] => folder,
        _ => &args.out,
    });
    Ok(match (has_failed, results::is_as_expected(&runs, &ratios)) {
        (true, _) => ExitStatus::from(EXIT_ERROR),
        (false, false) => ExitStatus::from(EXIT_UNEXPECTED),
        (false, true) => ExitStatus::SUCCESS,
    })
}

/// The folder of each run of a scenario.
fn folders<'a>(args: &RunArgs, scenario: &'a Permitted) -> Vec<(&'a Permitted, PathBuf)> {
    let name =
        |number: u32| if args.repeat == 1 { scenario.name.clone() } else { format!("{}-{number}", scenario.name) };
    (1..=args.repeat).map(|number| (scenario, args.out.join(name(number)))).collect()
}

/// Fails if a page of `--html` may not be written into an existing folder of captures.
fn check_pages<'f>(folders: impl Iterator<Item = &'f PathBuf>, rule: &Rule) -> Result<()> {
    let policy = file::policy(rule.inputs.clone(), rule.is_overwriting, &[MARK]);
    for folder in folders.filter(|folder| folder.is_dir()) {
        for end in End::BOTH {
            Output::prepare(&page(folder, end), &policy)?;
        }
    }
    Ok(())
}

fn page(folder: &Path, end: End) -> PathBuf {
    folder.join(format!("{end}.html"))
}

/// Writes the pages of `--html` next to the captures.
///
/// A separate process creates each page. It starts the writer of its file while it has one thread, then gives
/// up its privileges for good. This process cannot, because it has had threads and has more to write.
fn pages(args: &RunArgs, recording: &Recording) -> Result<Written> {
    let mut written = Written::default();
    for end in End::BOTH {
        let page = page(recording.folder(), end);
        let mut explain = Command::new("/proc/self/exe");
        explain.args(["explain", "--quiet", "--lang", args.output.look.language().tag()]);
        explain.arg(recording.capture(end)).arg("--html").arg(&page);
        if args.overwrite.overwrite {
            explain.arg("--overwrite");
        }
        let output = explain.stdin(Stdio::null()).output().with_context(|| failure("lab-page-not-begun"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let ended = || failure("lab-page-ended").with("page", page.display().to_string()).into();
            return Err(message::of_another(&said).map_or_else(ended, Wrong::said));
        }
        message::print(&said);
        let bytes = page.metadata().map_or(0, |metadata| metadata.len());
        written += Written { files: 1, bytes };
    }
    Ok(written)
}

/// Prints the spread of repeated runs of the same scenario.
fn repeats(
    out: &mut impl std::io::Write,
    wording: Wording<'_>,
    scenarios: &[Permitted],
    runs: &[LabRun],
) -> Result<()> {
    for scenario in scenarios {
        let seconds: Vec<f64> =
            runs.iter().filter(|run| run.entry.name == scenario.name).map(|run| run.seconds).collect();
        if seconds.len() < 2 {
            continue;
        }
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = seconds.iter().copied().fold(0.0, f64::max);
        let units = wording.units();
        let args = Args::new()
            .text("name", &scenario.name)
            .number("count", seconds.len() as u64)
            .text("least", units.seconds(least))
            .text("most", units.seconds(most))
            .text("share", units.share((most - least) / least));
        writeln!(out, "{}", wording.catalogue().text("lab-repeats", &args))?;
    }
    Ok(())
}
