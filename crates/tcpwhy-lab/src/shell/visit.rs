//! The visitor's side of the shell: asks for a program, and shows it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use tcpwhy_model::Message;

use super::channel::Channel;
use super::request::{Reply, Request, Terminal, Visit};
use super::terminal::{self, Raw};
use crate::LabError;

/// Interval between checks of the terminal's size.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };
/// Size of one read, bytes.
const PIECE: usize = 16_384;
/// Limit for the pieces that are printed after the program has ended. Processes that it left in its terminal
/// may print without end.
const LAST_PIECES: usize = 64;
/// Signals that end a visit as the closing of its terminal does.
const ENDS: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM, Signal::SIGQUIT];

/// Runs `visit` on the link behind `stream`. The program is shown in this process's terminal, or gets this
/// process's standard streams. Returns its status as a shell reports it.
///
/// # Errors
/// If the program could not be started, or the link ended before it.
pub fn visit(stream: UnixStream, visit: Visit) -> Result<u8, LabError> {
    let failed = |error| LabError::io("following the program", error);
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let has_terminal = stdin.is_terminal() && stdout.is_terminal();
    let mut channel = Channel::new(stream);
    let name = std::env::var("TERM").unwrap_or_else(|_| "dumb".to_owned());
    let terminal = has_terminal.then(|| terminal::size(&stdin).map(|size| Terminal { name, size }));
    let request = Request { visit, terminal: terminal.transpose().map_err(failed)? };
    let stderr = io::stderr();
    let streams = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    let asked = channel.send(&request, if has_terminal { &[] } else { &streams });
    match asked.and_then(|()| channel.receive()) {
        Ok(Some(Reply::Started)) => {}
        Ok(Some(Reply::Refused(why))) => return Err(LabError::Cell(why)),
        Ok(Some(Reply::Ended(_)) | None) => return Err(gone()),
        Err(error) => return Err(failed(error)),
    }
    let shown = channel.take_files().into_iter().next();
    match shown {
        Some(shown) => show(channel, shown),
        None => wait(channel),
    }
    .map_err(failed)?
    .ok_or_else(gone)
}

fn gone() -> LabError {
    LabError::Cell(Message::new("lab-link-ended").to_string())
}

/// A descriptor on which the signals can be awaited.
fn signals() -> io::Result<SignalFd> {
    let mut set = SigSet::empty();
    for signal in ENDS {
        set.add(signal);
    }
    set.thread_block()?;
    Ok(SignalFd::with_flags(&set, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?)
}

/// The status of a program that a signal has ended, as a shell reports it.
fn ended_by(signals: &SignalFd) -> io::Result<Option<u8>> {
    let info = signals.read_signal()?;
    Ok(info.map(|info| u8::try_from(128 + info.ssi_signo).unwrap_or(u8::MAX)))
}

/// Waits for a program with this process's standard streams, and returns its status; `None` if the link ended
/// first.
fn wait(mut channel: Channel) -> io::Result<Option<u8>> {
    let signals = signals()?;
    loop {
        if !channel.has_message() {
            let mut polled = [PollFd::new(&channel, PollFlags::IN), PollFd::new(&signals, PollFlags::IN)];
            match poll(&mut polled, None) {
                Err(rustix::io::Errno::INTR) => continue,
                result => result?,
            };
            if polled[0].revents().is_empty() {
                match ended_by(&signals)? {
                    Some(status) => return Ok(Some(status)),
                    None => continue,
                }
            }
        }
        return ended(&mut channel);
    }
}

fn ended(channel: &mut Channel) -> io::Result<Option<u8>> {
    Ok(match channel.receive()? {
        Some(Reply::Ended(status)) => Some(status),
        _ => None,
    })
}

/// Shows a program with a terminal of its own, whose other side is `shown`: keys go there, and output comes
/// from there. Returns the status; `None` if the link ended first.
fn show(mut channel: Channel, shown: OwnedFd) -> io::Result<Option<u8>> {
    let signals = signals()?;
    let (stdin, mut stdout) = (io::stdin(), io::stdout());
    let _raw = Raw::new(&stdin)?;
    fcntl_setfl(&shown, OFlags::NONBLOCK)?;
    let mut shown = File::from(shown);
    let mut keys: Vec<u8> = Vec::new();
    let mut size = terminal::size(&stdin)?;
    // The last output of the program remains readable until every process has closed its terminal.
    let mut is_open = true;
    while !channel.has_message() {
        let for_keys = if keys.is_empty() { PollFlags::IN } else { PollFlags::empty() };
        let for_program = if keys.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let mut polled = vec![
            PollFd::new(&channel, PollFlags::IN),
            PollFd::new(&signals, PollFlags::IN),
            PollFd::new(&stdin, for_keys),
        ];
        if is_open {
            polled.push(PollFd::new(&shown, for_program));
        }
        match poll(&mut polled, Some(&LOOK)) {
            Err(rustix::io::Errno::INTR) => continue,
            result => result?,
        };
        let seen: Vec<PollFlags> = polled.iter().map(PollFd::revents).collect();
        let now = terminal::size(&stdin).unwrap_or(size);
        if now != size {
            size = now;
            terminal::resize(&shown, size)?;
        }
        if seen.get(3).is_some_and(|seen| !seen.is_empty()) {
            is_open = print(&mut shown, &mut stdout)?.is_open && pass(&mut shown, &mut keys)?;
        }
        if !seen[0].is_empty() {
            break;
        }
        if !seen[1].is_empty()
            && let Some(status) = ended_by(&signals)?
        {
            return Ok(Some(status));
        }
        if !seen[2].is_empty() && keys.is_empty() {
            let mut piece = [0; PIECE];
            // The buffer of `Stdin` is avoided, because `poll` would not see the keys in it.
            match rustix::io::read(&stdin, &mut piece) {
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                // The terminal was closed.
                Ok(0) | Err(_) => return Ok(Some(128 + Signal::SIGHUP as u8)),
                Ok(count) => keys.extend_from_slice(&piece[..count]),
            }
            is_open = is_open && pass(&mut shown, &mut keys)?;
        }
    }
    for _ in 0..LAST_PIECES {
        if !is_open || !print(&mut shown, &mut stdout)?.has_more {
            break;
        }
    }
    ended(&mut channel)
}

/// The result of printing a piece.
struct Printed {
    /// Whether the terminal may show more.
    is_open: bool,
    /// Whether more output may be ready now.
    has_more: bool,
}

/// Prints one piece of the output. It prints no more than one, so that keys still reach a program that prints
/// without end.
fn print(shown: &mut File, stdout: &mut io::Stdout) -> io::Result<Printed> {
    let mut piece = [0; PIECE];
    match shown.read(&mut piece) {
        Ok(0) => Ok(Printed { is_open: false, has_more: false }),
        Ok(count) => {
            stdout.write_all(&piece[..count])?;
            stdout.flush()?;
            Ok(Printed { is_open: true, has_more: true })
        }
        Err(error) => Ok(Printed { is_open: still_open(error)?, has_more: false }),
    }
}

/// Passes keys to the program, as many as the terminal accepts.
fn pass(shown: &mut File, keys: &mut Vec<u8>) -> io::Result<bool> {
    while !keys.is_empty() {
        match shown.write(keys) {
            Ok(count) => drop(keys.drain(..count)),
            Err(error) => return still_open(error),
        }
    }
    Ok(true)
}

/// Whether an error only means that no data is ready. The other side of a terminal that all processes have
/// closed fails with EIO.
fn still_open(error: io::Error) -> io::Result<bool> {
    match error.raw_os_error() {
        Some(libc::EIO) => Ok(false),
        _ if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(true),
        _ => Err(error),
    }
}
