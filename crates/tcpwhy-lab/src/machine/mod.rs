//! Settings of the whole machine, for the time of a run.
//!
//! Before anything is changed, the old values stand in a journal ([`journal`]). They are set back by the run itself when it ends, by a
//! guardian when the run is killed, and by the next run when both were.

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

/// Settings that get their old values back with [`end`](Self::end) or when this is dropped, and also if this process is killed: a
/// process of its own waits for that.
#[derive(Debug)]
pub struct MachineSettings {
    /// `None`: nothing is changed.
    changed: Option<Changed>,
}

#[derive(Debug)]
struct Changed {
    place: Place,
    guardian: Guardian,
    /// The guardian has it too: it ends with the last of both.
    _lock: Lock,
}

impl MachineSettings {
    /// Sets what the scenario wants of the machine; most want nothing. To be called outside of the cell, whose namespaces do
    /// not show these settings. With these arguments this program comes to [`guard`]. What an earlier run had left is restored
    /// first.
    ///
    /// # Errors
    /// If this user may not set them, or another run has done so.
    pub fn set(scenario: &Scenario, guardian: &[&str]) -> Result<(Self, Vec<SettingNotice>), LabError> {
        let wanted = scenario.machine_wide();
        let Some((first, _)) = wanted.first_key_value() else { return Ok((Self { changed: None }, Vec::new())) };
        // Whether they may be changed shows before anything is.
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
            // The kernel may have understood another number than it shows, such as a hexadecimal one.
            entry.set = journal::read(&entry.name).map_err(failed)?;
        }
        if let Some(changed) = &this.changed {
            changed.place.keep(&journal)?;
        }
        Ok((this, notices))
    }

    /// Sets back what a run that was killed together with its guardian has left, unless that run, or another, still goes on.
    ///
    /// # Errors
    /// If there is something and it cannot be read or set back.
    pub fn recover() -> Result<Vec<SettingNotice>, LabError> {
        let Some(place) = Place::existing() else { return Ok(Vec::new()) };
        match place.try_lock() {
            Ok(Some(_lock)) => restore(&place, true),
            // Whoever has the lock sees to it; whoever may not have it, may not set anything back either.
            Ok(None) | Err(_) => Ok(Vec::new()),
        }
    }

    /// Sets everything back, and says what was not as it should be.
    ///
    /// # Errors
    /// If a setting cannot be set back; its old value is kept for the next run.
    pub fn end(mut self) -> Result<Vec<SettingNotice>, LabError> {
        self.set_back()
    }

    fn set_back(&mut self) -> Result<Vec<SettingNotice>, LabError> {
        let Some(Changed { place, guardian, _lock }) = self.changed.take() else { return Ok(Vec::new()) };
        let restored = restore(&place, false);
        // Even if that failed: the guardian could do no better, and the journal is still there.
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
        // Whoever wants to know calls `end`.
        let _ = self.set_back();
    }
}
