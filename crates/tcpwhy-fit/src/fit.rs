//! Worlds that behave like the connection.

use std::convert::Infallible;

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::Limit;
use tcpwhy_scenario::{BitRate, Nanos, Scenario};

use crate::change::Change;
use crate::draw::{Draw, Settled};
use crate::free::Free;
use crate::off::{Off, UNLIKE, likelihood};
use crate::outlook::Outlook;
use crate::shown::Shown;
use crate::simulate::{Run, Simulator};
use crate::unfit::Unfit;
use crate::weighted::quantile;

/// Number of drawn worlds.
const WORLDS: u64 = 12;
/// Minimum number of worlds for a range.
const LEAST_WORLDS: usize = 4;
/// Accepted deviation of a world's duration (natural logarithm).
const NEAR: f64 = 0.03;
/// Attempts to reduce the deviation: for the first world, for other hypotheses, for each drawn world.
const ATTEMPTS: [u32; 3] = [5, 3, 2];
/// Number of runs to compare if frames are lost at random, because one duration is not significant.
const LUCK: u64 = 4;
/// Deadline of a world with a change.
const LONGEST: Nanos = Nanos::from_secs(3600);
/// Quantiles of the worlds' durations that limit the range.
const LOW: f64 = 0.05;
const HIGH: f64 = 0.95;
/// Relative error of fit and simulator.
const MARGIN: f64 = 0.12;

/// A direction of a connection, rebuilt as simulated worlds.
#[derive(Clone, Debug)]
pub struct Fit {
    worlds: Vec<Alike>,
    simulator: Simulator,
    mss: u64,
    seconds: f64,
    is_rate_seen: bool,
}

/// A world that behaves like the connection.
#[derive(Clone, Debug)]
struct Alike {
    number: u64,
    scenario: Scenario,
    weight: f64,
    seconds: f64,
}

/// A hypothesis about the connection, and its probability.
struct Hypothesis {
    draw: Draw,
    weight: f64,
}

/// State of the rebuilding of one direction.
struct Rebuild<'a> {
    shown: Shown<'a>,
    free: Option<Free>,
    simulator: Simulator,
    /// Events reserved for the changes.
    reserve: u64,
}

impl Rebuild<'_> {
    /// Deviation of `draw`; `None` if its world does not end.
    fn off(&mut self, draw: &Draw) -> Result<Option<Off>, Unfit> {
        let run = self.simulator.run(&self.shown.scenario(draw), self.shown.mss, draw.number)?;
        Ok(run.map(|run| Off::of(&run, &self.shown)))
    }

    /// Adjusts the free number of `draw` until its world takes as long as the connection. Returns the
    /// remaining deviation too.
    fn settle(&mut self, mut draw: Draw, attempts: u32) -> Result<(Draw, Option<Off>), Unfit> {
        let mut off = self.off(&draw)?;
        for _ in 0..attempts {
            let (Some(free), Some(far)) = (self.free, off.filter(|off| off.longer.abs() > NEAR)) else { break };
            let mut nearer = draw;
            free.nearer(&mut nearer, far.longer.exp());
            let then = self.off(&nearer)?;
            // If another limit exists as well, the adjustment has no effect.
            if then.is_none_or(|then| then.longer.abs() >= far.longer.abs()) {
                break;
            }
            (draw, off) = (nearer, then);
        }
        Ok((draw, off))
    }

    /// Combinations of relevant properties that packets do not show: congestion control, kind of losses,
    /// small writes.
    fn hypotheses(&mut self) -> Result<Vec<Hypothesis>, Unfit> {
        let losses = self.shown.facts.losses;
        let is_lucky = losses.segments > 0 && losses.policed.is_none();
        let chances: &[bool] = if losses.is_overflow { &[false, true] } else { &[true] };
        let mut all: Vec<Hypothesis> = Vec::new();
        for &(algorithm, prior) in self.shown.algorithms() {
            for &has_chance_losses in chances {
                for write in self.shown.writes() {
                    let settled = all.first().map_or(Settled::default(), |first| first.draw.settled);
                    let draw = Draw { algorithm, has_chance_losses, write, settled, number: 0 };
                    let attempts = ATTEMPTS[usize::from(!all.is_empty())];
                    let (draw, off) = self.settle(draw, attempts)?;
                    let mut offs = vec![off.unwrap_or(Off::NEVER)];
                    for number in 1..if is_lucky && has_chance_losses { LUCK } else { 1 } {
                        offs.push(self.off(&Draw { number, ..draw })?.unwrap_or(Off::NEVER));
                    }
                    all.push(Hypothesis { draw, weight: prior * likelihood(&offs) });
                }
            }
        }
        Ok(all)
    }

    /// Worlds of these hypotheses, in proportion to their probabilities.
    fn worlds(&mut self, hypotheses: &[Hypothesis]) -> Result<Vec<Alike>, Unfit> {
        let total: f64 = hypotheses.iter().map(|hypothesis| hypothesis.weight).sum();
        let mut worlds = Vec::new();
        for number in 0..WORLDS {
            let mut place = (number as f64 + 0.5) / WORLDS as f64 * total;
            let found = hypotheses.iter().find(|hypothesis| {
                place -= hypothesis.weight;
                place <= 0.0
            });
            let Some(hypothesis) = found.or(hypotheses.first()) else { break };
            let (draw, off) = match self.settle(Draw { number, ..hypothesis.draw }, ATTEMPTS[2]) {
                Err(Unfit::Costly) if worlds.len() >= LEAST_WORLDS => break,
                settled => settled?,
            };
            if let Some(off) = off.filter(|off| off.longer.abs() <= UNLIKE) {
                let scenario = self.shown.scenario(&draw);
                let seconds = self.shown.seconds() * off.longer.exp();
                worlds.push(Alike { number, scenario, weight: likelihood(&[off]), seconds });
            }
            // The remaining events are needed for the changes.
            if self.simulator.left() < self.reserve && worlds.len() >= LEAST_WORLDS {
                break;
            }
        }
        Ok(worlds)
    }
}

impl Fit {
    /// Rebuilds the direction `half` of `connection` with at most about `events` simulated events, including
    /// those of the changes.
    ///
    /// # Errors
    /// The reason why it cannot be rebuilt.
    pub fn of(connection: &Connection, half: &HalfConnection, events: u64) -> Result<Self, Unfit> {
        Self::counted(connection, half, events).0
    }

    /// Like [`Self::of`], with the number of simulated events.
    pub(crate) fn counted(connection: &Connection, half: &HalfConnection, events: u64) -> (Result<Self, Unfit>, u64) {
        let shown = match Shown::of(connection, half) {
            Ok(shown) => shown,
            Err(unfit) => return (Err(unfit), 0),
        };
        let mut rebuild =
            Rebuild { free: Free::of(&shown), shown, simulator: Simulator::new(events), reserve: events / 3 };
        let worlds = rebuild.hypotheses().and_then(|hypotheses| rebuild.worlds(&hypotheses));
        let Rebuild { shown, simulator, .. } = rebuild;
        let fit = worlds.and_then(|worlds| {
            let (mss, seconds, is_rate_seen) = (shown.mss, shown.seconds(), shown.rate.is_seen);
            let fit = Self { worlds, simulator, mss, seconds, is_rate_seen };
            if fit.worlds.is_empty() { Err(Unfit::Unlike) } else { Ok(fit) }
        });
        (fit, events - simulator.left())
    }

    /// Number of worlds that behave like the connection.
    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// Remaining events for changes.
    pub const fn events_left(&self) -> u64 {
        self.simulator.left()
    }

    /// Median duration of the worlds without a change, seconds.
    pub fn as_it_was(&self) -> f64 {
        quantile(self.worlds.iter().map(|world| (world.seconds, world.weight)), 0.5)
    }

    /// Ratio of the real and the rebuilt duration, smaller by larger: 1 is exact, 0.9 differs by 10 %.
    pub fn closeness(&self) -> f64 {
        (-(self.as_it_was() / self.seconds).ln().abs()).exp()
    }

    /// Whether packets show the rate of the path; otherwise it was drawn at random.
    pub const fn is_rate_seen(&self) -> bool {
        self.is_rate_seen
    }

    /// The likeliest world: its scenario and the number of its hosts (`Plan::again`).
    pub fn likeliest(&self) -> Option<(&Scenario, u64)> {
        let world = self.worlds.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some((&world.scenario, world.number))
    }

    /// Seconds of the likeliest world with `changes` and a path of `rate` bits per second; `None` if it does
    /// not end.
    pub(crate) fn over(&mut self, changes: &[Change], rate: u64) -> Option<f64> {
        let world = self.worlds.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        let mut scenario = Change::all(changes, &world.scenario);
        scenario.link.rate = Some(BitRate(rate));
        self.simulator.run(&scenario, self.mss, world.number).ok().flatten().map(|run| run.seconds)
    }

    /// The outlook with `changes`; `None` if too few worlds end.
    pub fn with(&mut self, changes: &[Change]) -> Option<Outlook> {
        match self.edited(&|scenario| Ok::<_, Infallible>(Change::all(changes, scenario))) {
            Ok(outlook) => outlook,
            Err(never) => match never {},
        }
    }

    /// Grants further events to changes.
    pub const fn grant(&mut self, events: u64) {
        self.simulator.grant(events);
    }

    /// The kernel of both hosts.
    pub const fn kernel(&self) -> KernelVersion {
        self.simulator.kernel
    }

    /// Sets the kernel of both hosts.
    pub const fn set_kernel(&mut self, kernel: KernelVersion) {
        self.simulator.kernel = kernel;
    }

    /// The outlook with edited scenarios; `None` if too few worlds end.
    ///
    /// # Errors
    /// The first error of `edit`.
    pub fn edited<E>(&mut self, edit: &dyn Fn(&Scenario) -> Result<Scenario, E>) -> Result<Option<Outlook>, E> {
        let mut runs: Vec<(Run, f64)> = Vec::new();
        for world in &self.worlds {
            let scenario = Scenario { deadline: LONGEST, ..edit(&world.scenario)? };
            match self.simulator.run(&scenario, self.mss, world.number) {
                Ok(Some(run)) => runs.push((run, world.weight)),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        Ok(self.outlook(&runs))
    }

    fn outlook(&self, runs: &[(Run, f64)]) -> Option<Outlook> {
        if runs.is_empty() || runs.len() < LEAST_WORLDS.min(self.worlds.len()) {
            return None;
        }
        let times = || runs.iter().map(|(run, weight)| (run.seconds, *weight));
        let held = |limit: Limit| {
            let of_run = |(run, weight): &(Run, f64)| {
                run.limits.iter().filter(|of| of.0 == limit).map(|of| of.1 * weight).sum::<f64>()
            };
            runs.iter().map(of_run).sum::<f64>()
        };
        let next_limit = Limit::ALL.into_iter().max_by(|&a, &b| held(a).total_cmp(&held(b)))?;
        Some(Outlook {
            value: quantile(times(), 0.5),
            low: quantile(times(), LOW) * (1.0 - MARGIN),
            high: quantile(times(), HIGH) * (1.0 + MARGIN),
            next_limit,
        })
    }
}
