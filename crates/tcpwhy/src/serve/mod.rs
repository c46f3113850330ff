//! `tcpwhy serve`: the page of `--html` on a local port, which answers with more detail than fits a file.
//!
//! For one person on one machine, where others may be too. It listens on the loopback address unless told otherwise, knows two
//! paths, reads the captures it was given and nothing else, and answers only
//! - requests that name it by address, so that a page from elsewhere cannot reach it under a name of its own (DNS rebinding),
//! - whose path begins with the token that was printed, so that other users of the machine cannot,
//! - within [`limits`], so that nobody can keep it from answering.

mod answer;
mod connections;
mod detail;
mod limits;
mod readings;
mod request;
mod signals;
mod site;
mod token;
mod watch;

use crate::exit::ExitStatus;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::rc::Rc;

use anyhow::{Context as _, Result};
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use tcpwhy_report::{Args, Catalogue, Wording};
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::page;
use tokio::runtime;
use tokio::task::{LocalSet, spawn_local};

use crate::EXIT_ERROR;
use crate::args::ServeArgs;
use crate::explain;
use crate::inputs::Inputs;
use crate::interruptible::leave_signals_to_others;
use crate::message;
use crate::output::{Collect, charts};
use crate::standard_output::stdout;
use detail::Details;
use limits::{CONNECTIONS, END_TIME, OWN_FILES};
use readings::Readings;
use request::Door;
use signals::Signals;
use site::Site;
use token::Token;

/// Reads the captures that `args` names and answers until it is stopped.
pub(crate) fn run(args: &ServeArgs) -> Result<ExitStatus> {
    let explain_args = args.as_explain();
    let language = args.words.language();
    let catalogue = Catalogue::new(language);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let inputs =
        Inputs::repeatable(&args.files, args.merge, anonymizer.as_ref()).context("standard input could not be kept")?;
    let listener = TcpListener::bind(args.listen).with_context(|| args.listen.to_string())?;
    let address = listener.local_addr()?;
    let token = Token::random().context("no random token for the address")?;
    let mut survey = Survey::new();
    let mut sink = Collect::new(&mut survey);
    let seen = explain::read(&explain_args, &inputs, anonymizer.as_ref(), Wording::new(&catalogue), &mut sink)?;
    if seen.sources == 0 {
        return Ok(ExitStatus::from(EXIT_ERROR));
    }
    let view = View::new(survey, language, explain_args.catalogue().names().cloned(), true);
    let charts = charts::charts(&view, &inputs, args.quiet)?;
    let page = Bytes::from(page::page(&view, &charts));
    drop(charts);
    let limit = connection_limit(inputs.open_at_once());
    let site = Site {
        door: Door { address, token },
        page,
        policy: HeaderValue::try_from(format!("{}; frame-ancestors 'none'", page::policy(true)))?,
        readings: Readings::new(Details::new(view, inputs, anonymizer)),
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    let outcome = LocalSet::new().block_on(&runtime, async {
        // From here on a signal ends it in order: what it keeps aside goes with it.
        let mut signals = Signals::listen()?;
        leave_signals_to_others();
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        announce(&site.door, &catalogue, args.quiet)?;
        spawn_local(connections::accept(listener, Rc::new(site), limit));
        signals.any().await;
        Ok(ExitStatus::SUCCESS)
    });
    runtime.shutdown_timeout(END_TIME);
    outcome
}

/// How many connections leave enough descriptors for the captures, of which `captures` are open at once.
fn connection_limit(captures: usize) -> usize {
    most_files().saturating_sub(OWN_FILES + captures).clamp(1, CONNECTIONS)
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

fn announce(door: &Door, catalogue: &Catalogue, is_quiet: bool) -> io::Result<()> {
    let Door { address, token } = door;
    if !address.ip().is_loopback() && !is_quiet {
        let args = Args::new().text("address", address.to_string());
        message::say(catalogue.text("serve-reachable", &args));
    }
    let mut out = stdout();
    writeln!(out, "http://{address}/{token}/")?;
    out.flush()
}
