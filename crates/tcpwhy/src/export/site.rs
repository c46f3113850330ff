//! What is served: the metrics, and a page that leads there.

use std::rc::Rc;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use tcpwhy_report::metrics::Format;

use super::asked::Asked;
use crate::http::limits::TARGET_BYTES;
use crate::http::{self, Answer, Pieces, Watch, port_of_own_host};

pub(super) const METRICS_PATH: &str = "/metrics";
const PAGE: &str = "<!doctype html><title>tcpwhy</title><p>What limits the TCP connections of this host: <a href=\"/metrics\">metrics</a>.</p>\n";

/// Answers scrapes.
pub(super) struct Exporter {
    pub(super) asked: Rc<Asked>,
    /// It listens for this host alone.
    pub(super) is_local: bool,
}

/// Why a request gets nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// Not one `Host`, or one that is no text.
    Malformed,
    /// It names this host by a name, which a page from elsewhere may have made lead here (DNS rebinding).
    Misdirected,
    TooLong,
    NotFound,
    Method,
    Body,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Page,
    Metrics(Format),
}

impl http::Site for Exporter {
    async fn answer(&self, request: Request<Incoming>, watch: Rc<Watch>) -> Response<Pieces> {
        let (request, body) = request.into_parts();
        let answer = match admit(&request, !body.is_end_stream(), self.is_local) {
            Ok(wanted) => {
                watch.begin();
                match wanted {
                    Wanted::Page => Answer::ok("text/html; charset=utf-8", Bytes::from_static(PAGE.as_bytes())),
                    Wanted::Metrics(format) => match self.asked.metrics(format).await {
                        Some(text) => Answer::ok(format.media_type(), text),
                        None => Answer::plain(StatusCode::SERVICE_UNAVAILABLE, "Nobody looks at sockets any more."),
                    },
                }
            }
            Err(refusal) => refusal.answer(),
        };
        watch.answer();
        answer.into_response(&HeaderValue::from_static("default-src 'none'"), watch)
    }
}

impl Refusal {
    fn answer(self) -> Answer {
        let (status, text) = match self {
            Self::Malformed => (StatusCode::BAD_REQUEST, "One Host, please."),
            Self::Misdirected => (StatusCode::MISDIRECTED_REQUEST, "This server answers to its address only."),
            Self::TooLong => (StatusCode::URI_TOO_LONG, "No path here is that long."),
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found: /metrics."),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only."),
            Self::Body => (StatusCode::PAYLOAD_TOO_LARGE, "Requests have no body here."),
        };
        let answer = Answer::plain(status, text);
        match self {
            Self::Method => answer.with(header::ALLOW, HeaderValue::from_static("GET, HEAD")),
            // One such answer a connection; a body is not waited for.
            _ => answer.with(header::CONNECTION, HeaderValue::from_static("close")),
        }
    }
}

fn admit(request: &Parts, has_body: bool, is_local: bool) -> Result<Wanted, Refusal> {
    let mut hosts = request.headers.get_all(header::HOST).into_iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().map_err(|_| Refusal::Malformed)?,
        _ => return Err(Refusal::Malformed),
    };
    // Behind a tunnel the port may be another one.
    if is_local && port_of_own_host(host).is_none() {
        return Err(Refusal::Misdirected);
    }
    if request.uri.path_and_query().is_some_and(|target| target.as_str().len() > TARGET_BYTES) {
        return Err(Refusal::TooLong);
    }
    let wanted = match request.uri.path() {
        "/" => Wanted::Page,
        METRICS_PATH => Wanted::Metrics(negotiated(&request.headers)),
        _ => return Err(Refusal::NotFound),
    };
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return Err(Refusal::Method);
    }
    if has_body { Err(Refusal::Body) } else { Ok(wanted) }
}

/// The form that a client takes with the greatest weight (RFC 9110, section 12.5.1); whoever says nothing gets the one that
/// everybody reads.
fn negotiated(headers: &HeaderMap) -> Format {
    let (mut open, mut plain) = (0.0_f32, 0.0_f32);
    let accepts = headers.get_all(header::ACCEPT).into_iter().filter_map(|accept| accept.to_str().ok());
    for range in accepts.flat_map(|accept| accept.split(',')) {
        let mut words = range.split(';').map(str::trim);
        let kind = words.next().unwrap_or_default();
        let (mut weight, mut version) = (1.0, None);
        for (name, value) in words.filter_map(|word| word.split_once('=')) {
            match name.trim() {
                "q" => weight = value.trim().parse().unwrap_or(0.0),
                "version" => version = Some(value.trim()),
                _ => {}
            }
        }
        if kind.eq_ignore_ascii_case("application/openmetrics-text") && version.is_none_or(|version| version == "1.0.0")
        {
            open = open.max(weight);
        } else if ["text/plain", "text/*", "*/*"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
            plain = plain.max(weight);
        }
    }
    if open > 0.0 && open >= plain { Format::OpenMetrics } else { Format::Prometheus }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, target: &str, headers: &[(&str, &str)], is_local: bool) -> Result<Wanted, Refusal> {
        let request = headers.iter().fold(Request::builder().method(method).uri(target), |r, (n, v)| r.header(*n, *v));
        admit(&request.body(()).unwrap().into_parts().0, false, is_local)
    }

    #[test]
    fn paths_methods_and_hosts() {
        let own = [("host", "127.0.0.1:9817")];
        let metrics = Ok(Wanted::Metrics(Format::Prometheus));
        for (method, target, answer) in [
            ("GET", "/metrics", metrics),
            ("HEAD", "/metrics?collect[]=x", metrics),
            ("GET", "/", Ok(Wanted::Page)),
            ("GET", "/metrics/", Err(Refusal::NotFound)),
            ("GET", "/favicon.ico", Err(Refusal::NotFound)),
            ("POST", "/metrics", Err(Refusal::Method)),
            ("GET", &format!("/{}", "x".repeat(TARGET_BYTES)), Err(Refusal::TooLong)),
        ] {
            assert_eq!(asked(method, target, &own, true), answer, "{method} {target}");
        }
        for (host, answer) in [
            ("localhost:1234", metrics),
            ("[::1]:9817", metrics),
            ("evil.example:9817", Err(Refusal::Misdirected)),
            ("127.0.0.1.evil.example:9817", Err(Refusal::Misdirected)),
        ] {
            assert_eq!(asked("GET", "/metrics", &[("host", host)], true), answer, "{host}");
        }
        assert_eq!(asked("GET", "/metrics", &[("host", "db-7:9817")], false), metrics);
        assert_eq!(asked("GET", "/metrics", &[], false), Err(Refusal::Malformed));
    }

    #[test]
    fn clients_get_the_form_that_they_like_best() {
        let prometheus_2 = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                            text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        let prometheus_3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
                            text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,*/*;q=0.1";
        for (accept, format) in [
            (prometheus_2, Format::OpenMetrics),
            (prometheus_3, Format::OpenMetrics),
            ("application/openmetrics-text", Format::OpenMetrics),
            ("application/openmetrics-text; version=0.0.1, text/plain;q=0.1", Format::Prometheus),
            ("application/openmetrics-text;q=0.3, text/plain;q=0.9", Format::Prometheus),
            ("application/openmetrics-text;q=0", Format::Prometheus),
            ("text/html, */*;q=0.8", Format::Prometheus),
            ("", Format::Prometheus),
            ("\u{1},;;q=x,q", Format::Prometheus),
        ] {
            let mut headers = HeaderMap::new();
            if let Ok(value) = HeaderValue::from_str(accept) {
                headers.insert(header::ACCEPT, value);
            }
            assert_eq!(negotiated(&headers), format, "{accept}");
        }
    }
}
