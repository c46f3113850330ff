//! Threads that analyse captures, each one capture at a time.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use crate::analyse::{Content, work};
use crate::errors::Failure;
use crate::input::Input;
use crate::options::Options;

/// Result of a capture's analysis.
pub(crate) type Analysed = Result<Content, Failure>;

/// A capture that is queued or being analysed.
pub(crate) struct Pending {
    /// Displayed name of the input.
    pub(crate) name: String,
    pub(crate) is_named: bool,
    pub(crate) analysed: Receiver<Analysed>,
}

struct Job {
    input: Input,
    result: SyncSender<Analysed>,
}

/// The threads. They end when this is dropped, even in the middle of a capture.
pub(crate) struct Workers {
    jobs: SyncSender<Job>,
    stop: Arc<AtomicBool>,
}

impl Workers {
    /// Starts `threads` threads, with at most `ahead` captures queued.
    pub(crate) fn start(threads: NonZero<usize>, ahead: usize, options: &Arc<Options>) -> io::Result<Self> {
        let (jobs, wanted) = sync_channel(ahead);
        let wanted = Arc::new(Mutex::new(wanted));
        let stop = Arc::new(AtomicBool::new(false));
        for index in 0..threads.get() {
            let (wanted, stop, options) = (Arc::clone(&wanted), Arc::clone(&stop), Arc::clone(options));
            let started =
                thread::Builder::new().name("tcpwhy".to_owned()).spawn(move || serve(&wanted, &stop, &options));
            match started {
                // The threads that started do the work of the missing ones.
                Err(_) if index > 0 => break,
                started => drop(started?),
            }
        }
        Ok(Self { jobs, stop })
    }

    /// Queues a capture; the caller never has more than `ahead` of them pending.
    pub(crate) fn submit(&self, input: Input) -> Pending {
        let (name, is_named) = (input.name.clone(), input.is_named);
        let (result, analysed) = sync_channel(1);
        // Sending fails only after the threads have ended.
        let _ = self.jobs.send(Job { input, result });
        Pending { name, is_named, analysed }
    }

    /// Stops the current analyses.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

fn serve(wanted: &Mutex<Receiver<Job>>, stop: &AtomicBool, options: &Options) {
    loop {
        let job = wanted.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { input, result }) = job else { return };
        // The receiver may be gone already.
        let _ = result.send(work(vec![input], options, stop, &mut || ()));
    }
}
