//! The charts for the story of a case.

use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_scenario::{Scenario, bundled};
use tcpwhy_view::svg::Chart;

/// The sequence, the charts that prove the causes, and for a send buffer the chart of its socket. A case with
/// a fix also has the charts of the original case, so that the two can be compared.
pub(crate) fn charts(scenario: &Scenario) -> Vec<Chart> {
    let fixed = bundled::all().filter(|other| other.expect.fixed.as_ref() == Some(&scenario.name));
    let mut wanted = vec![Chart::Sequence];
    for case in fixed.chain([scenario.clone()]) {
        let causes = || case.expect.verdict.iter().filter_map(|expected| expected.cause());
        wanted.extend(causes().filter_map(proof));
        wanted.extend(causes().filter(|cause| cause.limit == Limit::SendBuffer).map(|_| Chart::Socket));
    }
    Chart::ALL.into_iter().filter(|chart| wanted.contains(chart)).collect()
}

/// The chart that shows `cause` in addition to the sequence; `None` if the sequence suffices.
const fn proof(cause: Cause) -> Option<Chart> {
    match (cause.limit, cause.detail) {
        // Round-trip times that grow, or that a pacing sender keeps short.
        (Limit::Path, _) | (Limit::CongestionWindow, Some(Detail::Paced)) => Some(Chart::RoundTrips),
        // Bytes in flight that stay flat, touch the window, grow or are cut by losses.
        (Limit::SendBuffer | Limit::ReceiveWindow | Limit::CongestionWindow | Limit::SlowStart, _)
        | (Limit::Application, Some(Detail::PeerWindow | Detail::PacedWrites))
        | (Limit::LossRecovery, None | Some(Detail::Fast)) => Some(Chart::Window),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charts_of(name: &str) -> Vec<Chart> {
        charts(&bundled::get(name).unwrap())
    }

    #[test]
    fn charts_follow_the_cause() {
        use Chart::{RoundTrips, Sequence, Socket, Window};
        assert_eq!(charts_of("sndbuf-16k"), [Sequence, Window, Socket]);
        assert_eq!(charts_of("rcvbuf-8k-rtt40"), [Sequence, Window]);
        assert_eq!(charts_of("http2-window"), [Sequence, Window]);
        assert_eq!(charts_of("bufferbloat"), [Sequence, RoundTrips]);
        assert_eq!(charts_of("nagle-delack"), [Sequence]);
        // The fix of a small send buffer is compared with it.
        assert_eq!(charts_of("sndbuf-auto"), [Sequence, Window, RoundTrips, Socket]);
    }

    /// If a text refers to the picture, the picture must contain the chart.
    #[test]
    fn stories_find_what_they_point_at() {
        let pointers = [
            ("bytes in flight", Chart::Window),
            ("in flight, flat", Chart::Window),
            ("window's line", Chart::Window),
            ("a window that", Chart::Window),
            ("congestion window", Chart::Window),
            ("round trips that", Chart::RoundTrips),
            ("longer round trips", Chart::RoundTrips),
            ("round trip stays", Chart::RoundTrips),
        ];
        let mut pointed = 0;
        for scenario in bundled::all() {
            let text = &scenario.story.words("en").text;
            let after = text.find("In the picture").map(|at| &text[at..]).unwrap_or_default();
            for (words, chart) in pointers.iter().filter(|(words, _)| after.contains(words)) {
                pointed += 1;
                assert!(charts(&scenario).contains(chart), "{}: {words:?} without {chart:?}", scenario.name);
            }
        }
        assert!(pointed > 15, "{pointed}");
    }
}
