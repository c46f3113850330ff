//! What is said on standard error.

use std::borrow::Cow;
use std::io::{Write as _, stderr};
use std::sync::OnceLock;

use tcpwhy_model::foreign::visible;
use tcpwhy_report::Language;

/// An English error in a language.
pub(crate) type Translate = fn(&str, Language) -> Cow<'_, str>;

/// What errors are said in, once it is known what was typed.
static LANGUAGE: OnceLock<(Language, Translate)> = OnceLock::new();

/// From now on errors are said in `language`, as `translate` has them.
pub(crate) fn speak(language: Language, translate: Translate) {
    // It is typed once.
    let _ = LANGUAGE.set((language, translate));
}

/// Says `text` on a line of its own. A message that cannot be written, because standard error is closed or its disk is full, is
/// not worth failing for.
pub(crate) fn say(text: impl AsRef<str>) {
    let english = text.as_ref();
    let text = LANGUAGE.get().map_or(Cow::Borrowed(english), |(language, translate)| translate(english, *language));
    line(&format!("tcpwhy: {text}"));
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
