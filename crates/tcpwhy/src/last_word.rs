//! Who says why the process ends: one thread, whatever several of them lack at the same time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IS_MINE: Cell<bool> = const { Cell::new(false) };
}

/// Returns in the first thread that calls it, as often as that does: it says why the process ends, and ends
/// it. Every other thread waits here for that. Takes no memory.
pub(crate) fn take() {
    if IS_MINE.get() || !IS_TAKEN.swap(true, Ordering::AcqRel) {
        IS_MINE.set(true);
        return;
    }
    loop {
        sleep(Duration::from_secs(1));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier, mpsc};
    use std::thread::spawn;

    use super::*;

    #[test]
    fn one_thread_of_many_has_it() {
        const THREADS: usize = 16;
        let (said, heard) = mpsc::channel();
        let start = Arc::new(Barrier::new(THREADS));
        for thread in 0..THREADS {
            let (said, start) = (said.clone(), Arc::clone(&start));
            spawn(move || {
                start.wait();
                take();
                // What it says may lack memory as well.
                take();
                said.send(thread).unwrap();
            });
        }
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(heard.recv_timeout(Duration::from_millis(200)).is_err(), "a second thread has it too");
    }
}
