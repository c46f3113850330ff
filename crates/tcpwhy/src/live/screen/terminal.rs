//! The terminal, which is restored however the program ends.

use std::fs::File;
use std::io::{self, IsTerminal as _, Stdout, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::panic;
use std::sync::Once;
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{event, execute};
use ratatui::{Frame, Terminal};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::message::failure;
use crate::wrong::{Context as _, Result, bail};

/// A terminal in raw mode, on its alternate screen.
pub(super) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Switches the terminal to raw mode and the alternate screen.
    pub(super) fn enter() -> Result<Self> {
        static HOOK: Once = Once::new();
        // The terminal is restored before the message of a panic, which would be unreadable in raw mode.
        HOOK.call_once(|| {
            let tell = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                leave();
                tell(panic);
            }));
        });
        enable_raw_mode().context(failure("terminal-not-set-up"))?;
        let entered = execute!(io::stdout(), EnterAlternateScreen)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())))
            .context(failure("terminal-not-set-up"));
        match entered {
            Ok(terminal) => Ok(Self(terminal)),
            Err(error) => {
                leave();
                Err(error)
            }
        }
    }

    /// Sends an escape sequence that draws nothing.
    pub(super) fn ask(&mut self, request: &str) -> Result<()> {
        let backend = self.0.backend_mut();
        write!(backend, "{request}").and_then(|()| Write::flush(backend)).context(failure("terminal-not-written"))
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<()> {
        self.0.draw(draw).context(failure("terminal-not-written"))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// The source of keys. It is polled here because crossterm 0.29 reads the end of file of a terminal in an
/// endless loop.
pub(super) struct Keyboard(OwnedFd);

impl Keyboard {
    /// Opens the device that crossterm reads: standard input, or the terminal of this process.
    pub(super) fn open() -> Result<Self> {
        let stdin = io::stdin();
        let opened = if stdin.is_terminal() {
            stdin.as_fd().try_clone_to_owned()
        } else {
            File::open("/dev/tty").map(OwnedFd::from)
        };
        Ok(Self(opened.context(failure("terminal-not-read"))?))
    }

    /// Waits up to `time` for input.
    ///
    /// # Errors If the terminal is closed.
    fn wait(&self, time: Duration) -> Result<bool> {
        let mut ends = [PollFd::new(&self.0, PollFlags::IN)];
        match poll(&mut ends, Timespec::try_from(time).ok().as_ref()) {
            Ok(_) if ends[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => {
                bail!(failure("terminal-gone"))
            }
            Ok(count) => Ok(count > 0),
            // A signal: the terminal was resized, or the program is to end.
            Err(Errno::INTR) => Ok(true),
            Err(error) => Err(io::Error::from(error)).context(failure("waiting-for-keys")),
        }
    }

    /// Whether an event arrives within this time.
    pub(super) fn has_event(&self, within: Duration) -> Result<bool> {
        self.wait(Duration::ZERO)?;
        Ok(event::poll(Duration::ZERO)? || self.wait(within)? && event::poll(Duration::ZERO)?)
    }
}

/// Restores the terminal. Errors are ignored, because nothing could be done about them.
fn leave() {
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
