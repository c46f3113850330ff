//! The terminal, given back as it was however this ends.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Once;

use anyhow::{Context as _, Result};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::{Frame, Terminal};

/// A terminal in raw mode, on its alternate screen.
pub(super) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the terminal.
    pub(super) fn enter() -> Result<Self> {
        static HOOK: Once = Once::new();
        // A panic is told where it can be read.
        HOOK.call_once(|| {
            let tell = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                leave();
                tell(panic);
            }));
        });
        enable_raw_mode().context("the terminal cannot be set up")?;
        let entered = execute!(io::stdout(), EnterAlternateScreen)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())))
            .context("the terminal cannot be set up");
        match entered {
            Ok(terminal) => Ok(Self(terminal)),
            Err(error) => {
                leave();
                Err(error)
            }
        }
    }

    /// Asks the terminal to do what is not drawing.
    pub(super) fn ask(&mut self, request: &str) -> Result<()> {
        let backend = self.0.backend_mut();
        write!(backend, "{request}").and_then(|()| Write::flush(backend)).context("the terminal cannot be written")
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<()> {
        self.0.draw(draw).context("the terminal cannot be written")?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Whatever of it fails, there is nothing else to be done.
fn leave() {
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
