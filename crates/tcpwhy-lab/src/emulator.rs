//! The relay between two TAP devices: one thread, and one [`Link`] per direction.

mod histogram;
mod priority;
mod relay;
mod report;
mod wake;

use std::io;
use std::os::fd::OwnedFd;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use rustix::event::{EventfdFlags, eventfd};

pub use report::{DirectionReport, EmulatorReport, Lateness};

use crate::ends::Between;
use crate::{Ends, LabError};
use relay::Relay;
use tcpwhy_rights::Capability;
use tcpwhy_scenario::{Nanos, Scenario};

/// The relay ends by itself this long after the scenario's deadline.
const SLACK: Nanos = Nanos::from_secs(10);

/// The running relay. Dropping it ends it.
#[derive(Debug)]
pub struct Emulator {
    /// `None` if the kernel's netem emulates the link.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    stop: OwnedFd,
    thread: JoinHandle<Result<EmulatorReport, LabError>>,
}

impl Emulator {
    /// Starts to move frames between the two ends.
    pub fn start(ends: &Ends, scenario: &Scenario) -> Result<Self, LabError> {
        let failed = |error: io::Error| LabError::io("starting the emulator", error);
        let taps = match ends.between() {
            Between::Taps([sender, receiver]) => {
                [sender.try_clone().map_err(failed)?, receiver.try_clone().map_err(failed)?]
            }
            Between::Wire(_) => return Ok(Self { running: None }),
        };
        let stop = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|error| failed(error.into()))?;
        let stopped = stop.try_clone().map_err(failed)?;
        let link = scenario.link.clone();
        let (seed, limit) = (scenario.seed, Nanos(scenario.deadline.0 + SLACK.0));
        let coalesces = [scenario.sender.offload, scenario.receiver.offload];
        let (ready, is_ready) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("emulator".to_owned())
            .spawn(move || {
                tcpwhy_rights::keep_only(&[Capability::RealTime])
                    .map_err(|error| LabError::io("giving up rights", error))?;
                Relay::new(taps, &link, seed, coalesces, limit).run(&stopped, &ready)
            })
            .map_err(failed)?;
        // An error here means that the thread has ended, which `stop` reports.
        let _ = is_ready.recv();
        Ok(Self { running: Some(Running { stop, thread }) })
    }

    /// Stops the relay and returns its report; an empty one if the kernel's netem emulated the link.
    pub fn stop(mut self) -> Result<EmulatorReport, LabError> {
        self.running.take().map_or_else(|| Ok(EmulatorReport::default()), Running::end)
    }
}

impl Running {
    fn end(self) -> Result<EmulatorReport, LabError> {
        // A write to a full counter fails, but then the signal was given before.
        let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            // A dropped emulator has no caller for its report.
            let _ = running.end();
        }
    }
}
