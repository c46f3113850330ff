//! Stop signal for programs that block.

use std::net::Shutdown;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use socket2::Socket;

/// Wakes the programs, whether they sleep or block in a call on one of their sockets.
#[derive(Debug, Default)]
pub(super) struct Stop {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_over: bool,
    sockets: Vec<Arc<Socket>>,
}

impl Stop {
    /// Adds a socket that is shut down when the time is over.
    pub(super) fn watch(&self, socket: &Arc<Socket>) {
        let mut state = self.lock();
        if state.is_over {
            let _ = socket.shutdown(Shutdown::Both);
        } else {
            state.sockets.push(Arc::clone(socket));
        }
    }

    pub(super) fn now(&self) {
        let mut state = self.lock();
        state.is_over = true;
        for socket in state.sockets.drain(..) {
            // An error means that the socket is not connected, so no program blocks in it.
            let _ = socket.shutdown(Shutdown::Both);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Releases the socket, so that it closes with its program.
    pub(super) fn forget(&self, socket: &Arc<Socket>) {
        self.lock().sockets.retain(|known| !Arc::ptr_eq(known, socket));
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// Sleeps until `due`, or until the stop signal.
    pub(super) fn sleep_until(&self, due: Instant) {
        let mut state = self.lock();
        while !state.is_over {
            let left = due.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
