//! Sets back what the journal has.

use super::journal::{self, Entry};
use super::place::Place;
use crate::LabError;

/// What became of a setting besides what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingNotice {
    /// An earlier run that was killed had left it changed; it has its old value again.
    Restored {
        /// `net.core.wmem_max`
        name: String,
        /// What it was before that run, and is now.
        value: String,
        /// What that run had set.
        was: String,
    },
    /// A run has changed it, and somebody else after that: it was left as it is.
    LeftAlone {
        /// `net.core.wmem_max`
        name: String,
        /// What it is.
        value: String,
        /// What it was before the run.
        before: String,
    },
    /// The guardian was ended from outside during the run, which has set everything back by itself.
    GuardianEnded,
}

/// Sets back what stands in the journal, if there is one, as far as it still is as it was set, and removes it. What was restored
/// is worth a word if it was an earlier run's (`is_leftover`).
pub(super) fn restore(place: &Place, is_leftover: bool) -> Result<Vec<SettingNotice>, LabError> {
    let Some(journal) = place.kept()? else { return Ok(Vec::new()) };
    let mut notices = Vec::new();
    // A reboot has restored everything.
    for Entry { name, before, set } in journal.settings.into_iter().filter(|_| journal.boot == journal::boot()) {
        // What is not there any more, such as in another network namespace, cannot be set back from here.
        let failed = |error| LabError::Setting { name: name.clone(), value: before.clone(), error };
        let value = journal::read(&name).map_err(failed)?;
        if value == before {
            continue;
        }
        if value != set {
            notices.push(SettingNotice::LeftAlone { name, value, before });
            continue;
        }
        journal::write(&name, &before).map_err(failed)?;
        if is_leftover {
            notices.push(SettingNotice::Restored { name, value: before, was: set });
        }
    }
    place.forget()?;
    Ok(notices)
}
