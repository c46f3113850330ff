//! Predictions of findings by simulation.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Basis, Claim, Estimate, Finding, Limit, Method, PathTime, Prediction, Rate};

use crate::change::Change;
use crate::fit::Fit;
use crate::outlook::Outlook;

/// Simulated events for one direction of a connection: about half a second of one processor.
pub const EVENTS: u64 = 2_000_000;
/// Maximum ratio of high to low end; a wider range is not a prediction.
const WIDEST_RANGE: f64 = 4.0;
/// Ratio below which two durations count as about equal.
const APART: f64 = 1.2;
/// Path rates for which bounds are shown if packets do not show the rate, bits per second.
const NAMED_RATES: [u64; 2] = [1_000_000_000, 100_000_000];

/// Fixes of `half` whose effect can be simulated: the first of each finding, with its changes.
pub fn fixes_of(half: &HalfConnection) -> Vec<(&'static str, &'static [Change])> {
    let mut all: Vec<(&'static str, &'static [Change])> = Vec::new();
    for finding in &half.findings {
        if let Some((changes, fix)) = simulated(half, finding).zip(finding.fixes.first())
            && all.iter().all(|(_, known)| *known != changes)
        {
            all.push((fix.id, changes));
        }
    }
    all
}

/// Changes of the first fix of `finding`, if its prediction can be simulated.
fn simulated(half: &HalfConnection, finding: &Finding) -> Option<&'static [Change]> {
    finding.prediction.as_ref()?;
    let changes = Change::of_fix(finding.fixes.first()?.id)?;
    let losses = half.transfer.as_ref()?.losses;
    let can_be_simulated = |change: &Change| match change {
        // Losses by a queue, a policer or of a SYN depend on other packets, so they cannot be removed alone.
        Change::Loss => !losses.is_overflow && losses.policed.is_none() && losses.segments > 0,
        // Rebuilt programs fill TCP's buffer instead of writing the small pieces that wait for ACKs.
        Change::Nodelay => false,
        _ => true,
    };
    changes.iter().all(can_be_simulated).then_some(changes)
}

/// Largest saving in seconds by fixes of `connection` that can be simulated, according to formulas; `None`
/// without any.
pub(crate) fn saving(connection: &Connection) -> Option<f64> {
    let of_half = |half: &HalfConnection| {
        let now = half.span.seconds();
        let saved = |finding: &Finding| {
            simulated(half, finding)?;
            Some(now - finding.prediction.as_ref()?.least_claimed())
        };
        half.findings.iter().filter_map(saved).reduce(f64::max)
    };
    connection.halves.iter().filter_map(of_half).reduce(f64::max)
}

/// Simulated predictions of a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictions {
    /// Indexes of half and finding, and the new prediction.
    all: Vec<(usize, usize, Prediction)>,
    /// Indexes of halves, and the combined prediction of all its fixes.
    together: Vec<(usize, Prediction)>,
    /// Number of simulated events.
    pub(crate) events: u64,
}

impl Predictions {
    /// Replaces the predictions of `connection`.
    pub(crate) fn apply(self, connection: &mut Connection) {
        for (half, finding, prediction) in self.all {
            connection.halves[half].findings[finding].prediction = Some(prediction);
        }
        for (half, prediction) in self.together {
            connection.halves[half].together = Some(Box::new(prediction));
        }
    }
}

/// Simulates the predictions of `connection`, if its rebuilt worlds behave like it.
pub(crate) fn predict(connection: &Connection) -> Predictions {
    let mut predictions = Predictions::default();
    for (place, half) in connection.halves.iter().enumerate() {
        let OfHalf { findings, together, events } = of_half(connection, half);
        predictions.all.extend(findings.into_iter().map(|(finding, prediction)| (place, finding, prediction)));
        predictions.together.extend(together.map(|prediction| (place, prediction)));
        predictions.events += events;
    }
    predictions
}

/// Simulated predictions of one direction.
#[derive(Default)]
struct OfHalf {
    /// Indexes of findings, with their predictions.
    findings: Vec<(usize, Prediction)>,
    together: Option<Prediction>,
    events: u64,
}

fn of_half(connection: &Connection, half: &HalfConnection) -> OfHalf {
    let all = half.findings.iter().enumerate();
    let wanted: Vec<(usize, &[Change])> =
        all.filter_map(|(index, finding)| Some((index, simulated(half, finding)?))).collect();
    if wanted.is_empty() {
        return OfHalf::default();
    }
    let mut fit = match Fit::counted(connection, half, EVENTS) {
        (Ok(fit), _) => fit,
        (Err(_), events) => return OfHalf { events, ..OfHalf::default() },
    };
    let now = half.span.seconds();
    let seen = match connection.vantage.basis {
        Basis::KernelReported => Basis::KernelInferred,
        _ => Basis::WireInferred,
    };
    let mut predict =
        |changes: &[Change]| fit.with(changes).map(|outlook| prediction_of(&mut fit, changes, &outlook, now, seen));
    let mut made: Vec<(&[Change], Option<Prediction>)> = Vec::new();
    let mut findings = Vec::new();
    for (index, changes) in wanted {
        let known = made.iter().find(|(other, _)| *other == changes).map(|(_, prediction)| prediction.clone());
        let prediction = known.unwrap_or_else(|| {
            let prediction = predict(changes);
            made.push((changes, prediction.clone()));
            prediction
        });
        findings.extend(prediction.map(|prediction| (index, prediction)));
    }
    let mut every: Vec<Change> = made.iter().flat_map(|(changes, _)| changes.iter().copied()).collect();
    every.sort_unstable();
    every.dedup();
    // If one fix already makes all changes, a combined prediction adds nothing.
    let adds = made.len() > 1 && made.iter().all(|(changes, _)| changes.len() < every.len());
    let together = if adds { predict(&every) } else { None };
    OfHalf { findings, together, events: EVENTS - fit.events_left() }
}

/// `seen`: basis of the path's rate.
fn prediction_of(fit: &mut Fit, changes: &[Change], outlook: &Outlook, now: f64, seen: Basis) -> Prediction {
    let value = outlook.value.min(now);
    let seconds = Estimate {
        value,
        low: outlook.low.min(value),
        high: outlook.high.clamp(value, now.max(value)),
        basis: if fit.is_rate_seen() { seen } else { Basis::Assumed },
    };
    let is_wide = seconds.high > seconds.low * WIDEST_RANGE;
    let claim = match (is_wide, fit.is_rate_seen()) {
        (false, _) => Claim::Range,
        (true, true) => Claim::AtBest,
        (true, false) => Claim::AtBestUntried,
    };
    let paths = if claim == Claim::AtBestUntried { by_path(fit, changes, now) } else { Vec::new() };
    Prediction {
        seconds,
        claim,
        next_limit: outlook.next_limit,
        ceiling: match outlook.next_limit {
            Limit::Path if fit.is_rate_seen() => "path-rate-seen",
            Limit::Path => "path-rate-assumed",
            Limit::SlowStart => "slow-start",
            _ => "simulated",
        },
        method: Method::Simulated {
            closeness: fit.closeness(),
            worlds: fit.count() as u32,
            as_it_was: fit.as_it_was(),
        },
        paths,
    }
}

/// Durations for several path rates; empty if they hardly differ.
fn by_path(fit: &mut Fit, changes: &[Change], now: f64) -> Vec<PathTime> {
    let at = |&rate: &u64| {
        let seconds = fit.over(changes, rate)?;
        Some(PathTime { rate: Rate::from_bits_per_sec(rate as f64), seconds: seconds.min(now) })
    };
    let paths: Vec<PathTime> = NAMED_RATES.iter().filter_map(at).collect();
    let seconds = || paths.iter().map(|path| path.seconds);
    let (least, most) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
    if most < least * APART { Vec::new() } else { paths }
}
