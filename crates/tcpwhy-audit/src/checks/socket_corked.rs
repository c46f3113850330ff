//! Connections whose program made the kernel delay a partial segment.
//!
//! Source (Linux 6.18): `tcp_nagle_check` delays a partial segment while `TCP_NAGLE_CORK` is set, `tcp_push`
//! after a write with `MSG_MORE`. `tcp_check_probe_timer` sends it after the retransmission timeout, at least
//! 200 ms.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-corked", severity: Severity::Info, needs: crate::needs::DETAILS, detect };

/// Least time since the last write, ms; a shorter one may belong to a write that is just being sent.
const LEAST_KEPT: u64 = 10;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let kept: Vec<(&SocketSample, u64)> = facts.connections().filter_map(|s| Some((s, kept(s)?))).collect();
    let Some(&(first, bytes)) = kept.first() else { return vec![] };
    // `MSG_MORE` has the same symptoms as `TCP_CORK`.
    let mut finding = finding(&CHECK, Severity::Info, 0.8);
    finding.evidence = Vec::from_iter(process(&first.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, kept.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", first.local, first.peer))),
        reported(EvidenceKey::WaitingBytes, bytes),
    ]);
    finding.fixes = vec![tcpwhy_advice::uncork(), tcpwhy_advice::coalesce_writes()];
    vec![finding]
}

/// Bytes that are delayed although nothing is in flight and both windows have room for them.
fn kept(socket: &SocketSample) -> Option<u64> {
    let info = &socket.info;
    let (unsent, mss) = (info.notsent_bytes?, info.snd_mss?);
    let is_kept = unsent > 0
        && unsent < mss
        && info.unacked? == 0
        && info.snd_wnd.is_none_or(|window| window >= unsent)
        && info.last_data_sent? >= LEAST_KEPT;
    is_kept.then_some(unsent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, number};

    fn socket(change: impl FnOnce(&mut SocketSample)) -> SocketSample {
        let mut socket = connection();
        let info = &mut socket.info;
        (info.notsent_bytes, info.unacked, info.snd_mss, info.snd_wnd) = (Some(600), Some(0), Some(1448), Some(60_000));
        info.last_data_sent = Some(150);
        change(&mut socket);
        socket
    }

    #[test]
    fn less_than_a_segment_waits_for_nothing_else() {
        let finding = Host::with_defaults("6.12").socket(socket(|_| ())).fires(CHECK.id);
        assert!((number(&finding, "waiting_bytes") - 600.0).abs() < 0.1);
        assert_eq!(finding.fixes[0].id, "uncork");
    }

    #[test]
    fn what_waits_for_something_is_not_kept() {
        type Change = fn(&mut SocketSample);
        for (what, change) in [
            ("nothing unsent", (|s| s.info.notsent_bytes = Some(0)) as Change),
            ("a segment", |s| s.info.notsent_bytes = Some(1448)),
            ("Nagle's algorithm", |s| s.info.unacked = Some(1)),
            ("the peer's window", |s| s.info.snd_wnd = Some(599)),
            ("just written", |s| s.info.last_data_sent = Some(9)),
        ] {
            let host = Host::with_defaults("6.12").socket(socket(change));
            println!("{what}");
            host.is_silent(CHECK.id);
        }
    }
}
