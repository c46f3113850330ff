//! `tcpwhy serve`: serves the page of `--html` on a local port, with more detail than fits a file.
//!
//! The server is for one person on a machine that others may use. It listens on the loopback address by
//! default, has two paths, and reads no files but the named captures. It answers only requests
//! - that name it by address, so that a page from another site cannot reach it under its own name (DNS
//!   rebinding),
//! - whose path begins with the printed token, which other users of the machine do not know,
//! - within [`http::limits`], so that no client can block it.

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
    // The separate process that resolves names starts before any file is open.
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
