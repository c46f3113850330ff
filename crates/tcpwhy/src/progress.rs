//! Progress on standard error while a long file or an endless stream is read.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tcpwhy_engine::Reached;
use tcpwhy_model::foreign::visible;
use tcpwhy_report::{Args, Catalogue};

/// Time before the progress appears, so that short files show none.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears when reading takes long.
pub(crate) struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
    name: String,
    /// The line instead of a bar if the total length is unknown.
    stream_template: String,
}

impl Progress {
    /// Creates the progress of the source `name`.
    pub(crate) fn new(name: &str, is_quiet: bool) -> Self {
        let is_wanted = !is_quiet && stderr().is_terminal();
        Self {
            started: Instant::now(),
            bar: None,
            is_wanted,
            name: visible(name).into_owned(),
            stream_template: "{msg} {spinner} {decimal_bytes} {decimal_bytes_per_sec}".to_owned(),
        }
    }

    /// Creates the progress of the source `name`, which may be an endless stream. The line shows the number
    /// of connections and how to stop.
    pub(crate) fn of_stream(name: &str, is_quiet: bool, catalogue: &Catalogue) -> Self {
        let args = Args::new().text("name", "{msg}").text("bytes", "{decimal_bytes}").text("connections", "{prefix}");
        Self { stream_template: catalogue.text("progress-stream", &args), ..Self::new(name, is_quiet) }
    }

    /// Updates the bar.
    pub(crate) fn advance(&mut self, reached: Reached) {
        if !self.is_wanted || reached.read == 0 || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| new_bar(&self.name, reached.total, &self.stream_template));
        bar.set_prefix(reached.connections.to_string());
        bar.set_position(reached.read);
    }

    /// Removes the progress from the screen.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A line for many captures, which appears when they take long.
pub(crate) struct ManyProgress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
    template: String,
    captures: u64,
}

impl ManyProgress {
    /// Creates the line without a total, which is known only at the end.
    pub(crate) fn new(is_quiet: bool, catalogue: &Catalogue) -> Self {
        let args = Args::new().text("captures", "{pos}").text("name", "{wide_msg}");
        Self {
            started: Instant::now(),
            bar: None,
            is_wanted: !is_quiet && stderr().is_terminal(),
            template: catalogue.text("progress-captures", &args),
            captures: 0,
        }
    }

    /// Shows capture `name` as the present one.
    pub(crate) fn advance(&mut self, name: &str) {
        self.captures += 1;
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| new_bar("", None, &self.template));
        bar.set_message(visible(name).into_owned());
        bar.set_position(self.captures);
    }

    /// Removes the progress from the screen.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(name: &str, total: Option<u64>, stream_template: &str) -> ProgressBar {
    let template = match total {
        Some(_) => "{msg} {wide_bar} {percent:>3}% {decimal_bytes_per_sec} {eta}",
        None => stream_template,
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10))
        .with_style(style)
        .with_message(name.to_owned())
}
