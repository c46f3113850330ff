//! An HTTP server, shared by `serve` and `export`, that many unauthenticated clients cannot block.

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

/// Serves the site on `listener`, at most `limit` connections at a time. It ends on a signal, or when the
/// future returned beside the site yields an error. `site` is called within the runtime, `announce` when the
/// server accepts connections.
pub(crate) fn run<S: Site + 'static, F: Future<Output = Wrong>>(
    listener: TcpListener,
    site: impl FnOnce() -> Result<(S, F)>,
    limit: usize,
    announce: impl FnOnce() -> io::Result<()>,
) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    let outcome =
        LocalSet::new().block_on(&runtime, async {
            // From here on a signal ends the server in order, so that its temporary files are removed.
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

/// The number of connections that leaves enough descriptors for the program's other files, of which `others`
/// are open at the same time.
pub(crate) fn connection_limit(others: usize) -> usize {
    most_files().saturating_sub(OWN_FILES + others).clamp(1, CONNECTIONS)
}

/// Open files that this process may have (`RLIMIT_NOFILE`).
#[cfg(unix)]
fn most_files() -> usize {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX)
}

/// Windows limits handles only by memory.
#[cfg(windows)]
const fn most_files() -> usize {
    usize::MAX
}

/// The port of a `Host` header that names the server by address or as `localhost`. Any other name could
/// belong to a hostile page that resolves it to this host (DNS rebinding).
pub(crate) fn port_of_own_host(host: &str) -> Option<u16> {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    port.filter(|_| name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok())
}
