//! Orders by weight, for programs that present connections: limits, causes, findings and sockets.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tcpwhy_model::{Cause, Finding, Limit, LimitTimeline, Span};

use crate::kernel_view::{KernelSocket, KernelView};
use crate::outcome::{Connection, HalfConnection};
use crate::services::Service;
use crate::side::Side;

/// A number for each limit, in the order of [`Limit::ALL`].
type ByLimit<T> = [T; Limit::ALL.len()];

/// Returns the limits with any time, those with most time first.
pub fn longest_first<T: Copy + Default + Ord>(nanos: &ByLimit<T>) -> Vec<(Limit, T)> {
    let all = Limit::ALL.into_iter().map(|limit| (limit, nanos[limit as usize]));
    let mut all: Vec<_> = all.filter(|&(_, nanos)| nanos > T::default()).collect();
    all.sort_by_key(|&(_, nanos)| Reverse(nanos));
    all
}

/// Returns the causes of several timelines, each with its largest share in one of them; the largest first.
pub fn largest_shares_first<'a>(timelines: impl IntoIterator<Item = &'a LimitTimeline>) -> Vec<(Cause, f64)> {
    let mut shares: BTreeMap<Cause, f64> = BTreeMap::new();
    for timeline in timelines {
        for total in timeline.totals() {
            // A timeline with totals has a length.
            let share = total.nanos as f64 / timeline.span().nanos() as f64;
            let largest = shares.entry(total.cause).or_default();
            *largest = largest.max(share);
        }
    }
    let mut all: Vec<_> = shares.into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

impl Service {
    /// Returns the time of the connections by limit, longest first.
    pub fn ranked_limits(&self) -> Vec<(Limit, i64)> {
        longest_first(&self.limits)
    }
}

impl HalfConnection {
    /// Returns the longest interval of `cause`; `None` if none was kept.
    pub fn longest_interval(&self, cause: Cause) -> Option<Span> {
        let of_cause = self.limits.intervals().iter().filter(|interval| interval.cause == cause);
        of_cause.map(|interval| interval.span).max_by_key(|span| span.nanos())
    }
}

impl Connection {
    /// Returns the end that sent most payload; `None` without any.
    pub fn main_sender(&self) -> Option<Side> {
        self.halves.iter().max_by_key(|half| half.bytes).map(|half| half.sender)
    }

    /// Returns all findings, each with its direction if it is about one. Findings of the rule `first` come
    /// first, then the most severe.
    pub fn ranked_findings(&self, first: Option<&str>) -> Vec<(&Finding, Option<&HalfConnection>)> {
        let own = self.findings.iter().map(|finding| (finding, None));
        let of_halves =
            self.halves.iter().flat_map(|half| half.findings.iter().map(move |finding| (finding, Some(half))));
        let mut all: Vec<_> = own.chain(of_halves).collect();
        all.sort_by_key(|(finding, _)| (first != Some(finding.rule), Reverse(finding.severity)));
        all
    }
}

impl KernelView {
    /// Returns the socket of the end of `connection` that sent most payload.
    pub fn main_socket(&self, connection: &Connection) -> Option<&KernelSocket> {
        let sent = |side: Side| connection.halves.iter().find(|half| half.sender == side).map_or(0, |half| half.bytes);
        self.sockets.iter().max_by_key(|socket| (sent(socket.side), socket.samples))
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Severity, TimelineBuilder, Timestamp};

    use super::*;
    use crate::outcome::Role;
    use crate::testing::{finding, half};

    #[test]
    fn limits_with_most_time_come_first() {
        let mut nanos = ByLimit::<i64>::default();
        (nanos[Limit::Path as usize], nanos[Limit::SendBuffer as usize]) = (1, 2);
        assert_eq!(longest_first(&nanos), [(Limit::SendBuffer, 2), (Limit::Path, 1)]);
    }

    #[test]
    fn a_cause_has_its_largest_share() {
        let timeline = |path: i64, buffer: i64| {
            let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
            timeline.push(Timestamp::from_nanos(path), Cause::plain(Limit::Path), 1.0, None);
            timeline.push(Timestamp::from_nanos(path + buffer), Cause::plain(Limit::SendBuffer), 1.0, None);
            timeline.finish()
        };
        let shares = largest_shares_first(&[timeline(1, 3), timeline(10, 10), timeline(0, 0)]);
        assert_eq!(shares, [(Cause::plain(Limit::SendBuffer), 0.75), (Cause::plain(Limit::Path), 0.5)]);
    }

    #[test]
    fn the_longest_interval_is_one_of_its_cause() {
        let [path, buffer] = [Limit::Path, Limit::SendBuffer].map(Cause::plain);
        let half = half(Role::Server, None, &[(2, path), (9, buffer), (3, path)], Vec::new());
        assert_eq!(half.longest_interval(path).map(Span::nanos), Some(3_000_000_000));
        assert_eq!(half.longest_interval(Cause::plain(Limit::Handshake)), None);
    }

    #[test]
    fn findings_of_the_answer_come_first_then_the_gravest() {
        let made = |rule, severity| finding(rule, severity, 0, None);
        let findings = vec![made("a", Severity::Info), made("b", Severity::Critical), made("c", Severity::Warning)];
        let connection = crate::testing::connection(vec![half(Role::Server, None, &[], findings)]);
        let rules = |first| connection.ranked_findings(first).iter().map(|(f, _)| f.rule).collect::<Vec<_>>();
        assert_eq!(rules(Some("a")), ["a", "b", "c"]);
        assert_eq!(rules(None), ["b", "c", "a"]);
    }
}
