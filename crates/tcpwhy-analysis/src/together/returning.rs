//! Ends that became silent on one connection and answered again on a later one. They were away, so the path
//! is not the cause.

use tcpwhy_model::{Endpoint, EvidenceKey, Finding};

use crate::diagnosis::evidence::exact;
use crate::lowest::Lowest;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::SILENT_RULE;

/// Number of openings that are kept. The lowest in order stay, so the order of connections does not matter.
const MOST_OPENINGS: usize = 10_000;

/// Times at which ends answered a SYN, nanoseconds.
#[derive(Debug)]
pub(super) struct Returning {
    answered: Lowest<(Endpoint, i64)>,
}

impl Default for Returning {
    fn default() -> Self {
        Self { answered: Lowest::new(MOST_OPENINGS) }
    }
}

impl Returning {
    /// Records the start of `connection`.
    pub(super) fn note(&mut self, connection: &Connection) {
        if let Some(server) = connection.answered_by() {
            self.answered.add((server, connection.span.start().as_nanos()));
        }
    }

    /// Adds to each silence the time that the end was away, if it returned.
    pub(super) fn settle<'a>(&self, connections: impl Iterator<Item = &'a mut Connection>) {
        let mut connections = connections.filter(|connection| is_open(connection)).peekable();
        if connections.peek().is_none() {
            return;
        }
        let answered = self.answered.sorted();
        for connection in connections {
            let (end, endpoints) = (connection.span.end().as_nanos(), connection.endpoints);
            for half in &mut connection.halves {
                let peer = endpoints[half.sender.peer().index()];
                let later = answered.partition_point(|&opening| opening < (peer, end));
                let back = answered.get(later).filter(|(server, _)| *server == peer);
                if let (Some(&(_, back)), Some(finding)) = (back, silence(half)) {
                    tell(finding, back - end);
                }
            }
        }
    }
}

/// Whether an end became silent.
pub(super) fn is_open(connection: &Connection) -> bool {
    connection.halves.iter().any(|half| half.findings.iter().any(|finding| finding.rule == SILENT_RULE))
}

fn silence(half: &mut HalfConnection) -> Option<&mut Finding> {
    half.findings.iter_mut().find(|finding| finding.rule == SILENT_RULE)
}

/// Records that the end of `finding` answered `after` nanoseconds after the connection's last packet.
fn tell(finding: &mut Finding, after: i64) {
    const MICROSECOND: i64 = 1_000;
    let before = finding.number(EvidenceKey::SilenceUs).unwrap_or_default();
    let micros = before.saturating_add_signed(after / MICROSECOND);
    finding.seconds = Some(micros as f64 / 1e6);
    finding.evidence.push(exact(EvidenceKey::OutageUs, micros));
    finding.fixes.insert(0, tcpwhy_advice::find_restart());
}

#[cfg(test)]
mod terms;
