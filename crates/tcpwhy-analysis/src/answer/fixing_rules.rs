//! Rules that propose what makes requests faster.

use tcpwhy_model::Finding;

use crate::outcome::Connection;

/// Rules that propose what makes a server answer sooner, the first that has a fix first.
pub(super) const SERVER_RULES: [&str; 1] = ["application-think"];
/// The rule that finds round trips in place of bytes.
pub(super) const TURNS_RULE: &str = "request-response-turns";
/// The rule that finds the window of a protocol above TCP.
pub(super) const WINDOW_RULE: &str = "application-peer-window";
/// Rules that propose what saves round trips, the first that has a fix first.
pub(super) const ROUND_TRIP_RULES: [&str; 2] = [TURNS_RULE, "connection-setup"];

/// Rules about a cause in both directions, whose halves need each other.
pub(super) const EACH_END_RULES: [&str; 3] = ["both-ends-unread", "nagle-both-ends", "receive-buffers-both-ends"];

/// Rules about one direction, which needs a change at either end.
pub(super) const BOTH_ENDS_RULES: [&str; 1] = ["buffers-alike"];

/// Rules about what makes the waits of a direction's limit long, where that is most of its time.
pub(super) const LENGTH_RULES: [&str; 1] = ["minimum-rto"];

/// The finding about `connection` by `rule`, if it has a fix.
pub(super) fn finding_with_fix<'a>(connection: &'a Connection, rule: &str) -> Option<&'a Finding> {
    connection.findings.iter().find(|finding| finding.rule == rule && !finding.fixes.is_empty())
}
