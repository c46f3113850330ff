//! Rules that only a socket can show, which explain verdicts all the same.

use tcpwhy_model::Limit;

use super::rules::RULES;

/// Their ids, which are those of checks of a host's sockets, with the limits that they explain.
const SOCKET_RULES: [(&str, &[Limit]); 4] = [
    ("socket-peer-window", &[Limit::ReceiveWindow]),
    ("socket-peer-window-closed", &[Limit::ReceiveWindow]),
    ("socket-corked", &[Limit::AckDelay]),
    ("socket-pacing-rate-set", &[Limit::CongestionWindow]),
];

/// The limits that the rule of this id explains.
pub(super) fn limits_of(rule: &str) -> &'static [Limit] {
    let of_socket = || SOCKET_RULES.iter().find(|(id, _)| *id == rule).map(|(_, limits)| *limits);
    RULES.iter().find(|known| known.id == rule).map(|rule| rule.limits).or_else(of_socket).unwrap_or_default()
}
