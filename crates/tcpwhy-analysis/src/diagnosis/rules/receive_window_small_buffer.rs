//! The offered window is constant and small although the application reads promptly. Either the program set
//! the receive buffer, which turns its autotuning off (`SOCK_RCVBUF_LOCK`, `tcp_rcv_space_adjust`), or
//! `tcp_moderate_rcvbuf` is 0.
//!
//! At most one window can be in flight per round trip, so the rate is window / RTT. Autotuning would have
//! grown the buffer to about twice the data read in a round trip (Linux 6.18, `tcp_rcvbuf_grow`). The same
//! `SO_RCVBUF` gives different windows: before Linux 6.6 by `tcp_adv_win_scale`, since then by the measured
//! ratio of payload to memory (`scaling_ratio`). So a kernel update may halve or double the window.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use super::buffers_alike::without_one;
use crate::diagnosis::buffer_source::{BufferSource, receive_buffer_fixes};
use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};
use crate::thresholds::{SHRUNK, part};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-small-buffer",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::SmallBuffer))?;
    let window = window(facts);
    finding.evidence.push(exact(EvidenceKey::WindowBytes, window));
    finding.evidence.extend(facts.half_window_evidence());
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::ReceiveWindow));
    if let Some(flight) = facts.half.flight {
        finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    }
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::WindowRateBitsPerS, window as f64 * 8.0 / rtt));
    }
    finding.fixes = receive_buffer_fixes(facts, facts.wanted_window(window), false);
    if may_be_stuck(facts) {
        finding.fixes.push(tcpwhy_advice::update_receiver_kernel());
    }
    finding.prediction = without_one(facts, Detail::SmallBuffer.into());
    Some(finding)
}

/// The largest window, or that of the present buffer if the first windows were much larger, bytes.
fn window(facts: &HalfFacts<'_>) -> u64 {
    let largest = facts.half.window_max();
    facts.window(Limit::ReceiveWindow).filter(|&held| part(held, largest) < SHRUNK).unwrap_or(largest)
}

/// Largest MSS without jumbo frames: an MTU of 2,000 less the headers of IPv4 and TCP.
const JUMBO_MSS: u16 = 1960;
/// The largest window that a SYN can offer (RFC 7323 §2.2).
const LARGEST_UNSCALED: u64 = 65_535;

/// Whether the receiver may have a kernel whose autotuning never starts with jumbo frames (a337531b942b;
/// Linux 4.19.86 to 4.19.163, 4.20 to 5.9.15). Its scale allows a larger window, but the window stays at that
/// of the SYN.
fn may_be_stuck(facts: &HalfFacts<'_>) -> bool {
    let is_windows = matches!(BufferSource::of(facts), BufferSource::WindowsProgram | BufferSource::WindowsLevel);
    !is_windows
        && facts.receiver_syn.is_some_and(|syn| {
            let is_jumbo = syn.mss.is_some_and(|mss| mss > JUMBO_MSS);
            let may_grow = syn.window_scale.is_some_and(|scale| scale > 0);
            is_jumbo && may_grow && facts.half.window_max() <= LARGEST_UNSCALED
        })
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, ReceiveBuffer, Transfer, mbit};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn small() -> Transfer {
        Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(0), ..Transfer::default() }
    }

    #[test]
    fn a_constant_window_that_is_full() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &small().captured_at(capture).run());
            assert_eq!(finding.severity, Severity::Critical);
            assert!((60_000.0..=64_000.0).contains(&number(&finding, "window_bytes")), "{finding:?}");
            assert_eq!(fixes(&finding), ["remove-so-rcvbuf", "raise-so-rcvbuf"]);
        }
    }

    /// `SO_RCVBUF` of 64 kB would have made the scale 0.
    #[test]
    fn a_scale_of_more_than_the_buffer_is_that_of_a_sysctl() {
        let finding = fires(RULE.id, &Transfer { window_scale: Some(7), ..small() }.run());
        assert_eq!(fixes(&finding), ["raise-tcp-rmem"]);
    }

    /// As 72d05c00d7ec describes it: a window of 56,596 bytes with an MSS of 8,948, independent of the data
    /// read.
    #[test]
    fn a_window_that_never_grew_with_jumbo_frames() {
        let jumbo = |mss, window| Transfer { mss, receive_buffer: ReceiveBuffer::Fixed(window), ..small() };
        let is_named = |t: Transfer| fixes(&fires(RULE.id, &t.run())).contains(&"update-receiver-kernel");
        assert!(is_named(Transfer { window_scale: Some(7), ..jumbo(8948, 56_596) }));
        assert!(!is_named(Transfer { window_scale: Some(7), ..jumbo(1448, 56_596) }));
        assert!(!is_named(Transfer { window_scale: Some(0), ..jumbo(8948, 56_596) }));
    }

    #[test]
    fn two_segments_in_a_window_of_two_and_a_half() {
        let t =
            Transfer { bytes: 144_800, receive_buffer: ReceiveBuffer::Fixed(3456), window_scale: Some(0), ..small() };
        let flight = number(&fires(RULE.id, &t.run()), "flight_max_bytes");
        assert!((flight - 2896.0).abs() < 1.0, "{flight}");
    }

    /// `SO_RCVBUF` of 256 KiB set after `connect()`: the scale is that of the defaults.
    #[test]
    fn what_the_packets_leave_open_stands_side_by_side() {
        let late = Transfer {
            bytes: 8_000_000,
            receive_buffer: ReceiveBuffer::Growing { from: 65_160, most: 190_000 },
            window_scale: Some(7),
            ..Transfer::default()
        };
        let finding = fires(RULE.id, &late.run());
        assert_eq!(fixes(&finding), ["remove-so-rcvbuf", "raise-tcp-rmem", "check-receive-buffer", "raise-so-rcvbuf"]);
        assert_eq!(finding.fixes.iter().map(|fix| fix.is_rival).collect::<Vec<_>>(), [false, true, false, false]);
    }

    #[test]
    fn a_window_that_only_a_queue_fills() {
        let t = Transfer {
            bytes: 12_000_000,
            receive_buffer: ReceiveBuffer::Fixed(512_000),
            rate: Some(mbit(20)),
            window_scale: Some(4),
            ..small()
        };
        is_silent(RULE.id, &t.run());
        is_silent(RULE.id, &Transfer { send_buffer: Some(30_000), ..Transfer::default() }.run());
    }
}
