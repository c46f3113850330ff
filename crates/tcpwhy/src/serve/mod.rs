//! `tcpwhy serve`: the page of `--html` on a local port, which answers with more detail than fits a file.
//!
//! For one person on one machine, where others may be too. It listens on the loopback address unless told otherwise, knows two
//! paths, reads the captures it was given and nothing else, and answers only
//! - requests that name it by address, so that a page from elsewhere cannot reach it under a name of its own (DNS rebinding),
//! - whose path begins with the token that was printed, so that other users of the machine cannot,
//! - within [`http::limits`], so that nobody can keep it from answering.

mod detail;
mod readings;
mod request;
mod site;
mod token;

use crate::exit::{EXIT_ERROR, ExitStatus};
use crate::message::failure;
use std::future::pending;
use std::io::Write as _;
use std::net::TcpListener;

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use tcpwhy_report::{Args, Catalogue, Wording};
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::page;

use crate::args::ServeArgs;
use crate::explain;
use crate::http::{self, connection_limit, gzip};
use crate::inputs::Inputs;
use crate::message;
use crate::output::{Collect, charts};
use crate::rights;
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Foreign as _, Result};
use detail::Details;
use readings::Readings;
use request::Door;
use site::Site;
use token::Token;

/// Reads the captures that `args` names and answers until it is stopped.
pub(crate) fn run(args: &ServeArgs) -> Result<ExitStatus> {
    let explain_args = args.as_explain();
    let language = args.words.language();
    let catalogue = Catalogue::new(language);
    // Before anything is open: another process asks for names.
    let names = explain_args.catalogue().names().cloned();
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let listener = TcpListener::bind(args.listen).with_context(|| args.listen.to_string())?;
    let settle = || rights::confine(&rights::serving(&args.files));
    let (inputs, ()) = Inputs::repeatable(&args.files, args.merge, anonymizer.as_ref(), settle)?;
    let address = listener.local_addr()?;
    let token = Token::random().foreign().context(failure("no-token"))?;
    let mut survey = Survey::new();
    let mut sink = Collect::new(&mut survey);
    let seen = explain::read(&explain_args, &inputs, anonymizer.as_ref(), Wording::new(&catalogue), &mut sink)?;
    if seen.sources == 0 {
        return Ok(ExitStatus::from(EXIT_ERROR));
    }
    let view = View::new(survey, language, names, true);
    let charts = charts::charts(&view, &inputs, args.quiet)?;
    let page = Bytes::from(page::page(&view, &charts));
    drop(charts);
    let limit = connection_limit(inputs.open_at_once());
    let whole_address = format!("http://{address}/{token}/");
    let site = Site {
        door: Door { address, token },
        packed_page: gzip::compress(&page),
        page,
        policy: HeaderValue::try_from(format!("{}; frame-ancestors 'none'", page::policy(true))).foreign()?,
        readings: Readings::new(Details::new(view, inputs, anonymizer)),
    };
    let announce = || {
        if !address.ip().is_loopback() && !args.quiet {
            message::say(catalogue.text("serve-reachable", &Args::new().text("address", address.to_string())));
        }
        let mut out = stdout();
        writeln!(out, "{whole_address}")?;
        out.flush()
    };
    http::run(listener, || Ok((site, pending())), limit, announce)?;
    Ok(ExitStatus::SUCCESS)
}
