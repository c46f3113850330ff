//! What is said on standard error.

use std::io::{Write as _, stderr};

use tcpwhy_model::foreign::visible;

/// Says `text` on a line of its own. A message that cannot be written, because standard error is closed or its disk is full, is
/// not worth failing for.
pub(crate) fn say(text: impl AsRef<str>) {
    line(&format!("tcpwhy: {}", text.as_ref()));
}

/// A line that says by itself who speaks. Whatever went into it, it is one line, and nothing in it is hidden.
pub(crate) fn line(text: &str) {
    print(&format!("{}\n", visible(text)));
}

/// What goes on in the same line.
pub(crate) fn print(text: &str) {
    // At once, so that lines of several processes do not mix.
    let _ = stderr().lock().write_all(text.as_bytes());
}
