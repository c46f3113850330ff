//! The side that asks in a conversation, the number of exchanges, and the server's time: answer and truth.

use serde::{Deserialize, Serialize};
use tcpwhy_analysis::{Connection, Pattern};
use tcpwhy_lab::address;
use tcpwhy_scenario::{End, Scenario, TalkKind};

/// Tolerances for the mean of the server's time, as a share of the truth and in seconds. They are chosen.
const NEAR_SHARE: f64 = 0.05;
const NEAR_SECONDS: f64 = 0.002;

/// The part of `truth.json` that this module needs.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Conversation {
    pub(super) kind: TalkKind,
    asks: Option<End>,
    exchanges: u64,
    requests: u64,
    is_held: bool,
    server_s: Option<f64>,
}

/// The exchanges of a connection, as the lab or as `explain` counted them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Counted {
    /// The end that sends requests; `None` if there are none.
    asks: Option<End>,
    count: u64,
    /// Time at the server, seconds; `None` if it is not known or not measured.
    server_s: Option<f64>,
}

/// Result of comparing the exchanges that `explain` reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reported {
    /// They equal the truth.
    Right,
    /// There were requests, but no times are reported.
    Silent,
    /// They differ from the truth.
    Wrong,
}

/// The exchanges that `explain` reports in a conversation, with the truth.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct JudgedExchanges {
    pub(super) kind: TalkKind,
    truth: Counted,
    said: Option<Counted>,
    /// The name of the pattern that `explain` reports.
    pattern: Option<&'static str>,
    pub(super) report: Reported,
}

impl Conversation {
    /// Compares the exchanges that `connection` shows with those of `scenario`, which was played in it.
    pub(super) fn judge(&self, scenario: &Scenario, connection: &Connection) -> JudgedExchanges {
        let said = connection.exchanges.as_ref().map(|exchanges| {
            let client = connection.endpoints[exchanges.client.index()].address;
            let is_asking = |end: &End| address(scenario.ip_version, *end) == client;
            let counted = Counted {
                asks: End::BOTH.into_iter().find(is_asking),
                count: exchanges.count,
                server_s: exchanges.has_times().then(|| exchanges.parts.server as f64 / 1e9),
            };
            (counted, exchanges.pattern)
        });
        JudgedExchanges {
            kind: self.kind,
            truth: Counted { asks: self.asks, count: self.exchanges, server_s: self.server_s },
            said: said.map(|(counted, _)| counted),
            pattern: said.map(|(_, pattern)| pattern.id()),
            report: self.reported(said),
        }
    }

    fn reported(&self, said: Option<(Counted, Pattern)>) -> Reported {
        let right = |is_right| if is_right { Reported::Right } else { Reported::Wrong };
        let Some((said, pattern)) = said.filter(|(said, _)| said.count > 0) else {
            return if self.exchanges == 0 { Reported::Right } else { Reported::Silent };
        };
        if self.exchanges == 0 {
            return right(said.server_s.is_none());
        }
        // A server that waits for news is not slow, so a count without times is enough.
        let is_poll = self.is_held && pattern == Pattern::LongPoll;
        if said.asks == self.asks && said.server_s.is_none() && !is_poll {
            return Reported::Silent;
        }
        // Overlapping requests may be counted one by one or together.
        let most = if pattern == Pattern::Overlapping { self.requests } else { self.exchanges };
        let is_count_right = (self.exchanges..=most).contains(&said.count);
        right(said.asks == self.asks && is_count_right && (is_poll || self.is_near(said.server_s)))
    }

    /// Whether the mean of the server's time is within the tolerance.
    fn is_near(&self, said: Option<f64>) -> bool {
        let (Some(truth), Some(said)) = (self.server_s, said) else { return self.server_s.is_none() };
        let [truth, said] = [truth, said].map(|seconds| seconds / self.exchanges as f64);
        (said - truth).abs() <= NEAR_SECONDS.max(NEAR_SHARE * truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Conversation = Conversation {
        kind: TalkKind::Other,
        asks: Some(End::Receiver),
        exchanges: 10,
        requests: 14,
        is_held: false,
        server_s: Some(1.0),
    };

    const SAID: Counted = Counted { asks: Some(End::Receiver), count: 10, server_s: Some(1.0) };

    #[track_caller]
    fn check(truth: &Conversation, said: Counted, pattern: Pattern, expected: Reported) {
        assert_eq!(truth.reported(Some((said, pattern))), expected, "{said:?} {pattern:?}");
    }

    #[test]
    fn asker_count_and_seconds_are_right_together() {
        let plain = Pattern::RequestResponse;
        check(&ASKED, SAID, plain, Reported::Right);
        check(&ASKED, Counted { asks: Some(End::Sender), ..SAID }, plain, Reported::Wrong);
        check(&ASKED, Counted { count: 9, ..SAID }, plain, Reported::Wrong);
        check(&ASKED, Counted { count: 14, ..SAID }, plain, Reported::Wrong);
        check(&ASKED, Counted { count: 14, ..SAID }, Pattern::Overlapping, Reported::Right);
        check(&ASKED, Counted { count: 15, ..SAID }, Pattern::Overlapping, Reported::Wrong);
        check(&ASKED, Counted { server_s: Some(1.049), ..SAID }, plain, Reported::Right);
        check(&ASKED, Counted { server_s: Some(1.051), ..SAID }, plain, Reported::Wrong);
        let quick = Conversation { server_s: Some(0.01), ..ASKED };
        check(&quick, Counted { server_s: Some(0.0299), ..SAID }, plain, Reported::Right);
        check(&quick, Counted { server_s: Some(0.0301), ..SAID }, plain, Reported::Wrong);
        check(&Conversation { server_s: None, ..ASKED }, SAID, plain, Reported::Right);
    }

    #[test]
    fn to_time_nothing_is_silence_where_something_was_asked() {
        let untimed = Counted { server_s: None, ..SAID };
        check(&ASKED, untimed, Pattern::Unasked, Reported::Silent);
        check(&ASKED, Counted { asks: Some(End::Sender), ..untimed }, Pattern::Unasked, Reported::Wrong);
        assert_eq!(ASKED.reported(None), Reported::Silent);
        let held = Conversation { is_held: true, ..ASKED };
        check(&held, untimed, Pattern::LongPoll, Reported::Right);
        check(&held, Counted { count: 9, ..untimed }, Pattern::LongPoll, Reported::Wrong);
        check(&ASKED, untimed, Pattern::LongPoll, Reported::Silent);
    }

    #[test]
    fn where_nothing_is_asked_nothing_is_timed() {
        let pushes = Conversation { asks: None, exchanges: 0, requests: 0, server_s: Some(0.0), ..ASKED };
        check(&pushes, SAID, Pattern::RequestResponse, Reported::Wrong);
        check(&pushes, Counted { server_s: None, ..SAID }, Pattern::Unasked, Reported::Right);
        assert_eq!(pushes.reported(None), Reported::Right);
    }
}
