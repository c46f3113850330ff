//! `tcpwhy sim run`.

use std::io::Write as _;
use std::num::NonZero;
use std::thread;

use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::foreign::quoted;
use tcpwhy_model::{Explained as _, Message};
use tcpwhy_report::Wording;
use tcpwhy_report::dto::SimDocument;
use tcpwhy_report::sim::{SimEnd, SimPath, SimRange, SimRun};
use tcpwhy_report::text::sim_run;
use tcpwhy_scenario::Scenario;
use tcpwhy_sim::{Outcome, Plan, Range, Stalled, World};

use super::args::RunArgs;
use super::capture::Capture;
use super::kernel::KERNEL;
use crate::exit::ExitStatus;
use crate::message::{self, Failure, failure};
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::{Result, bail};

/// Simulates scenarios and prints the result of each.
pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    let all = scenarios::scenarios(&args.targets)?;
    if args.pcapng.is_some() && all.len() > 1 {
        bail!(failure("sim-one-capture").with("count", all.len()));
    }
    let capture = args.pcapng.as_ref().map(|path| {
        let inputs = scenarios::files(&args.targets);
        Capture::prepare(path, inputs, args.overwrite.overwrite, args.at, args.quiet)
    });
    let capture = capture.transpose()?;
    let mut runs = Vec::new();
    for named in &all {
        let Asked { scenario, kernel } = Asked::new(&named.scenario, args)?;
        let refused = |why: Message| failure("sim-refused").with("name", quoted(&named.scenario.name)).with("why", why);
        let plan = Plan::of_scenario(&scenario, kernel).map_err(|why| refused(why.message()))?;
        let stalled = |why: Stalled| refused(why.message());
        let outcome = match &capture {
            None => World::new(&plan).run().map_err(stalled)?,
            Some(capture) => capture.write(&plan, wording)?.map_err(stalled)?,
        };
        let range = if args.seeds > 1 { range(&plan, &outcome, args.seeds) } else { None };
        let run = shown(args, &scenario, kernel, &outcome, range);
        if !args.json {
            let mut out = stdout();
            let gap = if runs.is_empty() { "" } else { "\n" };
            write!(out, "{gap}{}", sim_run(wording, args.look.look(), &run))?;
            out.flush()?;
        }
        runs.push(run);
    }
    if args.json {
        let mut out = stdout();
        tcpwhy_report::json::to_writer_pretty(&mut out, &SimDocument::new(&runs))?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(ExitStatus::SUCCESS)
}

/// A scenario with its settings.
struct Asked {
    scenario: Scenario,
    kernel: KernelVersion,
}

impl Asked {
    fn new(scenario: &Scenario, args: &RunArgs) -> Result<Self> {
        let mut asked = Self { scenario: scenario.clone(), kernel: KERNEL };
        for setting in &args.set {
            if setting.key == "kernel" {
                asked.kernel = setting.value.parse()?;
                if asked.kernel.is_newer_than_measured() && !args.quiet {
                    message::say(failure("sim-kernel-newer").with("kernel", asked.kernel.to_string()).to_string());
                }
            } else {
                asked.scenario = asked.scenario.with(&setting.key, &setting.value).map_err(Failure::from)?;
            }
        }
        Ok(asked)
    }
}

/// The durations of `count` runs, of which `first` is one.
pub(super) fn range(plan: &Plan, first: &Outcome, count: u64) -> Option<SimRange> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let share = |of: u64| {
        let mine = (1..count).filter(move |n| n % threads == of);
        mine.map(|n| World::new(&plan.again(n)).run().map(|outcome| outcome.duration).ok()).collect::<Vec<_>>()
    };
    let more: Vec<Option<u64>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|of| scope.spawn(move || share(of))).collect();
        // A worker that panics has no result; its runs count as stalled.
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    let ended = more.iter().flatten().count() as u64;
    let range = Range::of(more.into_iter().flatten().chain([first.duration]))?;
    let seconds = |time: u64| time as f64 / 1e9;
    Some(SimRange {
        runs: count,
        low_seconds: seconds(range.low),
        median_seconds: seconds(range.median),
        high_seconds: seconds(range.high),
        stalled: count - 1 - ended,
    })
}

fn shown(
    args: &RunArgs,
    scenario: &Scenario,
    kernel: KernelVersion,
    outcome: &Outcome,
    range: Option<SimRange>,
) -> SimRun {
    let story = scenario.story.words(args.look.language().tag());
    SimRun {
        name: scenario.name.clone(),
        title: story.title.clone(),
        kernel: kernel.to_string(),
        settings: args.set.iter().map(|setting| (setting.key.clone(), setting.value.clone())).collect(),
        seed: scenario.seed,
        bytes: outcome.received,
        seconds: outcome.duration as f64 / 1e9,
        limits: outcome.held.all(),
        ends: outcome.sockets.map(|counts| SimEnd {
            data_segments: counts.data_segments,
            retransmitted: counts.retransmitted,
            timeouts: counts.timeouts,
            largest_window: counts.largest_window,
            buffers: [counts.send_buffer, counts.receive_buffer],
        }),
        paths: outcome.links.map(|counts| SimPath {
            frames: counts.frames,
            lost: counts.drops.imposed(),
            dropped: counts.drops.queue + counts.drops.policer,
        }),
        range,
    }
}
