//! Constructors of evidence, by the source of its number.

use tcpwhy_model::{Basis, Evidence, EvidenceKey, Value};

/// Evidence read directly from the packets.
pub(crate) fn exact(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireExact }
}

/// Evidence inferred from the packets.
pub(crate) fn inferred(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireInferred }
}
