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

use anyhow::Result;
use tcpwhy_report::{Catalogue, Wording};
use tcpwhy_watch::LiveHost;

pub(crate) use args::LiveArgs;

use self::print::Printer;
use crate::exit::{EXIT_GATE, ExitStatus};
use crate::standard_output::check_open;
use crate::watching::{Budget, Clock, Names, Stop, Watch, give_up_rights};

/// How long is watched where nobody says.
const USUAL: Duration = Duration::from_secs(2);
/// A stop is noticed at least so soon.
const PATIENCE: Duration = Duration::from_millis(200);

/// Watches this host as `args` say.
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
    let host = if args.jsonl { LiveHost::with_intervals() } else { LiveHost::new() };
    let clock = Clock::start();
    let accounts = args.mode.attach(clock, !args.no_setsockopt)?.map(|mut accounts| {
        accounts.find_code();
        accounts
    });
    let budget = Budget::new(args.cpu.0, args.rate.into());
    let mut watch = Watch::start(args.all_namespaces, budget, host, clock, accounts)?;
    if is_stream {
        watch.events.take_all();
    }
    // Nothing is written anywhere but to standard output.
    give_up_rights(&mut watch, args.all_namespaces)?;
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
    let began = Instant::now();
    while !stop.is_asked() && end.is_none_or(|end| began.elapsed() < end) {
        watch.step()?;
        watch.spend(|watch| {
            if args.jsonl {
                return printer.stream(watch);
            }
            printer.keep_ended(watch);
            Ok(())
        })?;
        let left = end.map_or(PATIENCE, |end| end.saturating_sub(began.elapsed()));
        thread::sleep(watch.due().saturating_duration_since(Instant::now()).min(left).min(PATIENCE));
    }
    // The last moment counts as well.
    watch.look_at_all()?;
    watch.host.finish();
    if is_stream {
        printer.finish(&mut watch)?;
    } else {
        printer.list(&mut watch)?;
    }
    Ok(if printer.is_gate_hit() { ExitStatus::from(EXIT_GATE) } else { ExitStatus::SUCCESS })
}
