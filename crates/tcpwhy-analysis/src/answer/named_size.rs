//! How many bytes at a time a connection may send, where its lines name that.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Value};

use super::fixing_rules::TURNS_RULE;
use crate::outcome::{Connection, HalfConnection, Role};

/// The rule that finds the window of a protocol above TCP.
const WINDOW_RULE: &str = "application-peer-window";

/// The window of a protocol above TCP that limited a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolWindow {
    /// Who allows no more: the end that receives.
    pub owner: Role,
    /// How much, bytes.
    pub bytes: u64,
}

impl ProtocolWindow {
    /// That of `half`, if it is the cause of its verdict and the handshake shows whose it is.
    pub fn of(half: &HalfConnection) -> Option<Self> {
        let verdict = &half.verdict;
        let is_cause = verdict.cause == Some(Detail::PeerWindow.into()) && verdict.severity.is_some();
        let owner = match half.role {
            Role::Client => Role::Server,
            Role::Server => Role::Client,
            Role::Unknown => return None,
        };
        let bytes = bytes_of(&half.findings, WINDOW_RULE, EvidenceKey::PlateauBytes).filter(|_| is_cause)?;
        Some(Self { owner, bytes })
    }
}

/// Bytes of each block of `connection` that waited for the one before, where its requests are blocks.
pub fn block_of(connection: &Connection) -> Option<u64> {
    bytes_of(&connection.findings, TURNS_RULE, EvidenceKey::BlockBytes)
}

fn bytes_of(findings: &[Finding], rule: &str, key: EvidenceKey) -> Option<u64> {
    let finding = findings.iter().find(|finding| finding.rule == rule)?;
    finding.evidence.iter().find(|evidence| evidence.key == key).and_then(|evidence| match evidence.value {
        Value::Integer(bytes) => u64::try_from(bytes).ok().filter(|&bytes| bytes > 0),
        _ => None,
    })
}
