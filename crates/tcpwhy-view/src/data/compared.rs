//! A comparison for the page: which connections belong together, and where they stand on one axis.

use std::sync::Arc;

use tcpwhy_report::compare::Comparison;
use tcpwhy_report::text::CompareSentences;
use tcpwhy_report::{Catalogue, Language, Names, Wording};

use super::contract::{CompareWords, Compared, ComparedPair};

impl Compared {
    /// `comparison` as the page shows it. Its connections have their numbers of the page.
    pub(crate) fn new(comparison: &Comparison, names: Option<&Arc<Names>>) -> Self {
        let words = |language| {
            let catalogue = Catalogue::new(language).with_names(names.cloned());
            let CompareSentences { heads, changes, together } =
                CompareSentences::new(comparison, Wording::new(&catalogue));
            CompareWords { heads, changes, together }
        };
        let pairs = comparison.pairs.iter().filter_map(|pair| {
            let halves = pair.halves()?;
            let [a, b] = &pair.connections;
            let shift = pair
                .crossing
                .map_or(0, |crossing| b.span.start().since(a.span.start()).saturating_sub(crossing.clock_offset));
            Some(ComparedPair {
                connections: [a.id, b.id],
                senders: halves.map(|half| half.sender.index()),
                shift_s: shift as f64 / 1e9,
            })
        });
        Self {
            mode: comparison.mode.id(),
            captures: comparison.names.clone(),
            pairs: pairs.collect(),
            count: comparison.count,
            alike: comparison.alike,
            words: Language::ALL.into_iter().map(|language| (language.tag(), words(language))).collect(),
        }
    }
}
