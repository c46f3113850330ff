//! One transfer, from a scenario to a recording.

use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use tcpwhy_model::host::Counters;

use crate::capture::Capture;
use crate::recording::Parts;
use crate::sampler::{Sample, Sampler};
use crate::scenario::{End, Flow, Scenario, Work};
use crate::truth::{Counted, Notes, Outcome, Truth};
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
    let before = counters(&ends)?;

    let (logs, samples) = match &scenario.work {
        Work::Application(application) => {
            (None, watch_others(application.port, &ends, || applications::run(scenario, &ends, scratch))?)
        }
        Work::Stream(_) | Work::Turns(_) => {
            let (logs, samples) = work_ourselves(scenario, &ends)?;
            (Some(logs), samples)
        }
    };
    sleep(settling_time(scenario));
    let counted = Counted::between(scenario, &before, &counters(&ends)?);

    let [sender, receiver] = captures;
    let ((sender, sender_count), (receiver, receiver_count)) = (sender.stop()?, receiver.stop()?);
    let emulator = emulator.stop()?;
    let logs = match (logs, &scenario.work) {
        (None, Work::Application(application)) => {
            let log = |end: End, capture| {
                work::foreign_log(end, application.port, capture, &samples[end.index()])
                    .map_err(|error| LabError::io(format!("the capture of the {end}"), error))
            };
            [log(End::Sender, &sender)?, log(End::Receiver, &receiver)?]
        }
        (logs, _) => logs.unwrap_or_default(),
    };
    check_congestion_control(scenario, &logs)?;
    let truth = Truth::of(Notes {
        scenario,
        logs: &logs,
        samples: &samples,
        captures: [sender_count, receiver_count],
        emulator,
        counted,
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

/// With programs of others: `act` runs them until the transfer is over. What they do is seen from outside.
fn watch_others(
    port: u16,
    ends: &Ends,
    act: impl FnOnce() -> Result<(), LabError>,
) -> Result<[Vec<Sample>; 2], LabError> {
    let sampler = |end| Sampler::start_foreign(end, ends.namespace(end), port).map_err(|error| sampling(end, error));
    let samplers = [sampler(End::Sender)?, sampler(End::Receiver)?];
    act()?;
    Ok(samplers.map(Sampler::stop))
}

fn sampling(end: End, error: io::Error) -> LabError {
    LabError::io(format!("sampling the {end}"), error)
}

/// Of the sender's namespace and the receiver's, since they were made.
fn counters(ends: &Ends) -> Result<[Option<Counters>; 2], LabError> {
    let read = |end| {
        let read = ends.namespace(end).run(tcpwhy_live::counters);
        read.map_err(|error| LabError::io(format!("the counters of the {end}"), error))
    };
    Ok([read(End::Sender)?, read(End::Receiver)?])
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

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;

    use super::*;
    use crate::truth::{Held, Manner, held};

    const TEXT: &str = r#"
        [expect]
        verdict = ["send_buffer"]
        [link]
        rtt = "10ms"
        rate = "100mbit"
        [sender]
        sndbuf = "32KiB"
        [work.stream]
        phases = [{ bytes = "4MB" }]
    "#;

    /// What is seen of programs of others is what they would have noted.
    #[test]
    fn from_outside_as_from_inside() {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        let ends = match Ends::new(&scenario) {
            Ok(ends) => ends,
            Err(why) => return eprintln!("skipped: {why}"),
        };
        let emulator = Emulator::start(&ends, &scenario).unwrap();
        let captures = End::BOTH.map(|end| Capture::start(end, ends.namespace(end), ends.device(end)).unwrap());
        let mut done = None;
        let act = || {
            done = Some(work_ourselves(&scenario, &ends)?);
            Ok(())
        };
        let outside = watch_others(5001, &ends, act).unwrap();
        sleep(settling_time(&scenario));
        let captures = captures.map(|capture| capture.stop().unwrap().0);
        emulator.stop().unwrap();
        let (logs, inside) = done.unwrap();
        for end in End::BOTH {
            let (noted, inside, outside) = (&logs[end.index()], &inside[end.index()], &outside[end.index()]);
            let seen = work::foreign_log(end, 5001, &captures[end.index()], outside).unwrap();
            assert_eq!(seen.failure, None);
            assert!(outside.len() > inside.len() / 2, "{} and {} samples at the {end}", outside.len(), inside.len());
            let apart = |noted: Option<Timestamp>, seen: Option<Timestamp>| {
                (noted.unwrap().since(seen.unwrap()) as f64 / 1e6).abs()
            };
            match end {
                End::Sender => {
                    assert_eq!(noted.sent, seen.sent);
                    assert!(apart(noted.first_io, seen.first_io) < 5.0);
                    assert!(apart(noted.all_acked, seen.all_acked) < 5.0);
                }
                End::Receiver => {
                    assert_eq!(noted.received, seen.received);
                    assert!(apart(noted.opened, seen.opened) < 5.0);
                    assert!(apart(noted.connected, seen.connected) < 5.0);
                    assert!(apart(noted.eof, seen.eof) < 5.0);
                }
            }
        }
        let shares = |samples: &[Sample]| {
            let full = |sample: &&Sample| held(sample, Manner::default()) == Some(Held::Sndbuf);
            samples.iter().filter(full).count() as f64 / samples.len() as f64
        };
        let (inside, outside) = (shares(&inside[0]), shares(&outside[0]));
        assert!(inside > 0.7 && (inside - outside).abs() < 0.1, "{inside} and {outside} in the send buffer");
    }
}
