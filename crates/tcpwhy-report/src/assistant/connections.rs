//! The answer with all connections of a capture, page by page.

use std::collections::BTreeMap;

use serde::Serialize;
use tcpwhy_analysis::Connection;

use super::brief::BriefEntry;
use super::fit::{Fit, pop};
use crate::Wording;

/// Most connections on one page; an answer of 4000 bytes has room for about 15.
const MOST_CONNECTIONS: usize = 25;

/// Connections in the order of their numbers.
#[derive(Debug, Serialize)]
pub struct ConnectionsAnswer {
    /// Number of connections that pass the filter, with or without data.
    matched: u64,
    /// Number of connections that are listed here.
    returned: u64,
    /// Number of the connection that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_connections: Option<u64>,
    #[serde(serialize_with = "values")]
    connections: BTreeMap<u64, BriefEntry>,
    /// Damaged parts of the input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    /// Lowest connection number on this page.
    #[serde(skip)]
    from: u64,
}

fn values<S: serde::Serializer>(entries: &BTreeMap<u64, BriefEntry>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(entries.values())
}

impl ConnectionsAnswer {
    /// An empty page of connections with numbers from `from`.
    pub const fn new(from: u64) -> Self {
        Self { matched: 0, returned: 0, next_connections: None, connections: BTreeMap::new(), damage: Vec::new(), from }
    }

    /// Adds a connection; the order does not matter. Memory does not grow with their number.
    pub fn add(&mut self, number: u64, connection: &Connection, wording: Wording<'_>) {
        self.matched += 1;
        let is_beyond = self.next_connections.is_some_and(|next| number >= next);
        if is_beyond || number < self.from {
            return;
        }
        self.connections.insert(number, BriefEntry::of(number, connection, wording));
        if self.connections.keys().nth(MOST_CONNECTIONS).is_some() {
            self.drop_last();
        }
        self.returned = self.connections.len() as u64;
    }

    /// Adds the parts of the capture that could not be read.
    #[must_use]
    pub fn damaged(mut self, damage: Vec<String>) -> Self {
        self.damage = damage;
        self
    }

    fn drop_last(&mut self) {
        if let Some((number, _)) = self.connections.pop_last() {
            self.next_connections = Some(number);
        }
        self.returned = self.connections.len() as u64;
    }
}

impl Fit for ConnectionsAnswer {
    fn shorten(&mut self) -> bool {
        if pop(&mut self.damage, 2) {
            return true;
        }
        // A page keeps at least one connection; otherwise the next page would begin with the same one.
        let can = self.connections.keys().nth(1).is_some();
        if can {
            self.drop_last();
        }
        can || pop(&mut self.damage, 0)
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_analysis::Ending;

    use super::super::testing::connection;
    use super::super::{MOST_BYTES, fit};
    use super::*;
    use crate::{Catalogue, Language};

    fn page(from: u64, numbers: impl Iterator<Item = u64>, damage: usize) -> serde_json::Value {
        let catalogue = Catalogue::new(Language::English);
        let mut answer = ConnectionsAnswer::new(from);
        for number in numbers {
            let mut refused = connection(Vec::new());
            refused.ending = Ending::Refused;
            answer.add(number, &refused, Wording::new(&catalogue));
        }
        let damage = vec!["damaged ".repeat(50); damage];
        let text = fit(answer.damaged(damage), MOST_BYTES);
        assert!(text.len() <= MOST_BYTES, "{}", text.len());
        serde_json::from_str(&text).unwrap()
    }

    /// Every connection is on exactly one page, in whatever order connections are added.
    #[test]
    fn every_connection_is_on_one_page() {
        for step in [1, 7, 194] {
            let (mut seen, mut from, mut pages) = (Vec::new(), Some(0), 0);
            while let Some(first) = from {
                // 195 has no factor in common with these steps, so each number comes once.
                let answer = page(first, (0..195).map(|n| n * step % 195), pages % 3 * 4);
                assert_eq!(answer["matched"], 195, "all are counted on each page");
                let entries = answer["connections"].as_array().unwrap();
                assert_eq!(answer["returned"], entries.len());
                seen.extend(entries.iter().map(|entry| entry["connection"].as_u64().unwrap()));
                from = answer["next_connections"].as_u64();
                pages += 1;
            }
            assert_eq!(seen, (0..195).collect::<Vec<_>>(), "step {step}");
        }
    }

    #[test]
    fn numbers_that_the_filter_leaves_out_are_passed_over() {
        let answer = page(10, [3, 12, 40].into_iter(), 0);
        let numbers: Vec<_> =
            answer["connections"].as_array().unwrap().iter().map(|entry| &entry["connection"]).collect();
        assert_eq!(
            (numbers, &answer["matched"], &answer["returned"]),
            (vec![&12.into(), &40.into()], &3.into(), &2.into())
        );
        assert!(answer.get("next_connections").is_none());
        assert_eq!(answer["connections"][0]["ending"], "refused");
        assert_eq!(page(900, [3].into_iter(), 0)["returned"], 0);
    }
}
