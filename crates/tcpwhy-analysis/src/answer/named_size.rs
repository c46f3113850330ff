//! How many bytes at a time a connection may send, where its lines name that.

use tcpwhy_model::{Detail, EvidenceKey, Finding};

use super::fixing_rules::{TURNS_RULE, WINDOW_RULE, finding_with_fix};
use crate::outcome::{Connection, HalfConnection, Role};

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
        Self::found(half).filter(|_| is_cause)
    }

    /// Whether `finding` is about such a window.
    pub fn is_of(finding: &Finding) -> bool {
        finding.rule == WINDOW_RULE
    }

    /// That of `half`, if a finding is about it and the handshake shows whose it is.
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

/// Blocks that waited for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Bytes of each.
    pub bytes: u64,
    /// The packets do not show whether the words between them asked for them, or allowed them.
    pub may_be_allowed: bool,
}

impl Block {
    /// Those of `connection`, where its requests are blocks.
    pub fn of(connection: &Connection) -> Option<Self> {
        let finding = finding_with_fix(connection, TURNS_RULE)?;
        let bytes = finding.number(EvidenceKey::BlockBytes).filter(|&bytes| bytes > 0)?;
        Some(Self { bytes, may_be_allowed: finding.fixes.iter().any(|fix| fix.is_rival) })
    }
}
