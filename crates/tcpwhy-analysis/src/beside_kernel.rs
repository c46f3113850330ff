//! Merges a connection with the kernel's data about it. Kernel and packets together give its verdicts, and
//! fixes that its sockets refute are removed.

use tcpwhy_model::{Finding, Fix, LimitTimeline};

use crate::exchanges::Transfers;
use crate::kernel_view::KernelView;
use crate::outcome::{Connection, HalfConnection, Verdict};
use crate::side::Side;

/// A direction according to kernel and packets together.
#[derive(Clone, Debug)]
pub struct MergedHalf {
    /// The sender.
    pub sender: Side,
    /// Time by cause.
    pub limits: LimitTimeline,
    /// Verdict on this timeline.
    pub verdict: Verdict,
    /// The finding that explains the verdict, and further findings.
    pub findings: Vec<Finding>,
}

/// Data of a recording about a connection, apart from its packets.
#[derive(Clone, Debug)]
pub struct KernelRecord {
    /// The kernel's data about the connection.
    pub view: KernelView,
    /// The directions that this data changes.
    pub merged: Vec<MergedHalf>,
}

impl KernelRecord {
    /// Attaches the view to `connection`, changes its directions, and removes the fixes that its sockets
    /// refute.
    pub fn beside(self, connection: &mut Connection) {
        let Self { view, merged } = self;
        merge(connection, merged);
        let locks = |side: Side| view.sockets.iter().find(|socket| socket.side == side)?.locks;
        for half in &mut connection.halves {
            let (sender, receiver) = (locks(half.sender), locks(half.sender.peer()));
            for finding in &mut half.findings {
                keep_possible(&mut finding.fixes, sender.map(|locks| locks.send), &SEND_FIXES);
                keep_possible(&mut finding.fixes, receiver.map(|locks| locks.receive), &RECEIVE_FIXES);
            }
        }
        connection.kernel = Some(Box::new(view));
    }
}

/// Replaces the results from packets alone with `merged`. The exchanges take the time of their transfers from
/// it.
fn merge(connection: &mut Connection, merged: Vec<MergedHalf>) {
    if merged.is_empty() {
        return;
    }
    for MergedHalf { sender, limits, verdict, findings } in merged {
        if let Some(half) = connection.halves.iter_mut().find(|half| half.sender == sender) {
            (half.limits, half.verdict, half.findings) = (limits, verdict, findings);
        }
    }
    if let Some(exchanges) = connection.exchanges.as_deref_mut() {
        let half = |side: Side| connection.halves.iter().find(|half: &&HalfConnection| half.sender == side);
        let transfers = Transfers { requests: half(exchanges.client), answers: half(exchanges.client.peer()) };
        transfers.split_again(exchanges);
    }
}

/// Fixes of a buffer: for a program that has set it, for one that has not, and to find out.
struct BufferFixes {
    set: [&'static str; 2],
    not_set: &'static str,
    find_out: &'static str,
}

const SEND_FIXES: BufferFixes = BufferFixes {
    set: ["remove-so-sndbuf", "raise-so-sndbuf"],
    not_set: "raise-tcp-wmem",
    find_out: "check-send-buffer",
};
const RECEIVE_FIXES: BufferFixes = BufferFixes {
    set: ["remove-so-rcvbuf", "raise-so-rcvbuf"],
    not_set: "raise-tcp-rmem",
    find_out: "check-receive-buffer",
};

/// Removes fixes that cannot help, if it is known whether the program `has_set` the buffer. The last
/// remaining fix stays.
fn keep_possible(fixes: &mut Vec<Fix>, has_set: Option<bool>, of: &BufferFixes) {
    let Some(has_set) = has_set else { return };
    let is_possible = |fix: &Fix| {
        let is_refuted = if has_set { fix.id == of.not_set } else { of.set.contains(&fix.id) };
        !is_refuted && fix.id != of.find_out
    };
    if !fixes.iter().any(is_possible) || fixes.iter().all(is_possible) {
        return;
    }
    fixes.retain(is_possible);
    // The first fix is not an alternative.
    if let Some(first) = fixes.first_mut() {
        first.is_rival = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_socket_refutes_is_no_fix() {
        let all = || {
            vec![
                tcpwhy_advice::remove_so_sndbuf(),
                tcpwhy_advice::raise_tcp_wmem(1 << 20).as_rival(),
                tcpwhy_advice::check_send_buffer(),
                tcpwhy_advice::raise_so_sndbuf(1 << 20),
                tcpwhy_advice::use_bbr(),
            ]
        };
        for (has_set, expected) in [
            (None, &["remove-so-sndbuf", "raise-tcp-wmem", "check-send-buffer", "raise-so-sndbuf", "use-bbr"][..]),
            (Some(true), &["remove-so-sndbuf", "raise-so-sndbuf", "use-bbr"]),
            (Some(false), &["raise-tcp-wmem", "use-bbr"]),
        ] {
            let mut fixes = all();
            keep_possible(&mut fixes, has_set, &SEND_FIXES);
            assert_eq!(fixes.iter().map(|fix| fix.id).collect::<Vec<_>>(), expected);
            assert!(!fixes[0].is_rival);
        }
        // The last fix stays, because a finding without a fix is less useful.
        let mut alone = vec![tcpwhy_advice::remove_so_sndbuf()];
        keep_possible(&mut alone, Some(false), &SEND_FIXES);
        assert_eq!(alone.len(), 1);
    }
}
