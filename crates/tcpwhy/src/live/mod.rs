//! `tcpwhy live`: what limits every connection of this host, now and over time.

mod args;
mod blocked;
mod check;
mod groups;
mod heading;
mod past;
mod print;
mod screen;

use std::thread;
use std::time::{Duration, Instant};

use tcpwhy_report::dto::LiveHostFacts;
use tcpwhy_report::{Catalogue, Wording};
use tcpwhy_watch::LiveConnection;
use tcpwhy_watch::LiveHost;

pub(crate) use args::LiveArgs;

use self::print::Printer;
use crate::exit::ExitStatus;
use crate::standard_output::check_open;
use crate::watching::{Budget, Clock, Names, Stop, Watch, give_up_rights};
use crate::wrong::Result;

/// Default time to watch.
const USUAL: Duration = Duration::from_secs(2);
/// Longest delay until a stop signal is noticed.
const PATIENCE: Duration = Duration::from_millis(200);

/// Watches this host, or replays a recording, as `args` require.
pub(crate) fn run(args: &LiveArgs) -> Result<ExitStatus> {
    let catalogue = Catalogue::new(args.look.language());
    let wording = Wording::new(&catalogue);
    if args.check {
        return check::run(wording, args.look.look());
    }
    if let Some(recording) = args.recording() {
        return past::run(args, recording, wording);
    }
    let is_stream = args.json || args.jsonl;
    let mut watch = start(args)?;
    if is_stream {
        watch.events.take_all();
    }
    check_open()?;
    let duration = args.duration.map(|time| Duration::from_secs_f64(time.0));
    if !(args.once || is_stream) {
        screen::run(args, wording, &mut watch, duration, None)?;
        return Ok(ExitStatus::SUCCESS);
    }
    if !args.idle {
        watch.names = Names::Moved;
    }
    let end = match duration {
        Some(duration) => Some(duration),
        None if args.jsonl => None,
        None => Some(USUAL),
    };
    let stop = Stop::on_signals()?;
    let mut printer = Printer::new(args, wording);
    watch_until(&mut watch, &mut printer, end, || stop.is_asked())?;
    if is_stream {
        printer.finish(&mut watch)?;
    } else {
        printer.list(&mut watch)?;
    }
    Ok(printer.gate_result().exit_status(false))
}

/// Watches for the time of `args`, then returns the result of `present` for the connections, those that lost
/// most time first.
pub(crate) fn answer<T>(
    args: &LiveArgs,
    wording: Wording<'_>,
    present: impl FnOnce(LiveHostFacts, &[&LiveConnection]) -> T,
) -> Result<T> {
    let mut watch = start(args)?;
    watch.names = Names::Moved;
    let end = args.duration.map_or(USUAL, |time| Duration::from_secs_f64(time.0));
    let mut printer = Printer::new(args, wording);
    watch_until(&mut watch, &mut printer, Some(end), || false)?;
    Ok(printer.answer(&mut watch, present))
}

/// Starts watching and drops all privileges that this does not need.
fn start(args: &LiveArgs) -> Result<Watch> {
    let host = if args.jsonl { LiveHost::with_intervals() } else { LiveHost::new() };
    let clock = Clock::start();
    let accounts = args.mode.attach(clock, !args.no_setsockopt)?.map(|mut accounts| {
        accounts.find_code();
        accounts
    });
    let budget = Budget::new(args.cpu.0, args.rate.into());
    let mut watch = Watch::start(args.all_namespaces, budget, host, clock, accounts)?;
    // All outputs are open, so the right to open files for writing is not needed.
    give_up_rights(&mut watch, args.all_namespaces)?;
    Ok(watch)
}

/// Watches until `end` or a stop signal.
fn watch_until(
    watch: &mut Watch,
    printer: &mut Printer<'_>,
    end: Option<Duration>,
    is_stopped: impl Fn() -> bool,
) -> Result<()> {
    let began = Instant::now();
    while !is_stopped() && end.is_none_or(|end| began.elapsed() < end) {
        watch.step()?;
        watch.spend(|watch| printer.keep_up(watch))?;
        let left = end.map_or(PATIENCE, |end| end.saturating_sub(began.elapsed()));
        thread::sleep(watch.due().saturating_duration_since(Instant::now()).min(left).min(PATIENCE));
    }
    // Adds the time since the last scan.
    watch.look_at_all()?;
    watch.host.finish();
    Ok(())
}
