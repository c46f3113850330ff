//! Settings of the whole machine that are changed during a run.
//!
//! Before any change, the old values are written to a journal ([`journal`]). The run restores them when it
//! ends. The guardian does so if the run is killed, and the next run if both were killed.

mod guardian;
mod journal;
mod place;
mod restore;

use std::io;

use self::guardian::Guardian;
pub use self::guardian::guard;
use self::journal::{Entry, Journal};
use self::place::{Lock, Place};
pub use self::restore::SettingNotice;
use self::restore::restore;
use crate::LabError;
use tcpwhy_scenario::Scenario;

/// Changed settings of the machine. They get their old values back with [`end`](Self::end), when this is
/// dropped, or if this process is killed: a separate process waits for that.
#[derive(Debug)]
pub struct MachineSettings {
    /// `None` if no setting is changed.
    changed: Option<Changed>,
}

#[derive(Debug)]
struct Changed {
    place: Place,
    guardian: Guardian,
    /// The guardian has a copy of the lock, which is released when both have ended.
    _lock: Lock,
}

impl MachineSettings {
    /// Sets the machine-wide settings of the scenario; most scenarios have none. It must be called outside of
    /// the cell, whose namespaces do not show these settings. With the arguments `guardian`, this program
    /// must call [`guard`]. Settings that an earlier run left changed are restored first.
    ///
    /// # Errors
    /// If this user may not change them, or another run has changed them.
    pub fn set(scenario: &Scenario, guardian: &[&str]) -> Result<(Self, Vec<SettingNotice>), LabError> {
        let wanted = scenario.machine_wide();
        let Some((first, _)) = wanted.first_key_value() else { return Ok((Self { changed: None }, Vec::new())) };
        // All settings are opened before the first change, so that a missing permission changes nothing.
        for name in wanted.keys() {
            journal::open(name).map_err(|_| LabError::Machine((*name).to_owned()))?;
        }
        let place = Place::make()?;
        let lock = place.lock(first)?;
        let notices = restore(&place, true)?;
        let entry = |(name, value): (&&str, &&str)| -> Result<Entry, LabError> {
            let before = journal::read(name).map_err(|_| LabError::Machine((*name).to_owned()))?;
            Ok(Entry { name: (*name).to_owned(), before, set: journal::normal(value) })
        };
        let mut journal = Journal::new(wanted.iter().map(entry).collect::<Result<_, _>>()?);
        place.keep(&journal)?;
        let guardian = Guardian::start(guardian, &lock)?;
        let this = Self { changed: Some(Changed { place, guardian, _lock: lock }) };
        for entry in &mut journal.settings {
            let failed =
                |error: io::Error| LabError::Setting { name: entry.name.clone(), value: entry.set.clone(), error };
            journal::write(&entry.name, &entry.set).map_err(failed)?;
            // The kernel may show another form of the number than was written, such as decimal for
            // hexadecimal.
            entry.set = journal::read(&entry.name).map_err(failed)?;
        }
        if let Some(changed) = &this.changed {
            changed.place.keep(&journal)?;
        }
        Ok((this, notices))
    }

    /// Restores the settings that a run left changed because it and its guardian were killed. It does nothing
    /// while that run, or another, still runs.
    ///
    /// # Errors
    /// If such settings cannot be read or restored.
    pub fn recover() -> Result<Vec<SettingNotice>, LabError> {
        let Some(place) = Place::existing() else { return Ok(Vec::new()) };
        match place.try_lock() {
            Ok(Some(_lock)) => restore(&place, true),
            // The owner of the lock restores them. A user who may not lock may not restore either.
            Ok(None) | Err(_) => Ok(Vec::new()),
        }
    }

    /// Restores everything, and reports settings with unexpected values.
    ///
    /// # Errors
    /// If a setting cannot be restored; its old value is kept for the next run.
    pub fn end(mut self) -> Result<Vec<SettingNotice>, LabError> {
        self.set_back()
    }

    fn set_back(&mut self) -> Result<Vec<SettingNotice>, LabError> {
        let Some(Changed { place, guardian, _lock }) = self.changed.take() else { return Ok(Vec::new()) };
        let restored = restore(&place, false);
        // The guardian is dismissed even after an error: it could do no better, and the journal is still
        // there.
        let was_alive = guardian.dismiss();
        let mut notices = restored?;
        if !was_alive {
            notices.push(SettingNotice::GuardianEnded);
        }
        Ok(notices)
    }
}

impl Drop for MachineSettings {
    fn drop(&mut self) {
        // A caller that needs the result calls `end`.
        let _ = self.set_back();
    }
}
