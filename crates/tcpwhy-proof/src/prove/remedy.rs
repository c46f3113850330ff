//! What to change for a cause that the report has no finding of: what the rule of that cause would propose.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Finding, Fix, Limit};

/// Room for what a path carries, bytes; the lab applies the change, not this number.
const AMPLE: u64 = 16 << 20;

/// The finding that explains `cause`: of a rule that is about it, with a prediction if one has it. Waits for
/// an answer or a request are findings about the connection.
pub(super) fn finding_of<'a>(
    connection: &'a Connection,
    half: &'a HalfConnection,
    cause: Cause,
) -> Option<&'a Finding> {
    let all = half.findings.iter().chain(&connection.findings);
    let mut about = all.filter(|finding| rules(cause).contains(&finding.rule));
    let first = about.clone().next();
    about.find(|finding| finding.prediction.is_some()).or(first)
}

/// The rules about a cause; of a limit without a form, those of all its forms.
fn rules(cause: Cause) -> &'static [&'static str] {
    match (cause.limit, cause.detail) {
        (Limit::SendBuffer, _) => &["send-buffer-plateau"],
        (Limit::ReceiveWindow, Some(Detail::SmallBuffer)) => &["receive-window-small-buffer", "receive-window-capped"],
        (Limit::ReceiveWindow, Some(Detail::Capped)) => &["receive-window-capped", "receive-window-small-buffer"],
        (Limit::ReceiveWindow, Some(Detail::NoWindowScale)) => &["receive-window-no-scaling"],
        (Limit::ReceiveWindow, Some(Detail::Ramp)) => &["receive-window-ramp"],
        (Limit::ReceiveWindow, Some(Detail::SlowReader)) => &["slow-reader"],
        (Limit::ReceiveWindow, Some(Detail::ZeroWindow)) => &["zero-window", "slow-reader"],
        (Limit::ReceiveWindow, _) => &[
            "receive-window-small-buffer",
            "receive-window-capped",
            "receive-window-no-scaling",
            "slow-reader",
            "zero-window",
        ],
        (Limit::AckDelay, _) => &["nagle-delayed-ack"],
        (Limit::Application, Some(Detail::Think)) => &["application-think", "request-response-turns"],
        (Limit::Application, Some(Detail::PeerTurn)) => &["application-peer-turn", "request-response-turns"],
        (Limit::Application, Some(Detail::Idle)) => &["application-idle"],
        (Limit::Application, Some(Detail::PeerWindow)) => &["application-peer-window"],
        (Limit::Application, _) => &["application-paced"],
        (Limit::Path, Some(Detail::Policer)) => &["policer"],
        (Limit::Path, Some(Detail::AckQueue)) => &["acks-queued"],
        (Limit::Path, _) => &["path-busy"],
        (Limit::LossRecovery, _) => &["loss-recovery", "retransmission-timeouts"],
        (Limit::CongestionWindow, Some(Detail::DelayExit)) => &["congestion-window-delay-exit"],
        (Limit::CongestionWindow, Some(Detail::Paced)) => &["congestion-window-paced"],
        (Limit::CongestionWindow, _) => &["congestion-window-post-loss", "congestion-window-unknown"],
        (Limit::SlowStart, _) => &["slow-start-dominates"],
        (Limit::Handshake, _) => &["syn-retries"],
        (Limit::Unobserved | Limit::TailRtt, _) => &[],
    }
}

/// Fixes for `cause`: those of its finding, then those that its rule would propose.
pub(super) fn fixes(finding: Option<&Finding>, cause: Cause) -> Vec<Fix> {
    let mut fixes = finding.map_or_else(Vec::new, |finding| finding.fixes.clone());
    for fix in proposed(cause) {
        if fixes.iter().all(|known| known.id != fix.id) {
            fixes.push(fix);
        }
    }
    fixes
}

/// What the rule of `cause` would propose, as far as the lab can apply it.
pub(super) fn proposed(cause: Cause) -> Vec<Fix> {
    use tcpwhy_advice as advice;
    match (cause.limit, cause.detail) {
        (Limit::SendBuffer, _) => vec![advice::remove_so_sndbuf(), advice::raise_tcp_wmem(AMPLE)],
        (Limit::ReceiveWindow, Some(Detail::SlowReader | Detail::ZeroWindow)) => vec![advice::read_faster()],
        (Limit::ReceiveWindow, Some(Detail::NoWindowScale)) => vec![advice::enable_window_scaling()],
        (Limit::ReceiveWindow, Some(Detail::Ramp)) => vec![advice::reuse_connection()],
        (Limit::ReceiveWindow, Some(_)) => vec![advice::remove_so_rcvbuf(), advice::raise_tcp_rmem(AMPLE)],
        (Limit::ReceiveWindow, None) => vec![
            advice::remove_so_rcvbuf(),
            advice::raise_tcp_rmem(AMPLE),
            advice::enable_window_scaling(),
            advice::read_faster(),
        ],
        (Limit::AckDelay, _) => vec![advice::set_tcp_nodelay(), advice::coalesce_writes()],
        (Limit::Application, Some(Detail::PeerWindow)) => {
            vec![advice::raise_peer_window(AMPLE, advice::WindowedProtocol::Unknown)]
        }
        (Limit::Application, Some(Detail::PeerTurn)) => {
            vec![advice::profile_receiver(), advice::pipeline_requests(advice::Pipelined::Requests)]
        }
        (Limit::Application, _) => vec![advice::profile_application(), advice::write_more_ahead()],
        (Limit::Path, _) | (Limit::CongestionWindow, Some(Detail::Paced)) => vec![advice::raise_capacity()],
        (Limit::LossRecovery, Some(Detail::LostAcks)) => vec![advice::fix_ack_loss()],
        (Limit::LossRecovery, _) | (Limit::CongestionWindow, Some(Detail::PostLoss)) => {
            vec![advice::fix_loss(), advice::use_bbr()]
        }
        (Limit::CongestionWindow, _) => vec![advice::use_bbr()],
        (Limit::SlowStart, _) => vec![advice::reuse_connection(), advice::raise_initcwnd()],
        // Whatever dropped the SYNs: the lab cannot know whether it was the path or the host.
        (Limit::Handshake, _) => vec![advice::fix_loss()],
        (Limit::Unobserved | Limit::TailRtt, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever may be supposed has rules that exist, and what a change could remove has a fix.
    #[test]
    fn each_cause_has_a_rule_and_a_fix() {
        let ids: Vec<&str> = tcpwhy_analysis::RULES.iter().map(|rule| rule.id).collect();
        let plain = Limit::ALL.into_iter().map(Cause::plain);
        for cause in plain.chain(Detail::ALL.into_iter().map(Cause::from)) {
            for rule in rules(cause) {
                assert!(ids.contains(rule), "{cause}: {rule}");
            }
            assert!(!cause.is_removable() || !proposed(cause).is_empty(), "{cause}");
        }
    }
}
