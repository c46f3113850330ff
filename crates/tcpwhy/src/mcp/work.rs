//! One call at work: whether it has to stop, and how far it got.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tcpwhy_engine::{Plan, Reached};
use tokio::sync::watch;

/// How far a call got: bytes read, and of how many if that is known.
pub(super) type Progress = (u64, Option<u64>);

/// What a call that reads captures needs to be stopped and to report progress.
pub(super) struct Work {
    stop: Arc<AtomicBool>,
    progress: watch::Sender<Progress>,
}

impl Work {
    /// Work that ends soon after `stop` is set.
    pub(super) const fn new(stop: Arc<AtomicBool>, progress: watch::Sender<Progress>) -> Self {
        Self { stop, progress }
    }

    /// How captures are read for it.
    pub(super) fn plan(&self) -> Plan<'_> {
        Plan { stop: &self.stop, ..Plan::default() }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports how far reading got.
    pub(super) fn advance(&self, reached: Reached) {
        // Nobody listens any more where the call was cancelled.
        let _ = self.progress.send((reached.read, reached.total));
    }
}
