//! What explains the verdict on a live connection, and what to change: the rules of captures and of hosts,
//! from what the kernel says.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{Basis, Cause, Detail, Evidence, EvidenceKey, Finding, Fix, Limit, Value};

use super::thresholds::{BITS, LARGER_BUFFER, MICROSECOND};
use tcpwhy_analysis::Verdict;

/// The finding that explains `verdict`; `None` where nothing held the direction back.
pub fn explain(verdict: &Verdict, socket: &SocketSample) -> Option<Finding> {
    let (cause, severity) = verdict.cause.zip(verdict.severity)?;
    let (rule, fixes) = rule(cause, verdict, socket)?;
    let seen = verdict.meanwhile;
    let (info, memory) = (&socket.info, &socket.memory);
    let evidence = match cause.limit {
        Limit::SendBuffer => vec![
            (EvidenceKey::PlateauBytes, seen.flight),
            (EvidenceKey::WindowBytes, seen.window),
            (EvidenceKey::RttUs, seen.rtt.map(|nanos| nanos / MICROSECOND)),
            (EvidenceKey::BufferBytes, memory.send_buffer),
        ],
        Limit::Path => {
            vec![(EvidenceKey::RttMinUs, info.min_rtt), (EvidenceKey::RttUs, seen.rtt.map(|nanos| nanos / MICROSECOND))]
        }
        Limit::ReceiveWindow => {
            vec![
                (EvidenceKey::WindowBytes, seen.window),
                (EvidenceKey::RttUs, seen.rtt.map(|nanos| nanos / MICROSECOND)),
                (EvidenceKey::UnreadBytes, Some(socket.receive_queue)),
            ]
        }
        _ if cause.detail == Some(Detail::Paced) => {
            vec![(EvidenceKey::RateBitsPerS, info.max_pacing_rate.map(|rate| rate.saturating_mul(BITS)))]
        }
        Limit::CongestionWindow => {
            vec![
                (EvidenceKey::FlightBytes, seen.flight),
                (EvidenceKey::RttUs, seen.rtt.map(|nanos| nanos / MICROSECOND)),
            ]
        }
        _ => vec![(EvidenceKey::RttUs, info.rtt)],
    };
    let known = evidence.into_iter().filter_map(|(key, value)| Some((key, value.filter(|&value| value > 0)?)));
    let reported = |(key, value)| Evidence { key, value: Value::from(value), basis: Basis::KernelReported };
    Some(Finding {
        rule,
        severity,
        confidence: verdict.confidence,
        seconds: Some(verdict.seconds),
        evidence: known.map(reported).collect(),
        fixes,
        prediction: None,
    })
}

/// The rule that has the words for a cause seen in the kernel, with what to change.
fn rule(cause: Cause, verdict: &Verdict, socket: &SocketSample) -> Option<(&'static str, Vec<Fix>)> {
    Some(match (cause.limit, cause.detail) {
        (Limit::SendBuffer, _) => ("send-buffer-plateau", for_send_buffer(verdict, socket)),
        (_, Some(Detail::SlowReader)) => {
            ("slow-reader", vec![tcpwhy_advice::read_faster(), tcpwhy_advice::profile_receiver()])
        }
        (_, Some(Detail::ZeroWindow)) => ("socket-peer-window-closed", vec![tcpwhy_advice::read_faster()]),
        (_, Some(Detail::NoWindowScale)) => ("receive-window-no-scaling", vec![tcpwhy_advice::enable_window_scaling()]),
        (Limit::ReceiveWindow, _) => {
            ("socket-peer-window", vec![tcpwhy_advice::remove_so_rcvbuf(), tcpwhy_advice::read_faster()])
        }
        (_, Some(Detail::Nagle)) => {
            ("nagle-delayed-ack", vec![tcpwhy_advice::set_tcp_nodelay(), tcpwhy_advice::coalesce_writes()])
        }
        (_, Some(Detail::Cork)) => ("socket-corked", vec![tcpwhy_advice::uncork(), tcpwhy_advice::coalesce_writes()]),
        (Limit::AckDelay, _) => ("delayed-ack", vec![tcpwhy_advice::quickack()]),
        (_, Some(Detail::Rto)) => {
            ("retransmission-timeouts", vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::enable_loss_probes()])
        }
        (Limit::LossRecovery, _) => ("loss-recovery", vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::use_bbr()]),
        (_, Some(Detail::Queue)) => {
            ("bufferbloat", vec![tcpwhy_advice::fix_queue_aqm(), tcpwhy_advice::raise_capacity()])
        }
        (Limit::Path, _) => ("path-busy", vec![tcpwhy_advice::raise_capacity()]),
        (_, Some(Detail::PostLoss)) => {
            ("congestion-window-post-loss", vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::use_bbr()])
        }
        (_, Some(Detail::DelayExit)) => ("congestion-window-delay-exit", vec![tcpwhy_advice::disable_hystart()]),
        (_, Some(Detail::Paced)) if socket.info.max_pacing_rate.is_some() => {
            ("socket-pacing-rate-set", vec![tcpwhy_advice::raise_max_pacing_rate()])
        }
        (_, Some(Detail::Paced)) => ("congestion-window-paced", vec![]),
        (Limit::SlowStart, _) => {
            ("slow-start-dominates", vec![tcpwhy_advice::reuse_connection(), tcpwhy_advice::raise_initcwnd()])
        }
        (_, Some(Detail::Think)) => ("application-think", vec![tcpwhy_advice::profile_application()]),
        (_, Some(Detail::PacedWrites)) => ("application-paced", vec![tcpwhy_advice::write_more_ahead()]),
        (_, Some(Detail::Idle)) => ("application-idle", vec![tcpwhy_advice::profile_application()]),
        (_, Some(Detail::SynRto)) => {
            ("syn-retries", vec![tcpwhy_advice::check_listener(), tcpwhy_advice::check_firewall()])
        }
        _ => return None,
    })
}

/// By whether the application has set the buffer, as far as that could be seen.
fn for_send_buffer(verdict: &Verdict, socket: &SocketSample) -> Vec<Fix> {
    let enough =
        verdict.meanwhile.window.unwrap_or_default().max(socket.memory.send_buffer.unwrap_or_default() * LARGER_BUFFER);
    let set = || vec![tcpwhy_advice::remove_so_sndbuf(), tcpwhy_advice::raise_so_sndbuf(enough)];
    match socket.locks {
        Some(locks) if locks.send => set(),
        Some(_) => vec![tcpwhy_advice::raise_tcp_wmem(enough)],
        None => set().into_iter().chain([tcpwhy_advice::raise_tcp_wmem(enough)]).collect(),
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::BufferLocks;
    use tcpwhy_model::{Limit, Severity};

    use super::*;
    use tcpwhy_analysis::Meanwhile;
    use tcpwhy_analysis::RULES;
    use tcpwhy_analysis::advise::explains;
    use tcpwhy_audit::checks;

    fn verdict(cause: Cause) -> Verdict {
        Verdict {
            cause: Some(cause),
            confidence: 0.9,
            seconds: 1.0,
            severity: Some(Severity::Critical),
            alternative: None,
            reason: None,
            meanwhile: Meanwhile { flight: Some(16_000), window: Some(3_000_000), rtt: Some(20_000_000) },
            flips: None,
        }
    }

    #[test]
    fn every_cause_has_a_rule_that_exists() {
        let socket = SocketSample::default();
        for cause in Limit::ALL.map(Cause::plain).into_iter().chain(Detail::ALL.map(Cause::from)) {
            let Some(finding) = explain(&verdict(cause), &socket) else {
                let neutral = matches!(cause.limit, Limit::Unobserved | Limit::Handshake | Limit::TailRtt)
                    || matches!(cause.limit, Limit::Application | Limit::CongestionWindow);
                assert!(neutral, "{cause}");
                continue;
            };
            let is_known = RULES.iter().any(|r| r.id == finding.rule) || checks().any(|c| c.id == finding.rule);
            assert!(is_known, "{}", finding.rule);
            // Fixes of the first lines belong to the cause that they name. A queue is a finding besides all
            // limits.
            let is_beside = finding.rule == "bufferbloat";
            assert!(is_beside || explains(&finding, &verdict(cause)), "{cause}: {}", finding.rule);
        }
        let healthy = Verdict { severity: None, ..verdict(Detail::Idle.into()) };
        assert_eq!(explain(&healthy, &socket), None);
    }

    #[test]
    fn the_fix_depends_on_who_set_the_buffer() {
        let first = |send: Option<bool>| {
            let locks = send.map(|send| BufferLocks { send, receive: false });
            let socket = SocketSample { locks, ..SocketSample::default() };
            explain(&verdict(Cause::plain(Limit::SendBuffer)), &socket).unwrap().fixes[0].id
        };
        assert_eq!(
            [Some(true), Some(false), None].map(first),
            ["remove-so-sndbuf", "raise-tcp-wmem", "remove-so-sndbuf"]
        );
    }
}
