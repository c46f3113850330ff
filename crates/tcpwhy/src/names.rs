//! Names of addresses from this machine's resolver: its file of hosts, and whomever it asks.

use std::net::IpAddr;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tcpwhy_report::Names;

/// A resolver that is there answers sooner.
const EACH: Duration = Duration::from_secs(1);
/// All of them: an answer without names is worth more than one that comes late.
const ALL: Duration = Duration::from_secs(5);

/// Asks it, each time for a second at most, five in all.
pub(crate) fn of_this_machine() -> Arc<Names> {
    let left = Mutex::new(ALL);
    Arc::new(Names::new(move |address| {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.is_zero() {
            return None;
        }
        let begin = Instant::now();
        let name = ask(address, EACH.min(*left));
        *left = left.saturating_sub(begin.elapsed());
        name
    }))
}

/// A resolver cannot be told to give up: who waits does.
fn ask(address: IpAddr, patience: Duration) -> Option<String> {
    let (answer, asked) = sync_channel(1);
    let ask = move || drop(answer.send(dns_lookup::lookup_addr(&address).ok()));
    thread::Builder::new().name("names".to_owned()).spawn(ask).ok()?;
    asked.recv_timeout(patience).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_in_time() {
        let names = of_this_machine();
        let begin = Instant::now();
        for last in 1..=50 {
            // Addresses for documentation, which have no names (RFC 5737).
            names.of(IpAddr::from([192, 0, 2, last]));
        }
        assert!(begin.elapsed() < ALL + EACH, "{:?}", begin.elapsed());
    }
}
