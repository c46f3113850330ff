use crate::dto::WrittenFixes;
use crate::{Site, Wording};

/// What the conversions need to know besides the values.
#[derive(Clone, Copy)]
pub struct Presentation<'a> {
    /// The words.
    pub wording: Wording<'a>,
    /// Whether halves carry their `timeline`.
    pub with_timeline: bool,
    /// Whether there are sentences, texts of fixes and lines to copy.
    pub has_words: bool,
    /// Fixes that were written already, where documents stand on one line.
    pub fixes: Option<&'a WrittenFixes>,
    /// The connection that findings are about, whose ends the lines of fixes have.
    pub site: Option<Site>,
}

impl<'a> Presentation<'a> {
    /// With these words, and no timelines.
    pub const fn new(wording: Wording<'a>) -> Self {
        Self { wording, with_timeline: false, has_words: true, fixes: None, site: None }
    }

    /// What `text` makes of the words, if there are to be any.
    pub(super) fn say(self, text: impl FnOnce(Wording<'a>) -> String) -> Option<String> {
        self.has_words.then(|| text(self.wording))
    }
}
