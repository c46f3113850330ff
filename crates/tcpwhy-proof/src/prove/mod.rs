//! A capture's situation is set up again, with and without the proposed fix.
//!
//! What the packets show becomes a scenario (`rebuild`); the fix of the finding that explains the verdict changes it (`fix`);
//! both are run and explained as any capture is, and the prediction is held against what came of it.

mod buffers;
mod fix;
mod page;
mod proof;
mod rebuild;
mod situation;

use std::path::Path;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_lab::scenario::End;
use tcpwhy_lab::{Recording, Scenario};
use tcpwhy_model::Fix;
use tcpwhy_report::Wording;

pub use self::buffers::Host;
pub use self::proof::Proof;
pub use self::situation::RebuildError;

use self::fix::{fixed, shortened};
use self::proof::{Measured, Plan};
use self::rebuild::{Rebuilt, culprit, rebuild, subject};
use crate::ProofError;
use crate::explained::{connections, in_question};

/// Which of the two transfers is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it was captured.
    Rebuilt,
    /// With the fix.
    Fixed,
}

impl Part {
    /// How many there are.
    pub const COUNT: usize = 2;

    /// Both.
    pub const ALL: [Self; Self::COUNT] = [Self::Rebuilt, Self::Fixed];

    /// The folder of its recording.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rebuilt => "rebuilt",
            Self::Fixed => "fixed",
        }
    }

    /// Its number, from 1.
    pub const fn number(self) -> usize {
        match self {
            Self::Rebuilt => 1,
            Self::Fixed => 2,
        }
    }
}

/// The explanation of a capture, put to the proof.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    rebuilt: Rebuilt,
    better: Scenario,
    fix: &'a Fix,
    plan: Plan,
    proof: Proof,
}

impl<'a> Trial<'a> {
    /// Of `connection` of the capture `file`, whose direction `half` a report speaks of first, to be run on `host`.
    ///
    /// # Errors
    /// Why it cannot be set up again.
    pub fn new(
        file: &Path,
        connection: &'a Connection,
        half: &'a HalfConnection,
        host: &Host,
    ) -> Result<Self, RebuildError> {
        let half = subject(connection, half);
        let rebuilt = rebuild(connection, half, host)?;
        let (cause, finding) = culprit(half)?;
        let (fix, better) = fixed(&rebuilt.scenario, finding)?;
        let plan = Plan::new(half, finding).ok_or(RebuildError::NoPrediction)?;
        let proof = Proof::new(file, cause, fix, &rebuilt, &plan);
        Ok(Self { rebuilt, better, fix, plan, proof })
    }

    /// Runs both transfers by `record`, which is given a scenario that rests on what others have sent, and holds them against the
    /// capture and the prediction. The rebuilt one is run again where its receive buffer came to another window.
    ///
    /// # Errors
    /// Those of `record`, and what keeps a recording from being explained.
    pub fn run<E: From<ProofError>>(
        &mut self,
        mut record: impl FnMut(Scenario, Part) -> Result<Recording, E>,
    ) -> Result<(), E> {
        let vantage = self.rebuilt.vantage;
        let mut run = |scenario: &Scenario, share: f64, part: Part| -> Result<Measured, E> {
            let recording = record(shortened(scenario, share), part)?;
            Ok(measure(&recording, vantage, share)?)
        };
        let mut before = run(&self.rebuilt.scenario, self.plan.share_before, Part::Rebuilt)?;
        if let Some(nearer) = before.window_bytes.and_then(|window| self.rebuilt.corrected(window)) {
            before = run(&nearer, self.plan.share_before, Part::Rebuilt)?;
            self.rebuilt.scenario = nearer;
        }
        let after = run(&self.better, self.plan.share_after, Part::Fixed)?;
        self.proof.conclude(&self.plan, before, after);
        Ok(())
    }

    /// The transfer as it was captured, for changing it and running it again.
    pub const fn scenario(&self) -> &Scenario {
        &self.rebuilt.scenario
    }

    /// What came of it so far.
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// The same in words, for the terminal.
    pub fn page(&self, wording: Wording<'_>) -> String {
        page::page(wording, &self.proof, &self.rebuilt.scenario, self.fix)
    }
}

/// What a recording shows at the end at which the capture was taken.
fn measure(recording: &Recording, vantage: End, share: f64) -> Result<Measured, ProofError> {
    let path = recording.capture(vantage);
    let connections = connections(&path)?;
    let (_, half) = in_question(&connections, recording.scenario()).ok_or_else(|| ProofError::NotShown {
        path: path.display().to_string(),
        why: tcpwhy_model::Message::new("sender-sent-nothing").to_string(),
    })?;
    Ok(Measured::new(half, share, recording.truth().quality.doubts.clone()))
}
