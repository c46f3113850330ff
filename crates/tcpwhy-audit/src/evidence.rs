//! Evidence of findings.

use tcpwhy_model::host::ProcessRef;
use tcpwhy_model::{Basis, Evidence, EvidenceKey, Value};

/// Evidence that the kernel reported.
pub(crate) fn reported(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::KernelReported }
}

/// Evidence derived from values that the kernel reported.
pub(crate) fn derived(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::KernelInferred }
}

/// Evidence from the command line.
pub(crate) fn given(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::Assumed }
}

/// A word as evidence.
pub(crate) fn word(text: impl Into<String>) -> Value {
    Value::Word(text.into())
}

/// The process that has a socket open, if it could be read.
pub(crate) fn process(processes: &[ProcessRef]) -> Option<Evidence> {
    processes.first().map(|p| reported(EvidenceKey::Process, word(p.name.as_str())))
}
