//! State shared by all calls.

use std::time::Duration;

use tcpwhy_report::{Anonymizer, Catalogue, Code, Wording};

use super::folders::Folders;
use super::host::HostProcess;
use super::kept::Kept;

/// State shared by all calls.
pub(super) struct Shared {
    pub(super) folders: Folders,
    pub(super) catalogue: Catalogue,
    pub(super) anonymizer: Option<Anonymizer>,
    /// The process that watches this host; `None` if that is not permitted.
    pub(super) host: Option<HostProcess>,
    pub(super) timeout: Duration,
    pub(super) kept: Kept,
}

impl Shared {
    pub(super) fn wording(&self) -> Wording<'_> {
        Wording::new(&self.catalogue)
    }

    /// The catalogue, with fixes in the language of `code`.
    pub(super) fn catalogue_for(&self, code: Code) -> Catalogue {
        Catalogue::new(self.catalogue.language()).with_code(code)
    }
}
