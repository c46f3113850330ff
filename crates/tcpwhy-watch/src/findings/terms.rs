//! Each cause with its rule, its fixes and the numbers that show it. A test fails if two are swapped.

use tcpwhy_advice as advice;
use tcpwhy_analysis::Meanwhile;
use tcpwhy_model::Severity;
use tcpwhy_model::host::BufferLocks;

use super::*;

fn verdict(cause: Cause, flight: Option<u64>, window: Option<u64>, rtt: Option<u64>) -> Verdict {
    Verdict {
        cause: Some(cause),
        confidence: 0.75,
        seconds: 1.5,
        severity: Some(Severity::Warning),
        alternative: None,
        reason: None,
        meanwhile: Meanwhile { flight, window, rtt },
        flips: None,
    }
}

/// A socket of which each number has its own value.
fn socket() -> SocketSample {
    let mut socket = SocketSample { receive_queue: 6, ..SocketSample::default() };
    socket.memory.send_buffer = Some(7);
    (socket.info.min_rtt, socket.info.rtt, socket.info.max_pacing_rate) = (Some(8), Some(9), Some(10));
    socket
}

/// The rule, the ids of its fixes, and the numbers that show a cause.
#[test]
fn each_cause_has_its_rule_fixes_and_numbers() {
    use EvidenceKey as Key;
    let plain = Cause::plain;
    let rtt = (Key::RttUs, 3_u64);
    let flight = || vec![(Key::FlightBytes, 1), rtt];
    let window = || vec![(Key::WindowBytes, 2), rtt, (Key::UnreadBytes, 6)];
    let path = || vec![(Key::RttMinUs, 8), rtt];
    let other = || vec![(Key::RttUs, 9)];
    let buffer = vec![(Key::PlateauBytes, 1), (Key::WindowBytes, 2), rtt, (Key::BufferBytes, 7)];
    for (cause, rule, fixes, evidence) in [
        (plain(Limit::SendBuffer), "send-buffer-plateau", "remove-so-sndbuf raise-so-sndbuf raise-tcp-wmem", buffer),
        (Detail::SlowReader.into(), "slow-reader", "read-faster profile-receiver", window()),
        (Detail::ZeroWindow.into(), "socket-peer-window-closed", "read-faster", window()),
        (Detail::NoWindowScale.into(), "receive-window-no-scaling", "enable-window-scaling", window()),
        (plain(Limit::ReceiveWindow), "socket-peer-window", "remove-so-rcvbuf read-faster", window()),
        (Detail::Nagle.into(), "nagle-delayed-ack", "set-tcp-nodelay coalesce-writes", other()),
        (Detail::Cork.into(), "socket-corked", "uncork coalesce-writes", other()),
        (plain(Limit::AckDelay), "delayed-ack", "quickack", other()),
        (Detail::Rto.into(), "retransmission-timeouts", "fix-loss enable-loss-probes", other()),
        (Detail::Fast.into(), "loss-recovery", "fix-loss use-bbr", other()),
        (Detail::Queue.into(), "bufferbloat", "fix-queue-aqm raise-capacity", path()),
        (plain(Limit::Path), "path-busy", "raise-capacity", path()),
        (Detail::PostLoss.into(), "congestion-window-post-loss", "fix-loss use-bbr", flight()),
        (Detail::DelayExit.into(), "congestion-window-delay-exit", "disable-hystart", flight()),
        (Detail::Paced.into(), "socket-pacing-rate-set", "raise-max-pacing-rate", vec![(Key::RateBitsPerS, 80)]),
        (plain(Limit::SlowStart), "slow-start-dominates", "reuse-connection raise-initcwnd", other()),
        (Detail::Think.into(), "application-think", "profile-application", other()),
        (Detail::PacedWrites.into(), "application-paced", "write-more-ahead", other()),
        (Detail::Idle.into(), "application-idle", "profile-application", other()),
        (Detail::SynRto.into(), "syn-retries", "check-listener check-firewall", other()),
    ] {
        let found = explain(&verdict(cause, Some(1), Some(2), Some(3999)), &socket()).unwrap();
        assert_eq!(found.rule, rule, "{cause}");
        let ids: Vec<&str> = found.fixes.iter().map(|fix| fix.id).collect();
        assert_eq!(ids.join(" "), fixes, "{cause}");
        let expected: Vec<_> =
            evidence.into_iter().map(|(key, value)| (key, Value::from(value), Basis::KernelReported)).collect();
        let shown: Vec<_> = found.evidence.into_iter().map(|e| (e.key, e.value, e.basis)).collect();
        assert_eq!(shown, expected, "{cause}");
        assert_eq!((found.severity, found.seconds), (Severity::Warning, Some(1.5)), "{cause}");
        assert!((found.confidence - 0.75).abs() < 1e-9, "{cause}");
    }
}

#[test]
fn causes_without_a_rule_and_verdicts_without_a_cause_have_no_finding() {
    let of = |verdict: &Verdict| explain(verdict, &socket());
    for cause in [Detail::PeerTurn.into(), Detail::Other.into(), Detail::PeerWindow.into()] {
        assert_eq!(of(&verdict(cause, None, None, None)), None, "{cause}");
    }
    let seen = verdict(Cause::plain(Limit::SendBuffer), None, None, None);
    assert_eq!(of(&Verdict { cause: None, ..seen.clone() }), None);
    assert_eq!(of(&Verdict { severity: None, ..seen }), None);
}

/// A rate that nobody has set has no change; a number that is not known is not shown.
#[test]
fn numbers_that_are_not_known_are_not_shown() {
    let mut unset = socket();
    unset.info.max_pacing_rate = None;
    let paced = explain(&verdict(Detail::Paced.into(), None, None, None), &unset).unwrap();
    assert_eq!((paced.rule, paced.fixes, paced.evidence), ("congestion-window-paced", vec![], vec![]));
    let cause = Cause::plain(Limit::CongestionWindow);
    assert_eq!(explain(&verdict(cause, Some(1), None, Some(3000)), &unset), None);
    let zero = explain(&verdict(Detail::PostLoss.into(), Some(0), None, Some(3000)), &unset).unwrap();
    assert_eq!(zero.evidence.iter().map(|e| e.key).collect::<Vec<_>>(), [EvidenceKey::RttUs], "0 is no number");
}

/// The buffer that is proposed: the peer's largest window, and no less than twice today's buffer.
#[test]
fn a_proposed_buffer_is_twice_todays_at_least() {
    for (what, window, buffer, enough) in [
        ("the peer's window is larger", Some(4 << 20), Some(64 << 10), 4 << 20),
        ("the peer's window is smaller than twice today's", Some(100 << 10), Some(64 << 10), 128 << 10),
        ("the peer's window is not known", None, Some(64 << 10), 128 << 10),
        ("today's buffer is not known", Some(4 << 20), None, 4 << 20),
    ] {
        let mut socket = socket();
        socket.memory.send_buffer = buffer;
        let verdict = verdict(Cause::plain(Limit::SendBuffer), None, window, None);
        let mut fixes = |send: Option<bool>| {
            socket.locks = send.map(|send| BufferLocks { send, receive: !send });
            explain(&verdict, &socket).unwrap().fixes
        };
        let set = [advice::remove_so_sndbuf(), advice::raise_so_sndbuf(enough)];
        let not_set = [advice::raise_tcp_wmem(enough)];
        assert_eq!(fixes(Some(true)), set, "{what}: set by the program");
        assert_eq!(fixes(Some(false)), not_set, "{what}: not set by the program");
        assert_eq!(fixes(None), [&set[..], &not_set[..]].concat(), "{what}: nobody asked");
    }
}
