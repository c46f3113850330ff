//! A connection with what the kernel reports of it: kernel and packets together have made its verdicts, and
//! fixes that its sockets refute are gone.

use tcpwhy_model::{Finding, Fix, LimitTimeline};

use crate::exchanges::Transfers;
use crate::kernel_view::KernelView;
use crate::outcome::{Connection, HalfConnection, Verdict};
use crate::side::Side;

/// A direction as kernel and packets together show it.
#[derive(Clone, Debug)]
pub struct MergedHalf {
    /// Who sends.
    pub sender: Side,
    /// Its time by cause.
    pub limits: LimitTimeline,
    /// The verdict on that.
    pub verdict: Verdict,
    /// What explains it, and what else was found.
    pub findings: Vec<Finding>,
}

/// What a recording has of a connection besides its packets.
#[derive(Clone, Debug)]
pub struct KernelRecord {
    /// What the kernel reports of it.
    pub view: KernelView,
    /// The directions that this changes.
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

/// Puts `merged` in the place of what packets show alone. The exchanges take the time of their transfers from
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

/// Fixes of a buffer: those where the program has set it, that where it has not, and that which finds out.
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

/// Takes away what cannot help where it is known whether the program `has_set` the buffer, unless nothing
/// would be left.
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
    // The first fix is no alternative to anything.
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
        // Where nothing else is left, it stays: a finding without a fix says less.
        let mut alone = vec![tcpwhy_advice::remove_so_sndbuf()];
        keep_possible(&mut alone, Some(false), &SEND_FIXES);
        assert_eq!(alone.len(), 1);
    }
}
