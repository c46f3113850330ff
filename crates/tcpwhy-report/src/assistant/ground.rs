//! Where numbers come from, in the words that assistants get.

use serde::Serialize;
use tcpwhy_model::Basis;

/// Where the numbers of an object come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ground {
    /// Read from packets or counted by the kernel.
    Exact,
    /// Inferred from exact numbers. `confidence`, if present, is the share of such conclusions that are
    /// right.
    Inferred,
    /// Not measured: a default that applies unless somebody changed it.
    Assumed,
}

impl Ground {
    /// The ground for the id of a basis in JSON.
    pub(super) fn of_id(id: &str) -> Self {
        let all = [Basis::KernelReported, Basis::KernelInferred, Basis::WireExact, Basis::WireInferred, Basis::Assumed];
        all.into_iter().find(|basis| basis.id() == id).map_or(Self::Inferred, Self::of)
    }

    pub(super) const fn of(basis: Basis) -> Self {
        match basis {
            Basis::KernelReported | Basis::WireExact => Self::Exact,
            Basis::KernelInferred | Basis::WireInferred => Self::Inferred,
            Basis::Assumed => Self::Assumed,
        }
    }
}

#[cfg(test)]
mod terms;
