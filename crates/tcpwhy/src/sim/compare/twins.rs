//! A recorded transfer and its simulated twin.

use tcpwhy_lab::Recording;
use tcpwhy_model::Explained as _;
use tcpwhy_model::foreign::quoted;
use tcpwhy_scenario::End;
use tcpwhy_sim::{Outcome, Plan};

use crate::message::failure;
use crate::sim::capture::write_packets;
use crate::sim::score::{Case, recorded};
use crate::wrong::Result;

/// Both of them.
pub(super) struct Twins {
    /// What is known of the recorded one.
    pub(super) case: Case,
    /// What the simulator was asked.
    pub(super) plan: Plan,
    /// What came of it.
    pub(super) outcome: Outcome,
    /// Its capture at the sender.
    pub(super) capture: Vec<u8>,
}

impl Twins {
    /// Simulates what `recording` holds, by the rules of its kernel.
    pub(super) fn of(recording: &Recording) -> Result<Self> {
        let scenario = recording.scenario();
        let case = recorded(recording.folder())?;
        let plan = case.plan.clone()?;
        let mut capture = Vec::new();
        let outcome = write_packets(&plan, End::Sender, &mut capture)?;
        let outcome = outcome
            .map_err(|why| failure("sim-refused").with("name", quoted(&scenario.name)).with("why", why.message()))?;
        Ok(Self { case, plan, outcome, capture })
    }
}
