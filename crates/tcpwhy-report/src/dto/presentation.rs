use crate::dto::WrittenFixes;
use crate::{Site, Wording};

/// Data that the conversions need besides the values.
#[derive(Clone, Copy)]
pub struct Presentation<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Whether halves carry their `timeline`.
    pub with_timeline: bool,
    /// Whether documents have sentences, texts of fixes and lines to copy.
    pub has_words: bool,
    /// Fixes that were already written, for documents on one line.
    pub fixes: Option<&'a WrittenFixes>,
    /// The connection that findings are about. Lines of fixes contain its addresses.
    pub site: Option<Site>,
}

impl<'a> Presentation<'a> {
    /// A presentation with these words and without timelines.
    pub const fn new(wording: Wording<'a>) -> Self {
        Self { wording, with_timeline: false, has_words: true, fixes: None, site: None }
    }

    /// The result of `text`, if there are words.
    pub(super) fn say(self, text: impl FnOnce(Wording<'a>) -> String) -> Option<String> {
        self.has_words.then(|| text(self.wording))
    }
}
