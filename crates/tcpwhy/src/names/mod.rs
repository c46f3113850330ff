//! Names of addresses from this machine's resolver: its hosts file and name servers.

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

/// Time for all names together: a report without names is better than a late one.
const ALL: Duration = Duration::from_secs(5);

/// Starts the resolver, with at most 1 s per name and 5 s in total. The first call must happen while this
/// process has one thread and its privileges, because on Linux a separate process asks.
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

/// Names from `ask`, which gets its time limit, until [`ALL`] is used up.
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
