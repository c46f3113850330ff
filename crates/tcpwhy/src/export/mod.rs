//! `tcpwhy export`: what limits the connections of this host, for Prometheus.
//!
//! One process samples sockets, with the capabilities that this needs. Another answers scrapes, without any.
//! Scrapes are answered from stored metrics, so that clients cannot cause more samples.

mod args;
mod asked;
mod books;
mod groups;
mod looker;
mod site;

use std::io::Write as _;
use std::net::TcpListener;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tcpwhy_files::Policy;
use tcpwhy_report::metrics::{alerts, dashboard};
use tcpwhy_report::{Args, Catalogue, Language, Wording, json};
use tokio::task::spawn_local;

pub(crate) use args::ExportArgs;

use self::args::FormatChoice;
use self::looker::Looker;
use self::site::{Exporter, Hosts, METRICS_PATH};
use crate::exit::ExitStatus;
use crate::http;
use crate::message;
use crate::message::failure;
use crate::output::file::{self, Output};
use crate::rights;
use crate::standard_output::{check_open, stdout};
use crate::watching::Stop;
use crate::wrong::{Context as _, Result, Wrong};

/// Interval between writes of the file, similar to the scrape interval of Prometheus.
const WRITE_EVERY: Duration = Duration::from_secs(15);
/// Longest delay until a stop signal is noticed.
const PATIENCE: Duration = Duration::from_millis(200);

/// Prints, writes or serves the metrics, as `args` require.
pub(crate) fn run(args: &ExportArgs) -> Result<ExitStatus> {
    if args.dashboard || args.alerts {
        return tell_of_metrics(args);
    }
    let is_listening = !args.once && args.output.is_none();
    // An unwritable file or a used port is reported before anything else is done.
    let output = args.output.as_deref().map(|path| Output::prepare(path, &policy(args))).transpose()?;
    let listener = if is_listening {
        Some(TcpListener::bind(args.listen).with_context(|| args.listen.to_string())?)
    } else {
        check_open()?;
        None
    };
    if let Some(listener) = listener {
        serve(args, listener)?;
    } else {
        let output = output.map(Output::hand_over).transpose()?;
        write(args, output.as_ref(), Looker::start(args)?)?;
    }
    Ok(ExitStatus::SUCCESS)
}

fn tell_of_metrics(args: &ExportArgs) -> Result<ExitStatus> {
    let words = Catalogue::new(args.words.language());
    let mut out = stdout();
    if args.dashboard {
        json::to_writer_pretty(&mut out, &dashboard(&words))?;
        writeln!(out)?;
    } else {
        write!(out, "{}", alerts(&words))?;
    }
    out.flush()?;
    Ok(ExitStatus::SUCCESS)
}

/// Serves scrapes until a signal ends it.
fn serve(args: &ExportArgs, listener: TcpListener) -> Result<()> {
    let address = listener.local_addr()?;
    let words = Catalogue::new(args.words.language());
    let allowed = args.allow_host.clone();
    let (mut looker, listener) = looker::start_process(args, listener)?;
    rights::confine(&rights::answering())?;
    looker::wait_until_ready(&mut looker)?;
    let announce = || {
        if !address.ip().is_loopback() {
            message::say(words.text("export-reachable", &Args::new().text("address", address.to_string())));
        }
        let mut out = stdout();
        writeln!(out, "http://{address}{METRICS_PATH}")?;
        out.flush()
    };
    let site = || {
        let (asked, answers, failed) = asked::join(looker)?;
        spawn_local(answers.pass_on());
        let failure = async { failed.await.unwrap_or_else(|_| Wrong::from(failure("sampling-ended"))) };
        Ok((Exporter { asked: Rc::new(asked), hosts: Hosts { listen: address.ip(), allowed } }, failure))
    };
    http::run(listener, site, http::connection_limit(OTHER_FILES), announce)
}

/// Open files reserved besides connections, for the socket to the process that samples.
const OTHER_FILES: usize = 4;

/// The first line of a file in the Prometheus text format, which marks it as written by this exporter.
const MARK: &str = "# written by tcpwhy\n";
/// `OpenMetrics` allows no comments, so a file of this exporter is recognized by its first metric.
const OPEN_METRICS: [&str; 2] = ["# TYPE tcpwhy_limit_seconds ", "# HELP tcpwhy_limit_seconds "];

/// Files of this exporter are replaced, other files only with `--overwrite`.
fn policy(args: &ExportArgs) -> Policy {
    file::policy(Vec::new(), args.overwrite.overwrite, &[MARK, OPEN_METRICS[0], OPEN_METRICS[1]])
}

/// Writes the file once, or at every interval until a signal ends it.
fn write(args: &ExportArgs, output: Option<&Output>, mut looker: Looker) -> Result<()> {
    let spoken = Catalogue::new(args.words.language());
    let mut is_said = args.quiet;
    let words = Catalogue::new(Language::English);
    let stop = Stop::on_signals()?;
    let every = if args.once { Duration::from_secs_f64(args.duration.0) } else { WRITE_EVERY };
    let mut due = Instant::now() + if args.once { every } else { Duration::ZERO };
    loop {
        let is_over = stop.is_asked() || (args.once && Instant::now() >= due);
        if is_over {
            looker.finish()?;
        }
        if is_over || (!args.once && Instant::now() >= due) {
            let text = looker.books.told(args.format.into(), &words);
            match output.zip(args.output.as_deref()) {
                Some((output, path)) => {
                    let mark = if args.format == FormatChoice::Prometheus { MARK } else { "" };
                    let written = output.write(format!("{mark}{text}").as_bytes())?;
                    // Only reported the first time, because the exporter may run for days.
                    if let Some(written) = written.filter(|_| !std::mem::replace(&mut is_said, true)) {
                        file::say_written(Wording::new(&spoken), path, written);
                    }
                }
                None => file::write_out(text.as_bytes())?,
            }
            due = Instant::now() + every;
        }
        if is_over {
            return Ok(());
        }
        looker.step()?;
        looker.rest(due.saturating_duration_since(Instant::now()).min(PATIENCE));
    }
}
