//! Lets one thread print why the process ends, even if several run out of memory at the same time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IS_MINE: Cell<bool> = const { Cell::new(false) };
}

/// Returns in the first thread that calls it, and again in that thread. It then prints the reason and ends
/// the process; every other thread waits here. Allocates no memory.
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
                // Printing the message may run out of memory, too.
                take();
                said.send(thread).unwrap();
            });
        }
        heard.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(heard.recv_timeout(Duration::from_millis(200)).is_err(), "a second thread has it too");
    }
}
