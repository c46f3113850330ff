//! State of a running call: its stop flag and its progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tcpwhy_engine::{Plan, Reached};
use tokio::sync::watch;

/// Progress of a call: bytes read, and the total if it is known.
pub(super) type Progress = (u64, Option<u64>);

/// Stop flag and progress of a call that reads captures.
pub(super) struct Work {
    stop: Arc<AtomicBool>,
    progress: watch::Sender<Progress>,
}

impl Work {
    /// Work that ends soon after `stop` is set.
    pub(super) const fn new(stop: Arc<AtomicBool>, progress: watch::Sender<Progress>) -> Self {
        Self { stop, progress }
    }

    /// The plan for reading captures.
    pub(super) fn plan(&self) -> Plan<'_> {
        Plan { stop: &self.stop, ..Plan::default() }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports the progress of the read.
    pub(super) fn advance(&self, reached: Reached) {
        // After a cancellation, there is no receiver.
        let _ = self.progress.send((reached.read, reached.total));
    }
}
