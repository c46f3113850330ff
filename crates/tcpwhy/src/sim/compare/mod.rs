//! `tcpwhy sim compare`: compares a transfer on the running kernel with the simulated one, and the reports of
//! `explain` about both.

mod document;
mod order;
mod twins;

use std::io::{Cursor, Write as _};
use std::path::Path;

use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::{Explain, Explanation};
use tcpwhy_lab::Recording;
use tcpwhy_lab::truth::Doubt;
use tcpwhy_model::Explained as _;
use tcpwhy_model::foreign::quoted;
use tcpwhy_proof::results::doubt_id;
use tcpwhy_report::Wording;
use tcpwhy_report::sim_comparison::SimComparison;
use tcpwhy_report::text::{AnswerLine, Overview, answer_lines, sim_comparison};
use tcpwhy_scenario::End;
use tcpwhy_sim::{NotSimulated, Outcome, Plan};

use self::document::Document;
use self::order::{agreement, first_difference, sent};
use self::twins::Twins;
use super::args::CompareArgs;
use super::kernel::KERNEL;
use super::run::range;
use super::score::Counts;
use crate::exit::ExitStatus;
use crate::lab::{self, Scratch};
use crate::message::{Failure, failure};
use crate::scenarios;
use crate::standard_output::stdout;
use crate::wrong::{Result, bail};

/// Largest time difference, in round trips, between bytes that count as sent at the same time. It is less
/// than the difference of one ACK.
const SAME_TIME: f64 = 0.25;
/// Least time difference, seconds: the precision of program wake-ups and of the lab's emulator.
const LEAST_SAME_TIME: f64 = 0.001;

/// Runs the scenario on this kernel or reads its recording, simulates it, and prints both side by side.
pub(super) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    let scratch = Scratch::unless(None)?;
    let recording = match Path::new(&args.target) {
        folder if folder.is_dir() && !args.set.is_empty() => bail!(failure("sim-compare-recorded")),
        folder if folder.is_dir() => Recording::open(folder)?,
        _ => record(args, wording, scratch.path())?,
    };
    let recording = recording.unbroken()?;
    let compared = compared(args, wording, &recording, Twins::of(&recording)?)?;
    let mut out = stdout();
    if args.json {
        tcpwhy_report::json::to_writer_pretty(&mut out, &Document::new(&compared))?;
        writeln!(out)?;
    } else {
        write!(out, "{}", sim_comparison(wording, args.look.look(), &compared))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// Records the scenario on this kernel, after checking that the simulator supports it.
fn record(args: &CompareArgs, wording: Wording<'_>, folder: &Path) -> Result<Recording> {
    let mut named = scenarios::scenario(&args.target)?;
    for setting in &args.set {
        named.scenario = named.scenario.with(&setting.key, &setting.value).map_err(Failure::from)?;
    }
    let refused = |why: NotSimulated| {
        failure("sim-refused").with("name", quoted(&named.scenario.name)).with("why", why.message())
    };
    Plan::of_scenario(&named.scenario, KERNEL).map_err(refused)?;
    lab::record(named, args.permission, &folder.join("run"), wording, args.quiet)
}

fn compared(args: &CompareArgs, wording: Wording<'_>, recording: &Recording, twins: Twins) -> Result<SimComparison> {
    let (scenario, truth) = (recording.scenario(), recording.truth());
    let Twins { case, plan, outcome, capture } = twins;
    let path = recording.capture(End::Sender);
    let name = path.display().to_string();
    let explained = [
        first_lines(wording, &Explain::path(&path).run()?),
        first_lines(wording, &Explain::reader(Cursor::new(capture.clone()), &name).run()?),
    ];
    let kernel = sent(CaptureReader::open(&path)?, plan.opener)?;
    let simulated = sent(CaptureReader::from_read(Cursor::new(capture), &name)?, plan.opener)?;
    let both = [&*kernel, &*simulated];
    let round_trip = truth.min_rtt_us.map_or(0.0, |micros| micros as f64 / 1e6);
    let doubt = |doubt: &Doubt| wording.catalogue().word(doubt_id(*doubt));
    Ok(SimComparison {
        name: scenario.name.clone(),
        title: scenario.story.words(wording.catalogue().language().tag()).title.clone(),
        kernel: truth.kernel.clone(),
        rules: truth.kernel.parse().unwrap_or(KERNEL).to_string(),
        settings: args.set.iter().map(|setting| (setting.key.clone(), setting.value.clone())).collect(),
        bytes: truth.bytes_received,
        seconds: [case.seconds, outcome.duration as f64 / 1e9],
        range: if args.seeds > 1 { range(&plan, &outcome, args.seeds) } else { None },
        shares: [case.shares.map(|s| s.by_group), case.shares.map(|s| s.simulated(&outcome.held))],
        counters: counters(case.counts, &outcome),
        explained,
        order: first_difference(both),
        times: Some(agreement(both, (round_trip * SAME_TIME).max(LEAST_SAME_TIME))),
        doubts: truth.quality.doubts.iter().map(doubt).collect(),
    })
}

fn first_lines(wording: Wording<'_>, explanation: &Explanation) -> Vec<AnswerLine> {
    answer_lines(wording, &Overview::of(&explanation.connections))
}

/// The counters of kernel and simulator, by message ids.
fn counters(kernel: Option<Counts>, simulated: &Outcome) -> Vec<(&'static str, [u64; 2])> {
    let Some(kernel) = kernel else { return Vec::new() };
    let [sender, _] = simulated.sockets;
    let [there, back] = simulated.links;
    let mut all = vec![
        ("retransmitted", [kernel.retransmitted, sender.retransmitted]),
        ("timeouts", [kernel.timeouts, sender.timeouts]),
        ("dropped", [kernel.dropped, there.drops.queue + there.drops.policer]),
    ];
    if let Some([kernel_there, kernel_back]) = kernel.frames {
        all.extend([("frames_there", [kernel_there, there.frames]), ("frames_back", [kernel_back, back.frames])]);
    }
    all
}
