//! Facts that connections of one capture show together, once all have finished:
//! - a policer that they share;
//! - the server, if the capture started mid-connection;
//! - an end that returned after it had become silent;
//! - the end of the capture;
//! - other traffic on a path that limited a transfer.

mod neighbours;
mod returning;
mod serving;
mod waiting;

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::{Claim, EvidenceKey, Finding, Traffic, Value};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::prediction::claim;
use crate::facts::half::policing::{LossLine, shared_rate};
use crate::outcome::{Connection, HalfConnection};
use neighbours::Neighbours;
use returning::Returning;
use serving::Serving;
use waiting::Waiting;

/// The rule about a policer.
const RULE: &str = "policer";

/// Keeps the connections that others may explain until all have finished, each with a tag of the caller's.
#[derive(Debug)]
pub struct Together<T> {
    kept: Vec<(Connection, T)>,
    serving: Serving,
    returning: Returning,
    waiting: Waiting,
    neighbours: Neighbours,
    traffic: Traffic,
}

impl<T> Default for Together<T> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            serving: Serving::default(),
            returning: Returning::default(),
            waiting: Waiting::default(),
            neighbours: Neighbours::default(),
            traffic: Traffic::default(),
        }
    }
}

/// A direction: index of its connection, and its index within the connection.
type Place = (usize, usize);

/// Start and end of the arrival of a direction's data, nanoseconds, and its place.
type Passing = ((i64, i64), Place);

impl<T> Together<T> {
    /// Takes a connection, and returns it at once if no later connection can change its findings.
    pub fn keep(&mut self, connection: Connection, tag: T) -> Option<(Connection, T)> {
        self.serving.note(&connection);
        self.returning.note(&connection);
        self.waiting.note(&connection);
        self.neighbours.note(&connection);
        let is_lossy = connection.halves.iter().any(|h| h.loss_line.is_some());
        let is_open = serving::is_open(&connection)
            || returning::is_open(&connection)
            || waiting::is_open(&connection)
            || neighbours::is_open(&connection);
        if !is_lossy && !is_open {
            return Some((connection, tag));
        }
        self.kept.push((connection, tag));
        None
    }

    /// Takes the traffic other than TCP, before the end.
    pub fn note_traffic(&mut self, traffic: Traffic) {
        self.traffic.absorb(traffic);
    }

    /// Returns the kept connections, in the order of the first packets. Connections whose start was not
    /// captured get their server. Directions between the same two hosts may share a policer at the same time.
    /// Then each reports its rate, and no prediction is faster.
    pub fn finish(mut self) -> Vec<(Connection, T)> {
        self.kept.sort_by_key(|(connection, _)| connection.first_packet);
        self.serving.settle(self.kept.iter_mut().map(|(connection, _)| connection));
        self.returning.settle(self.kept.iter_mut().map(|(connection, _)| connection));
        self.waiting.settle(self.kept.iter_mut().map(|(connection, _)| connection));
        for places in self.neighbours() {
            let lines: Vec<_> = places.iter().filter_map(|&place| self.half(place)?.loss_line.as_deref()).collect();
            let is_policed = |&place: &Place| self.half(place).is_some_and(|half| policer(half).is_some());
            let Some(rate) = shared_rate(&lines).filter(|_| places.iter().any(is_policed)) else { continue };
            for &(connection, half) in &places {
                let half = self.kept.get_mut(connection).and_then(|(c, _)| c.halves.get_mut(half));
                if let Some(half) = half {
                    tell(half, rate, places.len());
                }
            }
        }
        let mut kept: Vec<&mut Connection> = self.kept.iter_mut().map(|(connection, _)| connection).collect();
        self.neighbours.settle(&mut kept, &self.traffic);
        for half in self.kept.iter_mut().flat_map(|(connection, _)| &mut connection.halves) {
            half.loss_line = None;
        }
        self.kept
    }

    fn half(&self, (connection, half): Place) -> Option<&HalfConnection> {
        self.kept.get(connection)?.0.halves.get(half)
    }

    /// Returns groups of directions from one host to another, in which each overlaps with the next.
    fn neighbours(&self) -> Vec<Vec<Place>> {
        let mut paths: BTreeMap<(IpAddr, IpAddr), Vec<Passing>> = BTreeMap::new();
        for (at, (connection, _)) in self.kept.iter().enumerate() {
            for (index, half) in connection.halves.iter().enumerate() {
                if let Some(line) = &half.loss_line {
                    let [from, to] = [half.sender, half.sender.peer()].map(|s| connection.endpoints[s.index()].address);
                    paths.entry((from, to)).or_default().push((line.span(), (at, index)));
                }
            }
        }
        let mut groups = Vec::new();
        for mut path in paths.into_values() {
            path.sort_unstable();
            let mut end = i64::MIN;
            for ((from, to), place) in path {
                if from >= end {
                    groups.push(Vec::new());
                }
                end = end.max(to);
                if let Some(group) = groups.last_mut() {
                    group.push(place);
                }
            }
        }
        groups
    }
}

fn policer(half: &HalfConnection) -> Option<&Finding> {
    half.findings.iter().find(|f| f.rule == RULE)
}

/// Records that `half` shares a policer of `rate`, bytes of packets per second. `connections` is the number
/// of connections that share it.
fn tell(half: &mut HalfConnection, rate: f64, connections: usize) {
    let packet = half.loss_line.as_deref().map_or(1.0, LossLine::packet);
    // The policer's burst may pass in addition, but other connections use part of it.
    let least = half.bytes as f64 * packet / rate;
    let total = half.span.seconds();
    for prediction in half.findings.iter_mut().filter_map(|f| f.prediction.as_mut()) {
        let seconds = &mut prediction.seconds;
        seconds.value = seconds.value.max(least).min(total.max(seconds.value));
        seconds.low = seconds.low.max(least).min(seconds.value);
        seconds.high = seconds.high.max(seconds.value);
        if prediction.claim == Claim::Range {
            prediction.claim = claim(prediction.seconds, false, false);
        }
    }
    let Some(finding) = half.findings.iter_mut().find(|f| f.rule == RULE) else { return };
    let bits = rate * 8.0;
    if let Some(evidence) = finding.evidence.iter_mut().find(|e| e.key == EvidenceKey::RateBitsPerS) {
        let share = std::mem::replace(&mut evidence.value, Value::from(bits));
        finding.evidence.push(inferred(EvidenceKey::ShareBitsPerS, share));
        finding.evidence.push(inferred(EvidenceKey::SharingCount, connections as u64));
    }
    let shape = tcpwhy_advice::shape_below_policer(bits);
    for fix in finding.fixes.iter_mut().filter(|fix| fix.id == shape.id) {
        *fix = shape.clone();
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, mbit};

    use super::*;
    use crate::facts::half::policing::sharing::tests::{RATE, line, uneven};

    fn number(half: &HalfConnection, name: &str) -> Option<f64> {
        match policer(half)?.evidence.iter().find(|e| e.key.id() == name)?.value {
            Value::Integer(i) => Some(i as f64),
            Value::Real(r) => Some(r),
            _ => None,
        }
    }

    fn policed() -> Connection {
        let transfer = Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..Transfer::default() };
        let mut analyzer = crate::Analyzer::new();
        for segment in &transfer.run() {
            analyzer.observe(segment);
        }
        analyzer.finish().remove(0)
    }

    fn with_line(mut connection: Connection, number: u64, line: LossLine) -> Connection {
        connection.halves[0].loss_line = Some(Box::new(line));
        connection.first_packet = number;
        connection
    }

    #[test]
    fn who_shares_a_policer_is_told_its_rate() {
        let policed = policed();
        let before = number(&policed.halves[0], "rate_bits_per_s").unwrap();
        let mut together = Together::default();
        assert!(together.keep(with_line(policed.clone(), 7, line(|s| 1000 - uneven(s))), "b").is_none());
        assert!(together.keep(with_line(policed, 3, line(uneven)), "a").is_none());
        let all = together.finish();
        assert_eq!(all.iter().map(|a| a.1).collect::<Vec<_>>(), ["a", "b"]);
        for (connection, _) in &all {
            let half = &connection.halves[0];
            let rate = number(half, "rate_bits_per_s").unwrap();
            assert!((rate / (RATE as f64 * 8.0) - 1.0).abs() < 0.02, "{rate}");
            assert_eq!(number(half, "share_bits_per_s"), Some(before));
            assert_eq!(number(half, "sharing_count"), Some(2.0));
            let least = 12e6 / RATE as f64;
            let seconds = half.findings.iter().filter_map(|f| f.prediction.as_ref()).map(|p| p.seconds.value);
            assert!(seconds.into_iter().all(|s| s >= least.min(half.span.seconds()) * 0.97), "{:?}", half.findings);
        }
    }

    /// On other paths, at other times, or alone, each connection keeps its own rate.
    #[test]
    fn who_shares_nothing_is_told_as_before() {
        let policed = policed();
        let before = number(&policed.halves[0], "rate_bits_per_s").unwrap();
        let mut elsewhere = policed.clone();
        elsewhere.endpoints[1].address = "192.0.2.99".parse().unwrap();
        let others = [with_line(elsewhere, 2, line(|s| 1000 - uneven(s))), with_line(policed.clone(), 2, line(uneven))];
        for other in others {
            let mut together = Together::default();
            assert!(together.keep(with_line(policed.clone(), 1, line(uneven)), 1).is_none());
            assert!(together.keep(other, 2).is_none());
            for (connection, _) in together.finish() {
                assert_eq!(number(&connection.halves[0], "rate_bits_per_s"), Some(before));
                assert_eq!(number(&connection.halves[0], "sharing_count"), None);
            }
        }
    }

    /// The exception is a connection that the path limited: others may show who shared the path.
    #[test]
    fn who_lost_nothing_of_that_kind_is_not_kept() {
        let mut connection = policed();
        connection.halves[0].loss_line = None;
        assert!(Together::default().keep(connection.clone(), ()).is_none());
        connection.halves[0].verdict.cause = None;
        assert!(Together::default().keep(connection, ()).is_some());
    }
}
