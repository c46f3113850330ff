//! What every call uses.

use std::time::Duration;

use tcpwhy_report::{Anonymizer, Catalogue, Code, Wording};

use super::folders::Folders;
use super::host::HostProcess;
use super::kept::Kept;

/// What every call uses.
pub(super) struct Shared {
    pub(super) folders: Folders,
    pub(super) catalogue: Catalogue,
    pub(super) anonymizer: Option<Anonymizer>,
    /// Watches this host; `None` if that is not allowed.
    pub(super) host: Option<HostProcess>,
    pub(super) timeout: Duration,
    pub(super) kept: Kept,
}

impl Shared {
    pub(super) fn wording(&self) -> Wording<'_> {
        Wording::new(&self.catalogue)
    }

    /// The words, with lines of fixes for `code`.
    pub(super) fn catalogue_for(&self, code: Code) -> Catalogue {
        Catalogue::new(self.catalogue.language()).with_code(code)
    }
}
