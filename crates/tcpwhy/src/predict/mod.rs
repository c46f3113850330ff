//! `tcpwhy predict`: rebuilds a captured transfer in the simulator and predicts the effect of changes.

mod args;

use std::io::Write as _;

use tcpwhy_analysis::{Connection, HalfConnection, principal_half};
use tcpwhy_engine::{Delivery, Plan};
use tcpwhy_fit::{Change, EVENTS, Fit, Outlook, Unfit, fixes_of};
use tcpwhy_model::{Explained as _, FitGrade};
use tcpwhy_report::dto::PredictDocument;
use tcpwhy_report::predicted::{Predicted, PredictedChange, Rebuilt, Then, What};
use tcpwhy_report::text::predicted;
use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::Scenario;

pub(crate) use args::PredictArgs;

use crate::damage;
use crate::exit::ExitStatus;
use crate::inputs::Inputs;
use crate::message::{self, Failure, failure};
use crate::output::file;
use crate::progress::Progress;
use crate::rights;
use crate::sim::Capture;
use crate::standard_output::stdout;
use crate::wrong::{Result, Wrong};

/// Simulated events per change: about 0.5 s of computation.
const EVENTS_OF_CHANGE: u64 = 2_000_000;
/// The setting for the version of both kernels, which is not a key of scenarios.
const KERNEL: &str = "kernel";

/// Prints the predictions that `args` request.
pub(crate) fn run(args: &PredictArgs) -> Result<ExitStatus> {
    let catalogue = args.look.catalogue();
    let wording = Wording::new(&catalogue);
    let files = [args.file.clone()];
    let written = args.pcapng.as_ref();
    let capture = written
        .map(|path| Capture::prepare(path, file::read_from(&files), args.overwrite.overwrite, args.at, args.quiet));
    let capture = capture.transpose()?;
    let settle = || {
        let capture = capture.map(Capture::hand_over).transpose()?;
        rights::confine(&rights::reading(&files))?;
        Ok(capture)
    };
    let (inputs, capture) = Inputs::repeatable(&files, false, None, settle)?;
    let connection = read(&inputs, args, wording)?;
    let half = principal_half(&connection).ok_or_else(|| Wrong::from(failure("predict-no-data")))?;
    let refused = |unfit: Unfit| Wrong::from(failure("predict-unfit").with("why", unfit.message()));
    let mut fit = Fit::of(&connection, half, EVENTS).map_err(refused)?;
    for setting in args.set.iter().filter(|setting| setting.key == KERNEL) {
        fit.set_kernel(setting.value.parse()?);
    }
    let mut outlooks = Vec::new();
    for asked in asked(args, half)? {
        fit.grant(EVENTS_OF_CHANGE);
        let edited = fit.edited(&|scenario| asked.edit(scenario)).map_err(Failure::from)?;
        outlooks.push(PredictedChange { what: asked.what, then: edited.as_ref().map(then) });
    }
    if let Some(capture) = &capture {
        write(capture, &fit, args, half, wording)?;
    }
    let sender = half.sender;
    let shown = Predicted {
        connection: connection.id,
        endpoints: [sender, sender.peer()].map(|side| connection.endpoints[side.index()]),
        bytes: half.bytes,
        seconds: half.span.seconds(),
        cause: half.verdict.cause,
        rebuilt: Rebuilt {
            seconds: fit.as_it_was(),
            closeness: fit.closeness(),
            grade: FitGrade::of(fit.closeness()),
            worlds: u32::try_from(fit.count()).unwrap_or(u32::MAX),
            is_rate_seen: fit.is_rate_seen(),
        },
        outlooks,
    };
    let mut out = stdout();
    if args.json {
        out.write_json(&PredictDocument::new(&shown))?;
    } else {
        write!(out, "{}", predicted(wording, args.look.look(), &shown))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// The requested connection, by default the one with the longest data transfer.
fn read(inputs: &Inputs, args: &PredictArgs, wording: Wording<'_>) -> Result<Connection> {
    let mut progress = Progress::new(&inputs.name(0), args.quiet);
    let (mut count, mut best): (u64, Option<Connection>) = (0, None);
    let seconds = |connection: &Connection| principal_half(connection).map_or(0.0, |half| half.span.seconds());
    let mut present = |mut connection: Connection, number: Option<u64>| {
        connection.id = number.unwrap_or(connection.id);
        count += 1;
        let is_better = match (args.connection, &best) {
            (Some(wanted), _) => connection.id == wanted,
            (None, Some(best)) => {
                seconds(&connection).total_cmp(&seconds(best)).then(best.id.cmp(&connection.id)).is_gt()
            }
            (None, None) => true,
        };
        if is_better {
            best = Some(connection);
        }
        Ok(())
    };
    let plan = Plan { simulates: false, ..Plan::default() };
    let outcome = tcpwhy_engine::run(
        inputs.open(0)?,
        Delivery::Numbered,
        &plan,
        &mut |reached| progress.advance(reached),
        &mut present,
    );
    progress.clear();
    let outcome = outcome?;
    if !args.quiet {
        damage::warn(&outcome.ending.summaries, wording);
    }
    if let Some(failure) = outcome.ending.failures.first() {
        message::say(message::words(failure));
    }
    match (best, args.connection) {
        (Some(connection), _) => Ok(connection),
        (None, Some(n)) if count > 0 => {
            let args =
                Args::new().number("count", count).text("n", n.to_string()).text("last", (count - 1).to_string());
            Err(Wrong::said(wording.catalogue().text("no-such-connection", &args)))
        }
        (None, _) => Err(Wrong::said(wording.catalogue().word("head-no-connections"))),
    }
}

/// One requested change.
struct Asked {
    what: What,
    changes: Vec<Change>,
    settings: Vec<(String, String)>,
}

impl Asked {
    fn of_fix(id: &str, changes: &[Change]) -> Self {
        Self { what: What::Fix(id.to_owned()), changes: changes.to_vec(), settings: Vec::new() }
    }

    fn edit(&self, scenario: &Scenario) -> Result<Scenario, tcpwhy_model::Message> {
        let scenario = Change::all(&self.changes, scenario);
        let others = self.settings.iter().filter(|(key, _)| key != KERNEL);
        others.into_iter().try_fold(scenario, |scenario, (key, value)| scenario.with(key, value))
    }
}

/// The requested changes: each fix alone, all fixes together, and all settings at once. By default, the fixes
/// of the findings.
fn asked(args: &PredictArgs, half: &HalfConnection) -> Result<Vec<Asked>> {
    let mut all = Vec::new();
    for id in &args.fix {
        let known = || Change::fixes().collect::<Vec<_>>().join(", ");
        let changes = Change::of_fix(id);
        let changes =
            changes.ok_or_else(|| failure("predict-fix-unknown").with("fix", id.as_str()).with("known", known()))?;
        all.push(Asked::of_fix(id, changes));
    }
    if args.fix.is_empty() && args.set.is_empty() {
        all.extend(fixes_of(half).into_iter().map(|(id, changes)| Asked::of_fix(id, changes)));
    }
    if all.len() > 1 {
        let changes = all.iter().flat_map(|asked| asked.changes.iter().copied()).collect();
        all.push(Asked { what: What::Together, changes, settings: Vec::new() });
    }
    if !args.set.is_empty() {
        let settings: Vec<_> = args.set.iter().map(|setting| (setting.key.clone(), setting.value.clone())).collect();
        all.push(Asked { what: What::Settings(settings.clone()), changes: Vec::new(), settings });
    }
    Ok(all)
}

/// Writes the most likely rebuilt transfer with the last requested change.
fn write(
    capture: &Capture<'_>,
    fit: &Fit,
    args: &PredictArgs,
    half: &HalfConnection,
    wording: Wording<'_>,
) -> Result<()> {
    let Some((scenario, host)) = fit.likeliest() else { return Ok(()) };
    let scenario = match asked(args, half)?.last() {
        Some(asked) => asked.edit(scenario).map_err(Failure::from)?,
        None => scenario.clone(),
    };
    let kernel = fit.kernel();
    let plan = tcpwhy_sim::Plan::of_scenario(&scenario, kernel).map_err(Wrong::from)?;
    let plan = tcpwhy_sim::Plan { seed: scenario.seed, ..plan.again(host) };
    capture.write(&plan, wording)?.map(|_| ()).map_err(Wrong::from)
}

fn then(outlook: &Outlook) -> Then {
    Then { value: outlook.value, range: (outlook.low, outlook.high), next_limit: outlook.next_limit }
}
