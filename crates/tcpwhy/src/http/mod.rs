//! An HTTP server that a crowd of strangers cannot keep from answering: what `serve` and `export` share.

mod answer;
mod connections;
pub(crate) mod gzip;
pub(crate) mod limits;
mod signals;
mod site;
mod watch;

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use tokio::runtime;
use tokio::task::{LocalSet, spawn_local};

pub(crate) use answer::{Answer, Coding, Pieces};
pub(crate) use site::Site;
pub(crate) use watch::Watch;

use crate::interruptible::leave_signals_to_others;
use crate::wrong::{Result, Wrong};
use limits::{CONNECTIONS, END_TIME, OWN_FILES};
use signals::Signals;

/// Serves what `site` makes, on `listener`, `limit` connections at a time, until a signal ends it or the future beside the site
/// gives why it cannot go on. `site` is called within the runtime, `announce` when whoever connects is answered.
pub(crate) fn run<S: Site + 'static, F: Future<Output = Wrong>>(
    listener: TcpListener,
    site: impl FnOnce() -> Result<(S, F)>,
    limit: usize,
    announce: impl FnOnce() -> io::Result<()>,
) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    let outcome =
        LocalSet::new().block_on(&runtime, async {
            // From here on a signal ends it in order: what it keeps aside goes with it.
            let mut signals = Signals::listen()?;
            leave_signals_to_others();
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (site, failure) = site()?;
            announce()?;
            spawn_local(connections::accept(listener, Rc::new(site), limit));
            let mut failure = pin!(failure);
            poll_fn(|context| {
                if signals.is_there(context) { Poll::Ready(Ok(())) } else { failure.as_mut().poll(context).map(Err) }
            })
            .await
        });
    runtime.shutdown_timeout(END_TIME);
    outcome
}

/// How many connections leave enough descriptors for what else the program opens, `others` at once.
pub(crate) fn connection_limit(others: usize) -> usize {
    most_files().saturating_sub(OWN_FILES + others).clamp(1, CONNECTIONS)
}

/// How many files this process may have open.
#[cfg(unix)]
fn most_files() -> usize {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
}

/// Windows has no bound on handles but memory.
#[cfg(windows)]
const fn most_files() -> usize {
    usize::MAX
}

/// The port of a `Host` header that names its server by an address, or as `localhost`: a name could be anybody's, also of a page
/// from elsewhere that has it lead here (DNS rebinding).
pub(crate) fn port_of_own_host(host: &str) -> Option<u16> {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    port.filter(|_| name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok())
}
