//! `tcpwhy serve`: the page of `--html` on a local port, which answers with more detail than fits a file.
//!
//! For one person on one machine: it listens on the loopback address unless told otherwise, knows two paths, reads the captures
//! it was given and nothing else, and answers only requests that name it by address, so that a page from elsewhere cannot
//! reach it under a name of its own (DNS rebinding).

mod detail;
mod request;

use crate::exit::ExitStatus;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result, anyhow};
use tcpwhy_report::{Catalogue, Wording};
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::page;
use tiny_http::{Header, Response, Server};

use crate::EXIT_ERROR;
use crate::args::ServeArgs;
use crate::explain;
use crate::inputs::Inputs;
use crate::message;
use crate::output::{Collect, charts};
use crate::standard_output::stdout;
use detail::Details;
use request::{Answer, Page};

/// Requests handled at a time.
const WORKERS: usize = 4;

/// Reads the captures that `args` names and answers until it is stopped.
pub(crate) fn run(args: &ServeArgs) -> Result<ExitStatus> {
    let explain_args = args.as_explain();
    let language = args.words.language();
    let catalogue = Catalogue::new(language);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let inputs =
        Inputs::repeatable(&args.files, args.merge, anonymizer.as_ref()).context("standard input could not be kept")?;
    let server = Server::http(args.listen).map_err(|error| anyhow!("{}: {error}", args.listen))?;
    let address = server.server_addr().to_ip().unwrap_or(args.listen);
    let mut survey = Survey::new();
    let mut sink = Collect::new(&mut survey);
    let seen = explain::read(&explain_args, &inputs, anonymizer.as_ref(), Wording::new(&catalogue), &mut sink)?;
    if seen.sources == 0 {
        return Ok(ExitStatus::from(EXIT_ERROR));
    }
    let view = View::new(survey, language, true);
    let charts = charts::charts(&view, &inputs, args.quiet)?;
    let html = page::page(&view, &charts);
    drop(charts);
    let details = Details::new(view, inputs, anonymizer);
    let page = Page { html, policy: format!("{}; frame-ancestors 'none'", page::policy(true)), address };
    announce(address, args.quiet)?;
    answer_all(&Arc::new(server), &page, &details);
    Ok(ExitStatus::SUCCESS)
}

fn announce(address: SocketAddr, is_quiet: bool) -> Result<()> {
    if !address.ip().is_loopback() && !is_quiet {
        message::say(format!("{address} can be reached from other hosts, which then see these captures"));
    }
    let mut out = stdout();
    writeln!(out, "http://{address}/")?;
    out.flush()?;
    Ok(())
}

fn answer_all(server: &Arc<Server>, page: &Page, details: &Details) {
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Ok(request) = server.recv() {
                    let Answer { status, kind, body } = request::answer(&request, page, details);
                    let response = Response::from_string(body).with_status_code(status);
                    let mut response = response.with_chunked_threshold(usize::MAX);
                    for (name, value) in [
                        ("Content-Type", kind),
                        ("Content-Security-Policy", page.policy.as_str()),
                        ("Cache-Control", "no-store"),
                        ("Cross-Origin-Resource-Policy", "same-origin"),
                        ("Cross-Origin-Opener-Policy", "same-origin"),
                        ("Referrer-Policy", "no-referrer"),
                        ("X-Content-Type-Options", "nosniff"),
                    ] {
                        if let Ok(header) = Header::from_bytes(name, value) {
                            response.add_header(header);
                        }
                    }
                    // Whoever asked is gone.
                    let _ = request.respond(response);
                }
            });
        }
    });
}
