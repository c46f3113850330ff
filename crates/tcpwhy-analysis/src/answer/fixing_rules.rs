//! Rules that propose changes that make requests faster.

use tcpwhy_model::Finding;

use crate::outcome::Connection;

/// Rules that propose changes that make a server answer sooner. The first that has a fix comes first.
pub(super) const SERVER_RULES: [&str; 1] = ["application-think"];
/// The rule that finds too many round trips, rather than too many bytes.
pub(super) const TURNS_RULE: &str = "request-response-turns";
/// The rule that finds the window of a protocol above TCP.
pub(super) const WINDOW_RULE: &str = "application-peer-window";
/// Rules that propose changes that save round trips. The first that has a fix comes first.
pub(super) const ROUND_TRIP_RULES: [&str; 2] = [TURNS_RULE, "connection-setup"];

/// Rules about a cause in both directions, in which each direction depends on the other.
pub(super) const EACH_END_RULES: [&str; 3] = ["both-ends-unread", "nagle-both-ends", "receive-buffers-both-ends"];

/// Rules about one direction that needs a change at both ends.
pub(super) const BOTH_ENDS_RULES: [&str; 1] = ["buffers-alike"];

/// Rules about the reason for long waits under a direction's limit, if that is most of its time.
pub(super) const LENGTH_RULES: [&str; 1] = ["minimum-rto"];

/// Returns the finding about `connection` by `rule`, if it has a fix.
pub(super) fn finding_with_fix<'a>(connection: &'a Connection, rule: &str) -> Option<&'a Finding> {
    connection.findings.iter().find(|finding| finding.rule == rule && !finding.fixes.is_empty())
}
