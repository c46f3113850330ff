//! The cause that the scenario sets, as a word of the recordings.

use tcpwhy_model::{Cause, Detail, Limit};

use tcpwhy_scenario::{Expected, Scenario, Work};

/// One of `sndbuf`, `rcvbuf`, `reader`, `network`, `nic`, `queue`, `loss`, `slowstart`, `app`, `nagle`,
/// `idle`, `latency`.
/// It is `mixed` if the phases set different causes, and `none` if the scenario expects no limit.
pub(super) fn label(scenario: &Scenario) -> &'static str {
    let Some(&meant) = scenario.expect.verdict.first() else { return "none" };
    let imposed = imposed(scenario);
    if imposed.iter().any(|&other| label_of(other) != label_of(imposed[0])) {
        return "mixed";
    }
    let is_own_interface = scenario.link.rate.is_none_or(|rate| scenario.sender.nic < rate);
    match meant {
        Expected::Cause(Cause { limit: Limit::Path, .. }) if is_own_interface => "nic",
        meant => label_of(meant),
    }
}

fn imposed(scenario: &Scenario) -> Vec<Expected> {
    match &scenario.work {
        Work::Stream(stream) => stream.phases.iter().filter_map(|phase| phase.imposes).collect(),
        _ => Vec::new(),
    }
}

/// The label of one expected verdict.
pub(super) fn label_of(expected: Expected) -> &'static str {
    let Expected::Cause(cause) = expected else { return "none" };
    match (cause.limit, cause.detail) {
        (Limit::SendBuffer, _) => "sndbuf",
        (Limit::ReceiveWindow, Some(Detail::SlowReader | Detail::ZeroWindow)) => "reader",
        (Limit::ReceiveWindow, _) => "rcvbuf",
        (Limit::Path, Some(Detail::Queue)) => "queue",
        (Limit::LossRecovery, _) | (Limit::CongestionWindow, Some(Detail::PostLoss)) => "loss",
        (Limit::Path | Limit::CongestionWindow, _) => "network",
        (Limit::SlowStart, _) => "slowstart",
        (Limit::AckDelay, _) => "nagle",
        (Limit::Application, Some(Detail::Idle)) => "idle",
        (Limit::Application, Some(Detail::Think | Detail::PeerTurn)) | (Limit::TailRtt | Limit::Handshake, _) => {
            "latency"
        }
        (Limit::Application, _) => "app",
        (Limit::Unobserved, _) => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verdict: &str, expected: &str) {
        assert_eq!(label_of(verdict.parse().unwrap()), expected, "{verdict}");
    }

    #[test]
    fn labels() {
        check("send_buffer", "sndbuf");
        check("receive_window/small_buffer", "rcvbuf");
        check("receive_window/zero_window", "reader");
        check("path/queue", "queue");
        check("congestion_window/post_loss", "loss");
        check("congestion_window/paced", "network");
        check("application/paced_writes", "app");
        check("application/peer_window", "app");
        check("none", "none");
    }
}
