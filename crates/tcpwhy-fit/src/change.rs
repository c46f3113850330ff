//! What is changed.

use tcpwhy_scenario::{Reader, Scenario, Work, Writer};

const WMEM: &str = "net.ipv4.tcp_wmem";
const RMEM: &str = "net.ipv4.tcp_rmem";

/// A cause that is taken away, or another change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The kernel sizes the send buffer, up to its default limit.
    SendBuffer,
    /// The kernel sizes the receive buffer, up to its default limit.
    ReceiveBuffer,
    /// The receiver's program reads as fast as it can.
    Reader,
    /// The sender's program never rests.
    Writer,
    /// Nothing is lost but where a queue overflows.
    Loss,
    /// The sender uses BBR.
    Bbr,
    /// The sender's program sets `TCP_NODELAY`.
    Nodelay,
}

impl Change {
    /// What the fix `id` changes; `None` where that is not simulated.
    pub fn of_fix(id: &str) -> Option<&'static [Self]> {
        Some(match id {
            "remove-so-sndbuf" | "raise-so-sndbuf" | "raise-tcp-wmem" => &[Self::SendBuffer],
            "remove-so-rcvbuf" | "raise-so-rcvbuf" | "raise-tcp-rmem" | "remove-receive-buffers" => {
                &[Self::ReceiveBuffer]
            }
            "remove-both-buffers" => &[Self::SendBuffer, Self::ReceiveBuffer],
            "read-faster" => &[Self::Reader],
            "write-more-ahead" => &[Self::Writer],
            "fix-loss" => &[Self::Loss],
            "use-bbr" => &[Self::Bbr],
            "set-tcp-nodelay" => &[Self::Nodelay],
            _ => return None,
        })
    }

    /// Fixes that are simulated.
    pub const FIXES: [&'static str; 13] = [
        "remove-so-sndbuf",
        "raise-so-sndbuf",
        "raise-tcp-wmem",
        "remove-so-rcvbuf",
        "raise-so-rcvbuf",
        "raise-tcp-rmem",
        "remove-receive-buffers",
        "remove-both-buffers",
        "read-faster",
        "write-more-ahead",
        "fix-loss",
        "use-bbr",
        "set-tcp-nodelay",
    ];

    /// Makes the change in `scenario`.
    pub fn apply(self, scenario: &mut Scenario) {
        let phases = match &mut scenario.work {
            Work::Stream(stream) => stream.phases.as_mut_slice(),
            _ => &mut [],
        };
        match self {
            Self::SendBuffer => {
                scenario.sender.sndbuf = None;
                scenario.sender.sysctl.remove(WMEM);
            }
            Self::ReceiveBuffer => {
                scenario.receiver.rcvbuf = None;
                scenario.receiver.sysctl.remove(RMEM);
            }
            Self::Reader => phases.iter_mut().for_each(|phase| phase.read = Reader::default()),
            Self::Writer => phases.iter_mut().for_each(|phase| {
                phase.write = Writer { size: phase.write.size, ..Writer::default() };
            }),
            Self::Bbr => "bbr".clone_into(&mut scenario.sender.congestion_control),
            Self::Nodelay => scenario.sender.nodelay = true,
            Self::Loss => {
                scenario.link.changes.clear();
                let forward = &mut scenario.link.forward;
                (forward.loss, forward.burst, forward.policer) = (None, None, None);
                forward.lose_data.clear();
            }
        }
    }
}
