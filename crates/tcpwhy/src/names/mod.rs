//! Names of addresses from this machine's resolver: its file of hosts, and whomever it asks.

#[cfg(target_os = "linux")]
mod process;
mod question;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tcpwhy_report::Names;

use question::EACH;
#[cfg(any(test, not(target_os = "linux")))]
use question::ask;

/// All of them: an answer without names is worth more than one that comes late.
const ALL: Duration = Duration::from_secs(5);

/// Asks it, each time for a second at most, five in all. To be called first while this process has one thread
/// and its rights: on Linux another process asks.
pub(crate) fn of_this_machine() -> Arc<Names> {
    static NAMES: OnceLock<Arc<Names>> = OnceLock::new();
    Arc::clone(NAMES.get_or_init(|| Arc::new(start())))
}

#[cfg(target_os = "linux")]
fn start() -> Names {
    match process::Resolver::start() {
        Ok(resolver) => {
            let resolver = Mutex::new(resolver);
            limited(move |address, _| resolver.lock().unwrap_or_else(PoisonError::into_inner).ask(address))
        }
        Err(error) => {
            crate::message::say(error.sentence());
            Names::new(|_| None)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn start() -> Names {
    limited(ask)
}

/// Names by `ask`, which gets the time that it may take, until [`ALL`] is over.
fn limited(ask: impl Fn(IpAddr, Duration) -> Option<String> + Send + Sync + 'static) -> Names {
    let left = Mutex::new(ALL);
    Names::new(move |address| {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.is_zero() {
            return None;
        }
        let begin = Instant::now();
        let name = ask(address, EACH.min(*left));
        *left = left.saturating_sub(begin.elapsed());
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_in_time() {
        let names = limited(ask);
        let begin = Instant::now();
        for last in 1..=50 {
            // Addresses for documentation, which have no names (RFC 5737).
            names.of(IpAddr::from([192, 0, 2, last]));
        }
        assert!(begin.elapsed() < ALL + EACH, "{:?}", begin.elapsed());
    }
}
