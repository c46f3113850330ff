//! `tcpwhy export`: what limits the connections of this host, for Prometheus.
//!
//! One thread looks at sockets, with the rights that this takes; another one answers scrapes, with none. Scrapes are answered
//! from what the first has written down, so that nobody who asks makes it look more often.

mod args;
mod books;
mod groups;
mod site;

use std::cell::RefCell;
use std::io::Write as _;
use std::net::TcpListener;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tcpwhy_analysis::live::LiveHost;
use tcpwhy_files::Policy;
use tcpwhy_lab::rights::{self, Right};
use tcpwhy_report::metrics::{alerts, dashboard};
use tcpwhy_report::{Args, Catalogue, Language, Wording, json};
use tokio::sync::oneshot;

pub(crate) use args::{EXAMPLES, ExportArgs};

use self::args::FormatChoice;
use self::books::Books;
use self::groups::By;
use self::site::{Exporter, METRICS_PATH};
use crate::exit::ExitStatus;
use crate::http;
use crate::message;
use crate::output::file::{self, Output};
use crate::standard_output::{check_open, stdout};
use crate::watching::{Budget, Stop, Watch};

/// A file is written so often: Prometheus scrapes about as often.
const WRITE_EVERY: Duration = Duration::from_secs(15);
/// A stop is noticed at least so soon.
const PATIENCE: Duration = Duration::from_millis(200);

/// Tells what `args` ask for.
pub(crate) fn run(args: &ExportArgs) -> Result<ExitStatus> {
    if args.dashboard || args.alerts {
        return tell_of_metrics(args);
    }
    let is_listening = !args.once && args.output.is_none();
    // What may not be written, and a port that is not free, are said before anything else is done.
    if let Some(path) = &args.output {
        Output::prepare(path, &policy(args))?;
    }
    let listener = if is_listening {
        Some(TcpListener::bind(args.listen).with_context(|| args.listen.to_string())?)
    } else {
        check_open()?;
        None
    };
    let watch = Watch::start_sampling(
        args.all_namespaces,
        Budget::new(args.cpu.0, args.rate.into()),
        LiveHost::with_progress(),
    )?;
    let by = By { peer: args.peer, cgroup: args.cgroup };
    let books = Books::new(by, args.max_series as usize, outgoing_ports());
    // Names of others' processes need the first two all the time, namespaces that appear later the third.
    let mut kept = vec![Right::OtherProcesses, Right::ReadAnyFile];
    if args.all_namespaces {
        kept.push(Right::EnterNamespaces);
    }
    let named = args.output.as_deref().filter(|path| *path != Path::new("-") && !file::is_standard_output(path));
    let folder = named.map(file::folder_of);
    rights::keep_only(&rights::enough_to_write(&kept, folder)).context("giving up rights")?;
    let mut looker = Looker { watch, books: Arc::new(Mutex::new(books)), looks: 0 };
    // Whoever asks first is told something; and whether this works at all is known.
    looker.step()?;
    match listener {
        Some(listener) => serve(args, listener, looker)?,
        None => write(args, looker)?,
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

/// Looks at sockets, and keeps the books.
struct Looker {
    watch: Watch,
    books: Arc<Mutex<Books>>,
    /// At all sockets, so far.
    looks: u64,
}

impl Looker {
    /// Does what is due.
    fn step(&mut self) -> Result<()> {
        self.watch.step()?;
        if self.watch.effort().dumps != self.looks {
            self.keep_books();
        }
        Ok(())
    }

    fn keep_books(&mut self) {
        self.looks = self.watch.effort().dumps;
        let books = Arc::clone(&self.books);
        self.watch.follow_look(|watch| {
            // The books are as good as they were when somebody stopped reading them.
            books.lock().unwrap_or_else(PoisonError::into_inner).update(watch);
        });
    }

    fn rest(&self, most: Duration) {
        thread::sleep(self.watch.due().saturating_duration_since(Instant::now()).min(most));
    }
}

/// Answers scrapes until a signal ends it.
fn serve(args: &ExportArgs, listener: TcpListener, mut looker: Looker) -> Result<()> {
    let address = listener.local_addr()?;
    let words = Catalogue::new(args.words.language());
    let exporter = Exporter {
        books: Arc::clone(&looker.books),
        // What metrics are told in is one language, whoever started it: monitoring systems keep one text a metric.
        words: Catalogue::new(Language::English),
        is_local: address.ip().is_loopback(),
        told: RefCell::default(),
    };
    let (tell, failure) = oneshot::channel();
    thread::Builder::new().name("look".to_owned()).spawn(move || {
        let error = loop {
            if let Err(error) = looker.step() {
                break error;
            }
            looker.rest(Duration::MAX);
        };
        // Nobody listens when the program ends.
        let _ = tell.send(error);
    })?;
    // This thread and what it starts only answer.
    rights::keep_only(&[]).context("giving up rights")?;
    let announce = || {
        if !address.ip().is_loopback() {
            message::say(words.text("export-reachable", &Args::new().text("address", address.to_string())));
        }
        let mut out = stdout();
        writeln!(out, "http://{address}{METRICS_PATH}")?;
        out.flush()
    };
    let failure = async { failure.await.unwrap_or_else(|_| anyhow::anyhow!("looking at sockets ended")) };
    // /proc and, for each network namespace that is entered, a socket are open besides.
    http::run(listener, exporter, http::connection_limit(OTHER_FILES), announce, failure)
}

/// Files that looking at sockets has open at a time, some namespaces included.
const OTHER_FILES: usize = 64;

/// What the first line of a file in the Prometheus text format says.
const MARK: &str = "# written by tcpwhy\n";
/// `OpenMetrics` allows no comments: a file of ours begins with the first of our metrics.
const OPEN_METRICS: [&str; 2] = ["# TYPE tcpwhy_limit_seconds ", "# HELP tcpwhy_limit_seconds "];

/// Files of this exporter are replaced, those of others only with `--overwrite`.
fn policy(args: &ExportArgs) -> Policy {
    file::policy(Vec::new(), args.overwrite.overwrite, &[MARK, OPEN_METRICS[0], OPEN_METRICS[1]])
}

/// Writes a file, once or again and again until a signal ends it.
fn write(args: &ExportArgs, mut looker: Looker) -> Result<()> {
    let spoken = Catalogue::new(args.words.language());
    let mut is_said = args.quiet;
    let words = Catalogue::new(Language::English);
    let stop = Stop::on_signals()?;
    let every = if args.once { Duration::from_secs_f64(args.duration.0) } else { WRITE_EVERY };
    let mut due = Instant::now() + if args.once { every } else { Duration::ZERO };
    loop {
        let is_over = stop.is_asked() || (args.once && Instant::now() >= due);
        if is_over {
            // The last moment counts as well.
            looker.watch.look_at_all()?;
            looker.watch.host.finish();
            looker.keep_books();
        }
        if is_over || (!args.once && Instant::now() >= due) {
            let text = looker.books.lock().unwrap_or_else(PoisonError::into_inner).told(args.format.into(), &words);
            match &args.output {
                Some(path) => {
                    let mark = if args.format == FormatChoice::Prometheus { MARK } else { "" };
                    // Anew each time: the folder may be another one by now.
                    let written = Output::prepare(path, &policy(args))?.write(format!("{mark}{text}").as_bytes())?;
                    // The first time: it goes on for days.
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

/// Ports that the kernel takes for outgoing connections.
fn outgoing_ports() -> RangeInclusive<u16> {
    /// What `ip_local_port_range` is unless somebody sets it (`tcp_ipv4.c`, `tcp_sk_init`).
    const USUAL: (u16, u16) = (32_768, 60_999);
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let (first, last) = tcpwhy_live::proc_net::parse_port_range(&text).unwrap_or(USUAL);
    first..=last
}
