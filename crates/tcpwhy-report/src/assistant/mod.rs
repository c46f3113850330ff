//! Answers for assistants: compact JSON of at most [`MOST_BYTES`], one object per question.
//!
//! Keys are those of schema `tcpwhy/1` if the schema has the value too. Each object with numbers has the
//! `ground` of these numbers; packets are numbered as in Wireshark. Text that others chose is fenced
//! ([`fenced`]).
//!
//! ```
//! use tcpwhy_report::assistant::{CaptureAnswer, MOST_BYTES, PacketRanges, Page, fit};
//! use tcpwhy_report::text::Overview;
//! use tcpwhy_report::{Catalogue, Language, Wording};
//!
//! let catalogue = Catalogue::new(Language::English); let overview = Overview::new(5); let answer =
//! CaptureAnswer::new(Wording::new(&catalogue), &overview, &[], &PacketRanges::new(), Page::FIRST);
//! assert!(fit(answer, MOST_BYTES).starts_with(r#"{"answer":["#));
//! ```

mod audit;
mod brief;
mod buffers;
mod capture;
mod comparison;
mod connection;
mod connections;
mod fence;
mod fit;
mod fix;
mod ground;
mod live;
mod moment;
#[cfg(test)]
mod terms;
#[cfg(test)]
mod testing;

pub use audit::AuditAnswer;
pub use buffers::BuffersAnswer;
pub use capture::CaptureAnswer;
pub use comparison::CompareAnswer;
pub use connection::{ConnectionAnswer, PacketRanges, Stretch, ranges_of};
pub use connections::ConnectionsAnswer;
pub use fence::{fenced, unfenced};
pub use fit::{Fit, MOST_BYTES, fit};
pub use live::LiveAnswer;
pub use moment::MomentAnswer;

/// One page of a list, given by its first entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Number of the first entry, from 1.
    pub first: u64,
}

impl Page {
    /// The page that begins with the first entry.
    pub const FIRST: Self = Self { first: 1 };

    /// Number of entries before this page.
    fn skip(self) -> usize {
        usize::try_from(self.first.saturating_sub(1)).unwrap_or(usize::MAX)
    }

    /// Number of the entry that follows `returned` ones; `None` after the last.
    fn next(self, matched: u64, returned: u64) -> Option<u64> {
        let next = self.first.saturating_add(returned);
        (next <= matched && returned > 0).then_some(next)
    }
}
