//! `tcpwhy live`: what limits every connection of this host, now and over time.

mod accounts;
mod args;
mod budget;
mod check;
mod events;
mod filter;
mod past;
mod print;
mod screen;
mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tcpwhy_analysis::live::{LiveConnection, LiveHost};
use tcpwhy_lab::rights::{self, Right};
use tcpwhy_report::{Catalogue, Wording};

pub(crate) use args::{CpuShare, EXAMPLES, LiveArgs};
pub(crate) use budget::Budget;
pub(crate) use watch::{Blind, Names, Watch};

use self::accounts::{Accounts, WhySampled};
use self::args::Mode;
use self::filter::Filter;
use self::print::Printer;
use self::watch::Clock;
use crate::exit::ExitStatus;
use crate::standard_output::check_open;

/// Exit status when a connection is at or over `--fail-on`.
const EXIT_GATE: u8 = 1;
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
    let accounts = match args.mode {
        Mode::Samples => Err(WhySampled::Asked),
        Mode::Auto => Accounts::attach(clock.offset, !args.no_setsockopt).map_err(WhySampled::Refused),
        Mode::Bpf => Ok(Accounts::attach(clock.offset, !args.no_setsockopt)
            .context("the kernel keeps no accounts for this process")?),
    };
    let accounts = accounts.map(|mut accounts| {
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

/// Keeps what naming processes takes, entering namespaces that appear later where all are looked into, and asking the kernel's
/// accounts where it wants a right for each question.
fn give_up_rights(watch: &mut Watch, looks_into_all: bool) -> Result<()> {
    let mut kept = vec![Right::OtherProcesses, Right::ReadAnyFile];
    if looks_into_all {
        kept.push(Right::EnterNamespaces);
    }
    // Rights are a thread's: this one tries it.
    let is_enough = watch.accounts_mut().is_none_or(|accounts| {
        thread::scope(|scope| {
            let tried = scope.spawn(|| rights::keep_only(&kept).is_ok() && accounts.try_telling());
            tried.join().unwrap_or(false)
        })
    });
    if !is_enough {
        kept.push(Right::Bpf);
    }
    rights::keep_only(&kept).context("giving up rights")
}

/// Whether somebody wants this to end: an interrupt ends the watching, not the answer.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From here on signals end nothing by themselves.
    pub(crate) fn on_signals() -> Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM, SIGHUP])
    }

    /// The same on a screen: whose terminal is gone has nothing to give back, and crossterm 0.29 would read the end of a terminal
    /// for ever, so that signal ends the process at once.
    pub(crate) fn on_interrupts() -> Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        Self::on(&[SIGINT, SIGTERM])
    }

    fn on(signals: &[i32]) -> Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        for &signal in signals {
            // A second one ends the process whatever it does.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&flag))
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
                .context("waiting for signals")?;
        }
        Ok(Self(flag))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The connections that the filter picks.
fn picked<'a>(
    connections: impl Iterator<Item = &'a LiveConnection>,
    filters: &'a [Filter],
) -> impl Iterator<Item = &'a LiveConnection> {
    connections.filter(move |connection| Filter::all_hold(filters, connection, connection.limit_now()))
}
