//! Restores the settings of the journal.

use super::journal::{self, Entry};
use super::place::Place;
use crate::LabError;

/// An event that the user should know about a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingNotice {
    /// An earlier run was killed and had left the setting changed. It has its old value again.
    Restored {
        /// `net.core.wmem_max`
        name: String,
        /// The value before that run, and now.
        value: String,
        /// The value that the run had set.
        was: String,
    },
    /// The setting was changed again after the run had set it, so it was not restored.
    LeftAlone {
        /// `net.core.wmem_max`
        name: String,
        /// The current value.
        value: String,
        /// The value before the run.
        before: String,
    },
    /// The guardian was ended from outside during the run. The run has restored everything itself.
    GuardianEnded,
}

/// Restores the settings in the journal that still have the value of the run, and removes the journal. With
/// `is_leftover`, the journal belongs to an earlier run, so restored settings are reported.
pub(super) fn restore(place: &Place, is_leftover: bool) -> Result<Vec<SettingNotice>, LabError> {
    let Some(journal) = place.kept()? else { return Ok(Vec::new()) };
    let mut notices = Vec::new();
    // After a reboot, the settings have their own values again.
    for Entry { name, before, set } in journal.settings.into_iter().filter(|_| journal.boot == journal::boot()) {
        // A setting that is not visible here, for example in another network namespace, cannot be restored.
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
