//! Rules that need data of a socket, and that explain verdicts of captures as well.

use tcpwhy_model::Limit;

use super::rules::RULES;

/// Ids of these rules, which are checks of a host's sockets, with the limits that they explain.
const SOCKET_RULES: [(&str, &[Limit]); 4] = [
    ("socket-peer-window", &[Limit::ReceiveWindow]),
    ("socket-peer-window-closed", &[Limit::ReceiveWindow]),
    ("socket-corked", &[Limit::AckDelay]),
    ("socket-pacing-rate-set", &[Limit::CongestionWindow]),
];

/// Limits that the rule with this id explains.
pub(super) fn limits_of(rule: &str) -> &'static [Limit] {
    let of_socket = || SOCKET_RULES.iter().find(|(id, _)| *id == rule).map(|(_, limits)| *limits);
    RULES.iter().find(|known| known.id == rule).map(|rule| rule.limits).or_else(of_socket).unwrap_or_default()
}
