//! Progress on standard error while a long file is read.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tcpwhy_model::foreign::visible;

/// Files that are read faster than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears when reading takes long.
pub(crate) struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
    name: String,
}

impl Progress {
    /// For the source `name`.
    pub(crate) fn new(name: &str, is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && stderr().is_terminal();
        Self { started: Instant::now(), bar: None, is_wanted, name: visible(name).into_owned() }
    }

    /// `read` bytes of `total` (unknown for a stream) are behind us.
    pub(crate) fn advance(&mut self, read: u64, total: Option<u64>) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        self.bar.get_or_insert_with(|| new_bar(&self.name, total)).set_position(read);
    }

    /// Takes it off the screen.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(name: &str, total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{msg} {wide_bar} {percent:>3}% {bytes_per_sec} {eta}",
        None => "{msg} {spinner} {bytes} {bytes_per_sec}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
        .with_message(name.to_owned())
}
