//! Sampler of the sockets of a transfer while it runs.

mod foreign;
mod sample;
mod series;
mod socket;
mod waiting;

use std::io;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

pub use self::sample::Sample;
use self::sample::interval;
pub use self::series::read_series;
pub(crate) use self::series::write_series;
pub use self::socket::SocketState;
pub(crate) use self::waiting::WriterWatch;
use crate::namespace::Resident;
use crate::wall;
use crate::work::Watched;
use tcpwhy_scenario::{End, Service};

/// Samples one socket on a thread of its own.
pub(crate) struct Sampler {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<Sample>>>,
}

impl Sampler {
    /// Samples a program of this crate until it has ended.
    pub(crate) fn start(watched: Watched) -> io::Result<Self> {
        Self::spawn(move |stop| run(&watched, stop))
    }

    /// Samples the connection of a foreign program with the server's `port`, on the `resident` of the
    /// namespace of `end`. With `writers`, the samples also show whether its program waits for room.
    pub(crate) fn start_foreign(
        end: End,
        resident: &Resident,
        service: Service,
        writers: Option<WriterWatch>,
    ) -> io::Result<Self> {
        // A thread starts in the namespace of its creator.
        resident
            .call(move || Self::spawn(move |stop| foreign::run(end, service, writers, stop)))
            .and_then(|sampler| sampler)
    }

    fn spawn(sample: impl FnOnce(&AtomicBool) -> Vec<Sample> + Send + 'static) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn({
            let stop = Arc::clone(&stop);
            move || sample(&stop)
        })?;
        Ok(Self { stop, thread: Some(thread) })
    }

    /// Stops the sampler, and returns the samples in order of time.
    pub(crate) fn stop(mut self) -> Vec<Sample> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn run(watched: &Watched, stop: &AtomicBool) -> Vec<Sample> {
    wall::sleep_precisely();
    let mut samples = Vec::with_capacity(4096);
    let start = Instant::now();
    let mut due = start;
    while !stop.load(Ordering::Relaxed) && !watched.activity.is_over() {
        if let Some(socket) = watched.socket.get() {
            let time = wall::now();
            let program = Some(watched.activity.glimpse());
            // A socket whose state cannot be read is closed, so the sampler ends.
            let Ok(socket) = SocketState::read(socket.as_fd()) else { break };
            let took = wall::now().since(time).max(0).cast_unsigned();
            samples.push(Sample { time, took, program, socket, ..Sample::default() });
        }
        due += interval(start.elapsed());
        // After a stall, the schedule restarts: many samples at once would add no information.
        due = due.max(Instant::now());
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    samples
}
