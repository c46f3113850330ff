//! Numbers behind findings, by where they come from.

use tcpwhy_model::{Basis, Evidence, EvidenceKey, Value};

/// Evidence read straight off the packets.
pub(crate) fn exact(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireExact }
}

/// Evidence that follows from the packets by reasoning.
pub(crate) fn inferred(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireInferred }
}
