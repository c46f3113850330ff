//! The relay between two TAP devices: one thread, one [`Link`] a direction.

mod histogram;
mod priority;
mod relay;
mod report;

use std::io;
use std::os::fd::OwnedFd;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use rustix::event::{EventfdFlags, eventfd};

pub use report::{DirectionReport, EmulatorReport, Lateness};

use crate::scenario::{End, Nanos, Scenario};
use crate::{Ends, LabError};
use relay::Relay;

/// The relay ends by itself this long after the scenario's deadline.
const SLACK: Nanos = Nanos::from_secs(10);

/// The running relay. Dropping it ends it.
#[derive(Debug)]
pub struct Emulator {
    stop: OwnedFd,
    thread: Option<JoinHandle<Result<EmulatorReport, LabError>>>,
}

impl Emulator {
    /// Starts to move frames between the two ends.
    pub fn start(ends: &Ends, scenario: &Scenario) -> Result<Self, LabError> {
        let failed = |error: io::Error| LabError::io("starting the emulator", error);
        let stop = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|error| failed(error.into()))?;
        let stopped = stop.try_clone().map_err(failed)?;
        let taps =
            [ends.tap(End::Sender).try_clone().map_err(failed)?, ends.tap(End::Receiver).try_clone().map_err(failed)?];
        let link = scenario.link.clone();
        let (seed, limit) = (scenario.seed, Nanos(scenario.deadline.0 + SLACK.0));
        let coalesces = [scenario.sender.offload, scenario.receiver.offload];
        let (ready, is_ready) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("emulator".to_owned())
            .spawn(move || Relay::new(taps, &link, seed, coalesces, limit).run(&stopped, &ready))
            .map_err(failed)?;
        // An error here means that the thread has ended, which `stop` reports.
        let _ = is_ready.recv();
        Ok(Self { stop, thread: Some(thread) })
    }

    /// Ends it and says what it did.
    pub fn stop(mut self) -> Result<EmulatorReport, LabError> {
        self.signal();
        let Some(thread) = self.thread.take() else { return Ok(EmulatorReport::default()) };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn signal(&self) {
        // A counter that is full has been signalled before.
        let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        self.signal();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
