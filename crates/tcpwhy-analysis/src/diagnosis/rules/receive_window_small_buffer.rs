//! The offered window is constant and small although the application reads promptly: the receive buffer was set, and with
//! that its autotuning turned off (`SOCK_RCVBUF_LOCK`, `tcp_rcv_space_adjust`), or `tcp_moderate_rcvbuf` is 0.
//!
//! At most one window can be under way in a round trip, so the rate is window / RTT. Autotuning would have grown the buffer
//! to about twice of what was read in a round trip once a whole window had been (Linux 6.18, `tcp_rcvbuf_grow`). From the
//! same SO_RCVBUF Linux makes different windows: before 6.6 by `tcp_adv_win_scale`, since then by the ratio of payload to
//! memory that it measures (`scaling_ratio`), so that a kernel update may halve or double the window.

use tcpwhy_model::{Detail, Finding, Limit, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred};
use crate::diagnosis::prediction::if_removed;
use crate::diagnosis::{Detect, Rule, advice};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-small-buffer",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, 0.05, |c| {
        // While autotuning was still opening the window there is no setting to blame, only the same wait.
        c.limit == Limit::ReceiveWindow && matches!(c.detail, Some(Detail::SmallBuffer) | None)
    })?;
    finding.evidence.push(exact("window_bytes", facts.window_max));
    finding.evidence.extend(facts.rtt_evidence());
    if let Some(flight) = facts.flight {
        finding.evidence.push(inferred("flight_max_bytes", flight.max));
    }
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred("window_rate_bits_per_s", facts.window_max as f64 * 8.0 / rtt));
    }
    finding.fixes =
        vec![advice::remove_so_rcvbuf(), advice::raise_so_rcvbuf(facts.wanted_window(facts.window_max))];
    finding.prediction = if_removed(facts, Detail::SmallBuffer.into());
    Some(finding)
}
