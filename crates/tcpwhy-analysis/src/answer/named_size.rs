//! Number of bytes that a connection may send at a time, if its lines name it.

use tcpwhy_model::{Detail, EvidenceKey, Finding};

use super::fixing_rules::{TURNS_RULE, WINDOW_RULE, finding_with_fix};
use crate::outcome::{Connection, HalfConnection, Role};

/// The window of a protocol above TCP that limited a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolWindow {
    /// The end that limits the data: the receiver.
    pub owner: Role,
    /// Size of the window, bytes.
    pub bytes: u64,
}

impl ProtocolWindow {
    /// Returns the window of `half`, if it is the cause of the verdict and the handshake shows its owner.
    pub fn of(half: &HalfConnection) -> Option<Self> {
        let verdict = &half.verdict;
        let is_cause = verdict.cause == Some(Detail::PeerWindow.into()) && verdict.severity.is_some();
        Self::found(half).filter(|_| is_cause)
    }

    /// Whether `finding` is about such a window.
    pub fn is_of(finding: &Finding) -> bool {
        finding.rule == WINDOW_RULE
    }

    /// Returns the window of `half`, if a finding is about it and the handshake shows its owner.
    pub fn found(half: &HalfConnection) -> Option<Self> {
        let owner = match half.role {
            Role::Client => Role::Server,
            Role::Server => Role::Client,
            Role::Unknown => return None,
        };
        let finding = half.findings.iter().find(|finding| finding.rule == WINDOW_RULE)?;
        let bytes = finding.number(EvidenceKey::PlateauBytes).filter(|&bytes| bytes > 0)?;
        Some(Self { owner, bytes })
    }
}

/// Blocks of data, each of which waited for the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Size of a block, bytes.
    pub bytes: u64,
    /// The packets do not show whether the messages between the blocks requested them or allowed them.
    pub may_be_allowed: bool,
}

impl Block {
    /// Returns the blocks of `connection`, if its requests are blocks.
    pub fn of(connection: &Connection) -> Option<Self> {
        let finding = finding_with_fix(connection, TURNS_RULE)?;
        let bytes = finding.number(EvidenceKey::BlockBytes).filter(|&bytes| bytes > 0)?;
        Some(Self { bytes, may_be_allowed: finding.fixes.iter().any(|fix| fix.is_rival) })
    }
}
