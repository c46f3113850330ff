//! One transfer, from a scenario to a recording.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use tcpwhy_model::host::Counters;

use crate::applications::{self, Stage};
use crate::capture::{self, Capture};
use crate::cell::Cell;
use crate::namespace::Resident;
use crate::recording::Parts;
use crate::sampler::{Sample, Sampler, WriterWatch};
use crate::truth::{BlockedFrom, Counted, Notes, Truth};
use crate::work::Log;
use crate::{Emulator, Ends, LabError, Recording, work};
use tcpwhy_rights::Identity;
use tcpwhy_scenario::{End, Flow, Scenario, Service, Work};

/// Runs a scenario and leaves its recording in `folder`, which must exist. Only this process ends the run's
/// threads and namespaces; foreign programs need a [cell](crate::cell).
///
/// A broken connection leaves a recording too: see [`Recording::unbroken`].
///
/// # Errors
/// The error that prevented the run or its recording.
pub fn run(scenario: &Scenario, folder: &Path) -> Result<Recording, LabError> {
    transfer(scenario, folder, None)
}

/// Runs a scenario as [`run`] does, in `cell`. After everything that needs privileges is set up, and before
/// any data or foreign program runs, the privileges are dropped.
///
/// # Errors
/// The same as those of [`run`].
pub fn run_in(cell: &Cell, scenario: &Scenario, folder: &Path) -> Result<Recording, LabError> {
    transfer(scenario, folder, Some(cell))
}

/// The programs of the transfer.
enum Programs<'a> {
    /// The programs of this crate.
    Ours(Box<work::Opened>),
    /// Foreign programs.
    Foreign(Stage<'a>, Option<Box<WriterWatch>>),
}

fn transfer(scenario: &Scenario, folder: &Path, cell: Option<&Cell>) -> Result<Recording, LabError> {
    if let Work::Application(application) = &scenario.work {
        applications::check_programs(application)?;
    }
    let ends = Ends::new(scenario)?;
    let emulator = Emulator::start(&ends, scenario)?;
    let open = |end| capture::Opened::new(end, ends.namespace(end), ends.device(end));
    let captures = [open(End::Sender)?, open(End::Receiver)?];
    let residents = residents(&ends, &scenario.work)?;
    let programs = match &scenario.work {
        Work::Application(application) => {
            let cell = cell.ok_or_else(|| LabError::io("programs of others", io::ErrorKind::Unsupported))?;
            Programs::Foreign(
                Stage::set(application, &ends, &residents, cell.scratch())?,
                WriterWatch::attach().map(Box::new),
            )
        }
        Work::Stream(_) | Work::Turns(_) | Work::Talk(_) => Programs::Ours(Box::new(work::open(scenario, &ends)?)),
    };
    cell.map_or(Ok(()), Cell::seal)?;

    let [sender, receiver] = captures;
    let captures = [Capture::start(sender, folder)?, Capture::start(receiver, folder)?];
    let before = counters(&residents)?;
    let blocked_from = match &programs {
        Programs::Ours(_) => BlockedFrom::Writer,
        Programs::Foreign(_, Some(_)) => BlockedFrom::Kernel,
        Programs::Foreign(_, None) => BlockedFrom::Unknown,
    };
    let (logs, samples) = match programs {
        Programs::Foreign(stage, writers) => (
            None,
            watch_others(stage.service(), &residents, writers.map(|writers| *writers), || {
                stage.run(scenario.deadline.into())
            })?,
        ),
        Programs::Ours(opened) => {
            let (logs, samples) = work_ourselves(*opened)?;
            (Some(logs), samples)
        }
    };
    sleep(settling_time(scenario));
    let counted = Counted::between(scenario, &before, &counters(&residents)?);

    let [sender, receiver] = captures;
    let ((mut sender, sender_count), (mut receiver, receiver_count)) = (sender.stop()?, receiver.stop()?);
    let emulator = emulator.stop()?;
    let logs = match (logs, &scenario.work) {
        (None, Work::Application(application)) => {
            let log = |end: End, capture| {
                work::foreign_log(end, application.service(), capture, &samples[end.index()])
                    .map_err(|error| LabError::io(format!("the capture of the {end}"), error))
            };
            [log(End::Sender, &sender)?, log(End::Receiver, &receiver)?]
        }
        (logs, _) => logs.unwrap_or_default(),
    };
    check_congestion_control(scenario, &logs)?;
    let begun = capture::begun([&mut sender, &mut receiver])?.unwrap_or_default();
    let truth = Truth::of(Notes {
        scenario,
        logs: &logs,
        samples: &samples,
        blocked_from,
        captures: [sender_count, receiver_count],
        emulator,
        counted,
        begun,
        kernel: kernel_release(),
    });
    let middle = capture::tapped([&mut sender, &mut receiver], scenario, scenario.capture.tap, folder)?;
    let shape = |mut capture: File| {
        let spec = &scenario.capture;
        if spec.is_whole() { Ok(capture) } else { capture::shaped(&mut capture, spec, begun, scenario.seed, folder) }
    };
    let captures = [shape(sender)?, shape(receiver)?];
    let parts = Parts { scenario, truth: &truth, captures, middle: shape(middle)?, samples: &samples };
    Recording::write(folder, parts)
}

/// Runs the transfer with the programs of this crate.
fn work_ourselves(opened: work::Opened) -> Result<([Log; 2], [Vec<Sample>; 2]), LabError> {
    let running = work::start(opened)?;
    let sampler = |end| Sampler::start(running.watched(end)).map_err(|error| sampling(end, error));
    let samplers = [sampler(End::Sender)?, sampler(End::Receiver)?];
    let logs = running.wait();
    Ok((logs, samplers.map(Sampler::stop)))
}

/// Runs the transfer with foreign programs: `act` runs them until the end. They are observed from outside.
fn watch_others(
    service: Service,
    residents: &[Resident; 2],
    writers: Option<WriterWatch>,
    act: impl FnOnce() -> Result<(), LabError>,
) -> Result<[Vec<Sample>; 2], LabError> {
    let sampler = |end: End, writers| {
        Sampler::start_foreign(end, &residents[end.index()], service, writers).map_err(|error| sampling(end, error))
    };
    let samplers = [sampler(End::Sender, writers)?, sampler(End::Receiver, None)?];
    act()?;
    Ok(samplers.map(Sampler::stop))
}

fn sampling(end: End, error: io::Error) -> LabError {
    LabError::io(format!("sampling the {end}"), error)
}

/// Threads in the sender's namespace and the receiver's, for work after the capability to enter was dropped.
fn residents(ends: &Ends, work: &Work) -> Result<[Resident; 2], LabError> {
    let identity = if matches!(work, Work::Application(_)) { Identity::of_foreign() } else { Identity::Own };
    let settle = |end| {
        let resident = ends.namespace(end).resident(identity, &[]);
        resident.map_err(|error| LabError::io(format!("a thread of the {end}"), error))
    };
    Ok([settle(End::Sender)?, settle(End::Receiver)?])
}

/// Counters of the sender's namespace and the receiver's, since their creation.
fn counters(residents: &[Resident; 2]) -> Result<[Option<Counters>; 2], LabError> {
    let read = |end: End| {
        let read = residents[end.index()].call(tcpwhy_live::counters);
        read.map_err(|error| LabError::io(format!("the counters of the {end}"), error))
    };
    Ok([read(End::Sender)?, read(End::Receiver)?])
}

/// Time until the acknowledgements of the last FINs have arrived.
fn settling_time(scenario: &Scenario) -> Duration {
    let delay = |flow| Duration::from(scenario.link.direction(flow).delay.unwrap_or_default());
    3 * (delay(Flow::Forward) + delay(Flow::Back)) / 2 + Duration::from_millis(30)
}

/// The kernel does not promise that an accepted socket has its listener's congestion control.
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
    use super::*;
    use crate::truth::{Held, SocketTraits, held};

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

    /// Longest interval between two close samples, 1 ms, and as long again for waking up. Nanoseconds.
    const CLOSE: i64 = 2_000_000;

    /// Foreign programs observed from outside must give the same results as their own notes. Other tests may
    /// delay the programs, so one of five attempts must succeed. If the link was late in all of them, the
    /// test is skipped.
    #[test]
    fn from_outside_as_from_inside() {
        let scenario = Scenario::from_toml("test", TEXT).unwrap();
        let mut is_always_late = true;
        for _ in 0..5 {
            let transfer = match Transfer::of(&scenario) {
                Ok(transfer) => transfer,
                Err(why @ (LabError::Namespace(_) | LabError::Tap(_))) => return tcpwhy_testkit::skip(why),
                Err(why) => panic!("{why}"),
            };
            let differences = transfer.differences();
            if differences.is_empty() {
                return;
            }
            eprintln!("again: {differences:?}");
            is_always_late &= transfer.is_late;
        }
        assert!(is_always_late, "seen from outside it is something else each time");
        eprintln!("skipped: the machine is too busy");
    }

    /// A transfer as its programs noted it and as observed from outside.
    struct Transfer {
        noted: [Log; 2],
        seen: [Log; 2],
        inside: [Vec<Sample>; 2],
        outside: [Vec<Sample>; 2],
        /// Whether the kernel shows which programs wait for room in the send buffer.
        is_known: bool,
        is_late: bool,
    }

    impl Transfer {
        fn of(scenario: &Scenario) -> Result<Self, LabError> {
            let ends = Ends::new(scenario)?;
            let emulator = Emulator::start(&ends, scenario)?;
            let open = |end| capture::Opened::new(end, ends.namespace(end), ends.device(end)).unwrap();
            let captures = End::BOTH.map(|end| Capture::start(open(end), &std::env::temp_dir()).unwrap());
            let residents = residents(&ends, &scenario.work)?;
            let opened = work::open(scenario, &ends)?;
            let mut done = None;
            let act = || {
                done = Some(work_ourselves(opened)?);
                Ok(())
            };
            let service = Service { end: End::Sender, port: work::PORT };
            let writers = WriterWatch::attach();
            let is_known = writers.is_some();
            let outside = watch_others(service, &residents, writers, act)?;
            sleep(settling_time(scenario));
            let captures = captures.map(|capture| capture.stop().unwrap().0);
            let is_late = emulator.stop()?.is_late;
            let (noted, inside) = done.unwrap();
            let seen = End::BOTH.map(|end| {
                let index = end.index();
                work::foreign_log(end, service, &captures[index], &outside[index]).unwrap()
            });
            for end in &seen {
                assert_eq!(end.failure, None);
            }
            assert_eq!((noted[0].sent, noted[1].received), (seen[0].sent, seen[1].received));
            Ok(Self { noted, seen, inside, outside, is_known, is_late })
        }

        /// Differences that do not come from a delayed program or sampler.
        fn differences(&self) -> Vec<String> {
            let mut differences = Vec::new();
            let [noted_sender, noted_receiver] = &self.noted;
            let [seen_sender, seen_receiver] = &self.seen;
            for (what, noted, seen) in [
                ("first_io", noted_sender.first_io, seen_sender.first_io),
                ("all_acked", noted_sender.all_acked, seen_sender.all_acked),
                ("opened", noted_receiver.opened, seen_receiver.opened),
                ("connected", noted_receiver.connected, seen_receiver.connected),
                ("eof", noted_receiver.eof, seen_receiver.eof),
            ] {
                let apart = noted.unwrap().since(seen.unwrap());
                if apart.abs() > 5_000_000 {
                    differences.push(format!("{what}: {apart} ns apart"));
                }
            }
            for samples in &self.outside {
                let rest = median_rest(samples);
                if rest > CLOSE {
                    differences.push(format!("{rest} ns between {} samples", samples.len()));
                }
            }
            let [inside, outside] = [&self.inside[0], &self.outside[0]].map(|samples| in_send_buffer(samples));
            // Without the kernel's bits, no time counts as send buffer.
            let expected = if self.is_known { inside } else { 0.0 };
            if inside < 0.7 || (expected - outside).abs() > 0.1 {
                differences.push(format!("{inside} and {outside} in the send buffer"));
            }
            differences
        }
    }

    /// Median time from the end of one sample to the next. The duration of a sample is excluded, because it
    /// depends on the load.
    fn median_rest(samples: &[Sample]) -> i64 {
        let rest = |pair: &[Sample]| pair[1].time.since(pair[0].time) - pair[0].took.cast_signed();
        let mut rests: Vec<i64> = samples.windows(2).map(rest).collect();
        rests.sort_unstable();
        rests.get(rests.len() / 2).copied().unwrap_or(i64::MAX)
    }

    /// Share of the time, not of the samples, because a busy processor takes fewer samples.
    fn in_send_buffer(samples: &[Sample]) -> f64 {
        let nanos = |pair: &[Sample]| pair[1].time.since(pair[0].time) as f64;
        let is_full = |pair: &&[Sample]| held(&pair[0], SocketTraits::default()) == Some(Held::Sndbuf);
        let full: f64 = samples.windows(2).filter(is_full).map(nanos).sum();
        full / samples.windows(2).map(nanos).sum::<f64>()
    }
}
