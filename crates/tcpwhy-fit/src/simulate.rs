//! Runs of a world within a budget.

use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::Limit;
use tcpwhy_scenario::{Bytes, Scenario, Work};
use tcpwhy_sim::{Plan, World};

use crate::drawn::KERNEL;
use crate::unfit::Unfit;

/// Maximum number of simulated segments. The remaining part of a longer stream is extrapolated from the rate
/// of the second half.
const MOST_SEGMENTS: u64 = 16_000;

/// Result of a simulated transfer.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Time from the opening to the end of the receiver's program.
    pub(crate) seconds: f64,
    /// Limits of the sender, with their share of the time.
    pub(crate) limits: Vec<(Limit, f64)>,
}

/// A simulator with a budget of events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simulator {
    left: u64,
    /// The kernel of both hosts.
    pub(crate) kernel: KernelVersion,
}

impl Simulator {
    /// A simulator with a budget of `events`.
    pub(crate) const fn new(events: u64) -> Self {
        Self { left: events, kernel: KERNEL }
    }

    /// Adds events to the budget.
    pub(crate) const fn grant(&mut self, events: u64) {
        self.left = self.left.saturating_add(events);
    }

    /// Remaining events.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    /// Runs `scenario` on the hosts of draw `number`; `None` if it does not end in time.
    ///
    /// # Errors
    /// [`Unfit::Costly`] if no events are left, or the reason why it cannot be simulated.
    pub(crate) fn run(&mut self, scenario: &Scenario, mss: u64, number: u64) -> Result<Option<Run>, Unfit> {
        let all = bytes_of(scenario);
        let most = MOST_SEGMENTS * mss;
        if all <= most {
            return self.whole(scenario, number);
        }
        let [half, whole] = [most / 2, most].map(|bytes| self.whole(&cut(scenario, bytes), number));
        Ok(half?.zip(whole?).map(|(half, whole)| {
            let seconds = (whole.seconds - half.seconds).max(1e-6);
            Run { seconds: whole.seconds + (all - most) as f64 * seconds / (most - most / 2) as f64, ..whole }
        }))
    }

    fn whole(&mut self, scenario: &Scenario, number: u64) -> Result<Option<Run>, Unfit> {
        if self.left == 0 {
            return Err(Unfit::Costly);
        }
        let plan = Plan::of_scenario(scenario, self.kernel).map_err(|_| Unfit::NotSimulated)?;
        let plan = Plan { seed: scenario.seed, ..plan.again(number) };
        let (result, events) = World::new(&plan).run_at_most(self.left);
        self.left = self.left.saturating_sub(events.max(1));
        let Ok(outcome) = result else { return Ok(None) };
        let seconds = outcome.duration as f64 / 1e9;
        let share = |limit: Limit| outcome.held.by(limit) as f64 / 1e9 / seconds.max(f64::MIN_POSITIVE);
        let limits = Limit::ALL.into_iter().map(|limit| (limit, share(limit))).filter(|limit| limit.1 > 0.0).collect();
        Ok(Some(Run { seconds, limits }))
    }
}

fn bytes_of(scenario: &Scenario) -> u64 {
    match &scenario.work {
        Work::Stream(stream) => stream.phases.iter().map(|phase| phase.bytes.0).sum(),
        _ => 0,
    }
}

/// The scenario with only the first `bytes` of its stream.
fn cut(scenario: &Scenario, bytes: u64) -> Scenario {
    let mut scenario = scenario.clone();
    if let Work::Stream(stream) = &mut scenario.work {
        let mut left = bytes;
        for phase in &mut stream.phases {
            phase.bytes = Bytes(phase.bytes.0.min(left));
            left -= phase.bytes.0;
        }
        stream.phases.retain(|phase| phase.bytes.0 > 0);
    }
    scenario
}
