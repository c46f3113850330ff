//! What is said on standard error.

use std::io::{Write as _, stderr};
use std::sync::OnceLock;

use tcpwhy_model::foreign::visible;
use tcpwhy_report::Language;

use crate::help;

/// What errors are said in, once it is known what was typed.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// From now on errors are said in `language`.
pub(crate) fn speak(language: Language) {
    // It is typed once.
    let _ = LANGUAGE.set(language);
}

/// Says `text` on a line of its own. A message that cannot be written, because standard error is closed or its disk is full, is
/// not worth failing for.
pub(crate) fn say(text: impl AsRef<str>) {
    let language = LANGUAGE.get().copied().unwrap_or(Language::English);
    line(&format!("tcpwhy: {}", help::message(text.as_ref(), language)));
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
