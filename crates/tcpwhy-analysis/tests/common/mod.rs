//! Helpers for tests of the analysis.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::fmt::Write as _;

use tcpwhy_analysis::{Analyzer, Connection, HalfConnection};
use tcpwhy_model::{Cause, Segment, Timestamp};
use tcpwhy_testkit::{CLIENT, Expectation, SERVER, START, script};

/// Returns all connections of these packets.
pub(crate) fn analyse(segments: &[Segment]) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish()
}

/// Returns the only connection of these packets.
#[track_caller]
pub(crate) fn connection(segments: &[Segment]) -> Connection {
    let mut all = analyse(segments);
    assert_eq!(all.len(), 1, "connections");
    all.remove(0)
}

/// Returns the direction with most data.
#[track_caller]
pub(crate) fn principal(connection: &Connection) -> &HalfConnection {
    connection.halves.iter().max_by_key(|h| h.bytes).unwrap_or_else(|| panic!("no data at all"))
}

/// Returns the data direction of the client or the server.
pub(crate) fn half(connection: &Connection, is_client: bool) -> Option<&HalfConnection> {
    let sender = if is_client { CLIENT } else { SERVER };
    connection.halves.iter().find(|h| connection.endpoints[h.sender.index()] == sender)
}

/// Whether `cause` is written as `limit` or `limit/detail`.
pub(crate) fn is(cause: Cause, written: &str) -> bool {
    cause.to_string() == written || cause.limit.id() == written
}

/// Returns the share of the half's span under a cause.
pub(crate) fn share(half: &HalfConnection, written: &str) -> f64 {
    let nanos: i64 = half.limits.totals().iter().filter(|t| is(t.cause, written)).map(|t| t.nanos).sum();
    nanos as f64 / half.span.nanos().max(1) as f64
}

/// Returns the ids of the rules with findings about the connection and its directions.
pub(crate) fn rules(connection: &Connection) -> Vec<&'static str> {
    connection.halves.iter().flat_map(|h| &h.findings).chain(&connection.findings).map(|f| f.rule).collect()
}

/// Returns all results, for the message of a failed test.
pub(crate) fn describe(connection: &Connection) -> String {
    let mut text = String::new();
    for h in &connection.halves {
        let sender = connection.endpoints[h.sender.index()];
        let verdict = h.verdict.cause.map_or("none".into(), |c| c.to_string());
        let _ = writeln!(text, "{sender}: {:.6} s, verdict {verdict}, vantage {:?}", h.span.seconds(), h.vantage);
        for t in h.limits.totals() {
            let _ = writeln!(text, "  {:10.6} s  {}", t.nanos as f64 / 1e9, t.cause);
        }
        for i in h.limits.intervals().iter().take(60) {
            let (from, to) = (i.span.start().since(START) as f64 / 1e9, i.span.end().since(START) as f64 / 1e9);
            let why = i.why.map_or("", |w| w.reason.id());
            let _ = writeln!(text, "    {from:10.6} to {to:10.6}  {} ({why})", i.cause);
        }
    }
    let _ = writeln!(text, "  findings {:?}", rules(connection));
    text
}

/// Runs a script and checks its expectations. A stretch is under a limit if at least 90 % of it are.
#[track_caller]
pub(crate) fn check(text: &str) {
    let script = script(text);
    let connection = connection(&script.segments);
    let told = || describe(&connection);
    let direction = |is_client| half(&connection, is_client).unwrap_or_else(|| panic!("no data that way\n{}", told()));
    assert!(!script.expectations.is_empty(), "a script that expects nothing");
    for expectation in &script.expectations {
        match expectation {
            Expectation::Limit { is_client, from, until, cause, why } => {
                let half = direction(*is_client);
                let (from, until) = (START.plus(*from), START.plus(*until));
                let under = nanos_under(half, from, until, cause, why.as_deref());
                let all = until.since(from);
                assert!(under * 10 >= all * 9, "{cause} ({why:?}) for {under} of {all} ns\n{}", told());
            }
            Expectation::Verdict { is_client, cause } => {
                let half = direction(*is_client);
                let found = half.verdict.cause;
                assert!(found.map_or(cause == "none", |c| is(c, cause)), "verdict {found:?}, not {cause}\n{}", told());
            }
            Expectation::Finding { rule, holds } => {
                assert_eq!(rules(&connection).contains(&rule.as_str()), *holds, "finding {rule}\n{}", told());
            }
        }
    }
}

fn nanos_under(half: &HalfConnection, from: Timestamp, until: Timestamp, cause: &str, why: Option<&str>) -> i64 {
    half.limits
        .intervals()
        .iter()
        .filter(|i| is(i.cause, cause) && why.is_none_or(|why| i.why.is_some_and(|w| w.reason.id() == why)))
        .map(|i| i.span.end().min(until).since(i.span.start().max(from)).max(0))
        .sum()
}

/// Checks the verdict on the principal direction of these packets, and that its limit applied for at least
/// `least` of the time.
#[track_caller]
pub(crate) fn check_verdict(segments: &[Segment], cause: &str, least: f64) {
    let connection = connection(segments);
    let half = principal(&connection);
    let found = half.verdict.cause;
    let told = || describe(&connection);
    assert!(found.map_or(cause == "none", |c| is(c, cause)), "verdict {found:?}, not {cause}\n{}", told());
    let share = share(half, cause.split('/').next().unwrap_or(cause));
    assert!(cause == "none" || share >= least, "{cause} for {share:.2} of the time\n{}", told());
    assert!(cause == "none" || !half.findings.is_empty(), "a verdict without a finding\n{}", told());
}
