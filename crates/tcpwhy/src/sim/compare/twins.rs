//! A recorded transfer and its simulation.

use tcpwhy_lab::Recording;
use tcpwhy_model::Explained as _;
use tcpwhy_model::foreign::quoted;
use tcpwhy_scenario::End;
use tcpwhy_sim::{Outcome, Plan};

use crate::message::failure;
use crate::sim::capture::write_packets;
use crate::sim::score::{Case, recorded};
use crate::wrong::Result;

/// The recorded transfer and its simulation.
pub(super) struct Twins {
    /// The recorded transfer.
    pub(super) case: Case,
    /// The plan for the simulator.
    pub(super) plan: Plan,
    /// The result of the simulation.
    pub(super) outcome: Outcome,
    /// The simulated capture at the sender.
    pub(super) capture: Vec<u8>,
}

impl Twins {
    /// Simulates the scenario of `recording`, by the rules of its kernel.
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
