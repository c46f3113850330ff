//! One transfer, from a scenario to a recording.

use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::capture::Capture;
use crate::recording::Parts;
use crate::sampler::{Sample, Sampler};
use crate::scenario::{Application, End, Flow, Scenario, Work};
use crate::truth::{Notes, Outcome, Truth};
use crate::work::Log;
use crate::{Emulator, Ends, LabError, Recording, applications, work};

/// Runs a scenario and leaves its recording in `folder`. Belongs into a [cell](crate::cell).
///
/// A connection that breaks leaves a recording too.
///
/// # Errors
/// [`LabError::Broken`] if it broke and the scenario does not expect that; others before there is anything to record.
pub fn run(scenario: &Scenario, folder: &Path) -> Result<Recording, LabError> {
    run_with(scenario, folder, &std::env::temp_dir())
}

/// As [`run`]; programs of others get their folder in `scratch`.
///
/// # Errors
/// As [`run`].
pub fn run_with(scenario: &Scenario, folder: &Path, scratch: &Path) -> Result<Recording, LabError> {
    if let Work::Application(application) = &scenario.work {
        applications::check_programs(application)?;
    }
    let ends = Ends::new(scenario)?;
    let emulator = Emulator::start(&ends, scenario)?;
    let capture = |end| Capture::start(end, ends.namespace(end), ends.device(end));
    let captures = [capture(End::Sender)?, capture(End::Receiver)?];

    let (logs, samples) = match &scenario.work {
        Work::Application(application) => {
            watch_others(application, &ends, || applications::run(scenario, &ends, scratch))?
        }
        Work::Stream(_) | Work::Turns(_) => work_ourselves(scenario, &ends)?,
    };
    sleep(settling_time(scenario));

    let [sender, receiver] = captures;
    let ((sender, sender_count), (receiver, receiver_count)) = (sender.stop()?, receiver.stop()?);
    let emulator = emulator.stop()?;
    check_congestion_control(scenario, &logs)?;
    let truth = Truth::of(Notes {
        scenario,
        logs: &logs,
        samples: &samples,
        captures: [sender_count, receiver_count],
        emulator,
        kernel: kernel_release(),
    });
    let parts = Parts { scenario, truth: &truth, captures: [sender, receiver], samples: &samples };
    let recording = Recording::write(folder, parts)?;
    match &truth.outcome {
        Outcome::Broken(how) if !scenario.expect.breaks => Err(LabError::Broken(how.clone())),
        _ => Ok(recording),
    }
}

/// With the programs of this crate.
fn work_ourselves(scenario: &Scenario, ends: &Ends) -> Result<([Log; 2], [Vec<Sample>; 2]), LabError> {
    let running = work::start(scenario, ends)?;
    let sampler = |end| Sampler::start(running.watched(end)).map_err(|error| sampling(end, error));
    let samplers = [sampler(End::Sender)?, sampler(End::Receiver)?];
    let logs = running.wait();
    Ok((logs, samplers.map(Sampler::stop)))
}

/// With programs of others: `act` runs them until the transfer is over. What they did is seen from outside.
fn watch_others(
    application: &Application,
    ends: &Ends,
    act: impl FnOnce() -> Result<(), LabError>,
) -> Result<([Log; 2], [Vec<Sample>; 2]), LabError> {
    let sampler =
        |end| Sampler::start_foreign(end, ends.namespace(end), application.port).map_err(|error| sampling(end, error));
    let samplers = [sampler(End::Sender)?, sampler(End::Receiver)?];
    act()?;
    let samples = samplers.map(Sampler::stop);
    let log = |end: End| work::foreign::log(end, &samples[end.index()], None);
    Ok(([log(End::Sender), log(End::Receiver)], samples))
}

fn sampling(end: End, error: io::Error) -> LabError {
    LabError::io(format!("sampling the {end}"), error)
}

/// Until the last acknowledgements of the last FINs have come by.
fn settling_time(scenario: &Scenario) -> Duration {
    let delay = |flow| Duration::from(scenario.link.direction(flow).delay.unwrap_or_default());
    3 * (delay(Flow::Forward) + delay(Flow::Back)) / 2 + Duration::from_millis(30)
}

/// An accepted socket has its listener's, but nobody promises that.
fn check_congestion_control(scenario: &Scenario, logs: &[Log; 2]) -> Result<(), LabError> {
    for end in End::BOTH {
        let (wanted, got) = (&scenario.end(end).congestion_control, &logs[end.index()].congestion_control);
        if !got.is_empty() && got != wanted {
            return Err(LabError::CongestionControl { end, wanted: wanted.clone(), got: got.clone() });
        }
    }
    Ok(())
}

fn kernel_release() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}
