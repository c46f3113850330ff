//! Rules that propose what makes requests faster.

use tcpwhy_model::Finding;

use crate::outcome::Connection;

/// Rules that propose what makes a server answer sooner, the first that has a fix first.
pub(super) const SERVER_RULES: [&str; 1] = ["application-think"];
/// The rule that finds round trips in place of bytes.
pub(super) const TURNS_RULE: &str = "request-response-turns";
/// Rules that propose what saves round trips, the first that has a fix first.
pub(super) const ROUND_TRIP_RULES: [&str; 2] = [TURNS_RULE, "connection-setup"];

/// The finding about `connection` by `rule`, if it has a fix.
pub(super) fn finding_with_fix<'a>(connection: &'a Connection, rule: &str) -> Option<&'a Finding> {
    connection.findings.iter().find(|finding| finding.rule == rule && !finding.fixes.is_empty())
}
