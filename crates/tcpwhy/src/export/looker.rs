//! The process that samples sockets and computes the metrics. It is separate from the process that answers
//! scrapes: an attacker who takes over that one gets none of these capabilities.
//!
//! A socket connects the two. A request is one byte, the index of a text format. An answer is a kind, a
//! length of four bytes in native byte order, and a text. [`READY`] and [`FAILED`] are sent without a
//! request.

use std::io::{self, Read as _, Write as _};
use std::net::TcpListener;
use std::ops::RangeInclusive;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tcpwhy_report::metrics::Format;
use tcpwhy_report::{Catalogue, Language};
use tcpwhy_rights::Child;
use tcpwhy_watch::LiveHost;

use super::args::ExportArgs;
use super::books::Books;
use super::groups::By;
use crate::exit::ExitStatus;
use crate::message::failure;
use crate::watching::{Budget, Clock, Watch, give_up_rights};
use crate::wrong::{Context as _, Foreign as _, Result, Wrong};

/// The first scan of the sockets succeeded.
const READY: u8 = 0;
/// The metrics.
const TEXT: u8 = 1;
/// The metrics are unchanged since the last request for this format.
const UNCHANGED: u8 = 2;
/// Sampling has ended; the text is the reason.
const FAILED: u8 = 3;

/// Longest text that is accepted, bytes: the largest permitted number of series needs far less.
const MOST_BYTES: usize = 256 << 20;

/// The text formats by the index in a request.
pub(super) const FORMS: [Format; 2] = [Format::Prometheus, Format::OpenMetrics];

/// Interval between updates of the metrics: few scrapers ask more often than once per second.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Samples sockets and updates the metrics.
pub(super) struct Looker {
    watch: Watch,
    pub(super) books: Books,
    /// Scans of all sockets so far.
    looks: u64,
    /// Time of the last update of the metrics.
    kept: Instant,
}

impl Looker {
    /// Starts and does the first scan, so that an error shows at once and the first scrape has data.
    pub(super) fn start(args: &ExportArgs) -> Result<Self> {
        let budget = Budget::new(args.cpu.0, args.rate.into());
        let clock = Clock::start();
        // The metrics do not include buffer sizes that applications set, so watching system calls would be
        // wasted cost.
        let accounts = args.mode.attach(clock, false)?;
        let mut watch = Watch::start(args.all_namespaces, budget, LiveHost::with_progress(), clock, accounts)?;
        let by = By { peer: args.peer, cgroup: args.cgroup };
        let books = Books::new(by, args.max_series as usize, outgoing_ports(), watch.accounts().is_some());
        give_up_rights(&mut watch, args.all_namespaces)?;
        let mut looker = Self { watch, books, looks: 0, kept: Instant::now() };
        looker.step()?;
        Ok(looker)
    }

    /// Samples and updates the metrics if that is due.
    pub(super) fn step(&mut self) -> Result<()> {
        self.watch.step()?;
        // With BPF programs, scans are rare, so updates have their own interval.
        let is_due = self.watch.accounts().is_some() && self.kept.elapsed() >= KEEP_EVERY;
        if is_due || self.watch.effort().dumps != self.looks {
            self.keep_books();
        }
        Ok(())
    }

    /// Adds the time since the last scan.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.watch.look_at_all()?;
        self.watch.host.finish();
        self.keep_books();
        Ok(())
    }

    fn keep_books(&mut self) {
        (self.looks, self.kept) = (self.watch.effort().dumps, Instant::now());
        let books = &mut self.books;
        self.watch.follow_look(|watch| books.update(watch));
    }

    fn until_due(&self) -> Duration {
        self.watch.due().saturating_duration_since(Instant::now())
    }

    pub(super) fn rest(&self, most: Duration) {
        thread::sleep(self.until_due().min(most));
    }

    /// Samples and answers requests until the other process has ended.
    fn serve(&mut self, asker: &mut UnixStream) -> Result<()> {
        // Always English: monitoring systems keep one help text per metric, regardless of the user who
        // started the exporter.
        let words = Catalogue::new(Language::English);
        let mut told: [Option<u64>; 2] = [None; 2];
        loop {
            let timeout = Timespec::try_from(self.until_due()).foreign()?;
            let mut waiting = [PollFd::from_borrowed_fd(asker.as_fd(), PollFlags::IN)];
            match poll(&mut waiting, Some(&timeout)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => self.step()?,
                Ok(_) => {
                    let mut form = [0];
                    if asker.read(&mut form)? == 0 {
                        return Ok(());
                    }
                    let index = usize::from(form[0]);
                    let Some(format) = FORMS.get(index) else { return Err(nonsense()) };
                    if told[index] == Some(self.books.edition) {
                        send(asker, UNCHANGED, "")?;
                    } else {
                        told[index] = Some(self.books.edition);
                        send(asker, TEXT, &self.books.told(*format, &words))?;
                    }
                }
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
    }
}

/// Starts the process that samples and returns the connection to it. `listener` stays in the calling process
/// alone, so that its port is free when that one ends.
pub(super) fn start_process(args: &ExportArgs, listener: TcpListener) -> Result<(UnixStream, TcpListener)> {
    let (asker, mut own) = UnixStream::pair()?;
    if Child::start().context(failure("starting-process"))?.is_none() {
        drop((asker, listener));
        let result = Looker::start(args).and_then(|mut looker| {
            send(&mut own, READY, "")?;
            looker.serve(&mut own)
        });
        if let Err(error) = result {
            // The other process may have ended.
            let _ = send(&mut own, FAILED, &error.sentence());
        }
        ExitStatus::SUCCESS.leave();
    }
    Ok((asker, listener))
}

/// Waits until the first scan of the sockets.
pub(super) fn wait_until_ready(looker: &mut UnixStream) -> Result<()> {
    let mut head = [0; HEAD];
    looker.read_exact(&mut head).context(failure("sampling-ended"))?;
    let (kind, len) = parse(head)?;
    let mut text = vec![0; len];
    looker.read_exact(&mut text)?;
    match kind {
        READY => Ok(()),
        _ => Err(Wrong::said(String::from_utf8_lossy(&text))),
    }
}

/// Bytes of the head of an answer: its kind and its length.
pub(super) const HEAD: usize = 5;

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Unchanged,
    Failed,
}

/// The kind of an answer and the bytes of its text.
pub(super) fn kind(head: [u8; HEAD]) -> Result<(Kind, usize)> {
    let (kind, len) = parse(head)?;
    match kind {
        TEXT => Ok((Kind::Text, len)),
        UNCHANGED => Ok((Kind::Unchanged, len)),
        FAILED => Ok((Kind::Failed, len)),
        _ => Err(nonsense()),
    }
}

fn parse([kind, len @ ..]: [u8; HEAD]) -> Result<(u8, usize)> {
    let len = u32::from_ne_bytes(len) as usize;
    if len > MOST_BYTES {
        return Err(nonsense());
    }
    Ok((kind, len))
}

/// The error for a message that violates the protocol between the two processes.
fn nonsense() -> Wrong {
    io::Error::from(io::ErrorKind::InvalidData).into()
}

fn send(to: &mut UnixStream, kind: u8, text: &str) -> io::Result<()> {
    let len = u32::try_from(text.len()).map_err(io::Error::other)?;
    let mut head = [kind; HEAD];
    head[1..].copy_from_slice(&len.to_ne_bytes());
    to.write_all(&head)?;
    to.write_all(text.as_bytes())
}

/// Ephemeral ports (`ip_local_port_range`).
fn outgoing_ports() -> RangeInclusive<u16> {
    /// The kernel's default of `ip_local_port_range` (`tcp_ipv4.c`, `tcp_sk_init`).
    const USUAL: (u16, u16) = (32_768, 60_999);
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let (first, last) = tcpwhy_live::proc_net::parse_port_range(&text).unwrap_or(USUAL);
    first..=last
}
