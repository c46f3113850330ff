//! Who looks at sockets, and keeps the books: in a process of its own where strangers are answered, so that
//! whoever takes over the one that answers gets none of the other's capabilities.
//!
//! Between the two is a socket. A question is one byte, the index of a form of the metrics. An answer is a
//! kind, a length of four bytes in the machine's order, and a text; [`READY`] and [`FAILED`] come unasked.

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

/// Sockets were looked at once, and can be.
const READY: u8 = 0;
/// The metrics.
const TEXT: u8 = 1;
/// They are as they were when this form was asked for last.
const UNCHANGED: u8 = 2;
/// Looking has ended; the text says why.
const FAILED: u8 = 3;

/// The most that a text may have, bytes: every series of the most that may be asked for is far below.
const MOST_BYTES: usize = 256 << 20;

/// What may be asked for, by its index.
pub(super) const FORMS: [Format; 2] = [Format::Prometheus, Format::OpenMetrics];

/// Books are kept at least so often: few scrapers come more often than each second.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Looks at sockets, and keeps the books.
pub(super) struct Looker {
    watch: Watch,
    pub(super) books: Books,
    /// At all sockets, so far.
    looks: u64,
    /// When the books were kept last.
    kept: Instant,
}

impl Looker {
    /// One that has looked once: whoever asks first is told something, and whether it works at all is known.
    pub(super) fn start(args: &ExportArgs) -> Result<Self> {
        let budget = Budget::new(args.cpu.0, args.rate.into());
        let clock = Clock::start();
        // Metrics do not say which buffers were set: no system call pays for that.
        let accounts = args.mode.attach(clock, false)?;
        let mut watch = Watch::start(args.all_namespaces, budget, LiveHost::with_progress(), clock, accounts)?;
        let by = By { peer: args.peer, cgroup: args.cgroup };
        let books = Books::new(by, args.max_series as usize, outgoing_ports(), watch.accounts().is_some());
        give_up_rights(&mut watch, args.all_namespaces)?;
        let mut looker = Self { watch, books, looks: 0, kept: Instant::now() };
        looker.step()?;
        Ok(looker)
    }

    /// Does what is due.
    pub(super) fn step(&mut self) -> Result<()> {
        self.watch.step()?;
        // Where the kernel keeps accounts, all sockets are looked at seldom.
        let is_due = self.watch.accounts().is_some() && self.kept.elapsed() >= KEEP_EVERY;
        if is_due || self.watch.effort().dumps != self.looks {
            self.keep_books();
        }
        Ok(())
    }

    /// The last moment counts as well.
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

    /// Looks, and answers questions in between, until nobody is there to ask.
    fn serve(&mut self, asker: &mut UnixStream) -> Result<()> {
        // What metrics are called is one language, whoever started it: monitoring systems keep one text a
        // metric.
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

/// Starts a process that looks, and returns the connection to it. `listener` stays with this process alone,
/// so that its port is free when this one ends.
pub(super) fn start_process(args: &ExportArgs, listener: TcpListener) -> Result<(UnixStream, TcpListener)> {
    let (asker, mut own) = UnixStream::pair()?;
    if Child::start().context(failure("starting-process"))?.is_none() {
        drop((asker, listener));
        let result = Looker::start(args).and_then(|mut looker| {
            send(&mut own, READY, "")?;
            looker.serve(&mut own)
        });
        if let Err(error) = result {
            // Whoever would hear it may have ended.
            let _ = send(&mut own, FAILED, &error.sentence());
        }
        ExitStatus::SUCCESS.leave();
    }
    Ok((asker, listener))
}

/// Waits until sockets were looked at for the first time.
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

/// Kind and length.
pub(super) const HEAD: usize = 5;

/// What an answer of this kind and length is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Unchanged,
    Failed,
}

/// The kind of an answer, and how long its text is.
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

/// One of the two processes says what the other does not know.
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

/// Ports that the kernel takes for outgoing connections.
fn outgoing_ports() -> RangeInclusive<u16> {
    /// What `ip_local_port_range` is unless somebody sets it (`tcp_ipv4.c`, `tcp_sk_init`).
    const USUAL: (u16, u16) = (32_768, 60_999);
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let (first, last) = tcpwhy_live::proc_net::parse_port_range(&text).unwrap_or(USUAL);
    first..=last
}
