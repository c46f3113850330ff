//! A single query to the resolver.

use std::net::IpAddr;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// Time for one name: a working resolver is faster.
pub(super) const EACH: Duration = Duration::from_secs(1);

/// Resolves `address` on a thread that is abandoned after `patience`, because a resolver call cannot be
/// cancelled.
pub(super) fn ask(address: IpAddr, patience: Duration) -> Option<String> {
    let (answer, asked) = sync_channel(1);
    let ask = move || drop(answer.send(dns_lookup::lookup_addr(&address).ok()));
    thread::Builder::new().name("names".to_owned()).spawn(ask).ok()?;
    asked.recv_timeout(patience).ok()?
}
