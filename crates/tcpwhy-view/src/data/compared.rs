//! A comparison for the page: pairs of connections, and their places on a common axis of time.

use std::sync::Arc;

use tcpwhy_report::compare::{Comparison, ServicePair};
use tcpwhy_report::text::CompareSentences;
use tcpwhy_report::{Catalogue, Language, Names, Wording};

use super::contract::{CompareWords, Compared, ComparedPair, ComparedService};

/// Most servers that are listed. Chosen for the size of a page.
const MOST_SERVICES: usize = 200;

impl Compared {
    /// `comparison` as the page shows it. Its connections have the page's numbers.
    pub(crate) fn new(comparison: &Comparison, names: Option<&Arc<Names>>) -> Self {
        let words = |language| {
            let catalogue = Catalogue::new(language).with_names(names.cloned());
            let CompareSentences { sentence, pairs, heads, changes, together } =
                CompareSentences::new(comparison, Wording::new(&catalogue));
            CompareWords { sentence, pairs, heads, changes, together }
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
        let services = comparison.changes.as_ref().map_or(&[][..], |changes| &changes.services);
        Self {
            services: services.iter().take(MOST_SERVICES).map(ComparedService::new).collect(),
            services_omitted: services.len().saturating_sub(MOST_SERVICES) as u64,
            mode: comparison.mode.id(),
            captures: comparison.names.clone(),
            pairs: pairs.collect(),
            count: comparison.count,
            alike: comparison.alike,
            words: Language::ALL.into_iter().map(|language| (language.tag(), words(language))).collect(),
        }
    }
}

impl ComparedService {
    fn new(pair: &ServicePair) -> Self {
        let services = pair.services.each_ref();
        Self {
            servers: services.map(|service| service.server.to_string()),
            connections: services.map(|service| service.connections),
            failed: services.map(tcpwhy_analysis::Service::failed),
            requests: services.map(|service| service.exchanges),
            time_s: services.map(|service| {
                let times = service.exchange_times.distribution()?;
                Some([times.median, times.p95].map(|nanos| nanos as f64 / 1e9))
            }),
        }
    }
}
