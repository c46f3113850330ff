//! Connections that retransmit much of what they send, or have lost segments now.
//!
//! Source: `tcpi_bytes_retrans` over `tcpi_bytes_sent` (Linux 4.19), which includes the retransmissions but
//! no SYNs; before that `tcpi_total_retrans` over `tcpi_data_segs_out`. `tcpi_lost` (`tcp_timeout_mark_lost`,
//! `tcp_rack_mark_lost`) counts segments that the sender now regards as lost. A busy host always repairs some
//! loss, so that alone is a note.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::socket_backoff::doublings;
use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::shares::{MUCH_RETRANSMITTED, Proportion};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-retransmissions", severity: Severity::Warning, needs: crate::needs::DETAILS, detect };

/// Chosen: a connection that retransmitted a fifth of its data is not healthy, however few segments it sent.
const A_LOT: f64 = 0.2;
/// Chosen: one retransmission among four segments is a share of 25 %, but chance.
const LEAST_REPEATED: u64 = 2;

/// A connection that retransmits.
struct Retransmitting<'a> {
    socket: &'a SocketSample,
    severity: Severity,
    /// Retransmitted share, if it is large.
    share: Option<Proportion>,
    /// Segments lost now.
    lost: u64,
}

impl<'a> Retransmitting<'a> {
    fn of(socket: &'a SocketSample) -> Option<Self> {
        let share = retransmitted(socket)
            .filter(|p| p.is_above(MUCH_RETRANSMITTED) || (p.share() >= A_LOT && p.part >= LEAST_REPEATED));
        let is_sure = share.is_some_and(|p| p.is_above(MUCH_RETRANSMITTED));
        // Connections that wait for a timeout have a check of their own.
        let lost = socket.info.lost.filter(|_| doublings(socket).is_none()).unwrap_or(0);
        let severity = if is_sure { Severity::Warning } else { Severity::Info };
        (share.is_some() || lost > 0).then_some(Self { socket, severity, share, lost })
    }

    /// Sort key of the worst connection: severity, retransmitted segments, lost segments.
    fn weight(&self) -> (Severity, u64, u64) {
        (self.severity, self.share.map_or(0, |share| share.part), self.lost)
    }
}

/// Retransmitted segments as a share of segments with data.
fn retransmitted(socket: &SocketSample) -> Option<Proportion> {
    let info = &socket.info;
    // `ss` omits counters that are 0.
    let bytes = info.bytes_sent.filter(|&sent| sent > 0).zip(info.bytes_retrans);
    let Some((sent, again)) = bytes else {
        let of = info.data_segs_out.or(info.segs_out)?;
        return Some(Proportion { part: info.total_retrans?, of });
    };
    // Bytes are converted to segments, because their number decides whether a share is significant.
    let segments = info.data_segs_out.or_else(|| Some(sent / info.snd_mss.filter(|&mss| mss > 0)?));
    let of = segments?.max(1);
    let part = (again as f64 / sent as f64 * of as f64).round() as u64;
    Some(Proportion { part: part.max(u64::from(again > 0)), of })
}

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let all: Vec<_> = facts.connections().filter_map(Retransmitting::of).collect();
    let Some(worst) = all.iter().max_by_key(|one| one.weight()) else { return vec![] };
    let socket = worst.socket;
    let mut finding = finding(&CHECK, worst.severity, 0.85);
    finding.evidence = Vec::from_iter(process(&socket.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, all.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", socket.local, socket.peer))),
    ]);
    if let Some(share) = worst.share {
        finding.evidence.extend([
            derived(EvidenceKey::RetransmittedShare, share.share()),
            derived(EvidenceKey::RetransmittedCount, share.part),
            reported(EvidenceKey::SentCount, share.of),
        ]);
    }
    finding.evidence.extend(Some(worst.lost).filter(|&n| n > 0).map(|n| reported(EvidenceKey::LostCount, n)));
    finding.fixes = vec![tcpwhy_advice::fix_loss(), tcpwhy_advice::enable_loss_probes()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, number};

    fn sender(segments: u64, sent: u64, again: u64) -> SocketSample {
        let mut socket = connection();
        let info = &mut socket.info;
        (info.data_segs_out, info.bytes_sent, info.bytes_retrans) = (Some(segments), Some(sent), Some(again));
        socket
    }

    fn host(socket: SocketSample) -> Host {
        Host::with_defaults("6.12").socket(connection()).socket(socket)
    }

    /// `MUCH_RETRANSMITTED` with 95 % confidence of at least 100 segments: 4 of 100 are enough, 2 are not.
    #[test]
    fn a_share_above_one_percent_is_a_warning() {
        assert_eq!(host(sender(100, 100_000, 4_000)).fires(CHECK.id).severity, Severity::Warning);
        host(sender(100, 100_000, 2_000)).is_silent(CHECK.id);
        host(sender(10_000, 10_000_000, 100_000)).is_silent(CHECK.id);
        let finding = host(sender(1_000, 1_000_000, 210_000)).fires(CHECK.id);
        assert!((number(&finding, "retransmitted_share") - 0.21).abs() < 1e-9, "{finding:?}");
        assert!((number(&finding, "retransmitted_count") - 210.0).abs() < 1e-9, "{finding:?}");
    }

    /// `A_LOT`: a fifth of a few segments is a note, a smaller share is chance.
    #[test]
    fn a_fifth_of_little_is_a_note() {
        assert_eq!(host(sender(10, 10_000, 2_000)).fires(CHECK.id).severity, Severity::Info);
        host(sender(10, 10_000, 1_000)).is_silent(CHECK.id);
        host(sender(10, 10_000, 0)).is_silent(CHECK.id);
        host(sender(4, 4_000, 1_000)).is_silent(CHECK.id);
    }

    /// Kernels before 4.19 count only segments; the output of `ss` on others omits zeros.
    #[test]
    fn kernels_that_count_segments_alone() {
        let mut socket = connection();
        (socket.info.total_retrans, socket.info.data_segs_out) = (Some(30), Some(1_000));
        assert_eq!(host(socket.clone()).fires(CHECK.id).severity, Severity::Warning);
        (socket.info.data_segs_out, socket.info.segs_out) = (None, Some(1_000));
        host(socket.clone()).fires(CHECK.id);
        socket.info.total_retrans = None;
        host(socket).is_silent(CHECK.id);
        // Three SYNs contain no data.
        let mut connected = sender(20, 20_000, 0);
        connected.info.total_retrans = Some(3);
        host(connected).is_silent(CHECK.id);
    }

    #[test]
    fn lost_now_is_a_note() {
        let mut socket = sender(10_000, 10_000_000, 1_000);
        socket.info.lost = Some(1);
        let finding = host(socket.clone()).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Info);
        assert!((number(&finding, "lost_count") - 1.0).abs() < 1e-9);
        // This connection belongs to the other check.
        (socket.info.backoff, socket.info.unacked) = (Some(3), Some(4));
        host(socket).is_silent(CHECK.id);
    }

    #[test]
    fn the_worst_is_named() {
        let mut other = sender(1_000, 1_000_000, 500_000);
        other.local.port = Some(99);
        let finding = host(sender(1_000, 1_000_000, 50_000)).socket(other).fires(CHECK.id);
        assert!((number(&finding, "retransmitted_share") - 0.5).abs() < 1e-9);
        assert!((number(&finding, "socket_count") - 2.0).abs() < 1e-9);
    }
}
