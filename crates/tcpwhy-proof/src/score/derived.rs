//! Captures that a recording does not have: the lab derives them from the captures of its ends.

use std::fs::File;
use std::ops::Range;

use tcpwhy_lab::{LabError, Recording, capture};
use tcpwhy_model::Timestamp;
use tcpwhy_scenario::{CaptureSpec, ClockSetting, ClockStep, Copies, End, Flow, Nanos, Scenario, Tap};

use super::vantage::Vantage;

/// Distance of a capture near an end: the next rack, a firewall, another part of the town.
const NEAR: Nanos = Nanos(3_000_000);
/// Shares of the transfer after which a capture begins or ends.
const BEGINS: f64 = 0.3;
const ENDS: f64 = 0.7;
/// Shares of the transfer after which a clock is stepped.
const STEPS: [f64; 2] = [0.33, 0.66];
/// Sizes of the steps. NTP clients step a clock that is wrong by 128 ms or more (RFC 5905, `STEPT`).
/// Administrators and resumed virtual machines step it by any amount.
const STEP_SIZES: [Nanos; 4] = [Nanos(700_000_000), Nanos(60_000_000), Nanos(5_000_000), Nanos(3_000_000_000)];

/// A capture, and the part of the transfer that it shows.
pub(super) struct Derived {
    pub(super) file: File,
    pub(super) stretch: Range<Timestamp>,
}

/// Derives the capture at `vantage`. `None` if the recording lacks the captures for it, or if the path has no
/// such place.
pub(super) fn derive(recording: &Recording, vantage: Vantage) -> Result<Option<Derived>, LabError> {
    let scenario = recording.scenario();
    if !scenario.capture.is_whole() {
        return Ok(None);
    }
    let folder = std::env::temp_dir();
    let open = |end| {
        File::open(recording.capture(end)).map_err(|error| LabError::io(format!("the capture of the {end}"), error))
    };
    let (mut sender, mut receiver) = (open(End::Sender)?, open(End::Receiver)?);
    let whole = recording.truth().stretch();
    if let Some(from) = near(vantage) {
        if !has_place(scenario) {
            return Ok(None);
        }
        let tap = Some(Tap { from, delay: NEAR });
        let file = capture::tapped([&mut sender, &mut receiver], scenario, tap, &folder)?;
        return Ok(Some(Derived { file, stretch: whole }));
    }
    let Some(begun) = capture::begun([&mut sender, &mut receiver])? else { return Ok(None) };
    let Some(spec) = spec(scenario, vantage, begun, &whole) else { return Ok(None) };
    let file = capture::shaped(&mut sender, &spec, begun, scenario.seed, &folder)?;
    let at = |since: Option<Nanos>, otherwise| since.map_or(otherwise, |since| after(begun, since));
    Ok(Some(Derived { file, stretch: at(spec.begin, whole.start)..at(spec.end, whole.end) }))
}

/// The end from which the capture is a few milliseconds away.
const fn near(vantage: Vantage) -> Option<End> {
    match vantage {
        Vantage::NearSender => Some(End::Sender),
        Vantage::NearReceiver => Some(End::Receiver),
        _ => None,
    }
}

/// Whether the path is long enough, so that a place near one end is not nearer to the other.
fn has_place(scenario: &Scenario) -> bool {
    [Flow::Forward, Flow::Back]
        .into_iter()
        .all(|flow| scenario.link.direction(flow).delay.unwrap_or_default().0 >= 2 * NEAR.0)
}

/// The defects of that capture, counted from `begun`; `None` if this transfer cannot have them.
fn spec(scenario: &Scenario, vantage: Vantage, begun: Timestamp, whole: &Range<Timestamp>) -> Option<CaptureSpec> {
    let usual = CaptureSpec::default();
    let at = |share: f64| {
        let length = whole.end.since(whole.start) as f64;
        Nanos(u64::try_from(whole.start.since(begun) + (share * length) as i64).unwrap_or_default())
    };
    Some(match vantage {
        Vantage::BegunLate => CaptureSpec { begin: Some(at(BEGINS)), ..usual },
        Vantage::EndedEarly => CaptureSpec { end: Some(at(ENDS)), ..usual },
        Vantage::ClockSteps => CaptureSpec { steps: steps(scenario.seed, at), ..usual },
        Vantage::Copies if scenario.ip_version == 4 => CaptureSpec { copies: Some(Copies::default()), ..usual },
        _ => return None,
    })
}

/// One step in each direction; the seed decides which is first.
fn steps(seed: u64, at: impl Fn(f64) -> Nanos) -> Vec<ClockStep> {
    let ways = match seed % 2 {
        0 => [ClockSetting::Forward, ClockSetting::Back],
        _ => [ClockSetting::Back, ClockSetting::Forward],
    };
    let sizes = [seed / 2 % 4, seed / 8 % 4].map(|index| STEP_SIZES[index as usize]);
    let step = |index: usize| ClockStep { at: at(STEPS[index]), set: ways[index], by: sizes[index] };
    vec![step(0), step(1)]
}

fn after(begun: Timestamp, since: Nanos) -> Timestamp {
    Timestamp::from_nanos(begun.as_nanos().saturating_add(i64::try_from(since.0).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(more: &str) -> Scenario {
        Scenario::from_toml("test", &format!("{more}\n[work.stream]\nphases = [{{ bytes = \"1MB\" }}]")).unwrap()
    }

    fn spec_at(vantage: Vantage, more: &str) -> Option<CaptureSpec> {
        let at = |millis: i64| Timestamp::from_nanos(millis * 1_000_000);
        // The SYN passed 100 ms before the sender was connected.
        spec(&scenario(more), vantage, at(1000), &(at(1100)..at(2100)))
    }

    #[test]
    fn cuts_are_shares_of_the_transfer() {
        let millis = |nanos: Option<Nanos>| nanos.map(|nanos| nanos.0 / 1_000_000);
        let late = spec_at(Vantage::BegunLate, "").unwrap();
        assert_eq!((millis(late.begin), late.end), (Some(400), None));
        let early = spec_at(Vantage::EndedEarly, "").unwrap();
        assert_eq!((early.begin, millis(early.end)), (None, Some(800)));
    }

    #[test]
    fn a_clock_goes_both_ways() {
        for seed in 0..32 {
            let steps = spec_at(Vantage::ClockSteps, &format!("seed = {seed}")).unwrap().steps;
            assert_ne!(steps[0].set, steps[1].set);
            assert!(steps[0].at < steps[1].at);
        }
        let sizes: Vec<Nanos> = steps(0b11_101, |_| Nanos(0)).iter().map(|step| step.by).collect();
        assert_eq!(sizes, [STEP_SIZES[2], STEP_SIZES[3]]);
    }

    #[test]
    fn some_transfers_have_no_such_capture() {
        assert_eq!(spec_at(Vantage::Copies, "ip_version = 6"), None);
        assert!(spec_at(Vantage::Copies, "").is_some_and(|spec| spec.copies == Some(Copies::default())));
        assert!(!has_place(&scenario("link.rtt = \"11ms\"")) && has_place(&scenario("link.rtt = \"12ms\"")));
    }
}
