//! Changes of a scenario whose effect is simulated.

use tcpwhy_scenario::{Reader, Scenario, Work, Writer};

const WMEM: &str = "net.ipv4.tcp_wmem";
const RMEM: &str = "net.ipv4.tcp_rmem";

/// The removal of a cause, or another change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The kernel autotunes the send buffer, up to its default limit.
    SendBuffer,
    /// The kernel autotunes the receive buffer, up to its default limit.
    ReceiveBuffer,
    /// The receiver's application reads as fast as it can.
    Reader,
    /// The sender's application never pauses.
    Writer,
    /// Frames are lost only by queue overflow.
    Loss,
    /// The sender uses BBR.
    Bbr,
    /// The sender's application sets `TCP_NODELAY`.
    Nodelay,
}

/// Ids of simulated fixes, with their changes.
const FIXES: [(&str, &[Change]); 14] = [
    ("remove-so-sndbuf", &[Change::SendBuffer]),
    ("raise-so-sndbuf", &[Change::SendBuffer]),
    ("raise-tcp-wmem", &[Change::SendBuffer]),
    ("remove-so-rcvbuf", &[Change::ReceiveBuffer]),
    ("raise-so-rcvbuf", &[Change::ReceiveBuffer]),
    ("raise-tcp-rmem", &[Change::ReceiveBuffer]),
    ("remove-receive-buffers", &[Change::ReceiveBuffer]),
    ("enable-receive-autotuning", &[Change::ReceiveBuffer]),
    ("remove-both-buffers", &[Change::SendBuffer, Change::ReceiveBuffer]),
    ("read-faster", &[Change::Reader]),
    ("write-more-ahead", &[Change::Writer]),
    ("fix-loss", &[Change::Loss]),
    ("use-bbr", &[Change::Bbr]),
    ("set-tcp-nodelay", &[Change::Nodelay]),
];

impl Change {
    /// Changes of the fix `id`; `None` if it is not simulated.
    pub fn of_fix(id: &str) -> Option<&'static [Self]> {
        FIXES.iter().find(|(known, _)| *known == id).map(|(_, changes)| *changes)
    }

    /// Ids of simulated fixes.
    pub fn fixes() -> impl Iterator<Item = &'static str> {
        FIXES.iter().map(|(id, _)| *id)
    }

    /// `scenario` with all `changes` applied.
    pub fn all(changes: &[Self], scenario: &Scenario) -> Scenario {
        let mut scenario = scenario.clone();
        for change in changes {
            change.apply(&mut scenario);
        }
        scenario
    }

    /// Applies the change to `scenario`.
    fn apply(self, scenario: &mut Scenario) {
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
