//! Programs of others at both ends.

use crate::scenario::Scenario;
use crate::{Ends, LabError};

/// Runs both programs of an [`Application`](crate::scenario::Application) scenario until its client has ended, and ends its
/// server.
pub(crate) fn run(scenario: &Scenario, _ends: &Ends) -> Result<(), LabError> {
    Err(LabError::Broken(format!("{} needs programs of others, which this build cannot run", scenario.name)))
}
